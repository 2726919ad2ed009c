//! What the app remembers: [`App`], its [`Memory`], and the one [`State`] that it is in.
//!
//! Data only: the other files act on it.

use core::mem;

use super::chance::Chance;
use super::draft::Draft;
use super::file_list::FileList;
use super::glow::Glow;
use super::logging::Logging;
use super::movement::Movement;
use super::next::Next;
use super::reset::Reset;
use super::shelved::Shelved;
use super::thinking::Thinking;
use super::transfer::Transfer;
use crate::game::history::History;
use crate::game::history::saved::SAVED_BYTES;
use crate::game::opponent::{Players, Scratch, Thinker};
use crate::game::places::{Cup, Player};
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

/// How long the LCD explains why a press did nothing.
pub const NOTICE: Micros = Micros::from_millis(2_000);

/// What the app gets at power-on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Start {
    /// The settings in flash.
    pub settings: Settings,
    /// The total scores.
    pub scores: Scores,
    /// Buttons that have been down since before power-on.
    pub stuck: Levels,
    /// What of the settings and the scores in flash is damaged.
    pub damage: RecordsDamage,
    /// Where they lie in flash.
    pub records: Records,
    /// A number that the board has drawn; `None` if its source of chance stands still.
    pub chance: Option<u64>,
}

/// The large parts of an [`App`], lent by its owner, who chooses where they lie. Without them
/// an app is small enough to be moved.
#[derive(Clone)]
pub struct Memory {
    pub(super) history: History,
    /// The game of [`App::shelved`]; without one, whatever.
    pub(super) shelf: History,
    pub(super) scratch: Scratch,
    pub(super) file_list: FileList,
    /// What is seen of a log.
    pub(super) log_text: LogText,
    /// A saved game that is being read.
    pub(super) saved: [u8; SAVED_BYTES],
    /// A saved game that goes out or comes in over the console.
    pub(super) transferred: History,
    pub(super) console: Console,
}

impl Default for Memory {
    fn default() -> Self {
        Self::new()
    }
}

impl Memory {
    /// Empty: all bytes are zero, so a static of it takes no flash.
    pub const fn new() -> Self {
        Self {
            history: History::NONE,
            shelf: History::NONE,
            scratch: Scratch::new(),
            file_list: FileList::new(),
            log_text: LogText::EMPTY,
            saved: [0; SAVED_BYTES],
            transferred: History::NONE,
            console: Console::new(),
        }
    }
}

/// The board's game, its menus, and everything that is remembered of them.
#[derive(Clone)]
pub struct App<M> {
    pub(super) memory: M,
    pub(super) settings: Settings,
    pub(super) scores: Scores,
    /// Where both lie in flash.
    pub(super) records: Records,
    /// What was damaged at power-on, until the records are written anew.
    pub(super) damage: RecordsDamage,
    pub(super) chance: Chance,
    /// Who begins the next game, if that is settled already.
    pub(super) pinned: Option<Player>,
    pub(super) opened: bool,
    pub(super) system: &'static System,
    /// Who began the game.
    pub(super) first: Player,
    pub(super) status: Message,
    /// What the finished game added to the total scores, by [`Player::index`].
    pub(super) counted: Option<[u32; 2]>,
    /// Since when the game has been over and its stones at rest.
    pub(super) over_since: Option<Instant>,
    /// The game that can be brought back.
    pub(super) shelved: Option<Shelved>,
    pub(super) notice: Option<(Message, Instant)>,
    /// No one has moved since the game began, or since power-on.
    pub(super) first_turn: bool,
    /// Since when the board has waited for a person, at the earliest.
    pub(super) waits_since: Instant,
    /// Whether the menu has been opened since power-on.
    pub(super) menu_known: bool,
    /// Until when the computer does not move: the message of a capture or a free turn stands.
    pub(super) stands_until: Option<Instant>,
    /// The latest capture, until something else is to be seen.
    pub(super) glow: Option<Glow>,
    /// Since when the LCD has shown the turn, or the end, that a NUDGE answers. One that no movement
    /// has hidden (a new game, a move taken back) counts as shown when it begins.
    pub(super) turn_shown: Option<Instant>,
    pub(super) state: State,
    /// The log of the game in progress.
    pub(super) progress: Progress,
    /// The name that it holds.
    pub(super) logged_name: Option<Name>,
    /// The log could not be written: it is left alone until the next power-on.
    pub(super) log_failed: bool,
    /// The game in the log waits until the demo is left.
    pub(super) waits: bool,
    /// Since when no button has gone down or up.
    pub(super) untouched_since: Instant,
    /// The menu that was open last, and its entry.
    pub(super) menu: (Menu, u8),
    /// Who plays when the demo is left.
    pub(super) before_demo: Players,
    pub(super) thinker: Thinker,
    /// The name under which the game was saved or loaded last.
    pub(super) named: Option<Name>,
    /// The name that was entered when there was no room.
    pub(super) wanted: Option<Name>,
    pub(super) held: Option<Held>,
    pub(super) reset: Reset,
    /// Since when the contact of the NUDGE that is held has been in doubt.
    pub(super) held_in_doubt: Option<Instant>,
    pub(super) player: sound::Player,
    pub(super) stuck: Levels,
    /// What goes out or comes in over the console.
    pub(super) transfer: Option<Transfer>,
}

