//! A map from channels of a logic analyser to wires of the board: `B1=D3,SCK=Channel 0`.
//!
//! [`WireMap`] is its text, before the board is known; [`Wiring`] is the map on a board.

use core::str::FromStr;

use trace::{Buttons, did_you_mean};

use crate::signal::Signal;

/// The entries of a map, whose wires are those of any board.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WireMap(Vec<(String, String)>);

/// A map from channels to wires of a board. A channel that is not in the map is the wire of the same
/// name, if such a wire exists and the map does not assign it to another channel.
#[derive(Clone, Debug)]
pub struct Wiring {
    buttons: Buttons,
    entries: Vec<(Signal, String)>,
}

/// Returns the map of the LCD board without entries.
impl Default for Wiring {
    fn default() -> Self {
        Self::of(Buttons::lcd_board())
    }
}

impl WireMap {
    /// Returns the map on a board with these buttons.
    ///
    /// # Errors
    /// If the board has no wire of a name, or if two entries contradict each other.
    pub fn on(&self, buttons: &Buttons) -> Result<Wiring, WiringError> {
        let mut wiring = Wiring::of(buttons.clone());
        for (name, channel) in &self.0 {
            let signal = Signal::named(buttons, name).ok_or_else(|| WiringError::UnknownWire {
                near: did_you_mean(name, &Signal::names_of(buttons)),
                name: name.clone(),
            })?;
            let same = |(mapped, other): &&(Signal, String)| *mapped == signal || other == channel;
            if let Some((first, _)) = wiring.entries.iter().find(same) {
                let entry = format!("{name}={channel}");
                return Err(WiringError::Contradiction { entry, first: *first });
            }
            wiring.entries.push((signal, channel.clone()));
        }
        Ok(wiring)
    }
}

impl Wiring {
    /// Returns the map without entries of a board with these buttons.
    pub const fn of(buttons: Buttons) -> Self {
        Self { buttons, entries: Vec::new() }
    }

    /// Returns the buttons of the board.
    pub const fn buttons(&self) -> &Buttons {
        &self.buttons
    }

    /// Returns the map of the same board without entries.
    #[must_use]
    pub fn without_entries(&self) -> Self {
        Self::of(self.buttons.clone())
    }

    /// Returns the wire that the channel `name` is connected to. In a waveform `name` may be a
    /// path, `top.board.B1`: its last part is used then, and the map may name either.
    pub fn signal(&self, name: &str) -> Option<Signal> {
        let last = name.rsplit('.').next().unwrap_or(name);
        let mapped = self.entries.iter().find(|(_, channel)| channel == name || channel == last);
        if let Some((signal, _)) = mapped {
            return Some(*signal);
        }
        let signal = Signal::named(&self.buttons, last)?;
        self.channel(signal).is_none().then_some(signal)
    }

    /// Returns the channel that the map assigns to `signal`.
    pub fn channel(&self, signal: Signal) -> Option<&str> {
        let entry = self.entries.iter().find(|(mapped, _)| *mapped == signal);
        entry.map(|(_, channel)| channel.as_str())
    }

    /// Returns the map with the channels as a capture with these `names` has them: `D3`, which is none of
    /// them, is its one `Channel 3`. Programs of logic analysers call the same input by either.
    #[must_use]
    pub(crate) fn among(&self, names: &[String]) -> Self {
        let entry = |(signal, channel): &(Signal, String)| {
            let mut numbered = names.iter().filter(|name| number_of(name) == number_of(channel));
            let found = match (number_of(channel), numbered.next(), numbered.next()) {
                (Some(_), Some(only), None) if !names.contains(channel) => only,
                _ => channel,
            };
            (*signal, found.clone())
        };
        Self { buttons: self.buttons.clone(), entries: self.entries.iter().map(entry).collect() }
    }

    /// Returns the entries of the map.
    pub fn entries(&self) -> impl Iterator<Item = (Signal, &str)> {
        self.entries.iter().map(|(signal, channel)| (*signal, channel.as_str()))
    }
}

/// Returns the number of a channel that is called by its number, `D3`, `CH 3` or `Channel_3`.
fn number_of(channel: &str) -> Option<u32> {
    let lower = channel.trim().to_ascii_lowercase();
    let rest =
        ["channel", "digital", "dio", "ch", "d"].iter().find_map(|it| lower.strip_prefix(it))?;
    rest.trim_start_matches(['_', '-', ' ']).parse().ok()
}

