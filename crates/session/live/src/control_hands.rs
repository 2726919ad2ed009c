//! A person's hands on the encoders, switches, joysticks, potentiometers and touch panels of a board.
//!
//! A view reports keys, wheels and pointers, and sends the commands that it gets. A joystick
//! returns to its rest when the last key and the last pointer have left it. A step is relative to
//! what was sent before, also if the session has not executed that yet. This module knows no
//! window.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use hal_mock::board::Position;
use trace::{Control, ControlKind, Movement, Point, Share};
use virtual_time::Instant;

use super::keymap::ControlMove;
use super::message::Command;
use super::part_readings::PartReadings;

/// Step of a potentiometer, in percent of its range, and the one with Shift.
pub const STEP: u8 = 5;
pub const FINE_STEP: u8 = 1;
/// Maximum number of positions of a control that were sent and not read yet.
const SENT_MAX: usize = 256;
/// Maximum number of detents of one movement.
const DETENTS_MAX: i32 = 100;

/// The controls of a board, and the hands on them.
#[derive(Clone, Debug, Default)]
pub struct ControlHands {
    readings: Arc<PartReadings>,
    /// Whether a time in the past is shown.
    is_past: bool,
    /// The positions of each control that were sent and not read yet, by its number.
    sent: BTreeMap<usize, VecDeque<Position>>,
    /// The joysticks that were moved out of their rest, by their numbers.
    sticks: BTreeMap<usize, Stick>,
    /// The touched panels by their numbers, and whether the finger is still there.
    fingers: BTreeMap<usize, bool>,
}

/// Hands on a joystick.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Stick {
    /// Whether the keys for left, right, up and down are held.
    keys: [bool; 4],
    /// Whether a pointer holds it.
    is_dragged: bool,
}

impl ControlHands {
    /// Takes the positions at the time that is shown. Returns the commands that let go of joysticks
    /// that were released while the past was shown.
    pub fn take(
        &mut self,
        readings: &Arc<PartReadings>,
        shown_at: Option<Instant>,
    ) -> Vec<Command> {
        let before = std::mem::replace(&mut self.readings, Arc::clone(readings));
        let was_past = std::mem::replace(&mut self.is_past, shown_at.is_some());
        if was_past || self.is_past {
            // The positions are those of another time.
            self.sent.clear();
        }
        for (old, new) in before.controls.iter().zip(&readings.controls) {
            if old.position != new.position {
                self.was_read(new.control, new.position);
            }
        }
        if !was_past || self.is_past {
            return Vec::new();
        }
        let released = |(_, stick): &(&usize, &Stick)| **stick == Stick::default();
        let mut released: Vec<usize> =
            self.sticks.iter().filter(released).map(|(at, _)| *at).collect();
        released.extend(self.fingers.iter().filter(|(_, is_down)| !**is_down).map(|(at, _)| *at));
        released
            .into_iter()
            .filter_map(|at| self.rest(self.readings.controls.get(at)?.control))
            .collect()
    }

    /// Returns the control of that name.
    pub fn named(&self, name: &str) -> Option<Control> {
        let mut controls = self.readings.controls.iter().map(|reading| reading.control);
        controls.find(|control| control.name() == name)
    }