/// What the buttons mean, and what is under way.
#[allow(clippy::large_enum_variant, reason = "there is no heap, and one state at a time")]
#[derive(Clone)]
pub(super) enum State {
    /// The board: NUDGE buttons are cups.
    Board(Activity),
    /// A page: the bottom row are soft keys. `next` is where its OK leads.
    Page {
        page: Page,
        next: Next,
        /// What goes on when the board is back: a cup that is counted stays so.
        beneath: Activity,
    },
    /// A log is being written; its page shows the progress.
    Logging(Logging),
    /// Edit Board: NUDGE buttons are cups or, with `keys` shown, soft keys.
    Editing { draft: Draft, keys: bool },
    /// Powered down: only RESET does anything.
    Off,
}

/// What goes on on the board.
#[allow(clippy::large_enum_variant, reason = "there is no heap, and one activity at a time")]
#[derive(Clone)]
pub(super) enum Activity {
    /// Nothing: it is a person's turn, or the game is over.
    Waiting,
    /// A first press counts this cup.
    Counting(Cup),
    /// Help would play this cup.
    Advising(Cup),
    /// Stones move.
    Moving(Movement),
    /// The computer thinks, about its move or for Help.
    Thinking(Thinking),
}

impl State {
    /// The board, with nothing under way.
    pub(super) const WAITING: Self = Self::Board(Activity::Waiting);

    /// The page that is shown, and where its OK leads.
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

    /// Whether the game is on the LCD, and no page covers it.
    pub(super) const fn is_board(&self) -> bool {
        matches!(self, Self::Board(_))
    }

    /// The cup that a first press counts.
    pub(super) const fn counting(&self) -> Option<Cup> {
        match self {
            Self::Board(Activity::Counting(cup)) => Some(*cup),
            _ => None,
        }
    }

    /// The cup that Help would play.
    pub(super) const fn advising(&self) -> Option<Cup> {
        match self {
            Self::Board(Activity::Advising(cup)) => Some(*cup),
            _ => None,
        }
    }

    /// The move whose stones are on their way.
    pub(super) const fn movement(&self) -> Option<&Movement> {
        match self {
            Self::Board(Activity::Moving(movement)) => Some(movement),
            _ => None,
        }
    }

    /// The computer's thinking.
    pub(super) const fn thinking(&self) -> Option<&Thinking> {
        match self {
            Self::Board(Activity::Thinking(thinking)) => Some(thinking),
            _ => None,
        }
    }

    /// Takes what goes on on the board, covered by a page or not. To be followed by the next
    /// state.
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
pub(super) struct Held {
    pub(super) button: Button,
    /// When it acts again.
    pub(super) again_at: Instant,
}
