//! The data of the app: [`App`], its [`Memory`], and its one current [`State`].
//!
//! Data only: the other files act on it.

use core::mem;

use super::board_press::BoardPress;
use super::chance::Chance;
use super::draft::Draft;
use super::file_list::FileList;
use super::glow::CaptureAnimation;
use super::logging::Logging;
use super::movement::MoveAnimation;
use super::next::Next;
use super::reset::Reset;
use super::suspended_game::SuspendedGame;
use super::target::Gate;
use super::thinking::Thinking;
use super::transfer::Transfer;
use crate::game::history::History;
use crate::game::history::saved::SAVED_BYTES;
use crate::game::opponent::{Scratch, Thinker};
use crate::game::places::{Cup, Player};
use crate::game::reason::Reason;
use crate::game::systems::System;
use crate::interface::menu::Menu;
use crate::interface::message::Message;
use crate::interface::page::{LogText, Page};
use crate::pins::button::Button;
use crate::pins::console::Console;
use crate::pins::debounce::Levels;
use crate::pins::sound;
use crate::storage::name::Name;
use crate::storage::progress::Progress;
use crate::storage::{Records, RecordsDamage, Scores, Settings};
use crate::time::{Instant, Micros};

/// Time for which the LCD explains why a press did nothing.
pub const NOTICE: Micros = Micros::from_millis(2_000);

/// Data that the app gets at power-on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Start {
    /// Settings read from flash.
    pub settings: Settings,
    /// Total scores read from flash.
    pub scores: Scores,
    /// Buttons that have been down since before power-on.
    pub stuck: Levels,
    /// Damage of the settings and the scores in flash.
    pub damage: RecordsDamage,
    /// Location of both in flash.
    pub records: Records,
    /// A number that the board has drawn; `None` if its source of randomness is constant.
    pub chance: Option<u64>,
}

/// The large parts of an [`App`], borrowed from its owner, who chooses their location. Without them
/// an app is small enough to be moved.
#[derive(Clone)]
pub struct Memory {
    pub(super) history: History,
    /// History of [`CurrentGame::suspended`]; undefined without one.
    pub(super) suspended_history: History,
    pub(super) scratch: Scratch,
    pub(super) file_list: FileList,
    /// Visible rows of a log.
    pub(super) log_text: LogText,
    /// Buffer for a saved game that is being read.
    pub(super) saved: [u8; SAVED_BYTES],
    /// A saved game that is sent or received over the console.
    pub(super) transferred: History,
    pub(super) console: Console,
}

impl Default for Memory {
    fn default() -> Self {
        Self::new()
    }
}

impl Memory {
    /// Creates an empty memory: all bytes are zero, so a static takes no flash.
    pub const fn new() -> Self {
        Self {
            history: History::NONE,
            suspended_history: History::NONE,
            scratch: Scratch::new(),
            file_list: FileList::new(),
            log_text: LogText::EMPTY,
            saved: [0; SAVED_BYTES],
            transferred: History::NONE,
            console: Console::new(),
        }
    }
}

/// The board's game, its menus, and all data about them.
#[derive(Clone)]
pub struct App<M> {
    pub(super) memory: M,
    pub(super) stored: StoredRecords,
    pub(super) game: CurrentGame,
    pub(super) display: Display,
    pub(super) log: GameLog,
    pub(super) files: FileTransfer,
    pub(super) buttons: ButtonState,
    pub(super) gate: Gate,
    pub(super) user: UserActivity,
    pub(super) opponent: Opponent,
    pub(super) state: State,
    pub(super) player: sound::Player,
}

/// Settings and scores, and their location and damage in flash.
#[derive(Clone)]
pub(super) struct StoredRecords {
    pub(super) settings: Settings,
    pub(super) scores: Scores,
    /// Location of settings and scores in flash.
    pub(super) records: Records,
    /// Damage found at power-on, until the records are written again.
    pub(super) damage: RecordsDamage,
}

/// The game on the board.
#[derive(Clone)]
pub(super) struct CurrentGame {
    pub(super) system: &'static System,
    /// Player who began the game.
    pub(super) first: Player,
    /// Player who begins the next game, if that is decided already.
    pub(super) starting_player_override: Option<Player>,
    pub(super) opened: bool,
    /// Points that the finished game added to the total scores, by [`Player::index`].
    pub(super) counted: Option<[u32; 2]>,
    /// Time since which the game has been over and its stones at rest.
    pub(super) over_since: Option<Instant>,
    /// Whether no move has been made since the game began, or since power-on.
    pub(super) first_turn: bool,
    /// Whether a move has led to a position in which the computer agrees to abandon play, and the
    /// board has not offered that yet.
    pub(super) offers_abandon: bool,
    /// The suspended game, which can be restored.
    pub(super) suspended: Option<SuspendedGame>,
}

/// What the LCD shows beside the position.
#[derive(Clone)]
pub(super) struct Display {
    pub(super) status: Message,
    pub(super) notice: Option<(Message, Instant)>,
    /// Time until which the computer does not move because the message of a capture or a free turn
    /// is shown.
    pub(super) message_until: Option<Instant>,
    /// Animation of the latest capture, until something else is shown.
    pub(super) glow: Option<CaptureAnimation>,
}

/// The log of the game in progress, in flash.
#[derive(Clone)]
pub(super) struct GameLog {
    /// Log of the game in progress.
    pub(super) progress: Progress,
    /// Name stored in the log.
    pub(super) name: Option<Name>,
    /// Whether the log could not be written: it is not written again until the next power-on.
    pub(super) failed: bool,
    /// Whether the game in the log waits until the demo is left.
    pub(super) waits: bool,
}

