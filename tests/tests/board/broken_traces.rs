//! Tests traces with deliberate errors: the first line of each is the expected message.
//!
//! `tests/broken/NAME.trace` begins with `# error: LINE:COLUMN: …`, the message without the file's
//! name. Each must end a replay with exit code 2, and nothing may be written.

use std::fs;
use std::path::{Path, PathBuf};

use firmware_board::native;
use reading::text::Reader;

use host::{Exit, heap::HEAP_METER};
use runner::{ReplayOptions, find, open_trace, run};

/// Folder of the broken traces. `cargo test` runs in `tests`; the messages name the files as in a
/// run at the root.
const FOLDER: &str = "../tests/broken";
/// Minimum number of broken traces.
const ENOUGH: usize = 20;

/// Replays `path`; returns the exit code and all output.
fn replayed(path: &Path, options: &ReplayOptions) -> (Exit, String) {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let paths = [path.to_owned()];
    let reader = Reader::new(native::fonts());
    let build = |trace: &trace::Trace| native::build_metered(trace, None, Some(HEAP_METER));
    let exit = run(&paths, options, &build, &reader, &mut out, &mut err).unwrap();
    let said = [out, err].map(|text| String::from_utf8(text).unwrap()).concat();
    (exit, said)
}

fn broken() -> Vec<PathBuf> {
    find(&[PathBuf::from(FOLDER)], None).unwrap().into_iter().map(|found| found.path).collect()
}

/// Returns the message in the first line of the trace.
#[track_caller]
fn announced(path: &Path) -> String {
    let bytes = fs::read(path).unwrap();
    let first = bytes.split(|&byte| byte == b'\n').next().unwrap_or_default();
    let first = std::str::from_utf8(first).expect("the first line is text");
    let error = first.strip_prefix("# error: ");
    error
        .unwrap_or_else(|| panic!("{}: the first line announces no error", path.display()))
        .to_owned()
}

/// Returns whether the error is in a golden, so that only a replay finds it.
fn is_about_a_golden(path: &Path) -> bool {
    path.with_extension("").is_dir()
}

#[test]
fn every_broken_trace_ends_with_code_2_and_its_message() {
    let broken = broken();
    assert!(broken.len() >= ENOUGH, "only {} broken traces", broken.len());
    for path in broken {
        let (exit, said) = replayed(&path, &ReplayOptions::default());
        assert_eq!(exit.code(), 2, "{said}");
        let said = said.replace("../tests/", "tests/");
        let name = path.file_name().unwrap().to_str().unwrap();
        let expected = format!("  tests/broken/{name}:{}", announced(&path));
        assert!(
            said.lines().any(|line| line == expected),
            "expected\n{expected}\nbut it said\n{said}"
        );
        assert!(said.contains("0 passed, 1 failed\n"), "{said}");
    }
}

#[test]
fn parser_and_header_report_errors_without_a_replay() {
    for path in broken().iter().filter(|path| !is_about_a_golden(path)) {
        let error = match open_trace(path) {
            Err(error) => error.to_string(),
            Ok(trace) => match native::build(&trace, None) {
                Err(error) => format!("{}:{error}", path.display()),
                Ok(_) => "nothing is wrong".to_owned(),
            },
        };
        assert_eq!(error, format!("{}:{}", path.display(), announced(path)));
    }
}

/// A trace that cannot be read must leave no file: neither in a replay, nor with `--bless` or
/// artifacts.
#[test]
fn nothing_is_written_for_a_broken_trace() {
    let desk = tempfile::tempdir().unwrap();
    let traces = desk.path().join("traces");
    fs::create_dir(&traces).unwrap();
    for path in broken().iter().filter(|path| !is_about_a_golden(path)) {
        fs::copy(path, traces.join(path.file_name().unwrap())).unwrap();
    }
    let before = contents(&traces);
    let artifacts = desk.path().join("artifacts");
    let options = ReplayOptions {
        bless: true,
        artifacts: Some(artifacts.clone()),
        ..ReplayOptions::default()
    };
    let (exit, said) = replayed(&traces, &options);
    assert_eq!(exit, Exit::Usage, "{said}");
    assert_eq!(contents(&traces), before);
    assert!(!artifacts.exists());
}

/// Returns the files of a folder with their bytes, sorted.
fn contents(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut files: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .map(|path| (path.clone(), fs::read(path).unwrap()))
        .collect();
    files.sort();
    files
}

#[test]
fn a_missing_file_ends_with_exit_code_2_and_its_name() {
    let desk = tempfile::tempdir().unwrap();
    let missing = desk.path().join("missing.trace");
    let (exit, said) = replayed(&missing, &ReplayOptions::default());
    assert_eq!(exit, Exit::Usage);
    assert!(said.starts_with(&format!("nudge: {}: ", missing.display())), "{said}");

    let (exit, said) = replayed(desk.path(), &ReplayOptions::default());
    assert_eq!(exit, Exit::Usage);
    let expected = "no traces in this folder or below; their names end in `.trace`";
    assert_eq!(said, format!("nudge: {}: {expected}\n", desk.path().display()));
}

#[test]
fn a_broken_trace_does_not_stop_the_others() {
    let desk = tempfile::tempdir().unwrap();
    fs::write(desk.path().join("a.trace"), "trace 1\n0ms power on\n+1s end\n").unwrap();
    fs::write(desk.path().join("b.trace"), "trace 1\n0ms power on\n+1s tpa B1\n").unwrap();
    fs::write(desk.path().join("c.trace"), "trace 1\n0ms power on\n+1s end\n").unwrap();
    let (exit, said) = replayed(desk.path(), &ReplayOptions::default());
    assert_eq!(exit, Exit::Usage);
    assert_eq!(said.matches("PASS ").count(), 2, "{said}");
    assert!(said.contains("2 passed, 1 failed\n"), "{said}");
}
