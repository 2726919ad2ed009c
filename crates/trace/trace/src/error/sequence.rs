//! Errors of the order of timed lines.

use thiserror::Error;

use super::time::TimeError;
use crate::Button;
use crate::control::Control;
use crate::known_time::KnownTime;
use crate::place::LineName;
use virtual_time::{Instant, spoken};

/// The reason why a timed line cannot follow the ones above it. Actions are named by
/// `Action::noun`. `Display` is a sentence without a full stop.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SequenceError {
    /// A line below `end`.
    #[error("{action} comes after `end`, which closes a trace")]
    AfterEnd {
        /// The line's action.
        action: String,
    },
    /// A first timed line other than `power on`.
    #[error(
        "the first timed line is {action}; it must be `power on`: write `0ms power on` above it"
    )]
    NotPowerOn {
        /// The line's action.
        action: String,
    },
    /// A chain of frames with the name of another one.
    #[error("the frames {name} are in {line} already; each chain has its own name")]
    ChainTwice {
        /// Name of the chain.
        name: String,
        /// Line of the first chain.
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
    /// A time before that of the line above.
    #[error(
        "{action} at {} comes before the line above ({above}); times never go back",
        spoken(at.since_start())
    )]
    GoesBack {
        /// The line's action.
        action: String,
        /// Time of the line.
        at: Instant,
        /// Time of the line above.
        above: KnownTime,
    },
    /// A press or a tap of a button that is pressed.
    #[error("{action}, which is down already (pressed in {line}); release it first")]
    Pressed {
        /// The line's action.
        action: String,
        /// Line of the press.
        line: LineName,
    },
    /// A press or a tap of a button that a tap holds.
    #[error("{action}, which is down already (the tap in {line} holds it until {until})")]
    Tapped {
        /// The line's action.
        action: String,
        /// Line of the tap.
        line: LineName,
        /// Time at which the tap releases the button.
        until: KnownTime,
    },
    /// A release of a button that a tap holds.
    #[error("release of {button}, which the tap in {line} releases by itself")]
    ReleasedByTap {
        button: Button,
        /// Line of the tap.
        line: LineName,
    },
    /// A release of a button that is up.
    #[error("release of {0}, which is not down")]
    NotDown(Button),
    /// A lift of a finger that is not on the panel.
    #[error("lift of {}, which no finger touches; `touch {} at X,Y` puts one on it", .0.name(), .0.name())]
    NotTouched(Control),
    /// A lift of a finger that a `touch … for` lifts.
    #[error("lift of {}, which the touch in {line} lifts by itself", control.name())]
    LiftedByTouch {
        control: Control,
        /// Line of the touch.
        line: LineName,
    },
    /// A span from this line on ends after the end of virtual time.
    #[error(transparent)]
    Time(#[from] TimeError),
}
