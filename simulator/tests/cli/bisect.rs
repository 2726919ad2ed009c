//! Tests `nudge bisect` in a small repository. Its commits are stand-ins for `nudge`: a script, or
//! a crate that cargo builds. `nudge replay --against git=` builds that crate as well.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use tempfile::TempDir;

use crate::command::{NUDGE, nudge, nudge_that_takes_signals, through};

const TRACE: &str = "trace 1\n\n0ms power on\n+1s end\n";
/// Builds a commit: the script becomes the command.
const BUILD: &str = "cp nudge.sh \"$CARGO_TARGET_DIR/debug/nudge\"";
const PASSES: &str = "exit 0";
const FAILS: &str = "echo FAIL win.trace; echo '  win.trace:4: it is wrong'; exit 1";

struct Scene {
    folder: TempDir,
}

impl Scene {
    /// Creates a repository with a trace next to it, and a folder for temporary files.
    fn new() -> Self {
        let scene = Self { folder: tempfile::tempdir().unwrap() };
        for folder in ["repository", "temporary", "target/debug"] {
            fs::create_dir_all(scene.folder.path().join(folder)).unwrap();
        }
        fs::write(scene.folder.path().join("win.trace"), TRACE).unwrap();
        scene.git("init --quiet --initial-branch main");
        scene
    }

    fn repository(&self) -> std::path::PathBuf {
        self.folder.path().join("repository")
    }

