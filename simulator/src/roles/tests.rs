//! Tests every pair of paths of every verb.

use std::any::TypeId;
use std::ffi::OsString;
use std::fs;
use std::num::NonZero;

use boards::emulated_probe::WireFault;
use captures::{WireMap, Wiring};
use clap::{Command, CommandFactory, Parser};
use embedded_graphics::geometry::Size;
use firmware_core::systems::Game;
use host::clock::Speed;
use ili9341_model::Region;
use rp2040_tools::analog::AdcSetting;
use rp2040_tools::defmt_log::{Format, Levels};
use runner::{PictureProtocol, Shard};
use tempfile::TempDir;
use trace::Date;
use virtual_time::{Instant, Nanos};

use super::*;
use crate::cli::panel_look::PanelLook;
use crate::cli::several::BoardList;
use crate::cli::{AcceptedCauses, Cli, Color, Defmt, FlashKind, OnFault, TtyGraphics, Usb};
use crate::trace::arguments::SamePart;

/// The use of a path on a command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PathUse {
    Reads,
    Writes,
    /// A folder, or the files in a folder.
    Folder,
    /// Traces that are read by a verb that writes no files.
    Alone,
}

/// A path of a verb: its name in clap, its syntax (`{}` is the path), and the file's extension.
type Row = (&'static str, &'static str, &'static str, PathUse);

use PathUse::{Alone, Folder, Reads, Writes};

const VERBS: &[(&str, &[Row])] = &[
    (
        "run",
        &[
            ("record", "--record {}", "trace", Writes),
            ("board", "--board pico={}", "elf", Reads),
            ("keymap", "--keymap {}", "keys", Reads),
            ("captures", "--captures {}", "", Folder),
            ("flash", "--flash {}", "bin", Writes),
            ("target", "--watch --target {}", "", Folder),
        ],
    ),
    ("run --tty", &[("file", "{}", "trace", Reads), ("captures", "--captures {}", "", Folder)]),
    (
        "replay",
        &[
            ("paths", "{}", "trace", Reads),
            ("board", "--board pico={}", "elf", Reads),
            ("artifacts", "--artifacts {}", "", Folder),
            ("cache", "--cache {}", "", Folder),
            ("junit", "--junit {}", "xml", Writes),
            ("html", "--html {}", "", Folder),
            ("vcd", "--vcd {}", "vcd", Writes),
            ("gif", "--gif {}", "gif", Writes),
            ("perfetto", "--perfetto {}", "json", Writes),
            ("coverage", "--coverage {}", "info", Writes),
            ("flamegraph", "--flamegraph {}", "svg", Writes),
            ("contact_sheet", "--contact-sheet {}", "png", Writes),
            ("observer", "--observer {}", "csv", Reads),
        ],
    ),
    // The row above has the paths that `--against` excludes.
    (
        "replay -q",
        &[
            ("paths", "{}", "trace", Reads),
            ("board", "--board pico={}", "elf", Reads),
            ("against", "--against native={}", "", Reads),
            ("html", "--html {}", "", Folder),
            ("markdown", "--markdown {}", "md", Writes),
            ("target", "--target {}", "", Folder),
        ],
    ),
    // The options of the boards exclude each other.
    (
        "replay --until 1s",
        &[
            ("paths", "{}", "trace", Reads),
            ("boards", "--boards native,pico={}", "elf", Reads),
            ("artifacts", "--artifacts {}", "", Folder),
        ],
    ),
    // A project replaces the traces and the board.
    (
        "replay --lossy",
        &[("wokwi", "--wokwi {}", "", Folder), ("junit", "--junit {}", "xml", Writes)],
    ),
    (
        "replay --shard 1/2",
        &[
            ("paths", "{}", "trace", Reads),
            ("junit", "--junit {}", "xml", Writes),
            ("durations", "--durations {}", "xml", Reads),
        ],
    ),
    ("adopt", &[("file", "{}", "uf2", Reads), ("output", "--output {}", "toml", Writes)]),
    ("quiz", &[("file", "{}", "uf2", Alone), ("against", "--against {}", "txt", Alone)]),
    (
        "font learn --in 1,2,3,4",
        &[
            ("trace", "{} X", "trace", Reads),
            ("output", "--output {}", "bdf", Writes),
            ("board", "--board pico={}", "elf", Reads),
        ],
    ),
    ("board check", &[("files", "{}", "toml", Reads)]),
    ("board show", &[("file", "{}", "toml", Reads)]),
    ("panel check", &[("files", "{}", "toml", Reads)]),
    ("board import", &[("from", "{}", "json", Reads), ("output", "--output {}", "toml", Writes)]),
    ("review", &[("paths", "{}", "trace", Alone), ("board", "--board pico={}", "elf", Alone)]),
    ("bisect --good v1", &[("trace", "{}", "trace", Alone), ("target", "--target {}", "", Folder)]),
    ("serve", &[("socket", "--socket {}", "sock", Alone), ("folder", "--folder {}", "", Folder)]),
    ("mcp", &[("folder", "--folder {}", "", Folder)]),
    ("open", &[("trace", "{}", "trace", Alone), ("board", "--board pico={}", "elf", Alone)]),
    (
        "export",
        &[
            ("output", "{}", "html", Writes),
            ("trace", "--trace {}", "trace", Reads),
            ("board", "--board pico={}", "elf", Reads),
        ],
    ),
    (
        "screenshot",
        &[
            ("trace", "{}", "trace", Reads),
            ("output", "--output {}", "png", Writes),
            ("board", "--board pico={}", "elf", Reads),
        ],
    ),
    (
        "atlas",
        &[
            ("output", "--output {}", "html", Writes),
            ("seen_by", "--seen-by {}", "trace", Reads),
            ("board", "--board pico={}", "elf", Reads),
            ("traces", "--traces {}", "", Folder),
        ],
    ),
    (
        "report merge",
        &[
            ("reports", "{}", "xml", Reads),
            ("junit", "--junit {}", "xml", Writes),
            ("html", "--html {}", "", Folder),
        ],
    ),
    ("report history", &[("folder", "{}", "", Folder)]),
    ("panel check", &[("files", "{}", "toml", Alone)]),
    ("trace check", &[("paths", "{}", "trace", Reads), ("junit", "--junit {}", "xml", Writes)]),
    ("trace fmt", &[("paths", "{}", "trace", Alone), ("board", "--board {}", "board.toml", Alone)]),
    ("trace info", &[("paths", "{}", "trace", Alone)]),
    (
        "trace timing",
        &[("paths", "{}", "trace", Alone), ("board", "--board pico={}", "elf", Alone)],
    ),
    (
        "trace convert",
        &[
            ("from", "{}", "csv", Reads),
            ("to", "{}", "vcd", Writes),
            ("board", "--board pico={}", "elf", Reads),
        ],
    ),
    (
        "trace compare",
        &[
            ("real", "{}", "vcd", Alone),
            ("simulated", "{}", "vcd", Alone),
            ("board", "--board {}", "board.toml", Alone),
        ],
    ),
    (
        "trace rank",
        &[
            ("paths", "{}", "trace", Reads),
            ("board", "--board pico={}", "elf", Reads),
            ("html", "--html {}", "html", Writes),
        ],
    ),
    (
        "trace observe",
        &[("paths", "{}", "trace", Alone), ("board", "--board pico={}", "elf", Alone)],
    ),
    (
        "trace why --pixel 1,1",
        &[("trace", "{}", "trace", Alone), ("board", "--board pico={}", "elf", Alone)],
    ),
    (
        "trace tidy",
        &[
            ("recording", "{}", "trace", Reads),
            ("output", "--output {}", "trace", Writes),
            ("board", "--board pico={}", "elf", Reads),
        ],
    ),
    (
        "trace fuzz",
        &[
            ("traces", "{}", "trace", Alone),
            ("board", "--board pico={}", "elf", Alone),
            ("out", "--out {}", "", Folder),
        ],
    ),
    (
        "trace shrink",
        &[
            ("trace", "{}", "trace", Reads),
            ("output", "--output {}", "trace", Writes),
            ("board", "--board pico={}", "elf", Reads),
            ("passes_on", "--passes-on pico={}", "elf", Reads),
        ],
    ),
    ("flash ls", &[("image", "{}", "bin", Alone)]),
    ("flash export", &[("image", "{}", "bin", Alone), ("out", "--out {}", "", Folder)]),
    ("flash delete", &[("image", "{} GAME", "bin", Alone)]),
    ("flash import", &[("image", "{}", "bin", Writes), ("files", "{}", "txt", Reads)]),
    ("probe flash", &[("file", "{}", "uf2", Reads), ("drive", "--drive {}", "", Folder)]),
    ("probe flash-board", &[("file", "{}", "elf", Reads)]),
    (
        "emulate",
        &[
            ("file", "{}", "elf", Reads),
            ("input", "--input {}", "txt", Reads),
            ("rtt_input", "--rtt-input {}", "bin", Reads),
            ("trace_instructions", "--trace-instructions={}", "log", Writes),
            ("flamegraph", "--flamegraph {}", "svg", Writes),
            ("coverage", "--coverage {}", "info", Writes),
            ("vcd", "--vcd {}", "vcd", Writes),
            ("adc", "--adc 0={}", "csv", Reads),
            ("pins", "--pins {}", "vcd", Reads),
            ("uart1", "--uart1 {}", "txt", Writes),
            ("uart1_input", "--uart1-input {}", "txt", Reads),
            ("log_bus", "--log-bus {}", "log", Writes),
            ("boot_rom", "--boot-rom {}", "bin", Reads),
        ],
    ),
    // This option replaces the file argument; the words after it are the program's arguments.
    (
        "emulate --until 1s",
        &[
            ("coverage", "--coverage {}", "info", Writes),
            ("uart1", "--uart1 {}", "txt", Writes),
            ("cargo", "--cargo {}", "elf", Reads),
        ],
    ),
];

/// Types of arguments that are paths or may contain them.
const PATHS: &[fn() -> TypeId] = &[
    TypeId::of::<AdcSetting>,
    TypeId::of::<Against>,
    TypeId::of::<Board>,
    // The program and its arguments, for `nudge emulate --cargo`.
    TypeId::of::<OsString>,
    TypeId::of::<PathBuf>,
    TypeId::of::<BoardList>,
];

/// Types of arguments that contain no paths.
const NO_PATHS: &[fn() -> TypeId] = &[
    TypeId::of::<bool>,
    TypeId::of::<u8>,
    TypeId::of::<u16>,
    TypeId::of::<u32>,
    TypeId::of::<u64>,
    TypeId::of::<usize>,
    TypeId::of::<(usize, usize)>,
    TypeId::of::<[usize; 2]>,
    TypeId::of::<NonZero<u32>>,
    TypeId::of::<NonZero<usize>>,
    // Names, texts, shell commands, serial ports and addresses.
    TypeId::of::<String>,
    TypeId::of::<AcceptedCauses>,
    TypeId::of::<Color>,
    TypeId::of::<Date>,
    TypeId::of::<Defmt>,
    TypeId::of::<SamePart>,
    TypeId::of::<FlashKind>,
    TypeId::of::<Format>,
    TypeId::of::<Game>,
    TypeId::of::<Instant>,
    TypeId::of::<Levels>,
    TypeId::of::<Nanos>,
    TypeId::of::<OnFault>,
    TypeId::of::<PanelLook>,
    TypeId::of::<PictureProtocol>,
    TypeId::of::<Region>,
    TypeId::of::<Shard>,
    TypeId::of::<Size>,
    TypeId::of::<Speed>,
    TypeId::of::<TtyGraphics>,
    TypeId::of::<Usb>,
    TypeId::of::<WireFault>,
    TypeId::of::<WireMap>,
    TypeId::of::<Wiring>,
];

/// Pairs that may be the same file.
const MAY_BE_ONE: &[(&str, &str, &str)] = &[("trace tidy", "recording", "output")];

/// Parses the verb of a command line with these paths.
fn verb(words: &str, rows: &[Row], paths: &[PathBuf]) -> Verb {
    let mut line: Vec<String> = vec!["nudge".to_owned()];
    line.extend(words.split(' ').map(str::to_owned));
    for ((_, given, ..), path) in rows.iter().zip(paths) {
        let path = path.to_str().unwrap();
        line.extend(given.split(' ').map(|word| word.replace("{}", path)));
    }
    Cli::try_parse_from(line).unwrap_or_else(|error| panic!("{words}: {error}")).verb
}

/// Returns a different path for each row; none of the files exists.
fn paths(rows: &[Row], folder: &TempDir) -> Vec<PathBuf> {
    let name = |(id, _, extension, _): &Row| folder.path().join(id).with_extension(extension);
    rows.iter().map(name).collect()
}

/// Calls `check` for each pair of files of which at least one is written.
fn for_each_pair(check: impl Fn(&str, &[Row], (usize, usize))) {
    let mut pairs = 0;
    for (words, rows) in VERBS {
        for (one, other) in (0..rows.len()).flat_map(|one| (0..one).map(move |other| (one, other)))
        {
            let uses = [rows[one].3, rows[other].3];
            if uses.contains(&Writes) && !uses.contains(&Folder) {
                check(words, rows, (one, other));
                pairs += 1;
            }
        }
    }
    assert!(pairs > 40, "only {pairs} pairs");
}

#[track_caller]
fn check_pair(words: &str, rows: &[Row], pair: (usize, usize), paths: &[PathBuf]) {
    let may = MAY_BE_ONE.iter().any(|(verb, one, other)| {
        words == *verb && [rows[pair.0].0, rows[pair.1].0].iter().all(|id| id == one || id == other)
    });
    let checked = super::check(&verb(words, rows, paths));
    assert_eq!(checked.is_ok(), may, "{words}: {} and {}", rows[pair.0].0, rows[pair.1].0);
}

#[test]
fn every_path_of_every_verb_is_in_the_table() {
    fn leaves(command: &Command, words: &str, found: &mut Vec<(String, Vec<String>)>) {
        for verb in command.get_subcommands() {
            leaves(verb, format!("{words} {}", verb.get_name()).trim(), found);
        }
        if !command.has_subcommands() {
            let paths = command.get_arguments().filter(|argument| {
                let kind = argument.get_value_parser().type_id();
                let paths = PATHS.iter().any(|path| kind == path());
                let known = paths || NO_PATHS.iter().any(|other| kind == other());
                assert!(
                    known,
                    "{words}: {} has a type that this test does not know: is it a path ({kind:?})?",
                    argument.get_id()
                );
                paths
            });
            let paths = paths.map(|argument| argument.get_id().to_string()).collect();
            found.push((words.to_owned(), paths));
        }
    }
    let mut found = Vec::new();
    leaves(&Cli::command(), "", &mut found);
    for (verb, mut paths) in found {
        let row = |(words, _): &&(&str, &[Row])| {
            words.strip_prefix(&*verb).is_some_and(|rest| rest.is_empty() || rest.starts_with(" -"))
        };
        // A verb with options that exclude each other has several rows.
        let rows = VERBS.iter().filter(row).flat_map(|(_, rows)| *rows);
        let mut known: Vec<String> = rows.map(|row| row.0.to_owned()).collect();
        paths.sort();
        known.sort();
        known.dedup();
        assert_eq!(paths, known, "{verb}");
    }
}

#[test]
fn different_files_pass_whether_they_exist_or_not() {
    for (words, rows) in VERBS {
        let folder = tempfile::tempdir().unwrap();
        let paths = paths(rows, &folder);
        assert_eq!(super::check(&verb(words, rows, &paths)), Ok(()), "{words}");
        for path in &paths {
            fs::write(path, "").unwrap();
        }
        assert_eq!(super::check(&verb(words, rows, &paths)), Ok(()), "{words}");
    }
}

#[cfg(unix)]
#[test]
fn two_names_of_one_file_are_refused_for_every_pair() {
    use std::os::unix::fs::symlink;
    type Link = fn(&Path, &Path);
    let links: [Link; 4] = [
        // The file exists, and the other name is a symbolic or a hard link to it.
        |file, other| (fs::write(file, "").unwrap(), symlink(file, other).unwrap()).1,
        |file, other| (fs::write(file, "").unwrap(), fs::hard_link(file, other).unwrap()).1,
        // The first name is the link.
        |file, other| (fs::write(other, "").unwrap(), symlink(other, file).unwrap()).1,
        // A dangling link with a target relative to its folder.
        |file, other| symlink(file.file_name().unwrap(), other).unwrap(),
    ];
    for (at, link) in links.into_iter().enumerate() {
        for_each_pair(|words, rows, pair| {
            let folder = tempfile::tempdir().unwrap();
            let paths = paths(rows, &folder);
            link(&paths[pair.0], &paths[pair.1]);
            // Traces must exist.
            let replays = ["replay", "atlas", "trace check", "trace rank"];
            let reads_traces =
                |verb: &&str| words == *verb || words.starts_with(&format!("{verb} -"));
            if at < 3 || !replays.iter().any(reads_traces) {
                check_pair(words, rows, pair, &paths);
            }
        });
    }
}

#[test]
fn two_spellings_of_one_path_are_refused_for_every_pair() {
    for_each_pair(|words, rows, pair| {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("in")).unwrap();
        let mut paths = paths(rows, &folder);
        // Options with different extensions cannot name the same file.
        if rows[pair.0].2 != rows[pair.1].2 && !["file", "files", "from"].contains(&rows[pair.1].0)
        {
            return;
        }
        let name = paths[pair.0].file_name().unwrap().to_owned();
        paths[pair.1] = folder.path().join("in/../.").join(name);
        check_pair(words, rows, pair, &paths);
        fs::write(&paths[pair.0], "").unwrap();
        check_pair(words, rows, pair, &paths);
    });
}

