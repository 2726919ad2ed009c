//! Tests the pictures of one trace without a replay: writing, comparing, blessing and cleaning up.

use hal_mock::{BoardConfig, board::Tone};
use ili9341_model::Region;
use reading::golden::{chain::Chain, chain::ChainFormat, chain::Link};
use tempfile::TempDir;
use trace::parse;

use super::*;

/// A folder with a trace in it.
struct GalleryFolder {
    folder: TempDir,
    found: FoundTrace,
    trace: Trace,
    options: ReplayOptions,
}

impl GalleryFolder {
    /// Creates a gallery without artifacts.
    fn bare() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let text = "trace 1\n0ms power on\n1s expect frame start\n+0ms expect frames all\n";
        let found = FoundTrace { path: folder.path().join("a.trace"), artifacts: "a".into() };
        let trace = parse("a.trace", text).unwrap();
        Self { folder, found, trace, options: ReplayOptions::default() }
    }

    fn new() -> Self {
        let mut fixture = Self::bare();
        fixture.options.artifacts = Some(fixture.folder.path().join("out"));
        fixture
    }

    fn blessing() -> Self {
        let mut fixture = Self::bare();
        fixture.options.bless = true;
        fixture
    }

    fn gallery(&self) -> Gallery<'_> {
        let mut gallery = Gallery::new(&self.found, &self.trace, &self.options, reader()).unwrap();
        gallery.open().unwrap();
        gallery
    }

    fn at(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Returns the names in one of the gallery's folders, sorted.
    fn names(&self, folder: &str) -> Vec<String> {
        let entries = fs::read_dir(self.at(folder)).into_iter().flatten().flatten();
        let mut names: Vec<String> =
            entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }
}

fn grey(level: u32) -> Frame {
    Frame::filled(320, 240, level * 0x0001_0101)
}

fn start() -> FrameCheck {
    FrameCheck::from("start")
}

/// Adds frames of these grey levels to the chain `all`, then judges it and returns the result.
fn chain(gallery: &mut Gallery<'_>, levels: &[u32]) -> Result<(), String> {
    let mut before = grey(0);
    for (nth, level) in levels.iter().enumerate() {
        let frame = grey(*level);
        let link = Link::between(&before, &frame, Instant::from_millis(nth as u64)).unwrap();
        gallery
            .watch("all", &ChainFrame { link, frame: &frame, before: &before, after: "power on" });
        before = frame;
    }
    gallery.chain("all").map_err(|error| error.to_string())
}

/// Returns the chain `all` of frames of these grey levels in the first format of nudge.
fn first_format(levels: &[u32]) -> Chain {
    let links = levels.iter().scan(grey(0), |before, level| {
        let before = std::mem::replace(before, grey(*level));
        let link = Link::between(&before, &grey(*level), Instant::START)?;
        Some(Link { hash: ChainFormat::First.hash_of(&link, &grey(*level)), ..link })
    });
    Chain { format: ChainFormat::First, links: links.collect() }
}

#[test]
fn a_chain_in_the_first_format_is_blessed_in_the_current_one() {
    let fixture = GalleryFolder::bare();
    let path = fixture.at("a/all.frames");
    first_format(&[1, 2, 3]).save(&path).unwrap();
    assert!(fs::read_to_string(&path).unwrap().starts_with("frames 1\n"));
    assert_eq!(chain(&mut fixture.gallery(), &[1, 2, 3]), Ok(()));
    let error = chain(&mut fixture.gallery(), &[1, 4, 2, 3]).unwrap_err();
    assert!(error.contains("frame 2 of 3 is another"), "{error}");
    assert!(error.contains("comes 1 frame later: what lies between is new"), "{error}");
    let mut blessing = GalleryFolder::blessing();
    blessing.found = fixture.found;
    blessing.folder = fixture.folder;
    let mut gallery = blessing.gallery();
    assert_eq!(chain(&mut gallery, &[1, 2, 3]), Ok(()));
    let blessed = format!("blessed {} (written in the present format; 3 frames)", path.display());
    assert_eq!(gallery.notes, [blessed]);
    assert!(fs::read_to_string(&path).unwrap().starts_with("frames 2\n"));
    let mut gallery = blessing.gallery();
    assert_eq!(chain(&mut gallery, &[1, 2, 3]), Ok(()));
    assert_eq!(gallery.notes, [""; 0], "it is right as it is");
    assert_eq!(Chain::load(&path).unwrap().format, ChainFormat::Second);
}

