//! Buttons, switches, encoders and the other parts that the user operates.

use crate::quantity::{Duration, Percent};
use crate::table::place::Place;
use crate::table::value::{AnalogPin, KeyName, Name, Pin, Whole};
use crate::table::{table, words};

use super::{Level, Pull};

table! {
    /// A push button.
    Button, "a button" {
        /// Name in traces: `tap A`, `press UP`.
        name: Name = required;
        /// The pin that the button connects.
        pin: Pin = required;
        /// Level of the pin while the button is pressed.
        active: Level = default("low");
        /// Resistor of the board at the pin.
        pull: Pull = default("none");
        /// Longest time in which the contact bounces, if the trace does not set it.
        bounce: Duration<0, 1_000_000_000> = default("0 ms");
        /// Suggested keys of the keyboard; the first is the default.
        keys: Vec<KeyName> = list;
        /// Place on the face; left out, it is laid out automatically.
        place: Place = optional;
    }
}

table! {
    /// A switch that remains in its position.
    Switch, "a switch" {
        /// Name in traces: `switch S on`.
        name: Name = required;
        /// The pin that the switch connects.
        pin: Pin = required;
        /// Level of the pin while the switch is on.
        active: Level = default("low");
        /// Resistor of the board at the pin.
        pull: Pull = default("none");
        /// Position at power-on.
        position: Position = default("off");
        /// Suggested keys of the keyboard; each changes the position.
        keys: Vec<KeyName> = list;
        /// Place on the face; left out, it is laid out automatically.
        place: Place = optional;
    }
}

words! {
    /// Position of a switch.
    Position {
        /// Open.
        Off = "off",
        /// Closed.
        On = "on",
    }
}

table! {
    /// A matrix of buttons between row pins and column pins.
    Matrix, "a matrix" {
        /// Name of the matrix.
        name: Name = required;
        /// Pins of the rows, from the top.
        rows: Vec<Pin> = required;
        /// Pins of the columns, from the left.
        columns: Vec<Pin> = required;
        /// Names of the buttons in traces: a list for each row, with a name for each column.
        buttons: Vec<Vec<Name>> = required;
        /// Suggested keys of the keyboard, in the same order as `buttons`.
        keys: Vec<Vec<KeyName>> = list;
        /// The pins that the program drives while it scans.
        driven: Driven = default("rows");
        /// Level of a driven pin that selects its row or column.
        active: Level = default("low");
        /// Whether each button has a diode, so that any number of them can be pressed.
        diodes: bool = default(false);
        /// Place on the face; left out, it is laid out automatically.
        place: Place = optional;
    }
}

words! {
    /// The side of a matrix that the program drives.
    Driven {
        /// The program drives the rows and reads the columns.
        Rows = "rows",
        /// The program drives the columns and reads the rows.
        Columns = "columns",
    }
}

table! {
    /// A rotary encoder with two contacts. Its push button is a `[[button]]`.
    Encoder, "an encoder" {
        /// Name in traces: `turn ENC by 3`.
        name: Name = required;
        /// Contact that changes first when the knob is turned clockwise.
        a: Pin = required;
        /// Contact that changes second.
        b: Pin = required;
        /// Resistor of the board at both pins.
        pull: Pull = default("none");
        /// Number of detents of a full turn.
        detents: Whole<1, 1_000> = default(20);
        /// Number of edges, of both contacts together, between two detents.
        edges: Whole<1, 4> = default(4);
        /// Suggested keys of the keyboard: counterclockwise, clockwise.
        keys: Vec<KeyName> = list;
        /// Place on the face; left out, it is laid out automatically.
        place: Place = optional;
    }
}

table! {
    /// A joystick with two potentiometers. Its push button is a `[[button]]`.
    Joystick, "a joystick" {
        /// Name in traces: `set JOY 0.5,0.1`.
        name: Name = required;
        /// Pin of the horizontal axis.
        x: AnalogPin = required;
        /// Pin of the vertical axis.
        y: AnalogPin = required;
        /// Voltage at rest as a share of 3.3 V, for both axes.
        rest: Percent<0, 100> = default("50 %");
        /// Suggested keys of the keyboard: left, right, up, down.
        keys: Vec<KeyName> = list;
        /// Place on the face; left out, it is laid out automatically.
        place: Place = optional;
    }
}

table! {
    /// A potentiometer, a slider or another analog source.
    Potentiometer, "a potentiometer" {
        /// Name in traces: `set VOLUME 0.5`.
        name: Name = required;
        /// Pin of the wiper.
        pin: AnalogPin = required;
        /// Voltage at power-on as a share of 3.3 V.
        start: Percent<0, 100> = default("50 %");
        /// Suggested keys of the keyboard: less, more.
        keys: Vec<KeyName> = list;
        /// Place on the face; left out, it is laid out automatically.
        place: Place = optional;
    }
}
