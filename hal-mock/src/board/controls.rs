//! The parts that a person moves besides the buttons: where each is at a time.
//!
//! A movement takes effect at the time of its call, or just after the last change that the machine
//! has already read; an encoder passes its edges one by one. Movements are stored in order. The
//! module knows no pin: `boards` makes levels and voltages of positions.

use std::collections::VecDeque;

use trace::{Control, ControlKind, Controls, DRAG_STEP, Movement, Point, Share};
use virtual_time::{Instant, Nanos};

/// Maximum number of movements of a control that have not begun; later ones are dropped.
const MOVEMENTS_MAX: usize = 4_096;

/// A control, and its position before the first movement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ControlConfig {
    pub kind: ControlKind,
    pub name: String,
    pub position: Position,
    /// Number of edges of an encoder between two detents, at least 1.
    pub edges: u8,
}

/// Position of a control.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Position {
    /// Number of edges of an encoder, clockwise from the beginning.
    Edges(i64),
    /// Whether a switch is on.
    Switch(bool),
    /// Voltages of the axes as shares of 3.3 V; a potentiometer has only the first.
    Axes(Share, Share),
    /// Pixel under the finger on a touch panel; `None` without a finger.
    Touch(Option<Point>),
}

/// A movement that is not over.
#[derive(Clone, Debug)]
struct Motion {
    from: Instant,
    lasts: Nanos,
    /// Number of changes of the position, at least 1.
    changes: u32,
    /// Number of changes that are over.
    done: u32,
    step: Step,
}

#[derive(Clone, Copy, Debug)]
enum Step {
    /// One edge of an encoder, clockwise if positive.
    Edge(i64),
    To(Position),
    /// One step of a finger towards a pixel, at the end of its time. `from` is the pixel at the
    /// beginning of the drag, from its first step on.
    Slide {
        from: Option<Point>,
        to: Point,
    },
}

/// Returns the pixel after `done` of `changes` steps from `from` to `to`.
fn between(from: Point, to: Point, done: u32, changes: u32) -> Point {
    let at = |from: u16, to: u16| {
        let way = i64::from(to) - i64::from(from);
        let part =
            (way * i64::from(done) * 2 + i64::from(changes)).div_euclid(2 * i64::from(changes));
        // Between the two.
        u16::try_from(i64::from(from) + part).unwrap_or(to)
    };
    Point { x: at(from.x, to.x), y: at(from.y, to.y) }
}

impl Motion {
    /// Returns the time of the next change.
    fn next(&self) -> Instant {
        let (whole, changes) = (u128::from(self.lasts.0), u128::from(self.changes));
        let over = self.done + u32::from(matches!(self.step, Step::Slide { .. }));
        // At most `lasts`, because `over` is at most `changes`.
        let after = (whole * u128::from(over) / changes) as u64;
        self.from.saturating_add(Nanos(after))
    }

    fn end(&self) -> Instant {
        self.from.saturating_add(self.lasts)
    }
}

#[derive(Clone, Debug)]
struct ControlState {
    /// Position before the first movement.
    rest: Position,
    position: Position,
    edges: u8,
    motions: VecDeque<Motion>,
    /// Time of the last change that was read.
    read_until: Option<Instant>,
}

/// The controls of a board.
#[derive(Clone, Debug, Default)]
pub(super) struct ControlPanel {
    controls: Controls,
    states: Vec<ControlState>,
}

impl ControlPanel {
    /// Creates the controls. Those beyond the limit of a board are left out.
    pub(super) fn new(configs: &[ControlConfig]) -> Self {
        let parts = configs.iter().map(|config| (config.kind, config.name.as_str()));
        let controls = Controls::new(parts).unwrap_or_default();
        let state = |config: &ControlConfig| ControlState {
            rest: config.position,
            position: config.position,
            edges: config.edges.max(1),
            motions: VecDeque::new(),
            read_until: None,
        };
        let states = configs.iter().take(controls.all().len()).map(state).collect();
        Self { controls, states }
    }

    pub(super) fn controls(&self) -> &Controls {
        &self.controls
    }

