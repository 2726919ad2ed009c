//! Files whose names and texts contain commands for the terminal, GitHub's log, a browser or a
//! reader of XML: every verb escapes them, so that none is executed.

use std::ffi::OsStr;
use std::fs;
use std::path::Path;
use std::process::Stdio;

use proptest::prelude::*;
use quick_junit::Report;
use tempfile::TempDir;

use crate::part::Part;

const PIECES: [&str; 22] = [
    "::error::x",
    "::stop-commands::x",
    "##[stop-commands]x",
    "##[",
    ":",
    "#",
    "\n",
    "\r",
    "\t",
    " ",
    "\u{A0}",
    "\x1b[31m",
    "\x1b]0;x\x07",
    "\u{9b}2J",
    "\u{202E}",
    "\u{2028}",
    "\u{FFFE}",
    "<script>",
    "&amp;",
    "]]>",
    "\"'",
    "ü😀",
];

/// Runs `nudge` in an environment like GitHub's or another; returns its exit code and its output.
fn nudge(folder: &Path, arguments: &[&OsStr], on_github: bool) -> (i32, String, String) {
    let mut command = crate::command::nudge();
    command.args(arguments).current_dir(folder).stdin(Stdio::null());
    command.env("GITHUB_ACTIONS", if on_github { "true" } else { "" });
    let output = command.output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

fn is_obeyed(letter: char) -> bool {
    let turns = matches!(letter, '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}' | '\u{2028}');
    letter.is_control() && letter != '\t' || turns
}

/// Checks that the output contains no command, and counts the annotations in it.
#[track_caller]
fn check(out: &str, on_github: bool) -> usize {
    let mut annotations = 0;
    for line in out.split('\n') {
        assert!(!line.contains(is_obeyed), "{line:?}");
        if on_github {
            assert!(!line.contains("##["), "{line:?}");
            // The log's groups are the reporter's own; their titles are one line.
            let is_group = line.starts_with("::group::details of ") || line == "::endgroup::";
            let is_command = line.trim_start().starts_with("::") && !is_group;
            assert!(!is_command || line.starts_with("::error file="), "{line:?}");
            annotations += usize::from(is_command);
        }
    }
    annotations
}

/// Returns `text` as one line of a report.
fn plain(text: &str) -> String {
    text.replace(|letter: char| is_obeyed(letter) || letter == '\t', "\u{FFFD}")
}

/// Creates a folder with a trace of this name that fails, with `text` in a comment and in an
/// expectation.
fn folder(name: &str, text: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let quoted = text.replace(['"', '\\'], "");
    let lines = format!(
        "trace 1\n0ms power on\n+0ms settle within 9s\n+0ms expect text \"never {quoted}\" # {text}\n"
    );
    fs::write(folder.path().join(name), lines).unwrap();
    folder
}

#[test]
fn no_verb_writes_commands_for_a_terminal_or_githubs_log() {
    sampled!();
    let name = "a\n::error::owned ##[group]\x1b[31m\u{202E}.trace";
    let text = "##[stop-commands]x ::error::x <b>";
    let folder = folder(name, text);
    let damaged = "b\n ::warning::x.trace";
    fs::write(folder.path().join(damaged), "trace 1\n::error::x ##[error]y\n").unwrap();
    let image = "c\n::error::x.bin";
    fs::write(folder.path().join(image), [0; 9]).unwrap();
    let drive = "none\n::error::x";
    fs::write(
        folder.path().join("k\n::error::x.csv"),
        "Time [s],\u{202E}\n::error::x\n0,\x1b[31m\n",
    )
    .unwrap();
    fs::write(folder.path().join("l\n::error::x.vcd"), "$var wire 1 ! \x1b[31m $end\n::error::x\n")
        .unwrap();
    fs::write(folder.path().join("m\n::error::x.keys"), "T1 = \x1b[31m\u{202E}\n::error::x\n")
        .unwrap();
    fs::write(folder.path().join("n\n::error::x.xml"), "<testsuite>\n::error::x ##[group]\x1b[31m")
        .unwrap();
    fs::create_dir(folder.path().join("o\n::error::x")).unwrap();
    fs::write(folder.path().join("o\n::error::x/index.html"), "::error::x ##[group]").unwrap();
    let project = folder.path().join("w\n::error::x");
    fs::create_dir(&project).unwrap();
    fs::write(project.join("wokwi.toml"), "[wokwi]\nelf = '::error::x\u{202E}'\n").unwrap();
    let part = Part::of_this_run();
    let commands = [
        &["replay", "."][..],
        &["replay", name],
        &["replay", "none\n::error::x"],
        &["replay", ".", "--list"],
        &["replay", name, "--gif", "d\n::error::x.gif", "--force"],
        &["review", "."],
        &["review", name, "--list"],
        &["review", damaged, "--accept", "all"],
        &["review", name, "--accept", "x\n::error::x"],
        &["trace", "check", "."],
        &["trace", "info", "."],
        &["trace", "info", "none\n::error::x"],
        &["trace", "why", name, "--pixel", "1,1"],
        &["trace", "why", damaged, "--pixel", "1,1"],
        &["trace", "convert", name, "e\n::error::x.vcd", "--force"],
        &["trace", "tidy", damaged, "--output", "f.trace"],
        &["trace", "shrink", damaged],
        &["screenshot", name, "--output", "g\n::error::x.png", "--force"],
        &["screenshot", damaged, "--output", "g.png"],
        &["flash", "ls", image],
        &["flash", "export", image],
        &["flash", "import", "new.bin", damaged],
        &["emulate", image],
        &["replay", name, "--board", "pico=c\n::error::x.bin"],
        &["replay", name, "--board", "x\n::error::x"],
        &["replay", name, "--board", "c\n::error::x.board.toml"],
        &["\n::error::x ##[group]\x1b[31m"],
        &["\u{202E}"],
        &["replay", name, "--boards", "native,pico=c\n::error::x.bin"],
        &["replay", name, "--boards", "native,x\n::error::x"],
        &[
            "replay",
            name,
            "--against",
            "native",
            "--markdown",
            "p\n::error::x.md",
            "--html",
            "q\n::error::x",
        ],
        &["replay", name, "--against", "native", "--html", "o\n::error::x"],
        &["replay", name, "--against", "native=none\n::error::x"],
        &["replay", name, "--against", "native=c\n::error::x.bin"],
        &["replay", name, "--against", "git=none\n::error::x"],
        &["replay", "--wokwi", "none\n::error::x"],
        &["replay", "--wokwi", "w\n::error::x"],
        &["replay", "--wokwi", "w\n::error::x", "--scenario", "x\n::error::x"],
        &["replay", ".", "--shard", "1/2", "--durations", "n\n::error::x.xml"],
        &["replay", name, "--artifacts", "r\n::error::x", "--contact-sheet", "s\n::error::x.png"],
        &["replay", name, "--perfetto", "t\n::error::x.json", "--force"],
        &["trace", "check", ".", "--junit", "u\n::error::x.xml"],
        &["trace", "fmt", name, "--check"],
        &["trace", "fmt", damaged, "--check"],
        &["trace", "timing", name, "--board", "native"],
        &["trace", "timing", damaged, "--board", "native"],
        &["trace", "observe", name],
        &["trace", "observe", damaged],
        &["trace", "rank", name, "--board", "pico=c\n::error::x.bin"],
        &["trace", "rank", damaged, "--board", "pico=c\n::error::x.bin"],
        &["trace", "convert", "k\n::error::x.csv", "v.trace", "--force"],
        &["trace", "convert", "l\n::error::x.vcd", "v.trace", "--force"],
        &["trace", "compare", "l\n::error::x.vcd", "k\n::error::x.csv"],
        &["trace", "compare", "none\n::error::x.vcd", "l\n::error::x.vcd"],
        &["trace", "tidy", name, "--output", "w\n::error::x.trace", "--force"],
        &["trace", "shrink", name, "--output", "w\n::error::x.trace", "--force"],
        &["trace", "fuzz", damaged],
        &["trace", "fuzz", name, "--out", "x\n::error::x"],
        &["export", "y\n::error::x.html", "--trace", name, "--force"],
        &["export", "y\n::error::x.html", "--trace", damaged, "--force"],
        &["open", "none\n::error::x"],
        &["bisect", name, "--good", "none\n::error::x"],
        &["bisect", damaged, "--good", "none\n::error::x"],
        &["report", "merge", "n\n::error::x.xml"],
        &["report", "merge", "o\n::error::x", "--html", "z\n::error::x"],
        &["report", "merge", "none\n::error::x"],
        &["report", "history", "none\n::error::x"],
        &["report", "history", "."],
        &["flash", "delete", image, "x\n::error::x"],
        &["flash", "export", image, "--name", "x\n::error::x", "--out", "none\n::error::x"],
        &["flash", "import", "new.bin", "k\n::error::x.csv", "--name", "x\n::error::x"],
        &["probes", "/none\n::error::x"],
        &["probe", "doctor", "/none\n::error::x"],
        &["probe", "emulate", "--slower", "x\n::error::x"],
        &["probe", "flash", image, "--drive", drive],
        &["probe", "flash", "none\n::error::x.uf2", "--drive", drive],
        &["probe", "flash-board", image],
        &["board", "check", damaged],
        &["board", "check", "none\n::error::x.toml", "--json"],
        &["board", "show", damaged],
        &["board", "schema", "x\n::error::x"],
        &["board", "import", damaged],
        &["board", "import", "none\n::error::x.json"],
        &["panel", "check", damaged],
        &["panel", "check", "none\n::error::x.toml"],
        &["panel", "list", "x\n::error::x"],
        &["panel", "show", "x\n::error::x"],
        &[
            "font",
            "learn",
            "a\n::error::x.trace",
            "X",
            "--in",
            "1\n::error::x",
            "--output",
            "b.bdf",
        ],
        &[
            "font",
            "learn",
            "a\n::error::x.trace",
            "X",
            "--in",
            "1,2,3,4",
            "--output",
            "x\n::error::x.bdf",
        ],
        &["adopt", image],
        &["adopt", "none\n::error::x.uf2"],
        &["quiz", image],
        &["quiz", "none\n::error::x.uf2"],
        &["quiz", "--against", damaged],
        &["quiz", "--against", "none\n::error::x.txt"],
        &["run", "--keymap", "m\n::error::x.keys"],
        &["run", "--board", "pico=c\n::error::x.bin", "--flash", "A\n::error::x.bin"],
        &["serve", "--socket", "none\n::error::x/y\n::error::x"],
        &["mcp", "--folder", "none\n::error::x"],
        &["lsp", "none\n::error::x"],
        &["emulate", "--cargo", image, "\n::error::x"],
        &["emulate", image, "--pins", "l\n::error::x.vcd", "--adc", "0=k\n::error::x.csv"],
    ];
    for (number, arguments) in commands.into_iter().enumerate() {
        let arguments: Vec<&OsStr> = arguments.iter().map(OsStr::new).collect();
        // A part runs each command in one of the environments, a whole run in both.
        let turn = part.seed(number as u64).is_multiple_of(2);
        for on_github in [true, false] {
            if !part.is_whole() && on_github != turn {
                continue;
            }
            let (code, out, err) = nudge(folder.path(), &arguments, on_github);
            assert!(![101, 134].contains(&code), "{arguments:?}\n{err}");
            assert!(!out.is_empty() || !err.is_empty(), "{arguments:?}");
            check(&out, on_github);
            check(&err, on_github);
        }
    }
}

#[test]
fn every_verb_is_tested_with_hostile_files() {
    let [usage, _] = crate::command::check(Path::new("."), "--help", 0, &[]);
    let commands = usage.split_once("\nCommands:\n").unwrap().1.split_once("\n\n").unwrap().0;
    let source: String = include_str!("runner_hostile.rs").split_whitespace().collect();
    let mut verbs = 0;
    for line in commands.lines().filter(|line| line.starts_with("  ") && !line.starts_with("   ")) {
        let verb = line.split_whitespace().next().unwrap();
        // A window starts this verb and communicates with it.
        if verb == "session" {
            continue;
        }
        verbs += 1;
        let [usage, _] = crate::command::check(Path::new("."), &format!("{verb} --help"), 0, &[]);
        let Some((_, below)) = usage.split_once("\nCommands:\n") else {
            assert!(source.contains(&format!("[\"{verb}\",")), "{verb}");
            continue;
        };
        for line in below
            .split("\n\n")
            .next()
            .unwrap()
            .lines()
            .filter(|line| line.starts_with("  ") && !line.starts_with("   "))
        {
            let below = line.split_whitespace().next().unwrap();
            assert!(source.contains(&format!("&[\"{verb}\",\"{below}\",")), "{verb} {below}");
        }
    }
    assert!(verbs > 10, "{usage}");
}

#[test]
fn the_atlas_escapes_names() {
    let name = "b<script>alert(1)_\u{202E}\u{2028}.trace";
    let folder = folder(name, "x");
    fs::write(folder.path().join(name), "trace 1\n0ms power on\n+4s end\n").unwrap();
    let arguments =
        ["atlas", "--screens", "2", "--seen-by", name, "--output", "B\n::error::x.html"];
    for on_github in [true, false] {
        let mut arguments = arguments.map(OsStr::new).to_vec();
        arguments.push(OsStr::new("--force"));
        let (code, out, err) = nudge(folder.path(), &arguments, on_github);
        assert_eq!(code, 0, "{out}{err}");
        check(&out, on_github);
        check(&err, on_github);
    }
    let page = fs::read_to_string(folder.path().join("B\n::error::x.html")).unwrap();
    assert!(page.contains("\\u003cscript\\u003ealert(1)_"), "the name is in the page");
    assert!(!page.contains("alert(1)<") && !page.contains("<script>alert"));
    assert!(!page.contains(|letter: char| is_obeyed(letter) && letter != '\n'));
    assert_eq!(page.matches("<script").count(), page.matches("</script").count());
}

/// Replaces the references in `text` as a browser or a reader of XML does.
fn unescaped(text: &str) -> String {
    let text = text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"");
    text.replace("&#39;", "'").replace("&amp;", "&")
}

