//! Feeds every kind of broken file to every reader on the command line. Expected: an error that
//! names the place, exit code 2, no file written, and at most 256 MiB of memory.
//!
//! The files of two gigabytes are sparse, so they take no room on a disk.

use std::fs::{self, File};
use std::io::Write;
use std::path::Path;
use std::process::Stdio;

use tempfile::TempDir;

use crate::part::Part;

/// Limit of a command's address space in KiB: memory, code, and the stacks of threads.
const ADDRESS_SPACE_KIB: u32 = 600_000;
const HUGE: u64 = 2 << 30;
const FLASH_SIZE: u64 = 256 << 10;

const ON: &[u8] = b"trace 1\n\n0ms power on\n+0ms settle within 9s\n";
const VCD: &[u8] = b"$timescale 1 ns $end\n$var wire 1 ! B1 $end\n$enddefinitions $end\n#0\n1!\n";
const SALEAE: &[u8] = b"Time [s],B1\n0,1\n0.5,0\n";
const SIGROK: &[u8] = b"; Samplerate: 1 MHz\nB1\n1\n0\n";
const STEPS: &[u8] = b"version: 1\nsteps:\n  - delay: 5ms\n";
const CHAIN: &[u8] = b"frames 1\n4c6fb47efe452e97  309694.608us   76800 pixels in 0,0,320,240\n";
/// The beginning of an ELF file for ARM, up to the sizes of its headers.
const ELF: &[u8] = b"\x7FELF\x01\x01\x01\0\0\0\0\0\0\0\0\0\x02\0\x28\0\x01\0\0\0";
/// Magic numbers of a UF2 block.
const UF2: &[u8] = b"UF2\nWQ]\x9e";

/// A folder with a broken file in it.
struct Sandbox(TempDir);

impl Sandbox {
    fn new() -> Self {
        let sandbox = Self(tempfile::tempdir().unwrap());
        sandbox.put("on.trace", ON);
        sandbox.put("look.trace", &[ON, b"+0ms expect frame seen\n"].concat());
        sandbox.put("watch.trace", &[ON, b"+0ms expect frames seen\n"].concat());
        sandbox
            .put("saved.trace", &[b"trace 1\nflash saved.flash\n".as_slice(), &ON[8..]].concat());
        for golden in ["look", "watch"] {
            fs::create_dir(sandbox.path(golden)).unwrap();
        }
        sandbox
    }

    fn path(&self, name: &str) -> std::path::PathBuf {
        self.0.path().join(name)
    }

    fn put(&self, name: &str, bytes: &[u8]) {
        fs::write(self.path(name), bytes).unwrap();
    }

    /// Writes a sparse file that begins with `bytes`, followed by zeros up to two gigabytes.
    fn put_huge(&self, name: &str, bytes: &[u8]) {
        let mut file = File::create(self.path(name)).unwrap();
        file.write_all(bytes).unwrap();
        file.set_len(HUGE).unwrap();
    }

    /// Runs `nudge`, which must end with code 2 in bounded memory, and returns its output.
    #[track_caller]
    fn refusal(&self, words: &str) -> String {
        let nudge = crate::command::NUDGE;
        let script = format!("ulimit -v {ADDRESS_SPACE_KIB} && exec '{nudge}' {words}");
        let output = crate::command::through("sh")
            .args(["-c", &script])
            .current_dir(self.0.path())
            .stdin(Stdio::null())
            .output()
            .unwrap();
        let said = [output.stderr, output.stdout].concat();
        let said = String::from_utf8_lossy(&said).into_owned();
        assert_eq!(output.status.code(), Some(2), "nudge {words}\n{said}");
        for made in ["out.trace", "out.vcd", "out.png"] {
            assert!(!self.path(made).exists(), "nudge {words} wrote {made}\n{said}");
        }
        said
    }
}

