//! Tests `nudge report merge`, which joins the reports of the parts of a suite.

use std::fs;
use std::path::Path;

use quick_junit::Report;
use tempfile::TempDir;

use crate::command::check;

/// Creates five traces, of which the second and the fourth fail.
fn suite() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("t")).unwrap();
    for (number, text) in ["", "no such text", "", "nor this", ""].into_iter().enumerate() {
        let expectation = match text {
            "" => String::new(),
            text => format!("+0ms expect text \"{text}\"\n"),
        };
        let trace =
            format!("trace 1\n0ms power on\n+100ms expect backlight off\n{expectation}+0ms end\n");
        fs::write(folder.path().join(format!("t/{number}.trace")), trace).unwrap();
    }
    folder
}

/// Replays the part `part`, like `1/2`, with its own JUnit file and page.
fn replay(folder: &Path, part: &str, code: i32) {
    let number = part.split_once('/').unwrap().0;
    check(
        folder,
        &format!("replay t --shard {part} --junit {number}.xml --html {number}"),
        code,
        &[],
    );
}

fn junit(path: &Path) -> Report {
    Report::deserialize_from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

fn files(report: &Report) -> Vec<(String, bool)> {
    let cases = report.test_suites.iter().flat_map(|suite| &suite.test_cases);
    let failed = |case: &quick_junit::TestCase| {
        !matches!(case.status, quick_junit::TestCaseStatus::Success { .. })
    };
    cases.map(|case| (case.extra["file"].to_string(), failed(case))).collect()
}

#[test]
fn the_parts_of_a_suite_are_joined_to_one_report() {
    let suite = suite();
    let folder = suite.path();
    replay(folder, "1/2", 0);
    replay(folder, "2/2", 1);
    check(folder, "replay t --junit whole.xml --html whole", 1, &[]);
    let [out, _] =
        check(folder, "report merge 1.xml 2.xml 1 2/index.html --junit all.xml --html all", 1, &[]);
    assert_eq!(out.matches("3 passed, 2 failed").count(), 2, "{out}");

    let (all, whole) = (junit(&folder.join("all.xml")), junit(&folder.join("whole.xml")));
    assert_eq!(files(&all), files(&whole));
    assert_eq!((all.tests, all.failures, all.errors), (5, 2, 0));
    let properties = |report: &Report| {
        let properties = &report.test_suites[0].properties;
        properties
            .iter()
            .map(|it| (it.name.to_string(), it.value.to_string()))
            .collect::<std::collections::BTreeMap<_, _>>()
    };
    assert_eq!(
        properties(&all),
        properties(&whole),
        "no part any more, and all of the board's time"
    );

    let page = fs::read_to_string(folder.join("all/index.html")).unwrap();
    for (what, count) in [
        ("<li class=\"row fail\" id=f1>", 1),
        ("<li class=\"row fail\" id=f2>", 1),
        ("<li class=\"row pass\">", 3),
        ("<ol id=rows>", 1),
        ("</html>", 1),
    ] {
        assert_eq!(page.matches(what).count(), count, "{what}");
    }
    let failed = page.rfind("row fail").unwrap();
    assert!(failed < page.find("row pass").unwrap(), "failed traces come first");
    // If the command has the machine for a page, each failure has its own player.
    let whole = fs::read_to_string(folder.join("whole/index.html")).unwrap();
    for player in ["data-nudge-player=0", "data-nudge-player=1", "id=\"nudge-data\""] {
        assert_eq!(page.matches(player).count(), whole.matches(player).count(), "{player}");
    }
    // A joined page is a report like any other: it can be replaced, and joined again.
    check(folder, "report merge all --html again", 1, &[]);
    assert_eq!(fs::read_to_string(folder.join("again/index.html")).unwrap(), page);
}

#[test]
fn a_missing_or_repeated_part_is_an_error() {
    sampled!();
    let suite = suite();
    let folder = suite.path();
    replay(folder, "1/3", 1);
    replay(folder, "2/3", 1);
    replay(folder, "3/3", 0);
    let refused = |arguments: &str, because: &str| {
        let [_, err] = check(folder, &format!("report merge {arguments} --junit all.xml"), 2, &[]);
        assert!(err.contains(because), "{err}");
        assert!(!folder.join("all.xml").exists(), "nothing is written");
    };
    refused("1.xml 3.xml", "part 2/3 has no report");
    refused("1.xml 2.xml 2.xml 3.xml", "2.xml: has part 2/3, as another of the reports has");
    check(folder, "replay t --filter 4 --junit other.xml", 0, &[]);
    refused("1.xml 2.xml 3.xml other.xml", "1.xml: is part 1/3, and other.xml is no part");
    refused("1.xml 2.xml 3.xml 1", "1/index.html: is a page; name with --html");
    refused("t/0.trace", "t/0.trace: is no report of nudge replay");
    let torn = fs::read(folder.join("2.xml")).unwrap();
    fs::write(folder.join("torn.xml"), &torn[..torn.len() / 2]).unwrap();
    refused("1.xml torn.xml 3.xml", "torn.xml: is no whole JUnit file");
    let page = fs::read_to_string(folder.join("2/index.html")).unwrap();
    fs::write(folder.join("older.html"), page.replace("made_by", "made by")).unwrap();
    let [_, err] = check(folder, "report merge 1 older.html 3 --html all", 2, &[]);
    assert!(err.contains("older.html: was written by another version of nudge"), "{err}");
    let [_, err] = check(folder, "report merge 1 3 --html all", 2, &[]);
    assert!(err.contains("part 2/3 has no report"), "{err}");
    check(folder, "report merge 1.xml 2.xml 3.xml --junit 2.xml", 2, &[]);
    assert_eq!(fs::read(folder.join("2.xml")).unwrap(), torn, "no report is overwritten");
}

#[test]
fn parts_are_balanced_by_the_times_of_an_earlier_run() {
    let suite = suite();
    let folder = suite.path();
    check(folder, "replay t --junit whole.xml", 1, &[]);
    // Makes the first trace take as long as all the others together.
    let mut report = junit(&folder.join("whole.xml"));
    for case in report.test_suites.iter_mut().flat_map(|suite| &mut suite.test_cases) {
        let first = case.extra["file"].to_string().contains('0');
        case.set_time(core::time::Duration::from_secs(if first { 40 } else { 10 }));
    }
    fs::write(folder.join("times.xml"), report.to_string().unwrap()).unwrap();
    let list = |part| {
        check(folder, &format!("replay t --list --shard {part} --durations times.xml"), 0, &[])[0]
            .clone()
    };
    assert_eq!(list("1/2"), "t/0.trace\n");
    assert_eq!(list("2/2"), "t/1.trace\nt/2.trace\nt/3.trace\nt/4.trace\n");
    let [_, err] = check(folder, "replay t --shard 1/2 --durations t/0.trace", 2, &[]);
    assert!(err.contains("t/0.trace: is no whole JUnit file"), "{err}");
}
