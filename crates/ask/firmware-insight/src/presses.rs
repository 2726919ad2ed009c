//! The presses to try on each screen, and the circumstances that they depend on.

use firmware_core::app::CHORDS;
use insight::{Circumstances, Screen, Step};
use trace::Button;
use virtual_time::Random;

use crate::screen::BOARD;

/// Number of games of each kind that are played to find screens that a few presses do not reach.
const GAMES: u64 = 6;
/// Number of presses in such a game.
const PRESSES: usize = 120;

/// Returns the steps to try on a screen.
pub(crate) fn steps(screen: &Screen) -> Vec<Step> {
    let mut steps =
        match screen.kind.as_str() {
            "off" => Vec::new(),
            _ if screen.kind == BOARD => {
                let mut all: Vec<Step> =
                    Button::LCD_BOARD[..12].iter().copied().map(Step::Tap).collect();
                all.extend([Step::Hold(Button::B1), Step::Wait, Step::OffAndOn]);
                all.extend(CHORDS.iter().filter_map(|(button, _)| {
                    Button::from_name(button.name()).map(Step::WithReset)
                }));
                all
            }
            // In the top row one button on each half has a function, if any has.
            _ => {
                let mut taps: Vec<Step> =
                    Button::LCD_BOARD[..6].iter().copied().map(Step::Tap).collect();
                taps.extend([Button::T1, Button::T4].map(Step::Tap));
                taps
            }
        };
    steps.extend([Step::Tap(Button::Reset), Step::Hold(Button::Reset)]);
    steps
}

/// Returns games to play on a screen in that phase.
pub(crate) fn games(screen: &Screen, phase: &str) -> Vec<Vec<Step>> {
    if screen.kind != BOARD || !phase.starts_with(PLAYED) {
        return Vec::new();
    }
    let game = |seed| {
        let mut random = Random::new(seed);
        let press = |_| Step::Tap(Button::LCD_BOARD[(random.next() % 12) as usize]);
        (0..PRESSES).map(press).collect()
    };
    (0..GAMES).map(game).collect()
}

/// Beginning of the circumstances of a game in which no move was made yet.
const PLAYED: &str = "new game";

/// Returns the state that decides the effect of presses but is not on the screen, from the console:
/// the players and the progress of the game, and the content of the flash.
pub(crate) fn circumstances(console: &[String]) -> Circumstances {
    let (mut game, mut players, mut games, mut logs) = (PLAYED, "two", 0_u32, 0_u32);
    for line in console {
        let mut words = line.split(' ');
        match words.next() {
            Some("position") => {
                let value = |key: &str| line.split(' ').find_map(|word| word.strip_prefix(key));
                game = match (value("move="), value("turn=")) {
                    (_, Some("-")) => "game over",
                    (Some("-"), _) => PLAYED,
                    _ => "game in progress",
                };
            }
            Some("option") => {
                let chosen = words.next().and_then(|word| word.strip_prefix("players="));
                players = chosen.map_or(players, |chosen| match chosen {
                    "one" => "one",
                    "demo" => "demo",
                    _ => "two",
                });
            }
            Some("saved") => games += 1,
            Some("logged") => logs += 1,
            Some("deleted") => {
                let count = if line.contains("log=") { &mut logs } else { &mut games };
                *count = count.saturating_sub(1);
            }
            _ => {}
        }
    }
    let stored = format!("{} games, {} logs", games.min(1), logs.min(1));
    Circumstances { phase: format!("{game}, players {players}"), stored }
}
