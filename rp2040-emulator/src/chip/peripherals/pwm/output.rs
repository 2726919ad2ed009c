//! What a channel puts out, as the caller sees it.

/// What a channel puts out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Output {
    /// The same level until something changes it.
    Level(bool),
    /// A square wave.
    Wave {
        /// Periods a second.
        hz: f64,
        /// The part of a period for which it is high: more than 0, less than 1.
        duty: f64,
    },
}

/// A channel puts out something else.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OutputChange {
    /// Nanoseconds since power-on.
    pub ns: u64,
    /// 0 to 7.
    pub slice: usize,
    /// 0 is A, 1 is B.
    pub channel: usize,
    /// What it puts out from then on.
    pub output: Output,
}
