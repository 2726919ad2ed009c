//! What can be wrong with the order of timed lines.

use thiserror::Error;

use super::time::TimeError;
use crate::Button;
use crate::moment::Moment;
use crate::place::LineName;
use virtual_time::{Instant, spoken};

/// Why a timed line cannot follow the ones above it. Actions are what
/// [`Action::noun`](crate::Action::noun) calls them. `Display` is a sentence without a full
/// stop.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SequenceError {
    /// A line below `end`.
    #[error("{action} comes after `end`, which closes a trace")]
    AfterEnd {
        /// What the line does.
        action: String,
    },
    /// A first timed line other than `power on`.
    #[error(
        "the first timed line is {action}; it must be `power on`: write `0ms power on` above it"
    )]
    NotPowerOn {
        /// What the line does.
        action: String,
    },
    /// A chain of frames whose name another one has.
    #[error("the frames {name} stand in {line} already; each chain has its own name")]
    ChainTwice {
        /// Of the chain.
        name: String,
        /// The line of the first one.
        line: LineName,
    },
    /// `power on` while the power is on.
    #[error("the power is on already")]
    PowerIsOn,
    /// `power off` or `fault power cut` while the power is off.
    #[error("the power is off already")]
    PowerIsOff,
    /// `fault flash cut` while the power is off.
    #[error("the power is off; a cut in the flash is planned while it is on")]
    FlashCutWithoutPower,
    /// `fault none flash` while the power is off.
    #[error("the power is off, and no cut in the flash is planned any more")]
    NoFlashFaultWithoutPower,
    /// A moment before the one of the line above.
    #[error(
        "{action} at {} comes before the line above ({above}); times never go back",
        spoken(at.since_start())
    )]
    GoesBack {
        /// What the line does.
        action: String,
        /// When.
        at: Instant,
        /// The moment of the line above.
        above: Moment,
    },
    /// A press or a tap of a button that is pressed.
    #[error("{action}, which is down already (pressed in {line}); release it first")]
    Pressed {
        /// What the line does.
        action: String,
        /// The line of the press.
        line: LineName,
    },
    /// A press or a tap of a button that a tap holds.
    #[error("{action}, which is down already (the tap in {line} holds it until {until})")]
    Tapped {
        /// What the line does.
        action: String,
        /// The line of the tap.
        line: LineName,
        /// When the tap releases it.
        until: Moment,
    },
    /// A release of a button that a tap holds.
    #[error("release of {button}, which the tap in {line} releases by itself")]
    ReleasedByTap {
        /// Which.
        button: Button,
        /// The line of the tap.
        line: LineName,
    },
    /// A release of a button that is up.
    #[error("release of {0}, which is not down")]
    NotDown(Button),
    /// A span that begins here ends past the end of virtual time.
    #[error(transparent)]
    Time(#[from] TimeError),
}
