//! `nudge quiz`: the built-in program, and files of answers.

use std::fs;

use crate::command::nudge;

/// Runs `nudge quiz` with these arguments. Returns its exit code and both outputs.
fn quiz(arguments: &[&str]) -> (Option<i32>, String, String) {
    let run = nudge().arg("quiz").args(arguments).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (run.status.code(), text(run.stdout), text(run.stderr))
}

#[test]
fn the_answers_are_printed_and_compared() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("silicon.txt");
    let file = path.to_str().unwrap();

    let (code, printed, report) = quiz(&[]);
    assert_eq!(code, Some(0), "{report}");
    assert!(printed.starts_with("# nudge-quiz 1: answers of a chip\nreset RESETS.RESET = 0x"));
    let last = printed.lines().last().unwrap();
    assert!(last.starts_with("# end of ") && last.ends_with(" answers"), "{last}");
    assert!(report.starts_with("0 of "), "{report}");

    // A chip that gives two other answers, and lacks one.
    let other = printed
        .replace("cycles nop = 1\n", "cycles nop = 2\n")
        .replace("pio words in TXF = 4\n", "pio words in TXF = 0x5\n")
        .replace("cycles 2 nop = 2\n", "");
    fs::write(&path, other.replace('\n', "\r\n")).unwrap();
    let (code, again, report) = quiz(&["--against", file]);
    assert_eq!((code, again), (Some(1), printed));
    let lines: Vec<&str> = report.lines().collect();
    assert_eq!(
        lines[..3],
        [
            "cycles nop: here 1, there 2",
            "cycles 2 nop: here 2, there not asked",
            "pio words in TXF: here 4, there 0x00000005"
        ]
    );
    assert!(lines[3].starts_with("3 of ") && lines[3].ends_with(file), "{}", lines[3]);

    fs::write(&path, "cycles nop = 1\n\nhello\n").unwrap();
    let (code, printed, report) = quiz(&["--against", file]);
    assert_eq!((code, &*printed), (Some(2), ""));
    assert!(report.contains("silicon.txt: line 3: an answer is `question = number`"), "{report}");

    // A program that does not start.
    let program = folder.path().join("zeros.bin");
    fs::write(&program, [0; 4096]).unwrap();
    let (code, _, report) = quiz(&[program.to_str().unwrap()]);
    assert_eq!(code, Some(2));
    assert!(report.contains("zeros.bin: the program does not start: "), "{report}");
}

#[cfg(feature = "on-target")]
#[test]
fn the_quiz_from_source_gives_the_recorded_answers() {
    let file =
        std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).with_file_name("on-target/quiz.elf");
    let (code, _, report) = quiz(&[file.to_str().unwrap()]);
    assert_eq!(code, Some(0), "{}: {report}", file.display());
}
