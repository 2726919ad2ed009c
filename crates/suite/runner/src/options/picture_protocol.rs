//! Protocols for pictures in a terminal.
//!
//! The terminal is recognised by the environment variables that it sets. It is not queried, because
//! its answer could be read as the user's input. `tmux` and `screen` do not forward pictures.

use core::str::FromStr;

/// A protocol for pictures in a terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PictureProtocol {
    /// Graphics protocol of kitty: PNG in pieces of base64.
    Kitty,
    /// Inline images of iTerm2: a PNG file as base64.
    Iterm,
    /// DEC's sixels with 256 colours.
    Sixel,
}

/// First version of Konsole that shows pictures, 22.04, in the format of its environment variable.
const KONSOLE_WITH_PICTURES: u32 = 220_400;
impl PictureProtocol {
    /// Returns the terminal's protocol, or `None`. `variable` looks up its environment variables.
    pub fn detect(variable: impl Fn(&str) -> Option<String>) -> Option<Self> {
        let is_set = |name: &str| variable(name).is_some_and(|value| !value.is_empty());
        let term = variable("TERM").unwrap_or_default();
        let program = variable("TERM_PROGRAM").unwrap_or_default();
        if is_set("TMUX") || term.starts_with("screen") || term.starts_with("tmux") {
            return None;
        }
        // The other variables may be inherited from a terminal that started this one.
        if matches!(term.as_str(), "dumb" | "linux") {
            return None;
        }
        if is_set("KITTY_WINDOW_ID") || term == "xterm-kitty" || term == "xterm-ghostty" {
            return Some(Self::Kitty);
        }
        let konsole = variable("KONSOLE_VERSION").and_then(|version| version.parse::<u32>().ok());
        if konsole.is_some_and(|version| version >= KONSOLE_WITH_PICTURES) {
            return Some(Self::Kitty);
        }
        match program.as_str() {
            "ghostty" => return Some(Self::Kitty),
            "iTerm.app" | "WezTerm" => return Some(Self::Iterm),
            _ => {}
        }
        let sixel = ["foot", "mlterm", "contour", "yaft"];
        let is_sixel = sixel.iter().any(|name| term.starts_with(name)) || term.contains("sixel");
        is_sixel.then_some(Self::Sixel)
    }
}

/// The text is not the name of a [`PictureProtocol`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is no way to show pictures; there are kitty, iterm, sixel")]
pub struct PictureProtocolError {
    pub text: String,
}

/// Parses `kitty`, `iterm` or `sixel`.
impl FromStr for PictureProtocol {
    type Err = PictureProtocolError;

    fn from_str(text: &str) -> Result<Self, PictureProtocolError> {
        match text {
            "kitty" => Ok(Self::Kitty),
            "iterm" => Ok(Self::Iterm),
            "sixel" => Ok(Self::Sixel),
            _ => Err(PictureProtocolError { text: text.to_owned() }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(variables: &[(&str, &str)], expected: Option<PictureProtocol>) {
        let look = |name: &str| {
            variables.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned())
        };
        assert_eq!(PictureProtocol::detect(look), expected, "{variables:?}");
    }

    #[test]
    fn a_terminal_is_recognised_by_its_variables() {
        check(&[("TERM", "xterm-kitty")], Some(PictureProtocol::Kitty));
        check(
            &[("TERM", "xterm-256color"), ("KITTY_WINDOW_ID", "1")],
            Some(PictureProtocol::Kitty),
        );
        check(&[("TERM_PROGRAM", "iTerm.app")], Some(PictureProtocol::Iterm));
        check(&[("KONSOLE_VERSION", "221203")], Some(PictureProtocol::Kitty));
        check(&[("KONSOLE_VERSION", "211203")], None);
        check(&[("TERM", "foot-extra")], Some(PictureProtocol::Sixel));
        check(&[("TERM", "xterm-256color")], None);
        check(&[("TERM", "xterm-kitty"), ("TMUX", "/tmp/tmux")], None);
        check(&[("TERM", "dumb"), ("KITTY_WINDOW_ID", "1")], None);
        check(&[], None);
    }

    #[test]
    fn a_protocol_has_a_name_and_other_names_are_refused() {
        assert_eq!("iterm".parse(), Ok(PictureProtocol::Iterm));
        assert_eq!(
            "svg".parse::<PictureProtocol>().unwrap_err().to_string(),
            "`svg` is no way to show pictures; there are kitty, iterm, sixel"
        );
    }
}
