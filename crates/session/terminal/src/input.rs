//! Handles keys, clicks and changes of size.

use std::sync::atomic::Ordering;
use std::time::Duration;

use live::Command;
use live::held_buttons::Holder;
use live::keymap::{Control, KeyAction};
use ratatui_crossterm::crossterm::event::{
    Event, KeyCode, KeyEvent, KeyEventKind, KeyEventState, KeyModifiers, MouseButton, MouseEvent,
    MouseEventKind,
};
use trace::Button;

use super::error::TerminalError;
use super::event_loop::{AfterEvent, EventLoop};
use super::help::help_rows;
use super::holds::{HOLD, HeldKey};
use super::keys::key;

/// Number of lines that the mouse wheel scrolls.
const WHEEL: isize = 3;

impl EventLoop {
    /// Handles an event.
    pub(super) fn handle(&mut self, event: Event) -> Result<AfterEvent, TerminalError> {
        match event {
            Event::Key(key) => return self.key(key),
            Event::Mouse(mouse) => self.mouse(mouse)?,
            // Releases would go to another window.
            Event::FocusLost => self.release_all()?,
            Event::Resize(..) => self.redraw = true,
            Event::Paste(text) if self.console.typed().is_some() => self.type_text(&text)?,
            Event::FocusGained | Event::Paste(_) => {}
        }
        Ok(AfterEvent::Continue)
    }

    fn key(&mut self, event: KeyEvent) -> Result<AfterEvent, TerminalError> {
        let KeyEvent { code, modifiers, kind, state } = event;
        let found = key(code, modifiers, state.contains(KeyEventState::KEYPAD));
        let action = found.and_then(|key| self.keymap.action(key));
        if kind == KeyEventKind::Release {
            match action {
                Some(KeyAction::Press(button)) => self.let_go(button, Holder::Key)?,
                Some(KeyAction::Move(control, by)) => self.end_move_by_key(control, by)?,
                Some(KeyAction::Control(Control::FastForward)) => self.fast_forward(false)?,
                _ => {}
            }
            return Ok(AfterEvent::Continue);
        }
        if self.console.typed().is_some() && self.typing_key(code, modifiers)? {
            return Ok(AfterEvent::Continue);
        }
        // A modifier that is a key of the map is not treated as a key combination.
        let is_modifier = matches!(code, KeyCode::Modifier(_));
        let chord = KeyModifiers::CONTROL | KeyModifiers::ALT | KeyModifiers::SUPER;
        if modifiers.intersects(chord) && !is_modifier {
            return Ok(self.chord(code, modifiers));
        }
        let repeat = kind == KeyEventKind::Repeat;
        if self.view.help.is_some() {
            // The key that closes the list does nothing else.
            if !is_modifier && !repeat {
                self.view.help = None;
                self.redraw = true;
            }
            return Ok(AfterEvent::Continue);
        }
        if let Some(chosen) = self.view.chosen {
            if !is_modifier {
                self.key_in_branches(code, chosen, action)?;
            }
            return Ok(AfterEvent::Continue);
        }
        match action {
            Some(KeyAction::Press(_)) if repeat => {}
            Some(KeyAction::Press(button)) => self.press_key(button)?,
            Some(KeyAction::Move(control, by)) => {
                let fine = modifiers.contains(KeyModifiers::SHIFT);
                self.move_by_key(control, by, (fine, repeat))?;
            }
            Some(KeyAction::Control(Control::FastForward)) => {
                self.fast_forward(true)?;
                self.hold_for_a_time(HeldKey::FastForward);
            }
            Some(KeyAction::Control(control)) => {
                let repeats = self.repeats(control, repeat);
                self.control(control, modifiers.contains(KeyModifiers::SHIFT), repeats)?;
            }
            None if repeat => {}
            None if found.is_some() && found == self.sticky => {
                self.sticky_next = !self.sticky_next;
            }
            None if code == KeyCode::Enter => self.control(Control::Theme, false, 0)?,
            None if code == KeyCode::Char('?') => self.show_help(),
            None => {}
        }
        Ok(AfterEvent::Continue)
    }

    /// Counts the repetitions of a held control. A terminal that reports no releases reports a
    /// repetition as a press, soon after the one before.
    fn repeats(&mut self, control: Control, repeat: bool) -> u32 {
        let soon = |(last, at, _): &(Control, Duration, u32)| {
            *last == control && (repeat || self.made.saturating_sub(*at) < HOLD)
        };
        let before = self.repeated.filter(soon).map(|(.., count)| count);
        let count = before.map_or(0, |count| count.saturating_add(1));
        self.repeated = Some((control, self.made, count));
        // The first repetition comes later than that.
        if repeat { count.max(1) } else { count }
    }

    /// Handles a key while the list of branches is shown.
    fn key_in_branches(
        &mut self,
        code: KeyCode,
        chosen: usize,
        action: Option<KeyAction>,
    ) -> Result<(), TerminalError> {
        let last = self.view.branches.len().saturating_sub(1);
        let branch = self.view.branches.get(chosen).map(|branch| branch.number);
        self.view.chosen = match code {
            KeyCode::Up => Some(chosen.saturating_sub(1)),
            KeyCode::Down => Some((chosen + 1).min(last)),
            KeyCode::Enter => {
                if let Some(number) = branch {
                    self.send(Command::GoTo(number))?;
                }
                None
            }
            KeyCode::Esc => None,
            _ if action == Some(KeyAction::Control(Control::Branches)) => None,
            _ => Some(chosen),
        };
        self.redraw = true;
        Ok(())
    }

