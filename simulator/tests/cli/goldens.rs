//! Tests goldens of parts, and chains of frames, with traces of the real firmware: blessing,
//! comparison and messages.

use std::fs;
use std::path::{Path, PathBuf};

use firmware_board::native;
use host::{Exit, heap::HEAP_METER};
use reading::{
    golden::{chain::Chain, read_png, write_png},
    text::Reader,
};
use runner::{ReplayOptions, run};
use tempfile::TempDir;
use trace::Trace;

/// A trace in a folder, and the output of its last replay.
struct GoldenSandbox {
    folder: TempDir,
    options: ReplayOptions,
    said: String,
}

impl GoldenSandbox {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let artifacts = Some(folder.path().join("artifacts"));
        Self {
            folder,
            options: ReplayOptions { artifacts, ..ReplayOptions::default() },
            said: String::new(),
        }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Replays a trace with `lines` after the first screen, and checks the exit code.
    #[track_caller]
    fn replay(&mut self, lines: &str, exit: Exit) -> &mut Self {
        self.write(lines);
        self.run(self.path("a.trace"), exit)
    }

    /// Replays all traces of the folder.
    #[track_caller]
    fn replay_folder(&mut self, exit: Exit) -> &mut Self {
        self.run(self.folder.path().to_owned(), exit)
    }

    fn write(&self, lines: &str) {
        let start = "0ms power on\n+0ms wait text \"Player 1's turn\" within 5s";
        let trace = format!("trace 1\ngame board\n{start}\n+0ms settle within 5s\n{lines}\n");
        fs::write(self.path("a.trace"), trace).unwrap();
    }

    #[track_caller]
    fn run(&mut self, path: PathBuf, exit: Exit) -> &mut Self {
        let build = |trace: &Trace| native::build_metered(trace, None, Some(HEAP_METER));
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let paths = [path];
        let reader = Reader::new(native::fonts());
        let went = run(&paths, &self.options, &build, &reader, &mut out, &mut err).unwrap();
        let here = format!("{}/", self.folder.path().display());
        self.said = String::from_utf8([out, err].concat()).unwrap().replace(&here, "");
        assert_eq!(went, exit, "{}", self.said);
        self
    }

    /// Replays such a trace with `--bless`.
    #[track_caller]
    fn bless(&mut self, lines: &str) -> &mut Self {
        self.options.bless = true;
        self.replay(lines, Exit::Passed);
        self.options.bless = false;
        self
    }

    #[track_caller]
    fn says(&self, text: &str) -> &Self {
        assert!(self.said.contains(text), "no {text:?} in:\n{}", self.said);
        self
    }
}

#[test]
fn the_golden_of_a_part_is_as_large_as_the_part() {
    let mut sandbox = GoldenSandbox::new();
    let line = "+0ms expect frame status in 0,0,320,40";
    sandbox.replay(line, Exit::Failed).says("there is no golden a/status.png");
    let actual = read_png(sandbox.path("artifacts/a/status.actual.png")).unwrap();
    assert_eq!((actual.width(), actual.height()), (320, 40));
    sandbox.bless(line).says("blessed a/status.png (new, 320x40)");
    assert_eq!(read_png(sandbox.path("a/status.png")).unwrap(), actual);
    sandbox.replay(line, Exit::Passed);

    let narrower = "+0ms expect frame status in 0,0,160,40";
    sandbox.replay(narrower, Exit::Usage).says("but the frame is 160x40, the golden 320x40");
    sandbox
        .bless(narrower)
        .says("blessed a/status.png (replaced: the frame is 160x40, the golden 320x40)");
    sandbox.replay(narrower, Exit::Passed);
}

