//! Why a probe's board cannot go on. Each says the fact, and what to do if there is something.

use std::time::Duration;

use probe_protocol::{PROTOCOL, ProbeTime, Refusal, Wire};

/// Why a probe's board cannot go on.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProbeError {
    /// Nothing came.
    #[error(
        "nothing answers: no probe is on this port, or it has no firmware (docs/hil.md says how it gets one)"
    )]
    NoAnswer,
    /// Something else came.
    #[error(
        "what is on this port is no probe: {bytes} bytes came, and none of them is a probe's answer"
    )]
    NotAProbe {
        /// So many.
        bytes: u64,
    },
    /// A probe with another protocol.
    #[error(
        "the probe speaks version {theirs} of its protocol, and this nudge version {PROTOCOL}: {}",
        advice(*.theirs)
    )]
    Protocol {
        /// Its version.
        theirs: u16,
    },
    /// A probe with another host.
    #[error("the probe is in use by another program")]
    Busy,
    /// The line was cut and stayed so.
    #[error("the line to the probe is cut: {0}")]
    Cut(String),
    /// The line is there, and nothing comes.
    #[error("the probe has said nothing for {} ms", .0.as_millis())]
    Silent(Duration),
    /// It says something, but its time stands still.
    #[error("the probe's time stands still: it has not told for {} ms how far it has come", .0.as_millis())]
    Stalled(Duration),
    /// Too much was lost.
    #[error("too much is lost on the line to the probe: {0} frames in a row did not arrive")]
    Lost(u32),
    /// It has started anew.
    #[error("the probe has restarted: its power was gone, or it was reset")]
    Restarted,
    /// It heard nothing of its host.
    #[error("the probe heard nothing of this nudge for a second, and has released every button")]
    Released,
    /// A task was not carried out.
    #[error("{task} was not carried out: {}", refusal(*.why))]
    Refused {
        /// What, in words.
        task: String,
        /// Why.
        why: Refusal,
    },
    /// The probe lost observations.
    #[error(
        "the probe lost what was on {} from {}.{:03} ms of its clock on: more was sent than it could hold and pass on",
        named(*.wire), .at.as_micros() / 1000, .at.as_micros() % 1000
    )]
    Overrun {
        /// On which wire.
        wire: Wire,
        /// From when on: the end of the last that was passed on.
        at: ProbeTime,
    },
    /// A frame that arrived whole holds something that the protocol does not have.
    #[error("the probe says something that its protocol does not have")]
    NoMessage,
    /// More came than is kept.
    #[error("the probe says more than {0} things at once")]
    TooMuch(usize),
    /// The board has started without having been told to.
    #[error(
        "the board has started again by itself: it was reset, crashed, or lost its power for a moment"
    )]
    BoardRestarted,
    /// Something that only a virtual board can do.
    #[error("a real board cannot {0}")]
    NotOnARealBoard(&'static str),
}

fn advice(theirs: u16) -> &'static str {
    if theirs < PROTOCOL {
        "give it this version's firmware, as docs/hil.md says"
    } else {
        "use a newer nudge"
    }
}

fn refusal(why: Refusal) -> &'static str {
    match why {
        Refusal::TooLate => {
            "it reached the probe after its time, because this computer or the line was slow"
        }
        Refusal::QueueFull => "the probe's queue was full",
        Refusal::NotPossible => "the probe cannot do it",
    }
}

/// A wire in words.
pub(crate) fn named(wire: Wire) -> &'static str {
    match wire {
        Wire::Cs => "the LCD's CS",
        Wire::Sck => "the LCD's SCK",
        Wire::Mosi => "the LCD's wires",
        Wire::Dc => "the LCD's DC",
        Wire::Reset => "the LCD's RST",
        Wire::Backlight => "the backlight's wire",
        Wire::Buzzer => "the buzzer's wire",
        Wire::Uart => "the console's wire",
    }
}
