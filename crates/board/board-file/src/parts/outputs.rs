//! LEDs and buzzers.

use crate::table::place::Place;
use crate::table::value::{Colour, Name, Pin, Whole};
use crate::table::{table, words};

use super::Level;

table! {
    /// An LED, or a chain of them.
    Led, "an LED" {
        /// Name in traces: `expect led NAME on`.
        name: Name = required;
        /// How the program controls the LED.
        kind: LedKind = default("plain");
        /// Pin; for `plain`, `pwm` and `ws2812`.
        pin: Pin = optional;
        /// Pin of the red LED; for `rgb`.
        red: Pin = optional;
        /// Pin of the green LED; for `rgb`.
        green: Pin = optional;
        /// Pin of the blue LED; for `rgb`.
        blue: Pin = optional;
        /// Level with which the LED is on; not for `ws2812`.
        active: Level = default("high");
        /// Colour on the face; for `plain` and `pwm`.
        colour: Colour = default("#ff2000");
        /// Number of LEDs in the chain; for `ws2812`.
        count: Whole<1, 1_024> = default(1);
        /// Order of the bytes of an LED; for `ws2812`.
        order: ColourOrder = default("grb");
        /// Place on the face; left out, it is laid out automatically.
        place: Place = optional;
    }
}

words! {
    /// Control of an LED.
    LedKind {
        /// A level.
        Plain = "plain",
        /// A duty cycle.
        Pwm = "pwm",
        /// Three duty cycles or levels.
        Rgb = "rgb",
        /// A chain of LEDs with one data line.
        Ws2812 = "ws2812",
    }
}

words! {
    /// Order of the bytes for a WS2812.
    ColourOrder {
        /// Green, red, blue.
        Grb = "grb",
        /// Red, green, blue.
        Rgb = "rgb",
        /// Green, red, blue, white.
        Grbw = "grbw",
    }
}

table! {
    /// A buzzer or a speaker.
    Buzzer, "a buzzer" {
        /// Name of the buzzer; needed if there are several.
        name: Name = optional;
        /// The pin with the wave.
        pin: Pin = required;
        /// How the program makes the wave.
        kind: BuzzerKind = default("pwm");
        /// Place on the face; left out, it is laid out automatically.
        place: Place = optional;
    }
}

words! {
    /// Source of a buzzer's wave.
    BuzzerKind {
        /// A PWM slice.
        Pwm = "pwm",
        /// A PIO state machine.
        Pio = "pio",
        /// The program changes the level itself.
        Toggled = "toggled",
    }
}
