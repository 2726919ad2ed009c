//! Compares two runs of one trace, to the last pixel, nanosecond and byte, and finds the first
//! difference.

use hal_mock::{
    Machine as _,
    board::{ConsoleLine, Tone},
};
use reading::golden::chain::FrameHash;
use virtual_time::{Instant, spoken};

use super::observer::ObservedMachine;
use crate::report::history::FrameSeen;

/// Everything in a run that must be the same in the next run.
pub(crate) struct RunRecord {
    frames: Vec<FrameSeen>,
    console: Vec<ConsoleLine>,
    bytes: Vec<u8>,
    tones: Vec<Tone>,
    last_frame: u64,
    ended_at: Instant,
}

impl RunRecord {
    /// Records a run on `machine`, whose frames were hashed, that ended at `ended_at`.
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

    /// Returns the time and the kind of the first difference from `other`; `None` if the runs are
    /// equal.
    pub fn first_difference_from(&self, other: &Self) -> Option<(Instant, String)> {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(millis: u64) -> Instant {
        Instant::from_millis(millis)
    }

    fn record() -> RunRecord {
        let line = |millis, text: &str| ConsoleLine { at: ms(millis), text: text.to_owned() };
        RunRecord {
            frames: vec![FrameSeen { at: ms(10), look: 7 }, FrameSeen { at: ms(20), look: 8 }],
            console: vec![line(12, "boot"), line(22, "move B1")],
            bytes: b"boot\nmove B1\n".to_vec(),
            tones: vec![Tone { at: ms(14), hz: Some(440) }, Tone { at: ms(24), hz: None }],
            last_frame: 9,
            ended_at: ms(30),
        }
    }

    /// Checks the first difference between a run with `change` and the run without it.
    #[track_caller]
    fn check(change: impl FnOnce(&mut RunRecord), expected: Option<(u64, &str)>) {
        let mut other = record();
        change(&mut other);
        let parting = record().first_difference_from(&other);
        assert_eq!(parting, expected.map(|(millis, what)| (ms(millis), what.to_owned())));
    }

    #[test]
    fn equal_runs_do_not_differ() {
        check(|_| {}, None);
    }

    #[test]
    fn frames_differ_by_picture_time_or_number() {
        check(|run| run.frames[1].look = 1, Some((20, "frame 1 looks different")));
        let moved = Some((18, "frame 1 is 18 ms, was 20 ms"));
        check(|run| run.frames[1].at = ms(18), moved);
        check(|run| run.frames.truncate(1), Some((20, "frame 1 is missing, was 20 ms")));
        let more = FrameSeen { at: ms(25), look: 7 };
        check(|run| run.frames.push(more), Some((25, "frame 2 is 25 ms, was not there")));
    }

    #[test]
    fn lines_and_tones_are_described_and_counted_from_one() {
        let what = r#"console line 2 is "move B2" at 22 ms, was "move B1" at 22 ms"#;
        check(|run| run.console[1].text = "move B2".into(), Some((22, what)));
        let what = "change of tone 1 is 441 Hz from 14 ms, was 440 Hz from 14 ms";
        check(|run| run.tones[0].hz = Some(441), Some((14, what)));
        let what = "change of tone 2 is missing, was silence from 24 ms";
        check(|run| run.tones.truncate(1), Some((24, what)));
    }

    #[test]
    fn the_end_the_last_screen_and_the_last_bytes_are_compared() {
        check(|run| run.ended_at = ms(29), Some((29, "the end is 29 ms, was 30 ms")));
        check(|run| run.ended_at = ms(31), Some((30, "the end is 31 ms, was 30 ms")));
        check(|run| run.last_frame = 1, Some((30, "the last screen looks different")));
        check(|run| run.bytes.push(b'x'), Some((30, "the console's last bytes differ")));
    }

    #[test]
    fn the_first_difference_is_named() {
        let both = |run: &mut RunRecord| {
            run.frames[1].look = 1;
            run.tones[0].hz = None;
        };
        let what = "change of tone 1 is silence from 14 ms, was 440 Hz from 14 ms";
        check(both, Some((14, what)));
    }
}
