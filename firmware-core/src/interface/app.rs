//! The app: presses in; a view, notes and console lines out. The app knows no pin, no pixel and no
//! clock: `step(now, edges, …)` gets the time and returns when to call it again. Each step gets the
//! flash into which the app saves.
//!
//! | file | subject |
//! |---|---|
//! | `backlight` | goes out without input |
//! | `chance` | random numbers: the coin, the computer's play |
//! | `state` | everything that the app stores, and its one current state |
//! | `draft`, `logging`, `next`, `file_list`, `thinking`, `suspended_game`, `board_press`, `target` | the data of an edit, a log, a page, the saved games, the computer's thinking, a suspended game, a press that may begin a chord, what a press acts on |
//! | `play` | the game: presses, moves, its beginning and its end |
//! | `redo` | plays again what Undo took back |
//! | `suspended` | the game that a restart replaced or the demo interrupted |
//! | `hint` | when the LCD explains how to open the menu |
//! | `reset` | RESET while it is down: short or long |
//! | `movement` | the animation of a move, stone by stone |
//! | `glow` | the animation after a capture |
//! | `think` | the computer's turns, and Help: thinking in slices |
//! | `offer` | the offer to abandon play, once the computer agrees |
//! | `chord` | RESET together with a NUDGE: Undo and Help without the menu |
//! | `gate` | which presses count: those whose target the LCD had shown |
//! | `edit` | Edit Board |
//! | `pages` | the soft keys: menus, questions, notices |
//! | `choose` | the action of each menu entry |
//! | `options` | the side, sowing at once, the volume |
//! | `files`, `lists`, `log_reader` | saved games and logs: writing and loading, listing and deleting, reading |
//! | `review` | a saved game step by step |
//! | `introduction` | How to play, and the question at the first power-on |
//! | `persist` | settings and total scores |
//! | `progress` | saves and restores the game in progress across a power-off |
//! | `view` | the current view of the LCD |
//! | `report` | the lines on the console |
//! | `commands`, `file_commands`, `refusal` | commands typed on the console, and the reasons for refusing them |
//! | `export`, `import`, `transfer` | saved games and logs sent and received over the console |

mod backlight;
mod board_press;
mod chance;
mod choose;
mod chord;
mod commands;
mod draft;
mod edit;
mod export;
mod file_commands;
mod file_list;
mod files;
mod gate;
mod glow;
mod hint;
mod import;
mod introduction;
mod lists;
mod log_reader;
mod logging;
mod movement;
mod next;
mod offer;
mod options;
mod pages;
mod persist;
mod play;
mod progress;
mod redo;
mod refusal;
mod report;
mod reset;
mod review;
mod state;
mod suspended;
mod suspended_game;
mod target;
mod think;
mod thinking;
mod transfer;
mod view;

use core::ops::DerefMut;

use embedded_storage::nor_flash::NorFlash;

use crate::game::opponent::Thinker;
use crate::game::places::{Cup, Player};
use crate::interface::menu::Menu;
use crate::interface::message::Message;
use crate::pins::button::Button;
use crate::pins::console::Console;
use crate::pins::debounce::{Debouncer, Edge, Levels};
use crate::pins::sound;
use crate::storage::progress::Progress;
use crate::time::{Instant, Micros, Wake};
pub use backlight::DARK_AFTER;
use chance::Chance;
pub use chord::{CHORD_SPAN, CHORDS};
pub use hint::IDLE;
use movement::MoveAnimation;
pub use progress::game_in_progress;
use reset::Reset;
pub use reset::{BAR_AFTER, LONG_PRESS};
pub use state::{App, Memory, NOTICE, Start};
use state::{
    ButtonState, CurrentGame, Display, FileTransfer, GameLog, HeldButton, Opponent, State,
    StoredRecords, UserActivity,
};
use target::Gate;
pub use target::PressTarget;
use thinking::Thinking;

