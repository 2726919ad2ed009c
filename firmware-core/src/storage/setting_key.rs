//! The settings by name: the words of the console's commands and of a trace's header, and
//! contradictions between settings. There is no other list of them.

use core::fmt;

use super::settings::Settings;
use crate::game::opponent::{Level, Players};
use crate::game::places::Player;
use crate::game::rules::StartingPlayer;
use crate::game::systems::{Game, SYSTEMS};
use crate::pins::sound::Volume;

/// A setting that has a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SettingKey {
    /// [`Settings::game`]
    Game,
    /// [`Settings::first`]
    First,
    /// [`Settings::stones`]
    Stones,
    /// [`Settings::bidirectional`]
    Bidirectional,
    /// [`Settings::players`]
    Players,
    /// [`Settings::level`]
    Level,
    /// [`Settings::sound`]
    Sound,
    /// [`Settings::side`]
    Side,
    /// [`Settings::sows_at_once`]
    SowAtOnce,
    /// [`Settings::volume`]
    Volume,
    /// Whether the board has yet to offer How to play: the opposite of [`Settings::introduced`].
    Introduction,
}

const PLAYERS: [&str; 2] = ["bottom", "top"];
const STONES: [&str; 3] = ["3", "4", "5"];
const FEWEST_STONES: u8 = 3;
const SWITCH: [&str; 2] = ["on", "off"];

/// A value that the rules of the game do not permit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Contradiction {
    /// The rules of this game always let the bottom player begin.
    FirstIsFixed(Game),
    /// The option exists in `wari` only, and the game is this one.
    OnlyInWari(Game),
}

impl fmt::Display for Contradiction {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::FirstIsFixed(game) => {
                write!(out, "in game {} the bottom player always begins", game.system().name)
            }
            Self::OnlyInWari(game) => {
                write!(out, "it belongs to game wari, not to {}", game.system().name)
            }
        }
    }
}

impl core::error::Error for Contradiction {}

