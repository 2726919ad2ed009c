//! Tests `nudge replay --cache`: a second run replays only the traces that have changed.

use std::fs;
use std::path::Path;

use crate::command::check;

/// Number of traces; enough that at least one result comes from the cache, because one in 32
/// results is replayed at random to check it.
const TRACES: usize = 6;

const TRACE: &str = "trace 1\nseed 7\n\n0ms power on\n1s expect text \"Player\"\n";

/// Replays the folder `traces`. Returns how many results came from the cache or were replayed to
/// check them, whether one was reported as cached, and standard output and error.
#[track_caller]
fn replay(folder: &Path) -> (usize, bool, [String; 2]) {
    let [out, err] = check(folder, "replay traces --cache kept", 0, &[]);
    let last = out.lines().rfind(|line| line.contains(" passed, ")).unwrap().to_owned();
    assert!(last.starts_with(&format!("{TRACES} passed, 0 failed")), "{out}");
    let numbers = last.split("; ").nth(1).unwrap_or_default();
    let known =
        numbers.split(", ").filter_map(|part| part.split(' ').next()?.parse::<usize>().ok());
    let cached = out.lines().any(|line| line.starts_with("PASS ") && line.contains("  cached, "));
    (known.sum(), cached, [out, err])
}

#[test]
fn unchanged_traces_that_passed_are_not_replayed_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    fs::create_dir(path.join("traces")).unwrap();
    let trace = |number: usize| path.join(format!("traces/{number}.trace"));
    for number in 0..TRACES {
        // A trace with another seed is another trace.
        fs::write(trace(number), TRACE.replace("seed 7", &format!("seed {number}"))).unwrap();
    }
    let (known, cached, _) = replay(path);
    assert_eq!((known, cached), (0, false), "nothing is known yet");
    let (known, cached, _) = replay(path);
    assert_eq!((known, cached), (TRACES, true));

    // A comment is a change.
    let changed = fs::read_to_string(trace(3)).unwrap() + "# seen\n";
    fs::write(trace(3), changed).unwrap();
    let (known, _, [out, _]) = replay(path);
    assert_eq!(known, TRACES - 1);
    let line = out.lines().find(|line| line.contains("3.trace")).unwrap();
    assert!(!line.contains("cached"), "{line}");

    // The cache entry of each trace is cut in half.
    for entry in fs::read_dir(path.join("kept")).unwrap() {
        let entry = entry.unwrap().path();
        let bytes = fs::read(&entry).unwrap();
        fs::write(&entry, &bytes[..bytes.len() / 2]).unwrap();
    }
    let (known, cached, [out, err]) = replay(path);
    assert_eq!((known, cached), (0, false));
    let said = "this entry of the result cache is cut off or damaged; the trace was replayed";
    assert!(out.contains(said) || err.contains(said), "{out}\n{err}");
    let (known, ..) = replay(path);
    assert_eq!(known, TRACES, "they are kept anew");
}