/// A soft key held for this long acts again, then once per [`REPEAT`].
pub const REPEAT_AFTER: Micros = Micros::from_millis(500);

/// Interval between two repeated actions of a held soft key. See [`REPEAT_AFTER`].
pub const REPEAT: Micros = Micros::from_millis(150);

/// A NUDGE held for this long opens the question whether to leave the demo.
pub const LEAVE_DEMO: Micros = Micros::from_millis(500);

impl<M: DerefMut<Target = Memory>> App<M> {
    /// Creates an app in `memory`, which must be new. The first step opens the first game.
    pub fn new(mut memory: M, start: Start) -> Self {
        let Start { settings, scores, stuck, damage, records, chance } = start;
        let system = settings.game.system();
        persist::open(&mut memory.history, &settings, Player::Bottom);
        Self {
            memory,
            stored: StoredRecords { settings, scores, records, damage },
            game: CurrentGame {
                system,
                first: Player::Bottom,
                starting_player_override: settings.first,
                opened: false,
                counted: None,
                over_since: None,
                first_turn: false,
                offers_abandon: false,
                suspended: None,
            },
            display: Display {
                status: Message::Turn(Player::Bottom),
                notice: None,
                message_until: None,
                glow: None,
            },
            log: GameLog { progress: Progress::default(), name: None, failed: false, waits: false },
            files: FileTransfer { named: None, name_without_room: None, transfer: None },
            buttons: ButtonState {
                held: None,
                reset: Reset::default(),
                on_board: None,
                held_in_doubt: None,
                stuck,
            },
            gate: Gate::new(),
            user: UserActivity {
                waits_since: Instant::POWER_ON,
                untouched_since: Instant::POWER_ON,
                menu_known: false,
                menu: (Menu::File, 0),
            },
            opponent: Opponent {
                thinker: Thinker::new(),
                chance: Chance::new(chance, settings.still_seed()),
            },
            state: State::WAITING,
            player: sound::Player::default(),
        }
    }

    /// Reads the undecided levels of the contacts. Call before the step that gets their edges.
    pub fn sample_contacts(&mut self, contacts: &Debouncer) {
        self.buttons.reset.sample_contacts(contacts.burst(Button::RESET));
        self.buttons.held_in_doubt = self.buttons.held.and_then(|held| contacts.burst(held.button));
    }

    /// Handles everything up to `now`. Returns when to call it again if nothing else happens.
    /// `flash` is the board's storage.
    pub fn step<F: NorFlash>(
        &mut self,
        now: Instant,
        edges: &[Edge],
        stuck: Levels,
        flash: &mut F,
    ) -> Wake {
        self.buttons.stuck = stuck;
        let introducing = self.is_introducing();
        if !self.game.opened {
            self.game.opened = true;
            self.open(now, flash);
        }
        for edge in edges {
            if !self.wakes(*edge) {
                self.take(now, *edge, flash);
            }
            self.update_gate();
        }
        if self.buttons.reset.is_long(now) {
            self.reset_held(now, flash);
            self.update_gate();
        }
        self.hold(now, flash);
        if introducing && !self.is_introducing() {
            self.remember_the_introduction(now, flash);
        }
        if let Some((message, _)) = self.display.notice.take_if(|(_, until)| *until <= now) {
            self.display.notice = self.next_notice(message, now);
        }
        self.advance(now);
        self.think(now, flash);
        self.offer_to_abandon(now);
        self.write_log(flash);
        self.export(flash);
        self.proceed_after_end(now);
        self.log_progress(now, flash);
        self.note_idleness(now);
        self.update_gate();
        self.wake(now)
    }

    /// Returns the frequency of the tone at `now`, and when it changes.
    pub fn tone(&mut self, now: Instant) -> (Option<u32>, Option<Instant>) {
        self.player.at(now)
    }

    /// Returns the duty cycle of the tones, in per cent.
    pub const fn duty_percent(&self) -> u8 {
        self.stored.settings.volume.duty_percent()
    }

