//! The pages: menus, questions, lists, everything except the board, as values shared by the app and
//! the screens. On a page the bottom row of NUDGE buttons are soft keys.

use crate::game::history::Quiet;
use crate::game::opponent::Players;
use crate::game::outcome::GameResult;
use crate::game::places::{CUPS_A_SIDE, Cup, PLACES, Player};
use crate::game::systems::Game;
use crate::interface::menu::{Entries, Menu};
use crate::pins::sound::Volume;
use crate::storage::files::FileKind;
use crate::storage::name::Name;

/// Number of visible rows of a list of files.
pub const FILE_ROWS: usize = 8;

/// Number of visible rows of a log.
pub const LOG_ROWS: usize = 8;

/// Number of visible rows of the line of a step of a saved game.
pub const STEP_ROWS: usize = 4;

/// Length of the longest row of a log in characters.
pub const LOG_COLUMNS: usize = 30;

/// Content of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Page {
    Menu {
        menu: Menu,
        /// Index of the entry that OK chooses, from the top.
        cursor: u8,
        /// Entries with a check mark.
        checked: Entries,
        /// Entries that cannot be chosen now.
        dim: Entries,
        /// Loudness of the buzzer, for its entry.
        volume: Volume,
    },
    /// A question to answer with YES or NO.
    Question(Question),
    /// A notice to read.
    Notice(Notice),
    /// The total scores of a system.
    Scores {
        game: Game,
        /// Stones captured, by [`Player::index`].
        totals: [u32; 2],
    },
    /// The user enters a name.
    Name {
        /// Kind of the file with this name.
        kind: FileKind,
        /// The name so far.
        name: Name,
        /// Letter that ADD appends, as an index into [`crate::storage::name::LETTERS`].
        letter: u8,
    },
    /// The saved games, or the logs.
    Files {
        /// Kind and purpose of the list.
        list: List,
        /// Visible rows, from the top.
        rows: [Option<ListRow>; FILE_ROWS],
        /// Index of the row that OK chooses, from the top.
        cursor: u8,
        /// Whether there are more rows above.
        above: bool,
        /// Whether there are more rows below.
        below: bool,
    },
    /// A log to be read. Its rows are a [`LogText`] stored outside the page.
    Log {
        name: Name,
        /// Number of its bytes above the first row.
        top: u32,
        /// Whether there is more below.
        below: bool,
        /// Share of the log above the end of the last row, in per cent.
        per_cent: u8,
    },
    /// A saved or logged game after one of its steps. The line of the step is a [`LogText`] stored outside the
    /// page.
    Review {
        kind: FileKind,
        name: Name,
        game: Game,
        /// Number of steps before the board, at most `of`.
        at: u16,
        /// Number of steps of the game.
        of: u16,
        /// Stones at each place.
        stones: [u8; PLACES],
        /// First and last place of the step, if it is a move.
        sown: Option<(u8, u8)>,
    },
    /// A page about how to play.
    HowToPlay {
        game: Game,
        /// Index of the page.
        nth: u8,
        /// Number of pages.
        of: u8,
    },
    /// A log is being written: share of its lines, in per cent.
    Logging(u8),
    /// The keys while the board is edited.
    Edit {
        /// Player to move after the edit.
        turn: Player,
        /// Whether the user has chosen the cup or store from which a stone is moved.
        holding: bool,
    },
}

/// Purpose of a list of files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum List {
    /// Choose the saved game to load.
    LoadGame,
    /// Choose the name under which to save the game: a new one, or that of a saved game.
    SaveGame,
    /// Choose the log to read.
    Logs,
}

impl List {
    /// Returns the kind of its files.
    pub const fn kind(self) -> FileKind {
        match self {
            Self::LoadGame | Self::SaveGame => FileKind::Game,
            Self::Logs => FileKind::Log,
        }
    }
}

/// A row of the list of saved games or logs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListRow {
    /// The row for a new name: the first row when a game is saved.
    NewName,
    File(FileRow),
    /// Number of files whose headers are damaged: their names and kinds are lost. The last row, if
    /// there are any.
    Lost(u8),
}

impl ListRow {
    /// Returns the file, if it is one.
    pub const fn file(self) -> Option<FileRow> {
        match self {
            Self::NewName | Self::Lost(_) => None,
            Self::File(row) => Some(row),
        }
    }

    /// Returns whether the row represents files that cannot be read.
    pub fn is_damaged(self) -> bool {
        match self {
            Self::NewName => false,
            Self::File(row) => row.content == FileContent::Damaged,
            Self::Lost(_) => true,
        }
    }
}

