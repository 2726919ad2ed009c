//! Tests `nudge replay --against` and `nudge trace observe` with another board, and with a script
//! that replaces another `nudge`.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use changes::observation::Observation;
use changes::stream::{self, Stream};
use reading::golden::chain::FrameHash;
use tempfile::TempDir;

use crate::command::{NUDGE, check, nudge_that_takes_signals, through};

const TRACE: &str = "trace 1\nseed 7\n\n0ms power on\n500ms tap B3\n+1s settle within 9s\n\
                     +0ms tap RESET\n+1s settle within 9s\n+0ms end\n";

/// A folder with two traces and a stand-in for another `nudge`.
struct Scene {
    folder: TempDir,
}

impl Scene {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        for name in ["a.trace", "b.trace"] {
            fs::create_dir_all(folder.path().join("suite")).unwrap();
            fs::write(folder.path().join("suite").join(name), TRACE).unwrap();
        }
        Self { folder }
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Creates a program `old` that runs `script`; `$NUDGE` is the command under test.
    fn old(&self, script: &str) {
        let path = self.path().join("old");
        fs::write(&path, format!("#!/bin/sh\nNUDGE='{NUDGE}'\n{script}\n")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    }

    /// Returns the command's own observation of a trace.
    fn observed(&self) -> Observation {
        let [out, err] = check(self.path(), "trace observe suite/a.trace", 0, &[]);
        assert_eq!(err, "");
        let Stream { firmware, mut traces } = stream::read(out.as_bytes()).unwrap();
        assert!(firmware.starts_with("native, source "), "{firmware}");
        let (path, observation) = traces.pop().unwrap();
        assert_eq!(path, "suite/a.trace");
        observation.unwrap()
    }

    /// Makes `old` report this observation for each trace.
    fn old_observes(&self, observation: &Observation) {
        let mut head = Vec::new();
        stream::write_head(&mut head, "native, of long ago").unwrap();
        fs::write(self.path().join("head"), &head).unwrap();
        stream::write_trace(&mut head, "any", &Ok(observation.clone())).unwrap();
        fs::write(self.path().join("whole"), &head).unwrap();
        let here = self.path().display();
        self.old(&format!(
            "[ \"$*\" = 'trace observe' ] && exec cat '{here}/head'\nexec cat '{here}/whole'"
        ));
    }
}

#[test]
fn a_board_does_not_differ_from_itself_or_the_same_nudge() {
    let scene = Scene::new();
    scene.old("exec \"$NUDGE\" \"$@\"");
    for against in ["native", "native=old"] {
        let line = format!("replay suite --against {against} --fail-on-change --markdown a.md");
        let [out, err] = check(scene.path(), &line, 0, &[]);
        assert!(out.contains("\nnothing differs in 2 traces with "), "{out}");
        assert!(out.ends_with("wrote a.md\n") && err.is_empty(), "{out}{err}");
    }
    let observation = scene.observed();
    assert!(observation.frames.len() >= 2, "{}", observation.frames.len());
    assert!(observation.bytes > 0 && observation.console.len() > 1 && observation.tones.len() > 1);
    assert_eq!(observation, scene.observed(), "two runs are equal");
    let [head, _] = check(scene.path(), "trace observe", 0, &[]);
    assert_eq!(head.lines().count(), 1, "{head}");
}

#[test]
fn differences_are_grouped_in_terminal_page_and_github_summary() {
    let scene = Scene::new();
    let mut observation = scene.observed();
    // The earlier frames have one row of pixels in another colour in the corner, and there is one
    // frame more.
    let first = &mut observation.frames[0];
    first.patch.pixels_mut()[..40].fill(0x00AB_CDEF);
    let extra = observation.frames[1].clone();
    observation.frames.push(extra);
    for (number, frame) in observation.frames.iter_mut().enumerate() {
        frame.hash = FrameHash(number as u64);
    }
    // Everything after another line would only follow from it, so it is the last one.
    if let Some(last) = observation.console.last_mut() {
        last.at = observation.ended_at;
        last.text = "::error::old".to_owned();
    }
    observation.bytes += 1_000;
    scene.old_observes(&observation);
    let summary = scene.path().join("summary");
    fs::write(&summary, "above\n").unwrap();
    let line = "replay suite --against native=old --html page --markdown out/changes.md";
    let variables =
        [("GITHUB_ACTIONS", "true"), ("GITHUB_STEP_SUMMARY", summary.to_str().unwrap())];
    let [out, err] = check(scene.path(), line, 0, &variables);
    assert_eq!(err, "");
    for part in [
        "before: native, of long ago (old)\n",
        // The row hides a word, so the reader does not find it in the earlier frames.
        "CHANGED 4 frames of 2 traces: the text “PN” is new\n    the text “P2” appeared\n    first in suite/a.trace:4, at ",
        "CHANGED 4 frames of 2 traces: other colours: #abcdef became #",
        "\nCHANGED 2 frames of 2 traces: other screens are shown\n    a settled frame is gone: “",
        "CONSOLE 2 console lines of 2 traces: “::error::old” became “",
        "Bytes on the LCD's bus: ",
        "\n2 of 2 traces differ, in ",
        "wrote out/changes.md\nwrote page/index.html\n",
    ] {
        assert!(out.contains(part), "{part:?} is not in\n{out}");
    }
    assert!(out.contains("first in suite/a.trace:5, at "), "{out}");
    let text = fs::read_to_string(scene.path().join("out/changes.md")).unwrap();
    assert!(text.starts_with("### nudge replay --against: 2 of 2 traces differ, in "), "{text}");
    assert_eq!(fs::read_to_string(&summary).unwrap(), format!("above\n{text}"));
    let page = fs::read_to_string(scene.path().join("page/index.html")).unwrap();
    assert!(
        page.contains("data-region=\"0,0,40,1\"") && page.contains("alt=\"The LCD before"),
        "{out}"
    );
    // Both output files now come from an earlier run.
    check(scene.path(), &format!("{line} --fail-on-change --quiet"), 1, &[]);
    fs::write(scene.path().join("out/changes.md"), "mine").unwrap();
    let [_, err] = check(scene.path(), line, 2, &[]);
    assert!(err.contains("out/changes.md"), "{err}");
}

#[test]
fn texts_of_another_nudge_and_names_are_escaped() {
    let hostile = "|`x` [a](b) @me </summary><script>alert(1)</script> ##[stop-commands]\x1b[31m\u{202E}\n::error::x";
    let is_obeyed = |letter: char| {
        letter.is_control() && letter != '\n' || matches!(letter, '\u{202E}' | '\u{2028}')
    };
    // With the same differences, a hostile text must produce as many lines and cells as a harmless
    // one.
    let shapes = ["harmless", hostile].map(|text| {
        let scene = Scene::new();
        let mut observation = scene.observed();
        observation.console[0].text = text.to_owned();
        scene.old_observes(&observation);
        let name = format!("suite/{}.trace", text.replace('/', "_"));
        fs::rename(scene.path().join("suite/a.trace"), scene.path().join(name)).unwrap();
        let line = "replay suite --against native=old --html page --markdown changes.md";
        for variables in [&[("GITHUB_ACTIONS", "true")][..], &[]] {
            let [out, err] = check(scene.path(), line, 0, variables);
            for said in [&out, &err] {
                assert!(!said.contains(is_obeyed), "{said:?}");
                let commands = said.lines().filter(|line| line.trim_start().starts_with("::"));
                assert!(
                    variables.is_empty() || commands.count() == 0 && !said.contains("##["),
                    "{said}"
                );
            }
        }
        let read = |name: &str| fs::read_to_string(scene.path().join(name)).unwrap();
        let (markdown, page) = (read("changes.md"), read("page/index.html"));
        assert!(!markdown.contains(is_obeyed) && !page.contains(is_obeyed), "{markdown:?}");
        assert!(!markdown.contains("<script") && !page.contains("<script>alert"), "{markdown}");
        let bars = markdown.replace("\\|", "").matches('|').count();
        let elements =
            ["<script", "</script", "</summary", "</"].map(|tag| page.matches(tag).count());
        (markdown.lines().count(), bars, markdown.matches("\\[").count() > 0, elements)
    });
    let [harmless, hostile] = shapes;
    assert!(!harmless.2 && hostile.2, "the text is in the Markdown, escaped");
    assert_eq!((harmless.0, harmless.1, harmless.3), (hostile.0, hostile.1, hostile.3));
}

#[test]
fn a_program_unfit_for_comparison_is_refused_with_the_next_step() {
    let scene = Scene::new();
    let refused = |said: &str| {
        let [out, err] = check(scene.path(), "replay suite --against native=old", 2, &[]);
        assert!(err.contains(said) && out.is_empty(), "{said:?} is not in {err}");
    };
    refused("old: No such file or directory");
    fs::create_dir(scene.path().join("old")).unwrap();
    refused("old: it is no program; name a nudge");
    fs::remove_dir(scene.path().join("old")).unwrap();
    scene.old("echo \"error: unrecognized subcommand 'observe'\" >&2; exit 2");
    refused("old knows no `nudge trace observe`: it is no nudge, or one that is too old");
    scene.old("echo '{\"observations\":{\"version\":9}}'");
    refused("old: its observations have version 9, and this nudge reads version 1");
    scene.old("[ $# = 2 ] && exec \"$NUDGE\" \"$@\"\n\"$NUDGE\" \"$@\" | head -c 2000");
    refused("old: line ");
    scene.old("exec \"$NUDGE\" \"$@\"");
    fs::set_permissions(scene.path().join("old"), fs::Permissions::from_mode(0o644)).unwrap();
    refused("old: ");
    let [_, err] = check(scene.path(), "replay suite --against git=HEAD", 2, &[]);
    assert!(err.contains("belongs to no git repository"), "{err}");
    let [_, err] = check(scene.path(), "replay suite --against native --junit a.xml", 2, &[]);
    assert!(err.contains("cannot be used with"), "{err}");
}

#[test]
fn a_trace_for_one_side_only_is_named_and_the_others_compared() {
    let scene = Scene::new();
    scene.old(
        "case \"$*\" in *b.trace) sed -i 's/tap B3/tip B3/' \"$3\" ;; esac\nexec \"$NUDGE\" \"$@\"",
    );
    let line = "replay suite --against native=old --jobs 1";
    let [out, _] = check(scene.path(), line, 0, &[]);
    let said =
        "suite/b.trace is not compared, because before it cannot be replayed: suite/b.trace:5:7: ";
    assert!(out.contains(said) && out.contains("nothing differs in 1 trace with"), "{out}");
    // Now this side cannot read the trace either; the stand-in can, because it does not read it.
    scene.old_observes(&scene.observed());
    let [out, _] = check(scene.path(), line, 2, &[]);
    assert!(out.contains("because after it cannot be replayed: suite/b.trace:5:7: "), "{out}");
}

#[test]
fn ctrl_c_ends_the_comparison_and_the_other_program() {
    let scene = Scene::new();
    // The script writes its process id once it has begun, and never ends.
    scene.old("[ $# = 2 ] && exec \"$NUDGE\" \"$@\"\necho $$ >began.tmp; mv began.tmp began; exec sleep 1000");
    let mut child = nudge_that_takes_signals()
        .args(["replay", "suite", "--against", "native=old", "--html", "page", "--jobs", "1"])
        .current_dir(scene.path())
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let began = scene.path().join("began");
    while !began.exists() {
        assert!(child.try_wait().unwrap().is_none());
        wait();
    }
    let other = fs::read_to_string(&began).unwrap();
    let status = through("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(status.success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let is_there = Command::new("kill").args(["-0", other.trim()]).stderr(Stdio::null()).status();
    assert!(!is_there.unwrap().success(), "the other program still runs");
    // The results so far are reported.
    let page = fs::read_to_string(scene.path().join("page/index.html")).unwrap();
    assert!(page.contains("2 traces were not run"), "{page}");
}

#[expect(clippy::disallowed_methods, reason = "another process is waited for")]
fn wait() {
    std::thread::sleep(Duration::from_millis(5));
}
