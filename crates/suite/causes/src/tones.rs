//! Compares two melodies: frequencies in hertz, 0 for silence.

/// The difference between two melodies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ToneDifference {
    /// All notes are the same.
    None,
    /// These frequencies are others wherever they occur, and nothing else differs.
    Replaced(Vec<(u32, u32)>),
    /// The first note that differs; `None` if there is none.
    Diverged {
        /// Index of the note.
        note: usize,
        hertz: [Option<u32>; 2],
    },
}

/// Compares the frequencies of two melodies.
pub fn compare(before: &[u32], after: &[u32]) -> ToneDifference {
    let longer = before.len().max(after.len());
    let Some(note) = (0..longer).find(|note| before.get(*note) != after.get(*note)) else {
        return ToneDifference::None;
    };
    let mut replaced: Vec<(u32, u32)> = Vec::new();
    let is_replacement = before.len() == after.len()
        && before.iter().zip(after).all(|(was, is)| {
            match replaced.iter().find(|(from, _)| from == was) {
                Some((_, to)) => to == is,
                None => {
                    replaced.push((*was, *is));
                    true
                }
            }
        });
    if is_replacement && replaced.iter().all(|(was, is)| (*was == 0) == (*is == 0)) {
        replaced.retain(|(was, is)| was != is);
        return ToneDifference::Replaced(replaced);
    }
    let hertz = [before, after].map(|side| side.get(note).copied());
    ToneDifference::Diverged { note, hertz }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_note_that_is_another_everywhere_is_replaced() {
        assert_eq!(compare(&[440, 0, 880], &[440, 0, 880]), ToneDifference::None);
        assert_eq!(
            compare(&[440, 0, 880, 0, 440], &[441, 0, 880, 0, 441]),
            ToneDifference::Replaced(vec![(440, 441)])
        );
    }

    #[test]
    fn another_melody_is_named_by_its_first_note() {
        let hertz = [Some(880), Some(220)];
        assert_eq!(
            compare(&[440, 0, 880, 0, 440], &[440, 0, 220, 0, 220]),
            ToneDifference::Diverged { note: 2, hertz }
        );
        assert_eq!(
            compare(&[440], &[]),
            ToneDifference::Diverged { note: 0, hertz: [Some(440), None] }
        );
        // Silence in place of a note is no other frequency.
        assert_eq!(
            compare(&[440], &[0]),
            ToneDifference::Diverged { note: 0, hertz: [Some(440), Some(0)] }
        );
    }
}
