//! Handles the events of keyboard, mouse, touch and gamepad.

use sdl2::event::{Event, WindowEvent};
use sdl2::keyboard::{Mod, Scancode};
use sdl2::mouse::MouseButton;

use super::error::RunError;
use super::event_loop::{AfterEvent, EventLoop};
use super::held_part::Pointer;
use super::list::List;
use super::screen::Over;
use live::Command;
use live::held_buttons::Holder;
use live::keymap::{Control, Key, KeyAction, Keymap};

/// SDL's mouse ID for mouse events that are generated from touches. The touches are also reported
/// as such.
const TOUCH_MOUSE: u32 = u32::MAX;

/// Type of the event after the user has chosen another keyboard layout, in which keys have other
/// names. The crate `sdl2` has no event for it.
const KEYMAP_CHANGED: u32 = sdl2::sys::SDL_EventType::SDL_KEYMAPCHANGED as u32;

impl EventLoop<'_> {
    pub(super) fn handle(&mut self, event: Event) -> Result<AfterEvent, RunError> {
        match event {
            Event::Quit { .. } => return Ok(AfterEvent::Quit),
            Event::KeyDown { scancode: Some(scancode), keymod, repeat, .. } => {
                self.key_down(scancode, keymod, repeat)?;
            }
            Event::KeyUp { scancode: Some(scancode), .. } => match action(&self.keymap, scancode) {
                Some(KeyAction::Press(button)) => self.let_go(button, Holder::Key)?,
                Some(KeyAction::Move(control, by)) => self.end_move_by_key(control, by)?,
                Some(KeyAction::Control(Control::FastForward)) => self.fast_forward(false)?,
                _ => {}
            },
            Event::TextInput { text, .. } if self.types() => self.type_text(&text)?,
            Event::MouseButtonDown { mouse_btn: MouseButton::Left, which, x, y, .. }
                if which != TOUCH_MOUSE =>
            {
                let sticky = sdl2_modifiers(self).intersects(Mod::LCTRLMOD | Mod::RCTRLMOD);
                self.point_down((x, y), (Holder::Mouse, Pointer::Mouse), sticky)?;
            }
            Event::MouseMotion { x, y, which, .. } => {
                if self.session.drags {
                    self.drag(x, y)?;
                }
                if which != TOUCH_MOUSE {
                    self.point_at(x, y);
                    self.drag_part(Pointer::Mouse, (x, y));
                    self.point_at_part(x, y);
                }
            }
            Event::MouseWheel { x: across, y: turned, mouse_x, mouse_y, .. } => {
                if let Some((_, true)) = self.screen.on_strip(mouse_x, mouse_y) {
                    self.turn_wheel((across, turned), (mouse_x, mouse_y));
                } else if self.screen.over().is_none()
                    && self.turn_part(turned, (mouse_x, mouse_y))?
                {
                    // Nothing else is turned.
                } else if self.screen.shown().pane {
                    self.wheel(turned)?;
                }
            }
            Event::Window { win_event: WindowEvent::Leave, .. } => {
                self.session.footer.pointed = None;
                self.screen.expose();
            }
            // The pointer may be outside the window: SDL captures the mouse.
            Event::MouseButtonUp { mouse_btn: MouseButton::Left, which, .. }
                if which != TOUCH_MOUSE =>
            {
                self.session.drags = false;
                let released: Vec<_> = self.session.open.held.release_mouse().collect();
                for button in released {
                    self.send(Command::Release(button))?;
                }
                self.let_go_of_part(Pointer::Mouse)?;
            }
            Event::FingerDown { touch_id, finger_id, x, y, .. } => {
                let (x, y) = self.point_of(x, y);
                let pointer = Pointer::Finger((touch_id, finger_id));
                self.point_down((x, y), (Holder::Touch, pointer), false)?;
                let under = self.screen.on_board(x, y);
                let under = under.and_then(|((x, y), layout)| layout.hit(x, y));
                if let Some(button) =
                    under.filter(|button| self.session.open.held.holds(*button, Holder::Touch))
                {
                    self.session.fingers.down((touch_id, finger_id), button);
                }
            }
            Event::FingerMotion { touch_id, finger_id, x, y, .. } => {
                let (x, y) = self.point_of(x, y);
                if self.session.drags {
                    self.drag(x, y)?;
                }
                self.drag_part(Pointer::Finger((touch_id, finger_id)), (x, y));
            }
            Event::FingerUp { touch_id, finger_id, .. } => {
                self.session.drags = false;
                if let Some(button) = self.session.fingers.up((touch_id, finger_id)) {
                    self.let_go(button, Holder::Touch)?;
                }
                self.let_go_of_part(Pointer::Finger((touch_id, finger_id)))?;
            }
            Event::ControllerDeviceAdded { which, .. } => self.gamepads.open(which),
            Event::ControllerDeviceRemoved { which, .. } => self.gamepads.close(which),
            Event::ControllerButtonDown { button, .. } => match self.pads.action(button) {
                Some(KeyAction::Press(button)) => self.hold(button, Holder::Gamepad)?,
                Some(KeyAction::Control(control)) => self.control(control, false, 0)?,
                Some(KeyAction::Move(..)) | None => {}
            },
            Event::ControllerButtonUp { button, .. } => {
                if let Some(KeyAction::Press(button)) = self.pads.action(button) {
                    self.let_go(button, Holder::Gamepad)?;
                }
            }
            Event::DropFile { filename, .. } => self.drop_file(filename.into()),
            Event::Window {
                win_event: WindowEvent::FocusLost | WindowEvent::Minimized, ..
            } => {
                self.session.drags = false;
                self.fast_forward(false)?;
                self.release_all()?;
            }
            Event::Window { .. } => self.screen.expose(),
            Event::RenderTargetsReset { .. } | Event::RenderDeviceReset { .. } => {
                self.screen.redraw().map_err(RunError::Window)?;
            }
            Event::Unknown { type_: KEYMAP_CHANGED, .. } => self.rename_keys()?,
            _ => {}
        }
        Ok(AfterEvent::Continue)
    }

    /// Notes the point of the strip that the pointer is on.
    fn point_at(&mut self, x: i32, y: i32) {
        let on_strip = self.screen.on_strip(x, y).filter(|(_, is_on)| *is_on || self.session.drags);
        let is_covered = self.screen.over().is_some();
        self.session.footer.pointed = on_strip.filter(|_| !is_covered).map(|(column, _)| column);
    }

    /// Zooms the strip around the pointer, or moves the part that it shows.
    fn turn_wheel(&mut self, (across, turned): (i32, i32), (x, y): (i32, i32)) {
        let Some((column, true)) = self.screen.on_strip(x, y) else { return };
        let moves = sdl2_modifiers(self).intersects(Mod::LSHIFTMOD | Mod::RSHIFTMOD);
        let footer = &mut self.session.footer;
        let (visible, now) = (footer.visible(), footer.now);
        let steps = if moves { across - turned } else { across };
        if steps != 0 && footer.span.is_some() {
            footer.span = Some(visible.moved(steps.clamp(-10, 10), now));
        }
        if !moves && turned != 0 {
            let fixed = self.screen.footer().time_at(column, visible);
            footer.span = visible.zoomed(fixed, turned > 0, now);
        }
    }

    /// Releases all buttons and joysticks.
    pub(super) fn release_all(&mut self) -> Result<(), RunError> {
        let released: Vec<_> = self.session.open.held.release_all().collect();
        released.into_iter().try_for_each(|button| self.send(Command::Release(button)))?;
        self.let_go_of_parts()
    }

    fn key_down(&mut self, scancode: Scancode, keymod: Mod, repeat: bool) -> Result<(), RunError> {
        self.session.repeats = if repeat { self.session.repeats.saturating_add(1) } else { 0 };
        if self.types() && self.typing_key(scancode, keymod)? {
            return Ok(());
        }
        // A key combination of the desktop or of habit, such as Ctrl+C, is no press of a button.
        if is_chord(&self.keymap, scancode, keymod) {
            return Ok(());
        }
        if self.session.remap.is_some() {
            return if repeat { Ok(()) } else { self.remap_key(scancode) };
        }
        let action = action(&self.keymap, scancode);
        if let Some(Over::List(list, ..)) = self.screen.over() {
            let shows = match list {
                List::Branches => Control::Branches,
                List::Recent => Control::Recent,
            };
            if action != Some(KeyAction::Control(shows)) {
                return self.key_in_list(scancode);
            }
        }
        let fine = keymod.intersects(Mod::LSHIFTMOD | Mod::RSHIFTMOD);
        match action {
            // The button that it would press is not visible.
            Some(action) if self.screen.over().is_some() && presses(action) => Ok(()),
            Some(KeyAction::Press(button)) if !repeat => self.hold(button, Holder::Key),
            Some(KeyAction::Move(control, by)) => self.move_by_key(control, by, (fine, repeat)),
            Some(KeyAction::Control(Control::FastForward)) => self.fast_forward(true),
            Some(KeyAction::Control(control)) => self.control(control, fine, self.session.repeats),
            _ => Ok(()),
        }
    }

    /// Handles the left button of the mouse, or a finger, going down on a point of the window.
    fn point_down(
        &mut self,
        (x, y): (i32, i32),
        (holder, pointer): (Holder, Pointer),
        sticky: bool,
    ) -> Result<(), RunError> {
        if let Some(Over::List(list, rows, chosen)) = self.screen.over() {
            let (list, extent) = (*list, (rows.len(), *chosen));
            return self.click_on_list(list, y, extent);
        }
        if self.screen.over().is_some() {
            return self.screen.set_over(None).map_err(RunError::Window);
        }
        if self.screen.is_on_pane(x, y) {
            return self.begin_typing();
        }
        if self.types() {
            self.end_typing()?;
        }
        if let Some((_, true)) = self.screen.on_strip(x, y) {
            self.session.drags = true;
            return self.drag(x, y);
        }
        if self.grip(pointer, (x, y))? {
            return Ok(());
        }
        let Some(((x, y), layout)) = self.screen.on_board(x, y) else { return Ok(()) };
        let (button, control) = (layout.hit(x, y), layout.hit_control(x, y));
        match (button, control) {
            (Some(button), _) if sticky => {
                if self.session.open.held.holds(button, Holder::Sticky) {
                    self.let_go(button, Holder::Sticky)
                } else {
                    self.hold(button, Holder::Sticky)
                }
            }
            (Some(button), _) => {
                // A click ends a hold that was begun with Ctrl.
                self.hold(button, holder)?;
                self.let_go(button, Holder::Sticky)
            }
            (None, Some(KeyAction::Control(control))) => self.control(control, false, 0),
            _ => Ok(()),
        }
    }

    /// Shows the time under a point of the strip.
    fn drag(&mut self, x: i32, y: i32) -> Result<(), RunError> {
        let Some((column, _)) = self.screen.on_strip(x, y) else { return Ok(()) };
        let now = self.session.footer.now;
        let at = self.screen.footer().time_at(column, self.session.footer.visible());
        self.send(if at >= now { Command::Now } else { Command::Look(at) })
    }

    /// Converts a touch, in shares of the window, to a point of it.
    fn point_of(&mut self, x: f32, y: f32) -> (i32, i32) {
        let (width, height) = self.screen.window().size();
        ((x * width as f32) as i32, (y * height as f32) as i32)
    }

    pub(super) fn hold(&mut self, button: trace::Button, holder: Holder) -> Result<(), RunError> {
        self.session.open.hold(button, holder).map_or(Ok(()), |command| self.send(command))
    }

    pub(super) fn let_go(&mut self, button: trace::Button, holder: Holder) -> Result<(), RunError> {
        self.session.open.let_go(button, holder).map_or(Ok(()), |command| self.send(command))
    }
}

