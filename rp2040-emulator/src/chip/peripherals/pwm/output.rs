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
        /// The part of a period during which it is high: more than 0, less than 1.
        duty: f64,
    },
}

/// A change of the output of a channel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OutputChange {
    /// Nanoseconds since power-on.
    pub ns: u64,
    /// 0 to 7.
    pub slice: usize,
    /// 0 is A, 1 is B.
    pub channel: usize,
    /// The new output.
    pub output: Output,
}
