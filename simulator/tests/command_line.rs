//! Tests `nudge` on the command line: exit codes, standard output and error, files.

mod command;

use std::fs;
use std::path::Path;
use std::process::{Output, Stdio};

use tempfile::TempDir;

const POWER_ON: &str =
    "trace 1\nseed 7\n\n0ms power on\n500ms tap B3\n+1s settle within 9s\n+0ms end\n";

/// Creates a folder with the trace `on.trace`, which only turns the board on and presses a button.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("on.trace"), POWER_ON).unwrap();
    folder
}

fn nudge(folder: &Path, arguments: &str) -> Output {
    command::nudge()
        .args(arguments.split_whitespace())
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()
        .unwrap()
}

/// Runs `nudge`, checks its exit code, and returns its standard output and standard error.
#[track_caller]
fn check(folder: &Path, arguments: &str, code: i32) -> (String, String) {
    let output = nudge(folder, arguments);
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    let (out, err) = (text(output.stdout), text(output.stderr));
    assert_eq!(output.status.code(), Some(code), "nudge {arguments}\n{out}\n{err}");
    (out, err)
}

/// Checks that `nudge` fails with one message that contains `said`.
#[track_caller]
fn refuses(folder: &Path, arguments: &str, said: &str) {
    let (out, err) = check(folder, arguments, 2);
    assert!(err.contains(said), "nudge {arguments}: no {said:?} in:\n{err}");
    assert_eq!(out, "", "nudge {arguments}");
}

#[test]
fn help_and_version_go_to_standard_output() {
    let folder = folder();
    let (out, err) = check(folder.path(), "--help", 0);
    assert!(out.contains("nudge replay tests/traces") && err.is_empty(), "{out}");
    let (out, _) = check(folder.path(), "--version", 0);
    let start = format!("nudge {} (firmware source ", env!("CARGO_PKG_VERSION"));
    let hash = out.strip_prefix(&start).and_then(|rest| rest.strip_suffix(")\n")).unwrap();
    assert!(hash.len() == 16 && hash.bytes().all(|digit| digit.is_ascii_hexdigit()), "{out}");
}

/// A full disk is an error; a reader that closes the pipe early, as in `nudge --help | head`, is
/// not.
#[cfg(target_os = "linux")]
#[test]
fn help_that_cannot_be_written_is_a_failure() {
    for arguments in ["--help", "--version", "replay --help", "trace fmt --help"] {
        let code = |stdout: Stdio, code: i32| {
            let mut command = command::nudge();
            let output = command.args(arguments.split(' ')).stdout(stdout).output().unwrap();
            assert_eq!(output.status.code(), Some(code), "{arguments}");
            String::from_utf8(output.stderr).unwrap()
        };
        let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let err = code(full.into(), 2);
        assert!(err.starts_with("nudge: the output cannot be written: No space left"), "{err}");
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        assert_eq!(code(writer.into(), 0), "");
    }
}

#[test]
fn wrong_usage_is_refused_with_code_2() {
    let folder = folder();
    refuses(folder.path(), "", "Usage: nudge");
    refuses(folder.path(), "reply on.trace", "'replay'");
    refuses(folder.path(), "replay", "<PATH>");
    refuses(
        folder.path(),
        "replay on.trace --board arduino",
        "native, pico, pico=FILE, NAME.board.toml, probe and probe:PORT",
    );
    refuses(folder.path(), "replay on.trace --until 5", "lacks its unit");
    refuses(folder.path(), "replay on.trace --jobs 0", "--jobs");
    refuses(folder.path(), "replay on.trace --repeat 0", "give one from 1 to 1000");
    refuses(folder.path(), "replay on.trace --repeat 1001", "give one from 1 to 1000");
    refuses(folder.path(), "replay on.trace --repeat 2 --bless", "--bless");
    refuses(folder.path(), "replay on.trace --shard 0/3", "the parts are 1/3 to 3/3");
    refuses(folder.path(), "replay on.trace --shard 4/3", "the parts are 1/3 to 3/3");
    refuses(folder.path(), "replay on.trace --shard half", "write the first of three as 1/3");
    refuses(folder.path(), "replay on.trace --color green", "--color");
    refuses(folder.path(), "replay on.trace --pictures ascii", "there are kitty, iterm, sixel");
    refuses(folder.path(), "run --speed 0", "from 0.01 to 100");
    refuses(folder.path(), "screenshot on.trace", "--output");
    refuses(folder.path(), "screenshot on.trace --output a.png --scale 9", "give one from 1 to 8");
    refuses(folder.path(), "trace squash on.trace", "unrecognized subcommand");
}

