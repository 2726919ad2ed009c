//! Every press of RESET is answered.

use firmware_core::app::CHORD_SPAN;
use hal_mock::replay::Event;
use insight::{BrokenInvariant, ObservedReplay};
use trace::{BoardFault, Button, MIN_HOLD};
use virtual_time::{Instant, Nanos, spoken};

/// Time after its release within which RESET must be answered.
const ANSWERED_WITHIN: Nanos = Nanos::from_millis(200);
/// A press as long is answered while it lasts: the menu opens.
const LONG_PRESS: Nanos = Nanos::from_millis(1_000);
/// Time before a press of RESET from which a menu counts as its answer: the menu may already be
/// being drawn, but is on the LCD only when its frame is complete.
const BEING_DRAWN: Nanos = Nanos::from_millis(20);
/// Time with power after which the board has started.
const STARTED_AFTER: Nanos = Nanos::from_secs(1);
/// A picture that was incomplete when RESET went down is complete after this time.
const DRAWN_WITHIN: Nanos = Nanos::from_millis(200);
/// A NUDGE that goes down at most this long before RESET is part of a chord; 1 ms more than the
/// firmware's limit.
const CHORD: Nanos = Nanos::from_millis(CHORD_SPAN.0 / 1_000 + 1);

/// Returns the first release of RESET that is not answered. A long press opens the menu, so one that
/// began `in_menu` has no answer. A press counts only if the LCD was complete when it began.
pub(super) fn broken(
    replay: &ObservedReplay<'_>,
    in_menu: &[Instant],
) -> Option<(Instant, BrokenInvariant)> {
    let ObservedReplay { events, changes, lines, ended_at } = *replay;
    let mut powered_at = None;
    let mut pressed_at = None;
    let mut nudged_at: Option<Instant> = None;
    let mut broken = false;
    // A release followed by a press within 30 ms counts as one continuous press.
    let mut joined = false;
    let comes_back = |index: usize, at: Instant| {
        let soon = events[index + 1..]
            .iter()
            // A shorter time between two presses, and a shorter press, may count as bounce.
            .take_while(|(next, _)| *next < at.saturating_add(MIN_HOLD));
        soon.into_iter().any(|(_, event)| *event == Event::Press(Button::Reset))
    };
    for (index, &(at, event)) in events.iter().enumerate() {
        match event {
            Event::PowerOn => powered_at = Some(at),
            Event::PowerOff | Event::Fault(BoardFault::PowerCut) => {
                (powered_at, pressed_at) = (None, None);
            }
            // From here on the power fails at an unknown time.
            Event::Fault(BoardFault::FlashCut { .. }) => powered_at = None,
            Event::Fault(BoardFault::Stuck(button) | BoardFault::Bounce { button, .. })
                if button == Button::Reset =>
            {
                broken = true;
            }
            Event::Fault(BoardFault::NoContactFault(button)) if button == Button::Reset => {
                (broken, pressed_at) = (false, None);
                joined = comes_back(index, at);
            }
            Event::Press(button) if button == Button::Reset && joined => joined = false,
            Event::Press(button) if button == Button::Reset => {
                let started = powered_at
                    .is_some_and(|powered: Instant| powered.saturating_add(STARTED_AFTER) <= at);
                let alone = nudged_at.is_none_or(|nudged| nudged.saturating_add(CHORD) < at);
                pressed_at = (started && !broken && alone).then_some(at);
            }
            // Together with another button the release of RESET has no effect.
            Event::Press(_) => (pressed_at, nudged_at) = (None, Some(at)),
            Event::Release(button) if button == Button::Reset && comes_back(index, at) => {
                joined = true;
            }
            Event::Release(button) if button == Button::Reset => {
                let Some(pressed) = pressed_at.take().filter(|_| !broken) else { continue };
                let held = at.saturating_since(pressed);
                let due = at.saturating_add(ANSWERED_WITHIN);
                let later = events[index + 1..].iter().take_while(|(at, _)| *at <= due);
                let undisturbed = later.into_iter().all(|(_, event)| {
                    !matches!(event, Event::PowerOff | Event::PowerOn | Event::Fault(_))
                });
                let in_vain = held >= LONG_PRESS && in_menu.contains(&pressed);
                let complete_at = pressed.saturating_add(DRAWN_WITHIN).min(at);
                let too_early = within(changes, pressed, complete_at);
                if held < MIN_HOLD || in_vain || too_early || due > ended_at || !undisturbed {
                    continue;
                }
                let from = if held < LONG_PRESS { at } else { pressed.saturating_sub(BEING_DRAWN) };
                let seen = |moment: Instant| from < moment && moment <= due;
                let answered = within(changes, from, due) || lines.iter().any(|line| seen(line.at));
                if !answered {
                    return Some((at, finding(held)));
                }
            }
            _ => {}
        }
    }
    None
}

