//! The total of stones is constant, in the `position` lines of the console.

use hal_mock::board::ConsoleLine;
use insight::BrokenInvariant;
use virtual_time::Instant;

use super::position::Position;

/// Valid totals: three, four or five stones in each of twelve cups.
const TOTALS: [u32; 3] = [36, 48, 60];

/// Returns the first `position` line whose stones do not add up.
pub(super) fn broken(lines: &[ConsoleLine]) -> Option<(Instant, BrokenInvariant)> {
    let mut before: Option<u32> = None;
    for line in lines {
        if line.text.contains("boot nudge=") {
            before = None;
        }
        // A suspended game was restored.
        if line.text.starts_with("restored ") {
            before = None;
        }
        let Some(position) = Position::of(&line.text) else { continue };
        let total = position.total();
        let opened = matches!(position.how, "-" | "load" | "resume");
        let kept = before.filter(|_| !opened).is_none_or(|before| before == total);
        if !kept || !TOTALS.contains(&total) {
            return Some((line.at, finding(before.filter(|_| !opened), total, &line.text)));
        }
        before = Some(total);
    }
    None
}

/// Returns the finding of a position with `total` stones, reported by `line`. `before` is the total
/// of the previous position, unless a game was opened since.
fn finding(before: Option<u32>, total: u32, line: &str) -> BrokenInvariant {
    let message = match before {
        Some(before) if before != total => {
            format!("there were {before} stones, now {total}: {line}")
        }
        _ => format!("there are {total} stones; a game has 36, 48 or 60: {line}"),
    };
    let evidence = format!("{:?}", made(before, total));
    BrokenInvariant { kind: super::STONES, evidence, message }
}

/// Returns whether the total of stones changed, and by how many; otherwise the total itself.
fn made(before: Option<u32>, total: u32) -> (bool, i64) {
    match before {
        Some(before) if before != total => (true, i64::from(total) - i64::from(before)),
        _ => (false, total.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(at: u64, text: &str) -> ConsoleLine {
        ConsoleLine { at: Instant::from_millis(at), text: text.into() }
    }

    fn position(board: &str, how: &str) -> ConsoleLine {
        let text =
            format!("position board={board} turn=0 move={how} event=none message=\"Player 1\"");
        line(1, &text)
    }

    const FOUR: &str = "4,4,4,4,4,4,0,4,4,4,4,4,4,0";
    const FIVE: &str = "5,5,5,5,5,5,0,5,5,5,5,5,5,0";

    #[test]
    fn the_total_of_stones_is_constant_until_a_game_is_opened() {
        assert_eq!(broken(&[position(FOUR, "-"), position(FIVE, "-"), position(FIVE, "3")]), None);
        let (_, made) = broken(&[position(FOUR, "-"), position(FIVE, "3")]).unwrap();
        assert!(
            made.message.starts_with("there were 48 stones, now 60: position board=5"),
            "{made:?}"
        );
    }

    #[test]
    fn a_game_that_is_restored_may_have_other_stones() {
        let back = line(1, "restored game=wari");
        assert_eq!(broken(&[position(FIVE, "-"), back, position(FOUR, "undo")]), None);
        assert!(broken(&[position(FIVE, "-"), position(FOUR, "undo")]).is_some());
    }

    #[test]
    fn an_invalid_total_is_wrong_even_in_the_first_line() {
        assert!(broken(&[position("4,4,4,4,4,4,0,4,4,4,4,4,4,1", "-")]).is_some());
    }

    #[test]
    fn the_finding_names_what_was_expected() {
        let message = |before, total| finding(before, total, "position").message;
        assert_eq!(message(Some(48), 49), "there were 48 stones, now 49: position");
        for before in [None, Some(49)] {
            let expected = "there are 49 stones; a game has 36, 48 or 60: position";
            assert_eq!(message(before, 49), expected);
        }
    }

    #[test]
    fn findings_are_compared_by_the_stones_that_were_made() {
        let check = |one: (Option<u32>, u32), other: (Option<u32>, u32), same| {
            let evidence = |(before, total)| finding(before, total, "position").evidence;
            assert_eq!(evidence(one) == evidence(other), same, "{one:?} {other:?}");
        };
        check((Some(48), 49), (Some(36), 37), true);
        check((Some(48), 49), (Some(48), 47), false);
        check((Some(48), 49), (None, 49), false);
        check((None, 49), (Some(49), 49), true);
        check((None, 49), (None, 50), false);
    }
}
