//! The list of keys and their actions in a terminal. Some controls exist only in the window. This
//! module knows no session.

use live::keymap::{Control, Key, KeyAction, Keymap, button_rows};

/// Returns the rows of the list of keys: those of the map, and those of the terminal.
pub fn help_rows(
    keymap: &Keymap,
    sticky: Option<Key>,
    reports_releases: bool,
) -> Vec<(String, String)> {
    let row = |name: &str, what: &str| (name.to_owned(), what.to_owned());
    let mut rows = button_rows(|button| keymap.key(KeyAction::Press(button)).name().to_owned());
    rows.extend(Control::all().filter_map(|control| {
        let name = keymap.key(KeyAction::Control(control)).name();
        what(control).map(|what| row(name, what))
    }));
    if let Some(key) = sticky {
        let what = "holds the next button down";
        rows.push(row(key.name(), what));
    }
    rows.push(row("mouse", "presses; its right button holds"));
    if !reports_releases {
        rows.push(row("", "a press lasts 0.12 s here, of RESET 0.75 s"));
    }
    rows.push(row("Ctrl-L", "draw all again"));
    rows.push(row("Ctrl-Z", "suspend"));
    rows.push(row("Ctrl-C", "quit"));
    rows
}

/// Returns the action of `control` in a terminal; `None` if it has none.
pub fn what(control: Control) -> Option<&'static str> {
    match control {
        Control::Mute
        | Control::Louder
        | Control::Quieter
        | Control::FullScreen
        | Control::Change => None,
        Control::Bare => Some("the LCD without the pane, or with it"),
        Control::Console => Some("the pane has its room before the LCD, or what is left"),
        Control::Theme => Some("the LCD's text, or its picture; so does Enter"),
        Control::Text => Some("copy the LCD's text, if the terminal permits it (OSC 52)"),
        _ => Some(control.what()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_has_every_key_that_does_something() {
        let rows = help_rows(&Keymap::default(), Key::from_name("Tab"), true);
        let names: Vec<&str> = rows.iter().map(|(name, _)| name.as_str()).collect();
        for name in ["Q W E R T Y", "Space", "P", "Left", "F6", "Tab", "Ctrl-C"] {
            assert!(names.contains(&name), "{name} {names:?}");
        }
        // The terminal has no sound, no full screen and no other firmware.
        assert!(!["M", "F11", "D"].iter().any(|name| names.contains(name)), "{names:?}");
    }
}
