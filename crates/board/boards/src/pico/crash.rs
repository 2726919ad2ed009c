//! Crashes of the chip's program: a fault that holds a core, and a crash that the program reports on its
//! console after a restart. Each gets its place in the source, if the program has it.

use hal_mock::{Crash, CrashKind, SourcePlace};
use rp2040_emulator::chip::Chip;
use rp2040_emulator::cpu::CoreFault;
use rp2040_emulator::program::Program;

/// Beginning of the console line that reports an earlier crash.
const CRASH: &str = "crash text=";

/// Returns the crash by a fault, with the place of the innermost call in the program's own source.
pub(super) fn of_fault(chip: &Chip, fault: &CoreFault, program: &Program) -> Crash {
    let addresses = chip.fault_addresses(fault).into_iter();
    let mut lines = addresses.flat_map(|address| program.source_lines(address));
    let place = lines.find(|line| is_own(&line.file)).map(|line| SourcePlace {
        file: line.file,
        line: line.line,
        column: line.column,
    });
    // The message has the calls.
    let (kind, calls) = (CrashKind::Fault, Vec::new());
    Crash { kind, message: chip.explain(fault, program), place, calls }
}

/// Returns the crash that a line of the console reports, if it does.
pub(super) fn of_console(line: &str) -> Option<Crash> {
    let text = line.strip_prefix(CRASH)?;
    let place = SourcePlace::of_message(text.trim_start_matches('"'));
    let message = format!("the program has crashed and says: {line}");
    Some(Crash { kind: CrashKind::Panic, message, place, calls: Vec::new() })
}

/// Returns whether a file is neither one of the compiler's libraries nor one of a registry.
fn is_own(file: &str) -> bool {
    let parts = ["/rustc/", "/library/core/", "/library/std/", "/.cargo/registry/", "/.cargo/git/"];
    !parts.iter().any(|part| file.contains(part))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crash_on_the_console_has_its_place() {
        let crash = of_console("crash text=\"src/level.rs:7: no level 7\"").unwrap();
        assert_eq!(crash.place.map(|place| place.to_string()), Some("src/level.rs:7".into()));
        assert_eq!(of_console("hard fault at 1"), None);
        let fault = of_console("crash text=\"hard fault at 0x30000000, called from 0x1\"").unwrap();
        assert_eq!(fault.place, None);
    }

    #[test]
    fn the_place_of_a_fault_is_in_the_programs_own_source() {
        assert!(is_own("firmware-core/src/firmware.rs") && is_own("/build/src/main.c"));
        for file in [
            "/rustc/abc/library/core/src/panicking.rs",
            "/home/me/.cargo/registry/src/index/cortex-m-rt-0.7/src/lib.rs",
            "/lib/rustlib/src/rust/library/core/src/fmt/mod.rs",
        ] {
            assert!(!is_own(file), "{file}");
        }
    }
}
