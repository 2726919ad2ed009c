//! All texts on the pages. Menus and entries have the names of the Wari program's manual (003); the
//! sentences next to them are for players who have never seen it.
//!
//! Texts are ASCII and use only [`crate::interface::screen::theme::CHARACTERS`]. This module knows
//! no pixel: the tests of the pages check whether a text fits.

mod dialogs;
mod text;

use core::fmt::Write as _;

use super::how_to_play;
use crate::game::places::Player;
use crate::interface::menu::{Entry, Menu};
use crate::interface::page::{FileContent, Key, List, ListRow, LogText, Notice, Page, Question};
use crate::interface::screen::style::Style;
use crate::storage::files::FileKind;
use crate::storage::name::NAME_CHARACTERS;
pub use dialogs::{notice, question};
pub use text::{LONGEST, Sentences, Text, player_name, totals, totals_after};
use text::{file_count, text};

/// A picture on a key's cap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Picture {
    Left,
    Right,
    Up,
    Down,
}

/// Content of a key's cap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cap {
    /// Picture above the words; then there is only one line of words.
    pub picture: Option<Picture>,
    /// One or two lines of at most five characters; the second may be empty.
    pub lines: [&'static str; 2],
}

impl Cap {
    const fn word(word: &'static str) -> Self {
        Self { picture: None, lines: [word, ""] }
    }

    const fn words(first: &'static str, second: &'static str) -> Self {
        Self { picture: None, lines: [first, second] }
    }

    const fn arrow(picture: Picture, word: &'static str) -> Self {
        Self { picture: Some(picture), lines: [word, ""] }
    }

    /// Returns its words, joined by a space.
    pub fn in_one_line(&self) -> Text {
        match self.lines {
            [word, ""] => text(&[word]),
            [first, second] => text(&[first, " ", second]),
        }
    }
}

/// Returns the cap of `key` on `page`, with the words of `style`.
pub const fn cap(page: &Page, key: Key, style: &Style) -> Cap {
    match key {
        Key::PreviousMenu => Cap::arrow(Picture::Left, "MENU"),
        Key::NextMenu => Cap::arrow(Picture::Right, "MENU"),
        Key::Up => Cap::arrow(Picture::Up, "UP"),
        Key::Down => Cap::arrow(Picture::Down, "DOWN"),
        Key::Ok => Cap::word("OK"),
        Key::Back => Cap::word("BACK"),
        Key::Yes => Cap::word("YES"),
        Key::No => Cap::word("NO"),
        Key::Log => Cap::word("LOG"),
        Key::PreviousLetter => Cap::arrow(Picture::Left, "PREV"),
        Key::NextLetter => Cap::arrow(Picture::Right, "NEXT"),
        Key::Add => Cap::word("ADD"),
        Key::Delete | Key::Remove => Cap::word("DEL"),
        Key::Previous => Cap::arrow(Picture::Left, "PREV"),
        Key::Next => Cap::arrow(Picture::Right, "NEXT"),
        Key::View => Cap::word("VIEW"),
        Key::First => Cap::word("START"),
        Key::Last => Cap::word("END"),
        Key::PageUp => Cap::arrow(Picture::Up, "PAGE"),
        Key::PageDown => Cap::arrow(Picture::Down, "PAGE"),
        // "CANCEL" is a character too wide, and does not name what is cancelled.
        Key::Cancel => match page {
            Page::Logging(_) => Cap::word("STOP"),
            Page::Edit { .. } => Cap::words("UNDO", "ALL"),
            _ => Cap::word("BACK"),
        },
        // The same labels as those of the stores on the board.
        Key::BottomStore => Cap::word(style.stores[Player::Bottom.index()]),
        Key::TopStore => Cap::word(style.stores[Player::Top.index()]),
        Key::Turn => Cap::word("TURN"),
        Key::Done => Cap::word("DONE"),
    }
}

/// Action of the button below the panel on every page, in two lines.
pub const RESET: [&str; 2] = ["RESET", "=back"];

/// Returns the name of a menu.
pub const fn menu(menu: Menu) -> &'static str {
    match menu {
        Menu::File => "File",
        Menu::Play => "Play",
        Menu::Options => "Options",
        Menu::Game => "Game",
    }
}

