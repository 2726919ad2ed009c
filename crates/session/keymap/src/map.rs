//! The key of each action, and the key maps of boards.

use core::fmt;

use trace::{Button, Control as BoardControl, ControlKind};

use super::action::{Control, KeyAction};
use super::control_move::ControlMove;
use super::key::Key;

/// Keys that an action of a described board gets if its own key is taken or not named, in this
/// order: those that are easy to reach first.
const SPARE_KEYS: [&str; 30] = [
    "Z", "X", "C", "V", "B", "N", "Q", "W", "E", "R", "T", "Y", "A", "S", "G", "J", "1", "2", "3",
    "4", "5", "6", "7", "8", "9", "0", "Space", "Return", "Tab", "Insert",
];

/// Keys of controls without a suggestion, which are next to each other: of each set whose keys are
/// free, the first.
const PAIRS: [[&str; 2]; 8] = [
    ["[", "]"],
    [";", "'"],
    [",", "/"],
    ["9", "0"],
    ["7", "8"],
    ["5", "6"],
    ["3", "4"],
    ["1", "2"],
];
/// The same for joysticks: left, right, up, down.
const CROSSES: [[&str; 4]; 3] =
    [["H", "K", "U", "J"], ["A", "D", "W", "S"], ["Keypad 4", "Keypad 6", "Keypad 8", "Keypad 2"]];

/// Returns the usual keys for a control of this kind, if there are any that are not `taken`.
fn usual_keys(kind: ControlKind, taken: &[Key]) -> Option<Vec<Key>> {
    let sets: Vec<&[&str]> = match kind {
        ControlKind::Encoder | ControlKind::Potentiometer => {
            PAIRS.iter().map(<[&str; 2]>::as_slice).collect()
        }
        ControlKind::Joystick => CROSSES.iter().map(<[&str; 4]>::as_slice).collect(),
        ControlKind::Switch | ControlKind::Touch(_) => Vec::new(),
    };
    let keys = |set: &[&str]| set.iter().filter_map(|name| Key::from_name(name)).collect();
    let mut sets = sets.into_iter().map(keys);
    sets.find(|keys: &Vec<Key>| keys.iter().all(|key| !taken.contains(key)))
}

/// A key for every action of a board; no key has two actions. A board with very many buttons may have
/// buttons without a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Keymap {
    /// The buttons in pin order, the board's other controls, then those of the window.
    pub(super) keys: Vec<(KeyAction, Option<Key>)>,
}

/// The default in `docs/keymap.md`, for the LCD board: the two letter rows are two rows of buttons.
impl Default for Keymap {
    fn default() -> Self {
        // All default keys are in the table of keys, which a test checks. A is the fallback for a
        // missing one.
        let key = |action: KeyAction| Key::from_name(action.default_key()).unwrap_or(Key::A);
        Self { keys: KeyAction::all().map(|action| (action, Some(key(action)))).collect() }
    }
}

impl Keymap {
    /// Returns the default key map of another board without encoders, switches, joysticks and
    /// potentiometers, as [`of_board`](Self::of_board) does.
    pub fn of_buttons(buttons: impl IntoIterator<Item = (Button, Option<Key>)>) -> Self {
        Self::of_board(buttons, [])
    }