#[test]
fn a_session_on_two_emulated_chips_is_refused() {
    let folder = folder();
    let said = "nudge: the board `probe:emulated` is two emulated chips, slower than real time: it \
                replays traces; play on `--board pico`\n";
    refuses(folder.path(), "run --board probe:emulated", said);
}

#[test]
fn a_file_that_is_not_a_pico_program_is_refused_with_the_reason() {
    let folder = folder();
    fs::write(folder.path().join("empty.elf"), []).unwrap();
    // A 64-bit ELF file, like this computer's own programs.
    fs::write(folder.path().join("other.elf"), b"\x7FELF\x02\x01\x01").unwrap();
    for (file, said) in [
        ("none.elf", "none.elf cannot be read"),
        ("empty.elf", "empty.elf: the file is empty; name an ELF or a UF2 file, or FILE.bin"),
        ("other.elf", "other.elf: this ELF file"),
    ] {
        for verb in ["replay on.trace", "screenshot on.trace --output a.png", "run"] {
            refuses(folder.path(), &format!("{verb} --board pico={file}"), said);
        }
    }
    refuses(folder.path(), "replay on.trace --board pico=", "wants the program to run");
}

#[test]
fn emulate_and_board_pico_refuse_the_same_files_alike() {
    let folder = folder();
    let put = |name: &str, bytes: &[u8]| fs::write(folder.path().join(name), bytes).unwrap();
    put("junk.img", &[0; 1024]);
    put("text.elf", b"hello");
    put("empty.bin", b"");
    put("cut.bin", b"\x7FELF");
    put("cut.uf2", &[0x55, 0x46, 0x32, 0x0A, 0x57, 0x51, 0x5D, 0x9E]);
    fs::create_dir(folder.path().join("folder")).unwrap();
    for file in ["junk.img", "text.elf", "empty.bin", "cut.bin", "cut.uf2", "folder", "none.elf"] {
        let (_, emulated) = check(folder.path(), &format!("emulate {file}"), 2);
        assert!(emulated.starts_with(&format!("nudge: {file}")), "{emulated}");
        refuses(folder.path(), &format!("replay on.trace --board pico={file}"), &emulated);
    }
    // Both load a raw image; the emulated chip checks whether it boots.
    put("zeros.bin", &[0; 1024]);
    let said = "no second-stage boot loader";
    let (_, emulated) = check(folder.path(), "emulate zeros.bin", 2);
    let (replayed, _) = check(folder.path(), "replay on.trace --board pico=zeros.bin", 1);
    assert!(emulated.contains(said) && replayed.contains(said), "{emulated}{replayed}");
}

#[test]
fn a_program_that_the_chip_would_not_boot_fails_the_replay() {
    let folder = folder();
    fs::write(folder.path().join("zeros.bin"), [0; 1024]).unwrap();
    let (out, _) = check(folder.path(), "replay on.trace --board pico=zeros.bin", 1);
    assert!(out.contains("no second-stage boot loader"), "{out}");
}

#[test]
fn a_replay_prints_one_line_per_trace_and_a_summary() {
    let folder = folder();
    let (out, err) = check(folder.path(), "replay on.trace", 0);
    assert!(out.starts_with("PASS on.trace  1."), "{out}");
    assert!(out.ends_with("\n1 passed, 0 failed\n") && err.is_empty(), "{out}{err}");
}

#[test]
fn a_failed_expectation_is_code_1_and_a_broken_trace_code_2() {
    let folder = folder();
    let never = POWER_ON.replace("+0ms end", "+0ms expect text \"Never shown\"");
    fs::write(folder.path().join("never.trace"), never).unwrap();
    let (out, _) = check(folder.path(), "replay never.trace", 1);
    assert!(out.contains("never.trace:7:6: at "), "{out}");
    assert!(out.contains("expected text \"Never shown\" on the LCD"), "{out}");
    assert!(out.contains("nudge replay never.trace --until 1."), "{out}");

    fs::write(folder.path().join("broken.trace"), "trace 1\n0ms power on\n1s tap B7\n").unwrap();
    let (out, err) = check(folder.path(), "replay .", 2);
    assert!(err.contains("broken.trace:3:8: "), "{err}");
    assert!(out.ends_with("1 passed, 2 failed\n"), "{out}");
    refuses(folder.path(), "replay missing.trace", "no such file or folder");
}