/// Returns the name of an entry.
pub fn entry(entry: Entry) -> &'static str {
    match entry {
        Entry::LoadGame => "Load Game",
        Entry::SaveGame => "Save Game",
        Entry::LogGame => "Log Game",
        Entry::Logs => "Logs",
        Entry::Quit => "Quit",
        Entry::NewBoard => "New Board",
        Entry::EditBoard => "Edit Board",
        Entry::ShowScores => "Show Scores",
        Entry::ResetScores => "Reset Scores",
        Entry::HowToPlay => "How to play",
        Entry::Help => "Help",
        Entry::Undo => "Undo",
        Entry::Redo => "Redo",
        Entry::AbandonPlay => "Abandon Play",
        Entry::Resign => "Resign",
        Entry::OnePlayer => "One Player",
        Entry::TwoPlayers => "Two Players",
        Entry::DemoMode => "Demo Mode",
        Entry::SwapSides => "Swap Sides",
        Entry::Bidirectional => "Bidirectional",
        Entry::SowAtOnce => "Sow at Once",
        Entry::ShowThoughts => "Show Thoughts",
        Entry::Volume => "Volume",
        Entry::ThreeStones => "Three Stones",
        Entry::FourStones => "Four Stones",
        Entry::FiveStones => "Five Stones",
        Entry::Advanced => "Advanced",
        Entry::Proficient => "Proficient",
        Entry::Intermediate => "Intermediate",
        Entry::Novice => "Novice",
        Entry::SoundOff => "Sound Off",
        Entry::System(game) => game.system().title,
    }
}

/// Returns the explanation of an entry, at most 44 characters.
pub fn explanation(entry: Entry) -> &'static str {
    match entry {
        Entry::LoadGame => "Goes on with a game that was saved",
        Entry::SaveGame => "Saves this game for another day",
        Entry::LogGame => "Writes down every move of this game",
        Entry::Logs => "Shows the moves of a logged game",
        Entry::Quit => "Switches the board off",
        Entry::NewBoard => "Sets up a new game",
        Entry::EditBoard => "Changes the board, or whose turn it is",
        Entry::ShowScores => "Shows both players' totals of all games",
        Entry::ResetScores => "Starts the total scores again",
        Entry::HowToPlay => "The rules of this game, with drawings",
        Entry::Help => "Shows the computer's move (RESET + T5)",
        Entry::Undo => "Undoes a move, a restart (RESET + T6)",
        Entry::Redo => "Plays again what Undo took back",
        Entry::AbandonPlay => "Ends the game now, if both players agree",
        Entry::Resign => "Gives this game up: the opponent wins",
        Entry::OnePlayer => "One person against the computer",
        Entry::TwoPlayers => "Two people play against each other",
        Entry::DemoMode => "The computer plays against itself",
        Entry::SwapSides => "You play the top row, not the bottom one",
        Entry::Bidirectional => "Every capture turns the sowing around",
        Entry::SowAtOnce => "The first press sows: no count before",
        Entry::ShowThoughts => "A dash marks what the computer considers",
        Entry::Volume => "How loud the buzzer is: OK changes it",
        Entry::ThreeStones => "Begins with three stones in each cup",
        Entry::FourStones => "Begins with four stones in each cup",
        Entry::FiveStones => "Begins with five stones in each cup",
        Entry::Advanced => "The computer plays as well as it can",
        Entry::Proficient => "The computer seldom makes a mistake",
        Entry::Intermediate => "The computer plays well, but not always",
        Entry::Novice => "The computer plays like a beginner",
        Entry::SoundOff => "Silences the buzzer",
        Entry::System(game) => game.style().about,
    }
}

/// Returns why an entry is dim, as far as the entry alone determines it.
pub const fn why_dim(entry: Entry) -> &'static str {
    match entry {
        Entry::Bidirectional
        | Entry::SowAtOnce
        | Entry::ThreeStones
        | Entry::FourStones
        | Entry::FiveStones => "Only in Wari",
        _ => "Not possible now",
    }
}

/// Returns the meaning of the check mark next to an entry.
pub const fn checked(entry: Entry) -> &'static str {
    match entry {
        Entry::SwapSides | Entry::Bidirectional | Entry::SowAtOnce | Entry::ShowThoughts => "is on",
        Entry::SoundOff => "is silent",
        _ => "is chosen",
    }
}