    /// Adds another number that the board has drawn since power-on: the coin and the computer's
    /// play depend on it from now on.
    pub fn stir(&mut self, drawn: u64) {
        self.opponent.chance.stir(drawn);
    }

    /// Returns the lines that wait to be sent.
    pub fn console(&mut self) -> &mut Console {
        &mut self.memory.console
    }

    /// Returns whether the board is powered down: only RESET wakes it.
    pub fn is_off(&self) -> bool {
        matches!(self.state, State::Off)
    }

    fn open<F: NorFlash>(&mut self, now: Instant, flash: &mut F) {
        let goes_on = self.restore_game(now, flash);
        self.memory.console.line(format_args!(
            "boot nudge={} game={} source={}",
            env!("CARGO_PKG_VERSION"),
            self.game.system.name,
            crate::SOURCE_HASH
        ));
        self.report_damage();
        for button in self.buttons.stuck.iter() {
            self.memory.console.line(format_args!("stuck button={}", button.name()));
        }
        match goes_on {
            true => self.show_resumed(now),
            false => self.begin_first(now),
        }
        // A fault is shown before anything else.
        if let Some(button) = self.buttons.stuck.iter().next() {
            self.display.notice = Some((Message::Stuck(button), now.saturating_add(NOTICE)));
        } else if let Some(used) = self.fallback_used() {
            self.display.notice = Some((Message::StorageDamaged(used), now.saturating_add(NOTICE)));
        }
        self.introduce();
    }

    fn take<F: NorFlash>(&mut self, now: Instant, edge: Edge, flash: &mut F) {
        self.user.waits_since = now;
        match (edge.button.cup(), edge.down) {
            (Some(cup), true) => self.nudge_down(now, edge, cup, flash),
            (Some(_), false) => {
                self.buttons.held.take_if(|held| held.button == edge.button);
            }
            (None, true) => {
                self.buttons.reset.press(edge.at, self.gate.passes_reset(edge.at));
                self.complete_chord(now, edge.at, flash);
            }
            (None, false) => match self.buttons.reset.release(edge.at) {
                Some(true) => self.reset_held(now, flash),
                Some(false) => self.reset_tapped(now, flash),
                None => {}
            },
        }
    }

    /// Handles a NUDGE that went down. One that the gate does not pass changes nothing.
    fn nudge_down<F: NorFlash>(&mut self, now: Instant, edge: Edge, cup: Cup, flash: &mut F) {
        let counts = self.gate.passes_nudge(edge.at);
        self.buttons.on_board = None;
        if self.chord(now, edge.button, counts, flash) {
            return;
        }
        let repeats_after = match self.state.page() {
            Some((page, _)) if counts && page.key(cup).is_some_and(pages::repeats) => {
                Some(REPEAT_AFTER)
            }
            // The demo moves on by itself: holding a button has the same meaning in all of it.
            None if self.is_demo() && self.gate.passes_reset(edge.at) => Some(LEAVE_DEMO),
            _ => None,
        };
        self.note_board_press(edge, counts);
        if counts {
            self.press(now, cup, flash);
            self.update_gate();
        }
        self.buttons.held_in_doubt = None;
        self.buttons.held = repeats_after
            .map(|wait| HeldButton { button: edge.button, again_at: edge.at.saturating_add(wait) });
    }

