//! Draws a trace's buttons and frames over time as an SVG picture of a few kilobytes, for a trace
//! of any length.
//!
//! One lane per button: T1 to T6 above B1 to B6 above RESET, with the frames below. Colour repeats
//! the information of the lanes. The buttons of another board have their lanes in pin order.

use hal_mock::replay::Event;
use trace::{BoardFault, Button, ButtonMap, Buttons, counted};
use virtual_time::Instant;

use super::history::History;

/// Width of the picture in its own units. Anything shorter than one unit is drawn as one.
const WIDTH: u64 = 600;
/// Height of a button's lane.
const LANE: usize = 2;
/// Gap between the last button's lane and that of the frames, and the height of the latter.
const FRAMES_GAP: usize = 2;
const FRAMES_HEIGHT: usize = 6;
/// Number of bars among which an earlier one of the same lane is searched for.
const BARS_SEARCHED: usize = 26;
/// Width of the mark of a failure, and of its flag.
const MARK: u64 = 4;
const FLAG: u64 = 14;

/// Draws `history` of a board with these buttons, which ended at `ended_at`, with marks at the times
/// in `failed`.
pub(crate) fn svg(
    history: &History,
    board: &Buttons,
    ended_at: Instant,
    failed: &[Instant],
) -> String {
    let lanes = Lanes::of(board);
    let (frames_top, height) = (lanes.frames_top(), lanes.height());
    let scale = Scale { end: ended_at.0.max(1) };
    let mut buttons = [const { Bars::new() }; 3];
    let mut power = Bars::new();
    let mut down: ButtonMap<Option<Instant>> = ButtonMap::default();
    let mut off_since = Some(Instant::START);
    let mut presses = 0;
    for (at, event) in &history.events {
        match event {
            Event::PowerOn => {
                if let Some(since) = off_since.take() {
                    power.add(scale.span(since, *at), 0, height);
                }
            }
            Event::PowerOff | Event::Fault(BoardFault::PowerCut) => off_since = Some(*at),
            Event::Press(button) => {
                presses += 1;
                *down.at(*button) = Some(*at);
            }
            Event::Release(button) => {
                if let Some(since) = down.at(*button).take() {
                    let (kind, lane) = lanes.lane(*button);
                    buttons[kind].add(scale.span(since, *at), lane * LANE, LANE);
                }
            }
            Event::Found | Event::Settled | Event::Fault(_) => {}
        }
    }
    for button in board.all() {
        if let Some(since) = down.of(*button) {
            let (kind, lane) = lanes.lane(*button);
            buttons[kind].add(scale.span(since, ended_at), lane * LANE, LANE);
        }
    }
    if let Some(since) = off_since {
        power.add(scale.span(since, ended_at), 0, height);
    }
    let mut frames = Bars::new();
    for frame in history.frames.iter().take_while(|frame| frame.at <= ended_at) {
        frames.add(scale.span(frame.at, frame.at), frames_top, FRAMES_HEIGHT);
    }
    let marks: String = failed.iter().map(|at| mark(scale.span(*at, *at).0, height)).collect();
    let count = history.frames.len();
    let [presses, count] =
        [(presses, "press"), (count, "frame")].map(|(number, noun)| counted(number, noun));
    let label = format!("{presses}, {count} in {:.1} s", ended_at.as_secs_f64());
    let [bottom, top, reset] = buttons;
    let layers = [("o", power), ("f", frames), ("b", bottom), ("t", top), ("r", reset)];
    let mut svg = format!(
        "<svg class=tl viewBox=\"0 0 {WIDTH} {height}\" preserveAspectRatio=none role=img \
         aria-label=\"{label}\" data-end={}>",
        ended_at.0
    );
    for (class, bars) in layers {
        let path = bars.path();
        if !path.is_empty() {
            svg += &format!("<path class={class} d=\"{path}\"/>");
        }
    }
    if !marks.is_empty() {
        svg += &format!("<path class=x d=\"{marks}\"/>");
    }
    svg + "</svg>"
}

/// Draws a failure at `x`: a line with a flag on both sides, entirely within the picture of that
/// height even at its edges.
fn mark(x: u64, height: usize) -> String {
    let middle = x.clamp(FLAG / 2, WIDTH - FLAG / 2);
    let (left, line) = (middle - FLAG / 2, middle - MARK / 2);
    format!(
        "M{left} 0h{FLAG}l-{half} 9l-{half} -9zM{line} 0h{MARK}v{height}h-{MARK}z",
        half = FLAG / 2
    )
}

/// The lanes of a board's buttons.
struct Lanes {
    count: usize,
    is_lcd_board: bool,
}

impl Lanes {
    fn of(board: &Buttons) -> Self {
        Self { count: board.all().len(), is_lcd_board: *board == Buttons::lcd_board() }
    }

    /// Returns the layer that draws a button, and the button's lane from the top.
    fn lane(&self, button: Button) -> (usize, usize) {
        match button.index() {
            index if !self.is_lcd_board => (0, index),
            index @ 0..6 => (0, index + 6),
            index @ 6..12 => (1, index - 6),
            _ => (2, 12),
        }
    }