/// Returns the title of a page that is not a menu.
pub fn title(page: &Page) -> Text {
    let (first, second) = match page {
        Page::Menu { menu, .. } => (self::menu(*menu), ""),
        Page::Question(question) => (question_title(question), ""),
        Page::Notice(notice) => (notice_title(notice), ""),
        Page::Scores { game, .. } => ("Total scores: ", game.system().title),
        Page::Name { kind, .. } => (saving(*kind), ": choose a name"),
        Page::Files { list: List::LoadGame, .. } => ("Load Game", ""),
        Page::Files { list: List::SaveGame, .. } => (saving(FileKind::Game), ""),
        Page::Files { list: List::Logs, .. } => ("Logs", ""),
        Page::Log { name, .. } => ("Log ", name.as_str()),
        Page::Review { kind: FileKind::Game, name, .. } => ("Game ", name.as_str()),
        Page::Review { kind: FileKind::Log, name, .. } => ("Log ", name.as_str()),
        Page::HowToPlay { game, nth, .. } => (how_to_play::lesson(*game, *nth).title, ""),
        Page::Logging(_) => ("Log Game", ""),
        Page::Edit { .. } => ("Edit Board", ""),
    };
    text(&[first, second])
}

/// Returns the text at the right end of the title: the position of the page among others. Usually
/// empty.
pub fn place(page: &Page) -> Text {
    let mut text = Text::new();
    // A few characters, which fit.
    let _ = match page {
        Page::HowToPlay { nth, of, .. } => write!(text, "{} of {of}", nth.saturating_add(1)),
        Page::Review { at, of, .. } => write!(text, "{at} of {of}"),
        Page::Log { per_cent, .. } => write!(text, "{per_cent}%"),
        _ => Ok(()),
    };
    text
}

const FLASH_MEMORY: &str = "Flash memory";

/// Returns the subject of a question: usually the entry that led to it.
fn question_title(question: &Question) -> &'static str {
    match question {
        Question::Quit { .. } => "Quit",
        Question::NewBoard { .. } => "New Board",
        Question::Restart => "Restart",
        Question::Stones(3) => "Three Stones",
        Question::Stones(5) => "Five Stones",
        Question::Stones(_) => "Four Stones",
        Question::System(_) => "Game",
        Question::Load(_) => "Load Game",
        Question::ResetScores(_) => "Reset Scores",
        Question::Abandon(..) => "Abandon Play",
        Question::Resign(_) => "Resign",
        Question::Demo | Question::LeaveDemo { .. } => "Demo Mode",
        Question::Overwrite(kind, _) | Question::OverwriteOldest(kind, _) => saving(*kind),
        Question::Delete(FileKind::Game, _) => "Load Game",
        Question::Delete(FileKind::Log, _) => "Logs",
        Question::DeleteLost(_) => FLASH_MEMORY,
        Question::Introduction => "Welcome",
    }
}

/// Returns the subject of a notice.
fn notice_title(notice: &Notice) -> &'static str {
    match notice {
        Notice::Demo => "Demo Mode",
        Notice::NoGames | Notice::CannotLoad(_) => "Load Game",
        Notice::NoLogs | Notice::CannotRead(_) => "Logs",
        Notice::Saved(kind, _) => saving(*kind),
        Notice::SaveFailed
        | Notice::TooLong
        | Notice::NoRoom { .. }
        | Notice::NotDeleted(_)
        | Notice::LostNotDeleted
        | Notice::Lost(_) => FLASH_MEMORY,
        Notice::Declined(_) => "Abandon Play",
        Notice::NotInDemo => "Resign",
        Notice::NothingToUndo | Notice::TouchMove(_) => "Undo",
        Notice::NothingToRedo => "Redo",
        Notice::ScoresReset => "Reset Scores",
        Notice::NotHere(game) | Notice::NotOver(game) => game.system().title,
        Notice::GameOver => "Game over",
        Notice::ComputersTurn => "Help",
        Notice::Totals(..) => "Game over: total scores",
    }
}

