use std::ffi::OsString;
use std::fs;

use hal_mock::{BoardConfig, Heap, Machine, MachineError, setup::SetupError};
use reading::text::Reader;
use trace::Trace;
use virtual_time::Instant;

use super::*;
use host::Exit;

const GAME: &str = "trace 1\ninclude on.inc\n+1s expect frame start\n";

struct Suite {
    folder: tempfile::TempDir,
    options: ReplayOptions,
}

impl Suite {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::create_dir(at("win")).unwrap();
        fs::write(at("win.trace"), GAME).unwrap();
        fs::write(at("on.inc"), "0ms power on\n").unwrap();
        fs::write(at("win/start.png"), "a picture").unwrap();
        let results = Some(ResultCache { folder: at("cache"), engine: "one".into(), seed: 0 });
        let options = ReplayOptions { results, ..ReplayOptions::default() };
        Self { folder, options }
    }

    fn results(&self) -> Results<'_> {
        Results::of(&self.options).unwrap()
    }

    fn key(&self) -> Key {
        self.results().key(&self.folder.path().join("win.trace"), &self.options).unwrap()
    }

    /// Returns the key of a suite after `change`.
    fn changed(change: impl FnOnce(&Path, &mut ReplayOptions)) -> Key {
        let mut suite = Self::new();
        change(suite.folder.path(), &mut suite.options);
        suite.key()
    }
}

fn entry() -> Entry {
    Entry { ended_at: Instant(97_213), record: "5f0c".into() }
}

#[test]
fn a_key_changes_with_everything_that_a_replay_depends_on() {
    let key = Suite::new().key();
    assert_eq!(Suite::changed(|_, _| {}), key, "the folder's own name is nothing");
    let write = |name: &'static str, text: &'static str| {
        Suite::changed(move |folder, _| fs::write(folder.join(name), text).unwrap())
    };
    let others = [
        write("win.trace", "trace 1\ninclude on.inc\n+1s expect frame start\n# more\n"),
        write("on.inc", "1ms power on\n"),
        write("win/start.png", "another"),
        write("win/unnamed.png", "a picture"),
        Suite::changed(|folder, _| fs::remove_file(folder.join("win/start.png")).unwrap()),
        Suite::changed(|_, options| options.results.as_mut().unwrap().engine = "two".into()),
        Suite::changed(|_, options| options.allow_violations = true),
        Suite::changed(|_, options| options.lenient = true),
        Suite::changed(|_, options| options.strict = true),
        Suite::changed(|_, options| options.until = Some(Instant::from_millis(3))),
    ];
    for (nth, other) in others.iter().enumerate() {
        assert_ne!(*other, key, "{nth}");
        assert!(others[..nth].iter().all(|before| before != other), "{nth}");
    }
}

#[test]
fn truncated_damaged_moved_or_old_entries_are_not_used() {
    let suite = Suite::new();
    let (results, key) = (suite.results(), suite.key());
    assert!(matches!(results.look_up(&key), CacheLookup::Nothing));
    results.keep(&key, &entry()).unwrap();
    let path = results.path(&key);
    assert_eq!(Entry::read(&path, &key).unwrap(), Some(entry()));
    let whole = fs::read(&path).unwrap();
    let said = || match results.look_up(&key) {
        CacheLookup::Unusable(why) => why,
        _ => panic!("{:?} is used", fs::read(&path)),
    };
    for length in 0..whole.len() {
        fs::write(&path, &whole[..length]).unwrap();
        assert!(said().contains("is cut off or damaged; the trace was replayed"), "{length}");
    }
    for at in 0..whole.len() {
        let mut flipped = whole.clone();
        flipped[at] ^= 1;
        fs::write(&path, &flipped).unwrap();
        said();
    }
    fs::write(&path, String::from_utf8(whole.clone()).unwrap().replace("result 1", "result 2"))
        .unwrap();
    assert!(said().contains("of another version of nudge"));
    fs::write(&path, entry().text(&Suite::changed(|_, options| options.strict = true))).unwrap();
    assert!(said().contains("cut off or damaged"), "the entry of another key");
    fs::remove_file(&path).unwrap();
    fs::create_dir(&path).unwrap();
    assert!(said().contains("cannot be read"));
}

