//! Tests `nudge probes` and `nudge probe` with a port.

use std::fs;
use std::path::{Path, PathBuf};

use probe::software::{Flaws, OtherFirmware};
use probe_protocol::Wire;
use trace::Button;

use super::bench::Bench;
use super::{ended, trace};
use crate::command;

const INFO: &str = "UF2 Bootloader v3.0\r\nModel: Raspberry Pi RP2\r\nBoard-ID: RPI-RP2\r\n";

/// Checks that the verb ends with `code`, and that its output contains all of `said`.
#[track_caller]
fn check(words: &[&str], code: i32, said: &[&str]) -> String {
    let (found, out) = ended(&command::nudge().args(words).output().unwrap());
    assert_eq!(found, Some(code), "{words:?}: {out}");
    for said in said {
        assert!(out.contains(said), "{words:?}: {out}");
    }
    out
}

fn port(folder: &Path, name: &str) -> String {
    folder.join(name).to_str().unwrap().to_owned()
}

#[test]
fn probes_are_listed_with_their_boards() {
    let folder = tempfile::tempdir().unwrap();
    let (sound, broken, none) =
        (port(folder.path(), "sound"), port(folder.path(), "broken"), port(folder.path(), "none"));
    let flaws = Flaws { wire_off: Some(Wire::Sck), ..Flaws::default() };
    let _sound = Bench::new(Path::new(&sound), &trace("no-bonus"), Flaws::default());
    let _broken = Bench::new(Path::new(&broken), &trace("no-bonus"), flaws);
    let sound_row = format!("{sound}  probe 0, firmware software\n  board: boot nudge=");
    let broken_row = "  board: LCD SCK (GP18) stays low while";
    check(&["probes", &sound, &broken], 0, &[&sound_row, broken_row]);
    check(&["probes", &none, &sound], 2, &["no such port", &sound_row]);
}

#[test]
fn a_board_without_wires_to_its_debug_port_is_not_written() {
    let folder = tempfile::tempdir().unwrap();
    let port = port(folder.path(), "port");
    let _bench = Bench::new(Path::new(&port), &trace("no-bonus"), Flaws::default());
    let file = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        fs::write(&path, bytes).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let (board, probe) =
        (file("board.bin", &[1; 600]), file("probe.bin", b"a nudge probe's program"));
    let flash = |file: &str, said: &str| {
        check(&["probe", "flash-board", file, "--port", &port], 2, &[said]);
    };
    flash(&board, "the board's debug port does not answer: SWCLK or SWDIO is not connected");
    flash(&probe, "this is the probe's firmware");
    flash(&port, "it is no regular file");
}

#[test]
fn the_doctor_names_the_wire_and_marks_it_in_the_table() {
    let folder = tempfile::tempdir().unwrap();
    let flawed = |name: &str, flaws: Flaws| {
        let port = port(folder.path(), name);
        let bench = Bench::new(Path::new(&port), &trace("no-bonus"), flaws);
        (port, bench)
    };
    let (sound, _bench) = flawed("sound", Flaws::default());
    let sound_row =
        "nothing is wrong that can be seen on the wires, and the board notices each of its buttons";
    check(&["probe", "doctor", &sound], 0, &[sound_row]);
    for (wire, said, row) in [
        (Wire::Cs, "LCD CS (GP17) stays", "  * GP17   GP17   LCD CS\n"),
        (Wire::Mosi, "LCD MOSI (GP19) stays low", "  * GP19   GP19   LCD MOSI\n"),
        (Wire::Dc, "LCD DC (GP20) stays low", "  * GP20   GP20   LCD DC\n"),
        (Wire::Uart, "UART0 TX (board GP0, probe GP1) is off", "  * GP1    GP0    UART0 TX\n"),
    ] {
        let flaws = Flaws { wire_off: Some(wire), ..Flaws::default() };
        let (port, _bench) = flawed(&format!("{wire:?}"), flaws);
        let out = check(&["probe", "doctor", &port], 1, &[said, row]);
        assert_eq!(out.matches("  * ").count(), 1, "{out}");
    }
    for (firmware, said) in [
        (OtherFirmware::St7789, "this is an ST7789's initialisation"),
        (
            OtherFirmware::Mirrored,
            "the picture is mirrored: the firmware sets the LCD's memory access (36h)",
        ),
    ] {
        let flaws = Flaws { firmware: Some(firmware), ..Flaws::default() };
        let (port, _bench) = flawed(&format!("{firmware:?}"), flaws);
        check(&["probe", "doctor", &port], 1, &[said]);
    }
    let (deaf, _bench) = flawed("deaf", Flaws { console_off: true, ..Flaws::default() });
    let row = "  * GP0    GP1    UART0 RX\n";
    check(&["probe", "doctor", &deaf], 1, &["does not answer on its console", row]);
}

