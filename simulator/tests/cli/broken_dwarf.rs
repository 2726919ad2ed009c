//! Programs with cut, overwritten or wrong debugging information (DWARF) must cause error messages,
//! not panics, and no report that looks complete.

use std::fs;
use std::path::Path;

use boards::pico::firmware;

use crate::command::nudge;

/// An ELF file whose sections of debugging information can be damaged.
struct Elf(Vec<u8>);

/// A section: the offset of its header, and its range in the file.
struct Section {
    header: usize,
    offset: usize,
    size: usize,
}

impl Elf {
    fn word(&self, at: usize) -> usize {
        u32::from_le_bytes(self.0[at..at + 4].try_into().unwrap()) as usize
    }

    fn put(&mut self, at: usize, word: u32) {
        self.0[at..at + 4].copy_from_slice(&word.to_le_bytes());
    }

    /// Reads the section headers of ELF32: sh_name, sh_flags at 8, sh_offset at 16, sh_size at 20.
    fn sections(&self) -> Vec<(String, Section)> {
        let half = |at: usize| usize::from(u16::from_le_bytes([self.0[at], self.0[at + 1]]));
        let headers: Vec<usize> =
            (0..half(48)).map(|number| self.word(32) + number * half(46)).collect();
        let names = self.word(headers[half(50)] + 16);
        let named = headers.iter().map(|header| {
            let name = self.0[names + self.word(*header)..].split(|byte| *byte == 0).next();
            let name = String::from_utf8(name.unwrap().to_vec()).unwrap();
            let (offset, size) = (self.word(header + 16), self.word(header + 20));
            (name, Section { header: *header, offset, size })
        });
        named.filter(|(name, _)| name.starts_with(".debug_")).collect()
    }

    #[track_caller]
    fn section(&self, name: &str) -> Section {
        let found = self.sections().into_iter().find(|(found, _)| found == name);
        found.unwrap_or_else(|| panic!("no {name}")).1
    }
}

/// Returns the program `elf` damaged in each way, with the expected message.
fn damages(elf: &[u8]) -> Vec<(Vec<u8>, &'static str)> {
    let damaged = |section: &str, damage: fn(&mut Elf, Section)| {
        let mut elf = Elf(elf.to_vec());
        let section = elf.section(section);
        damage(&mut elf, section);
        elf.0
    };
    let cannot = "the program's debugging information cannot be read: ";
    vec![
        (damaged(".debug_info", |elf, it| elf.put(it.header + 20, it.size as u32 / 2)), cannot),
        (damaged(".debug_abbrev", |elf, it| elf.put(it.header + 20, it.size as u32 / 2)), cannot),
        (damaged(".debug_str", |elf, it| elf.put(it.header + 20, 4)), cannot),
        // A wrong length: too long, and the escape of the 64-bit format.
        (damaged(".debug_line", |elf, it| elf.put(it.offset, 0x7FFF_FFF0)), cannot),
        (damaged(".debug_line", |elf, it| elf.put(it.offset, u32::MAX)), cannot),
        (
            damaged(".debug_info", |elf, it| elf.0[it.offset..it.offset + it.size].fill(0xA5)),
            cannot,
        ),
        (damaged(".debug_line", |elf, it| elf.0[it.offset..it.offset + it.size].fill(0)), cannot),
        (
            damaged(".debug_info", |elf, it| elf.put(it.header + 16, 0x7FFF_0000)),
            "its section .debug_info reaches beyond the end of the file",
        ),
        (
            damaged(".debug_line", |elf, it| {
                let flags = elf.word(it.header + 8) as u32;
                elf.put(it.header + 8, flags | 1 << 11);
            }),
            "its section .debug_line is compressed",
        ),
        (
            damaged(".debug_info", |elf, it| elf.put(it.header + 20, 0)),
            "the program has no debugging information",
        ),
    ]
}

/// Runs `nudge`; returns its exit code and all its output.
fn text_of(folder: &Path, arguments: &[&str]) -> (Option<i32>, String) {
    let output = nudge().args(arguments).current_dir(folder).output().unwrap();
    let text = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8(text).unwrap())
}

#[test]
fn unreadable_line_tables_are_refused_before_the_run() {
    sampled!();
    let folder = tempfile::tempdir().unwrap();
    let program = firmware::path().expect("`make firmware` builds the program");
    fs::write(folder.path().join("a.trace"), "trace 1\n0ms power on\n+1s end\n").unwrap();
    let replays: [&[&str]; 2] =
        [&["replay", "a.trace", "--coverage", "a.info"], &["trace", "rank", "a.trace"]];
    let emulated: &[&str] = &["emulate", "p.elf", "--coverage", "a.info", "--until", "1ms"];
    for (number, (elf, words)) in damages(&fs::read(program).unwrap()).into_iter().enumerate() {
        fs::write(folder.path().join("p.elf"), elf).unwrap();
        let mut runs = vec![emulated.to_vec()];
        runs.extend(replays.map(|run| [run, &["--board", "pico=p.elf"]].concat()));
        for run in runs {
            let (code, said) = text_of(folder.path(), &run);
            assert!(code == Some(2) && said.contains(words), "{number} {run:?}: {code:?}\n{said}");
        }
        assert!(!folder.path().join("a.info").exists(), "{number}");
    }
}

#[test]
fn a_report_without_lines_names_the_reason() {
    let folder = tempfile::tempdir().unwrap();
    let program = firmware::path().expect("`make firmware` builds the program");
    let (elf, words) = damages(&fs::read(program).unwrap()).swap_remove(0);
    fs::write(folder.path().join("p.elf"), elf).unwrap();
    fs::write(folder.path().join("a.trace"), "trace 1\n0ms power on\n+1s end\n").unwrap();
    let words = format!("no source lines: {words}");
    let why = ["trace", "why", "a.trace", "--pixel", "160,120", "--board", "pico=p.elf"];
    let emulate = ["emulate", "p.elf", "--until", "1ms"];
    for (run, function) in [(&why[..], "function  0x1"), (&emulate[..], "core 0 is at 0x")] {
        let (code, said) = text_of(folder.path(), run);
        assert_eq!(code, Some(0), "{run:?}\n{said}");
        assert!(said.contains(&words) && said.contains(function), "{run:?}\n{said}");
    }
}