#[test]
fn some_hits_are_replayed_nevertheless() {
    let suite = Suite::new();
    let key = suite.key();
    suite.results().keep(&key, &entry()).unwrap();
    let cache = |seed| ResultCache { seed, ..suite.options.results.clone().unwrap() };
    let checked = (0..3_200)
        .filter(|seed| matches!(Results(&cache(*seed)).look_up(&key), CacheLookup::Check(_)))
        .count();
    assert!((60..140).contains(&checked), "{checked} of 3200, one in {CHECKED_ONE_IN} expected");
}

#[test]
fn pruning_removes_the_oldest_entries_and_no_other_files() {
    let suite = Suite::new();
    let folder = suite.folder.path().join("cache");
    fs::create_dir(&folder).unwrap();
    let now = fs::metadata(&folder).unwrap().modified().unwrap();
    for age in 0..9 {
        let file = fs::File::create(folder.join(format!("{age:064}.result"))).unwrap();
        file.set_modified(now - std::time::Duration::from_secs(age)).unwrap();
    }
    for name in ["0.result", "notes.txt"] {
        fs::write(folder.join(name), "").unwrap();
    }
    suite.results().prune_to(3);
    let mut names: Vec<_> =
        fs::read_dir(&folder).unwrap().map(|it| it.unwrap().file_name()).collect();
    names.sort();
    let kept = (0..3).map(|age| format!("{age:064}.result"));
    let mut expected: Vec<_> = kept.chain(["0.result", "notes.txt"].map(String::from)).collect();
    expected.sort();
    assert_eq!(names, expected.iter().map(OsString::from).collect::<Vec<_>>());
}

#[test]
fn a_run_that_needs_replays_uses_no_results() {
    let options = Suite::new().options;
    assert!(Results::of(&options).is_some());
    let with = |change: fn(&mut ReplayOptions)| {
        let mut options = options.clone();
        change(&mut options);
        Results::of(&options).is_none()
    };
    assert!(with(|options| options.bless = true));
    assert!(with(|options| options.repeat = std::num::NonZero::new(2)));
    assert!(with(|options| options.artifacts = Some("a".into())));
    assert!(with(|options| options.contact_sheet = Some("a.png".into())));
    assert!(with(|options| options.junit = Some("a.xml".into())));
    assert!(with(|options| options.html = Some("a".into())));
    assert!(with(|options| options.results = None));
}

/// A board whose firmware sounds a tone, if one is set, and does nothing else.
struct Sounding {
    board: VirtualBoard,
    hertz: Option<u32>,
}

impl Machine for Sounding {
    fn board(&self) -> &VirtualBoard {
        &self.board
    }

    fn power_on(&mut self) -> Result<(), MachineError> {
        self.board.power_on();
        self.board.terminals().set_tone(self.board.now(), self.hertz);
        Ok(())
    }

    fn power_off(&mut self) {
        self.board.power_off();
    }

    fn step(&mut self, limit: Instant) -> Result<(), MachineError> {
        self.board.advance_to(limit);
        Ok(())
    }

    fn heap(&self) -> Heap {
        Heap::Absent
    }

    fn fork(&self) -> Option<Box<dyn Machine>> {
        None
    }
}

const QUIET: &str = "trace 1\n0ms power on\n+1s expect no console \"lost\"\n+0ms end\n";

/// Runs the traces below `folder` on boards that sound `hertz`. Returns the exit code and the
/// standard output.
fn replay(folder: &Path, cache: &ResultCache, hertz: Option<u32>) -> (Exit, String) {
    let options = ReplayOptions { results: Some(cache.clone()), ..ReplayOptions::default() };
    let build = |_: &Trace| -> Result<Box<dyn Machine>, SetupError> {
        let board = VirtualBoard::new(BoardConfig::default());
        Ok(Box::new(Sounding { board, hertz }))
    };
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let reader = Reader::new(Vec::new());
    let paths = [folder.join("suite")];
    let exit = crate::run(&paths, &options, &build, &reader, &mut out, &mut err).unwrap();
    assert_eq!(String::from_utf8(err).unwrap(), "");
    (exit, String::from_utf8(out).unwrap())
}