#[test]
fn differences_have_panel_coordinates_and_bless_needs_a_failure() {
    let mut sandbox = GoldenSandbox::new();
    let part = "+0ms expect frame cups in 100,50,100,100";
    sandbox.bless(part);
    let mut golden = read_png(sandbox.path("a/cups.png")).unwrap();
    for at in [0, 101] {
        golden.pixels_mut()[at] ^= 0x00FF_FFFF;
    }
    write_png(sandbox.path("a/cups.png"), &golden).unwrap();
    let differs = "2 pixels differ, in the rectangle x=100 y=50 2x2; the first is x=100 y=50";
    sandbox.replay(part, Exit::Failed).says(differs);

    for passes in [" at most 2 pixels", " ignore 100,50,2,2"] {
        let line = format!("{part}{passes}");
        sandbox.replay(&line, Exit::Passed).bless(&line);
        assert!(!sandbox.said.contains("blessed"), "{}", sandbox.said);
    }
    sandbox.bless(part).says("blessed a/cups.png (replaced: 2 pixels differ");
    sandbox.replay(part, Exit::Passed);
}

const CHAIN: &str = "+1s tap B3\n+0ms settle within 5s\n+0ms expect frames game";

#[test]
fn a_golden_that_cannot_be_written_is_named_once() {
    let mut sandbox = GoldenSandbox::new();
    sandbox.options.bless = true;
    for (line, file) in [
        ("+0ms expect frame x", "a/x.png"),
        ("+500ms tap B3\n+0ms settle within 5s\n+0ms expect frames y", "a/y.frames"),
    ] {
        fs::create_dir_all(sandbox.path(file)).unwrap();
        sandbox.replay(line, Exit::Usage);
        sandbox.says(&format!(": {file}: cannot be written: it is a folder; name a file\n"));
        assert_eq!(sandbox.said.matches("cannot be written").count(), 1, "{}", sandbox.said);
    }
}

#[test]
fn a_chain_is_blessed_and_compared() {
    let mut sandbox = GoldenSandbox::new();
    sandbox
        .replay(CHAIN, Exit::Failed)
        .says("expected frames game, but there is no file a/game.frames");
    assert!(!sandbox.path("a").exists());
    sandbox.bless(CHAIN).says("blessed a/game.frames (new, ");
    let chain = Chain::load(&sandbox.path("a/game.frames")).unwrap();
    assert!(chain.links.len() > 5, "the stones of a move fall one by one");
    sandbox.replay(CHAIN, Exit::Passed).bless(CHAIN);
    assert!(!sandbox.said.contains("blessed"), "{}", sandbox.said);
}

#[test]
fn the_first_frame_of_a_chain_that_differs_is_shown() {
    let mut sandbox = GoldenSandbox::new();
    sandbox.bless(CHAIN);
    let chain = Chain::load(&sandbox.path("a/game.frames")).unwrap();
    let other = CHAIN.replace("B3", "B4");
    sandbox.replay(&other, Exit::Failed);
    let count = chain.links.len();
    sandbox
        .says(&format!("but frame 2 of {count} is another: at "))
        .says("in line 6, the LCD changed ")
        .says("    the frame before it showed:\n")
        .says("    the frame itself ");
    // The problem has the time of its frame; the command that reproduces it that of the line.
    let at =
        sandbox.said.split(" is another: at ").nth(1).unwrap().split(", after").next().unwrap();
    assert!(sandbox.said.contains(&format!(": at {at}: expected frames game")), "{}", sandbox.said);
    assert!(
        !sandbox.said.contains(&format!("--until {}\n", at.replace(' ', ""))),
        "the line finds it"
    );
    for kind in ["before", "actual", "diff"] {
        assert!(read_png(sandbox.path(&format!("artifacts/a/game.{kind}.png"))).is_ok(), "{kind}");
    }
    sandbox
        .bless(&other)
        .says(&format!("blessed a/game.frames (replaced: frame 2 of {count} is another"));
    sandbox.replay(&other, Exit::Passed);
    assert!(
        !sandbox.path("artifacts/a/game.diff.png").exists(),
        "what is there is of the last run"
    );
}