/// Returns whether one of `moments`, in order, is in (`from`, `to`].
fn within(moments: &[Instant], from: Instant, to: Instant) -> bool {
    let later = moments.partition_point(|moment| *moment <= from);
    moments.get(later).is_some_and(|moment| *moment <= to)
}

/// Returns the finding of a RESET that was held for this time.
fn finding(held: Nanos) -> BrokenInvariant {
    let message = format!(
        "let go after {}, and within {} nothing visible changed and no console line came",
        spoken(held),
        spoken(ANSWERED_WITHIN)
    );
    let is_long = held >= LONG_PRESS;
    BrokenInvariant { kind: super::RESET, evidence: format!("long: {is_long}"), message }
}

#[cfg(test)]
mod tests {
    use hal_mock::board::ConsoleLine;

    use super::*;

    const END: Instant = Instant::from_secs(60);

    fn found(
        events: &[(Instant, Event)],
        changes: &[Instant],
        lines: &[ConsoleLine],
        in_menu: &[Instant],
        ended_at: Instant,
    ) -> Option<(Instant, BrokenInvariant)> {
        broken(&ObservedReplay { events, changes, lines, ended_at }, in_menu)
    }

    #[test]
    fn the_finding_names_the_press_and_is_compared_by_its_length() {
        let reset = |millis| finding(Nanos::from_millis(millis));
        assert_eq!(
            reset(80).message,
            "let go after 80 ms, and within 200 ms nothing visible changed and no console line came"
        );
        assert_eq!(reset(80).evidence, reset(200).evidence);
        assert_ne!(reset(80).evidence, reset(1_200).evidence);
    }

    fn press(from: u64, to: u64) -> Vec<(Instant, Event)> {
        vec![
            (Instant::START, Event::PowerOn),
            (Instant::from_millis(from), Event::Press(Button::Reset)),
            (Instant::from_millis(to), Event::Release(Button::Reset)),
        ]
    }

    #[track_caller]
    fn check(events: &[(Instant, Event)], change: u64, answered: bool) {
        let found = found(events, &[Instant::from_millis(change)], &[], &[], END);
        assert_eq!(found.is_none(), answered, "{found:?}");
    }

    #[test]
    fn the_release_of_reset_has_no_effect_after_a_chord() {
        let events = press(2_000, 2_080);
        check(&events, 50_000, false);
        for (at, button, answered) in [
            (2_040, Button::T6, true),
            (2_040, Button::B1, true),
            (1_921, Button::B1, true),
            (1_900, Button::B1, false),
        ] {
            let mut events = events.clone();
            let index = if at < 2_000 { 1 } else { 2 };
            events.insert(index, (Instant::from_millis(at), Event::Press(button)));
            check(&events, 50_000, answered);
        }
    }

    #[test]
    fn a_reset_while_the_lcd_is_drawn_needs_no_answer() {
        let found = |to, change| {
            let changes = [Instant::from_millis(change)];
            found(&press(2_000, to), &changes, &[], &[], END)
        };
        assert!(found(2_080, 1_999).is_some() && found(2_080, 2_000).is_some());
        assert_eq!(found(2_080, 2_001), None);
        assert_eq!(found(2_900, 2_200), None);
        // The bar of RESET is no such picture.
        assert!(found(2_900, 2_300).is_some());
    }

