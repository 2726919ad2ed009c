//! Times at which presses and releases reach the board: whole milliseconds, in the order in which
//! they were made, with each button's movements far enough apart for the firmware's debouncing.
//! This module knows no machine, no thread and no wall clock.

use std::collections::VecDeque;
use std::sync::Arc;

use hal_mock::replay::STARTS_WITHIN;
use trace::{Action, Button, ButtonMap, ButtonSet, Control, MIN_HOLD, Movement};
use virtual_time::{Instant, Nanos};

use super::message::Chord;

/// Time for which a power cycle leaves the board without power.
pub const POWER_GAP: Nanos = Nanos::from_millis(200);

/// Maximum length of a line that is typed on the console, in bytes; the board takes 96.
pub const TYPED_MAX: usize = 512;

const MILLISECOND: u64 = 1_000_000;

/// An event on the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Event {
    Press(Button),
    Release(Button),
    /// A line is typed on the console.
    Type(Arc<str>),
    /// A control moves.
    Move(Control, Movement),
    PowerOff,
    PowerOn,
}

impl Event {
    /// Returns the event of a trace's action; `None` if a session has no such event.
    pub(super) fn of(action: &Action) -> Option<Self> {
        match action {
            Action::Press(button) => Some(Self::Press(*button)),
            Action::Release(button) => Some(Self::Release(*button)),
            Action::Type(text) => Some(Self::Type(text.as_str().into())),
            Action::Move { control, movement } => Some(Self::Move(*control, *movement)),
            Action::PowerOff => Some(Self::PowerOff),
            Action::PowerOn => Some(Self::PowerOn),
            _ => None,
        }
    }

    /// Returns whether the event moves a button or a control.
    pub(super) fn is_movement(&self) -> bool {
        matches!(self, Self::Press(_) | Self::Release(_) | Self::Move(..))
    }

    /// Returns the action of a trace.
    pub(super) fn action(&self) -> Action {
        match self {
            Self::Press(button) => Action::Press(*button),
            Self::Release(button) => Action::Release(*button),
            Self::Type(text) => Action::Type(text.to_string()),
            Self::Move(control, movement) => {
                Action::Move { control: *control, movement: *movement }
            }
            Self::PowerOff => Action::PowerOff,
            Self::PowerOn => Action::PowerOn,
        }
    }
}

/// The events that are due, with their times.
#[derive(Debug, Default)]
pub(super) struct Schedule {
    waiting: VecDeque<(Instant, Event)>,
    last: Instant,
    /// Time of the last power-on.
    powered_on: Instant,
    moved: ButtonMap<Option<Instant>>,
    down: ButtonSet,
}

impl Schedule {
    /// Presses or releases `button` at `now` or, if that is too soon after its last movement, as soon
    /// as [`MIN_HOLD`] allows. A press of a button that is down, or a release of one that is up, is
    /// left out.
    pub(super) fn move_button(&mut self, now: Instant, button: Button, down: bool) {
        if !self.down.set(button, down) {
            return;
        }
        let earliest =
            self.moved.of(button).map_or(Instant::START, |moved| moved.saturating_add(MIN_HOLD));
        let event = if down { Event::Press(button) } else { Event::Release(button) };
        *self.moved.at(button) = Some(self.add(now.max(earliest), event));
    }

    /// Returns whether a button stays down after all events.
    pub(super) fn holds_a_button(&self) -> bool {
        !self.down.is_empty()
    }

    /// Presses both buttons of `chord`, from `now` on, with [`MIN_HOLD`] between two movements; not at
    /// all if one of them is down.
    pub(super) fn press_together(&mut self, now: Instant, chord: Chord) {
        let Chord { held, pressed } = chord;
        if self.down.contains(held) || self.down.contains(pressed) {
            return;
        }
        let mut at = now;
        for (button, down) in [(held, true), (pressed, true), (pressed, false), (held, false)] {
            self.move_button(at, button, down);
            at = self.last.saturating_add(MIN_HOLD);
        }
    }

    /// Types `text` at `now`, without characters that a trace cannot have. A blank line is left out.
    pub(super) fn type_line(&mut self, now: Instant, text: &str) {
        let printable = |letter: &char| matches!(letter, ' '..='~');
        let text: String = text.chars().filter(printable).take(TYPED_MAX).collect();
        if !text.trim().is_empty() {
            self.add(now, Event::Type(text.as_str().into()));
        }
    }