    /// Returns the touch panels, each with the name of its display; `None` for the first display.
    pub fn touch_panels(&self) -> impl Iterator<Item = (Control, Option<&'static str>)> + use<'_> {
        self.readings.controls.iter().filter_map(|reading| {
            let ControlKind::Touch(area) = reading.control.kind() else { return None };
            let display = usize::from(area.display).checked_sub(1);
            let display = display.and_then(|display| self.readings.displays.get(display));
            Some((reading.control, display.map(|(name, _)| *name)))
        })
    }

    /// Returns the parts with the controls in the positions that were sent: a view shows them
    /// although virtual time is stopped.
    pub fn shown(&self) -> Arc<PartReadings> {
        if self.sent.values().all(VecDeque::is_empty) {
            return Arc::clone(&self.readings);
        }
        let mut readings = PartReadings::clone(&self.readings);
        for reading in &mut readings.controls {
            if let Some(position) = self.position(reading.control) {
                reading.position = position;
            }
        }
        Arc::new(readings)
    }

    /// Returns the position that was sent last, or that of the board.
    pub fn position(&self, control: Control) -> Option<Position> {
        let sent = self.sent.get(&control.index()).and_then(VecDeque::back);
        sent.copied().or_else(|| self.read(control))
    }

    /// Makes the movement of a key that goes down or is repeated. `fine` is Shift.
    pub fn press(&mut self, control: Control, by: ControlMove, fine: bool) -> Option<Command> {
        let steps = match by {
            ControlMove::Counterclockwise | ControlMove::Less => -1,
            ControlMove::Clockwise | ControlMove::More => 1,
            ControlMove::Toggle => return self.toggle(control),
            ControlMove::Left | ControlMove::Right | ControlMove::Up | ControlMove::Down => {
                return self.hold(control, by, true);
            }
        };
        self.turn(control, steps, fine)
    }

    /// Makes the movement of a key that goes up.
    pub fn release(&mut self, control: Control, by: ControlMove) -> Option<Command> {
        self.hold(control, by, false)
    }

    /// Turns an encoder by a number of detents, or moves a potentiometer by a number of steps.
    pub fn turn(&mut self, control: Control, steps: i32, fine: bool) -> Option<Command> {
        match (control.kind(), self.position(control)?) {
            (ControlKind::Encoder, _) => {
                // Within the bounds of the type.
                let by = steps.clamp(-DETENTS_MAX, DETENTS_MAX) as i16;
                let movement = Movement::Turn { by, over: None };
                (by != 0).then(|| Command::Move(control.name().to_owned(), movement))
            }
            (ControlKind::Potentiometer, Position::Axes(at, _)) => {
                let step = f64::from(if fine { FINE_STEP } else { STEP }) / 100.0;
                self.slide(control, at.fraction() + f64::from(steps) * step)
            }
            _ => None,
        }
    }

    /// Changes the position of a switch.
    pub fn toggle(&mut self, control: Control) -> Option<Command> {
        let Some(Position::Switch(on)) = self.position(control) else { return None };
        self.send(control, Position::Switch(!on))
    }

    /// Moves a potentiometer to a share of its range.
    pub fn slide(&mut self, control: Control, share: f64) -> Option<Command> {
        if control.kind() != ControlKind::Potentiometer {
            return None;
        }
        let at = percent(share);
        self.send(control, Position::Axes(at, at))
    }

    /// Tilts a joystick that a pointer holds: to the right and up, as shares of the way from its
    /// rest to its ends, −1 to 1.
    pub fn drag(&mut self, control: Control, tilt: (f64, f64)) -> Option<Command> {
        if control.kind() != ControlKind::Joystick {
            return None;
        }
        self.sticks.entry(control.index()).or_default().is_dragged = true;
        self.tilt(control, tilt)
    }

    /// Lets go of a joystick that a pointer has held.
    pub fn drop(&mut self, control: Control) -> Option<Command> {
        let stick = self.sticks.get_mut(&control.index()).filter(|stick| stick.is_dragged)?;
        stick.is_dragged = false;
        let keys = stick.keys;
        self.follow_keys(control, keys)
    }

    /// Puts the finger that a pointer stands for on a pixel of a touch panel, or moves it there.
    pub fn touch(&mut self, control: Control, at: Point) -> Option<Command> {
        let ControlKind::Touch(area) = control.kind() else { return None };
        let inside = |at: u16, size: u16| at.min(size.saturating_sub(1));
        let at = Point { x: inside(at.x, area.width), y: inside(at.y, area.height) };
        self.fingers.insert(control.index(), true);
        self.send(control, Position::Touch(Some(at)))
    }

    /// Lifts the finger that a pointer stands for.
    pub fn lift(&mut self, control: Control) -> Option<Command> {
        let is_down = self.fingers.get_mut(&control.index())?;
        if self.is_past {
            // A release would begin a branch: the finger leaves in the present.
            *is_down = false;
            return None;
        }
        self.rest(control)
    }

    /// Lets go of all joysticks and touch panels.
    pub fn release_all(&mut self) -> Vec<Command> {
        let held = std::mem::take(&mut self.sticks);
        if self.is_past {
            // They return to their rest in the present.
            self.sticks = held.into_keys().map(|at| (at, Stick::default())).collect();
            self.fingers.values_mut().for_each(|is_down| *is_down = false);
            return Vec::new();
        }
        let touched = std::mem::take(&mut self.fingers);
        let controls: Vec<Control> = held
            .into_keys()
            .chain(touched.into_keys())
            .filter_map(|at| Some(self.readings.controls.get(at)?.control))
            .collect();
        controls.into_iter().filter_map(|control| self.rest(control)).collect()
    }

    /// Holds or releases a key of a joystick.
    fn hold(&mut self, control: Control, by: ControlMove, down: bool) -> Option<Command> {
        let all = ControlMove::of(ControlKind::Joystick);
        let at = all.iter().position(|own| *own == by)?;
        if control.kind() != ControlKind::Joystick {
            return None;
        }
        let stick = self.sticks.entry(control.index()).or_default();
        if std::mem::replace(&mut stick.keys[at], down) == down {
            return None;
        }
        let (keys, is_dragged) = (stick.keys, stick.is_dragged);
        if is_dragged { None } else { self.follow_keys(control, keys) }
    }

    /// Tilts a joystick as its keys are held.
    fn follow_keys(&mut self, control: Control, keys: [bool; 4]) -> Option<Command> {
        if keys == [false; 4] {
            // In the past a release would begin a branch.
            return if self.is_past { None } else { self.rest(control) };
        }
        let axis = |less: bool, more: bool| f64::from(i8::from(more) - i8::from(less));
        self.tilt(control, (axis(keys[0], keys[1]), axis(keys[3], keys[2])))
    }

    fn tilt(&mut self, control: Control, (right, up): (f64, f64)) -> Option<Command> {
        let Position::Axes(x, y) = self.readings.controls.get(control.index())?.rest else {
            return None;
        };
        let axis = |rest: Share, tilt: f64| {
            let (rest, tilt) = (rest.fraction(), tilt.clamp(-1.0, 1.0));
            percent(rest + tilt * if tilt > 0.0 { 1.0 - rest } else { rest })
        };
        self.send(control, Position::Axes(axis(x, right), axis(y, up)))
    }

    /// Returns a joystick to its rest, or lifts a finger.
    fn rest(&mut self, control: Control) -> Option<Command> {
        self.sticks.remove(&control.index());
        self.fingers.remove(&control.index());
        let rest = self.readings.controls.get(control.index())?.rest;
        self.send(control, rest)
    }

    /// Returns the command that moves a control to a position, if it is not there.
    fn send(&mut self, control: Control, position: Position) -> Option<Command> {
        if self.position(control)? == position {
            return None;
        }
        let movement = match position {
            Position::Switch(on) => Movement::Switch(on),
            Position::Axes(x, y) => {
                let y = (control.kind() == ControlKind::Joystick).then_some(y);
                Movement::Set { x, y }
            }
            Position::Touch(Some(at)) => Movement::Touch { at, hold: None },
            Position::Touch(None) => Movement::Lift,
            Position::Edges(_) => return None,
        };
        let sent = self.sent.entry(control.index()).or_default();
        if sent.len() >= SENT_MAX {
            sent.pop_front();
        }
        sent.push_back(position);
        Some(Command::Move(control.name().to_owned(), movement))
    }

    fn read(&self, control: Control) -> Option<Position> {
        let reading = self.readings.controls.get(control.index())?;
        Some(match (reading.control.kind(), reading.position) {
            // A potentiometer has one axis.
            (ControlKind::Potentiometer, Position::Axes(x, _)) => Position::Axes(x, x),
            (_, position) => position,
        })
    }

    /// Removes the positions that were sent up to the one that was read. Another position comes
    /// from someone else.
    fn was_read(&mut self, control: Control, position: Position) {
        let position = self.read(control).unwrap_or(position);
        let Some(sent) = self.sent.get_mut(&control.index()) else { return };
        if sent.back() == Some(&position) {
            sent.clear();
        } else if let Some(at) = sent.iter().position(|own| *own == position) {
            sent.drain(..=at);
        } else {
            sent.clear();
        }
    }
}

/// Returns the nearest share in whole percent: a recording of a drag remains readable.
fn percent(share: f64) -> Share {
    // The cast saturates, and NaN is 0.
    Share::from_percent((share.clamp(0.0, 1.0) * 100.0).round() as u8)
}

#[cfg(test)]
mod tests {
    use trace::{Controls, TouchArea};

