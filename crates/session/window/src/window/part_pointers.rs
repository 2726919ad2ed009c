//! Pointers on the encoders, switches, joysticks, potentiometers and touch panels of the face: the
//! mouse, its wheel, and fingers. A pointer holds the part on which it went down, wherever it moves.

use std::time::Duration;

use live::keymap::{ControlMove, KeyAction};
use sdl2::keyboard::Mod;
use trace::{Control, ControlKind};

use super::controls::key_name;
use super::error::RunError;
use super::event_loop::EventLoop;
use super::held_part::{HeldPart, Pointer};
use crate::face::Layout;

/// Shortest time between two movements of a part that is dragged: the movements are recorded.
const DRAG_PAUSE: Duration = Duration::from_millis(16);
/// Way of a pointer for a detent of an encoder, in units of the face.
const DETENT: f32 = 6.0;
/// Maximum number of parts that are held at once: more than two hands have fingers.
const POINTERS_MAX: usize = 32;

impl EventLoop<'_> {
    /// Returns the control of the board at a point of the window.
    fn control_at(&self, x: i32, y: i32) -> Option<Control> {
        let ((x, y), layout) = self.screen.on_board(x, y)?;
        match layout.hit_part(x, y) {
            Some(name) => self.session.open.hands.named(name),
            None => self.touched_at(layout, x, y),
        }
    }

    /// Returns the touch panel on the display at a pixel of the face.
    fn touched_at(&self, layout: &Layout, x: i32, y: i32) -> Option<Control> {
        let mut panels = self.session.open.hands.touch_panels();
        let found = panels.find(|(control, display)| {
            let ControlKind::Touch(area) = control.kind() else { return false };
            layout.display(*display, area).is_some_and(|place| place.contains(x, y))
        });
        found.map(|(control, _)| control)
    }

    /// Holds the part at a point of the window; returns `false` if there is none.
    pub(super) fn grip(&mut self, pointer: Pointer, at: (i32, i32)) -> Result<bool, RunError> {
        let Some(control) = self.control_at(at.0, at.1) else { return Ok(false) };
        // The last release of this pointer was not reported.
        self.let_go_of_part(pointer)?;
        if control.kind() == ControlKind::Switch {
            let command = self.session.open.hands.toggle(control);
            self.send_all(command)?;
            return Ok(true);
        }
        let held = &mut self.session.held_parts;
        if held.len() < POINTERS_MAX {
            let waits = (control.kind() != ControlKind::Encoder).then_some(at);
            held.push(HeldPart {
                pointer,
                control,
                from: at,
                turned: 0,
                is_dragged: false,
                waits,
                moved: None,
            });
        }
        self.move_held_parts(false)?;
        Ok(true)
    }

    /// Notes where a pointer that holds a part has moved.
    pub(super) fn drag_part(&mut self, pointer: Pointer, at: (i32, i32)) {
        let mut held = self.session.held_parts.iter_mut();
        if let Some(part) = held.find(|part| part.pointer == pointer) {
            part.waits = Some(at);
        }
    }

    /// Moves the held parts to their pointers, each if its last movement is long enough ago, or all
    /// of them now.
    pub(super) fn move_held_parts(&mut self, now: bool) -> Result<(), RunError> {
        if self.session.held_parts.iter().all(|part| part.waits.is_none()) {
            return Ok(());
        }
        let time = self.session.open.clock.elapsed();
        for at in 0..self.session.held_parts.len() {
            let Some(part) = self.session.held_parts.get_mut(at) else { break };
            let is_due = part.moved.is_none_or(|moved| time.saturating_sub(moved) >= DRAG_PAUSE);
            if !now && !is_due {
                continue;
            }
            let Some(point) = part.waits.take() else { continue };
            part.moved = Some(time);
            let Some(((x, y), layout)) = self.screen.on_board(point.0, point.1) else { continue };
            let hands = &mut self.session.open.hands;
            let control = part.control;
            let command = match control.kind() {
                ControlKind::Encoder => {
                    let up = (part.from.1 - point.1) as f32 * self.screen.pixels_per_point();
                    let turned = (up / (DETENT * layout.unit())) as i32;
                    part.is_dragged |= turned != 0;
                    let by = turned - std::mem::replace(&mut part.turned, turned);
                    hands.turn(control, by, false)
                }
                ControlKind::Potentiometer => {
                    let share = layout.on_slider(control.name(), x);
                    share.and_then(|share| hands.slide(control, share.into()))
                }
                ControlKind::Joystick => {
                    let tilt = layout.on_stick(control.name(), x, y);
                    tilt.and_then(|(right, up)| hands.drag(control, (right.into(), up.into())))
                }
                ControlKind::Switch => None,
                ControlKind::Touch(area) => {
                    let display = hands.touch_panels().find(|(own, _)| *own == control);
                    let place = display.and_then(|(_, display)| layout.display(display, area));
                    place.and_then(|place| hands.touch(control, place.pixel(x, y, area)))
                }
            };
            self.send_all(command)?;
        }
        Ok(())
    }

    /// Lets go of the part that a pointer holds. A click on an encoder turns it by a detent,
    /// towards the side that was clicked.
    pub(super) fn let_go_of_part(&mut self, pointer: Pointer) -> Result<(), RunError> {
        self.move_held_parts(true)?;
        let held = &mut self.session.held_parts;
        let Some(at) = held.iter().position(|part| part.pointer == pointer) else {
            return Ok(());
        };
        let HeldPart { control, from, is_dragged, .. } = held.swap_remove(at);
        let command = match control.kind() {
            ControlKind::Encoder if !is_dragged => {
                let on_board = self.screen.on_board(from.0, from.1);
                let is_right = on_board.is_some_and(|((x, _), layout): ((i32, i32), &Layout)| {
                    layout.is_right_half(control.name(), x)
                });
                let by =
                    if is_right { ControlMove::Clockwise } else { ControlMove::Counterclockwise };
                self.session.open.hands.press(control, by, false)
            }
            ControlKind::Joystick => {
                // Another finger may hold it too.
                let others = self.session.held_parts.iter();
                match others.into_iter().any(|part| part.control == control) {
                    true => None,
                    false => self.session.open.hands.drop(control),
                }
            }
            ControlKind::Touch(_) => {
                let others = self.session.held_parts.iter();
                match others.into_iter().any(|part| part.control == control) {
                    true => None,
                    false => self.session.open.hands.lift(control),
                }
            }
            _ => None,
        };
        self.send_all(command)
    }

    /// Lets go of all parts, and of the joysticks that keys hold.
    pub(super) fn let_go_of_parts(&mut self) -> Result<(), RunError> {
        self.session.held_parts.clear();
        let released = self.session.open.hands.release_all();
        self.send_all(released)
    }

    /// Turns the part at a point of the window with the wheel; returns `false` if there is none
    /// that turns.
    pub(super) fn turn_part(&mut self, turned: i32, (x, y): (i32, i32)) -> Result<bool, RunError> {
        let Some(control) = self.control_at(x, y) else { return Ok(false) };
        if !matches!(control.kind(), ControlKind::Encoder | ControlKind::Potentiometer) {
            return Ok(false);
        }
        let keyboard = self.video.sdl().keyboard();
        let fine = keyboard.mod_state().intersects(Mod::LSHIFTMOD | Mod::RSHIFTMOD);
        let command = self.session.open.hands.turn(control, turned, fine);
        self.send_all(command)?;
        Ok(true)
    }

    /// Makes the movement of a key that goes down, or repeats.
    pub(super) fn move_by_key(
        &mut self,
        control: Control,
        by: ControlMove,
        (fine, repeat): (bool, bool),
    ) -> Result<(), RunError> {
        if repeat && !by.repeats() {
            return Ok(());
        }
        let command = self.session.open.hands.press(control, by, fine);
        self.send_all(command)
    }

    /// Makes the movement of a key that goes up.
    pub(super) fn end_move_by_key(
        &mut self,
        control: Control,
        by: ControlMove,
    ) -> Result<(), RunError> {
        let command = self.session.open.hands.release(control, by);
        self.send_all(command)
    }

    /// Sends commands of the hands, and shows their effect.
    pub(super) fn send_all(
        &mut self,
        commands: impl IntoIterator<Item = live::Command>,
    ) -> Result<(), RunError> {
        for command in commands {
            self.send(command)?;
            self.session.show_parts();
        }
        Ok(())
    }

    /// Says how the part under the pointer is moved, when the pointer comes to it.
    pub(super) fn point_at_part(&mut self, x: i32, y: i32) {
        if self.screen.over().is_some() || !self.session.held_parts.is_empty() {
            return;
        }
        let control = self.control_at(x, y);
        if std::mem::replace(&mut self.session.pointed_part, control) == control {
            return;
        }
        // The display itself shows what a touch does.
        let is_part = |control: &Control| !matches!(control.kind(), ControlKind::Touch(_));
        let Some(control) = control.filter(is_part) else { return };
        let key = |by: &ControlMove| {
            self.keymap.key(KeyAction::Move(control, *by)).map_or_else(String::new, key_name)
        };
        let keys: Vec<String> = ControlMove::of(control.kind()).iter().map(key).collect();
        let how = match control.kind() {
            ControlKind::Encoder => "wheel, drag up and down, or click a side",
            ControlKind::Switch => "click",
            ControlKind::Joystick => "drag",
            ControlKind::Potentiometer => "drag, or wheel",
            ControlKind::Touch(_) => "click, or drag",
        };
        let name = control.name();
        self.session.open.say(format!("{name}: {how}; keys {}", keys.join(" ")));
    }
}