enum Broken<'a> {
    Bytes(&'a [u8]),
    /// These bytes, followed by zeros up to two gigabytes.
    Huge(&'a [u8]),
    /// A folder in place of the file.
    Folder,
    Missing,
}
use Broken::{Bytes, Folder, Huge, Missing};

/// Writes each file as `name`, and checks that the output of `nudge` contains the expected message.
#[track_caller]
fn check(name: &str, words: &str, cases: &[(Broken<'_>, &str)]) {
    for (broken, said) in cases {
        let sandbox = Sandbox::new();
        match broken {
            Bytes(bytes) => sandbox.put(name, bytes),
            Huge(bytes) => sandbox.put_huge(name, bytes),
            Folder => fs::create_dir(sandbox.path(name)).unwrap(),
            Missing => {}
        }
        let text = sandbox.refusal(words);
        let place = format!("{name}{said}");
        assert!(text.contains(&place), "nudge {words}: no {place:?} in\n{text}");
    }
}

/// Returns `valid` without its last `bytes` bytes.
fn cut(valid: &[u8], bytes: usize) -> &[u8] {
    &valid[..valid.len() - bytes]
}

#[test]
fn a_broken_trace_is_refused_by_every_verb_that_reads_one() {
    sampled!();
    let verbs = [
        "replay a.trace -j 1",
        "trace check a.trace",
        "trace info a.trace",
        "trace timing a.trace --board native",
        "trace convert a.trace out.vcd",
        "trace why a.trace --pixel 1,1",
        "trace tidy a.trace --output out.trace",
        "trace shrink a.trace --output out.trace",
        "trace fuzz a.trace",
        "screenshot a.trace --output out.png",
    ];
    let part = Part::of_this_run();
    for (number, verb) in verbs.into_iter().enumerate() {
        check(
            "a.trace",
            verb,
            &[
                (Bytes(b""), ":1:1: there is nothing here"),
                (Bytes(cut(ON, 17)), ":4:5: a time needs a verb"),
                (Bytes(b"trace 1\n\0\0"), ":2:1: a NUL byte"),
            ],
        );
        if part.has(number) {
            check("a.trace", verb, &[(Huge(ON), ":1:1: the trace is larger than 64 MiB")]);
        }
    }
    check(
        "a.trace",
        "trace check a.trace",
        &[
            (Bytes(b"\xFF\xFEt"), ":1:1: byte 0xFF is not UTF-8"),
            (Huge(b""), ":1:1: the trace is larger than 64 MiB"),
            (
                Bytes(b"trace 1\n0ms power on\n9223372036854775808ns end\n"),
                ":3:1: `9223372036854775808ns` is past 2^63 ns",
            ),
            (
                Bytes(b"trace 1\n0ms power on\n9223372036854775807ns tap B3 for 5s\n"),
                ":3:23: 5 s after",
            ),
            (Bytes(b"trace 1\n0ms power on\n+9223372036s settle within 9223372036s\n"), ":3:14: "),
            (Missing, ": no such file"),
            (Folder, ": no traces in this folder"),
        ],
    );
    check(
        "a.trace",
        "trace convert a.trace out.vcd",
        &[(Missing, ": "), (Folder, ": Is a directory")],
    );
}

#[test]
fn a_line_of_a_huge_trace_is_quoted_without_reading_all_of_it() {
    sampled!();
    let sandbox = Sandbox::new();
    sandbox.put_huge("a.trace", ON);
    let said = sandbox.refusal("replay a.trace -j 1");
    assert!(said.contains("\n    1 | trace 1\n"), "{said}");
}

#[test]
fn a_broken_capture_is_refused() {
    sampled!();
    let late = [VCD, b"#9223372036854775808\n"].concat();
    let nul = [VCD, b"\0\0\0"].concat();
    for verb in ["convert a.vcd out.trace", "convert a.vcd out.vcd", "compare a.vcd a.vcd"] {
        check(
            "a.vcd",
            &format!("trace {verb}"),
            &[
                (Bytes(b""), ":1: the file ends before its $enddefinitions"),
                (Bytes(cut(VCD, 2)), ":5: the file ends in the middle of something"),
                (Bytes(&nul), ":6: unexpected character"),
                (Bytes(b"\xFF\xFE"), ":1: unexpected character"),
                (Bytes(&late), ":6: #9223372036854775808 is past 2^63 ns"),
                (Huge(b""), ":1: unexpected character"),
                (Huge(VCD), ":6: unexpected character"),
                (Huge(b"$comment "), ":1: more than 1 MiB without an end"),
                (Missing, ": "),
                (Folder, ":1: Is a directory"),
            ],
        );
    }
    let late = [SALEAE, b"9223372037,1\n"].concat();
    for verb in ["convert a.csv out.trace", "compare a.csv a.csv"] {
        check(
            "a.csv",
            &format!("trace {verb}"),
            &[
                (Bytes(b""), ":1: there is no row of values"),
                (Bytes(cut(SALEAE, 2)), ":3: `` is no level of B1"),
                (Bytes(b"\0\0"), ":1: a NUL byte"),
                (Bytes(b"Time [s],B1\n0,1\n\0\0"), ":3: a row of 1 columns"),
                (Bytes(b"\xFF\xFE"), ":1: "),
                (Bytes(&late), ":4: the row's time is past 2^63 ns"),
                (Huge(b""), ":1: more than 1 MiB without an end"),
                (Huge(SALEAE), ":4: more than 1 MiB without an end"),
                (Huge(SIGROK), ":5: more than 1 MiB without an end"),
                (Missing, ": "),
                (Folder, ":1: Is a directory"),
            ],
        );
    }
}

#[test]
fn a_broken_scenario_is_refused() {
    let late = [STEPS, b"  - delay: 9223372037s\n"].concat();
    check(
        "a.yaml",
        "trace convert a.yaml out.trace",
        &[
            (Bytes(b""), ":1: there is nothing here"),
            (Bytes(cut(STEPS, 3)), ":3: `5` lacks its unit"),
            (Bytes(cut(STEPS, 6)), ":3: "),
            (Bytes(b"steps:\n  - delay: 5\0ms\n"), ":2: a NUL byte"),
            (Bytes(b"\xFF\xFE"), ":1: is not UTF-8"),
            (Bytes(&late), ":4: `9223372037s` is past 2^63 ns"),
            (Bytes(&[b'['; 500_000]), ":1: "),
            (Bytes(b"steps:\n  - [a]: 1\n"), ":2: a list as a key"),
            (Huge(STEPS), ": is larger than 1 MiB"),
            (Missing, ": "),
            (Folder, ": Is a directory"),
        ],
    );
}

/// Returns a PNG without pixels whose header claims a square of `side` pixels.
fn png(side: u32) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, side, side);
    encoder.set_color(png::ColorType::Rgb);
    drop(encoder.write_header().unwrap());
    bytes
}

#[test]
fn a_golden_that_is_not_a_picture_is_refused() {
    sampled!();
    let (small, large, wrong) = (png(320), png(1 << 30), [png(1), b"x".to_vec()].concat());
    let mut colour = png(320);
    // An undefined colour type in IHDR.
    colour[25] = 5;
    check(
        "look/seen.png",
        "replay look.trace -j 1 --html page --junit results.xml",
        &[
            (Bytes(b""), ": is no whole PNG: it ends too early"),
            (Bytes(&small), ": is no "),
            (Bytes(&small[..20]), ": is no whole PNG"),
            (Bytes(&wrong), ": is no "),
            (Bytes(&colour), ": is no PNG that can be read"),
            (Bytes(&[0; 100]), ": is no PNG that can be read"),
            (Bytes(b"\xFF\xD8\xFF\xE0 a photo"), ": is no PNG that can be read"),
            (Bytes(&large), ": is 1073741824x1073741824 pixels; at most 1024x1024 are read"),
            (Huge(b""), ": is no PNG that can be read"),
            (Folder, ": cannot be read: Is a directory"),
        ],
    );
}

#[test]
fn a_broken_chain_of_frames_is_refused() {
    sampled!();
    let late = [CHAIN, b"4c6fb47efe452e97  9223372037s   1 pixels in 0,0,1,1\n"].concat();
    check(
        "watch/seen.frames",
        "replay watch.trace -j 1",
        &[
            (Bytes(b""), ":1: is no chain of frames"),
            (Bytes(CHAIN), ":3: the last line, `all …`, is missing"),
            (Bytes(cut(CHAIN, 30)), ":2: is no frame"),
            (Bytes(b"frames 1\n\0\0\0"), ":2: is no frame"),
            (Bytes(b"\xFF\xFE"), ": is no chain of frames"),
            (Bytes(&late), ":3: is no frame"),
            (Huge(CHAIN), ": is larger than 64 MiB"),
            (Folder, ": cannot be read: Is a directory"),
        ],
    );
}

#[test]
fn a_flash_of_another_size_is_refused() {
    for words in
        ["replay saved.trace -j 1", "flash ls saved.flash", "flash import saved.flash on.trace"]
    {
        check(
            "saved.flash",
            words,
            &[
                (
                    Bytes(&[0xFF; FLASH_SIZE as usize - 1]),
                    ": is no flash of this board, which has 262144 bytes",
                ),
                (Bytes(b""), ": is no flash of this board"),
                (Huge(b""), ": is no flash of this board"),
                (Folder, ": Is a directory"),
            ],
        );
    }
    check(
        "saved.game.txt",
        "flash import out.flash saved.game.txt",
        &[
            (Bytes(b""), ":1:1: "),
            (Bytes(b"\0\0"), ":1:1: this is no saved game"),
            (Huge(b"nudge saved game 1\n"), ":1:1: this is no saved game: it has 1048577 bytes"),
            (Folder, ": cannot be read: Is a directory"),
        ],
    );
}

#[test]
fn a_file_that_is_not_a_program_is_refused() {
    sampled!();
    for words in ["replay on.trace -j 1 --board pico=a.elf", "emulate a.elf"] {
        check(
            "a.elf",
            words,
            &[
                (Bytes(b""), ": "),
                (Bytes(ELF), ": this ELF file"),
                (Bytes(UF2), ": block 0 of this UF2 file is cut short"),
                (Huge(ELF), ""),
                (Missing, ""),
                (Folder, ""),
            ],
        );
    }
    let sandbox = Sandbox::new();
    sandbox.put_huge("a.elf", ELF);
    let said = "it is larger than any program, 64 MiB";
    assert!(sandbox.refusal("emulate a.elf").contains(said));
    assert!(sandbox.refusal("replay on.trace -j 1 --board pico=a.elf").contains(said));
    // A device, which has no length and no end, is not read.
    assert!(Path::new("/dev/zero").exists());
    assert!(sandbox.refusal("emulate /dev/zero").contains("it is no regular file"));
}
