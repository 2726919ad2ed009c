//! A map from channels of a logic analyser to wires of the board: `B1=D3,SCK=Channel 0`.

use core::str::FromStr;

use trace::did_you_mean;

use crate::signal::Signal;

/// A map from channels to wires. A channel that is not in the map is the wire of the same name, if
/// such a wire exists and the map does not assign it to another channel.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wiring(Vec<(Signal, String)>);

impl Wiring {
    /// Returns the wire that the channel `name` is connected to. In a waveform `name` may be a
    /// path, `top.board.B1`: its last part is used then, and the map may name either.
    pub fn signal(&self, name: &str) -> Option<Signal> {
        let last = name.rsplit('.').next().unwrap_or(name);
        let mapped = self.0.iter().find(|(_, channel)| channel == name || channel == last);
        if let Some((signal, _)) = mapped {
            return Some(*signal);
        }
        let signal = Signal::from_name(last)?;
        self.channel(signal).is_none().then_some(signal)
    }

    /// Returns the channel that the map assigns to `signal`.
    pub fn channel(&self, signal: Signal) -> Option<&str> {
        self.0.iter().find(|(mapped, _)| *mapped == signal).map(|(_, channel)| channel.as_str())
    }

    /// Returns the entries of the map.
    pub fn entries(&self) -> impl Iterator<Item = (Signal, &str)> {
        self.0.iter().map(|(signal, channel)| (*signal, channel.as_str()))
    }
}

/// An error in the text of a map.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WiringError {
    /// An entry without `=`.
    #[error("`{0}` is no entry of a map; one is like `B1=D3`, wire first")]
    NoEntry(String),
    /// A name that is not a wire of the board.
    #[error("`{0}` is no wire of the board{near}", near = did_you_mean(.0, &Signal::names()))]
    UnknownWire(String),
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

impl FromStr for Wiring {
    type Err = WiringError;

    fn from_str(text: &str) -> Result<Self, WiringError> {
        let mut entries: Vec<(Signal, String)> = Vec::new();
        for entry in text.split(',') {
            let (name, channel) =
                entry.split_once('=').ok_or_else(|| WiringError::NoEntry(entry.to_owned()))?;
            let signal = Signal::from_name(name)
                .ok_or_else(|| WiringError::UnknownWire(name.trim().to_owned()))?;
            let channel = channel.trim();
            if channel.is_empty() {
                return Err(WiringError::NoChannel(entry.to_owned()));
            }
            if let Some((first, _)) =
                entries.iter().find(|(mapped, other)| *mapped == signal || other == channel)
            {
                let entry = entry.to_owned();
                return Err(WiringError::Contradiction { entry, first: *first });
            }
            entries.push((signal, channel.to_owned()));
        }
        Ok(Self(entries))
    }
}

#[cfg(test)]
mod tests {
    use trace::Button;

    use super::*;

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