/// Returns a folder with a trace that passes, and a cache with a seed that selects no hit for a
/// check.
fn passing() -> (tempfile::TempDir, ResultCache) {
    let folder = tempfile::tempdir().unwrap();
    let suite = folder.path().join("suite");
    fs::create_dir(&suite).unwrap();
    fs::write(suite.join("quiet.trace"), QUIET).unwrap();
    let cache = ResultCache { folder: folder.path().join("cache"), engine: "e".into(), seed: 0 };
    let cache = seeded(folder.path(), &cache, false);
    (folder, cache)
}

/// Returns the cache with a seed that does or does not select `quiet.trace` for a check.
fn seeded(folder: &Path, cache: &ResultCache, checks: bool) -> ResultCache {
    let path = folder.join("suite/quiet.trace");
    let options = ReplayOptions::default();
    let key = Key::of(&cache.engine, &path, &options).unwrap();
    let is_drawn = |seed: &u64| key.draw(*seed).is_multiple_of(CHECKED_ONE_IN) == checks;
    ResultCache { seed: (0..).find(is_drawn).unwrap(), ..cache.clone() }
}

#[track_caller]
fn check(said: (Exit, String), exit: Exit, parts: &[&str]) {
    assert_eq!(said.0, exit, "{}", said.1);
    for part in parts {
        assert!(said.1.contains(part), "no {part:?} in\n{}", said.1);
    }
}

#[test]
fn a_passed_trace_is_cached_until_its_file_changes() {
    let (folder, cache) = passing();
    let run = || replay(folder.path(), &cache, None);
    let first = run();
    assert!(!first.1.contains("cache"), "{}", first.1);
    check(first, Exit::Passed, &["1.0s of board time in ", "1 passed, 0 failed\n"]);
    let parts =
        ["PASS ", "cached, 1.0s of board time", "1 passed, 0 failed; 1 from the result cache\n"];
    check(run(), Exit::Passed, &parts);
    fs::write(folder.path().join("suite/quiet.trace"), QUIET.replace("+1s", "+2s")).unwrap();
    check(run(), Exit::Passed, &["2.0s of board time in ", "1 passed, 0 failed\n"]);
}

#[test]
fn failures_and_notices_are_never_cached() {
    let (folder, cache) = passing();
    for (text, exit) in [
        (QUIET.replace("no console", "console"), Exit::Failed),
        (QUIET.replace("expect no console \"lost\"", "settle within 1s"), Exit::Passed),
    ] {
        fs::write(folder.path().join("suite/quiet.trace"), text).unwrap();
        let first = replay(folder.path(), &cache, None);
        let again = replay(folder.path(), &cache, None);
        assert_eq!((first.0, again.0), (exit, exit), "{}", first.1);
        assert!(!again.1.contains("cache"), "{}", again.1);
    }
    assert_eq!(fs::read_dir(&cache.folder).map_or(0, Iterator::count), 0);
}

#[test]
fn a_checked_hit_that_differs_fails_the_trace() {
    let (folder, cache) = passing();
    let checking = seeded(folder.path(), &cache, true);
    check(replay(folder.path(), &cache, None), Exit::Passed, &["1 passed"]);
    let said = replay(folder.path(), &checking, None);
    let parts = ["of board time in ", "; 0 from the result cache, 1 replayed to check it\n"];
    check(said, Exit::Passed, &parts);
    let said = replay(folder.path(), &checking, Some(440));
    let parts = ["FAIL ", "an earlier replay of the same files", "not deterministic", "--no-cache"];
    check(said, Exit::Failed, &parts);
    // A hit that is not selected for a check is not replayed.
    check(replay(folder.path(), &cache, Some(440)), Exit::Passed, &["cached"]);
}

#[test]
fn a_damaged_entry_is_reported_and_replaced() {
    let (folder, cache) = passing();
    check(replay(folder.path(), &cache, None), Exit::Passed, &["1 passed"]);
    let entry = fs::read_dir(&cache.folder).unwrap().next().unwrap().unwrap().path();
    fs::write(&entry, "nudge result 1\nended 1").unwrap();
    let said = replay(folder.path(), &cache, None);
    check(
        said,
        Exit::Passed,
        &["1.0s of board time in ", "is cut off or damaged; the trace was replayed"],
    );
    check(replay(folder.path(), &cache, None), Exit::Passed, &["cached"]);
}