    #[test]
    fn reset_is_answered_by_changes_within_200_ms_of_its_release() {
        check(&press(2_000, 2_080), 2_100, true);
        check(&press(2_000, 2_080), 2_280, true);
        check(&press(2_000, 2_080), 2_281, false);
        // The menu opened while RESET was held.
        check(&press(2_000, 3_200), 3_000, true);
        // The menu was being drawn when RESET was pressed again.
        check(&press(2_000, 3_200), 1_985, true);
        check(&press(2_000, 3_200), 1_979, false);
        // A press of less than a second is answered after its release.
        check(&press(2_000, 2_999), 2_950, false);
        check(&press(2_000, 3_000), 3_000, true);
        // No answer is due while the board starts, or to a glitch.
        check(&press(500, 580), 9_000, true);
        check(&press(2_000, 2_029), 9_000, true);
        check(&press(2_000, 2_030), 9_000, false);
    }

    #[test]
    fn a_reset_that_is_released_for_a_moment_only_is_still_held() {
        let mut events = press(2_000, 2_080);
        events.extend_from_slice(&press(2_090, 3_400)[1..]);
        // The menu opened a second after the first press.
        check(&events, 3_000, true);
        check(&events, 1_950, false);
        // A stuck contact that is repaired while it is pressed was never released.
        let mut events = press(2_000, 2_080);
        events[0].1 = Event::Fault(BoardFault::Stuck(Button::Reset));
        events.insert(0, (Instant::START, Event::PowerOn));
        let mended = Event::Fault(BoardFault::NoContactFault(Button::Reset));
        events.insert(2, (Instant::from_millis(2_000), mended));
        check(&events, 9_000, true);
        events[2].0 = Instant::from_millis(1_900);
        check(&events, 9_000, false);
    }

    #[test]
    fn a_long_reset_in_the_menu_needs_no_answer() {
        let found = |to, in_menu: &[Instant]| found(&press(2_000, to), &[], &[], in_menu, END);
        let pressed = [Instant::from_millis(2_000)];
        assert_eq!(found(3_200, &pressed), None);
        assert!(found(3_200, &[]).is_some());
        // A short press leaves the menu.
        assert!(found(2_080, &pressed).is_some());
    }

    #[test]
    fn a_console_line_is_an_answer() {
        let found = |at| {
            let text = "boot nudge=0.1.0 game=board".into();
            let lines = [ConsoleLine { at: Instant::from_millis(at), text }];
            found(&press(2_000, 2_080), &[], &lines, &[], END)
        };
        for (at, answers) in [(2_080, false), (2_081, true), (2_280, true), (2_281, false)] {
            assert_eq!(found(at).is_none(), answers, "{at}");
        }
    }

    #[test]
    fn a_session_that_ends_before_the_answer_is_due_shows_nothing() {
        let found = |ended| found(&press(2_000, 2_080), &[], &[], &[], Instant::from_millis(ended));
        assert_eq!(found(2_279), None);
        assert!(found(2_280).is_some());
        assert!(found(2_281).is_some());
    }

    #[test]
    fn a_stuck_reset_and_one_whose_power_fails_need_no_answer() {
        let mut events = press(2_000, 2_080);
        events.insert(1, (Instant::from_secs(1), Event::Fault(BoardFault::Stuck(Button::Reset))));
        check(&events, 9_000, true);
        let mut events = press(2_000, 2_080);
        events.push((Instant::from_millis(2_100), Event::PowerOff));
        check(&events, 9_000, true);
    }

    #[test]
    fn a_press_30_ms_after_a_release_is_another_one() {
        for (again, answered) in [(2_109, true), (2_110, false)] {
            let mut events = press(2_000, 2_080);
            events.extend_from_slice(&press(again, 2_190)[1..]);
            // The change answers the second release, and comes too late for the first.
            check(&events, 2_350, answered);
        }
    }

    #[test]
    fn a_board_without_power_answers_nothing() {
        let cut = Event::Fault(BoardFault::FlashCut { after: 99 });
        for gone in [Event::PowerOff, Event::Fault(BoardFault::PowerCut), cut] {
            let mut events = press(2_000, 2_080);
            events.insert(1, (Instant::from_millis(1_500), gone));
            check(&events, 9_000, true);
        }
    }

    #[test]
    fn faults_while_reset_is_held_do_not_excuse_a_missing_answer() {
        let mut events = press(2_000, 2_080);
        let elsewhere = Event::Fault(BoardFault::Stuck(Button::B1));
        events.insert(2, (Instant::from_millis(2_040), elsewhere));
        check(&events, 9_000, false);
    }
}
