//! Tests `nudge trace fuzz` and `nudge trace shrink` on the command line.
//!
//! The firmware has no known bug, so the findings here are a trace with an expectation that is
//! never satisfied, and a Pico whose flash is all zeros.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use ili9341_model::Frame;
use reading::golden::{chain::Chain, write_png};
use tempfile::TempDir;

const FINE: &str =
    "trace 1\nseed 7\n\n0ms power on\n500ms tap B3\n+1s settle within 9s\n+0ms end\n";
const FAILS: &str = "trace 1
# Somebody's session.
seed 7

0ms     power on
500ms   tap B3
2s      tap B5   # and then
3s      expect text \"Never shown\"
4s      tap B1
+1s     end
";
/// The smallest trace with the same LCD content as [`FAILS`] when that fails. A press counts from
/// the first complete screen on, which is 0.3 s after power-on.
const SMALL: &str = "trace 1

# Somebody's session.
0ms     power on
+320ms  tap B3
+1.1s   tap B5                # and then
+1s     expect text \"Never shown\"
";

/// A folder with a correct trace, one that fails, and a program that no Pico boots.
struct Sandbox(TempDir);

impl Sandbox {
    fn new() -> Self {
        let sandbox = Self(tempfile::tempdir().unwrap());
        sandbox.put("fine.trace", FINE);
        sandbox.put("fails.trace", FAILS);
        sandbox.put("zeros.bin", [0; 1024]);
        sandbox
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn put(&self, name: &str, bytes: impl AsRef<[u8]>) {
        fs::write(self.path(name), bytes).unwrap();
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    /// Returns the names in a folder, in order.
    fn names(&self, folder: &str) -> Vec<String> {
        let entries = fs::read_dir(self.path(folder)).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    fn command(&self, words: &[&str]) -> Command {
        let mut command = crate::command::nudge();
        command.args(words).current_dir(self.0.path()).stdin(Stdio::null());
        command
    }

    /// Runs `nudge trace …`, checks its exit code, and returns its standard output and standard
    /// error.
    #[track_caller]
    fn check(&self, arguments: &str, code: i32) -> (String, String) {
        let words: Vec<&str> = ["trace"].into_iter().chain(arguments.split_whitespace()).collect();
        text_of(self.command(&words).output().unwrap(), arguments, code)
    }

    /// Checks that the command fails with one message that contains `sentence`.
    #[track_caller]
    fn refuses(&self, arguments: &str, sentence: &str) {
        let (out, err) = self.check(arguments, 2);
        assert!(err.contains(sentence), "nudge trace {arguments}: no {sentence:?} in:\n{err}");
        assert_eq!(out, "", "nudge trace {arguments}");
    }

    /// Runs the command after `again: ` in `out`, as a shell does.
    #[track_caller]
    fn again(&self, out: &str) -> String {
        let line = out.lines().find_map(|line| line.trim().strip_prefix("again: nudge "));
        let words = line.unwrap_or_else(|| panic!("no command in:\n{out}")).split(' ');
        let output = self.command(&words.collect::<Vec<_>>()).output().unwrap();
        text_of(output, "again", 1).0
    }
}

#[track_caller]
fn text_of(output: Output, arguments: &str, code: i32) -> (String, String) {
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    let (out, err) = (text(output.stdout), text(output.stderr));
    assert_eq!(output.status.code(), Some(code), "nudge trace {arguments}\n{out}\n{err}");
    (out, err)
}

/// Returns `line` without its number of seconds.
fn without_seconds(line: &str) -> String {
    let (before, rest) = line.split_once(" in ").unwrap_or((line, " s"));
    let (_, after) = rest.split_once(" s").unwrap_or(("", rest));
    format!("{before}{after}")
}

#[test]
fn wrong_usage_of_fuzz_is_refused_with_code_2() {
    let sandbox = Sandbox::new();
    sandbox.refuses("fuzz --count 0", "--count");
    sandbox.refuses("fuzz --jobs 0", "--jobs");
    sandbox.refuses("fuzz --time 5", "lacks its unit");
    sandbox.refuses("fuzz --seed=-1", "--seed");
    sandbox.refuses(
        "fuzz --board arduino",
        "native, pico, pico=FILE, NAME.board.toml, probe and probe:PORT",
    );
    sandbox.refuses("fuzz --board pico=missing --count 1", "missing cannot be read");
    sandbox.refuses("fuzz --board probe --count 1", "the board `probe` is behind a probe");
    sandbox.refuses("fuzz fails.trace --seed 3", "cannot be used with");
    sandbox.refuses("fuzz --count 1 --out fine.trace", "fine.trace is no folder; name another");
    #[cfg(target_os = "linux")]
    sandbox.refuses("fuzz --count 1 --out /proc/self/task/out", "--out: /proc/self/task/out");
    assert_eq!(sandbox.read("fine.trace"), FINE);
}

#[test]
fn invalid_traces_are_refused_with_code_2_and_their_place() {
    let sandbox = Sandbox::new();
    fs::create_dir(sandbox.path("folder")).unwrap();
    sandbox.put("zeros.trace", "trace 1\n0ms power on\n\0\0\n");
    sandbox.put("bad.trace", "trace 1\n0ms power on\n1s tap B7\n");
    sandbox.put("level.trace", "trace 1\nflash none.bin\n\n0ms power on\n");
    for verb in ["fuzz", "shrink"] {
        sandbox.refuses(&format!("{verb} missing.trace"), "missing.trace");
        sandbox.refuses(&format!("{verb} zeros.trace"), "zeros.trace:3:1: ");
        sandbox.refuses(&format!("{verb} bad.trace"), "bad.trace:3:8: ");
        sandbox.refuses(&format!("{verb} level.trace"), "level.trace:2:");
    }
    sandbox.refuses("shrink folder", "folder");
    sandbox.refuses("shrink", "<TRACE>");
    sandbox.refuses("shrink fails.trace --runs 0", "--runs");
    sandbox.refuses("shrink fails.trace --board pico=missing", "missing cannot be read");
    sandbox.refuses("shrink fails.trace --output bad.trace/small.trace", "cannot be written");
    assert!(!sandbox.path("fails.small.trace").exists());
}

#[test]
fn sessions_without_findings_are_counted_and_leave_no_files() {
    let sandbox = Sandbox::new();
    let (out, err) = sandbox.check("fuzz --count 2 --seed 7 --session 3 --jobs 1", 0);
    let lines: Vec<String> = out.lines().map(without_seconds).collect();
    assert_eq!(
        lines,
        [
            "sessions of seed 7 from number 3 on; Ctrl-C ends them sooner",
            "2 sessions: 0 with something wrong"
        ]
    );
    assert!(err.is_empty() && !sandbox.path("fuzz-findings").exists(), "{err}");
}

#[test]
fn a_trace_is_judged_by_its_lines_and_the_rules() {
    let sandbox = Sandbox::new();
    let (out, _) = sandbox.check("fuzz fine.trace", 0);
    assert_eq!(out, "fine.trace: nothing is wrong\n");
    let (out, err) = sandbox.check("fuzz fine.trace fails.trace", 1);
    let failure = "fails.trace: at 3 s: a line fails: expect text \"Never shown\": ";
    assert!(out.starts_with("fine.trace: nothing") && out.contains(failure), "{out}");
    assert_eq!(err, "");
    // An unreadable file has precedence over a failing trace in the exit code.
    sandbox.put("bad.trace", "trace 1\n0ms power on\n1s tap B7\n");
    let (out, err) = sandbox.check("fuzz .", 2);
    assert!(out.contains(failure) && err.starts_with("./bad.trace:3:8: "), "{out}{err}");
}

/// Arguments for one session on a Pico that cannot boot, with the output folder `out`.
const ZEROS: &str = "fuzz --board pico=zeros.bin --seed 7 --session 41 --count 1 --out out";
const STEM: &str = "seed-7-session-41";

#[test]
fn a_finding_is_saved_whole_and_shrunk_with_a_replay_command() {
    let sandbox = Sandbox::new();
    let (out, err) = sandbox.check(ZEROS, 1);
    let finding = "at 0 ms: the firmware cannot go on: ";
    assert!(out.contains(&format!("session 41: {finding}")) && err.is_empty(), "{out}{err}");
    assert!(out.ends_with(": 1 with something wrong\n"), "{out}");
    assert_eq!(sandbox.names("out"), [format!("{STEM}.small.trace"), format!("{STEM}.trace")]);
    let whole = sandbox.read(&format!("out/{STEM}.trace"));
    assert!(whole.starts_with("# Session 41 of seed 7.\ntrace 1\n"), "{whole}");
    let small = sandbox.read(&format!("out/{STEM}.small.trace"));
    assert_eq!(small, "# Session 41 of seed 7.\ntrace 1\n\n0ms     power on\n");
    let again = sandbox.again(&out);
    assert!(again.starts_with(&format!("out/{STEM}.small.trace: {finding}")), "{again}");
    // The unshrunk trace has the same finding.
    let (whole, _) = sandbox.check(&format!("fuzz --board pico=zeros.bin out/{STEM}.trace"), 1);
    assert!(whole.contains(finding), "{whole}");
}

#[test]
fn a_saved_finding_is_neither_overwritten_nor_duplicated() {
    let sandbox = Sandbox::new();
    sandbox.check(ZEROS, 1);
    sandbox.check(ZEROS, 1);
    assert_eq!(sandbox.names("out").len(), 2);
    let small = format!("out/{STEM}.small.trace");
    sandbox.put(&small, "mine");
    sandbox.put(&format!("out/{STEM}.trace"), "mine, too");
    let (out, _) = sandbox.check(ZEROS, 1);
    assert_eq!(sandbox.read(&small), "mine");
    assert_eq!(sandbox.read(&format!("out/{STEM}.trace")), "mine, too");
    let new = [format!("{STEM}-2.small.trace"), format!("{STEM}-2.trace")];
    assert!(
        new.iter().all(|name| sandbox.names("out").contains(name)),
        "{:?}",
        sandbox.names("out")
    );
    assert!(sandbox.again(&out).starts_with(&format!("out/{STEM}-2.small.trace: at 0 ms: ")));
}

#[test]
fn a_search_goes_on_behind_the_first_defect_and_counts_it() {
    let sandbox = Sandbox::new();
    let (out, _) = sandbox.check("fuzz --board pico=zeros.bin --count 30 --jobs 1", 1);
    let last = without_seconds(out.lines().last().unwrap());
    assert_eq!(last, "30 sessions: 30 with something wrong, 1 kind");
    assert!(out.contains("\n  the same in 29 more sessions\n"), "{out}");
    assert_eq!(sandbox.names("fuzz-findings").len(), 2);
}

#[test]
fn shrink_preserves_the_line_the_text_or_the_screen() {
    let sandbox = Sandbox::new();
    // Without the move the text on the LCD is another; the line fails without any of it.
    let lines = "0ms power on\n1s tap B3\n+3s tap T1\n+3s expect text \"Never shown\"\n";
    sandbox.put("moves.trace", format!("trace 1\ngame wari\nseed 3\n\n{lines}"));
    let count = |same: &str| {
        let command = format!("shrink moves.trace --force --output {same}.trace --same {same}");
        sandbox.check(&command, 0);
        sandbox
            .read(&format!("{same}.trace"))
            .lines()
            .filter(|line| line.contains("ms") || line.contains("s "))
            .count()
    };
    let [line, text, screen] = ["line", "text", "screen"].map(count);
    assert!(line < text && text <= screen, "{line} {text} {screen}");
    assert!(!sandbox.read("line.trace").contains("tap"), "{}", sandbox.read("line.trace"));
    let (_, err) = sandbox.check("shrink moves.trace --same sound", 2);
    assert!(err.contains("line, text, screen"), "{err}");
}

#[test]
fn a_command_with_blanks_in_it_is_quoted() {
    let sandbox = Sandbox::new();
    let mut words: Vec<&str> = ["trace"].into_iter().chain(ZEROS.split(' ')).collect();
    *words.last_mut().unwrap() = "my out";
    let (out, _) = text_of(sandbox.command(&words).output().unwrap(), ZEROS, 1);
    let command = format!("again: nudge trace fuzz --board pico=zeros.bin 'my out/{STEM}");
    assert!(out.contains(&command), "{out}");
}

#[test]
fn a_shrunk_trace_is_saved_beside_it_and_fails_in_the_same_way() {
    let sandbox = Sandbox::new();
    let (out, err) = sandbox.check("shrink fails.trace", 0);
    assert!(out.starts_with("at 3 s: a line fails: expect text \"Never shown\": "), "{out}");
    assert!(out.contains("\nfails.small.trace: 4 lines of 6, after "), "{out}");
    assert_eq!((sandbox.read("fails.small.trace").as_str(), err.as_str()), (SMALL, ""));
    assert_eq!(sandbox.read("fails.trace"), FAILS);
    let (out, _) = sandbox.check("fuzz fails.small.trace", 1);
    assert!(out.contains(": a line fails: expect text \"Never shown\": "), "{out}");
}

#[test]
fn shrink_overwrites_only_when_forced() {
    let sandbox = Sandbox::new();
    sandbox.put("fails.small.trace", "mine");
    sandbox.put("other.trace", "mine");
    sandbox.refuses("shrink fails.trace", "fails.small.trace is there already; `--force`");
    sandbox.refuses("shrink fails.trace --output other.trace", "other.trace is there already");
    sandbox.refuses("shrink fails.trace --output fails.trace --force", "are the same file");
    assert_eq!(
        (sandbox.read("fails.small.trace"), sandbox.read("fails.trace")),
        ("mine".into(), FAILS.into())
    );
    sandbox.check("shrink fails.trace --output other.trace --force", 0);
    assert_eq!(sandbox.read("other.trace"), SMALL);
}

#[test]
fn a_passing_trace_cannot_be_shrunk() {
    let sandbox = Sandbox::new();
    sandbox.refuses(
        "shrink fine.trace",
        "fine.trace does not fail on native: there is nothing to shrink",
    );
    assert!(!sandbox.path("fine.small.trace").exists());
}

#[test]
fn shrink_requires_and_preserves_a_pass_on_another_board() {
    let sandbox = Sandbox::new();
    sandbox.refuses(
        "shrink fails.trace --passes-on native",
        "fails.trace does not pass on native, either: at 3 s: a line fails: expect text",
    );
    sandbox.refuses("shrink fails.trace --passes-on pico=missing", "missing cannot be read");
    assert!(!sandbox.path("fails.small.trace").exists());
    let (out, _) = sandbox.check("shrink fine.trace --board pico=zeros.bin --passes-on native", 0);
    assert!(out.starts_with("at 0 ms: the firmware cannot go on: "), "{out}");
    assert_eq!(sandbox.read("fine.small.trace"), "trace 1\n\n0ms     power on\n");
}

#[test]
fn too_few_replays_are_reported_and_the_result_still_fails() {
    let sandbox = Sandbox::new();
    let (out, _) = sandbox.check("shrink fails.trace --runs 1", 0);
    assert!(
        out.ends_with(" after 1 replay; more of them may make it smaller (`--runs`)\n"),
        "{out}"
    );
    sandbox.check("fuzz fails.small.trace", 1);
}

#[test]
fn golden_frames_are_copied_with_the_shrunk_trace() {
    sampled!();
    let sandbox = Sandbox::new();
    let looks = FAILS.replace("expect text \"Never shown\"", "expect frame dark");
    sandbox.put("looks.trace", &looks);
    fs::create_dir(sandbox.path("looks")).unwrap();
    write_png(sandbox.path("looks/dark.png"), &Frame::filled(320, 240, 0)).unwrap();
    sandbox.check("shrink looks.trace", 0);
    assert_eq!(
        sandbox.read("looks.small.trace"),
        SMALL.replace("text \"Never shown\"", "frame dark")
    );
    assert!(same(&sandbox.path("looks/dark.png"), &sandbox.path("looks.small/dark.png")));
    // Both fail because of the same pixels, not because the golden is missing.
    let [small, whole] = ["looks.small.trace", "looks.trace"].map(|trace| {
        let (out, _) = sandbox.check(&format!("fuzz {trace}"), 1);
        out.split_once("expect frame dark: ").unwrap().1.to_owned()
    });
    assert!(small.contains("pixels differ"), "{small}");
    assert_eq!(small, whole);
}

#[test]
fn chains_are_judged_and_copied_with_the_shrunk_trace() {
    let sandbox = Sandbox::new();
    sandbox.put("chain.trace", FAILS.replace("expect text \"Never shown\"", "expect frames all"));
    let (out, _) = sandbox.check("fuzz chain.trace", 1);
    assert!(out.contains("a line fails: expect frames all: "), "{out}");
    let blessed = ["replay", "chain.trace", "--bless", "--force"];
    assert!(sandbox.command(&blessed).output().unwrap().status.success());
    let (out, _) = sandbox.check("fuzz chain.trace", 0);
    assert_eq!(out, "chain.trace: nothing is wrong\n");
    let path = sandbox.path("chain/all.frames");
    let mut chain = Chain::load(&path).unwrap();
    let last = chain.links.len();
    chain.links[last - 1].hash.0 ^= 1;
    fs::remove_file(&path).unwrap();
    chain.save(&path).unwrap();
    let differs = format!("all.frames is expected, but frame {last} of {last} is another: ");
    let (out, _) = sandbox.check("fuzz chain.trace", 1);
    assert!(out.contains(&differs), "{out}");
    sandbox.check("shrink chain.trace", 0);
    assert!(same(&path, &sandbox.path("chain.small/all.frames")));
    let (out, _) = sandbox.check("fuzz chain.small.trace", 1);
    assert!(out.contains(&differs), "{out}");
}

fn same(one: &Path, other: &Path) -> bool {
    fs::read(one).unwrap() == fs::read(other).unwrap()
}

#[cfg(unix)]
mod interrupted {
    use std::io::{BufRead as _, BufReader, Read as _};
    use std::process::Child;

    use super::*;

    /// Starts `nudge trace …`, sends SIGINT after the first line that begins with `at`, and checks
    /// the exit code; returns all of standard output.
    fn check(sandbox: &Sandbox, arguments: &str, at: &str, code: i32) -> String {
        let words: Vec<&str> = ["trace"].into_iter().chain(arguments.split_whitespace()).collect();
        let mut nudge: Child = sandbox.command(&words).stdout(Stdio::piped()).spawn().unwrap();
        let mut reader = BufReader::new(nudge.stdout.take().unwrap());
        let mut out = String::new();
        while !out.lines().last().is_some_and(|line| line.starts_with(at)) {
            assert!(reader.read_line(&mut out).unwrap() > 0, "no line begins {at:?}:\n{out}");
        }
        let pid = nudge.id().to_string();
        assert!(Command::new("kill").args(["-INT", &pid]).status().unwrap().success());
        reader.read_to_string(&mut out).unwrap();
        assert_eq!(nudge.wait().unwrap().code(), Some(code), "nudge trace {arguments}\n{out}");
        out
    }

    #[test]
    fn ctrl_c_ends_sessions_before_their_time() {
        let sandbox = Sandbox::new();
        let out = check(&sandbox, "fuzz --time 60min --jobs 1", "sessions of seed 0", 0);
        assert!(out.ends_with(", interrupted: 0 with something wrong\n"), "{out}");
    }

    #[test]
    fn ctrl_c_loses_no_defect() {
        let sandbox = Sandbox::new();
        let fuzz = "fuzz --board pico=zeros.bin --count 500 --jobs 1 --out out";
        let out = check(&sandbox, fuzz, "session 0: ", 1);
        assert!(out.ends_with(": 500 with something wrong, 1 kind\n"), "{out}");
        let whole = "out/seed-0-session-0.trace";
        assert!(out.contains(whole) && sandbox.path(whole).exists(), "{out}");
    }

    #[test]
    fn ctrl_c_ends_a_search_and_writes_the_smallest_trace_so_far() {
        sampled!();
        let sandbox = Sandbox::new();
        // More lines than a fast computer finishes in the meantime.
        let taps = "+1s     tap B3\n".repeat(300);
        sandbox.put("long.trace", FAILS.replace("4s      tap B1\n", &taps));
        let out = check(&sandbox, "shrink long.trace --runs 1000000", "at 3 s: ", 0);
        assert!(out.contains("long.small.trace: "), "{out}");
        let (out, _) = sandbox.check("fuzz long.small.trace", 1);
        assert!(out.contains(": a line fails: expect text \"Never shown\": "), "{out}");
    }
}