    /// Returns the top of the frames' lane.
    fn frames_top(&self) -> usize {
        self.count * LANE + FRAMES_GAP
    }

    fn height(&self) -> usize {
        self.frames_top() + FRAMES_HEIGHT
    }
}

struct Scale {
    end: u64,
}

impl Scale {
    /// Returns the start and the width of a span.
    fn span(&self, from: Instant, to: Instant) -> (u64, u64) {
        let x = |at: Instant| {
            let at = u128::from(at.0.min(self.end)) * u128::from(WIDTH) / u128::from(self.end);
            u64::try_from(at).unwrap_or(WIDTH)
        };
        let left = x(from).min(WIDTH - 1);
        (left, (x(to).saturating_sub(left)).max(1))
    }
}

/// Rectangles of the lanes. Adjacent ones in one lane are merged.
struct Bars(Vec<(usize, usize, u64, u64)>);

impl Bars {
    const fn new() -> Self {
        Self(Vec::new())
    }

    fn add(&mut self, (x, width): (u64, u64), top: usize, height: usize) {
        // Searches backwards for the latest bar of the same lane. A layer has few lanes, so it is
        // near the end.
        let same = self.0.iter_mut().rev().take(BARS_SEARCHED);
        for bar in same {
            if (bar.0, bar.1) == (top, height) && x <= bar.2 + bar.3 && x >= bar.2 {
                bar.3 = bar.3.max(x + width - bar.2);
                return;
            }
        }
        self.0.push((top, height, x, width));
    }

    fn path(&self) -> String {
        let bar = |(top, height, x, width): &(usize, usize, u64, u64)| {
            format!("M{x} {top}h{width}v{height}h-{width}z")
        };
        self.0.iter().map(bar).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::history::FrameSeen;

    fn ms(millis: u64) -> Instant {
        Instant::from_millis(millis)
    }

    #[test]
    fn a_press_is_drawn_in_its_lane_until_its_release() {
        let events = vec![
            (ms(0), Event::PowerOn),
            (ms(100), Event::Press(Button::B1)),
            (ms(200), Event::Release(Button::B1)),
            (ms(300), Event::Press(Button::Reset)),
        ];
        let drawn = svg(&History::new(events, Vec::new()), &Buttons::lcd_board(), ms(600), &[]);
        assert!(drawn.contains("<path class=b d=\"M100 12h100v2h-100z\"/>"), "{drawn}");
        assert!(drawn.contains("<path class=r d=\"M300 24h300v2h-300z\"/>"), "{drawn}");
        assert!(drawn.contains("aria-label=\"2 presses, 0 frames in 0.6 s\""), "{drawn}");
    }

    #[test]
    fn every_button_of_a_keyboard_has_its_lane_above_the_frames() {
        let names: Vec<String> = (0..40).map(|nth| format!("K{nth}")).collect();
        let buttons = Buttons::new(names.iter().map(String::as_str)).unwrap();
        let last = *buttons.all().last().unwrap();
        let events = vec![(ms(0), Event::PowerOn), (ms(100), Event::Press(last))];
        let history = History::new(events, vec![FrameSeen { at: ms(200), look: 0 }]);
        let drawn = svg(&history, &buttons, ms(600), &[]);
        assert!(drawn.contains("viewBox=\"0 0 600 88\""), "{drawn}");
        assert!(drawn.contains("<path class=b d=\"M100 78h500v2h-500z\"/>"), "{drawn}");
        assert!(drawn.contains("<path class=f d=\"M200 82h1v6h-1z\"/>"), "{drawn}");
    }

    #[test]
    fn a_million_frames_are_a_few_kilobytes() {
        let frames = (0..1_000_000).map(|nth| FrameSeen { at: ms(nth * 7), look: 0 }).collect();
        let drawn =
            svg(&History::new(Vec::new(), frames), &Buttons::lcd_board(), ms(7_000_000), &[ms(5)]);
        assert!(drawn.len() < 4_000, "{} bytes", drawn.len());
    }

    #[test]
    fn a_failure_at_an_end_is_marked_within_the_picture() {
        let at = |millis| {
            let drawn = svg(&History::default(), &Buttons::lcd_board(), ms(600), &[ms(millis)]);
            drawn.split("class=x d=\"").nth(1).unwrap().split('"').next().unwrap().to_owned()
        };
        assert_eq!(at(600), "M586 0h14l-7 9l-7 -9zM591 0h4v34h-4z");
        assert_eq!(at(0), "M0 0h14l-7 9l-7 -9zM5 0h4v34h-4z");
        assert_eq!(at(300), "M293 0h14l-7 9l-7 -9zM298 0h4v34h-4z");
    }

    #[test]
    fn a_trace_that_ends_at_once_is_drawn() {
        assert!(
            svg(&History::default(), &Buttons::lcd_board(), Instant::START, &[Instant::NEVER])
                .contains("class=x")
        );
    }
}