#[test]
fn three_pictures_of_a_difference_are_removed_by_the_next_run() {
    let fixture = GalleryFolder::new();
    golden::write_png(fixture.at("a/start.png"), &grey(9)).unwrap();
    let mut gallery = fixture.gallery();
    assert!(gallery.check(&start(), &grey(9)).is_ok());
    assert_eq!(fixture.names("out/a"), [""; 0]);
    let error = gallery.check(&start(), &grey(8)).unwrap_err().to_string();
    assert!(error.contains("76800 pixels differ"), "{error}");
    let left = ["start.actual.png", "start.diff.png", "start.expected.png"];
    assert_eq!(fixture.names("out/a"), left);
    assert_eq!(golden::read_png(fixture.at("out/a/start.actual.png")).unwrap(), grey(8));
    assert_eq!(golden::read_png(fixture.at("out/a/start.expected.png")).unwrap(), grey(9));
    assert_eq!((gallery.exit, gallery.notes.len()), (Exit::Passed, 0), "the replay reports it");
    fs::write(fixture.at("out/a/other.png"), "").unwrap();
    fixture.gallery();
    assert_eq!(fixture.names("out/a"), ["other.png"]);
}

#[test]
fn a_golden_that_is_missing_leaves_what_the_lcd_shows() {
    let fixture = GalleryFolder::new();
    let error = fixture.gallery().check(&start(), &grey(8)).unwrap_err().to_string();
    assert!(error.contains("there is no golden"), "{error}");
    let bless = format!("keep it: nudge replay {} --bless", fixture.found.path.display());
    assert!(error.ends_with(&bless), "{error}");
    assert_eq!(fixture.names("out/a"), ["start.actual.png"]);
    let bare = GalleryFolder::bare();
    assert!(bare.gallery().check(&start(), &grey(8)).is_err());
    assert_eq!(bare.names("."), [""; 0]);
    assert_eq!(
        (bare.gallery().artifacts_folder(), bare.gallery().folder()),
        (None, &*bare.at("a"))
    );
}

#[test]
fn a_golden_that_is_no_picture_is_wrong_usage() {
    let fixture = GalleryFolder::new();
    fs::create_dir(fixture.at("a")).unwrap();
    for (text, expected) in
        [("x", "a/start.png"), ("version https://git-lfs.github.com/spec/v1\n", "Git LFS")]
    {
        fs::write(fixture.at("a/start.png"), text).unwrap();
        let mut gallery = fixture.gallery();
        let error = gallery.check(&start(), &grey(8)).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
        // The content behind a Git LFS pointer is unknown: it must be fetched, not written again.
        assert_eq!(error.contains("write it anew"), expected != "Git LFS", "{error}");
        assert_eq!(gallery.exit, Exit::Usage);
    }
}

#[test]
fn blessing_writes_and_reports_new_and_differing_goldens() {
    let fixture = GalleryFolder::blessing();
    let mut gallery = fixture.gallery();
    let at = fixture.at("a/start.png");
    gallery.check(&start(), &grey(9)).unwrap();
    gallery.check(&start(), &grey(9)).unwrap();
    assert_eq!(gallery.notes, [format!("blessed {} (new, 320x240)", at.display())]);
    assert_eq!(golden::read_png(&at).unwrap(), grey(9));
    let again = gallery.check(&start(), &grey(8)).unwrap_err().to_string();
    assert!(again.contains("two names"), "{again}");
    assert_eq!(golden::read_png(&at).unwrap(), grey(9));

    // The next run may replace what an earlier run has blessed.
    let mut gallery = fixture.gallery();
    gallery.check(&start(), &grey(8)).unwrap();
    let said = format!("blessed {} (replaced: 76800 pixels differ", at.display());
    assert!(gallery.notes[0].starts_with(&said), "{:?}", gallery.notes);

    let part = Region { x: 0, y: 0, width: 2, height: 3 };
    let expected = FrameCheck { region: Some(part), ..start() };
    let mut gallery = fixture.gallery();
    gallery.check(&expected, &grey(8)).unwrap();
    assert!(gallery.notes[0].ends_with("(replaced: the frame is 2x3, the golden 320x240)"));
    assert_eq!(golden::read_png(&at).unwrap(), grey(8).part(part));

    fs::write(&at, "x").unwrap();
    let mut gallery = fixture.gallery();
    gallery.check(&start(), &grey(8)).unwrap();
    assert!(gallery.notes[0].ends_with("(replaced a file that was no picture)"));

    let pointer = "version https://git-lfs.github.com/spec/v1\n";
    fs::write(&at, pointer).unwrap();
    let mut gallery = fixture.gallery();
    assert!(gallery.check(&start(), &grey(8)).is_err());
    assert_eq!(fs::read_to_string(&at).unwrap(), pointer);
}

