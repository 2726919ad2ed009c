//! The world of a factory-new board: the presses that are worth a try on each screen, and what a native
//! machine shows after them. It knows nothing of the search.

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};

use boards::header;
use boards::native::Native;
use firmware_core::app::CHORDS;
use firmware_core::screen::View;
use hal_mock::random::Random;
use hal_mock::replay::{self, ReplaySettings, Unjudged, Verdict};
use hal_mock::setup::SetupError;
use hal_mock::text::Reader;
use hal_mock::trace::{HeaderEntry, Trace};
use hal_mock::{Button, Frame, Instant, Machine as _, VirtualBoard};

use super::explore::{Visit, World};
use super::screen::Screen;
use super::step::{Step, pressed};
use super::watched::{Eye, Keep, Watched};

/// Games that are played in search of what no few presses reach, of each kind of game.
const GAMES: u64 = 6;
/// Presses of such a game.
const PRESSES: usize = 120;

/// A factory-new board.
pub struct Factory<'a> {
    header: Vec<HeaderEntry>,
    pub(super) eye: Eye<'a>,
}

impl<'a> Factory<'a> {
    /// One whose chance follows from `seed`. `reader` reads its LCD.
    pub fn new(seed: u64, reader: &'a Reader) -> Self {
        let header = vec![
            HeaderEntry::new("introduction", "on"),
            HeaderEntry::new("seed", seed.to_string()),
        ];
        Self { header, eye: Eye::new(reader) }
    }

    /// The settings of the board, as a trace's header has them.
    pub fn header(&self) -> &[HeaderEntry] {
        &self.header
    }

    /// The view and the picture of `screen`, as it comes last in `path`; `None` if it does not.
    ///
    /// # Errors
    /// If no machine can be built.
    pub fn portray(
        &self,
        path: &[Step],
        screen: &Screen,
    ) -> Result<Option<(View, Frame)>, SetupError> {
        let (trace, begins) = pressed(&self.header, path);
        let since = last_step(&begins);
        let run = self.run(&trace, Keep::Only(screen, since), last(&begins))?;
        Ok(run.noted.into_iter().find_map(|noted| noted.picture))
    }

    /// Runs `trace` up to `until`.
    fn run<'b>(&'b self, trace: &Trace, keep: Keep<'b>, until: Instant) -> Result<Run, SetupError> {
        run(&self.eye, trace, keep, Some(until))
    }
}

/// What was noted in a replay, and how it ended.
pub(super) struct Run {
    pub(super) noted: Vec<super::watched::Noted>,
    pub(super) console: Vec<String>,
    /// Why the firmware could not go on, or which rule of the LCD it broke.
    pub(super) fault: Option<String>,
}

/// Replays `trace` on a native machine; its expectations count for nothing.
pub(super) fn run<'a>(
    eye: &'a Eye<'_>,
    trace: &Trace,
    keep: Keep<'a>,
    until: Option<Instant>,
) -> Result<Run, SetupError> {
    let native = Native::new(header::board(trace, None)?);
    let machine = RefCell::new(Watched::new(native, eye, keep));
    let options = ReplaySettings { until, ..ReplaySettings::default() };
    // After a panic only the board is looked at, whose state is consistent between two calls.
    let outcome = catch_unwind(AssertUnwindSafe(|| {
        let machine = &mut *machine.borrow_mut();
        let mut outcome = replay::replay(trace, machine, eye.reader(), &mut Unjudged, &options);
        // The lines may end before the moment does.
        if let Some(until) = until
            && let Err(error) = machine.run_until(until)
        {
            outcome.verdict = Verdict::Broken(error);
        }
        outcome
    }));
    let machine = machine.into_inner();
    let fault = match outcome {
        Ok(outcome) => fault(&outcome.verdict, machine.board()),
        Err(_) => Some("the firmware panics".to_owned()),
    };
    let console = machine.board().console_lines().into_iter().map(|line| line.text).collect();
    Ok(Run { noted: machine.noted, console, fault })
}

fn fault(verdict: &Verdict, board: &VirtualBoard) -> Option<String> {
    match verdict {
        Verdict::LimitReached { .. } => Some("the firmware keeps the clock for itself".to_owned()),
        Verdict::Broken(error) => Some(format!("the firmware cannot go on: {}", error.message())),
        Verdict::Passed | Verdict::Failed(_) => {
            let violation = board.violations().into_iter().next()?;
            Some(format!("it breaks the LCD's rule {}", violation.rule))
        }
    }
}

/// The moment at which the last step began; the start if there is none.
fn last_step(begins: &[Instant]) -> Instant {
    begins.len().checked_sub(2).and_then(|last| begins.get(last)).copied().unwrap_or_default()
}

fn last(begins: &[Instant]) -> Instant {
    begins.last().copied().unwrap_or_default()
}

impl World for Factory<'_> {
    type Screen = Screen;
    type Error = SetupError;

    fn visit(&self, path: &[Step], from: usize) -> Result<Visit<Screen>, SetupError> {
        let (trace, begins) = pressed(&self.header, path);
        let end = last(&begins);
        let run = self.run(&trace, Keep::Nothing, end)?;
        // What power-on shows belongs to no step.
        let since = if path.is_empty() { None } else { begins.get(from).copied() };
        let since = since.unwrap_or_default();
        let rest = run.noted.last().map(|noted| (*noted.screen).clone());
        let seen = run.noted.iter().filter(|noted| noted.at >= since);
        // The step in which each came.
        let step = |at: Instant| begins.partition_point(|begin| *begin <= at).saturating_sub(1);
        let seen = seen.map(|noted| (step(noted.at), (*noted.screen).clone())).collect();
        let (phase, shelf) = circumstances(&run.console);
        Ok(Visit { seen, rest, phase, shelf, time: end.since_start(), fault: run.fault })
    }

    fn steps(&self, screen: &Screen) -> Vec<Step> {
        use Button::{B1, B2, B3, B4, B5, B6, Reset, T1, T4};
        let mut steps = match screen.kind.as_str() {
            "off" => Vec::new(),
            _ if screen.is_board() => {
                let mut all: Vec<Step> = Button::ALL[..12].iter().copied().map(Step::Tap).collect();
                all.extend([Step::Hold(B1), Step::Wait, Step::OffAndOn]);
                all.extend(CHORDS.iter().filter_map(|(button, _)| {
                    Button::from_name(button.name()).map(Step::WithReset)
                }));
                all
            }
            // Of the top row one button on each half has a meaning, if any has.
            _ => [B1, B2, B3, B4, B5, B6, T1, T4].map(Step::Tap).to_vec(),
        };
        steps.extend([Step::Tap(Reset), Step::Hold(Reset)]);
        steps
    }

    fn games(&self, screen: &Screen, phase: &str) -> Vec<Vec<Step>> {
        if !screen.is_board() || !phase.starts_with(PLAYED) {
            return Vec::new();
        }
        let game = |seed| {
            let mut random = Random::new(seed);
            let press = |_| Step::Tap(Button::ALL[(random.next() % 12) as usize]);
            (0..PRESSES).map(press).collect()
        };
        (0..GAMES).map(game).collect()
    }
}

/// How the circumstances of a game begin in which no move was made yet.
const PLAYED: &str = "new game";

/// What is not on the screen but decides what presses do, as the console has told it: who plays and
/// whether a game is in progress; what is in the flash.
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
    let shelf = format!("{} games, {} logs", games.min(1), logs.min(1));
    (format!("{game}, players {players}"), shelf)
}
