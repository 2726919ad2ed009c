//! The list of keys and their actions in a terminal. Some controls exist only in the window. This
//! module knows no session.

use live::keymap::{Control, Key, KeyAction, Keymap, button_rows, control_rows};

/// Returns the rows of the list of keys: those of the map, and those of the terminal.
pub fn help_rows(
    keymap: &Keymap,
    sticky: Option<Key>,
    reports_releases: bool,
) -> Vec<(String, String)> {
    let row = |name: &str, what: &str| (name.to_owned(), what.to_owned());
    let mut rows = button_rows(keymap, |action| keymap.key_name(action).to_owned());
    rows.extend(control_rows(keymap, |action| keymap.key_name(action).to_owned()));
    rows.extend(keymap.controls().filter_map(|control| {
        let name = keymap.key_name(KeyAction::Control(control));
        what(control).map(|what| row(name, what))
    }));
    if let Some(key) = sticky {
        let what = "holds the next button";
        rows.push(row(key.name(), what));
    }
    rows.push(row("mouse", "presses; right one holds"));
    if !reports_releases {
        rows.push(row("", "a press lasts 0.12 s,"));
        rows.push(row("", "one of RESET 0.75 s"));
    }
    rows.push(row("wheel", "scroll the console"));
    rows.push(row("PageUp", "scroll, while typing"));
    rows.push(row("Ctrl-Y", "copy, while typing"));
    rows.push(row("Ctrl-D", "the next display"));
    rows.push(row("Ctrl-L", "draw all again"));
    rows.push(row("Ctrl-Z", "suspend"));
    rows.push(row("Ctrl-C", "quit"));
    rows
}

/// Returns the action of `control` in a terminal in at most 25 letters, so that two columns
/// fit into a terminal of 80; `None` if it has none.
pub fn what(control: Control) -> Option<&'static str> {
    Some(match control {
        Control::Mute
        | Control::Louder
        | Control::Quieter
        | Control::FullScreen
        | Control::Remap
        | Control::Recent => return None,
        Control::Change => "the last crash",
        Control::Keys => "this list",
        Control::Bare => "LCD without pane, or with",
        Control::Console => "pane first, or LCD first",
        Control::Type => "type on the console",
        Control::Theme => "LCD's text, or picture",
        Control::PowerCycle => "power off and on",
        Control::Picture => "save the LCD as PNG",
        Control::Film => "save the last 10 s as GIF",
        Control::Text => "copy the LCD's text",
        Control::Studio => "open in the studio",
        Control::Pause => "pause, go on; play past",
        Control::SingleFrame => "to the next frame",
        Control::Back => "back (Shift: a frame)",
        Control::Forward => "forward (Shift: a frame)",
        Control::PreviousPress => "to the press before",
        Control::NextPress => "to the next press",
        Control::Branches => "list of branches",
        Control::Now => "return to the present",
        Control::Faster => "faster, up to 100 times",
        Control::Slower => "slower, down to 1/100",
        Control::FastForward => "10 times while held",
        Control::Undo => "take back (RESET and T6)",
        Control::Help => "ask for a move",
        Control::HoldReset => "hold RESET, or release it",
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_description_fits_into_a_column() {
        for (name, what) in help_rows(&Keymap::default(), Key::from_name("Insert"), false) {
            assert!(what.chars().count() <= 25, "{name}: {what}");
        }
    }

    #[test]
    fn the_list_has_every_key_that_does_something() {
        let rows = help_rows(&Keymap::default(), Key::from_name("Tab"), true);
        let names: Vec<&str> = rows.iter().map(|(name, _)| name.as_str()).collect();
        for name in ["Q W E R T Y", "Space", "P", "Left", "F6", "Tab", "Ctrl-C"] {
            assert!(names.contains(&name), "{name} {names:?}");
        }
        // The terminal has no sound and no full screen.
        assert!(!["M", "F11"].iter().any(|name| names.contains(name)), "{names:?}");
    }
}
