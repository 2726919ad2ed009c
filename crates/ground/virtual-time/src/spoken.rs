//! Formats a span of time for a message.

use crate::Nanos;

/// Formats a span for a sentence: `12.3 s`, `250 ms`, `1.180301824 s`; exact, in the largest unit
/// of which the span has at least one.
pub fn spoken(time: Nanos) -> String {
    const UNITS: [(u64, usize, &str); 4] =
        [(1_000_000_000, 9, "s"), (1_000_000, 6, "ms"), (1_000, 3, "us"), (1, 0, "ns")];
    let filled = |(scale, _, _): &&(u64, usize, &str)| time.0 >= *scale;
    let Some((scale, places, unit)) = UNITS.iter().find(filled) else {
        return "0 ms".into();
    };
    let (whole, rest) = (time.0 / scale, time.0 % scale);
    if rest == 0 {
        return format!("{whole} {unit}");
    }
    let decimals = format!("{rest:0places$}");
    format!("{whole}.{} {unit}", decimals.trim_end_matches('0'))
}
