//! The output of a channel.

/// The output of a channel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Output {
    /// A constant level.
    Level(bool),
    /// A square wave.
    Wave {
        /// Periods per second.
        hz: f64,
        /// Fraction of a period during which it is high: more than 0, less than 1.
        duty: f64,
    },
}

/// A change of the output of a channel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OutputChange {
    /// Time since power-on, in nanoseconds.
    pub ns: u64,
    /// Number of the slice, 0 to 7.
    pub slice: usize,
    /// Channel of the slice: 0 is A, 1 is B.
    pub channel: usize,
    pub output: Output,
}
