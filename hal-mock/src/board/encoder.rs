//! The contacts of a rotary encoder at a position.
//!
//! Clockwise, contact A closes first, then B; A opens first, then B: four edges for one period.

/// Returns whether the contacts A and B are closed after this number of edges, clockwise from the
/// position in which both are open.
pub fn encoder_contacts(edges: i64) -> [bool; 2] {
    match edges.rem_euclid(4) {
        0 => [false, false],
        1 => [true, false],
        2 => [true, true],
        _ => [false, true],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_edge_changes_one_contact_and_a_leads_clockwise() {
        let text = |edges: std::ops::RangeInclusive<i64>| -> Vec<String> {
            edges
                .map(|edge| {
                    encoder_contacts(edge).map(|it| if it { 'x' } else { '-' }).iter().collect()
                })
                .collect()
        };
        assert_eq!(text(0..=4), ["--", "x-", "xx", "-x", "--"]);
        for edges in -9..9 {
            let (before, after) = (encoder_contacts(edges), encoder_contacts(edges + 1));
            let changed = before.iter().zip(after).filter(|(before, after)| *before != after);
            assert_eq!(changed.count(), 1, "{edges}");
        }
        assert_eq!(encoder_contacts(-1), [false, true]);
    }
}
