//! The app: presses in, a view, notes and console lines out. It knows no pin, no pixel
//! and no clock: `step(now, edges, …)` says what time it is, and the answer when to come again.
//! What it keeps lies in the flash that it is handed with each step.
//!
//! | file | subject |
//! |---|---|
//! | `play` | the game: presses, moves, its beginning and its end |
//! | `movement` | how a move looks while it happens: stone by stone |
//! | `think` | the computer's turns, and Help: thinking in slices |
//! | `edit` | Edit Board |
//! | `pages` | the soft keys: menus, questions, notices |
//! | `choose` | what each entry of the menus does |
//! | `files` | saved games and logs |
//! | `keep` | settings and total scores |
//! | `look` | what the LCD shows |
//! | `report` | the console's lines |

mod choose;
mod edit;
mod files;
mod keep;
mod look;
mod movement;
mod pages;
mod play;
mod report;
mod think;

use core::ops::DerefMut;

use embedded_storage::nor_flash::NorFlash;

use crate::game::history::History;
use crate::game::opponent::{Players, Scratch, Thinker};
use crate::game::places::{Cup, Player};
use crate::game::random::Random;
use crate::game::systems::System;
use crate::interface::menu::Menu;
use crate::interface::message::Message;
use crate::interface::page::Page;
use crate::pins::button::Button;
use crate::pins::console::Console;
use crate::pins::debounce::{Edge, Levels};
use crate::pins::sound;
use crate::storage::name::Name;
use crate::storage::{Scores, Settings};
use crate::time::{Micros, Wake};
use edit::Edit;
use files::{Logging, Shelf};
use movement::Movement;
use think::Thinking;

/// RESET held for this long opens the menu without being let go.
pub const LONG_PRESS: Micros = Micros::from_millis(1_000);

/// How long the LCD explains why a press did nothing.
pub const NOTICE: Micros = Micros::from_millis(2_000);

/// A soft key held for this long acts again, and then again after each [`REPEAT`].
pub const REPEAT_AFTER: Micros = Micros::from_millis(500);

/// See [`REPEAT_AFTER`].
pub const REPEAT: Micros = Micros::from_millis(150);

/// A NUDGE held for this long asks whether to leave the demo.
pub const LEAVE_DEMO: Micros = Micros::from_millis(500);

/// What the app is told at power-on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Start {
    /// What the flash remembers.
    pub settings: Settings,
    /// The total scores.
    pub scores: Scores,
    /// Buttons that have been down since before power-on.
    pub stuck: Levels,
    /// Whether the settings or the scores in flash were damaged.
    pub storage_damaged: bool,
}

/// All that is large of an [`App`]. It lies where whoever makes the app wants it, and is lent
/// to it: an app is small enough to be handed around.
pub struct Memory {
    history: History,
    scratch: Scratch,
    shelf: Shelf,
    console: Console,
}

impl Default for Memory {
    fn default() -> Self {
        Self::new()
    }
}

impl Memory {
    /// Empty, and nothing but zeros: in a static it takes no flash.
    pub const fn new() -> Self {
        Self {
            history: History::NONE,
            scratch: Scratch::new(),
            shelf: Shelf::new(),
            console: Console::new(),
        }
    }
}

/// The board's game, its menus, and everything that is remembered of them.
pub struct App<M> {
    memory: M,
    settings: Settings,
    scores: Scores,
    storage_damaged: bool,
    random: Random,
    /// Who begins the next game, if that is settled already.
    pinned: Option<Player>,
    opened: bool,
    system: &'static System,
    /// Who began the game.
    first: Player,
    status: Message,
    /// What the finished game added to the total scores, by [`Player::index`].
    counted: Option<[u32; 2]>,
    /// The cup that a first press counts.
    chosen: Option<Cup>,
    /// The cup that Help would play.
    advice: Option<Cup>,
    movement: Option<Movement>,
    /// Since when the game has been over and its stones at rest.
    over_since: Option<Micros>,
    notice: Option<(Message, Micros)>,
    mode: Mode,
    /// The board as it is being edited.
    edit: Option<Edit>,
    /// The menu that was open last, and its entry.
    menu: (Menu, u8),
    /// Who plays when the demo is left.
    before_demo: Players,
    thinker: Thinker,
    thinking: Option<Thinking>,
    logging: Option<Logging>,
    /// The name under which the game was saved or loaded last.
    named: Option<Name>,
    /// The name that was entered when there was no room.
    wanted: Option<Name>,
    held: Option<Held>,
    reset_down: Option<Micros>,
    player: sound::Player,
    stuck: Levels,
}