/// Names of saved games, and the file on the console.
#[derive(Clone)]
pub(super) struct FileTransfer {
    /// Name under which the game was saved or loaded last.
    pub(super) named: Option<Name>,
    /// Name that was entered when there was no room.
    pub(super) name_without_room: Option<Name>,
    /// File that is being sent or received over the console.
    pub(super) transfer: Option<Transfer>,
}

/// The buttons that are held, stuck or in doubt.
#[derive(Clone)]
pub(super) struct ButtonState {
    pub(super) held: Option<HeldButton>,
    pub(super) reset: Reset,
    /// Latest NUDGE on the board, which may turn out to be a part of a chord.
    pub(super) on_board: Option<BoardPress>,
    /// Time since which the contact of the held NUDGE has been in doubt.
    pub(super) held_in_doubt: Option<Instant>,
    pub(super) stuck: Levels,
}

/// What the user has done last.
#[derive(Clone)]
pub(super) struct UserActivity {
    /// Earliest time since which the board has waited for the user.
    pub(super) waits_since: Instant,
    /// Time since which no button has gone down or up.
    pub(super) untouched_since: Instant,
    /// Whether the menu has been opened since power-on.
    pub(super) menu_known: bool,
    /// Menu that was open last, and its entry.
    pub(super) menu: (Menu, u8),
}

/// The computer opponent and the demo.
#[derive(Clone)]
pub(super) struct Opponent {
    pub(super) thinker: Thinker,
    pub(super) chance: Chance,
}

/// Meaning of the buttons, and the current activity.
#[allow(clippy::large_enum_variant, reason = "there is no heap, and one state at a time")]
#[derive(Clone)]
pub(super) enum State {
    /// The board is shown: NUDGE buttons are cups.
    Board(Activity),
    /// A page is shown: the bottom row are soft keys. OK leads to `next`.
    Page {
        page: Page,
        next: Next,
        /// Activity that resumes when the board is shown again: a counted cup stays counted.
        beneath: Activity,
    },
    /// A log is being written; its page shows the progress.
    Logging(Logging),
    /// Edit Board: NUDGE buttons are cups or, with `keys` shown, soft keys.
    Editing { draft: Draft, keys: bool },
    /// Powered down: only RESET does anything.
    Off,
}

/// Activity on the board.
#[allow(clippy::large_enum_variant, reason = "there is no heap, and one activity at a time")]
#[derive(Clone)]
pub(super) enum Activity {
    /// No activity: the user is to move, or the game is over.
    Waiting,
    /// A first press has marked this cup for counting.
    Counting(Cup),
    /// Help would play this cup, for this reason.
    Advising(Cup, Reason),
    /// Stones are moving.
    Moving(MoveAnimation),
    /// The computer is thinking, about its move or for Help.
    Thinking(Thinking),
}

impl State {
    /// The board without an activity.
    pub(super) const WAITING: Self = Self::Board(Activity::Waiting);

    /// Returns the page that is shown, and the state that follows its OK.
    pub(super) fn page(&self) -> Option<(Page, Next)> {
        match self {
            Self::Page { page, next, .. } => Some((*page, *next)),
            Self::Logging(logging) => Some((Page::Logging(logging.per_cent()), logging.next)),
            Self::Editing { draft, keys: true } => {
                let turn = draft.position.turn;
                Some((Page::Edit { turn, holding: draft.holding.is_some() }, Next::Board))
            }
            Self::Board(_) | Self::Editing { keys: false, .. } | Self::Off => None,
        }
    }

    /// Returns whether the LCD shows the game without a page over it.
    pub(super) const fn is_board(&self) -> bool {
        matches!(self, Self::Board(_))
    }

    /// Returns the cup that a first press counts.
    pub(super) const fn counting(&self) -> Option<Cup> {
        match self {
            Self::Board(Activity::Counting(cup)) => Some(*cup),
            _ => None,
        }
    }

    /// Returns the cup that Help would play.
    pub(super) const fn advising(&self) -> Option<Cup> {
        match self {
            Self::Board(Activity::Advising(cup, _)) => Some(*cup),
            _ => None,
        }
    }

    /// Returns the reason for the cup that Help would play.
    pub(super) const fn reason(&self) -> Option<Reason> {
        match self {
            Self::Board(Activity::Advising(_, reason)) => Some(*reason),
            _ => None,
        }
    }

    /// Returns the movement in progress.
    pub(super) const fn movement(&self) -> Option<&MoveAnimation> {
        match self {
            Self::Board(Activity::Moving(movement)) => Some(movement),
            _ => None,
        }
    }

    /// Returns the computer's thinking.
    pub(super) const fn thinking(&self) -> Option<&Thinking> {
        match self {
            Self::Board(Activity::Thinking(thinking)) => Some(thinking),
            _ => None,
        }
    }

    /// Removes and returns the activity on the board, covered by a page or not. The caller must set
    /// the next state.
    fn take_activity(&mut self) -> Activity {
        match mem::replace(self, Self::Off) {
            Self::Board(activity) | Self::Page { beneath: activity, .. } => activity,
            Self::Logging(_) | Self::Editing { .. } | Self::Off => Activity::Waiting,
        }
    }

    /// Shows `page` over the board.
    pub(super) fn cover(&mut self, page: Page, next: Next) {
        let beneath = self.take_activity();
        *self = Self::Page { page, next, beneath };
    }

    /// Shows the board again.
    pub(super) fn uncover(&mut self) {
        *self = Self::Board(self.take_activity());
    }
}

/// A NUDGE that is down.
#[derive(Clone, Copy, Debug)]
pub(super) struct HeldButton {
    pub(super) button: Button,
    /// Time of its next repeated action.
    pub(super) again_at: Instant,
}
