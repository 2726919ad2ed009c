//! The app: presses in, a view, notes and console lines out. It knows no pin, no pixel
//! and no clock: `step(now, edges, …)` gets the time and returns when to call it again.
//! It saves into the flash that each step is given.
//!
//! | file | subject |
//! |---|---|
//! | `chance` | what is left to chance: the coin, the computer's play |
//! | `state` | all that the app remembers, and the one state that it is in |
//! | `draft`, `logging`, `next`, `file_list`, `thinking` | what is remembered of an edit, a log, a page, the saved games, the computer's thinking |
//! | `play` | the game: presses, moves, its beginning and its end |
//! | `movement` | how a move looks while it happens: stone by stone |
//! | `think` | the computer's turns, and Help: thinking in slices |
//! | `edit` | Edit Board |
//! | `pages` | the soft keys: menus, questions, notices |
//! | `choose` | what each entry of the menus does |
//! | `files` | saved games and logs |
//! | `persist` | settings and total scores |
//! | `view` | what the LCD shows |
//! | `report` | the console's lines |

mod chance;
mod choose;
mod draft;
mod edit;
mod file_list;
mod files;
mod logging;
mod movement;
mod next;
mod pages;
mod persist;
mod play;
mod report;
mod state;
mod think;
mod thinking;
mod view;

use core::ops::DerefMut;

use embedded_storage::nor_flash::NorFlash;

use crate::game::opponent::{Players, Thinker};
use crate::game::places::{Cup, Player};
use crate::interface::menu::Menu;
use crate::interface::message::Message;
use crate::pins::console::Console;
use crate::pins::debounce::{Edge, Levels};
use crate::pins::sound;
use crate::time::{Instant, Micros, Wake};
use chance::Chance;
use movement::Movement;
pub use state::{App, Memory, NOTICE, Start};
use state::{Held, State};
use thinking::Thinking;

/// RESET held for this long opens the menu, before it is released.
pub const LONG_PRESS: Micros = Micros::from_millis(1_000);

/// A soft key held for this long acts again, and then again after each [`REPEAT`].
pub const REPEAT_AFTER: Micros = Micros::from_millis(500);

/// See [`REPEAT_AFTER`].
pub const REPEAT: Micros = Micros::from_millis(150);

/// A NUDGE held for this long asks whether to leave the demo.
pub const LEAVE_DEMO: Micros = Micros::from_millis(500);