#[test]
fn only_frames_that_break_the_rules_are_blessed() {
    let fixture = GalleryFolder::blessing();
    golden::write_png(fixture.at("a/start.png"), &grey(0)).unwrap();
    let few =
        |pixels_off| FrameCheck { rules: Rules { pixels_off, ..Rules::default() }, ..start() };
    let mut shown = grey(0);
    shown.pixels_mut()[..2].fill(0x00FF_FFFF);
    let mut gallery = fixture.gallery();
    gallery.check(&few(2), &shown).unwrap();
    assert_eq!(gallery.notes, [""; 0]);
    gallery.check(&few(1), &shown).unwrap();
    assert!(gallery.notes[0].contains("(replaced: 2 pixels differ, in"), "{:?}", gallery.notes);
}

#[test]
fn a_chain_is_blessed_and_its_first_difference_shown() {
    let fixture = GalleryFolder::blessing();
    let (mut gallery, at) = (fixture.gallery(), fixture.at("a/all.frames"));
    chain(&mut gallery, &[1, 2]).unwrap();
    assert_eq!(gallery.notes, [format!("blessed {} (new, 2 frames)", at.display())]);
    let mut gallery = fixture.gallery();
    chain(&mut gallery, &[1, 2]).unwrap();
    assert_eq!(gallery.notes, [""; 0]);
    chain(&mut gallery, &[1, 3]).unwrap();
    assert!(gallery.notes[0].contains("(replaced: frame 2 of 2 is another"));
    fs::write(&at, "x").unwrap();
    let mut gallery = fixture.gallery();
    chain(&mut gallery, &[1, 2]).unwrap();
    assert!(gallery.notes[0].ends_with("(replaced a file that was no chain; now 2 frames)"));

    let mut options = fixture.options.clone();
    (options.bless, options.artifacts) = (false, Some(fixture.at("out")));
    let fixture = GalleryFolder { options, ..fixture };
    let mut gallery = fixture.gallery();
    chain(&mut gallery, &[1, 2]).unwrap();
    assert_eq!(fixture.names("out/a"), [""; 0]);
    assert!(gallery.differing.is_none());
    let error = chain(&mut gallery, &[1, 3]).unwrap_err();
    assert!(error.contains("frame 2 of 2 is another"), "{error}");
    assert_eq!(fixture.names("out/a"), ["all.actual.png", "all.before.png", "all.diff.png"]);
    assert_eq!(gallery.differing.take().unwrap().actual, grey(3));
    let error = chain(&mut gallery, &[1]).unwrap_err();
    assert!(error.contains("frame 2 of 2 did not come") && !error.contains("see "), "{error}");
    assert_eq!(gallery.exit, Exit::Passed);
    assert_eq!(fixture.names("out/a").len(), 3);
    fixture.gallery();
    assert_eq!(fixture.names("out/a"), [""; 0]);
}

#[test]
fn a_chain_needs_its_own_file() {
    let fixture = GalleryFolder::new();
    let mut gallery = fixture.gallery();
    let error = chain(&mut gallery, &[1, 2]).unwrap_err();
    assert!(error.contains("there is no file") && error.contains("; 2 were seen"), "{error}");
    assert!(chain(&mut gallery, &[]).unwrap_err().contains("; 0 were seen"));
    assert_eq!(gallery.exit, Exit::Passed);
    fs::create_dir(fixture.at("a")).unwrap();
    fs::write(fixture.at("a/all.frames"), "x").unwrap();
    let mut gallery = fixture.gallery();
    assert!(chain(&mut gallery, &[1]).unwrap_err().contains("restore the file"));
    assert_eq!(gallery.exit, Exit::Usage);
    fs::write(fixture.at("a/all.frames"), "version https://git-lfs.github.com/spec/v1\n").unwrap();
    let error = chain(&mut fixture.gallery(), &[1]).unwrap_err();
    assert!(error.contains("Git LFS") && !error.contains("write it anew"), "{error}");
}

#[test]
fn goldens_that_no_line_compares_with_are_named() {
    let fixture = GalleryFolder::bare();
    assert_eq!(fixture.gallery().unused().unwrap(), [""; 0].map(PathBuf::from));
    fs::write(fixture.at("a"), "no folder").unwrap();
    assert_eq!(fixture.gallery().unused().unwrap(), [""; 0].map(PathBuf::from));
    fs::remove_file(fixture.at("a")).unwrap();
    fs::create_dir(fixture.at("a")).unwrap();
    for name in [
        "start.png",
        "all.frames",
        "notes.txt",
        "start.frames",
        "all.png",
        "end.png",
        "start.PNG",
        "x.frames",
    ] {
        fs::write(fixture.at("a").join(name), "").unwrap();
    }
    let unused = fixture.gallery().unused().unwrap();
    let expected = ["all.png", "end.png", "start.PNG", "start.frames", "x.frames"];
    assert_eq!(unused, expected.map(|name| fixture.at("a").join(name)));
}

