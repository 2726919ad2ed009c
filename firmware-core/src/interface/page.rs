//! The pages: menus, questions, lists, everything that is not the board, as the app means
//! them and the screens show them. On a page the bottom row of NUDGE buttons are soft keys.

use crate::game::outcome::GameResult;
use crate::game::places::{CUPS_A_SIDE, Player};
use crate::game::systems::Game;
use crate::interface::menu::{Entries, Menu};
use crate::storage::files::FileKind;
use crate::storage::name::Name;

/// Rows of a list of files that are seen at once.
pub const FILE_ROWS: usize = 8;

/// What a page shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Page {
    /// A menu.
    Menu {
        /// Which.
        menu: Menu,
        /// The entry that OK chooses, from the top.
        cursor: u8,
        /// Entries with a check mark.
        checked: Entries,
        /// Entries that cannot be chosen now.
        dim: Entries,
    },
    /// Something to answer with YES or NO.
    Question(Question),
    /// Something to read.
    Notice(Notice),
    /// The total scores of a system.
    Scores {
        /// Which system's.
        game: Game,
        /// Stones captured, by [`Player::index`].
        totals: [u32; 2],
    },
    /// A name to be entered.
    Name {
        /// What gets it.
        kind: FileKind,
        /// What is entered so far.
        name: Name,
        /// The letter that ADD appends: its place in [`crate::storage::name::LETTERS`].
        letter: u8,
    },
    /// The saved games.
    Files {
        /// Those that are seen, from the top.
        names: [Option<FileRow>; FILE_ROWS],
        /// The one that OK chooses, from the top.
        cursor: u8,
        /// There are more above.
        above: bool,
        /// There are more below.
        below: bool,
    },
    /// A log on its way: so many per cent of its lines are written.
    Logging(u8),
    /// What can be chosen while the board is edited.
    Edit {
        /// Whose turn it will be.
        turn: Player,
        /// A stone is on its way, from a cup or a store that is chosen.
        holding: bool,
    },
}

/// A row of the list of saved games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileRow {
    /// Its name.
    pub name: Name,
    /// Which system it was; `None` if it cannot be read.
    pub game: Option<Game>,
}

/// What can be answered with YES or NO.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    /// Power down?
    Quit,
    /// Start a new game?
    NewBoard {
        /// One that is in progress is not counted.
        in_progress: bool,
    },
    /// In the middle of a game: start it anew? (`wari`'s short RESET.)
    Restart,
    /// In the middle of a game: start anew with this many stones a cup?
    Stones(u8),
    /// In the middle of a game: start another system?
    System(Game),
    /// In the middle of a game: load this one in its place?
    Load(Name),
    /// Does this player agree to abandon play?
    Abandon(Player),
    /// Leave the demo?
    LeaveDemo,
    /// There is one of that name: overwrite it?
    Overwrite(FileKind, Name),
    /// There is no room: overwrite the oldest, of this name?
    OverwriteOldest(FileKind, Name),
}

/// What can only be read, and answered with OK.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notice {
    /// Holding any key leaves the demo (OK runs it).
    Demo,
    /// There are no saved games.
    NoGames,
    /// What was chosen is no saved game, or is damaged.
    CannotLoad(Name),
    /// Saved under this name.
    Saved(FileKind, Name),
    /// Flash failed: nothing was saved.
    SaveFailed,
    /// It is longer than all of the flash.
    TooLong,
    /// There is no room for a file of this kind beside so many files, of which so many are of it.
    NoRoom {
        /// What was to be written.
        kind: FileKind,
        /// Files of both kinds.
        files: u8,
        /// Files of its kind, over which it can be written.
        older: u8,
    },
    /// The computer does not agree to abandon play.
    Declined,
    /// There is no move to take back.
    NothingToUndo,
    /// The total scores are set back.
    ScoresReset,
    /// The entry is not available in this system.
    NotHere(Game),
    /// The entry is not available once the game is over.
    GameOver,
    /// There is no help for the computer.
    ComputersTurn,
    /// Both players' totals, at the end of a game that came out like this.
    Totals(GameResult, [u32; 2]),
}

/// What a soft key does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
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
    Cancel,
    BottomStore,
    TopStore,
    Turn,
    Done,
}

impl Page {
    /// What the bottom row of NUDGE buttons do, left to right.
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
            Self::Files { .. } => [None, None, Some(Up), Some(Down), Some(Ok), Some(Back)],
            Self::Logging(_) => [None, None, None, None, None, Some(Cancel)],
            Self::Edit { .. } => {
                [Some(BottomStore), Some(TopStore), Some(Turn), None, Some(Done), Some(Cancel)]
            }
        }
    }
}