    use super::*;
    use crate::part_readings::ControlReading;

    const AREA: TouchArea = TouchArea { display: 0, width: 320, height: 240 };

    struct Bench {
        hands: ControlHands,
        controls: Controls,
        positions: Vec<Position>,
    }

    impl Bench {
        fn new() -> Self {
            let half = Share::from_percent(50);
            let controls = Controls::new([
                (ControlKind::Encoder, "DIAL"),
                (ControlKind::Switch, "MODE"),
                (ControlKind::Potentiometer, "LEVEL"),
                (ControlKind::Joystick, "STICK"),
                (ControlKind::Touch(AREA), "PAD"),
            ]);
            let positions = vec![
                Position::Edges(0),
                Position::Switch(false),
                Position::Axes(Share::from_percent(25), Share::ZERO),
                Position::Axes(half, half),
                Position::Touch(None),
            ];
            let mut bench =
                Self { hands: ControlHands::default(), controls: controls.unwrap(), positions };
            assert!(bench.read(None).is_empty());
            bench
        }

        /// Lets the hands read the board.
        fn read(&mut self, shown_at: Option<Instant>) -> Vec<Command> {
            let half = Share::from_percent(50);
            let reading = |(control, position): (&Control, &Position)| ControlReading {
                control: *control,
                position: *position,
                rest: match position {
                    Position::Touch(_) => Position::Touch(None),
                    _ => Position::Axes(half, half),
                },
            };
            let controls = self.controls.all().iter().zip(&self.positions).map(reading).collect();
            self.hands
                .take(&Arc::new(PartReadings { controls, ..PartReadings::default() }), shown_at)
        }

