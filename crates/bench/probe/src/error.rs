//! Failures of a board on a probe. Each message states the fact, and what to do if there is a
//! remedy.

use std::time::Duration;

use probe_protocol::{PROTOCOL, ProbeTime, Refusal, Wire};

/// A failure of a board on a probe.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProbeError {
    /// No byte was received.
    #[error(
        "nothing answers: no probe is on this port, or it has no firmware (docs/hil.md says how it gets one)"
    )]
    NoAnswer,
    /// Bytes were received that are not a probe's answer.
    #[error(
        "what is on this port is no probe: {bytes} bytes came, and none of them is a probe's answer"
    )]
    NotAProbe {
        /// Number of bytes received.
        bytes: u64,
    },
    /// The probe has another version of the protocol.
    #[error(
        "the probe speaks version {theirs} of its protocol, and this nudge version {PROTOCOL}: {}",
        advice(*.theirs)
    )]
    Protocol {
        /// Version of the probe.
        theirs: u16,
    },
    /// The probe is in use by another host.
    #[error("the probe is in use by another program")]
    Busy,
    /// The line was cut and did not come back.
    #[error("the line to the probe is cut: {0}")]
    Cut(String),
    /// The line is up, but the probe sends nothing.
    #[error("the probe has said nothing for {} ms", .0.as_millis())]
    Silent(Duration),
    /// The probe sends frames, but its time does not advance.
    #[error("the probe's clock has stopped: it has reported no progress for {} ms", .0.as_millis())]
    Stalled(Duration),
    /// Too many frames in a row were lost.
    #[error("too much is lost on the line to the probe: {0} frames in a row did not arrive")]
    Lost(u32),
    /// The probe has restarted.
    #[error("the probe has restarted: its power was gone, or it was reset")]
    Restarted,
    /// The probe has received nothing from its host, and has released every button.
    #[error("the probe heard nothing of this nudge for a second, and has released every button")]
    Released,
    /// The probe has refused a task.
    #[error("{task} was not carried out: {}", refusal(*.why))]
    Refused {
        /// Description of the task.
        task: String,
        why: Refusal,
    },
    /// The probe lost observations.
    #[error(
        "the probe lost what was on {} from {}.{:03} ms of its clock on: more was sent than it could hold and pass on",
        named(*.wire), .at.as_micros() / 1000, .at.as_micros() % 1000
    )]
    Overrun {
        /// Wire whose observations were lost.
        wire: Wire,
        /// Start of the loss: the end of the last observation that was passed on.
        at: ProbeTime,
    },
    /// The probe has not seen a burst whole: some of its bits were lost.
    #[error(
        "the probe has not seen the LCD's burst at {}.{:03} ms of its clock whole: {clocks} clocks on SCK, {bytes} bytes; {SCK_LIMITS}",
        .at.as_micros() / 1000, .at.as_micros() % 1000
    )]
    BadBurst {
        /// Start of the burst.
        at: ProbeTime,
        /// Number of rising edges of SCK.
        clocks: u32,
        /// Number of bytes that were received.
        bytes: u32,
    },
    /// An intact frame contains something that the protocol does not define.
    #[error("the probe says something that its protocol does not have")]
    UnknownMessage,
    /// More observations were received than are stored.
    #[error("the probe says more than {0} things at once")]
    TooManyObservations(usize),
    /// The board has restarted without an order to.
    #[error(
        "the board has started again by itself: it was reset, crashed, or lost its power for a moment"
    )]
    BoardRestarted,
    /// The operation is possible only with a virtual board.
    #[error("a real board cannot {0}")]
    VirtualBoardOnly(&'static str),
}

/// Clocks that the probe sees (docs/hil-probe.md), for messages.
pub(crate) const SCK_LIMITS: &str = "SCK has a poor contact, or it is slower than 3.1 MHz or faster than 31.25 MHz, or it rests between two bytes for \
     170 to 320 ns";

impl ProbeError {
    /// Returns whether the bench failed: the probe, its cable or this computer. The error then says
    /// nothing about the firmware of the board.
    pub const fn is_of_bench(&self) -> bool {
        !matches!(self, Self::BoardRestarted | Self::VirtualBoardOnly(_))
    }
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

/// Returns the name of a wire for messages.
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
