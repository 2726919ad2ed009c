//! Encoders, switches, joysticks, potentiometers and touch panels of a described board in a terminal:
//! their keys, the mouse and its wheel.

use live::Command;
use live::keymap::ControlMove;
use ratatui_core::layout::{Position, Rect};
use trace::{Control, ControlKind, Point, TouchArea};

use super::control_state::HeldStick;
use super::error::TerminalError;
use super::event_loop::EventLoop;
use super::holds::HeldKey;

/// Way of the mouse from the rest of a joystick to its ends, in cells.
const WAY: (f64, f64) = (8.0, 4.0);

impl EventLoop {
    /// Makes the movement of a key that goes down, or repeats.
    pub(super) fn move_by_key(
        &mut self,
        control: Control,
        by: ControlMove,
        (fine, repeat): (bool, bool),
    ) -> Result<(), TerminalError> {
        let is_held = control.kind() == ControlKind::Joystick;
        if is_held {
            self.hold_for_a_time(HeldKey::Move(control, by));
        }
        if repeat && !by.repeats() {
            return Ok(());
        }
        let command = self.session.hands.press(control, by, fine);
        self.send_all(command)
    }

    /// Makes the movement of a key that goes up.
    pub(super) fn end_move_by_key(
        &mut self,
        control: Control,
        by: ControlMove,
    ) -> Result<(), TerminalError> {
        let command = self.session.hands.release(control, by);
        self.send_all(command)
    }

    /// Returns the control at a cell, and its place.
    fn control_at(&self, column: u16, row: u16) -> Option<(Control, Rect)> {
        let (at, place) = self.layout.as_ref()?.hit_control(column, row)?;
        Some((self.view.controls.get(at)?.control, place))
    }

    /// Handles the mouse on a control; returns `false` if there is none at that cell. The right
    /// half of an encoder or a potentiometer is for more, the left half for less.
    pub(super) fn press_control(&mut self, column: u16, row: u16) -> Result<bool, TerminalError> {
        let Some((control, place)) = self.control_at(column, row) else {
            return self.press_display(column, row);
        };
        let steps = if column >= place.x + place.width / 2 { 1 } else { -1 };
        let command = match control.kind() {
            ControlKind::Encoder | ControlKind::Potentiometer => {
                self.session.hands.turn(control, steps, false)
            }
            ControlKind::Switch => self.session.hands.toggle(control),
            ControlKind::Joystick => {
                self.held_stick = Some(HeldStick { control, from: (column, row) });
                None
            }
            // The display is touched, not the place with its state.
            ControlKind::Touch(_) => None,
        };
        self.send_all(command)?;
        Ok(true)
    }

    /// Puts the finger on the touch panel of the first display; returns `false` if there is none at
    /// that cell.
    fn press_display(&mut self, column: u16, row: u16) -> Result<bool, TerminalError> {
        let on_display = |control: &Control| {
            matches!(control.kind(), ControlKind::Touch(TouchArea { display: 0, .. }))
        };
        let mut controls = self.view.controls.iter().map(|reading| reading.control);
        let Some(control) = controls.find(on_display) else { return Ok(false) };
        let lcd = self.layout.as_ref().map(|layout| layout.lcd);
        if !lcd.is_some_and(|lcd| lcd.contains(Position::new(column, row))) {
            return Ok(false);
        }
        self.held_stick = Some(HeldStick { control, from: (column, row) });
        self.touch(control, column, row)?;
        Ok(true)
    }

    /// Moves the finger to the pixel in the middle of a cell.
    fn touch(&mut self, control: Control, column: u16, row: u16) -> Result<(), TerminalError> {
        let ControlKind::Touch(area) = control.kind() else { return Ok(()) };
        let Some(lcd) = self.layout.as_ref().map(|layout| layout.lcd) else { return Ok(()) };
        let pixel = |cell: u16, first: u16, cells: u16, pixels: u16| {
            let halves = 2 * u32::from(cell.saturating_sub(first)) + 1;
            let at = halves * u32::from(pixels) / (2 * u32::from(cells.max(1)));
            u16::try_from(at).unwrap_or(u16::MAX)
        };
        let at = Point {
            x: pixel(column, lcd.x, lcd.width, area.width),
            y: pixel(row, lcd.y, lcd.height, area.height),
        };
        let command = self.session.hands.touch(control, at);
        self.send_all(command)
    }

    /// Tilts the joystick that the mouse holds, or moves the finger on the touch panel.
    pub(super) fn drag_control(&mut self, column: u16, row: u16) -> Result<(), TerminalError> {
        let Some(HeldStick { control, from }) = self.held_stick else { return Ok(()) };
        if let ControlKind::Touch(_) = control.kind() {
            return self.touch(control, column, row);
        }
        let away = |at: u16, from: u16, way: f64| (f64::from(at) - f64::from(from)) / way;
        let (right, down) = (away(column, from.0, WAY.0), away(row, from.1, WAY.1));
        let command = self.session.hands.drag(control, (right, -down));
        self.send_all(command)
    }

    /// Lets go of the joystick or the touch panel that the mouse holds.
    pub(super) fn release_control(&mut self) -> Result<(), TerminalError> {
        let Some(HeldStick { control, .. }) = self.held_stick.take() else { return Ok(()) };
        let hands = &mut self.session.hands;
        let command = match control.kind() {
            ControlKind::Touch(_) => hands.lift(control),
            _ => hands.drop(control),
        };
        self.send_all(command)
    }

    /// Turns the control at a cell with the wheel; returns `false` if there is none that turns.
    pub(super) fn turn_control(
        &mut self,
        steps: i32,
        (column, row): (u16, u16),
        fine: bool,
    ) -> Result<bool, TerminalError> {
        let turns = |kind| matches!(kind, ControlKind::Encoder | ControlKind::Potentiometer);
        let found = self.control_at(column, row).filter(|(control, _)| turns(control.kind()));
        let Some((control, _)) = found else { return Ok(false) };
        let command = self.session.hands.turn(control, steps, fine);
        self.send_all(command)?;
        Ok(true)
    }

    pub(super) fn send_all(
        &mut self,
        commands: impl IntoIterator<Item = Command>,
    ) -> Result<(), TerminalError> {
        commands.into_iter().try_for_each(|command| self.send(command))
    }
}