#[test]
fn a_page_that_is_also_a_trace_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let (page, trace) = (folder.path().join("page"), folder.path().join("win.trace"));
    fs::create_dir(&page).unwrap();
    fs::write(&trace, "trace 1").unwrap();
    fs::hard_link(&trace, page.join("index.html")).unwrap();
    let line = ["nudge", "replay", trace.to_str().unwrap(), "--html", page.to_str().unwrap()];
    let error = super::check(&Cli::try_parse_from(line).unwrap().verb).unwrap_err().to_string();
    assert!(error.contains("index.html for --html and "), "{error}");
}

#[test]
fn the_files_of_a_described_board_are_not_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let board = "board = 1\nname = \"x\"\nchip = \"rp2040\"\nprogram = \"all.xml\"\n\n[[display]]\n\
                 panel = \"own.toml\"\nbus = \"spi4\"\nsck = \"GP10\"\nmosi = \"GP11\"\ndc = \"GP8\"\n\
                 size = \"8x8 px\"\n";
    fs::write(path("pad.board.toml"), board).unwrap();
    let refused = |output: &str| {
        let (board, output) = (path("pad.board.toml"), path(output));
        let line = ["nudge", "replay", "x.trace", "--board", &board, "--junit", &output];
        check(&Cli::parse_from(line).verb).is_err()
    };
    assert!(refused("all.xml"));
    assert!(!refused("other.xml"));
    let files = files_of_board(Path::new(&path("pad.board.toml")));
    assert_eq!(files, [folder.path().join("all.xml"), folder.path().join("own.toml")]);
}
