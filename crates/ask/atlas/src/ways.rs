//! Finds the screens from which no press that was tried leads back to a home screen.

use std::hash::Hash;

use super::explore::Found;

/// Returns the screens on which presses were tried and from which no path leads to a screen that is
/// `home`.
pub fn without_way_back<S: Clone + Eq + Hash>(
    found: &Found<S>,
    home: impl Fn(&S) -> bool,
) -> Vec<usize> {
    let count = found.screens.len();
    let mut into: Vec<Vec<usize>> = vec![Vec::new(); count];
    for (from, to) in found.ways.keys() {
        into[*to].push(*from);
    }
    let mut leads_home: Vec<bool> = found.screens.iter().map(|found| home(&found.screen)).collect();
    // A screen that was not tried may lead anywhere.
    for (leads, screen) in leads_home.iter_mut().zip(&found.screens) {
        *leads |= screen.at_rest && !screen.tried;
    }
    let mut waiting: Vec<usize> = (0..count).filter(|nth| leads_home[*nth]).collect();
    while let Some(to) = waiting.pop() {
        for from in &into[to] {
            if !std::mem::replace(&mut leads_home[*from], true) {
                waiting.push(*from);
            }
        }
    }
    (0..count).filter(|nth| !leads_home[*nth]).collect()
}
