//! Files of a board, and boards that contain them.

use firmware_board::flash_files::{FileContent, FlashFiles};
use firmware_board::native::Native;
use firmware_core::history::saved::mark_uncounted;
use firmware_core::history::{History, Setup, Step};
use firmware_core::name::Name;
use firmware_core::places::{Cup, Player};
use firmware_core::storage::files::{self, FileKind, Writer};
use firmware_core::systems::Game;
use hal_mock::{BoardConfig, Machine, flash::FlashChip};
use virtual_time::{Nanos, Random};

use crate::{run, trace};

/// Time within which a line is answered, and within which a line of an export is sent.
pub(super) const LINE: Nanos = Nanos::from_millis(500);

/// A file with its bytes in flash.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct File {
    pub(super) kind: FileKind,
    pub(super) name: Name,
    pub(super) bytes: Vec<u8>,
}

impl File {
    pub(super) fn new(kind: FileKind, name: &str, bytes: Vec<u8>) -> Self {
        Self { kind, name: Name::new(name).expect("a name"), bytes }
    }

    pub(super) fn game(name: &str, history: &History) -> Self {
        let mut bytes = vec![0; history.saved_len()];
        history.saved_bytes(0, &mut bytes);
        Self::new(FileKind::Game, name, bytes)
    }

    pub(super) fn log(name: &str, text: &str) -> Self {
        Self::new(FileKind::Log, name, text.into())
    }

    /// Returns the file as a board stores it after an import: a finished game is marked as no part
    /// of the totals of that board.
    pub(super) fn imported(&self) -> Self {
        let mut file = self.clone();
        let is_game = file.kind == FileKind::Game;
        if is_game && History::from_bytes(&file.bytes).expect("a game").is_over() {
            mark_uncounted(&mut file.bytes);
        }
        file
    }

    /// Returns the command that exports the file.
    pub(super) fn export(&self) -> String {
        format!("export {} {}", self.kind.name(), self.name)
    }
}

/// Returns a flash that contains `files`, the last one newest.
pub(super) fn flash_of(files: &[File]) -> Vec<u8> {
    let mut chip = FlashChip::factory_new();
    put(&mut chip, files);
    chip.image().to_vec()
}

pub(super) fn put(chip: &mut FlashChip, files: &[File]) {
    for File { kind, name, bytes } in files {
        let mut writer = Writer::begin(chip, *kind, *name, bytes.len() as u32).expect("room");
        writer.append(chip, bytes).expect("room");
        writer.finish(chip).expect("it is whole");
    }
}

/// Returns a board with these files that is switched on and shows no question.
pub(super) fn board_with(stored: &[File]) -> Native {
    let config =
        firmware_board::header::board(&trace(&[]), Some(flash_of(stored))).expect("a header");
    switched_on(config)
}

pub(super) fn switched_on(config: BoardConfig) -> Native {
    let mut board = Native::new(config);
    board.power_on().expect("power");
    run(&mut board, Nanos::from_secs(1));
    board
}

pub(super) fn image(board: &Native) -> Vec<u8> {
    board.board().with_flash(|flash| flash.image().to_vec())
}

/// Returns the files on a board, newest first. Each must be complete.
pub(super) fn stored(board: &Native) -> Vec<File> {
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

/// Returns the text that `nudge flash export` writes for the newest file.
pub(super) fn exported_by_the_host(board: &Native) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("board.bin");
    std::fs::write(&path, image(board)).expect("a file");
    let mut files = FlashFiles::open(&path).expect("a flash").expect("a file");
    let listing = files.listing().expect("a listing");
    listing.files[0].content.as_ref().map(FileContent::to_text).expect("it can be read")
}

/// Types a line and returns the console lines up to the first that is `last`.
#[track_caller]
pub(super) fn lines_until(
    board: &mut Native,
    line: &str,
    last: impl Fn(&str) -> bool,
) -> Vec<String> {
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

/// Returns the lines of an export, or the refusal.
#[track_caller]
pub(super) fn exported(board: &mut Native, command: &str) -> Vec<String> {
    lines_until(board, command, |line| {
        line.starts_with("import end=") || line.starts_with("error ")
    })
}

/// Returns the only answer to a line of an import.
#[track_caller]
pub(super) fn answer(board: &mut Native, line: &str) -> String {
    let is_answer = |line: &str| line.starts_with("import") || line.starts_with("error ");
    lines_until(board, line, is_answer).pop().expect("an answer")
}

#[track_caller]
pub(super) fn import(board: &mut Native, lines: &[String]) {
    for line in lines {
        assert!(line.len() <= 96, "{line}");
        let answer = answer(board, line);
        assert!(answer.starts_with("import"), "`{line}`: {answer}");
    }
}

/// Returns the text in the lines of an export.
pub(super) fn text_of(lines: &[String]) -> String {
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

/// Returns a game with every kind of step.
pub(super) fn random_game(game: Game, random: &mut Random, steps: u64) -> History {
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

/// Returns lines of random length, with all characters that a line can have.
pub(super) fn random_log(random: &mut Random) -> String {
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
