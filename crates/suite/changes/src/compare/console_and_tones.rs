//! Compares what a board prints and sounds on both sides.

use causes::Cause;
use causes::console::{self, ConsoleDifference, Token};
use causes::tones::ToneDifference;
use virtual_time::Instant;

use super::LINES_MAX;
use crate::observation::Observation;

/// Differences of the outputs besides the frames.
pub(super) struct ConsoleAndTones {
    /// Divergences of the console, in order of time.
    pub(super) diverged: Vec<Divergence>,
    /// Texts that the console words otherwise.
    pub(super) wordings: Vec<Token>,
    pub(super) tones: ToneDifference,
    /// Time of the first note that differs.
    pub(super) tones_at: Instant,
}

/// A divergence of the console.
pub(super) struct Divergence {
    /// The cause and an example; `None` if it may only follow from an earlier divergence.
    pub(super) cause: Option<(Cause, String)>,
    pub(super) from: Instant,
    pub(super) until: Instant,
}

impl Divergence {
    pub(super) fn contains(&self, at: Instant) -> bool {
        self.from <= at && at < self.until
    }
}

impl ConsoleAndTones {
    pub(super) fn of(sides: [&Observation; 2]) -> Self {
        let lines = sides.map(|side| {
            let lines = side.console.iter().take(LINES_MAX).map(|line| line.text.as_str());
            lines.collect::<Vec<_>>()
        });
        let (mut diverged, mut wordings) = (Vec::new(), Vec::new());
        // After its stop a side prints nothing, which is no divergence.
        let comparable = match sides.map(|side| side.stopped) {
            [true, false] => lines[0].len(),
            [false, true] => lines[1].len(),
            _ => usize::MAX,
        };
        let [old, new] = lines.each_ref().map(|lines| &lines[..lines.len().min(comparable)]);
        match console::compare(old, new) {
            ConsoleDifference::None => {}
            ConsoleDifference::Wording(found) => wordings = found,
            ConsoleDifference::Diverged(found) => {
                let at = |line: usize| {
                    let times = sides.map(|side| side.console.get(line).map(|line| line.at));
                    times.into_iter().flatten().min()
                };
                let settled = sides.map(|side| side.frames.first().map(|frame| frame.at));
                let settled = settled.into_iter().flatten().min().unwrap_or(Instant::START);
                let mut is_first = true;
                for one in found {
                    let from = at(one.line).unwrap_or(Instant::START);
                    // A name or a version at the start changes nothing that follows. Everything after
                    // another divergence may follow from it, even if the same is printed again.
                    let is_banner = from < settled && (one.until.is_some() || one.line == 0);
                    let until = if is_banner { from } else { Instant(u64::MAX) };
                    let cause = (is_banner || is_first)
                        .then_some((Cause::Behaviour(one.token), one.example));
                    is_first &= is_banner;
                    diverged.push(Divergence { cause, from, until });
                }
            }
        }
        let hertz = sides
            .map(|side| side.tones.iter().map(|tone| tone.hz.unwrap_or(0)).collect::<Vec<_>>());
        let tones = causes::tones::compare(&hertz[0], &hertz[1]);
        let nth = match &tones {
            ToneDifference::Diverged { note, .. } => *note,
            _ => (0..hertz[0].len()).find(|nth| hertz[0][*nth] != hertz[1][*nth]).unwrap_or(0),
        };
        let times = sides.map(|side| side.tones.get(nth).map(|tone| tone.at));
        let tones_at = times.into_iter().flatten().min().unwrap_or(Instant::START);
        Self { diverged, wordings, tones, tones_at }
    }
}