    /// Handles a NUDGE that counts.
    fn press<F: NorFlash>(&mut self, now: Instant, cup: Cup, flash: &mut F) {
        if let Some((page, next)) = self.state.page() {
            return match page.key(cup) {
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

    /// Repeats the action of a held NUDGE where it has one.
    fn hold<F: NorFlash>(&mut self, now: Instant, flash: &mut F) {
        let Some(held) = self.buttons.held else { return };
        // The button may have been released in time: the contact decides.
        let in_doubt = self.buttons.held_in_doubt.is_some_and(|since| since < held.again_at);
        if now < held.again_at || in_doubt {
            return;
        }
        self.buttons.held = None;
        let Some(cup) = held.button.cup() else { return };
        match self.state.page() {
            Some((page, _)) if page.key(cup).is_some_and(pages::repeats) => {
                self.press(now, cup, flash);
                self.update_gate();
                self.buttons.held =
                    Some(HeldButton { again_at: now.saturating_add(REPEAT), ..held });
            }
            None if self.is_demo() && self.state.is_board() => {
                self.ask_to_leave_the_demo(now, self.stored.settings.before_demo);
            }
            _ => {}
        }
    }

    /// RESET was released before [`LONG_PRESS`]: restarts or goes back; a board that is off starts.
    fn reset_tapped<F: NorFlash>(&mut self, now: Instant, flash: &mut F) {
        if let Some((page, next)) = self.state.page() {
            return self.back(now, page, next);
        }
        match self.state {
            State::Editing { .. } => self.show_edit_keys(),
            State::Off => self.start_again(now, flash),
            _ => self.restart(now),
        }
    }

    /// RESET was held: opens the menu; a board that is off starts.
    fn reset_held<F: NorFlash>(&mut self, now: Instant, flash: &mut F) {
        match self.state {
            State::Off => self.start_again(now, flash),
            State::Editing { .. } => self.show_edit_keys(),
            // Unfinished input and an unfinished log are dropped.
            _ => self.open_menu(now),
        }
    }

    /// Handles RESET on a board that is powered down.
    pub(super) fn start_again<F: NorFlash>(&mut self, now: Instant, flash: &mut F) {
        self.opponent.chance.start_again(self.stored.settings.still_seed());
        self.game.starting_player_override = self.stored.settings.first;
        self.user.menu = (Menu::File, 0);
        self.user.menu_known = false;
        self.files.named = None;
        self.game.suspended = None;
        self.open(now, flash);
    }

    fn sound(&mut self, notes: Option<&'static [sound::Note]>, now: Instant) {
        if let (Some(notes), true) = (notes, self.stored.settings.sound) {
            self.player.play(notes, now);
        }
    }

    fn wake(&mut self, now: Instant) -> Wake {
        let movement = self.state.movement().map(MoveAnimation::next_phase_at);
        let notice = self.display.notice.map(|(_, until)| until);
        let reset = self.buttons.reset.wake_at(now);
        let held =
            self.buttons.held.filter(|_| self.held_button_repeats()).map(|held| held.again_at);
        // If it is already due, the contact's next edge decides.
        let held = held.filter(|at| now < *at);
        let thinking = self.state.thinking().map(Thinking::wake_at);
        let edit = match &self.state {
            State::Editing { draft, keys: false } => Some(draft.blink_at(now)),
            _ => None,
        };
        let over = self.next_after_the_end();
        let stands = self.display.message_until.filter(|until| *until > now);
        let glow = self.display.glow.and_then(|glow| glow.wake_at(now));
        let tone = self.player.at(now).1;
        let (tidy, idle, dark) = (self.erases_at(now), self.idle_at(now), self.dark_at(now));
        let at = [
            movement,
            notice,
            reset,
            held,
            thinking,
            edit,
            over,
            stands,
            glow,
            tone,
            tidy,
            idle,
            dark,
            self.offers_at(now),
        ];
        let wake = Wake::from(at.iter().flatten().min().copied());
        if self.can_write_log() || self.can_export() || self.must_think(now) {
            Wake::Now
        } else {
            wake
        }
    }

    fn held_button_repeats(&self) -> bool {
        match self.state {
            State::Board(_) | State::Editing { keys: false, .. } => self.is_demo(),
            State::Page { .. } | State::Logging(_) | State::Editing { .. } => true,
            State::Off => false,
        }
    }
}

#[cfg(test)]
mod tests;