impl<M: DerefMut<Target = Memory>> App<M> {
    /// An app in `memory`, which is new, that opens its first game in its first step.
    pub fn new(mut memory: M, start: Start) -> Self {
        let Start { settings, scores, stuck, damage, records, chance } = start;
        let system = settings.game.system();
        persist::open(&mut memory.history, &settings, Player::Bottom);
        Self {
            memory,
            settings,
            scores,
            records,
            damage,
            chance: Chance::new(chance, settings.seed),
            pinned: settings.first,
            opened: false,
            system,
            first: Player::Bottom,
            status: Message::Turn(Player::Bottom),
            counted: None,
            over_since: None,
            notice: None,
            state: State::WAITING,
            menu: (Menu::File, 0),
            before_demo: Players::Two,
            thinker: Thinker::new(),
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
        now: Instant,
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
        if self.reset_down.is_some_and(|since| now.saturating_since(since) >= LONG_PRESS) {
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
    pub fn tone(&mut self, now: Instant) -> (Option<u32>, Option<Instant>) {
        self.player.at(now)
    }

    /// The board has drawn another number since power-on: the coin and the computer's play depend
    /// on it from now on.
    pub fn stir(&mut self, drawn: u64) {
        self.chance.stir(drawn);
    }

    /// The lines that wait to be sent.
    pub fn console(&mut self) -> &mut Console {
        &mut self.memory.console
    }

    /// Whether the board is powered down: only RESET wakes it.
    pub fn is_off(&self) -> bool {
        matches!(self.state, State::Off)
    }

    fn open(&mut self, now: Instant) {
        self.memory.console.line(format_args!(
            "boot nudge={} game={}",
            env!("CARGO_PKG_VERSION"),
            self.system.name
        ));
        self.report_damage();
        for button in self.stuck.iter() {
            self.memory.console.line(format_args!("stuck button={}", button.name()));
        }
        self.begin_first(now);
        // A fault is shown before anything else.
        if let Some(button) = self.stuck.iter().next() {
            self.notice = Some((Message::Stuck(button), now.saturating_add(NOTICE)));
        } else if let Some(used) = self.used_instead() {
            self.notice = Some((Message::StorageDamaged(used), now.saturating_add(NOTICE)));
        }
    }

    fn take<F: NorFlash>(&mut self, now: Instant, edge: Edge, flash: &mut F) {
        match (edge.button.cup(), edge.down) {
            (Some(cup), true) => {
                let wait = if self.is_demo() { LEAVE_DEMO } else { REPEAT_AFTER };
                self.held =
                    Some(Held { button: edge.button, again_at: edge.at.saturating_add(wait) });
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
    fn press<F: NorFlash>(&mut self, now: Instant, cup: Cup, flash: &mut F) {
        if let Some((page, next)) = self.state.page() {
            let key = match cup.owner() {
                Player::Bottom => page.keys()[cup.nth_of_owner()],
                Player::Top => None,
            };
            return match key {
                Some(key) => self.key(now, page, next, key, flash),
                None => self.sound(Some(sound::ERROR), now),
            };
        }
        match self.state {
            State::Board(_) => self.nudge(now, cup, flash),
            State::Editing { .. } => self.edit_press(now, cup.place()),
            _ => {}
        }
    }

    /// A NUDGE that stays down acts again where that makes sense.
    fn hold<F: NorFlash>(&mut self, now: Instant, flash: &mut F) {
        let Some(held) = &mut self.held else { return };
        if now < held.again_at {
            return;
        }
        held.again_at = now.saturating_add(REPEAT);
        let Some(cup) = held.button.cup() else { return };
        match self.state.page() {
            Some((page, _)) if cup.owner() == Player::Bottom => {
                if page.keys()[cup.nth_of_owner()].is_some_and(pages::repeats) {
                    self.press(now, cup, flash);
                } else {
                    self.held = None;
                }
            }
            None if self.is_demo() && self.state.is_board() => {
                self.held = None;
                self.ask_to_leave_the_demo(now);
            }
            _ => self.held = None,
        }
    }

    /// RESET was released before [`LONG_PRESS`]: restart, or back.
    fn reset_tapped(&mut self, now: Instant) {
        if let Some((page, next)) = self.state.page() {
            return self.back(now, page, next);
        }
        match self.state {
            State::Editing { .. } => self.show_edit_keys(),
            State::Off => self.start_again(now),
            _ => self.restart(now),
        }
    }

    /// RESET was held: the menu.
    fn reset_held(&mut self, now: Instant) {
        match self.state {
            State::Off => {}
            State::Editing { .. } => self.show_edit_keys(),
            // What is half entered or half written is dropped.
            _ => self.open_menu(now),
        }
    }

    /// RESET on a board that is powered down.
    fn start_again(&mut self, now: Instant) {
        self.chance.start_again(self.settings.seed);
        self.pinned = self.settings.first;
        self.menu = (Menu::File, 0);
        self.named = None;
        self.open(now);
    }

    fn sound(&mut self, notes: Option<&'static [sound::Note]>, now: Instant) {
        if let (Some(notes), true) = (notes, self.settings.sound) {
            self.player.play(notes, now);
        }
    }

    fn wake(&mut self, now: Instant) -> Wake {
        let movement = self.state.movement().map(Movement::next_phase_at);
        let notice = self.notice.map(|(_, until)| until);
        let reset = self.reset_down.map(|since| since.saturating_add(LONG_PRESS));
        let held = self.held.filter(|_| self.holding_matters()).map(|held| held.again_at);
        let thinking = self.state.thinking().map(Thinking::wake_at);
        let edit = match &self.state {
            State::Editing { draft, keys: false } => Some(draft.blink_at(now)),
            _ => None,
        };
        let over = self.next_after_the_end();
        let tone = self.player.at(now).1;
        let at = [movement, notice, reset, held, thinking, edit, over, tone];
        let wake = Wake::from(at.into_iter().flatten().min());
        if self.can_write_log() || self.must_think() { Wake::Now } else { wake }
    }

    fn holding_matters(&self) -> bool {
        match self.state {
            State::Board(_) | State::Editing { keys: false, .. } => self.is_demo(),
            State::Page { .. } | State::Logging(_) | State::Editing { .. } => true,
            State::Off => false,
        }
    }
}

#[cfg(test)]
mod tests;