/// What the buttons mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    /// The board: NUDGE buttons are cups.
    Board,
    /// A page: the bottom row are soft keys. `next` is where its OK leads.
    Page { page: Page, next: Next },
    /// Powered down.
    Off,
}

/// What comes after a page, or after a log that begins on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Next {
    /// The game goes on.
    Board,
    /// A new game.
    NewBoard,
}

/// A NUDGE that is down.
#[derive(Clone, Copy, Debug)]
struct Held {
    button: Button,
    /// When it acts again.
    again_at: Micros,
}

impl<M: DerefMut<Target = Memory>> App<M> {
    /// An app in `memory`, which is new, that opens its first game in its first step.
    pub fn new(mut memory: M, start: Start) -> Self {
        let Start { settings, scores, stuck, storage_damaged } = start;
        let system = settings.game.system();
        keep::open(&mut memory.history, &settings, Player::Bottom);
        Self {
            memory,
            settings,
            scores,
            storage_damaged,
            random: Random::new(settings.seed),
            pinned: settings.first,
            opened: false,
            system,
            first: Player::Bottom,
            status: Message::Turn(Player::Bottom),
            counted: None,
            chosen: None,
            advice: None,
            movement: None,
            over_since: None,
            notice: None,
            mode: Mode::Board,
            edit: None,
            menu: (Menu::File, 0),
            before_demo: Players::Two,
            thinker: Thinker::new(),
            thinking: None,
            logging: None,
            named: None,
            wanted: None,
            held: None,
            reset_down: None,
            player: sound::Player::default(),
            stuck,
        }
    }

    /// Takes what happened up to `now`; when to be called again if nothing else happens.
    /// `flash` is the board's storage.
    pub fn step<F: NorFlash>(
        &mut self,
        now: Micros,
        edges: &[Edge],
        stuck: Levels,
        flash: &mut F,
    ) -> Wake {
        self.stuck = stuck;
        if !self.opened {
            self.opened = true;
            self.open(now);
        }
        for edge in edges {
            self.take(now, *edge, flash);
        }
        if self.reset_down.is_some_and(|since| now.since(since) >= LONG_PRESS) {
            self.reset_down = None;
            self.reset_held(now);
        }
        self.hold(now, flash);
        if self.notice.is_some_and(|(_, until)| until <= now) {
            self.notice = None;
        }
        self.advance(now);
        self.think(now, flash);
        self.write_log(flash);
        self.go_on_after_the_end(now);
        self.wake(now)
    }

    /// The frequency that sounds at `now`, and when that changes.
    pub fn tone(&mut self, now: Micros) -> (Option<u32>, Option<Micros>) {
        self.player.at(now)
    }

    /// The lines that wait to be sent.
    pub fn console(&mut self) -> &mut Console {
        &mut self.memory.console
    }

    /// Whether the board is powered down: only RESET wakes it.
    pub fn is_off(&self) -> bool {
        self.mode == Mode::Off
    }

    fn open(&mut self, now: Micros) {
        self.memory.console.line(format_args!(
            "boot nudge={} game={}",
            env!("CARGO_PKG_VERSION"),
            self.system.name
        ));
        if self.storage_damaged {
            self.memory.console.line(format_args!("storage state=damaged"));
        }
        for button in self.stuck.iter() {
            self.memory.console.line(format_args!("stuck button={}", button.name()));
        }
        self.begin_first(now);
        // What is wrong is said first.
        if let Some(button) = self.stuck.iter().next() {
            self.notice = Some((Message::Stuck(button), now + NOTICE));
        } else if self.storage_damaged {
            self.notice = Some((Message::StorageDamaged, now + NOTICE));
        }
    }

