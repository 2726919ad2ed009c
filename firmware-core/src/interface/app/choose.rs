//! The action of each menu entry, the check marks, and the entries that are unavailable now.

use core::ops::DerefMut;

use embedded_storage::nor_flash::NorFlash;

use super::next::Next;
use super::state::{App, Memory};
use crate::game::history::Step;
use crate::game::opponent::{Level, Players};
use crate::game::places::Player;
use crate::game::systems::Game;
use crate::interface::menu::{Entries, Entry, Menu};
use crate::interface::page::{Agreement, List, Notice, Page, Question};
use crate::interface::screen::style::Counts;
use crate::pins::sound;
use crate::storage::files::FileKind;
use crate::time::Instant;

impl<M: DerefMut<Target = Memory>> App<M> {
    pub(super) fn menu_page(&self, menu: Menu, cursor: u8) -> Page {
        let (mut checked, mut dim) = (Entries::default(), Entries::default());
        for (nth, entry) in menu.entries().enumerate() {
            if self.is_checked(entry) {
                checked = checked.with(nth);
            }
            if self.refusal(entry).is_some() {
                dim = dim.with(nth);
            }
        }
        Page::Menu { menu, cursor, checked, dim, volume: self.stored.settings.volume }
    }

    /// Returns whether the entry is the current setting.
    fn is_checked(&self, entry: Entry) -> bool {
        let settings = &self.stored.settings;
        match entry {
            Entry::OnePlayer => settings.players == Players::One,
            Entry::TwoPlayers => settings.players == Players::Two,
            Entry::DemoMode => settings.players == Players::Demo,
            Entry::SwapSides => settings.side == Player::Top,
            Entry::SowAtOnce => settings.sows_at_once && self.game.system.choices,
            Entry::Bidirectional => settings.bidirectional && self.game.system.choices,
            Entry::ShowThoughts => settings.thoughts,
            Entry::ThreeStones => settings.stones == 3 && self.game.system.choices,
            Entry::FourStones => settings.stones == 4 && self.game.system.choices,
            Entry::FiveStones => settings.stones == 5 && self.game.system.choices,
            Entry::Advanced => settings.level == Level::Advanced,
            Entry::Proficient => settings.level == Level::Proficient,
            Entry::Intermediate => settings.level == Level::Intermediate,
            Entry::Novice => settings.level == Level::Novice,
            Entry::SoundOff => !settings.sound,
            Entry::System(game) => settings.game == game,
            _ => false,
        }
    }

    /// Returns the reason why the entry is not available now.
    fn refusal(&self, entry: Entry) -> Option<Notice> {
        let not_here = Some(Notice::NotHere(self.game.system.game));
        let no_preview = self.game.system.style().counts == Counts::AtTheEnd;
        match entry {
            Entry::Bidirectional
            | Entry::SowAtOnce
            | Entry::ThreeStones
            | Entry::FourStones
            | Entry::FiveStones
                if !self.game.system.choices =>
            {
                not_here
            }
            Entry::Undo if self.can_restore_suspended() => None,
            Entry::Undo if no_preview => Some(Notice::TouchMove(self.game.system.game)),
            Entry::Undo if !self.can_undo() => Some(Notice::NothingToUndo),
            Entry::Redo if no_preview => not_here,
            Entry::Redo if !self.can_redo() => Some(Notice::NothingToRedo),
            Entry::Resign if self.is_demo() => Some(Notice::NotInDemo),
            Entry::Help | Entry::AbandonPlay | Entry::Resign if self.is_over() => {
                Some(Notice::GameOver)
            }
            // A game that was abandoned or resigned is not edited; the user restarts it or undoes
            // its end.
            Entry::EditBoard if self.memory.history.stopped().is_some() => Some(Notice::GameOver),
            Entry::Help if self.computer_moves() => Some(Notice::ComputersTurn),
            _ => None,
        }
    }