    /// Handles a key with Ctrl, Alt or the GUI key. None of these combinations is a button or a
    /// control.
    fn chord(&mut self, code: KeyCode, modifiers: KeyModifiers) -> AfterEvent {
        if !modifiers.contains(KeyModifiers::CONTROL) {
            return AfterEvent::Continue;
        }
        match code {
            KeyCode::Char('c' | 'C' | 'q' | 'Q') => return AfterEvent::Quit,
            KeyCode::Char('z' | 'Z') => self.suspend.store(true, Ordering::Relaxed),
            KeyCode::Char('l' | 'L') => self.redraw = true,
            KeyCode::Char('d' | 'D') => self.show_next_display(),
            _ => {}
        }
        AfterEvent::Continue
    }

    fn press_key(&mut self, button: Button) -> Result<(), TerminalError> {
        if std::mem::take(&mut self.sticky_next) {
            return self.toggle_sticky(button);
        }
        self.hold(button, Holder::Key)?;
        self.hold_for_a_time(HeldKey::Button(button));
        // A press ends a hold of the sticky key.
        self.let_go(button, Holder::Sticky)
    }

    /// Limits the hold of a key if the terminal does not report its release.
    pub(super) fn hold_for_a_time(&mut self, key: HeldKey) {
        if !self.screen.answers.keyboard && cfg!(not(windows)) {
            self.holds.press(key, self.made);
        }
    }

    /// Starts or ends fast-forward, whose key went down or up.
    fn fast_forward(&mut self, on: bool) -> Result<(), TerminalError> {
        if std::mem::replace(&mut self.fast, on) == on {
            return Ok(());
        }
        self.send(Command::FastForward(on))
    }

    fn mouse(&mut self, event: MouseEvent) -> Result<(), TerminalError> {
        let MouseEvent { kind, column, row, modifiers } = event;
        match kind {
            MouseEventKind::Down(_) if self.view.help.is_some() || self.view.chosen.is_some() => {
                (self.view.help, self.view.chosen) = (None, None);
                self.redraw = true;
            }
            MouseEventKind::Down(pressed) => {
                let layout = self.layout.as_ref();
                let buttons = &self.view.buttons;
                let Some(button) = layout.and_then(|layout| layout.hit(column, row, buttons))
                else {
                    let pane = layout.and_then(|layout| layout.pane);
                    let is_on_pane = pane.is_some_and(|pane| pane.contains((column, row).into()));
                    return match self.press_control(column, row)? {
                        false if is_on_pane => self.begin_typing(),
                        _ => Ok(()),
                    };
                };
                let sticky = pressed != MouseButton::Left
                    || modifiers.contains(KeyModifiers::CONTROL)
                    || std::mem::take(&mut self.sticky_next);
                if sticky {
                    return self.toggle_sticky(button);
                }
                self.hold(button, Holder::Mouse)?;
                self.let_go(button, Holder::Sticky)?;
            }
            MouseEventKind::ScrollUp | MouseEventKind::ScrollDown => {
                let steps = if kind == MouseEventKind::ScrollUp { 1 } else { -1 };
                let fine = modifiers.contains(KeyModifiers::SHIFT);
                let is_covered = self.view.help.is_some() || self.view.chosen.is_some();
                if is_covered || !self.turn_control(steps, (column, row), fine)? {
                    self.scroll_console(-WHEEL * steps as isize);
                }
            }
            MouseEventKind::Drag(_) => self.drag_control(column, row)?,
            MouseEventKind::Up(_) => {
                let released: Vec<_> = self.session.held.release_mouse().collect();
                for button in released {
                    self.send(Command::Release(button))?;
                }
                self.release_control()?;
            }
            _ => {}
        }
        Ok(())
    }

    pub(super) fn toggle_sticky(&mut self, button: Button) -> Result<(), TerminalError> {
        if self.session.held.holds(button, Holder::Sticky) {
            self.let_go(button, Holder::Sticky)
        } else {
            self.hold(button, Holder::Sticky)
        }
    }

    fn hold(&mut self, button: Button, holder: Holder) -> Result<(), TerminalError> {
        self.session.hold(button, holder).map_or(Ok(()), |command| self.send(command))
    }

    fn let_go(&mut self, button: Button, holder: Holder) -> Result<(), TerminalError> {
        self.session.let_go(button, holder).map_or(Ok(()), |command| self.send(command))
    }

    /// Releases the keys whose hold has expired at `now`, each when it did.
    pub(super) fn release_due(&mut self, now: Duration) -> Result<(), TerminalError> {
        for (key, due) in self.holds.released(now) {
            self.made = due;
            match key {
                HeldKey::Button(button) => self.let_go(button, Holder::Key)?,
                HeldKey::Move(control, by) => self.end_move_by_key(control, by)?,
                HeldKey::FastForward => self.fast_forward(false)?,
            }
        }
        Ok(())
    }

    /// Releases all buttons, also those that the sticky key holds, and all joysticks.
    pub(super) fn release_all(&mut self) -> Result<(), TerminalError> {
        self.holds.clear();
        self.sticky_next = false;
        self.fast_forward(false)?;
        let released: Vec<_> = self.session.held.release_all().collect();
        released.into_iter().try_for_each(|button| self.send(Command::Release(button)))?;
        self.held_stick = None;
        let released = self.session.hands.release_all();
        self.send_all(released)
    }

    /// Shows the list of keys.
    pub(super) fn show_help(&mut self) {
        let reports = self.screen.answers.keyboard || cfg!(windows);
        let rows = help_rows(&self.keymap, self.sticky, reports);
        self.view.help = Some(("Keys".to_owned(), rows));
    }
}