/// An error in the text of a map.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WiringError {
    /// An entry without `=`.
    #[error("`{0}` is no entry of a map; one is like `B1=D3`, wire first")]
    NoEntry(String),
    /// A name that is not a wire of the board.
    #[error("`{name}` is no wire of the board{near}")]
    UnknownWire {
        name: String,
        /// The nearest wire as a question, if there is one.
        near: String,
    },
    /// An entry with nothing after its `=`.
    #[error("`{0}` names no channel")]
    NoChannel(String),
    /// A wire or a channel that an earlier entry has.
    #[error("`{entry}` contradicts the entry of {first} before it")]
    Contradiction {
        entry: String,
        /// Wire of the first entry.
        first: Signal,
    },
}

impl FromStr for WireMap {
    type Err = WiringError;

    fn from_str(text: &str) -> Result<Self, WiringError> {
        let entry = |entry: &str| {
            let (name, channel) =
                entry.split_once('=').ok_or_else(|| WiringError::NoEntry(entry.to_owned()))?;
            match channel.trim() {
                "" => Err(WiringError::NoChannel(entry.to_owned())),
                channel => Ok((name.trim().to_owned(), channel.to_owned())),
            }
        };
        text.split(',').map(entry).collect::<Result<_, _>>().map(Self)
    }
}

/// Parses a map of the LCD board.
impl FromStr for Wiring {
    type Err = WiringError;

    fn from_str(text: &str) -> Result<Self, WiringError> {
        text.parse::<WireMap>()?.on(&Buttons::lcd_board())
    }
}

#[cfg(test)]
mod tests {
    use trace::Button;

    use super::*;

    #[test]
    fn a_map_names_the_buttons_of_its_board() {
        let buttons = Buttons::new(["UP", "fire"]).unwrap();
        let map: WireMap = "UP=D3,SCK=D0".parse().unwrap();
        let wiring = map.on(&buttons).unwrap();
        assert_eq!(wiring.signal("D3"), Some(Signal::Button(buttons.all()[0])));
        assert_eq!(wiring.signal("fire"), Some(Signal::Button(buttons.all()[1])));
        assert_eq!(wiring.signal("FIRE"), Some(Signal::Button(buttons.all()[1])));
        assert_eq!((wiring.signal("B1"), wiring.signal("UP")), (None, None));
        let error = map.on(&Buttons::lcd_board()).unwrap_err().to_string();
        assert!(error.starts_with("`UP` is no wire of the board"), "{error}");
    }

    #[test]
    fn a_channel_is_the_mapped_wire_or_the_one_with_its_name() {
        let wiring: Wiring = "B1=D3, SCK = Channel 0".parse().unwrap();
        assert_eq!(wiring.signal("D3"), Some(Signal::Button(Button::B1)));
        assert_eq!(wiring.signal("top.D3"), Some(Signal::Button(Button::B1)));
        assert_eq!(wiring.signal("Channel 0"), Some(Signal::Clock));
        assert_eq!(wiring.signal("lcd_board.reset"), Some(Signal::Button(Button::Reset)));
        assert_eq!(wiring.signal("B1"), None, "D3 is B1");
        assert_eq!(wiring.signal("gpio7"), None);
    }

    #[test]
    fn a_channel_may_be_named_by_its_number_alone() {
        let wiring: Wiring = "B1=D3, SCK=CH 0, RESET=gate".parse().unwrap();
        let in_capture = |names: &[&str]| {
            let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
            let wiring = wiring.among(&names);
            names.iter().map(|name| wiring.signal(name)).collect::<Vec<_>>()
        };
        let b1 = Some(Signal::Button(Button::B1));
        assert_eq!(in_capture(&["Channel 3", "Digital_0", "D1"]), [b1, Some(Signal::Clock), None]);
        assert_eq!(in_capture(&["Channel 3", "D3"]), [None, b1], "the one with that name is meant");
        assert_eq!(in_capture(&["Channel 3", "DIO 3"]), [None, None], "either could be meant");
        assert_eq!(in_capture(&["d", "Channel"]), [None, None]);
    }

    #[test]
    fn an_invalid_map_is_refused() {
        for (text, said) in [
            ("B1", "is no entry"),
            ("B9=D3", "is no wire of the board"),
            ("B1=", "names no channel"),
            ("B1=D3,B1=D4", "contradicts"),
            ("B1=D3,B2=D3", "contradicts"),
        ] {
            let error = text.parse::<Wiring>().unwrap_err().to_string();
            assert!(error.contains(said), "{text}: {error}");
        }
    }
}