    /// Moves a control at `now`.
    pub(super) fn move_control(&mut self, now: Instant, control: Control, movement: Movement) {
        self.add(now, Event::Move(control, movement));
    }

    /// Switches the power off at `now` and on again [`POWER_GAP`] later. Firmware that may still be
    /// starting is not interrupted: a replay would cut its power within a step.
    pub(super) fn cycle_power(&mut self, now: Instant) {
        let started = self.powered_on.saturating_add(STARTS_WITHIN);
        let off = self.add(now.max(started), Event::PowerOff);
        self.power_on_after(off);
    }

    /// Switches the power on [`POWER_GAP`] after `off`, when it was switched off.
    pub(super) fn power_on_after(&mut self, off: Instant) {
        self.powered_on = self.add(off.saturating_add(POWER_GAP), Event::PowerOn);
    }

    /// Delays all waiting events equally, so that the first comes at `earliest` or later: firmware
    /// that starts blocks, and has then passed their times.
    pub(super) fn delay_until(&mut self, earliest: Instant) {
        let Some((first, _)) = self.waiting.front() else { return };
        let delay = whole_milliseconds(earliest).saturating_since(*first);
        for (at, event) in &mut self.waiting {
            *at = at.saturating_add(delay);
            match event {
                Event::Press(button) | Event::Release(button) => {
                    *self.moved.at(*button) = Some(*at);
                }
                Event::PowerOn => self.powered_on = *at,
                Event::PowerOff | Event::Type(_) | Event::Move(..) => {}
            }
            self.last = self.last.max(*at);
        }
    }

    /// Adds an event of an earlier session with its time.
    pub(super) fn repeat(&mut self, at: Instant, event: Event) {
        self.did(at, &event);
        self.waiting.push_back((at, event));
    }

    /// Records in the schedule that an event was executed.
    pub(super) fn did(&mut self, at: Instant, event: &Event) {
        if let Event::Press(button) | Event::Release(button) = event {
            self.down.set(*button, matches!(event, Event::Press(_)));
            *self.moved.at(*button) = Some(at);
        }
        if *event == Event::PowerOn {
            self.powered_on = at;
        }
        self.last = self.last.max(at);
    }

    fn add(&mut self, at: Instant, event: Event) -> Instant {
        let at = whole_milliseconds(at.max(self.last));
        self.last = at;
        self.waiting.push_back((at, event));
        at
    }

    /// Returns the next event and its time.
    pub(super) fn next(&self) -> Option<(Instant, Event)> {
        self.waiting.front().cloned()
    }

    /// Removes the next event, which has been executed.
    pub(super) fn done(&mut self) {
        self.waiting.pop_front();
    }

    /// Returns all waiting events, in order.
    pub(super) fn waiting(&self) -> impl Iterator<Item = &(Instant, Event)> {
        self.waiting.iter()
    }

    /// Returns the number of waiting events.
    pub(super) fn len(&self) -> usize {
        self.waiting.len()
    }

    /// Returns the first whole millisecond from `now` on at which all events have been executed.
    pub(super) fn end(&self, now: Instant) -> Instant {
        whole_milliseconds(now.max(self.last))
    }
}

