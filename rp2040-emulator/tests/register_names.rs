//! Checks that registers have the datasheet's names: no match arm of a device compares an offset or
//! an address with a number.
//!
//! The test reads the sources. It treats every line with `=>` as a match arm, and requires that the
//! pattern has no hexadecimal number; test modules are skipped.

use std::fs;
use std::path::{Path, PathBuf};

/// Files and directories with reads and writes of registers.
const DEVICES: [&str; 4] =
    ["src/chip/peripherals", "src/chip/devices", "src/cpu/system.rs", "src/cpu/systick.rs"];
/// Patterns that compare the value of a register and not its offset.
const VALUES: [&str; 1] = ["divider @ 0..=0xFF"];

/// Returns the patterns of match arms in `source` that have a hexadecimal number, with their lines.
fn bare_patterns(source: &str) -> Vec<(usize, &str)> {
    let code = source.lines().take_while(|line| !line.starts_with("mod tests {"));
    code.enumerate()
        .filter_map(|(number, line)| Some((number + 1, line.split_once("=>")?.0)))
        // A guard may contain any number.
        .map(|(line, arm)| {
            (line, arm.split_once(" if ").map_or(arm, |(pattern, _)| pattern).trim())
        })
        .filter(|(_, pattern)| !pattern.starts_with("//"))
        .filter(|(_, pattern)| pattern.contains("0x") && !VALUES.contains(pattern))
        .collect()
}

fn sources(path: &Path, found: &mut Vec<PathBuf>) {
    if path.is_dir() {
        let entries = fs::read_dir(path).expect("a directory of this crate");
        for entry in entries {
            sources(&entry.expect("an entry of a directory").path(), found);
        }
    } else if !path.iter().any(|part| part == "tests" || part == "tests.rs") {
        found.push(path.into());
    }
}

#[test]
fn no_match_arm_of_a_device_has_a_bare_offset() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = vec![];
    for device in DEVICES {
        sources(&root.join(device), &mut files);
    }
    assert!(files.len() > 40, "only {} files: have the devices moved?", files.len());
    let mut bare = vec![];
    for file in files {
        let source = fs::read_to_string(&file).expect("a source file");
        let name = file.strip_prefix(root).unwrap_or(&file).display();
        bare.extend(
            bare_patterns(&source)
                .iter()
                .map(|(line, pattern)| format!("{name}:{line}: {pattern}")),
        );
    }
    assert!(bare.is_empty(), "name these registers as the datasheet does:\n{}", bare.join("\n"));
}

#[test]
fn a_bare_offset_is_found_and_a_named_one_is_not() {
    let source = "match offset {\n    0x0C | 0x10 => 1,\n    CTRL if x == 0x1 => 0x20,\n    // 0x0 => no\n}\n";
    assert_eq!(bare_patterns(source), [(2, "0x0C | 0x10")]);
    assert_eq!(bare_patterns("mod tests {\n    0x0 => 1,\n"), []);
}