        fn named(&self, name: &str) -> Control {
            self.controls.named(name).unwrap()
        }
    }

    #[track_caller]
    fn check(command: Option<Command>, expected: &str) {
        let text = command.map_or(String::new(), |command| match command {
            Command::Move(name, Movement::Turn { by, .. }) => format!("turn {name} by {by}"),
            Command::Move(name, Movement::Switch(on)) => format!("switch {name} {on}"),
            Command::Move(name, Movement::Set { x, y: None }) => format!("set {name} {x}"),
            Command::Move(name, Movement::Set { x, y: Some(y) }) => format!("set {name} {x},{y}"),
            Command::Move(name, Movement::Touch { at, hold: None }) => format!("touch {name} {at}"),
            Command::Move(name, Movement::Lift) => format!("lift {name}"),
            other => format!("{other:?}"),
        });
        assert_eq!(text, expected);
    }

    #[test]
    fn steps_add_up_before_the_session_has_executed_them() {
        let mut bench = Bench::new();
        let (mode, level) = (bench.named("MODE"), bench.named("LEVEL"));
        check(bench.hands.press(level, ControlMove::More, false), "set LEVEL 0.3");
        check(bench.hands.press(level, ControlMove::More, true), "set LEVEL 0.31");
        // The first of them has been executed.
        bench.positions[2] = Position::Axes(Share::from_percent(30), Share::ZERO);
        bench.read(None);
        check(bench.hands.turn(level, -2, false), "set LEVEL 0.21");
        check(bench.hands.press(mode, ControlMove::Toggle, false), "switch MODE true");
        check(bench.hands.press(mode, ControlMove::Toggle, false), "switch MODE false");
        // Another view moves it.
        bench.positions[2] = Position::Axes(Share::WHOLE, Share::ZERO);
        bench.read(None);
        check(bench.hands.press(level, ControlMove::More, false), "");
        check(bench.hands.press(level, ControlMove::Less, false), "set LEVEL 0.95");
    }

    #[test]
    fn what_was_sent_is_shown_at_once() {
        let mut bench = Bench::new();
        let level = bench.named("LEVEL");
        assert!(Arc::ptr_eq(&bench.hands.shown(), &bench.hands.readings));
        check(bench.hands.slide(level, 0.8), "set LEVEL 0.8");
        let at = Share::from_percent(80);
        assert_eq!(bench.hands.shown().controls[2].position, Position::Axes(at, at));
    }