    /// Moves a control from `at` on, after its earlier movements. A movement that its kind does not
    /// have does nothing.
    pub(super) fn start(&mut self, at: Instant, control: Control, movement: Movement) {
        let Some(state) = self.states.get_mut(control.index()) else { return };
        let (changes, step) = match (movement, state.position) {
            (Movement::Touch { at, .. }, Position::Touch(_)) => {
                (1, Step::To(Position::Touch(Some(at))))
            }
            (Movement::Lift, Position::Touch(_)) => (1, Step::To(Position::Touch(None))),
            (Movement::Drag { to, over }, Position::Touch(_)) => {
                let steps = over.0.div_ceil(DRAG_STEP.0).max(1);
                (u32::try_from(steps).unwrap_or(u32::MAX), Step::Slide { from: None, to })
            }
            (Movement::Turn { by, .. }, Position::Edges(_)) if by != 0 => {
                let edges = u32::from(by.unsigned_abs()) * u32::from(state.edges);
                (edges, Step::Edge(i64::from(by.signum())))
            }
            (Movement::Switch(on), Position::Switch(_)) => (1, Step::To(Position::Switch(on))),
            (Movement::Set { x, y }, Position::Axes(..)) => {
                (1, Step::To(Position::Axes(x, y.unwrap_or(x))))
            }
            _ => return,
        };
        if state.motions.len() >= MOVEMENTS_MAX {
            return;
        }
        let after_read = state.read_until.map_or(at, |read| read.saturating_add(Nanos(1)));
        let after_others = state.motions.back().map_or(at, Motion::end);
        let from = at.max(after_read).max(after_others);
        state.motions.push_back(Motion { from, lasts: movement.lasts(), changes, done: 0, step });
        if let Movement::Touch { hold: Some(hold), .. } = movement {
            let (from, step) = (from.saturating_add(hold), Step::To(Position::Touch(None)));
            let lift = Motion { from, lasts: Nanos::ZERO, changes: 1, done: 0, step };
            state.motions.push_back(lift);
        }
    }

    /// Returns the time of the next change that was not read.
    pub(super) fn next_change(&self) -> Option<Instant> {
        self.states.iter().filter_map(|state| state.motions.front()).map(Motion::next).min()
    }

    /// Returns the time at which the last movement is over; [`Instant::START`] without one.
    pub(super) fn until(&self) -> Instant {
        let ends = self.states.iter().filter_map(|state| state.motions.back()).map(Motion::end);
        ends.max().unwrap_or_default()
    }

    /// Applies the changes up to `at`.
    pub(super) fn advance(&mut self, at: Instant) {
        for state in &mut self.states {
            while let Some(motion) = state.motions.front_mut().filter(|motion| motion.next() <= at)
            {
                state.read_until = Some(motion.next());
                match (&mut motion.step, &mut state.position) {
                    (Step::Edge(step), Position::Edges(edges)) => *edges += *step,
                    (Step::To(position), own) => *own = *position,
                    (Step::Slide { from, to }, Position::Touch(at)) => {
                        let from = *from.get_or_insert(at.unwrap_or(*to));
                        *at = Some(between(from, *to, motion.done + 1, motion.changes));
                    }
                    (Step::Edge(_) | Step::Slide { .. }, _) => {}
                }
                motion.done += 1;
                if motion.done >= motion.changes {
                    state.motions.pop_front();
                }
            }
        }
    }

    /// Returns the position up to the changes that were applied.
    pub(super) fn position(&self, index: usize) -> Option<Position> {
        self.states.get(index).map(|state| state.position)
    }

    /// Returns the position before the first movement.
    pub(super) fn rest(&self, index: usize) -> Option<Position> {
        self.states.get(index).map(|state| state.rest)
    }
}

#[cfg(test)]
mod tests {
    use trace::TouchArea;

    use super::*;

    const AREA: TouchArea = TouchArea { display: 0, width: 320, height: 240 };

    fn panel() -> ControlPanel {
        let of = |kind, name: &str, position| ControlConfig {
            kind,
            name: name.into(),
            position,
            edges: 4,
        };
        ControlPanel::new(&[
            of(ControlKind::Encoder, "ENC", Position::Edges(0)),
            of(ControlKind::Switch, "S", Position::Switch(false)),
            of(ControlKind::Joystick, "JOY", Position::Axes(Share::ZERO, Share::ZERO)),
            of(ControlKind::Touch(AREA), "PAD", Position::Touch(None)),
        ])
    }

    /// Applies all changes, and returns their times in microseconds with the encoder's position.
    fn turned(panel: &mut ControlPanel) -> Vec<(u64, i64)> {
        let mut turned = Vec::new();
        while let Some(at) = panel.next_change() {
            panel.advance(at);
            if let Some(Position::Edges(edges)) = panel.position(0) {
                turned.push((at.0 / 1_000, edges));
            }
        }
        turned
    }

    fn turn(by: i16, over_ms: Option<u64>) -> Movement {
        Movement::Turn { by, over: over_ms.map(Nanos::from_millis) }
    }

    #[test]
    fn a_turn_has_four_edges_for_each_detent_at_even_times() {
        let mut panel = panel();
        let encoder = panel.controls().named("ENC").unwrap();
        panel.start(Instant::from_millis(1), encoder, turn(1, None));
        assert_eq!(turned(&mut panel), [(1_000, 1), (7_250, 2), (13_500, 3), (19_750, 4)]);
        panel.start(Instant::from_millis(100), encoder, turn(-1, Some(4)));
        assert_eq!(turned(&mut panel), [(100_000, 3), (101_000, 2), (102_000, 1), (103_000, 0)]);
    }

