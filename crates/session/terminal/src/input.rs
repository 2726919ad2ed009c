//! Handles keys, clicks and changes of size.

use std::sync::atomic::Ordering;

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
            if let Some(KeyAction::Press(button)) = action {
                self.let_go(button, Holder::Key)?;
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
        match action {
            Some(KeyAction::Press(_)) if repeat => {}
            Some(KeyAction::Press(button)) => self.press_key(button)?,
            Some(KeyAction::Control(control)) => {
                self.control(control, modifiers.contains(KeyModifiers::SHIFT), repeat)?;
            }
            None if repeat => {}
            None if found.is_some() && found == self.sticky => {
                self.sticky_next = !self.sticky_next;
            }
            None if code == KeyCode::Enter => self.control(Control::Theme, false, false)?,
            None if code == KeyCode::Char('?') => self.show_help(),
            None => {}
        }
        Ok(AfterEvent::Continue)
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
            _ => {}
        }
        AfterEvent::Continue
    }

    fn press_key(&mut self, button: Button) -> Result<(), TerminalError> {
        if std::mem::take(&mut self.sticky_next) {
            return self.toggle_sticky(button);
        }
        self.hold(button, Holder::Key)?;
        if !self.screen.answers.keyboard && cfg!(not(windows)) {
            self.holds.press(button, self.session.clock.elapsed());
        }
        // A press ends a hold of the sticky key.
        self.let_go(button, Holder::Sticky)
    }

    fn mouse(&mut self, event: MouseEvent) -> Result<(), TerminalError> {
        let MouseEvent { kind, column, row, modifiers } = event;
        match kind {
            MouseEventKind::Down(_) if self.view.help.is_some() => {
                self.view.help = None;
                self.redraw = true;
            }
            MouseEventKind::Down(pressed) => {
                let Some(button) = self.layout.and_then(|layout| layout.hit(column, row)) else {
                    let pane = self.layout.and_then(|layout| layout.pane);
                    let is_on_pane = pane.is_some_and(|pane| pane.contains((column, row).into()));
                    return if is_on_pane { self.begin_typing() } else { Ok(()) };
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
            MouseEventKind::ScrollUp => self.scroll_console(-WHEEL),
            MouseEventKind::ScrollDown => self.scroll_console(WHEEL),
            MouseEventKind::Up(_) => {
                let released: Vec<_> = self.session.held.release_mouse().collect();
                for button in released {
                    self.send(Command::Release(button))?;
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn toggle_sticky(&mut self, button: Button) -> Result<(), TerminalError> {
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

    /// Releases the keys whose hold has expired.
    pub(super) fn release_due(&mut self) -> Result<(), TerminalError> {
        let due: Vec<_> = self.holds.released(self.session.clock.elapsed()).collect();
        due.into_iter().try_for_each(|button| self.let_go(button, Holder::Key))
    }

    /// Releases all buttons, also those that the sticky key holds.
    pub(super) fn release_all(&mut self) -> Result<(), TerminalError> {
        self.holds.clear();
        self.sticky_next = false;
        let released: Vec<_> = self.session.held.release_all().collect();
        released.into_iter().try_for_each(|button| self.send(Command::Release(button)))
    }

    /// Shows the list of keys.
    pub(super) fn show_help(&mut self) {
        let reports = self.screen.answers.keyboard || cfg!(windows);
        let rows = help_rows(&self.keymap, self.sticky, reports);
        self.view.help = Some(("Keys".to_owned(), rows));
    }
}