    /// Returns the default key map of another board, with its buttons in pin order, its other
    /// controls, and the keys that its file suggests. What has no suggestion gets a key that is
    /// free, and so does a control of the window whose default key the file gives to another
    /// action. Controls that press RESET do not exist. A button for which no key is left has none;
    /// any other action for which no key is left is left out.
    pub fn of_board(
        buttons: impl IntoIterator<Item = (Button, Option<Key>)>,
        controls: impl IntoIterator<Item = (BoardControl, Vec<Key>)>,
    ) -> Self {
        let mut actions: Vec<(KeyAction, Option<Key>)> = Vec::new();
        let mut add = |action: KeyAction, suggested: Option<Key>| {
            let is_taken = actions.iter().any(|(_, key)| key.is_some() && *key == suggested);
            actions.push((action, suggested.filter(|_| !is_taken)));
        };
        for (button, suggested) in buttons {
            add(KeyAction::Press(button), suggested);
        }
        let mut without = Vec::new();
        for (control, keys) in controls {
            for (at, by) in ControlMove::of(control.kind()).iter().enumerate() {
                add(KeyAction::Move(control, *by), keys.get(at).copied());
            }
            if keys.is_empty() {
                without.push(control);
            }
        }
        let window = Control::all().filter(|control| !control.needs_reset());
        let window: Vec<KeyAction> = window.map(KeyAction::Control).collect();
        let default = |action: &KeyAction| Key::from_name(action.default_key());
        // The window's controls keep their keys unless the file gives them to another action.
        let named: Vec<Key> = actions.iter().filter_map(|(_, key)| *key).collect();
        let free = |action: &KeyAction| default(action).filter(|key| !named.contains(key));
        actions.extend(window.iter().map(|action| (*action, free(action))));
        let mut taken: Vec<Key> = actions.iter().filter_map(|(_, key)| *key).collect();
        for control in without {
            let Some(usual) = usual_keys(control.kind(), &taken) else { continue };
            for (by, usual) in ControlMove::of(control.kind()).iter().zip(usual) {
                let action = KeyAction::Move(control, *by);
                if let Some((_, key)) = actions.iter_mut().find(|(own, _)| *own == action) {
                    *key = Some(usual);
                    taken.push(usual);
                }
            }
        }
        let spare = SPARE_KEYS.into_iter().filter_map(Key::from_name).chain(Key::all());
        let mut spare = spare.filter(|key| !taken.contains(key));
        let mut given: Vec<Key> = Vec::new();
        let keys = actions.into_iter().filter_map(|(action, key)| {
            let key = key.or_else(|| spare.find(|key| !given.contains(key)));
            given.extend(key);
            let exists = key.is_some() || matches!(action, KeyAction::Press(_));
            exists.then_some((action, key))
        });
        Self { keys: keys.collect() }
    }

    /// Returns all actions: the buttons in pin order, the board's other controls, then those of the
    /// window.
    pub fn actions(&self) -> impl Iterator<Item = KeyAction> + '_ {
        self.keys.iter().map(|(action, _)| *action)
    }

    /// Returns the buttons of the board, in pin order.
    pub fn buttons(&self) -> Vec<Button> {
        let button = |action| match action {
            KeyAction::Press(button) => Some(button),
            KeyAction::Move(..) | KeyAction::Control(_) => None,
        };
        self.actions().filter_map(button).collect()
    }

    /// Returns the board's controls besides its buttons, in the order of its file.
    pub fn board_controls(&self) -> Vec<BoardControl> {
        let mut controls: Vec<BoardControl> = Vec::new();
        for action in self.actions() {
            if let KeyAction::Move(control, _) = action
                && !controls.contains(&control)
            {
                controls.push(control);
            }
        }
        controls
    }

    /// Returns the window's controls that exist, in the order of the list that F1 shows.
    pub fn controls(&self) -> impl Iterator<Item = Control> + '_ {
        self.actions().filter_map(|action| match action {
            KeyAction::Press(_) | KeyAction::Move(..) => None,
            KeyAction::Control(control) => Some(control),
        })
    }

    /// Returns the action named `name`, ignoring case. A button has priority over a control of the
    /// same name.
    pub fn named(&self, name: &str) -> Option<KeyAction> {
        self.actions().find(|action| action.name().eq_ignore_ascii_case(name))
    }

    /// Returns the action of `key`, if it has one.
    pub fn action(&self, key: Key) -> Option<KeyAction> {
        self.keys.iter().find(|(_, own)| *own == Some(key)).map(|(action, _)| *action)
    }

    /// Gives `action` the key `key`. If another action has it, that one gets the former key of
    /// `action` and is returned. An action that the board does not have gets no key.
    pub fn assign(&mut self, action: KeyAction, key: Key) -> Option<KeyAction> {
        let other = self.action(key).filter(|other| *other != action);
        let (_, own) = self.keys.iter_mut().find(|(own, _)| *own == action)?;
        let former = own.replace(key);
        let exchanged = self.keys.iter_mut().find(|(own, _)| Some(*own) == other);
        if let Some((_, own)) = exchanged {
            *own = former;
        }
        other
    }

    /// Returns the key for `action`; `None` if the board does not have the action, or no key is left
    /// for it.
    pub fn key(&self, action: KeyAction) -> Option<Key> {
        self.keys.iter().find(|(own, _)| *own == action).and_then(|(_, key)| *key)
    }

    /// Returns the name of the key for `action`; empty if it has none.
    pub fn key_name(&self, action: KeyAction) -> &'static str {
        self.key(action).map_or("", Key::name)
    }
}

/// Writes a key map file that can be parsed again: a line for each action that has a key, controls
/// included. A control whose name is that of a button has no line.
impl fmt::Display for Keymap {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (action, key) in &self.keys {
            if let Some(key) = key
                && self.named(&action.name()) == Some(*action)
            {
                writeln!(out, "{} = {key}", action.name())?;
            }
        }
        Ok(())
    }
}
