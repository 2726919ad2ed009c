//! Shorter and rounder times for a line of a trace. Each step makes the time smaller or removes a
//! digit, so a search over them terminates.

use trace::{Action, Line, TAP_HOLD, When};
use virtual_time::Nanos;

/// Round units in nanoseconds. A time is rounded down to a multiple of each.
const ROUND: [u64; 5] = [1_000_000_000, 100_000_000, 10_000_000, 1_000_000, 1_000];

/// Returns `line` with shorter times, the shortest first.
pub(super) fn shorter_lines(line: &Line) -> Vec<Line> {
    let mut lines = Vec::new();
    if let When::After(span) = line.when {
        let with = |span| Line { when: When::After(span), ..line.clone() };
        lines.extend(shorter(span, Nanos::ZERO).into_iter().map(with));
    }
    if let Action::Tap { button, hold: Some(hold) } = line.action {
        let with = |hold| Line { action: Action::Tap { button, hold }, ..line.clone() };
        lines.push(with(None));
        // A tap longer than the default may be the cause of a failure; a shorter one is a glitch.
        if hold > TAP_HOLD {
            lines.extend(shorter(hold, TAP_HOLD).into_iter().map(|hold| with(Some(hold))));
        }
    }
    lines
}

/// Returns times from `least` up to but excluding `span`, in increasing order.
fn shorter(span: Nanos, least: Nanos) -> Vec<Nanos> {
    if span <= least {
        return Vec::new();
    }
    let half = least.0 + (span.0 - least.0) / 2;
    let rounded = ROUND.map(|unit| span.0 / unit * unit);
    let mut times: Vec<u64> = rounded.into_iter().filter(|time| *time >= least.0.max(1)).collect();
    times.push(least.0);
    // Halving less than 2 ms does not make a trace easier to read. If subtracting a half is too
    // much, a quarter or an eighth may work; the result is rounded accordingly.
    if half - least.0 >= ROUND[3] {
        times.push(half / ROUND[3] * ROUND[3]);
        for part in [4, 8] {
            let off = (span.0 - least.0) / part;
            let unit = ROUND.into_iter().find(|unit| *unit <= off).unwrap_or_default();
            let unit = unit.max(ROUND[3]);
            times.push((span.0 - off) / unit * unit);
        }
    }
    times.retain(|time| *time < span.0 && *time >= least.0);
    times.sort_unstable();
    times.dedup();
    times.into_iter().map(Nanos).collect()
}

#[cfg(test)]
mod tests {
    use super::shorter;
    use virtual_time::Nanos;

    #[test]
    fn every_time_reaches_zero_in_few_steps() {
        for span in [1, 999, 1_234_567, 1_500_000_000, u64::MAX / 4] {
            let mut span = Nanos(span);
            let mut steps = 0;
            // Worst case: always the longest of the shorter times.
            while let Some(next) = shorter(span, Nanos::ZERO).last() {
                assert!(*next < span);
                span = *next;
                steps += 1;
                assert!(steps < 400, "{span}");
            }
        }
    }

    #[test]
    fn the_shortest_comes_first() {
        let ms = Nanos::from_millis;
        assert_eq!(shorter(ms(1_234), Nanos::ZERO)[0], Nanos::ZERO);
        assert_eq!(shorter(ms(1_234), ms(80))[0], ms(80));
        assert!(shorter(ms(1_234), Nanos::ZERO).contains(&ms(1_000)));
    }
}
