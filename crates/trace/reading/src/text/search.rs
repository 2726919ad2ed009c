//! Finds a text on the panel: in a line, along a row of lines side by side, or continued in the
//! line below.
//!
//! The module knows lines and their order, no pixel and no font; [`ScreenText`] defines which lines
//! are beside and below a line.

use std::borrow::Cow;
use std::collections::BTreeSet;

use super::ScreenText;
use ili9341_model::frame::Region;

/// Returns where `wanted` is on `screen`: the region of the lines, or parts of lines, that contain
/// it; see [`ScreenText::find`].
pub(super) fn find(screen: &ScreenText, wanted: &str) -> Option<Region> {
    let wanted = fold(wanted);
    let lines: Vec<Cow<'_, str>> = screen.lines.iter().map(|line| fold(&line.text)).collect();
    if let Some(index) = lines.iter().position(|line| line.contains(&*wanted)) {
        return Some(screen.lines[index].area());
    }
    // From here on, the text must begin with the end of some line.
    let beside = beside(screen);
    let mut search = Search { screen, lines: &lines, beside: &beside, failed: BTreeSet::new() };
    lines.iter().enumerate().find_map(|(index, line)| {
        line.char_indices().find_map(|(start, _)| {
            let rest = wanted.strip_prefix(&line[start..])?.strip_prefix(' ')?;
            Some(both(screen.lines[index].area(), search.goes_on(index, rest)?))
        })
    })
}

/// Returns the continuous texts on `screen`: its rows, and each line with the lines below it.
pub(super) fn readings(screen: &ScreenText) -> Vec<String> {
    let rows = screen
        .rows()
        .map(|row| row.iter().map(|line| line.text.as_str()).collect::<Vec<_>>().join(" "));
    let columns = (0..screen.lines.len()).filter_map(|index| {
        let mut text = screen.lines[index].text.clone();
        let mut last = index;
        // Terminates: every line is lower than the one above.
        while let Some(below) = screen.below(last).next() {
            text = text + " " + &screen.lines[below].text;
            last = below;
        }
        (last != index).then_some(text)
    });
    rows.chain(columns).collect()
}

/// Returns `text` with all white space as single spaces, and none at its ends.
fn fold(text: &str) -> Cow<'_, str> {
    let is_word = |word: &str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_graphic());
    // Most texts have only single spaces.
    if text.split(' ').all(is_word) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// Returns the smallest region that contains both.
fn both(one: Region, other: Region) -> Region {
    let (x, y) = (one.x.min(other.x), one.y.min(other.y));
    let right = one.x.saturating_add(one.width).max(other.x.saturating_add(other.width));
    let bottom = one.y.saturating_add(one.height).max(other.y.saturating_add(other.height));
    Region { x, y, width: right - x, height: bottom - y }
}

/// Returns the next line in its row for each line.
fn beside(screen: &ScreenText) -> Vec<Option<usize>> {
    let mut beside = Vec::with_capacity(screen.lines.len());
    for row in screen.rows() {
        let end = beside.len() + row.len();
        beside.extend((beside.len() + 1..=end).map(|next| (next < end).then_some(next)));
    }
    beside
}

/// The search for a text over several lines; it stores failed starts, so its work is bounded by
/// lines times letters.
struct Search<'a> {
    screen: &'a ScreenText,
    lines: &'a [Cow<'a, str>],
    beside: &'a [Option<usize>],
    failed: BTreeSet<(usize, usize)>,
}

impl Search<'_> {
    /// Returns where `rest` is after line `index`: it begins the next line.
    fn goes_on(&mut self, index: usize, rest: &str) -> Option<Region> {
        if self.failed.contains(&(index, rest.len())) {
            return None;
        }
        let screen = self.screen;
        let found = self.beside[index].into_iter().chain(screen.below(index)).find_map(|next| {
            let (line, area) = (&self.lines[next], screen.lines[next].area());
            if line.starts_with(rest) {
                return Some(area);
            }
            let rest = rest.strip_prefix(line.as_ref())?.strip_prefix(' ')?;
            Some(both(area, self.goes_on(next, rest)?))
        });
        if found.is_none() {
            self.failed.insert((index, rest.len()));
        }
        found
    }
}