/// Returns whether an action moves a button or another control of the board.
fn presses(action: KeyAction) -> bool {
    match action {
        KeyAction::Press(_) | KeyAction::Move(..) => true,
        KeyAction::Control(control) => {
            matches!(control, Control::Undo | Control::Help | Control::HoldReset)
        }
    }
}

fn sdl2_modifiers(session: &EventLoop<'_>) -> Mod {
    session.video.sdl().keyboard().mod_state()
}

fn action(keymap: &Keymap, scancode: Scancode) -> Option<KeyAction> {
    let usage = u16::try_from(scancode as i32).ok()?;
    keymap.action(Key::from_usage(usage)?)
}

/// Returns whether a key goes down while Ctrl, Alt or GUI is held. If the key map uses one of
/// those, it is a key like any other.
fn is_chord(keymap: &Keymap, scancode: Scancode, keymod: Mod) -> bool {
    let modifiers = [
        (Mod::LCTRLMOD, Scancode::LCtrl),
        (Mod::RCTRLMOD, Scancode::RCtrl),
        (Mod::LALTMOD, Scancode::LAlt),
        (Mod::RALTMOD, Scancode::RAlt),
        (Mod::LGUIMOD, Scancode::LGui),
        (Mod::RGUIMOD, Scancode::RGui),
    ];
    modifiers
        .into_iter()
        .any(|(bit, key)| keymod.contains(bit) && key != scancode && action(keymap, key).is_none())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_modifier_makes_a_chord_unless_the_map_uses_it() {
        let map = Keymap::default();
        for held in [Mod::LCTRLMOD, Mod::RALTMOD, Mod::LGUIMOD] {
            assert!(is_chord(&map, Scancode::C, held));
        }
        assert!(!is_chord(&map, Scancode::C, Mod::LSHIFTMOD | Mod::NUMMOD | Mod::CAPSMOD));
        let text = map.to_string().replace("B1 = Z", "B1 = Left Ctrl");
        let map = Keymap::parse("my.keys", &text).unwrap();
        assert!(!is_chord(&map, Scancode::C, Mod::LCTRLMOD));
        assert!(is_chord(&map, Scancode::C, Mod::RCTRLMOD));
        assert!(!is_chord(&map, Scancode::LCtrl, Mod::LCTRLMOD));
    }
}