    #[test]
    fn an_encoder_turns_by_detents() {
        let mut bench = Bench::new();
        let dial = bench.named("DIAL");
        check(bench.hands.press(dial, ControlMove::Clockwise, false), "turn DIAL by 1");
        check(bench.hands.press(dial, ControlMove::Counterclockwise, false), "turn DIAL by -1");
        check(bench.hands.turn(dial, 3, false), "turn DIAL by 3");
        check(bench.hands.turn(dial, i32::MAX, false), "turn DIAL by 100");
        check(bench.hands.turn(dial, 0, false), "");
        check(bench.hands.release(dial, ControlMove::Clockwise), "");
    }

    #[test]
    fn a_joystick_returns_when_the_last_key_is_released() {
        let mut bench = Bench::new();
        let stick = bench.named("STICK");
        check(bench.hands.press(stick, ControlMove::Left, false), "set STICK 0,0.5");
        check(bench.hands.press(stick, ControlMove::Left, false), "");
        check(bench.hands.press(stick, ControlMove::Up, false), "set STICK 0,1");
        check(bench.hands.release(stick, ControlMove::Left), "set STICK 0.5,1");
        check(bench.hands.release(stick, ControlMove::Up), "set STICK 0.5,0.5");
        check(bench.hands.release(stick, ControlMove::Up), "");
        check(bench.hands.drag(stick, (0.5, -4.0)), "set STICK 0.75,0");
        check(bench.hands.drop(stick), "set STICK 0.5,0.5");
        check(bench.hands.drop(stick), "");
    }

    #[test]
    fn a_finger_stays_on_the_panel_until_it_leaves() {
        let mut bench = Bench::new();
        let pad = bench.named("PAD");
        check(bench.hands.lift(pad), "");
        check(bench.hands.touch(pad, Point { x: 5, y: 6 }), "touch PAD 5,6");
        check(bench.hands.touch(pad, Point { x: 5, y: 6 }), "");
        check(bench.hands.touch(pad, Point { x: 400, y: 240 }), "touch PAD 319,239");
        check(bench.hands.lift(pad), "lift PAD");
        check(bench.hands.lift(pad), "");
        let dial = bench.named("DIAL");
        check(bench.hands.touch(dial, Point { x: 0, y: 0 }), "");
        check(bench.hands.touch(pad, Point { x: 1, y: 2 }), "touch PAD 1,2");
        check(bench.hands.release_all().pop(), "lift PAD");
        // A finger that leaves in the past leaves in the present.
        check(bench.hands.touch(pad, Point { x: 1, y: 2 }), "touch PAD 1,2");
        bench.positions[4] = Position::Touch(Some(Point { x: 1, y: 2 }));
        bench.read(Some(Instant::START));
        check(bench.hands.lift(pad), "");
        check(bench.read(None).pop(), "lift PAD");
    }

    #[test]
    fn losing_the_focus_releases_all_joysticks() {
        let mut bench = Bench::new();
        let stick = bench.named("STICK");
        check(bench.hands.press(stick, ControlMove::Down, false), "set STICK 0.5,0");
        let mut released = bench.hands.release_all();
        check(released.pop(), "set STICK 0.5,0.5");
        assert_eq!(released, []);
        check(bench.hands.release(stick, ControlMove::Down), "");
        assert_eq!(bench.hands.release_all(), []);
    }

    #[test]
    fn a_release_in_the_past_is_made_in_the_present() {
        let mut bench = Bench::new();
        let stick = bench.named("STICK");
        let down = Position::Axes(Share::from_percent(50), Share::ZERO);
        check(bench.hands.press(stick, ControlMove::Down, false), "set STICK 0.5,0");
        bench.positions[3] = down;
        bench.read(None);
        bench.read(Some(Instant::START));
        check(bench.hands.release(stick, ControlMove::Down), "");
        let mut released = bench.read(None);
        check(released.pop(), "set STICK 0.5,0.5");
        // A press in the past is made there, and is that of a branch.
        bench.read(Some(Instant::START));
        check(bench.hands.press(stick, ControlMove::Up, false), "set STICK 0.5,1");
    }
}
