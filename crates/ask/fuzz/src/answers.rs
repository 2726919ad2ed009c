//! The invariant of every board with buttons: a board that answers presses does not stop doing so.
//!
//! A press is answered if something visible changes, a tone begins or ends, or a console line comes within
//! [`PRESS_ANSWERED_WITHIN`] of the press or of its release. The board is stuck if it has answered [`ANSWERED_MIN`]
//! presses since a power-on or before, and then leaves a press of every button unanswered. So a program that has no
//! use for a button in one state, or for any button while it does something else, is not reported, and one that
//! has stopped in an endless loop is.

use hal_mock::{
    board::{ConsoleLine, Tone},
    replay::Event,
};
use trace::{BoardFault, Button, ButtonMap, ButtonSet, Buttons, MIN_HOLD};
use virtual_time::{Instant, Nanos};

use super::finding::{Finding, FindingCause, PRESS_ANSWERED_WITHIN};

/// Number of answered presses after which a board is known to answer. A picture that is drawn at the start may
/// seem to be the answer to one press.
const ANSWERED_MIN: u32 = 3;
/// Time with power after which the board has started.
const STARTED_AFTER: Nanos = Nanos::from_secs(1);

/// Output of a board, each in the order of time.
#[derive(Clone, Copy)]
pub(super) struct Outputs<'a> {
    pub(super) changes: &'a [Instant],
    pub(super) lines: &'a [ConsoleLine],
    pub(super) tones: &'a [Tone],
}

impl Outputs<'_> {
    /// Returns whether there is output in (`from`, `to`].
    fn any(&self, from: Instant, to: Instant) -> bool {
        fn within<T>(all: &[T], at: impl Fn(&T) -> Instant, from: Instant, to: Instant) -> bool {
            let first = all.partition_point(|one| at(one) <= from);
            all.get(first).is_some_and(|one| at(one) <= to)
        }
        within(self.changes, |at| *at, from, to)
            || within(self.lines, |line| line.at, from, to)
            || within(self.tones, |tone| tone.at, from, to)
    }
}

/// What is known of the board while its events are read in the order of time.
struct Presses {
    powered_at: Option<Instant>,
    /// Whether bits flip, or have flipped since the power-on: the LCD may show nothing any more.
    is_garbled: bool,
    /// Number of broken contacts.
    broken: u32,
    answered: u32,
    pressed_at: ButtonMap<Option<Instant>>,
    /// Buttons whose last press was not answered, since the last answer.
    ignored: ButtonSet,
    ignored_since: Option<Instant>,
}

/// Returns the press with which the board is known to answer no button any more.
pub(super) fn stuck(
    events: &[(Instant, Event)],
    outputs: Outputs<'_>,
    buttons: &Buttons,
    ended_at: Instant,
) -> Option<Finding> {
    let mut known = Presses {
        powered_at: None,
        is_garbled: false,
        broken: 0,
        answered: 0,
        pressed_at: ButtonMap::default(),
        ignored: ButtonSet::EMPTY,
        ignored_since: None,
    };
    for (at, event) in events {
        match event {
            Event::Press(button) => *known.pressed_at.at(*button) = Some(*at),
            Event::Release(button) => {
                let Some(pressed) = known.pressed_at.at(*button).take() else { continue };
                if known.release(pressed, *at, *button, outputs, ended_at)
                    && buttons.all().iter().all(|button| known.ignored.contains(*button))
                {
                    let since = known.ignored_since.unwrap_or(pressed);
                    let cause = FindingCause::Stuck { buttons: buttons.all().len(), since };
                    return Some(Finding { at: *at, cause });
                }
            }
            Event::PowerOn => known.power_on(*at),
            Event::PowerOff => known.power_off(),
            Event::Fault(fault) => known.fault(fault),
            Event::Found | Event::Settled => {}
        }
    }
    None
}

impl Presses {
    fn power_on(&mut self, at: Instant) {
        self.forget();
        self.is_garbled = false;
        self.powered_at = Some(at);
    }

    fn power_off(&mut self) {
        self.forget();
        self.powered_at = None;
    }

    /// Forgets the presses that were not answered.
    fn forget(&mut self) {
        self.pressed_at.clear();
        self.ignored = ButtonSet::EMPTY;
        self.ignored_since = None;
    }

    fn fault(&mut self, fault: &BoardFault) {
        self.forget();
        match fault {
            BoardFault::Stuck(_) | BoardFault::Bounce { .. } => self.broken += 1,
            BoardFault::NoContactFault(_) => self.broken = self.broken.saturating_sub(1),
            BoardFault::SpiFlip { .. } => self.is_garbled = true,
            BoardFault::NoSpiFault { .. }
            | BoardFault::UartLose { .. }
            | BoardFault::UartGarble { .. }
            | BoardFault::NoUartFault
            | BoardFault::NoiseStuck
            | BoardFault::NoNoiseFault
            | BoardFault::FlashStuck
            | BoardFault::NoFlashFault => {}
            // From here on the power fails at an unknown time.
            BoardFault::PowerCut | BoardFault::FlashCut { .. } => self.powered_at = None,
        }
    }