impl SettingKey {
    /// All keys, in the order in which they can be set one after the other: the game determines the
    /// permitted values of others.
    pub const ALL: [Self; 11] = [
        Self::Game,
        Self::First,
        Self::Stones,
        Self::Bidirectional,
        Self::Players,
        Self::Level,
        Self::Sound,
        Self::Side,
        Self::SowAtOnce,
        Self::Volume,
        Self::Introduction,
    ];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Game => "game",
            Self::First => "first",
            Self::Stones => "stones",
            Self::Bidirectional => "bidirectional",
            Self::Players => "players",
            Self::Level => "level",
            Self::Sound => "sound",
            Self::Side => "side",
            Self::SowAtOnce => "sow-at-once",
            Self::Volume => "volume",
            Self::Introduction => "introduction",
        }
    }

    /// Returns the key with this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|key| key.name() == name)
    }

    /// Returns the words for its values.
    pub fn choices(self) -> impl Iterator<Item = &'static str> + Clone {
        (0..).map_while(move |nth| self.choice(nth))
    }

    fn choice(self, nth: usize) -> Option<&'static str> {
        match self {
            Self::Game => SYSTEMS.get(nth).map(|system| system.name),
            Self::First | Self::Side => PLAYERS.get(nth).copied(),
            Self::Stones => STONES.get(nth).copied(),
            Self::Players => Players::ALL.get(nth).map(|players| players.name()),
            Self::Level => Level::ALL.get(nth).map(|level| level.name()),
            Self::Volume => Volume::ALL.get(nth).map(|volume| volume.name()),
            Self::Bidirectional | Self::Sound | Self::SowAtOnce | Self::Introduction => {
                SWITCH.get(nth).copied()
            }
        }
    }

    /// Returns the word for its current value; `None` if the starting player is not set.
    pub fn value(self, settings: &Settings) -> Option<&'static str> {
        let switch = |on: bool| usize::from(!on);
        let nth = match self {
            Self::Game => SYSTEMS.iter().position(|system| system.game == settings.game)?,
            Self::First => settings.first?.index(),
            Self::Stones => usize::from(settings.stones.checked_sub(FEWEST_STONES)?),
            Self::Players => Players::ALL.iter().position(|it| *it == settings.players)?,
            Self::Level => Level::ALL.iter().position(|it| *it == settings.level)?,
            Self::Bidirectional => switch(settings.bidirectional),
            Self::Sound => switch(settings.sound),
            Self::Side => settings.side.index(),
            Self::SowAtOnce => switch(settings.sows_at_once),
            Self::Volume => settings.volume as usize,
            Self::Introduction => switch(!settings.introduced),
        };
        self.choice(nth)
    }

    /// Sets the value with this word. Returns whether there is one. [`Self::contradiction`] then
    /// checks the result.
    pub fn set(self, settings: &mut Settings, word: &str) -> bool {
        let Some(nth) = self.choices().position(|choice| choice == word) else { return false };
        let is_on = nth == 0;
        match self {
            Self::Game => settings.game = SYSTEMS[nth].game,
            Self::First => settings.first = Some(Player::BOTH[nth]),
            Self::Stones => settings.stones = FEWEST_STONES + nth as u8,
            Self::Players => settings.players = Players::ALL[nth],
            Self::Level => settings.level = Level::ALL[nth],
            Self::Bidirectional => settings.bidirectional = is_on,
            Self::Sound => settings.sound = is_on,
            Self::Side => settings.side = Player::BOTH[nth],
            Self::SowAtOnce => settings.sows_at_once = is_on,
            Self::Volume => settings.volume = Volume::ALL[nth],
            Self::Introduction => settings.introduced = !is_on,
        }
        true
    }

    /// Returns the contradiction of this setting with the game, if any. `settings` have the new
    /// value.
    pub fn contradiction(self, settings: &Settings) -> Option<Contradiction> {
        let system = settings.game.system();
        match self {
            Self::First
                if settings.first == Some(Player::Top)
                    && system.rules.starting_player == StartingPlayer::Bottom =>
            {
                Some(Contradiction::FirstIsFixed(settings.game))
            }
            Self::Stones | Self::Bidirectional | Self::SowAtOnce if !system.choices => {
                Some(Contradiction::OnlyInWari(settings.game))
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_reads_back_as_it_was_set() {
        for key in SettingKey::ALL {
            assert_eq!(SettingKey::named(key.name()), Some(key));
            assert!(key.choices().count() >= 2, "{}", key.name());
            for choice in key.choices() {
                let mut settings = Settings::default();
                assert!(key.set(&mut settings, choice));
                assert_eq!(key.value(&settings), Some(choice), "{}", key.name());
            }
            let mut settings = Settings::default();
            assert!(!key.set(&mut settings, "purple"));
            assert_eq!(settings, Settings::default());
        }
        assert_eq!(SettingKey::First.value(&Settings::default()), None);
    }

    #[test]
    fn a_key_contradicts_only_games_without_the_choice() {
        let wrong = |key: SettingKey, word, game| {
            let mut settings = Settings { game, ..Settings::default() };
            assert!(key.set(&mut settings, word));
            key.contradiction(&settings)
        };
        let board = Game::Board;
        assert_eq!(
            wrong(SettingKey::First, "top", board),
            Some(Contradiction::FirstIsFixed(board))
        );
        assert_eq!(wrong(SettingKey::First, "bottom", board), None);
        assert_eq!(wrong(SettingKey::First, "top", Game::Family), None);
        for key in [SettingKey::Stones, SettingKey::Bidirectional, SettingKey::SowAtOnce] {
            let word = key.choices().next().unwrap_or_default();
            assert_eq!(wrong(key, word, board), Some(Contradiction::OnlyInWari(board)));
            assert_eq!(wrong(key, word, Game::Wari), None);
        }
    }
}