#[test]
fn the_flash_after_a_replay_is_an_artifact_and_can_be_expected() {
    let folder = folder();
    let quiet = POWER_ON.replace("trace 1\n", "trace 1\nsound off\n");
    let expect = |text: &str| format!("+0ms expect flash {text:?}\n+0ms end");
    fs::write(folder.path().join("kept.trace"), quiet.replace("+0ms end", &expect("sound   off")))
        .unwrap();
    check(folder.path(), "replay kept.trace --artifacts out", 0);
    let (listed, _) = check(folder.path(), "flash ls out/kept/flash.bin", 0);
    assert!(listed.contains(", sound off, "), "{listed}");

    // The failure shows the lines of `nudge flash ls`, and the line that was probably meant.
    fs::write(folder.path().join("kept.trace"), quiet.replace("+0ms end", &expect("sound on")))
        .unwrap();
    let (out, _) = check(folder.path(), "replay kept.trace --artifacts out", 1);
    let said = "expected a line with \"sound on\" in the flash; nearest: \"sound of\" (differs in one letter)";
    assert!(out.contains(said), "{out}");
    for line in listed.lines().filter(|line| !line.is_empty()) {
        let line = line.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(out.contains(&format!("{line:?}")), "{line}\n{out}");
    }
}

#[test]
fn blessed_goldens_pass_and_nothing_else_writes_one() {
    let folder = folder();
    let look = POWER_ON.replace("+0ms end", "+0ms expect frame settled");
    fs::write(folder.path().join("look.trace"), look).unwrap();
    check(folder.path(), "replay look.trace --artifacts out", 1);
    assert!(!folder.path().join("look").exists());
    assert!(folder.path().join("out/look/settled.actual.png").exists());
    assert!(folder.path().join("out/look/console.txt").exists());
    // B3 ends in the player's own store: the first of the two notes of a free turn.
    let tones = fs::read_to_string(folder.path().join("out/look/tones.txt")).unwrap();
    assert!(tones.lines().any(|line| line.ends_with(" 880Hz for 70ms")), "{tones}");
    let (out, _) = check(folder.path(), "replay look.trace --bless", 0);
    assert!(out.contains("blessed ") && out.contains("settled.png (new, 320x240)"), "{out}");
    check(folder.path(), "replay look.trace", 0);
}

#[test]
fn a_screenshot_is_a_picture_of_the_lcd() {
    let folder = folder();
    for (options, size) in [("", (320, 240)), ("--at 20s --scale 2 --force", (640, 480))] {
        let arguments = format!("screenshot on.trace --output a.png {options}");
        let (out, _) = check(folder.path(), &arguments, 0);
        assert_eq!(out, "wrote a.png\n");
        let picture = reading::golden::read_png(folder.path().join("a.png")).unwrap();
        assert_eq!((picture.width(), picture.height()), size);
    }
}

#[test]
fn a_screenshot_overwrites_no_trace_and_judges_no_expectation() {
    let folder = folder();
    let never = POWER_ON.replace("+0ms end", "+0ms expect text \"Never shown\"");
    fs::write(folder.path().join("never.trace"), &never).unwrap();
    check(folder.path(), "screenshot never.trace --output a.png", 0);
    refuses(folder.path(), "screenshot never.trace --output ./never.trace", "must be named *.png");
    assert_eq!(fs::read_to_string(folder.path().join("never.trace")).unwrap(), never);
    refuses(folder.path(), "screenshot on.trace --output b.png --at 1000s", "behind that");
    refuses(
        folder.path(),
        "screenshot on.trace --output on.trace/b.png",
        "b.png: cannot be written",
    );
    refuses(folder.path(), "screenshot missing.trace --output b.png", "missing.trace: ");
    assert!(!folder.path().join("b.png").exists());
}

#[test]
fn traces_are_checked_with_place_and_code() {
    let folder = folder();
    let (out, _) = check(folder.path(), "trace check on.trace", 0);
    assert_eq!(out.lines().next(), Some("on.trace: well-formed"));
    fs::write(folder.path().join("b.trace"), "trace 1\n0ms power on\n-1s end\n").unwrap();
    let (out, err) = check(folder.path(), "trace check .", 2);
    assert!(out.contains("on.trace: well-formed") && err.contains("b.trace:3:"), "{out}{err}");
}

#[test]
fn info_prints_duration_and_contents_of_a_trace() {
    let folder = folder();
    let (out, _) = check(folder.path(), "trace info on.trace", 0);
    assert_eq!(
        out,
        "on.trace\n  settings  seed 7\n  duration  1.5 s to 10.5 s, depending on its waits\n  \
         events    1 tap, 1 wait, 1 power-on\n"
    );
}

#[cfg(not(feature = "window"))]
#[test]
fn run_without_a_window_names_the_next_step() {
    let folder = folder();
    refuses(folder.path(), "run", "-p simulator -- run");
}

#[cfg(unix)]
#[test]
fn a_closed_standard_output_is_not_a_failure() {
    let folder = folder();
    for index in 0..50 {
        fs::write(folder.path().join(format!("{index}.trace")), POWER_ON).unwrap();
    }
    let mut child = command::nudge()
        .args(["trace", "info", "."])
        .current_dir(folder.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}