/// Returns who leads, and by how much.
pub fn lead(totals: [u32; 2], style: &Style) -> Text {
    let [bottom, top] = totals;
    let leader = if bottom > top { Player::Bottom } else { Player::Top };
    let mut text = Text::new();
    if bottom == top {
        let _ = text.push_str("Both have the same");
    } else {
        let _ = write!(text, "{} is ahead by {}", player_name(style, leader), bottom.abs_diff(top));
    }
    text
}

/// Returns the action of the left or right half of the top row of NUDGE buttons while a name is
/// entered.
pub const fn arrow(down: bool) -> &'static str {
    if down { "DOWN" } else { "UP" }
}

/// Returns the next action while a name of `letters` letters is entered.
pub fn name_hint(letters: usize) -> Text {
    text(&[match letters {
        0 => "The arrows choose, ADD appends",
        NAME_CHARACTERS.. => "The name is full: OK saves",
        _ => "ADD appends, OK saves",
    }])
}

/// Returns the content of a file, in at most ten characters.
pub fn content(content: FileContent) -> Text {
    let mut text = Text::new();
    // A short word, which fits.
    let _ = match content {
        FileContent::Game(game) => text.write_str(game.system().title),
        FileContent::Log(kib) => write!(text, "{kib} KiB"),
        FileContent::Damaged => text.write_str(DAMAGED),
    };
    text
}

/// Returns the left part of a row of a list of files, in at most eight characters.
pub fn row_name(row: ListRow) -> Text {
    match row {
        ListRow::NewName => text(&[NEW_NAME]),
        ListRow::File(row) => text(&[row.name.as_str()]),
        ListRow::Lost(count) => file_count(count),
    }
}

/// Text for a file that cannot be read.
pub const DAMAGED: &str = "damaged";

/// Text of the row for a name that is not in the list.
pub const NEW_NAME: &str = "New name";

/// Returns the text next to the list of files, with the row `chosen` under the cursor.
pub fn files_hint(list: List, chosen: Option<ListRow>) -> &'static str {
    match (list, chosen) {
        (List::SaveGame, Some(ListRow::File(_))) => "Saves over this game",
        (List::SaveGame, _) => "Saves beside the others",
        (List::LoadGame, Some(row)) if row.is_damaged() => "Cannot be loaded",
        (List::Logs, Some(row)) if row.is_damaged() => "Cannot be read",
        (List::LoadGame | List::Logs, _) => "Newest first",
    }
}

/// Text for more files above or below the visible ones.
pub const MORE: &str = "more";

/// Returns a row of a log.
pub fn log_row(log: &LogText, nth: usize) -> Text {
    text(&[log.row(nth)])
}

/// Activity while a log is written.
pub const LOGGING: &str = "Writing the log";

/// Returns the destinations of a log.
pub fn logging_detail() -> Text {
    text(&["Every move goes to the flash and to the console."])
}

/// Returns the purpose of the keys while the board is edited.
pub fn edit_heading(holding: bool, style: &Style) -> Text {
    match holding {
        true => text(&["Where does the ", style.words.stone, " go?"]),
        false => text(&["What to change?"]),
    }
}

/// Returns the explanation of `key` while the board is edited, in at most 27 characters. `turn` is
/// the player to move next, `holding` whether a stone is being moved.
pub fn edit_explanation(key: Key, turn: Player, holding: bool, style: &Style) -> Text {
    let way = if holding { "Into " } else { "From " };
    let store = |player| text(&[way, player_name(style, player), "'s ", style.words.store]);
    match key {
        Key::BottomStore => store(Player::Bottom),
        Key::TopStore => store(Player::Top),
        Key::Turn => text(&["Gives the turn to ", player_name(style, turn.opponent())]),
        Key::Done => text(&["Plays on from this board"]),
        Key::Cancel => text(&["Leaves the board as it was"]),
        _ => Text::new(),
    }
}

/// Returns the label of RESET among the explained keys while the board is edited.
pub fn edit_reset() -> Text {
    text(&RESET[..1])
}

/// Returns the explanation of RESET while the board is edited.
pub fn edit_reset_explanation(style: &Style) -> Text {
    text(&["Back to the ", style.words.cup, "s"])
}

const fn saving(kind: FileKind) -> &'static str {
    match kind {
        FileKind::Game => "Save Game",
        FileKind::Log => "Log Game",
    }
}
