//! Console commands for a board's settings, totals and random numbers, without its buttons. See
//! docs/console.md. The commands for saved games and logs are in `file_commands`.
//!
//! Every line gets an answer: the current values, or one line `error` that states the problem and
//! changes nothing. Commands that change the board are refused while a page of the menu, Edit Board
//! or a log covers it.

use core::ops::DerefMut;

use embedded_storage::nor_flash::NorFlash;

use super::file_commands::FILE_COMMANDS;
use super::refusal::{Refusal, number};
use super::state::{App, Memory, State};
use crate::game::history::text::{typed_number, typed_words};
use crate::game::opponent::Players;
use crate::game::places::Player;
use crate::game::systems::{Game, SYSTEMS};
use crate::pins::command_line::LineFault;
use crate::pins::entropy::STREAM;
use crate::storage::progress::{BlockInfo, Progress};
use crate::storage::{ChanceSource, Scores, SettingKey, Settings, files};
use crate::time::Instant;

/// Commands and their descriptions.
const COMMANDS: [(&str, &str); 6] = [
    ("help", "lists what can be typed"),
    ("get [KEY]", "tells a setting, or all of them"),
    ("set KEY VALUE", "changes a setting; the board starts again"),
    ("totals [GAME BOTTOM TOP [BEGINS]]", "tells or sets total scores; BEGINS is bottom or top"),
    (
        "seed N|still|noise",
        "from the next power-on chance follows from N, stands still, or is the board's",
    ),
    ("factory new", "erases settings, totals, saved games and logs; the board starts again"),
];

impl<M: DerefMut<Target = Memory>> App<M> {
    /// Executes a typed line and answers it. Call it only when the console's queue is empty: the
    /// answer has at most 1.5 KiB.
    pub fn command<F: NorFlash>(
        &mut self,
        now: Instant,
        line: Result<&str, LineFault>,
        flash: &mut F,
    ) {
        let done = line.map_err(Refusal::Line).and_then(|line| self.carry_out(now, line, flash));
        if let Err(refusal) = done {
            self.answer_refusal(&refusal);
        }
        self.update_gate();
    }

    pub(super) fn answer_refusal(&mut self, refusal: &Refusal<'_>) {
        self.memory.console.line(format_args!("error text=\"{refusal}\""));
    }

