//! Errors of lines about encoders, switches, joysticks, potentiometers, touch panels, LEDs and displays.

use thiserror::Error;

use crate::Button;
use crate::control::{Control, ControlKind};
use crate::led::Led;
use crate::limits::{DRAG_LONGEST, DRAG_STEP, TURN_LONGEST, TURN_MAX};
use crate::nearest::did_you_mean;
use crate::spoken::abbreviated;
use virtual_time::{Nanos, spoken};

/// Wrong arguments of a line about a control or an LED. `Display` is a sentence without a full
/// stop.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PartError {
    /// A verb for parts that the board does not have.
    #[error(
        "the board has no {}; `{verb}` is for {}, which a board file describes with [[{}]]",
        kinds.first().map_or("control", |kind| kind.noun()), a_kind(kinds),
        kinds.first().map_or("control", |kind| kind.table())
    )]
    NoControl { verb: &'static str, kinds: &'static [ControlKind] },
    /// Not a control of these kinds.
    #[error("unknown {} {}{}", names(kinds), abbreviated(word), did_you_mean_or_known(word, known))]
    UnknownControl {
        kinds: &'static [ControlKind],
        /// The word as written.
        word: String,
        /// Names of the controls of these kinds.
        known: Vec<&'static str>,
    },
    /// A control that another verb moves.
    #[error(
        "{} is {}, and `{verb}` is for {}; write `{}`",
        control.name(), a_kind(&[control.kind()]), a_kind(kinds), example(*control)
    )]
    OtherControl { control: Control, verb: &'static str, kinds: &'static [ControlKind] },
    /// A button, which is pressed.
    #[error("{button} is a button, and `{verb}` is for {}; write `tap {button}`", a_kind(kinds))]
    IsAButton { button: Button, verb: &'static str, kinds: &'static [ControlKind] },
    /// A control where a button must be.
    #[error(
        "{} is {}, and `{verb}` is for buttons; write `{}`",
        control.name(), a_kind(&[control.kind()]), example(*control)
    )]
    NotAButton { control: Control, verb: String },
    /// Not a whole number of detents; the text.
    #[error(
        "{} is no number of detents; write a whole number, like `3`, or `-3` for counterclockwise",
        abbreviated(.0)
    )]
    NotDetents(String),
    /// `turn ENC by 0`.
    #[error("a turn by 0 detents moves nothing; write at least 1, or -1")]
    NoDetents,
    /// More detents than a line can turn; the text.
    #[error("{} is out of range; a line turns by -{TURN_MAX} to {TURN_MAX} detents", abbreviated(.0))]
    TooManyDetents(String),
    /// `over` a time that is too short or too long.
    #[error(
        "a turn by this number of detents takes {} to {}, not {}",
        spoken(*least), spoken(TURN_LONGEST), spoken(*over)
    )]
    TurnDuration {
        /// The time as written.
        over: Nanos,
        /// Shortest time for the number of detents.
        least: Nanos,
    },
    /// Not a number; the text.
    #[error(
        "{} is no share of 3.3 V; write a number from 0 to 1 with at most four decimals, like `0.5`",
        abbreviated(.0)
    )]
    NotAShare(String),
    /// A number that is below 0 or above 1; the text.
    #[error("{} is out of range; a voltage is 0 to 1, as a share of 3.3 V", abbreviated(.0))]
    ShareOutOfRange(String),
    /// One voltage for two axes, or the reverse.
    #[error(
        "{} does not fit {name}, which has {}",
        abbreviated(word),
        if *has_two { "two axes: write `x,y`, like `0.5,0.1`" } else { "one voltage, like `0.5`" }
    )]
    Axes {
        name: &'static str,
        has_two: bool,
        /// The word as written.
        word: String,
    },
    /// Not a pixel; the text.
    #[error("{} is no pixel; write `x,y` from the upper left corner, like `120,40`", abbreviated(.0))]
    NotAPoint(String),
    /// A pixel that the display does not have.
    #[error(
        "{} is outside of the display of {name}, which has {width}x{height} pixels",
        abbreviated(word)
    )]
    PointOutside {
        name: &'static str,
        /// The word as written.
        word: String,
        width: u16,
        height: u16,
    },
    /// A touch for 0 ns.
    #[error(
        "a finger that stays for no time touches nothing; name a time above 0, or leave out `for`"
    )]
    TouchForNoTime,
    /// `over` a time that is too short or too long for a drag.
    #[error(
        "a drag takes {} to {}, not {}",
        spoken(DRAG_STEP), spoken(DRAG_LONGEST), spoken(*over)
    )]
    DragDuration {
        /// The time as written.
        over: Nanos,
    },
    /// `expect led` for a board without LEDs.
    #[error(
        "the board has no LED; `expect led` is for one that a board file describes with [[led]]"
    )]
    NoLed,
    /// Not a display of the board.
    #[error("unknown display {}{}", abbreviated(word), did_you_mean_or_known(word, known))]
    UnknownDisplay {
        /// The word as written.
        word: String,
        /// The displays of the board.
        known: Vec<&'static str>,
    },
    /// Not an LED of the board.
    #[error("unknown LED {}{}", abbreviated(word), did_you_mean_or_known(word, known))]
    UnknownLed {
        /// The word as written.
        word: String,
        /// The LEDs of the board.
        known: Vec<&'static str>,
    },
    /// A number for a single LED.
    #[error("{} is a single LED, without numbers; write `expect led {0} on`", led.name())]
    NotAChain { led: Led },
    /// A number that the chain does not have.
    #[error(
        "{} has no LED {}; its LEDs are 0 to {}, from its input on",
        led.name(), abbreviated(word), led.count().saturating_sub(1)
    )]
    LedNumber {
        led: Led,
        /// The word as written.
        word: String,
    },
    /// Not a state of an LED.
    #[error("{} is no state of this LED; it is {states}", abbreviated(word))]
    NotALight {
        /// The word as written.
        word: String,
        states: &'static str,
    },
    /// A state of another kind of LED.
    #[error("{} does not fit the LED {}, whose state is {states}", abbreviated(word), led.name())]
    OtherLight {
        led: Led,
        /// The word as written.
        word: String,
        states: &'static str,
    },
    /// A duty cycle above 100 %; the text.
    #[error("{} is out of range; a duty cycle is 0% to 100%", abbreviated(.0))]
    DutyOutOfRange(String),
}

