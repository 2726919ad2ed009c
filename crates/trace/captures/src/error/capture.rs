//! Errors of files that should be captures of the board's wires.

use thiserror::Error;

use crate::signal::Signal;

/// The reason why a file is not a capture of the board's wires.
#[derive(Debug, Error)]
pub enum CaptureError {
    /// Neither the file's name nor its beginning belongs to a known format.
    #[error(
        "is neither a trace, a VCD, a CSV export nor a scenario; a name that ends in .trace, \
         .vcd, .csv or .yaml says which is meant"
    )]
    UnknownFormat,
    /// The file is a trace or a scenario.
    #[error("is no capture of wires; give a VCD or a CSV export")]
    NotACapture,
    /// No channel is a wire of the board.
    #[error(
        "has none of the board's wires; it has {}: say which is which, like `--map \
         B1=D3,SCK=D0`",
        listed(channels)
    )]
    NoWires {
        /// Names of the file's channels.
        channels: Vec<String>,
    },
    /// The map names a channel that the file does not have.
    #[error("has no channel `{channel}` for {signal}; it has {}", listed(channels))]
    NoChannel {
        /// The channel that the map names.
        channel: String,
        /// The wire that the map assigns to the channel.
        signal: Signal,
        /// Names of the file's channels.
        channels: Vec<String>,
    },
}

/// Returns the first 12 of `names`.
fn listed(names: &[String]) -> String {
    const SHOWN: usize = 12;
    if names.is_empty() {
        return "no channels".to_owned();
    }
    let more = if names.len() > SHOWN { ", …" } else { "" };
    let shown: Vec<&str> = names.iter().take(SHOWN).map(String::as_str).collect();
    format!("{}{more}", shown.join(", "))
}