#[test]
fn the_doctor_names_the_wires_of_buttons() {
    let folder = tempfile::tempdir().unwrap();
    let [b3, t1, reset] = [Button::LCD_BOARD[2], Button::LCD_BOARD[6], Button::LCD_BOARD[12]];
    let off = Flaws { button_off: Some(b3), ..Flaws::default() };
    let exchanged = Flaws { buttons_exchanged: Some((t1, reset)), ..Flaws::default() };
    for (name, flaws, said, rows) in [
        ("off", off, "does not notice presses of B3 (GP4): its wire is off", &["  * GP4 "][..]),
        (
            "exchanged",
            exchanged,
            "T1 (GP8) and RESET (GP14) are exchanged: each closes the other's button",
            &["  * GP8 ", "  * GP14 "],
        ),
    ] {
        let port = port(folder.path(), name);
        let _bench = Bench::new(Path::new(&port), &trace("no-bonus"), flaws);
        let out = check(&["probe", "doctor", &port], 1, &[said]);
        assert!(rows.iter().all(|row| out.contains(row)), "{out}");
        assert_eq!(out.matches("  * ").count(), rows.len(), "{out}");
    }
}

#[test]
fn a_wrong_fault_of_a_wire_is_refused_with_the_nearest_name() {
    let emulate = |fault: &str, said: &str| {
        check(&["probe", "emulate", "--wire", fault], 2, &[said]);
    };
    emulate("cut=lcd-mosy", "`lcd-mosy` is no wire; did you mean `lcd-mosi`?");
    emulate("swop=b1,b2", "`swop` is no kind of fault");
    emulate("swap=b1,lcd-cs", "b1 and lcd-cs cannot be exchanged here");
}

/// Writes a UF2 file of one block with `data`.
fn uf2(path: &Path, data: &[u8]) {
    let mut block = vec![0_u8; 512];
    let words = [0x0A32_4655_u32, 0x9E5D_5157, 0x2000, 0x1000_0000, 256, 0, 1, 0xE48B_FF56];
    for (at, word) in words.into_iter().enumerate() {
        block[4 * at..4 * at + 4].copy_from_slice(&word.to_le_bytes());
    }
    block[32..32 + data.len()].copy_from_slice(data);
    block[508..].copy_from_slice(&0x0AB1_6F30_u32.to_le_bytes());
    fs::write(path, block).unwrap();
}

fn boot_drive(folder: &Path) -> PathBuf {
    let drive = folder.join("RPI-RP2");
    fs::create_dir_all(&drive).unwrap();
    fs::write(drive.join("INFO_UF2.TXT"), INFO).unwrap();
    drive
}

#[test]
fn only_the_probes_firmware_is_written_to_a_boot_drive() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("probe.uf2");
    uf2(&file, b"..nudge probe..");
    let other = folder.path().join("other.uf2");
    uf2(&other, b"..nudge..");
    let elf = folder.path().join("probe.elf");
    fs::write(&elf, b"\x7fELF nudge probe").unwrap();
    let drive = boot_drive(folder.path());
    let plain = folder.path().join("plain");
    fs::create_dir(&plain).unwrap();
    let flash = |file: &Path, drive: &Path, code: i32, said: &str| {
        let words = [file, Path::new("--drive"), drive].map(|word| word.to_str().unwrap());
        let words = [&["probe", "flash"][..], &words].concat();
        check(&words, code, &[said]);
    };
    flash(&other, &drive, 2, "this is not the probe's firmware");
    flash(&elf, &drive, 2, "this is no UF2 file for the RP2040");
    flash(&folder.path().join("none.uf2"), &drive, 2, "cannot be read");
    flash(&file, &plain, 2, "hold the probe's BOOTSEL button");
    let written = |folder: &Path| {
        let names = fs::read_dir(folder).unwrap().map(|it| it.unwrap().file_name());
        let mut names: Vec<_> = names.map(|name| name.into_string().unwrap()).collect();
        names.sort();
        names
    };
    assert_eq!((written(&drive), written(&plain)), (vec!["INFO_UF2.TXT".to_owned()], vec![]));
    flash(&file, &drive, 0, "512 bytes are written");
    assert_eq!(fs::read(drive.join("nudge-probe.uf2")).unwrap(), fs::read(&file).unwrap());
    // An existing file is not replaced.
    fs::write(drive.join("nudge-probe.uf2"), "mine").unwrap();
    flash(&file, &drive, 2, "nudge-probe.uf2: there is such a file already, and it stays");
    assert_eq!(fs::read(drive.join("nudge-probe.uf2")).unwrap(), b"mine");
    assert_eq!(fs::read_to_string(drive.join("INFO_UF2.TXT")).unwrap(), INFO);
    assert_eq!(written(&drive).len(), 2);
}

#[test]
fn a_probe_with_firmware_restarts_into_its_boot_loader() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("probe.uf2");
    uf2(&file, b"..nudge probe..");
    let port = port(folder.path(), "port");
    let bench = Bench::new(Path::new(&port), &trace("no-bonus"), Flaws::default());
    let drive = folder.path().join("RPI-RP2");
    let words = ["probe", "flash", file.to_str().unwrap(), "--drive", drive.to_str().unwrap()];
    let mut command = command::nudge();
    command.args(words).args(["--port", &port]).stdout(std::process::Stdio::piped());
    let child = command.spawn().unwrap();
    bench.until_in_boot_loader(super::faults::LIMIT);
    // The probe's drive appears.
    boot_drive(folder.path());
    let (code, said) = ended(&child.wait_with_output().unwrap());
    assert_eq!(code, Some(0), "{said}");
    assert_eq!(fs::read(drive.join("nudge-probe.uf2")).unwrap(), fs::read(&file).unwrap());
}
