//! The voltage at an analogue input as a function of time.

use std::fmt;
use std::sync::Arc;

/// Voltage at an analogue input. Times are nanoseconds since the chip was created.
#[derive(Clone)]
pub enum AnalogInput {
    /// A constant voltage.
    Volts(f64),
    /// Points of time and voltage in order of time, with straight lines between them. Before the
    /// first point the first voltage applies, after the last point the last one. An empty table is
    /// 0 V.
    Table(Arc<[(u64, f64)]>),
    /// A function of time. It must return equal voltages for equal times, or two equal runs differ.
    Function(Arc<dyn Fn(u64) -> f64 + Send + Sync>),
}

impl AnalogInput {
    /// Returns the voltage at `ns`.
    pub fn volts(&self, ns: u64) -> f64 {
        match self {
            Self::Volts(volts) => *volts,
            Self::Table(points) => between(points, ns),
            Self::Function(volts) => volts(ns),
        }
    }

    /// Returns the voltage of the chip's temperature sensor at `celsius` degrees (datasheet 4.9.5).
    pub fn sensor_volts(celsius: f64) -> f64 {
        0.706 - (celsius - 27.0) * 0.001_721
    }
}

/// Returns the voltage at `ns` on the lines between `points`.
fn between(points: &[(u64, f64)], ns: u64) -> f64 {
    let later = points.partition_point(|(at, _)| *at <= ns);
    let before = later.checked_sub(1).and_then(|index| points.get(index));
    match (before, points.get(later)) {
        (Some((_, volts)), None) | (None, Some((_, volts))) => *volts,
        (Some((start, from)), Some((end, to))) => {
            from + (to - from) * (ns - start) as f64 / (end - start) as f64
        }
        (None, None) => 0.0,
    }
}

impl fmt::Debug for AnalogInput {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Volts(volts) => f.debug_tuple("Volts").field(volts).finish(),
            Self::Table(points) => f.debug_tuple("Table").field(&points.len()).finish(),
            Self::Function(_) => f.write_str("Function"),
        }
    }
}
