//! Events of a replay in order of time, and the last events before a given time.

use hal_mock::{board::ConsoleLine, replay::Event};
use virtual_time::Instant;

/// Number of events before a failure that are reported.
const EVENTS_REPORTED: usize = 5;

/// A complete frame: the time when its last pixel changed, and the hash of its picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FrameSeen {
    pub at: Instant,
    /// Hash of the picture; 0 unless the frames are hashed.
    pub look: u64,
}

/// All events of a replay, in order of time.
#[derive(Clone, Debug, Default)]
pub(crate) struct History {
    pub events: Vec<(Instant, Event)>,
    pub frames: Vec<FrameSeen>,
}

impl History {
    pub fn new(mut events: Vec<(Instant, Event)>, frames: Vec<FrameSeen>) -> Self {
        events.sort_by_key(|(at, _)| *at);
        Self { events, frames }
    }

    /// Returns the last [`EVENTS_REPORTED`] events up to `at`, the latest last. Frames with no
    /// other event between them count as one event.
    pub fn before(&self, at: Instant, console: &[ConsoleLine]) -> Vec<(Instant, String)> {
        let events = &self.events[..self.events.partition_point(|(then, _)| *then <= at)];
        let events = events.iter().rev().take(EVENTS_REPORTED);
        let mut events_before: Vec<(Instant, String)> =
            events.rev().map(|(then, event)| (*then, event.to_string())).collect();
        let lines = &console[..console.partition_point(|line| line.at <= at)];
        let lines = lines.iter().rev().take(EVENTS_REPORTED).rev();
        events_before.extend(lines.map(|line| (line.at, format!("console {:?}", line.text))));
        events_before.sort_by_key(|(then, _)| *then);

        let mut last = Vec::new();
        let mut until = at;
        while last.len() < EVENTS_REPORTED {
            let next = events_before.pop();
            let from = next.as_ref().map_or(Instant::START, |(then, _)| *then);
            last.extend(self.frames_between(from, until));
            match next {
                Some(event) => last.push(event),
                None => break,
            }
            until = from;
        }
        last.truncate(EVENTS_REPORTED);
        last.reverse();
        last
    }

    /// Returns the frames in (`from`, `to`] as one event.
    fn frames_between(&self, from: Instant, to: Instant) -> Option<(Instant, String)> {
        let end = self.frames.partition_point(|frame| frame.at <= to);
        let count = end - self.frames.partition_point(|frame| frame.at <= from).min(end);
        let last = self.frames[..end].last()?;
        match count {
            0 => None,
            1 => Some((last.at, "a frame".to_owned())),
            _ => Some((last.at, format!("the last of {count} frames"))),
        }
    }
}

#[cfg(test)]
mod tests {
    use trace::Button;

    use super::*;

    fn ms(millis: u64) -> Instant {
        Instant::from_millis(millis)
    }

    fn frame(millis: u64) -> FrameSeen {
        FrameSeen { at: ms(millis), look: 0 }
    }

    #[test]
    fn consecutive_frames_count_as_one_of_the_last_five_events() {
        let events = vec![
            (ms(0), Event::PowerOn),
            (ms(10), Event::Settled),
            (ms(20), Event::Press(Button::B3)),
            (ms(900), Event::PowerOff),
            (ms(100), Event::Release(Button::B3)),
        ];
        let frames = vec![frame(5), frame(30), frame(40), frame(50), frame(120)];
        let console = [ConsoleLine { at: ms(60), text: "move".into() }];
        let before = History::new(events, frames).before(ms(200), &console);
        let before: Vec<String> = before.iter().map(|(at, what)| format!("{at} {what}")).collect();
        assert_eq!(
            before,
            [
                "20ms press B3",
                "50ms the last of 3 frames",
                "60ms console \"move\"",
                "100ms release B3",
                "120ms a frame",
            ]
        );
    }

    #[test]
    fn before_the_first_event_there_is_none() {
        assert_eq!(History::default().before(ms(1), &[]), []);
    }
}