    #[test]
    fn a_turn_begins_after_the_one_before_it() {
        let mut panel = panel();
        let encoder = panel.controls().named("ENC").unwrap();
        panel.start(Instant::from_millis(0), encoder, turn(1, Some(8)));
        panel.start(Instant::from_millis(1), encoder, turn(-1, Some(4)));
        let turned = turned(&mut panel);
        assert_eq!(
            turned.iter().map(|(_, edges)| *edges).collect::<Vec<_>>(),
            [1, 2, 3, 4, 3, 2, 1, 0]
        );
        assert_eq!(turned[4].0, 8_000);
    }

    #[test]
    fn a_late_movement_comes_after_what_was_read() {
        let mut panel = panel();
        let switch = panel.controls().named("S").unwrap();
        panel.start(Instant::from_millis(5), switch, Movement::Switch(true));
        panel.advance(Instant::from_millis(9));
        assert_eq!(panel.position(1), Some(Position::Switch(true)));
        assert_eq!(panel.rest(1), Some(Position::Switch(false)));
        panel.start(Instant::from_millis(3), switch, Movement::Switch(false));
        assert_eq!(panel.next_change(), Some(Instant(5_000_001)));
    }

    #[test]
    fn a_movement_of_another_kind_does_nothing() {
        let mut panel = panel();
        let stick = panel.controls().named("JOY").unwrap();
        panel.start(Instant::START, stick, Movement::Switch(true));
        assert_eq!(panel.next_change(), None);
        let (x, y) = (Share::from_percent(50), Share::from_percent(10));
        panel.start(Instant::START, stick, Movement::Set { x, y: Some(y) });
        panel.advance(Instant::START);
        assert_eq!(panel.position(2), Some(Position::Axes(x, y)));
    }

    /// Applies all changes, and returns their times in milliseconds with the finger's pixel.
    fn touched(panel: &mut ControlPanel) -> Vec<(u64, Option<(u16, u16)>)> {
        let mut touched = Vec::new();
        while let Some(at) = panel.next_change() {
            panel.advance(at);
            if let Some(Position::Touch(point)) = panel.position(3) {
                touched.push((at.0 / 1_000_000, point.map(|point| (point.x, point.y))));
            }
        }
        touched
    }

    #[test]
    fn a_touch_with_a_time_ends_with_a_lift() {
        let mut panel = panel();
        let pad = panel.controls().named("PAD").unwrap();
        let at = |x, y| Point { x, y };
        let hold = Some(Nanos::from_millis(80));
        let touch = Movement::Touch { at: at(10, 20), hold };
        panel.start(Instant::from_millis(5), pad, touch);
        assert_eq!(touched(&mut panel), [(5, Some((10, 20))), (85, None)]);
        // A touch during another one begins when that one is over, without a lift in between.
        panel.start(Instant::from_millis(100), pad, touch);
        let second = Movement::Touch { at: at(1, 2), hold: None };
        panel.start(Instant::from_millis(101), pad, second);
        assert_eq!(touched(&mut panel), [(100, Some((10, 20))), (180, Some((1, 2)))]);
        panel.start(Instant::from_millis(200), pad, Movement::Lift);
        assert_eq!(touched(&mut panel), [(200, None)]);
    }

    #[test]
    fn a_drag_passes_pixels_every_10_ms_and_ends_on_its_own() {
        let mut panel = panel();
        let pad = panel.controls().named("PAD").unwrap();
        let touch = Movement::Touch { at: Point { x: 100, y: 7 }, hold: None };
        panel.start(Instant::START, pad, touch);
        let (to, over) = (Point { x: 0, y: 8 }, Nanos::from_millis(40));
        panel.start(Instant::START, pad, Movement::Drag { to, over });
        let expected = [(0, (100, 7)), (10, (75, 7)), (20, (50, 8)), (30, (25, 8)), (40, (0, 8))];
        assert_eq!(touched(&mut panel), expected.map(|(at, point)| (at, Some(point))));
        // Without a finger it goes down at the end.
        panel.start(Instant::from_millis(50), pad, Movement::Lift);
        panel.start(Instant::from_millis(50), pad, Movement::Drag { to, over: DRAG_STEP });
        assert_eq!(touched(&mut panel), [(50, None), (60, Some((0, 8)))]);
    }

    #[test]
    fn waiting_movements_are_bounded() {
        let mut panel = panel();
        let encoder = panel.controls().named("ENC").unwrap();
        for _ in 0..2 * MOVEMENTS_MAX {
            panel.start(Instant::START, encoder, turn(1, None));
        }
        assert_eq!(panel.states[0].motions.len(), MOVEMENTS_MAX);
    }
}
