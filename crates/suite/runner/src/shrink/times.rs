//! Shorter and rounder times for a line of a trace. Each step makes the time smaller or takes a
//! digit off it, so that a search over them comes to an end.

use trace::{Action, Line, TAP_HOLD, When};
use virtual_time::Nanos;

/// Round units in nanoseconds: a time is rounded down to a multiple of the largest that fits.
const ROUND: [u64; 5] = [1_000_000_000, 100_000_000, 10_000_000, 1_000_000, 1_000];

/// `line` with shorter times, the shortest first.
pub(super) fn shorter_lines(line: &Line) -> Vec<Line> {
    let mut lines = Vec::new();
    if let When::After(span) = line.when {
        let with = |span| Line { when: When::After(span), ..line.clone() };
        lines.extend(shorter(span, Nanos::ZERO).into_iter().map(with));
    }
    if let Action::Tap { button, hold: Some(hold) } = line.action {
        let with = |hold| Line { action: Action::Tap { button, hold }, ..line.clone() };
        lines.push(with(None));
        // A longer one than the usual may be what matters; a shorter one is a glitch.
        if hold > TAP_HOLD {
            lines.extend(shorter(hold, TAP_HOLD).into_iter().map(|hold| with(Some(hold))));
        }
    }
    lines
}

/// Times between `least` and `span`, without `span`, in growing order.
fn shorter(span: Nanos, least: Nanos) -> Vec<Nanos> {
    if span <= least {
        return Vec::new();
    }
    let half = least.0 + (span.0 - least.0) / 2;
    let rounded = ROUND.map(|unit| span.0 / unit * unit);
    let mut times: Vec<u64> = rounded.into_iter().filter(|time| *time >= least.0.max(1)).collect();
    times.push(least.0);
    // Halving less than 2 ms makes no trace easier to read. Where a half is too much to take off, a
    // quarter or an eighth may not be; the rest is rounded accordingly.
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
    fn every_time_comes_to_nothing_in_few_steps() {
        for span in [1, 999, 1_234_567, 1_500_000_000, u64::MAX / 4] {
            let mut span = Nanos(span);
            let mut steps = 0;
            // The worst: always the longest of them.
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
