//! The world of a factory-new board: the presses to try on each screen, and what a native machine
//! shows after them. This module does not know the search.

use std::panic::{AssertUnwindSafe, catch_unwind};

use boards::header;
use boards::native::Native;
use firmware_core::app::CHORDS;
use firmware_core::screen::View;
use hal_mock::{
    Machine as _,
    replay::{self, ReplaySettings, Unjudged},
    setup::SetupError,
};
use ili9341_model::Frame;
use reading::text::Reader;
use trace::{Button, HeaderEntry, Trace};
use virtual_time::{Instant, Random};

use super::explore::{Visit, World};
use super::screen::Screen;
use super::step::{Step, Way};
use super::walker::{Walk, Walker, stopped, violation};
use super::watched::{ScreenRecogniser, StoredPictures, Watched};

/// Number of games of each kind that are played to find screens that a few presses do not reach.
const GAMES: u64 = 6;
/// Number of presses in such a game.
const PRESSES: usize = 120;

/// A factory-new board.
pub struct Factory<'a> {
    header: Vec<HeaderEntry>,
    pub(super) eye: ScreenRecogniser<'a>,
}

impl<'a> Factory<'a> {
    /// Creates a board whose random numbers follow from `seed`. `reader` reads its LCD.
    pub fn new(seed: u64, reader: &'a Reader) -> Self {
        let header = vec![
            HeaderEntry::new("introduction", "on"),
            HeaderEntry::new("seed", seed.to_string()),
        ];
        Self { header, eye: ScreenRecogniser::new(reader) }
    }

    /// Returns the board's settings as header entries of a trace.
    pub fn header(&self) -> &[HeaderEntry] {
        &self.header
    }

    /// Returns the view and the picture of `screen` when it appears in the last step of `path`;
    /// `None` if it does not.
    ///
    /// # Errors
    /// If no machine can be built.
    pub fn portray(
        &self,
        walker: &mut Walker<'_>,
        path: &[Step],
        screen: &Screen,
    ) -> Result<Option<(View, Frame)>, SetupError> {
        let since = Way::of(path).begin(path.len());
        let walk = walker.walk(path, StoredPictures::Only(screen, since))?;
        Ok(walk.noted.into_iter().find_map(|noted| noted.picture))
    }
}

/// Replays `trace` on a native machine to its end and ignores its expectations.
pub(super) fn run<'a>(eye: &'a ScreenRecogniser<'a>, trace: &Trace) -> Result<Walk, SetupError> {
    let native = Native::new(header::board(trace, None)?);
    let mut machine = Watched::new(native, eye, StoredPictures::Nothing);
    // After a panic only the board is read, whose state is consistent between two calls.
    let outcome = catch_unwind(AssertUnwindSafe(|| {
        let options = ReplaySettings::default();
        replay::replay(trace, &mut machine, eye.reader(), &mut Unjudged, &options)
    }));
    let fault = match outcome {
        Ok(outcome) => stopped(&outcome.verdict).or_else(|| violation(machine.board())),
        Err(_) => Some("the firmware panics".to_owned()),
    };
    Ok(Walk::of(machine, fault))
}

impl World for Factory<'_> {
    type Screen = Screen;
    type Error = SetupError;
    type Walker<'w>
        = Walker<'w>
    where
        Self: 'w;

    fn walker(&self) -> Walker<'_> {
        Walker::new(&self.header, &self.eye)
    }

    fn visit(
        &self,
        walker: &mut Walker<'_>,
        path: &[Step],
        from: usize,
    ) -> Result<Visit<Screen>, SetupError> {
        let walk = walker.walk(path, StoredPictures::Nothing)?;
        let way = Way::of(path);
        // The screens after power-on belong to no step.
        let since = if path.is_empty() { 0 } else { from + 1 };
        let since = way.begin(since.min(path.len()));
        let rest = walk.noted.last().map(|noted| (*noted.screen).clone());
        let seen = walk.noted.iter().filter(|noted| noted.at >= since);
        // The step in which each screen appeared.
        let step = |at: Instant| way.step_at(at).saturating_sub(1);
        let seen = seen.map(|noted| (step(noted.at), (*noted.screen).clone())).collect();
        let (phase, stored) = circumstances(&walk.console);
        let time = way.end().since_start();
        Ok(Visit { seen, rest, phase, stored, time, fault: walk.fault })
    }

    fn steps(&self, screen: &Screen) -> Vec<Step> {
        let mut steps = match screen.kind.as_str() {
            "off" => Vec::new(),
            _ if screen.is_board() => {
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

    fn games(&self, screen: &Screen, phase: &str) -> Vec<Vec<Step>> {
        if !screen.is_board() || !phase.starts_with(PLAYED) {
            return Vec::new();
        }
        let game = |seed| {
            let mut random = Random::new(seed);
            let press = |_| Step::Tap(Button::LCD_BOARD[(random.next() % 12) as usize]);
            (0..PRESSES).map(press).collect()
        };
        (0..GAMES).map(game).collect()
    }
}

/// Beginning of the circumstances of a game in which no move was made yet.
const PLAYED: &str = "new game";

/// Returns the state that decides the effect of presses but is not on the screen, from the console:
/// the players and the progress of the game, and the content of the flash.
fn circumstances(console: &[String]) -> (String, String) {
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
    (format!("{game}, players {players}"), stored)
}