    fn carry_out<'l, F: NorFlash>(
        &mut self,
        now: Instant,
        line: &'l str,
        flash: &mut F,
    ) -> Result<(), Refusal<'l>> {
        // `=` separates words as a blank does, so that the user can type what `get` prints.
        let words = typed_words(line, b'=');
        match words {
            ["help", "", ..] => {
                for (usage, does) in COMMANDS.into_iter().chain(FILE_COMMANDS) {
                    self.memory
                        .console
                        .line(format_args!("help usage=\"{usage}\" does=\"{does}\""));
                }
                Ok(())
            }
            ["get", "", ..] => {
                SettingKey::ALL.into_iter().for_each(|key| self.tell(key));
                Ok(())
            }
            ["get", key, "", ..] => {
                self.tell(SettingKey::named(key).ok_or(Refusal::NoKey(key))?);
                Ok(())
            }
            ["set", key, value, "", ..] if !value.is_empty() => {
                let key = SettingKey::named(key).ok_or(Refusal::NoKey(key))?;
                self.set(now, key, value, flash)
            }
            ["totals", "", ..] => {
                SYSTEMS.iter().for_each(|system| self.print_totals(system.game));
                Ok(())
            }
            ["totals", game, bottom, top, begins, "", ..] if !top.is_empty() => {
                let game = game_named(game)?;
                let totals = [number(bottom)?, number(top)?];
                let begins = match begins {
                    "" => None,
                    begins => Some(player_named(begins)?),
                };
                self.set_totals(now, game, totals, begins, flash)
            }
            ["seed", word, "", ..] if !word.is_empty() => {
                let (chance, seed) = match word {
                    "noise" => (ChanceSource::Noise, 0),
                    "still" => (ChanceSource::Still, 0),
                    word => {
                        let seed = typed_number(word, u64::MAX).ok_or(Refusal::NoNumber(word))?;
                        // Derived as on the virtual board.
                        (ChanceSource::Seeded, seed ^ STREAM)
                    }
                };
                self.may_change()?;
                self.store_settings(Settings { chance, seed, ..self.stored.settings }, flash)?;
                self.memory.console.line(format_args!("seed value={word} from=power-on"));
                Ok(())
            }
            ["factory", "new", "", ..] => self.make_factory_new(now, flash),
            ["export", ..] => self.export_command(words, flash),
            ["import", ..] => self.import_command(line, words, flash),
            [verb, ..] => {
                let usage = COMMANDS.iter().map(|(usage, _)| *usage);
                let is_of = |usage: &&str| {
                    usage
                        .strip_prefix(verb)
                        .is_some_and(|rest| rest.starts_with(' ') || rest.is_empty())
                };
                let mut known = usage.filter(is_of);
                Err(known.next().map_or(Refusal::Unknown(verb), Refusal::Usage))
            }
        }
    }

    fn tell(&mut self, key: SettingKey) {
        let value = key.value(&self.stored.settings).unwrap_or("-");
        self.memory.console.line(format_args!("setting {}={value}", key.name()));
    }

    fn print_totals(&mut self, game: Game) {
        let [bottom, top] = self.stored.scores.of(game);
        let name = game.system().name;
        self.memory.console.line(format_args!("totals game={name} bottom={bottom} top={top}"));
    }

    /// Checks whether the board may be changed now. The question on a new board is not part of a
    /// menu and does not prevent it.
    pub(super) fn may_change<'l>(&self) -> Result<(), Refusal<'l>> {
        match self.state {
            State::Board(_) | State::Off => Ok(()),
            _ if self.is_introducing() => Ok(()),
            _ => Err(Refusal::Covered),
        }
    }

    fn set<'l, F: NorFlash>(
        &mut self,
        now: Instant,
        key: SettingKey,
        value: &'l str,
        flash: &mut F,
    ) -> Result<(), Refusal<'l>> {
        let mut settings = self.stored.settings;
        if !key.set(&mut settings, value) {
            return Err(Refusal::NoValue(key, value));
        }
        if let Some(why) = key.contradiction(&settings) {
            return Err(Refusal::Contradiction(key, why));
        }
        // A system that always begins with the same player cannot have a starting player set.
        if SettingKey::First.contradiction(&settings).is_some() {
            settings.first = None;
        }
        if settings.players == Players::Demo && !self.is_demo() {
            settings.before_demo = self.stored.settings.players;
        }
        self.may_change()?;
        let changes = settings != self.stored.settings;
        self.store_settings(settings, flash)?;
        self.tell(key);
        if changes {
            self.start_over(now, flash);
        }
        Ok(())
    }

    fn set_totals<'l, F: NorFlash>(
        &mut self,
        now: Instant,
        game: Game,
        totals: [u32; 2],
        begins: Option<Player>,
        flash: &mut F,
    ) -> Result<(), Refusal<'l>> {
        self.may_change()?;
        let mut scores = self.stored.scores;
        scores.set(game, totals);
        scores.begins = begins.or(scores.begins);
        self.repair_records(flash)?;
        self.stored.records.save_scores(flash, &scores)?;
        self.stored.scores = scores;
        // The points that this game has added are no longer part of the totals.
        self.game.counted = None;
        self.print_totals(game);
        self.start_over(now, flash);
        Ok(())
    }

    /// Stores the settings. Nothing changes if that fails.
    fn store_settings<'l, F: NorFlash>(
        &mut self,
        settings: Settings,
        flash: &mut F,
    ) -> Result<(), Refusal<'l>> {
        self.repair_records(flash)?;
        self.stored.records.save(flash, &settings)?;
        self.stored.settings = settings;
        Ok(())
    }

    fn make_factory_new<'l, F: NorFlash>(
        &mut self,
        now: Instant,
        flash: &mut F,
    ) -> Result<(), Refusal<'l>> {
        self.may_change()?;
        if self.log.progress.sequence().is_some() {
            let about = BlockInfo {
                system: self.game.system.game as u8,
                totals: None,
                begins: None,
                name: None,
            };
            self.log.progress.end(flash, &about)?;
        }
        files::remove_all(flash)?;
        self.files.transfer = None;
        self.store_settings(Settings::FACTORY_NEW, flash)?;
        self.stored.records.save_scores(flash, &Scores::default())?;
        self.stored.scores = Scores::default();
        (self.log.progress, self.log.failed, self.log.waits) = (Progress::default(), false, false);
        self.memory.console.line(format_args!("factory state=new"));
        self.start_over(now, flash);
        Ok(())
    }

    /// Starts the board again, as RESET after Quit does: a game in progress continues, with the new
    /// settings.
    fn start_over<F: NorFlash>(&mut self, now: Instant, flash: &mut F) {
        if self.is_off() {
            return;
        }
        self.player.stop();
        (self.buttons.held, self.display.notice) = (None, None);
        self.state = State::Off;
        self.game.system = self.stored.settings.game.system();
        self.start_again(now, flash);
    }
}

fn game_named(word: &str) -> Result<Game, Refusal<'_>> {
    let system = SYSTEMS.iter().find(|system| system.name == word);
    system.map(|system| system.game).ok_or(Refusal::NoGame(word))
}

fn player_named(word: &str) -> Result<Player, Refusal<'_>> {
    let mut settings = Settings::FACTORY_NEW;
    SettingKey::First.set(&mut settings, word);
    settings.first.ok_or(Refusal::NoPlayer(word))
}
