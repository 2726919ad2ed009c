//! Whether two runs of one trace are the same, to the last pixel, nanosecond and byte; and if not,
//! where they differ first.

use hal_mock::board::{ConsoleLine, Tone};
use hal_mock::golden::chain::FrameHash;
use hal_mock::trace::spoken;
use hal_mock::{Instant, Machine as _};

use super::observer::ObservedMachine;
use crate::report::history::FrameSeen;

/// Everything of a run that must be the same in the next.
pub(crate) struct RunRecord {
    frames: Vec<FrameSeen>,
    console: Vec<ConsoleLine>,
    bytes: Vec<u8>,
    tones: Vec<Tone>,
    last_frame: u64,
    ended_at: Instant,
}

impl RunRecord {
    /// Of a run on `machine`, which looked at its frames and ended at `ended_at`.
    pub fn of(machine: &ObservedMachine<'_>, ended_at: Instant) -> Self {
        let board = machine.board();
        Self {
            frames: machine.observer.frames.clone(),
            console: board.console_lines(),
            bytes: board.console_bytes(),
            tones: board.tones(),
            last_frame: FrameHash::of(&board.frame_at(ended_at)).0,
            ended_at,
        }
    }

    /// When and in what `other` is the first to differ from this; `None` if it does not.
    pub fn parting(&self, other: &Self) -> Option<(Instant, String)> {
        let frames = first_difference(&self.frames, &other.frames).map(|nth| {
            let (was, is) = (self.frames.get(nth), other.frames.get(nth));
            let what = match (was, is) {
                (Some(was), Some(is)) if was.at == is.at => "looks different".to_owned(),
                _ => differing(
                    was.map(|was| spoken(was.at.since_start())),
                    is.map(|is| spoken(is.at.since_start())),
                ),
            };
            (earlier(was.map(|was| was.at), is.map(|is| is.at)), format!("frame {nth} {what}"))
        });
        let console = first_difference(&self.console, &other.console).map(|nth| {
            let (was, is) = (self.console.get(nth), other.console.get(nth));
            let described = |line: &ConsoleLine| {
                format!("{:?} at {}", line.text, spoken(line.at.since_start()))
            };
            let what = differing(was.map(described), is.map(described));
            let at = earlier(was.map(|was| was.at), is.map(|is| is.at));
            (at, format!("console line {} {what}", nth + 1))
        });
        let tones = first_difference(&self.tones, &other.tones).map(|nth| {
            let (was, is) = (self.tones.get(nth), other.tones.get(nth));
            let described = |tone: &Tone| match tone.hz {
                Some(hertz) => format!("{hertz} Hz from {}", spoken(tone.at.since_start())),
                None => format!("silence from {}", spoken(tone.at.since_start())),
            };
            let what = differing(was.map(described), is.map(described));
            let at = earlier(was.map(|was| was.at), is.map(|is| is.at));
            (at, format!("change of tone {} {what}", nth + 1))
        });
        let ends = [
            (self.ended_at != other.ended_at).then(|| {
                let what = differing(
                    Some(spoken(self.ended_at.since_start())),
                    Some(spoken(other.ended_at.since_start())),
                );
                (self.ended_at.min(other.ended_at), format!("the end {what}"))
            }),
            (self.last_frame != other.last_frame)
                .then(|| (self.ended_at, "the last screen looks different".to_owned())),
            (self.bytes != other.bytes)
                .then(|| (self.ended_at, "the console's last bytes differ".to_owned())),
        ];
        let all = [frames, console, tones].into_iter().chain(ends);
        all.flatten().min_by_key(|(at, _)| *at)
    }
}

fn first_difference<T: PartialEq>(was: &[T], is: &[T]) -> Option<usize> {
    let both = was.iter().zip(is).position(|(was, is)| was != is);
    both.or_else(|| (was.len() != is.len()).then(|| was.len().min(is.len())))
}

fn earlier(was: Option<Instant>, is: Option<Instant>) -> Instant {
    was.into_iter().chain(is).min().unwrap_or_default()
}

fn differing(was: Option<String>, is: Option<String>) -> String {
    match (was, is) {
        (Some(was), Some(is)) => format!("is {is}, was {was}"),
        (Some(was), None) => format!("is missing, was {was}"),
        (None, Some(is)) => format!("is {is}, was not there"),
        (None, None) => "differs".to_owned(),
    }
}