/// Returns kinds in messages: "an encoder", "a joystick or a potentiometer".
pub(crate) fn a_kind(kinds: &[ControlKind]) -> String {
    let with_article = |kind: &ControlKind| {
        let article = if *kind == ControlKind::Encoder { "an" } else { "a" };
        format!("{article} {}", kind.noun())
    };
    kinds.iter().map(with_article).collect::<Vec<_>>().join(" or ")
}

/// Returns kinds in messages without articles: "joystick or potentiometer".
fn names(kinds: &[ControlKind]) -> String {
    kinds.iter().map(|kind| kind.noun()).collect::<Vec<_>>().join(" or ")
}

/// Returns an action that moves the control.
fn example(control: Control) -> String {
    let name = control.name();
    match control.kind() {
        ControlKind::Encoder => format!("turn {name} by 1"),
        ControlKind::Switch => format!("switch {name} on"),
        ControlKind::Joystick => format!("set {name} 0.5,0.5"),
        ControlKind::Potentiometer => format!("set {name} 0.5"),
        ControlKind::Touch(_) => format!("touch {name} at 120,40"),
    }
}

fn did_you_mean_or_known(word: &str, known: &[&'static str]) -> String {
    match did_you_mean(word, known) {
        none if none.is_empty() => format!("; the board has {}", known.join(", ")),
        near => near,
    }
}