    #[track_caller]
    fn git(&self, arguments: &str) -> String {
        let output = Command::new("git")
            .args(["-c", "user.name=Test", "-c", "user.email=test@example.org"])
            .args(["-c", "commit.gpgsign=false"])
            .args(arguments.split(' '))
            .current_dir(self.repository())
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .output()
            .unwrap();
        assert!(
            output.status.success(),
            "{arguments}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    }

    /// Creates a commit whose `nudge` is this script; returns its short hash.
    fn commit(&self, name: &str, script: &str) -> String {
        fs::write(self.repository().join("nudge.sh"), format!("#!/bin/sh\n# {name}\n{script}\n"))
            .unwrap();
        let make = Command::new("chmod").arg("+x").arg(self.repository().join("nudge.sh")).status();
        assert!(make.unwrap().success());
        self.git("add nudge.sh");
        self.git(&format!("commit --quiet --message {name}"));
        self.git("rev-parse --short=12 HEAD")
    }

    /// Searches with the scripts as stand-ins; returns the output.
    #[track_caller]
    fn bisect(&self, more: &str, code: i32) -> String {
        self.run(&format!("bisect ../win.trace --target ../target {more}"), BUILD, code)
    }

    /// Runs the command, which builds commits with `build`, and returns its output. The temporary
    /// folder must be empty afterwards.
    #[track_caller]
    fn run(&self, line: &str, build: &str, code: i32) -> String {
        let before = self.state();
        let output = nudge()
            .args(line.split_whitespace())
            .args(["--build", build])
            .current_dir(self.repository())
            .env("TMPDIR", self.folder.path().join("temporary"))
            .stdin(Stdio::null())
            .output()
            .unwrap();
        let text = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
        assert_eq!(output.status.code(), Some(code), "{text}");
        assert_eq!(self.state(), before, "{text}");
        text
    }

    /// Returns the state of the repository that the search must not change.
    #[track_caller]
    fn state(&self) -> [String; 4] {
        let left = fs::read_dir(self.folder.path().join("temporary")).unwrap();
        let left: Vec<_> = left.map(|entry| entry.unwrap().file_name()).collect();
        let git = |arguments: &str| self.git(arguments);
        [
            git("status --porcelain --branch"),
            git("worktree list"),
            git("for-each-ref"),
            format!("{left:?}"),
        ]
    }
}

#[test]
fn the_breaking_commit_is_found_without_touching_the_checkout() {
    let scene = Scene::new();
    let good = scene.commit("begin", PASSES);
    scene.commit("two", PASSES);
    // A branch with the bad commit is merged into good commits.
    scene.git("checkout --quiet -b side");
    let bad = scene.commit("break-it", FAILS);
    scene.git("checkout --quiet main");
    scene.git("commit --quiet --allow-empty --message elsewhere");
    scene.git("merge --quiet --no-ff --message merge side");
    scene.commit("later", FAILS);
    scene.commit("latest", FAILS);
    fs::write(scene.repository().join("nudge.sh"), "what the user is writing").unwrap();
    let text = scene.bisect(&format!("--good {good}"), 0);
    assert!(
        text.contains(&format!("\nFIRST BAD {bad}  break-it\n    the commit: git show {bad}\n")),
        "{text}"
    );
    assert!(text.contains("    fails: win.trace:4: it is wrong\n"), "{text}");
    assert!(text.contains(&format!("nudge replay ../win.trace --against git={bad}~1\n")), "{text}");
}

#[test]
fn commits_that_cannot_build_or_read_the_trace_are_skipped() {
    let scene = Scene::new();
    let good = scene.commit("begin", PASSES);
    scene.commit("two", PASSES);
    scene.commit("three", "echo 'win.trace:3:7: unknown verb' >&2; exit 2");
    scene.git("rm --quiet nudge.sh");
    scene.git("commit --quiet --message four");
    let five = scene.commit("five", FAILS);
    scene.commit("six", FAILS);
    let text = scene.bisect(&format!("--good {good} --bad main"), 1);
    assert!(text.contains("skipped, it cannot be built: "), "{text}");
    assert!(
        text.contains("skipped, it cannot replay the trace: win.trace:3:7: unknown verb\n"),
        "{text}"
    );
    let (_, list) = text.split_once("ONE OF THESE").unwrap();
    let names: Vec<&str> =
        list.lines().skip(1).filter_map(|line| line.split("  ").last()).collect();
    assert_eq!(names.len(), 3, "{text}");
    assert!(names[..2].contains(&"three") && names[..2].contains(&"four"), "{text}");
    assert!(list.contains(&format!("    {five}  five\n")), "{text}");
}

#[test]
fn a_build_without_a_nudge_does_not_use_that_of_another_commit() {
    let scene = Scene::new();
    let good = scene.commit("begin", PASSES);
    scene.git("rm --quiet nudge.sh");
    scene.git("commit --quiet --message nothing");
    scene.commit("bad", FAILS);
    let build = format!("[ ! -f nudge.sh ] || {BUILD}");
    let text =
        scene.run(&format!("bisect ../win.trace --target ../target --good {good}"), &build, 1);
    assert!(
        text.contains("nothing  (2 commits left)\n    skipped, it cannot be built: "),
        "{text}"
    );
    assert!(text.contains("debug/nudge is not there\n"), "{text}");
}

/// Returns the sources of a `nudge` that starts the one under test with the same arguments;
/// `change` may change `args`.
fn crate_that_starts_nudge(change: &str) -> String {
    format!(
        "fn main() {{\n    let mut args: Vec<String> = std::env::args().skip(1).collect();\n    {change}\n    \
         let ended = std::process::Command::new({NUDGE:?}).args(&mut args).status().unwrap();\n    \
         std::process::exit(ended.code().unwrap());\n}}\n"
    )
}

#[test]
fn a_trace_of_a_described_board_is_judged_beside_its_board_file() {
    sampled!();
    let scene = Scene::new();
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/own-boards");
    for name in ["handheld.board.toml", "handheld.elf"] {
        fs::copy(examples.join(name), scene.folder.path().join(name)).unwrap();
    }
    let trace =
        |line: &str| format!("trace 1\nboard handheld.board.toml\n\n0ms power on\n+1s {line}\n");
    fs::write(scene.folder.path().join("win.trace"), trace("tap UP")).unwrap();
    // The nudge of the good commits is the present one.
    let present = format!("exec {NUDGE} \"$@\"");
    let good = scene.commit("begin", &present);
    scene.commit("two", &present);
    let bad = scene.commit("break-it", FAILS);
    scene.commit("later", FAILS);
    let text = scene.bisect(&format!("--good {good}"), 0);
    assert!(text.contains(&format!("\nFIRST BAD {bad}  break-it\n")), "{text}");
    // Names that the board does not have are reported before a commit is built.
    fs::write(scene.folder.path().join("win.trace"), trace("tap B1")).unwrap();
    let text = scene.bisect(&format!("--good {good}"), 2);
    assert!(text.contains("unknown button `B1`"), "{text}");
    fs::remove_file(scene.folder.path().join("handheld.board.toml")).unwrap();
    let text = scene.bisect(&format!("--good {good}"), 2);
    assert!(text.contains("handheld.board.toml"), "{text}");
}

#[test]
fn commits_are_built_with_cargo_for_bisect_and_for_against() {
    sampled!();
    const OTHER: &str =
        "for arg in &mut args { *arg = arg.replace(\"win.trace\", \"lost.trace\"); }";
    let scene = Scene::new();
    let lost = "trace 1\n\n0ms power on\n1s tap B3\n+1s expect text \"Nobody\"\n+1s end\n";
    fs::write(scene.folder.path().join("lost.trace"), lost).unwrap();
    let file = |name: &str, text: &str| {
        let path = scene.repository().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    let package = "name = \"simulator\"\nversion = \"0.0.0\"\n";
    let bin = "[[bin]]\nname = \"nudge\"\npath = \"main.rs\"\n";
    file("Cargo.toml", &format!("[package]\n{package}edition = \"2021\"\n{bin}[workspace]\n"));
    file("Cargo.lock", &format!("version = 4\n\n[[package]]\n{package}"));
    let commit = |name: &str, source: &str| {
        file("main.rs", source);
        scene.git("add .");
        scene.git(&format!("commit --quiet --message {name}"));
        scene.git("rev-parse --short=12 HEAD")
    };
    let good = commit("good", &crate_that_starts_nudge(""));
    commit("torn", "fn main() {");
    let bad = commit("bad", &crate_that_starts_nudge(OTHER));
    let build = changes::bisect::build::BUILD;
    let text =
        scene.run(&format!("bisect ../win.trace --target ../target --good {good}"), build, 1);
    for part in [
        "good\n    passes\n",
        "bad\n    fails: ",
        "Nobody",
        "skipped, it cannot be built: error: this file contains an unclosed delimiter\n",
        &format!("    {bad}  bad\n"),
    ] {
        assert!(text.contains(part), "{part:?} is not in {text}");
    }
    let against = |commit: &str| {
        scene.run(
            &format!("replay ../win.trace --target ../target --against git={commit}"),
            build,
            0,
        )
    };
    let text = against(&bad);
    assert!(text.contains(&format!(" (commit {bad})\n")), "{text}");
    assert!(text.contains("\n1 of 1 trace differ, in "), "{text}");
    let text = against(&good);
    assert!(text.contains("\nnothing differs in 1 trace with "), "{text}");
}

#[test]
fn wrong_good_and_bad_commits_are_refused_before_the_search() {
    let scene = Scene::new();
    let one = scene.commit("one", PASSES);
    let two = scene.commit("two", FAILS);
    scene.git("checkout --quiet -b side HEAD~1");
    scene.commit("side", PASSES);
    let refused = |more: &str, said: &str| {
        let text = scene.bisect(more, 2);
        assert!(text.contains(said), "{said:?} is not in {text}");
    };
    refused(&format!("--good {two} --bad {two}"), "are the same commit");
    refused("--good none", "`none` is no commit of this repository");
    refused("--good=--end", "`--end` is no commit of this repository");
    refused(
        "--good side --bad main",
        &format!(
            "--good side is no ancestor of --bad main; their common ancestor is {one}: try --good {one}"
        ),
    );
    refused(
        &format!("--good {one} --bad side"),
        "at --bad side the trace passes; name a commit at which it fails",
    );
    scene.git("checkout --quiet main");
    scene.commit("three", FAILS);
    refused(
        &format!("--good {two}"),
        "the trace fails: win.trace:4: it is wrong; name a commit at which it passes",
    );
    fs::write(scene.folder.path().join("win.trace"), "trace 1\n0ms power of\n").unwrap();
    refused(&format!("--good {one}"), "win.trace:2:");
    let elsewhere = nudge()
        .args(["bisect", "win.trace", "--good", "a"])
        .current_dir(scene.folder.path())
        .env("GIT_CEILING_DIRECTORIES", "/")
        .output()
        .unwrap();
    assert_eq!(elsewhere.status.code(), Some(2));
}

#[test]
fn ctrl_c_removes_the_work_tree_and_ends_the_build() {
    let scene = Scene::new();
    let good = scene.commit("one", PASSES);
    scene.commit("two", FAILS);
    let before = scene.state();
    let began = scene.folder.path().join("began");
    let build = format!("touch '{}'; sleep 1000 & wait", began.display());
    let mut child = nudge_that_takes_signals()
        .args(["bisect", "../win.trace", "--good", &good, "--build", &build])
        .current_dir(scene.repository())
        .env("TMPDIR", scene.folder.path().join("temporary"))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    while !Path::new(&began).exists() {
        let ended = child.try_wait().unwrap();
        assert!(ended.is_none(), "{ended:?} before it builds");
        wait();
    }
    // The second signal has no effect: the cleanup that the first one has started is completed.
    let again = format!("kill -INT {0} && kill -TERM {0}", child.id());
    assert!(through("sh").args(["-c", &again]).status().unwrap().success());
    let ended = child.wait_with_output().unwrap();
    let said = String::from_utf8(ended.stderr).unwrap();
    // Where each signal is handled on its own thread, the later one may be recorded first.
    assert!(matches!(ended.status.code(), Some(130 | 143)), "{}: {said}", ended.status);
    assert_eq!(said, "nudge: interrupted; the search's folder is removed\n");
    assert_eq!(scene.state(), before);
}

#[expect(clippy::disallowed_methods, reason = "another process is waited for")]
fn wait() {
    std::thread::sleep(Duration::from_millis(5));
}
