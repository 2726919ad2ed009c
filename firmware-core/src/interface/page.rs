//! The pages: menus, questions, lists, everything that is not the board, as the app means
//! them and the screens show them. On a page the bottom row of NUDGE buttons are soft keys.

use crate::game::history::Quiet;
use crate::game::opponent::Players;
use crate::game::outcome::GameResult;
use crate::game::places::{CUPS_A_SIDE, Cup, Player};
use crate::game::systems::Game;
use crate::interface::menu::{Entries, Menu};
use crate::storage::files::FileKind;
use crate::storage::name::Name;

/// Rows of a list of files that are seen at once.
pub const FILE_ROWS: usize = 8;

/// Rows of a log that are seen at once.
pub const LOG_ROWS: usize = 8;

/// Characters of the longest row of a log.
pub const LOG_COLUMNS: usize = 30;

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
    /// The saved games, or the logs.
    Files {
        /// Which of them, and what for.
        list: List,
        /// Those that are seen, from the top.
        rows: [Option<ListRow>; FILE_ROWS],
        /// The one that OK chooses, from the top.
        cursor: u8,
        /// There are more above.
        above: bool,
        /// There are more below.
        below: bool,
    },
    /// A log to be read. Its rows are a [`LogText`] beside the page.
    Log {
        /// Its name.
        name: Name,
        /// Bytes of it above the first row.
        top: u32,
        /// There is more below.
        below: bool,
        /// How much of it lies above the end of the last row, in per cent.
        per_cent: u8,
    },
    /// A page about how to play.
    HowToPlay {
        /// The system that it is about.
        game: Game,
        /// Which page, from 0 on.
        nth: u8,
        /// How many there are.
        of: u8,
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

/// What a list of files is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum List {
    /// The saved game that is to be loaded.
    LoadGame,
    /// The name under which the game is to be saved: a new one, or that of a saved game.
    SaveGame,
    /// The log that is to be read.
    Logs,
}

impl List {
    /// What its files are.
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
    /// A name that is to be entered: the first row where a game is saved.
    NewName,
    /// A file.
    File(FileRow),
}

impl ListRow {
    /// The file, if it is one.
    pub const fn file(self) -> Option<FileRow> {
        match self {
            Self::NewName => None,
            Self::File(row) => Some(row),
        }
    }

    /// Whether it is a file that cannot be read.
    pub fn is_damaged(self) -> bool {
        self.file().is_some_and(|row| row.content == FileContent::Damaged)
    }
}

/// A file in a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileRow {
    /// Its name.
    pub name: Name,
    /// What it holds.
    pub content: FileContent,
}

/// What a file in a list holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileContent {
    /// A game of this system.
    Game(Game),
    /// A log of so many KiB.
    Log(u8),
    /// Something that cannot be read.
    Damaged,
}

/// The rows of a log that are seen: printable ASCII, and zeros behind the end of each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LogText([[u8; LOG_COLUMNS]; LOG_ROWS]);

impl LogText {
    /// Empty rows: all bytes are zero.
    pub const EMPTY: Self = Self([[0; LOG_COLUMNS]; LOG_ROWS]);

    /// Puts `text` into the `nth` row, `indent` characters from its left edge. What has no room is
    /// left out, and what is no printable ASCII is a question mark.
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

    /// The `nth` row.
    pub fn row(&self, nth: usize) -> &str {
        let row = self.0.get(nth).map(|row| &row[..]).unwrap_or_default();
        let end = row.iter().position(|byte| *byte == 0).unwrap_or(row.len());
        core::str::from_utf8(&row[..end]).unwrap_or_default()
    }
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
    /// Set the total scores back? They will be this.
    ResetScores(TotalsAfter),
    /// Does this player agree to abandon play?
    Abandon(Player, Agreement),
    /// Does this player give the game up?
    Resign(Player),
    /// In the middle of a game: start the demo? The game waits.
    Demo,
    /// Leave the demo?
    LeaveDemo {
        /// A game in progress comes back.
        waits: bool,
        /// Who plays then.
        players: Players,
    },
    /// There is one of that name: overwrite it?
    Overwrite(FileKind, Name),
    /// There is no room: overwrite the oldest, of this name?
    OverwriteOldest(FileKind, Name),
    /// Delete the file of this name?
    Delete(FileKind, Name),
    /// At the first power-on: show how to play?
    Introduction,
}

/// The total scores once they have been set back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TotalsAfter {
    /// 0 and 0: no game is in progress, or its score is that.
    Zero,
    /// The score of the game in progress, by [`Player::index`].
    Game([u8; 2]),
    /// That as well, in a system in which stones are not counted before the end.
    GameUncounted,
}

/// Who else has to agree to abandon play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Agreement {
    /// Another person.
    Person,
    /// The computer, which agrees in such a game or not.
    Computer(Quiet),
}

/// What can only be read, and answered with OK.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notice {
    /// Holding any key leaves the demo (OK runs it).
    Demo,
    /// There are no saved games.
    NoGames,
    /// There are no logs.
    NoLogs,
    /// The log that was chosen is damaged.
    CannotRead(Name),
    /// Flash failed: the file is still there.
    NotDeleted(Name),
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
    /// The computer does not agree to abandon play in such a game.
    Declined(Quiet),
    /// There is no move to take back.
    NothingToUndo,
    /// The total scores are set back.
    ScoresReset,
    /// The entry is not available in this system.
    NotHere(Game),
    /// The entry is not available once the game is over.
    GameOver,
    /// The entry is not available in the demo.
    NotInDemo,
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
    Remove,
    Previous,
    Next,
    PageUp,
    PageDown,
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
            Self::Files { list, .. } => {
                let remove = only_if(!matches!(list, List::SaveGame), Remove);
                [remove, None, Some(Up), Some(Down), Some(Ok), Some(Back)]
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

    /// What the top row of NUDGE buttons do, left to right: nothing on most pages.
    pub const fn keys_above(&self) -> [Option<Key>; CUPS_A_SIDE] {
        use Key::{Down, Up};
        match self {
            Self::Name { .. } => [Some(Up), Some(Up), Some(Up), Some(Down), Some(Down), Some(Down)],
            _ => [None; CUPS_A_SIDE],
        }
    }

    /// What the NUDGE button of `cup` does.
    pub const fn key(&self, cup: Cup) -> Option<Key> {
        match cup.owner() {
            Player::Bottom => self.keys()[cup.nth_of_owner()],
            // They are counted counter-clockwise.
            Player::Top => self.keys_above()[CUPS_A_SIDE - 1 - cup.nth_of_owner()],
        }
    }
}

const fn only_if(is_there: bool, key: Key) -> Option<Key> {
    if is_there { Some(key) } else { None }
}
