//! Saved games and logs that go from one board to another over their consoles: `export` and `import`.

use boards::flash_files::{FileContent, FlashFiles};
use boards::native::Native;
use firmware_core::history::{History, Setup, Step};
use firmware_core::name::Name;
use firmware_core::places::{Cup, Player};
use firmware_core::storage::Crc;
use firmware_core::storage::files::{self, FileKind, Writer};
use firmware_core::systems::{Game, SYSTEMS};
use hal_mock::flash::FlashChip;
use hal_mock::random::Random;
use hal_mock::{BoardConfig, Button, Machine, Nanos};

use crate::{fresh, run, trace, typed};

/// A line is answered, and a line of an export sent, within this time.
const LINE: Nanos = Nanos::from_millis(500);

/// A file as its bytes lie in flash.
#[derive(Clone, Debug, PartialEq, Eq)]
struct File {
    kind: FileKind,
    name: Name,
    bytes: Vec<u8>,
}

impl File {
    fn new(kind: FileKind, name: &str, bytes: Vec<u8>) -> Self {
        Self { kind, name: Name::new(name).expect("a name"), bytes }
    }

    fn game(name: &str, history: &History) -> Self {
        let mut bytes = vec![0; history.saved_len()];
        history.saved_bytes(0, &mut bytes);
        Self::new(FileKind::Game, name, bytes)
    }

    fn log(name: &str, text: &str) -> Self {
        Self::new(FileKind::Log, name, text.into())
    }

    /// The command that exports it.
    fn export(&self) -> String {
        format!("export {} {}", self.kind.name(), self.name)
    }
}

/// A flash that holds `files`, the last one newest.
fn flash_of(files: &[File]) -> Vec<u8> {
    let mut chip = FlashChip::factory_new();
    put(&mut chip, files);
    chip.image().to_vec()
}

fn put(chip: &mut FlashChip, files: &[File]) {
    for File { kind, name, bytes } in files {
        let mut writer = Writer::begin(chip, *kind, *name, bytes.len() as u32).expect("room");
        writer.append(chip, bytes).expect("room");
        writer.finish(chip).expect("it is whole");
    }
}

/// A board with these files that is switched on and asks nothing.
fn board_with(stored: &[File]) -> Native {
    let config = boards::header::board(&trace(&[]), Some(flash_of(stored))).expect("a header");
    switched_on(config)
}

fn switched_on(config: BoardConfig) -> Native {
    let mut board = Native::new(config);
    board.power_on().expect("power");
    run(&mut board, Nanos::from_secs(1));
    board
}

fn image(board: &Native) -> Vec<u8> {
    board.board().with_flash(|flash| flash.image().to_vec())
}

/// The files on a board, newest first; each is whole.
fn stored(board: &Native) -> Vec<File> {
    let mut chip = FlashChip::from_image(image(board)).expect("the board's own flash");
    let listing = files::list(&mut chip, None).expect("powered");
    assert_eq!(listing.damaged, 0);
    let read = |entry: &files::FileEntry| {
        assert_eq!(files::verify(&mut chip, entry), Ok(()), "{entry:?}");
        let mut bytes = vec![0; entry.length as usize];
        assert_eq!(files::read(&mut chip, entry, 0, &mut bytes), Ok(bytes.len()));
        File { kind: entry.kind, name: entry.name, bytes }
    };
    listing.files.iter().map(read).collect()
}

/// What `nudge flash export` writes of the newest file.
fn exported_by_the_host(board: &Native) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("board.bin");
    std::fs::write(&path, image(board)).expect("a file");
    let mut files = FlashFiles::open(&path).expect("a flash").expect("a file");
    let listing = files.listing().expect("a listing");
    listing.files[0].content.as_ref().map(FileContent::to_text).expect("it can be read")
}

/// Types a line and takes what is said until a line is `last`.
#[track_caller]
fn said_until(board: &mut Native, line: &str, last: impl Fn(&str) -> bool) -> Vec<String> {
    let mut heard = board.board().console_lines().len();
    board.board().type_line(board.board().now(), line);
    let mut said = Vec::new();
    let mut silent = Nanos::ZERO;
    while silent < LINE {
        run(board, Nanos::from_millis(5));
        silent = silent.saturating_add(Nanos::from_millis(5));
        let lines = board.board().console_lines();
        for line in &lines[heard..] {
            said.push(line.text.clone());
            silent = Nanos::ZERO;
        }
        heard = lines.len();
        if said.iter().any(|line| last(line)) {
            return said;
        }
    }
    panic!("`{line}` is not answered: {said:?}");
}

/// The lines of an export, or the refusal.
#[track_caller]
fn exported(board: &mut Native, command: &str) -> Vec<String> {
    said_until(board, command, |line| line.starts_with("import end=") || line.starts_with("error "))
}

/// The one answer to a line of an import.
#[track_caller]
fn answer(board: &mut Native, line: &str) -> String {
    let is_answer = |line: &str| line.starts_with("import") || line.starts_with("error ");
    said_until(board, line, is_answer).pop().expect("an answer")
}

