//! The world of a factory-new board whose firmware tells its views: what a machine shows after
//! presses. This module does not know the search.

use std::panic::{AssertUnwindSafe, catch_unwind};

use hal_mock::{
    Machine as _,
    replay::{self, ReplaySettings, Unjudged},
    setup::SetupError,
};
use insight::{Circumstances, Screen, Screens, Step};
use reading::text::Reader;
use trace::{HeaderEntry, Trace};
use virtual_time::Instant;

use super::explore::{Visit, World};
use super::step::Way;
use super::walker::{Walk, Walker, stopped, violation};
use super::watched::{PicturedView, ScreenRecogniser, StoredPictures, Watched};

/// A factory-new board.
pub struct Factory<'a> {
    header: Vec<HeaderEntry>,
    pub(super) eye: ScreenRecogniser<'a>,
}

/// Screens that a machine has shown, and how its run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    /// Screens, with the times at which they appeared.
    pub screens: Vec<(Instant, Screen)>,
    /// Lines of the console.
    pub console: Vec<String>,
    /// Reason why the firmware could not continue, or the rule of the LCD that it broke.
    pub fault: Option<String>,
}

impl From<Walk> for Shown {
    fn from(walk: Walk) -> Self {
        let screens = walk.noted.iter().map(|noted| (noted.at, (*noted.screen).clone())).collect();
        Self { screens, console: walk.console, fault: walk.fault }
    }
}

impl<'a> Factory<'a> {
    /// Creates a board with these `screens` whose random numbers follow from `seed`. `reader` reads its
    /// LCD.
    pub fn new(screens: &'a dyn Screens, seed: u64, reader: &'a Reader) -> Self {
        let mut header = screens.new_board();
        header.push(HeaderEntry::new("seed", seed.to_string()));
        Self { header, eye: ScreenRecogniser::new(screens, reader) }
    }

    /// Returns the screens of the firmware.
    pub(super) fn screens(&self) -> &'a dyn Screens {
        self.eye.screens()
    }

    /// Presses `path` on a new board, or continues from a copy that `walker` has.
    ///
    /// # Errors
    /// If no machine can be built.
    pub fn walk(&self, walker: &mut Walker<'_>, path: &[Step]) -> Result<Shown, SetupError> {
        Ok(walker.walk(path, StoredPictures::Nothing)?.into())
    }

    /// Replays a trace from power-on to its end, without its expectations.
    ///
    /// # Errors
    /// If no machine can be built for its header.
    pub fn replay(&self, trace: &Trace) -> Result<Shown, SetupError> {
        Ok(run(&self.eye, trace)?.into())
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
    pub(super) fn portray(
        &self,
        walker: &mut Walker<'_>,
        path: &[Step],
        screen: &Screen,
    ) -> Result<Option<PicturedView>, SetupError> {
        let since = Way::of(path).begin(path.len());
        let walk = walker.walk(path, StoredPictures::Only(screen, since))?;
        Ok(walk.noted.into_iter().find_map(|noted| noted.picture))
    }
}

/// Replays `trace` on a new machine to its end and ignores its expectations.
pub(super) fn run<'a>(eye: &'a ScreenRecogniser<'a>, trace: &Trace) -> Result<Walk, SetupError> {
    let machine = eye.screens().machine(trace, None)?;
    let mut machine = Watched::new(machine, eye, StoredPictures::Nothing);
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
        let Circumstances { phase, stored } = self.screens().circumstances(&walk.console);
        let time = way.end().since_start();
        Ok(Visit { seen, rest, phase, stored, time, fault: walk.fault })
    }

    fn steps(&self, screen: &Screen) -> Vec<Step> {
        self.screens().steps(screen)
    }

    fn games(&self, screen: &Screen, phase: &str) -> Vec<Vec<Step>> {
        self.screens().games(screen, phase)
    }
}