fn whole_milliseconds(at: Instant) -> Instant {
    Instant::from_millis(at.0.div_ceil(MILLISECOND))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(millis: u64) -> Instant {
        Instant::from_millis(millis)
    }

    fn drain(schedule: &mut Schedule) -> Vec<(Instant, Event)> {
        std::mem::take(&mut schedule.waiting).into()
    }

    #[test]
    fn a_press_is_dated_at_the_next_whole_millisecond() {
        let mut schedule = Schedule::default();
        schedule.move_button(Instant(1_000_001), Button::B1, true);
        assert_eq!(schedule.next(), Some((ms(2), Event::Press(Button::B1))));
        schedule.done();
        assert_eq!(schedule.next(), None);
    }

    #[test]
    fn a_control_moves_in_the_order_of_the_buttons() {
        let mut schedule = Schedule::default();
        let controls = trace::Controls::new([(trace::ControlKind::Switch, "S")]).unwrap();
        let (switch, on) = (controls.all()[0], Movement::Switch(true));
        schedule.move_button(ms(10), Button::B1, true);
        schedule.move_control(Instant(10_000_001), switch, on);
        let expected = [(ms(10), Event::Press(Button::B1)), (ms(11), Event::Move(switch, on))];
        assert_eq!(drain(&mut schedule), expected);
        let event = Event::Move(switch, on);
        assert_eq!(event.action().to_string(), "switch S on");
        assert_eq!(Event::of(&event.action()), Some(event));
    }

    #[test]
    fn a_press_and_release_in_one_moment_are_held_apart() {
        let mut schedule = Schedule::default();
        for down in [true, false, true, false] {
            schedule.move_button(ms(10), Button::B1, down);
        }
        let times: Vec<Instant> = drain(&mut schedule).into_iter().map(|(at, _)| at).collect();
        assert_eq!(times, [ms(10), ms(40), ms(70), ms(100)]);
    }

    #[test]
    fn buttons_keep_the_order_they_were_moved_in() {
        let mut schedule = Schedule::default();
        schedule.move_button(ms(10), Button::B1, true);
        schedule.move_button(ms(10), Button::B1, false);
        schedule.move_button(ms(10), Button::T6, true);
        let expected = [
            (ms(10), Event::Press(Button::B1)),
            (ms(40), Event::Release(Button::B1)),
            (ms(40), Event::Press(Button::T6)),
        ];
        assert_eq!(drain(&mut schedule), expected);
    }

    #[test]
    fn a_chord_holds_one_button_around_the_other() {
        let mut schedule = Schedule::default();
        let chord = Chord { held: Button::Reset, pressed: Button::T6 };
        schedule.press_together(ms(10), chord);
        let expected = [
            (ms(10), Event::Press(Button::Reset)),
            (ms(40), Event::Press(Button::T6)),
            (ms(70), Event::Release(Button::T6)),
            (ms(100), Event::Release(Button::Reset)),
        ];
        assert_eq!(drain(&mut schedule), expected);
        // The user holds the button, so the chord does not move it.
        schedule.move_button(ms(200), Button::T6, true);
        schedule.press_together(ms(201), chord);
        assert_eq!(drain(&mut schedule), [(ms(200), Event::Press(Button::T6))]);
    }

    #[test]
    fn a_press_of_a_button_that_is_down_is_ignored() {
        let mut schedule = Schedule::default();
        schedule.move_button(ms(1), Button::B1, false);
        schedule.move_button(ms(1), Button::B1, true);
        schedule.move_button(ms(2), Button::B1, true);
        assert_eq!(drain(&mut schedule).len(), 1);
    }

    #[test]
    fn events_wait_for_the_end_of_a_power_cycle() {
        let mut schedule = Schedule::default();
        schedule.cycle_power(ms(505));
        schedule.move_button(ms(506), Button::B1, true);
        let expected = [
            (ms(505), Event::PowerOff),
            (ms(705), Event::PowerOn),
            (ms(705), Event::Press(Button::B1)),
        ];
        assert_eq!(drain(&mut schedule), expected);
        assert_eq!(schedule.end(ms(1)), ms(705));
    }

    #[test]
    fn firmware_that_starts_is_not_switched_off() {
        let mut schedule = Schedule::default();
        schedule.cycle_power(ms(300));
        schedule.cycle_power(ms(301));
        let expected = [
            (ms(500), Event::PowerOff),
            (ms(700), Event::PowerOn),
            (ms(1_200), Event::PowerOff),
            (ms(1_400), Event::PowerOn),
        ];
        assert_eq!(drain(&mut schedule), expected);
    }

    #[test]
    fn events_within_the_start_of_the_firmware_wait_for_its_end() {
        let mut schedule = Schedule::default();
        schedule.move_button(ms(10), Button::B1, true);
        schedule.move_button(ms(10), Button::B1, false);
        schedule.delay_until(Instant(265_000_001));
        schedule.move_button(ms(20), Button::B1, true);
        let expected = [
            (ms(266), Event::Press(Button::B1)),
            (ms(296), Event::Release(Button::B1)),
            (ms(326), Event::Press(Button::B1)),
        ];
        assert_eq!(drain(&mut schedule), expected);
        schedule.move_button(ms(900), Button::B1, false);
        schedule.delay_until(ms(300));
        assert_eq!(drain(&mut schedule), [(ms(900), Event::Release(Button::B1))]);
    }
}