/// A file in a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileRow {
    pub name: Name,
    pub content: FileContent,
}

/// Content of a file in a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileContent {
    /// A game of this system.
    Game(Game),
    /// A log of this many KiB, rounded up, at most 255.
    Log(u8),
    /// A file that cannot be read.
    Damaged,
}

/// Visible rows of a log: printable ASCII, padded with zeros.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LogText([[u8; LOG_COLUMNS]; LOG_ROWS]);

impl LogText {
    /// Empty rows: all bytes are zero.
    pub const EMPTY: Self = Self([[0; LOG_COLUMNS]; LOG_ROWS]);

    /// Writes `text` into the `nth` row, `indent` characters from its left edge. Truncates text
    /// that does not fit, and replaces all but printable ASCII by question marks.
    pub fn set(&mut self, nth: usize, indent: usize, text: &[u8]) {
        let Some(row) = self.0.get_mut(nth) else { return };
        *row = [0; LOG_COLUMNS];
        let letters = text.iter().map(|byte| match byte {
            b' '..=b'~' => *byte,
            _ => b'?',
        });
        let spaces = core::iter::repeat_n(b' ', indent);
        row.iter_mut().zip(spaces.chain(letters)).for_each(|(cell, letter)| *cell = letter);
    }

    /// Returns the `nth` row.
    pub fn row(&self, nth: usize) -> &str {
        let row = self.0.get(nth).map(|row| &row[..]).unwrap_or_default();
        let end = row.iter().position(|byte| *byte == 0).unwrap_or(row.len());
        core::str::from_utf8(&row[..end]).unwrap_or_default()
    }
}

/// A question that can be answered with YES or NO.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    /// Power down?
    Quit {
        /// Whether a game in progress waits until the board is switched on again.
        waits: bool,
    },
    /// Start a new game?
    NewBoard {
        /// Whether a game is in progress, which will not count.
        in_progress: bool,
    },
    /// In the middle of a game: start it again? (`wari`'s short RESET.)
    Restart,
    /// In the middle of a game: start again with this many stones a cup?
    Stones(u8),
    /// In the middle of a game: start another system?
    System(Game),
    /// In the middle of a game: load this one in its place?
    Load(Name),
    /// Reset the total scores? They will have these values.
    ResetScores(TotalsAfter),
    /// Does this player agree to abandon play?
    Abandon(Player, Agreement),
    /// Does this player resign?
    Resign(Player),
    /// In the middle of a game: start the demo? The game waits.
    Demo,
    /// Leave the demo?
    LeaveDemo {
        /// Whether a game in progress is resumed.
        waits: bool,
        /// Who plays after the demo.
        players: Players,
    },
    /// A file with this name exists: overwrite it?
    Overwrite(FileKind, Name),
    /// There is no room: overwrite the oldest file, which has this name?
    OverwriteOldest(FileKind, Name),
    /// Delete the file of this name?
    Delete(FileKind, Name),
    /// Delete the files whose headers are damaged? This is their number.
    DeleteLost(u8),
    /// At the first power-on: show how to play?
    Introduction,
}

/// The total scores after a reset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TotalsAfter {
    /// 0 and 0: no game is in progress, or its score is 0 and 0.
    Zero,
    /// The score of the game in progress, by [`Player::index`].
    Game([u8; 2]),
    /// The score of the game in progress, in a system that does not count stones before the end.
    GameUncounted,
}

/// Who else has to agree to abandon play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Agreement {
    /// Another person.
    Person,
    /// The computer, whose agreement depends on the quiet phase.
    Computer(Quiet),
    /// The computer, which agrees because no move can change this result.
    ComputerAtResult(GameResult),
}