    fn take<F: NorFlash>(&mut self, now: Micros, edge: Edge, flash: &mut F) {
        match (edge.button.cup(), edge.down) {
            (Some(cup), true) => {
                let wait = if self.is_demo() { LEAVE_DEMO } else { REPEAT_AFTER };
                self.held = Some(Held { button: edge.button, again_at: edge.at + wait });
                self.press(now, cup, flash);
            }
            (Some(_), false) => {
                self.held.take_if(|held| held.button == edge.button);
            }
            (None, true) => self.reset_down = Some(edge.at),
            (None, false) => {
                if self.reset_down.take().is_some() {
                    self.reset_tapped(now);
                }
            }
        }
    }

    /// A NUDGE goes down.
    fn press<F: NorFlash>(&mut self, now: Micros, cup: Cup, flash: &mut F) {
        match self.mode {
            Mode::Board if self.edit.is_some() => self.edit_press(now, cup.place()),
            Mode::Board => self.nudge(now, cup, flash),
            Mode::Page { page, next } => {
                let key = match cup.owner() {
                    Player::Bottom => page.keys()[cup.nth_of_owner()],
                    Player::Top => None,
                };
                match key {
                    Some(key) => self.key(now, page, next, key, flash),
                    None => self.sound(Some(sound::ERROR), now),
                }
            }
            Mode::Off => {}
        }
    }

    /// A NUDGE that stays down acts again where that makes sense.
    fn hold<F: NorFlash>(&mut self, now: Micros, flash: &mut F) {
        let Some(held) = &mut self.held else { return };
        if now < held.again_at {
            return;
        }
        held.again_at = now + REPEAT;
        let Some(cup) = held.button.cup() else { return };
        match self.mode {
            Mode::Page { page, .. } if cup.owner() == Player::Bottom => {
                if page.keys()[cup.nth_of_owner()].is_some_and(pages::repeats) {
                    self.press(now, cup, flash);
                } else {
                    self.held = None;
                }
            }
            Mode::Board if self.is_demo() && self.edit.is_none() => {
                self.held = None;
                self.ask_to_leave_the_demo(now);
            }
            _ => self.held = None,
        }
    }

    /// RESET was let go before its time for the menu: restart, or back.
    fn reset_tapped(&mut self, now: Micros) {
        match self.mode {
            Mode::Board if self.edit.is_some() => self.show_edit_keys(),
            Mode::Board => self.restart(now),
            Mode::Page { page, next } => self.back(now, page, next),
            Mode::Off => self.start_again(now),
        }
    }

    /// RESET was held: the menu.
    fn reset_held(&mut self, now: Micros) {
        match self.mode {
            Mode::Off => {}
            _ if self.edit.is_some() => self.show_edit_keys(),
            // What is half entered or half written is dropped.
            _ => self.open_menu(now),
        }
    }

    /// RESET on a board that is powered down.
    fn start_again(&mut self, now: Micros) {
        self.random = Random::new(self.settings.seed);
        self.pinned = self.settings.first;
        self.menu = (Menu::File, 0);
        self.named = None;
        self.open(now);
    }

    fn sound(&mut self, notes: Option<&'static [sound::Note]>, now: Micros) {
        if let (Some(notes), true) = (notes, self.settings.sound) {
            self.player.play(notes, now);
        }
    }

    fn wake(&mut self, now: Micros) -> Wake {
        let movement = self.movement.as_ref().map(Movement::next_phase_at);
        let notice = self.notice.map(|(_, until)| until);
        let reset = self.reset_down.map(|since| since + LONG_PRESS);
        let held = self.held.filter(|_| self.holding_matters()).map(|held| held.again_at);
        let thinking = self.thinking.as_ref().map(Thinking::wake_at);
        let edit =
            self.edit.as_ref().filter(|_| self.mode == Mode::Board).map(|edit| edit.blink_at(now));
        let over = self.next_after_the_end();
        let tone = self.player.at(now).1;
        let at = [movement, notice, reset, held, thinking, edit, over, tone];
        let wake = Wake::from(at.into_iter().flatten().min());
        if self.can_write_log() || self.must_think() { Wake::Now } else { wake }
    }

    fn holding_matters(&self) -> bool {
        match self.mode {
            Mode::Page { .. } => true,
            Mode::Board => self.is_demo(),
            Mode::Off => false,
        }
    }
}

#[cfg(test)]
mod tests;