    /// Judges a press that has ended. Returns whether it was left unanswered.
    fn release(
        &mut self,
        pressed: Instant,
        released: Instant,
        button: Button,
        outputs: Outputs<'_>,
        ended_at: Instant,
    ) -> bool {
        let due = released.saturating_add(PRESS_ANSWERED_WITHIN);
        let started =
            self.powered_at.is_some_and(|powered| powered.saturating_add(STARTED_AFTER) <= pressed);
        let is_short = released.saturating_since(pressed) < MIN_HOLD;
        if !started || self.is_garbled || self.broken > 0 || is_short || due > ended_at {
            return false;
        }
        if outputs.any(pressed, due) {
            self.answered = self.answered.saturating_add(1);
            self.ignored = ButtonSet::EMPTY;
            self.ignored_since = None;
            return false;
        }
        if self.answered < ANSWERED_MIN {
            return false;
        }
        self.ignored.insert(button);
        self.ignored_since.get_or_insert(pressed);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(ms: u64) -> Instant {
        Instant::from_millis(ms)
    }

    /// A session of taps of two buttons, two seconds apart, the first at 2 s.
    fn taps(of: &[Button]) -> Vec<(Instant, Event)> {
        let mut events = vec![(Instant::START, Event::PowerOn)];
        for (nth, button) in (1..).zip(of) {
            events.push((ms(nth * 2_000), Event::Press(*button)));
            events.push((ms(nth * 2_000 + 80), Event::Release(*button)));
        }
        events
    }

    /// Judges a session in which the presses at these times, in seconds, are answered.
    fn judged(events: &[(Instant, Event)], answered: &[u64]) -> Option<Finding> {
        let changes: Vec<Instant> = answered.iter().map(|second| ms(second * 1_000 + 90)).collect();
        let buttons = Buttons::new(["A", "B"]).unwrap();
        let outputs = Outputs { changes: &changes, lines: &[], tones: &[] };
        stuck(events, outputs, &buttons, Instant::from_secs(60))
    }

    const A: Button = Button::LCD_BOARD[0];
    const B: Button = Button::LCD_BOARD[1];

    #[test]
    fn a_board_that_answers_no_button_any_more_is_stuck() {
        let found = judged(&taps(&[A, A, B, A, A, B]), &[2, 4, 6]).unwrap();
        assert_eq!(found.at, ms(12_080));
        assert_eq!(found.cause, FindingCause::Stuck { buttons: 2, since: ms(8_000) });
    }

    #[test]
    fn a_button_without_effect_is_no_finding() {
        assert_eq!(judged(&taps(&[A, A, A, B, A, B, A, B]), &[2, 4, 6, 10, 14]), None);
        assert_eq!(judged(&taps(&[A, A, A, A, A, A]), &[2, 4, 6]), None, "B was not pressed");
    }

    #[test]
    fn a_board_that_was_never_seen_to_answer_is_not_judged() {
        assert_eq!(judged(&taps(&[A, B, A, B, A, B]), &[2, 4]), None);
    }

    #[test]
    fn a_board_without_power_and_one_with_faults_are_not_judged() {
        let events = taps(&[A, A, B, A, B]);
        assert!(judged(&events, &[2, 4, 6]).is_some());
        for event in [
            Event::PowerOff,
            Event::Fault(BoardFault::PowerCut),
            Event::Fault(BoardFault::SpiFlip { one_in: 9, display: None }),
            Event::Fault(BoardFault::Stuck(A)),
        ] {
            let mut events = events.clone();
            events.insert(7, (ms(7_000), event));
            assert_eq!(judged(&events, &[2, 4, 6]), None, "{event:?}");
        }
        // After the next power-on it must answer again.
        let mut events = taps(&[A, A, B, A, B, A]);
        events.insert(7, (ms(7_000), Event::Fault(BoardFault::FlashCut { after: 1 })));
        events.insert(8, (ms(7_100), Event::PowerOff));
        events.insert(9, (ms(7_200), Event::PowerOn));
        let found = judged(&events, &[2, 4, 6]).unwrap();
        assert_eq!(found.cause, FindingCause::Stuck { buttons: 2, since: ms(10_000) });
    }

    #[test]
    fn console_lines_and_tones_are_answers_and_late_ones_are_none() {
        let events = taps(&[A, A, A, A, B]);
        let changes = [2, 4, 6].map(|second| ms(second * 1_000 + 90));
        let buttons = Buttons::new(["A", "B"]).unwrap();
        let found = |lines: &[ConsoleLine], tones: &[Tone]| {
            let outputs = Outputs { changes: &changes, lines, tones };
            stuck(&events, outputs, &buttons, Instant::from_secs(60)).is_some()
        };
        let line = |at| ConsoleLine { at: ms(at), text: "x".into() };
        assert!(found(&[], &[]));
        assert!(!found(&[line(10_980)], &[]));
        assert!(found(&[line(10_981)], &[]));
        assert!(!found(&[], &[Tone { at: ms(8_050), hz: Some(440) }]));
    }
}