/// Generates a text with pieces that a reader might execute.
fn hostile() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        4 => proptest::sample::select(&PIECES[..]).prop_map(str::to_owned),
        1 => any::<char>().prop_map(String::from),
        1 => "[a-z ]{1,8}",
    ];
    proptest::collection::vec(piece, 0..8).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: Part::of_this_run().share(12), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn names_and_texts_are_escaped_in_every_report(name in hostile(), text in hostile()) {
        // Only characters that a file system accepts in one file name.
        let stem = format!("a{}", name.replace(['/', '\0'], "_"));
        let name = format!("{stem}.trace");
        prop_assume!(name.len() <= 200);
        let folder = folder(&name, &text);
        let arguments = ["replay", &name, "--junit", "junit.xml", "--html", "page", "--force"];
        for on_github in [false, true] {
            let (code, out, err) = nudge(folder.path(), &arguments.map(OsStr::new), on_github);
            prop_assert!(code == 1 || code == 2, "{out}{err}");
            // At most one error for each line that contains a part of the text, and one annotation
            // for each error. The text is in an expectation and in its comment.
            let most = if on_github { 2 * text.matches('\n').count() + 1 } else { 0 };
            let annotations = check(&out, on_github);
            prop_assert!((usize::from(on_github)..=most).contains(&annotations), "{out}");
            prop_assert_eq!(check(&err, on_github), 0, "{}", err);
            let shown = plain(&name);
            let shown = if on_github { shown.replace("##[", "## [") } else { shown };
            prop_assert!(out.contains(&shown) || err.contains(&shown), "{out}{err}");
        }
        let junit = fs::read_to_string(folder.path().join("junit.xml")).unwrap();
        let report = Report::deserialize_from_str(&junit).unwrap();
        let case = &report.test_suites[0].test_cases[0];
        let shown = plain(&stem.replace('\t', " ")).replace(['\u{FFFE}', '\u{FFFF}'], "\u{FFFD}");
        prop_assert_eq!(case.name.as_str(), shown);
        let page = fs::read_to_string(folder.path().join("page/index.html")).unwrap();
        let named = page.split_once("<span class=name>").unwrap().1.split_once("</span>").unwrap().0;
        prop_assert!(!named.contains('<'), "{named}");
        prop_assert_eq!(unescaped(named), plain(&name));
    }
}