    /// Executes the entry.
    pub(super) fn choose<F: NorFlash>(&mut self, now: Instant, entry: Entry, flash: &mut F) {
        if let Some(notice) = self.refusal(entry) {
            self.show(Page::Notice(notice));
            return;
        }
        match entry {
            Entry::LoadGame => self.show_files(List::LoadGame, flash),
            Entry::Logs => self.show_files(List::Logs, flash),
            Entry::SaveGame => self.show_files(List::SaveGame, flash),
            Entry::LogGame => self.ask_for_name(FileKind::Log, Next::Board),
            Entry::Quit => {
                let waits = self.in_progress() || self.has_waiting_game();
                self.show(Page::Question(Question::Quit { waits }));
            }
            Entry::NewBoard => {
                let in_progress = self.in_progress();
                self.show(Page::Question(Question::NewBoard { in_progress }));
            }
            Entry::EditBoard => self.begin_to_edit(now),
            Entry::ShowScores => self.show(self.scores_page()),
            Entry::ResetScores => self.ask_to_reset_scores(),
            Entry::HowToPlay => self.show_lessons(),
            Entry::Help => self.help(now),
            Entry::Undo => self.undo(now, flash),
            Entry::Redo => self.redo(now, flash),
            Entry::AbandonPlay => self.propose_to_abandon(),
            Entry::Resign => self.show(Page::Question(Question::Resign(self.person()))),
            Entry::OnePlayer => self.choose_players(now, Players::One, flash),
            Entry::TwoPlayers => self.choose_players(now, Players::Two, flash),
            Entry::DemoMode if self.in_progress() => self.show(Page::Question(Question::Demo)),
            Entry::DemoMode => self.show(Page::Notice(Notice::Demo)),
            Entry::Bidirectional => {
                let on = !self.stored.settings.bidirectional;
                self.memory.history.push(Step::Bidirectional(on));
                self.memory.console.line(format_args!("option bidirectional={}", on_or_off(on)));
                self.stored.settings.bidirectional = on;
                self.save_option(now, flash);
            }
            Entry::ShowThoughts => {
                self.stored.settings.thoughts = !self.stored.settings.thoughts;
                self.save_option(now, flash);
            }
            Entry::SwapSides => self.change_sides(now, flash),
            Entry::SowAtOnce => self.switch_sowing_at_once(now, flash),
            Entry::Volume => self.change_volume(now, flash),
            Entry::ThreeStones => self.choose_stones(now, 3, flash),
            Entry::FourStones => self.choose_stones(now, 4, flash),
            Entry::FiveStones => self.choose_stones(now, 5, flash),
            Entry::Advanced => self.set_level(now, Level::Advanced, flash),
            Entry::Proficient => self.set_level(now, Level::Proficient, flash),
            Entry::Intermediate => self.set_level(now, Level::Intermediate, flash),
            Entry::Novice => self.set_level(now, Level::Novice, flash),
            Entry::SoundOff => {
                self.stored.settings.sound = !self.stored.settings.sound;
                self.player.stop();
                self.sound(Some(sound::COUNT), now);
                self.save_option(now, flash);
            }
            Entry::System(game) if game == self.stored.settings.game => self.state.uncover(),
            Entry::System(game) if self.in_progress() => {
                self.show(Page::Question(Question::System(game)));
            }
            Entry::System(game) => self.start_system(now, game, flash),
        }
    }

    /// Changes who plays; in the demo, asks first.
    fn choose_players<F: NorFlash>(&mut self, now: Instant, players: Players, flash: &mut F) {
        if self.is_demo() {
            self.ask_to_leave_the_demo(now, players);
        } else {
            self.set_players(now, players, flash);
        }
    }

    pub(super) fn set_players<F: NorFlash>(
        &mut self,
        now: Instant,
        players: Players,
        flash: &mut F,
    ) {
        self.memory.console.line(format_args!("option players={}", players.name()));
        self.stored.settings.players = players;
        self.state.uncover();
        self.save_settings(now, flash);
    }

    fn set_level<F: NorFlash>(&mut self, now: Instant, level: Level, flash: &mut F) {
        self.memory.console.line(format_args!("option level={}", level.name()));
        self.stored.settings.level = level;
        self.save_option(now, flash);
    }

    /// Saves a switched option, and updates its check mark.
    pub(super) fn save_option<F: NorFlash>(&mut self, now: Instant, flash: &mut F) {
        let (menu, cursor) = self.user.menu;
        self.show(self.menu_page(menu, cursor));
        self.save_settings(now, flash);
    }

    fn choose_stones<F: NorFlash>(&mut self, now: Instant, stones: u8, flash: &mut F) {
        if self.in_progress() {
            self.show(Page::Question(Question::Stones(stones)));
        } else {
            self.start_with_stones(now, stones, flash);
        }
    }

    pub(super) fn start_with_stones<F: NorFlash>(
        &mut self,
        now: Instant,
        stones: u8,
        flash: &mut F,
    ) {
        self.memory.console.line(format_args!("option stones={stones}"));
        self.stored.settings.stones = stones;
        self.begin_new_game(now);
        self.save_settings(now, flash);
    }

    pub(super) fn start_system<F: NorFlash>(&mut self, now: Instant, game: Game, flash: &mut F) {
        self.suspend_if_worth_it();
        self.stored.settings.game = game;
        self.game.system = game.system();
        self.memory.console.line(format_args!("option game={}", self.game.system.name));
        self.begin_first(now);
        self.save_settings(now, flash);
    }

    /// Proposes to abandon play, on behalf of the player at the menu.
    fn propose_to_abandon(&mut self) {
        self.ask_to_abandon(self.person());
    }

    pub(super) fn ask_to_abandon(&mut self, player: Player) {
        let other = match self.stored.settings.players {
            Players::One | Players::Demo => match self.rules().decided(&self.position()) {
                Some(result) => Agreement::ComputerAtResult(result),
                None => Agreement::Computer(self.memory.history.quiet()),
            },
            Players::Two => Agreement::Person,
        };
        self.show(Page::Question(Question::Abandon(player, other)));
    }

    /// Returns the player at the menu: against the computer the side of the user, else the player
    /// to move.
    pub(super) fn person(&self) -> Player {
        match self.stored.settings.players {
            Players::One => self.stored.settings.side,
            Players::Two | Players::Demo => self.position().turn,
        }
    }

    /// Records that `player` agrees to abandon play; both players must agree.
    pub(super) fn agreed<F: NorFlash>(&mut self, now: Instant, player: Player, flash: &mut F) {
        match self.stored.settings.players {
            Players::One | Players::Demo if !self.computer_abandons() => {
                self.show(Page::Notice(Notice::Declined(self.memory.history.quiet())));
            }
            Players::Two if player == self.person() => self.ask_to_abandon(player.opponent()),
            _ => self.abandon(now, flash),
        }
    }
}

pub(super) const fn on_or_off(on: bool) -> &'static str {
    if on { "on" } else { "off" }
}