#[track_caller]
fn import(board: &mut Native, lines: &[String]) {
    for line in lines {
        assert!(line.len() <= 96, "{line}");
        let answer = answer(board, line);
        assert!(answer.starts_with("import"), "`{line}`: {answer}");
    }
}

/// The text that the lines of an export carry.
fn text_of(lines: &[String]) -> String {
    let mut text = String::new();
    for line in lines {
        let quoted = |key: &str| line.strip_prefix(key)?.strip_suffix('"');
        if let Some(line) = quoted("import text=\"") {
            text += line;
            text.push('\n');
        } else if let Some(part) = quoted("import part=\"") {
            text += part;
        }
    }
    text
}

/// A game with every kind of step.
fn random_game(game: Game, random: &mut Random, steps: u64) -> History {
    let choices = game.system().choices;
    let stones = if choices { 3 + random.below(3) as u8 } else { 4 };
    let setup = Setup { game, stones, bidirectional: choices && random.below(2) == 0 };
    let mut history =
        History::new(setup, setup.rules().start(Player::BOTH[random.below(2) as usize]));
    for _ in 0..steps {
        match random.below(20) {
            0 => {
                let mut after = history.position();
                let (from, to) = (random.below(14) as usize, random.below(14) as usize);
                let moved = after.stones[from].min(2);
                after.stones[from] -= moved;
                after.stones[to] += moved;
                history.edit(&after);
            }
            1 => _ = history.push(Step::Bidirectional(!history.rules().bidirectional)),
            2 => _ = history.undo(),
            _ if history.is_over() => _ = history.edit(&setup.rules().start(Player::Top)),
            _ => {
                let cup = Cup::nth(history.position().turn, random.below(6) as usize);
                history.push(Step::Sow(cup.expect("a cup")));
            }
        }
    }
    match random.below(4) {
        0 => _ = history.push(Step::Abandon),
        1 => _ = history.push(Step::Resign(Player::Top)),
        _ => {}
    }
    history
}

/// Lines of any length, of all letters that a line can have.
fn random_log(random: &mut Random) -> String {
    let mut text = String::from("log of X\n");
    for _ in 0..random.below(30) {
        let most = [2, 30, 90, 200][random.below(4) as usize];
        for _ in 0..random.below(most) {
            text.push(char::from(b' ' + random.below(95) as u8));
        }
        text.push('\n');
    }
    if random.below(3) == 0 {
        text += "not ended";
    }
    text
}

/// One board sends `file`, another takes it; what the second one holds then.
#[track_caller]
fn check_round_trip(what: &str, file: &File) {
    let mut first = board_with(std::slice::from_ref(file));
    let lines = exported(&mut first, &file.export());
    let host = exported_by_the_host(&first);
    assert_eq!(text_of(&lines), host, "{what}");
    let sum = format!(" sum={:08x}", Crc::of(host.as_bytes()));
    assert!(lines.last().is_some_and(|end| end.ends_with(&sum)), "{what}: {lines:?}");
    let mut second = board_with(&[]);
    import(&mut second, &lines);
    assert_eq!(stored(&second), std::slice::from_ref(file), "{what}");
    assert_eq!(exported_by_the_host(&second), host, "{what}");
    // And back again, over itself.
    let mut over = lines.clone();
    over[0] += " over";
    import(&mut first, &over);
    assert_eq!(stored(&first), std::slice::from_ref(file), "{what}");
    assert_eq!(exported(&mut second, &file.export()), lines, "{what}");
}

#[test]
fn any_saved_game_goes_from_one_board_to_another_byte_by_byte() {
    for seed in 0..16 {
        let mut random = Random::new(seed);
        let system = SYSTEMS[seed as usize % SYSTEMS.len()];
        let steps = if seed == 15 { 2_500 } else { random.below(60) };
        let history = random_game(system.game, &mut random, steps);
        check_round_trip(&format!("{}, seed {seed}", system.name), &File::game("GAME1", &history));
    }
}

#[test]
fn any_log_goes_from_one_board_to_another_byte_by_byte() {
    for text in ["", "\n", "\n\n", "x", "log of X\n  \"quoted\" \n", "import stop\n"] {
        check_round_trip(&format!("{text:?}"), &File::log("LOG1", text));
    }
    // A line that just fits, and one that does not; a file that fills its first sector.
    for letters in [81, 82, 83, 164, 165, 4_031, 4_032, 4_033] {
        let text = "y".repeat(letters);
        check_round_trip(&format!("{letters} letters"), &File::log("LOG1", &text));
        check_round_trip(&format!("{letters} letters, ended"), &File::log("L", &(text + "\n")));
    }
    for seed in 0..24 {
        let text = random_log(&mut Random::new(seed));
        check_round_trip(&format!("seed {seed}"), &File::log("LOG1", &text));
    }
}