/// A notice that can only be read, and closed with OK.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notice {
    /// Holding any key leaves the demo (OK runs it).
    Demo,
    /// A player who has touched stones plays them: no move is taken back in this system.
    TouchMove(Game),
    /// There are no saved games.
    NoGames,
    /// There are no logs.
    NoLogs,
    /// The chosen log is damaged.
    CannotRead(Name),
    /// The headers of this many files are damaged.
    Lost(u8),
    /// The flash failed: the file still exists.
    NotDeleted(Name),
    /// The flash failed: files whose headers are damaged still exist.
    LostNotDeleted,
    /// The chosen file is not a saved game, or is damaged.
    CannotLoad(Name),
    /// The file was saved under this name.
    Saved(FileKind, Name),
    /// The flash failed: nothing was saved.
    SaveFailed,
    /// The file is larger than all of the flash.
    TooLong,
    /// There is no room for a file of this kind.
    NoRoom {
        /// Kind of the file.
        kind: FileKind,
        /// Number of files of both kinds.
        files: u8,
        /// Number of files of its kind, which it can overwrite.
        older: u8,
    },
    /// The computer does not agree to abandon play after this quiet phase.
    Declined(Quiet),
    /// There is no move to undo.
    NothingToUndo,
    /// There is no undone move to play again.
    NothingToRedo,
    /// The total scores were reset.
    ScoresReset,
    /// The entry is not available in this system.
    NotHere(Game),
    /// The saved game cannot be viewed before its end, because stones are not counted.
    NotOver(Game),
    /// The entry is not available after the end of the game.
    GameOver,
    /// The entry is not available in the demo.
    NotInDemo,
    /// Help is not available for the computer.
    ComputersTurn,
    /// Both players' totals, at the end of a game with this result.
    Totals(GameResult, [u32; 2]),
}

/// Action of a soft key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Key {
    PreviousMenu,
    NextMenu,
    Up,
    Down,
    Ok,
    Back,
    Yes,
    No,
    Log,
    PreviousLetter,
    NextLetter,
    Add,
    Delete,
    Remove,
    Previous,
    Next,
    PageUp,
    PageDown,
    View,
    First,
    Last,
    Cancel,
    BottomStore,
    TopStore,
    Turn,
    Done,
}

impl Page {
    /// Returns the actions of the bottom row of NUDGE buttons, left to right.
    pub const fn keys(&self) -> [Option<Key>; CUPS_A_SIDE] {
        use Key::*;
        match self {
            Self::Menu { .. } => {
                [Some(PreviousMenu), Some(NextMenu), Some(Up), Some(Down), Some(Ok), Some(Back)]
            }
            Self::Question(_) => [Some(Yes), None, None, None, None, Some(No)],
            Self::Notice(Notice::Demo) => [None, None, None, None, Some(Ok), Some(Back)],
            Self::Notice(_) => [None, None, None, None, Some(Ok), None],
            Self::Scores { .. } => [Some(Log), None, None, None, Some(Ok), None],
            Self::Name { .. } => [
                Some(PreviousLetter),
                Some(NextLetter),
                Some(Add),
                Some(Delete),
                Some(Ok),
                Some(Cancel),
            ],
            Self::Files { list, .. } => {
                let remove = only_if(!matches!(list, List::SaveGame), Remove);
                let view = only_if(!matches!(list, List::SaveGame), View);
                [remove, view, Some(Up), Some(Down), Some(Ok), Some(Back)]
            }
            Self::Log { top, below, .. } => {
                let (above, below) = (*top > 0, *below);
                [
                    only_if(above, PageUp),
                    only_if(below, PageDown),
                    only_if(above, Up),
                    only_if(below, Down),
                    None,
                    Some(Back),
                ]
            }
            Self::Review { at, of, .. } => {
                let (first, last) = (*at == 0, *at >= *of);
                [
                    only_if(!first, Previous),
                    only_if(!last, Next),
                    only_if(!first, First),
                    only_if(!last, Last),
                    None,
                    Some(Back),
                ]
            }
            Self::HowToPlay { nth, of, .. } => {
                let (first, last) = (*nth == 0, *nth + 1 >= *of);
                [only_if(!first, Previous), only_if(!last, Next), None, None, None, Some(Back)]
            }
            Self::Logging(_) => [None, None, None, None, None, Some(Cancel)],
            Self::Edit { .. } => {
                [Some(BottomStore), Some(TopStore), Some(Turn), None, Some(Done), Some(Cancel)]
            }
        }
    }

    /// Returns the actions of the top row of NUDGE buttons, left to right: none on most pages.
    pub const fn keys_above(&self) -> [Option<Key>; CUPS_A_SIDE] {
        use Key::{Down, Up};
        match self {
            Self::Name { .. } => [Some(Up), Some(Up), Some(Up), Some(Down), Some(Down), Some(Down)],
            _ => [None; CUPS_A_SIDE],
        }
    }

    /// Returns the action of the NUDGE button of `cup`.
    pub const fn key(&self, cup: Cup) -> Option<Key> {
        match cup.owner() {
            Player::Bottom => self.keys()[cup.nth_of_owner()],
            // The top row is counted counter-clockwise.
            Player::Top => self.keys_above()[CUPS_A_SIDE - 1 - cup.nth_of_owner()],
        }
    }
}

const fn only_if(is_there: bool, key: Key) -> Option<Key> {
    if is_there { Some(key) } else { None }
}
