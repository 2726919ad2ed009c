//! Tests `nudge report history`: what changed over the runs of a suite, by their JUnit files. The
//! board is the real firmware's.

use std::fs;

use crate::command::check;

#[test]
fn a_history_has_new_and_fixed_failures_and_what_differed() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let trace = |name: &str, text: &str| {
        let lines = format!(
            "trace 1\nseed 7\n\n0ms power on\n+1s settle within 5s\n+0ms expect text \"{text}\"\n"
        );
        fs::write(folder.join(name), lines).unwrap();
    };
    trace("a.trace", "Player");
    trace("b.trace", "NO SUCH");
    trace("c.trace", "Player");
    fs::create_dir(folder.join("runs")).unwrap();
    check(folder, "replay . --junit runs/1.xml", 1, &[]);
    let [_, err] = check(folder, "report history runs", 2, &[]);
    assert!(err.contains("has 1 JUnit file; a history needs at least two JUnit files"), "{err}");
    trace("a.trace", "SUCH NO");
    trace("b.trace", "Player");
    check(folder, "replay . --junit runs/2.xml", 1, &[]);
    let [out, _] = check(folder, "report history runs", 1, &[]);
    assert!(out.contains("; in the last one 1 failed of 3 traces\n"), "{out}");
    assert!(out.contains("new: 1 trace\n  ./a.trace: expected text \"SUCH NO\""), "{out}");
    assert!(out.contains("; the trace's files or options differ\n"), "{out}");
    assert!(
        out.contains("fixed: 1 trace\n  ./b.trace; the trace's files or options differ\n"),
        "{out}"
    );
    assert!(out.contains("slowest: 3 traces\n"), "{out}");
    assert!(!out.contains("flaky"), "{out}");
    trace("a.trace", "Player");
    check(folder, "replay . --junit runs/3.xml", 0, &[]);
    let [out, _] = check(folder, "report history runs", 0, &[]);
    assert!(out.contains("changed more than once: 1 trace\n  ./a.trace: failed in "), "{out}");
}