/// Changes the chain in the file at `path`.
fn change(path: &Path, how: impl FnOnce(&mut Chain)) {
    let mut chain = Chain::load(path).unwrap();
    how(&mut chain);
    chain.save(path).unwrap();
}

#[test]
fn a_missing_frame_is_distinguished_from_an_extra_one() {
    let mut sandbox = GoldenSandbox::new();
    sandbox.bless(CHAIN);
    let path = sandbox.path("a/game.frames");
    let whole = Chain::load(&path).unwrap();
    let count = whole.links.len();

    change(&path, |chain| _ = chain.links.remove(3));
    sandbox
        .replay(CHAIN, Exit::Failed)
        .says("the expected one comes 1 frame later: what lies between is new");
    whole.save(&path).unwrap();
    change(&path, |chain| chain.links.insert(3, whole.links[0]));
    sandbox
        .replay(CHAIN, Exit::Failed)
        .says("it is what comes 1 frame later: what lies between was left out");
    whole.save(&path).unwrap();
    change(&path, |chain| _ = chain.links.pop());
    sandbox.replay(CHAIN, Exit::Failed).says(&format!("but frame {count} is one too many: at "));
    whole.save(&path).unwrap();
    change(&path, |chain| chain.links.push(whole.links[0]));
    let missing =
        format!("but frame {} of {} did not come: expected was one at ", count + 1, count + 1);
    sandbox.replay(CHAIN, Exit::Failed).says(&missing);
}

#[test]
fn an_unused_chain_fails_and_an_incomplete_one_is_wrong_usage() {
    let mut sandbox = GoldenSandbox::new();
    sandbox.bless(CHAIN);
    sandbox.replay("+1s end", Exit::Failed).says("a/game.frames: no `expect frame` of the trace");
    let text = fs::read_to_string(sandbox.path("a/game.frames")).unwrap();
    fs::write(sandbox.path("a/game.frames"), &text[..text.len() / 2]).unwrap();
    sandbox
        .replay(CHAIN, Exit::Usage)
        .says("a/game.frames:")
        .says("restore the file, or write it anew with");
    sandbox.bless(CHAIN).says("blessed a/game.frames (replaced a file that was no chain; now ");
    sandbox.replay(CHAIN, Exit::Passed);
}

#[test]
fn the_native_firmware_does_not_allocate() {
    let mut sandbox = GoldenSandbox::new();
    sandbox.replay("+1s expect heap none", Exit::Passed);
}

#[test]
fn goldens_without_a_trace_are_reported() {
    let mut sandbox = GoldenSandbox::new();
    sandbox.bless("+0ms expect frame start");
    fs::create_dir_all(sandbox.path("old/pictures")).unwrap();
    fs::rename(sandbox.path("a"), sandbox.path("old/renamed")).unwrap();
    sandbox.bless("+0ms expect frame start");
    fs::write(sandbox.path("old/pictures/notes.txt"), "no goldens").unwrap();
    fs::copy(sandbox.path("a/start.png"), sandbox.path("old/pictures/start.png")).unwrap();

    let mut said = |filter: Option<&str>, shard: Option<&str>, exit: Exit| {
        sandbox.options.filter = filter.map(Into::into);
        sandbox.options.shard = shard.map(|shard| shard.parse().unwrap());
        sandbox.replay_folder(exit).said.clone()
    };
    let text = said(None, None, Exit::Failed);
    assert!(
        text.contains("FAIL old/renamed")
            && text.contains(
                "goldens without a trace; delete the folder, or restore old/renamed.trace"
            )
            && text.contains("1 passed, 1 failed"),
        "{text}"
    );
    // A run of selected traces does not report it; of several shards, only the first does.
    said(Some("a.trace"), None, Exit::Passed);
    said(None, Some("1/2"), Exit::Failed);
    said(None, Some("2/2"), Exit::Passed);
}
