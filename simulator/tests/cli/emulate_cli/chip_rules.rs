//! Tests what is reported of a program that does what the chip would not do.

use std::fs;

use super::{Ends, check, folder, has};
use crate::command::nudge;

const RESETS: u32 = 0x4000_C000;
const UART0_CR: u32 = 0x4003_4030;
/// Holds UART0 in reset, and accesses it.
const HELD: [(u32, u32); 2] = [(RESETS, 1 << 22), (UART0_CR, 0)];
const BOARD: &str = r#"
board = 1
name = "Plain"
chip = "rp2040"
program = "program.bin"

[[console]]
kind = "uart"
tx = "GP0"

[[display]]
panel = "st7735"
bus = "spi4"
size = "128x160 px"
offset = "2,1 px"
sck = "GP18"
mosi = "GP19"
cs = "GP17"
dc = "GP20"
rst = "GP21"
"#;

/// Returns a flash whose second stage accesses UART0, which RESETS holds, and loops.
fn image() -> Vec<u8> {
    // ldr r0, =UART0_CR; str r1, [r0]; b .
    let code: [u16; 6] = [0x4801, 0x6001, 0xE7FE, 0xBF00, 0x4030, 0x4003];
    let mut flash: Vec<u8> = code.into_iter().flat_map(u16::to_le_bytes).collect();
    flash.resize(252, 0);
    // The CRC-32/MPEG-2 by which the boot ROM recognises a second stage.
    let sum = flash.iter().fold(u32::MAX, |sum, byte| {
        (0..8).fold(sum ^ u32::from(*byte) << 24, |sum, _| {
            sum << 1 ^ if sum >> 31 != 0 { 0x04C1_1DB7 } else { 0 }
        })
    });
    flash.extend(sum.to_le_bytes());
    flash
}

#[test]
fn a_broken_rule_is_a_note_and_with_strict_a_failure() {
    let wrong = folder(Ends::Sleeps, &HELD);
    let (_, err) = check(wrong.path(), "program.elf --until 5ms", 0);
    let place = "  core 0 at 0x";
    has(&err, &[place, "UART0 register: ", "(held-in-reset, datasheet section 2.14)"]);
    let (_, err) = check(wrong.path(), "program.elf --until 5ms --strict", 1);
    has(&err, &["held-in-reset", "--strict passes no program that breaks a rule of the chip"]);
    let right = folder(Ends::Sleeps, &HELD[1..]);
    let (_, err) = check(right.path(), "program.elf --until 5ms --strict", 0);
    assert!(!err.contains("datasheet section"), "{err}");
}

#[test]
fn a_broken_rule_fails_a_replay_and_is_a_notice_of_a_lenient_one() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    fs::write(at.join("program.bin"), image()).unwrap();
    fs::write(at.join("plain.board.toml"), BOARD).unwrap();
    fs::write(at.join("a.trace"), "trace 1\nboard plain.board.toml\n0ms power on\n+20ms end\n")
        .unwrap();
    let replay = |options: &[&str], code: i32| {
        let words = [&["replay", "a.trace"], options].concat();
        let output = nudge().args(words).current_dir(at).output().unwrap();
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        assert_eq!(output.status.code(), Some(code), "{said}");
        said
    };
    let junit = at.join("results.xml");
    let said = replay(&["--junit", "results.xml"], 1);
    let sentence = "the chip would not do this: core 0 at ";
    has(&said, &[sentence, "held-in-reset", "; --lenient permits it"]);
    assert!(fs::read_to_string(junit).unwrap().contains(sentence));
    let said = replay(&["--lenient"], 0);
    has(&said, &["notice: core 0 at ", "held-in-reset"]);
}