#[test]
fn unreadable_or_unremovable_files_are_errors() {
    let fixture = GalleryFolder::new();
    fs::create_dir_all(fixture.at("out/a/start.actual.png")).unwrap();
    let mut gallery =
        Gallery::new(&fixture.found, &fixture.trace, &fixture.options, reader()).unwrap();
    let error = gallery.open().unwrap_err();
    assert!(error.to_string().contains("start.actual.png"), "{error}");
    #[cfg(unix)]
    {
        // A symbolic link to itself.
        std::os::unix::fs::symlink(fixture.at("a"), fixture.at("a")).unwrap();
        let error = gallery.unused().unwrap_err();
        assert_eq!(error.exit(), Exit::Usage);
        assert!(error.to_string().starts_with(&fixture.at("a").display().to_string()), "{error}");
    }
}

#[test]
fn screenshots_of_one_name_are_numbered() {
    let fixture = GalleryFolder::new();
    let mut gallery = fixture.gallery();
    for level in 1..=3 {
        gallery.screenshot("menu", &grey(level)).unwrap();
    }
    gallery.screenshot("menu-2", &grey(4)).unwrap();
    let names = ["menu-2-2.png", "menu-2.png", "menu-3.png", "menu.png"];
    assert_eq!(fixture.names("out/a"), names);
    assert_eq!(golden::read_png(fixture.at("out/a/menu-3.png")).unwrap(), grey(3));
    assert!(gallery.pictures.is_empty(), "no contact sheet is asked for");
}

#[test]
fn the_contact_sheet_skips_repeated_screens() {
    let mut fixture = GalleryFolder::bare();
    fixture.options.contact_sheet = Some(fixture.at("sheet.png"));
    let mut gallery = fixture.gallery();
    for level in [1, 1, 2, 1] {
        gallery.screenshot("menu", &grey(level)).unwrap();
    }
    gallery.screenshot("empty", &Frame::filled(0, 0, 0)).unwrap();
    let board = VirtualBoard::new(BoardConfig::default());
    gallery.close(&board, Instant::START).unwrap();
    let names: Vec<&str> = gallery.pictures.iter().map(|picture| &*picture.name).collect();
    assert_eq!(names, ["menu", "menu", "menu", "at the end"]);
    assert_eq!(gallery.pictures[0].title, fixture.found.path.display().to_string());
    assert_eq!(gallery.pictures[1].png, golden::encode_png(&grey(2)));
}

#[test]
fn the_end_saves_console_and_tones_and_on_request_the_flash() {
    let fixture = GalleryFolder::new();
    let board = VirtualBoard::new(BoardConfig::default());
    board.power_on();
    for (nth, byte) in (1..).zip(*b"move B1\r\n") {
        board.terminals().hear(Instant::from_millis(nth), byte);
    }
    board.terminals().set_tone(Instant::from_millis(10), Some(440));
    board.advance_to(Instant::from_millis(20));
    fixture.gallery().close(&board, board.now()).unwrap();
    let read = |name: &str| fs::read(fixture.at("out/a").join(name)).unwrap();
    assert_eq!(read("console.txt"), b"move B1\n");
    assert_eq!(read("tones.txt"), b"10ms 440Hz for 10ms\n");
    assert!(!fixture.at("out/a/flash.bin").exists(), "the flash is saved where it is wanted");
    fixture.gallery().save_flash(&board, true).unwrap();
    assert_eq!(read("flash.bin"), board.with_flash(|flash| flash.image().to_vec()));
    fixture.gallery().save_flash(&board, false).unwrap();
    assert!(!fixture.at("out/a/flash.bin").exists(), "what is there is of the last run");
    let bare = GalleryFolder::bare();
    bare.gallery().close(&board, board.now()).unwrap();
    assert_eq!(bare.names("."), [""; 0]);
}

#[test]
fn tones_are_listed_with_their_durations() {
    let tone = |millis, hz| Tone { at: Instant::from_millis(millis), hz };
    let tones = [tone(0, None), tone(10, Some(440)), tone(20, Some(880)), tone(50, None)];
    for (end, list) in [
        (60, "10ms 440Hz for 10ms\n20ms 880Hz for 30ms\n"),
        (40, "10ms 440Hz for 10ms\n20ms 880Hz for 20ms\n"),
        (20, "10ms 440Hz for 10ms\n20ms 880Hz for 0ms\n"),
        (15, "10ms 440Hz for 5ms\n"),
    ] {
        assert_eq!(tone_list(&tones, Instant::from_millis(end)), list, "{end}");
    }
}

/// Returns a reader without fonts.
fn reader() -> &'static Reader {
    static READER: std::sync::OnceLock<Reader> = std::sync::OnceLock::new();
    READER.get_or_init(|| Reader::new(Vec::new()))
}
