//! Tidied recordings: the exact lines of examples; the order of edges, exhaustively and at random.

use std::collections::HashMap;

use proptest::collection::vec;
use proptest::prelude::*;

use super::*;
use crate::parse;
use Movement::{PowerOn, Press, Release};

const B3: Button = Button::LCD_BOARD[2];
const T1: Button = Button::LCD_BOARD[6];

#[track_caller]
fn check(movements: &[(u64, Movement)], screens: &[(usize, u64)], unit: usize, lines: &[&str]) {
    let movements: Vec<_> = movements.iter().map(|(at, what)| (Instant(*at), *what)).collect();
    let mut stretches = recorded_lines(&movements);
    for stretch in &mut stretches {
        stretch.unit = unit;
    }
    for (stretch, at) in screens {
        let (text, frame) = (Some("PLAYER 1".into()), Some("one".into()));
        let also = vec![Action::ExpectBacklight { on: true, display: None }];
        let moment =
            NewScreen { at: Instant(*at), above: Vec::new(), comment: None, text, also, frame };
        stretches[*stretch].screens.push(moment);
    }
    let end = Instant(movements.last().map_or(0, |(at, _)| at.0) + 1_000_000_007);
    let (trace, owners) = write(&[], &stretches, end, true);
    assert_eq!(owners.len(), trace.lines.len());
    let text: Vec<String> = trace.lines.iter().map(ToString::to_string).collect();
    assert_eq!(text, lines);
}

#[test]
fn presses_and_releases_become_taps_at_round_times() {
    let movements = [
        (0, PowerOn),
        (1_234_567_891, Press(B3)),
        (1_350_000_000, Release(B3)),
        (2_999_999_999, Press(T1)),
        (4_211_111_111, Release(T1)),
    ];
    let lines = ["0ms     power on", "+1.2s   tap B3", "+1.8s   tap T1 for 1.2s", "+2.2s   end"];
    check(&movements, &[], 0, &lines);
}

#[test]
fn the_finest_unit_changes_no_time() {
    let movements = [(0, PowerOn), (1_234_567_891, Press(B3)), (1_350_000_000, Release(B3))];
    let lines =
        ["0ms     power on", "+1234567.891us tap B3 for 115432.109us", "+1115432.116us end"];
    check(&movements, &[], 4, &lines);
}

#[test]
fn overlapping_and_unreleased_presses_are_retained() {
    let movements = [
        (0, PowerOn),
        (500_000_000, Press(B3)),
        (510_000_000, Press(T1)),
        (900_000_000, Release(B3)),
    ];
    let lines = ["0ms     power on", "+500ms  tap B3 for 400ms", "+100ms  press T1", "+1.4s   end"];
    check(&movements, &[], 0, &lines);
}

#[test]
fn later_times_count_from_the_settled_screen() {
    let movements = [(0, PowerOn), (3_000_000_000, Press(B3)), (3_080_000_000, Release(B3))];
    let lines = [
        "0ms     power on",
        "+0ms    settle within 5s",
        "+0ms    expect text \"PLAYER 1\"",
        "+0ms    expect backlight on",
        "+0ms    expect frame one",
        "+700ms  settle within 5s",
        "+0ms    expect text \"PLAYER 1\"",
        "+0ms    expect backlight on",
        "+0ms    expect frame one",
        "+1.3s   tap B3",
        "+1.1s   end",
    ];
    check(&movements, &[(0, 1_000_000_000), (0, 1_700_000_000)], 0, &lines);
}

/// Returns the presses and releases of each button in a trace without `settle`, by the trace's own
/// clock.
fn edges(trace: &Trace) -> HashMap<Button, Vec<(Instant, bool)>> {
    let mut edges: HashMap<Button, Vec<(Instant, bool)>> = HashMap::new();
    let mut now = Instant::START;
    for line in &trace.lines {
        now = match line.when {
            When::At(at) => at,
            When::After(span) => now.saturating_add(span),
        };
        let mut add = |button, at, down| edges.entry(button).or_default().push((at, down));
        match line.action {
            Action::Tap { button, hold } => {
                add(button, now, true);
                add(button, now.saturating_add(hold.unwrap_or(TAP_HOLD)), false);
            }
            Action::Press(button) => add(button, now, true),
            Action::Release(button) => add(button, now, false),
            _ => {}
        }
    }
    edges
}

/// Tidies with the units of the stretches taken cyclically from `units`, and with `settles` after
/// the start of the stretches that they name. The parser must accept the result, no press may be
/// lost, and the edges of a button must stay distinct.
#[track_caller]
fn check_order(movements: &[(Instant, Movement)], units: &[usize], settles: &[(usize, Nanos)]) {
    let mut stretches = recorded_lines(movements);
    for (stretch, unit) in stretches.iter_mut().zip(units.iter().cycle()) {
        stretch.unit = *unit;
    }
    for (nth, after) in settles {
        let nth = nth % stretches.len();
        let next = stretches.get(nth + 1).map_or(Instant::NEVER, |next| next.at);
        let at = stretches[nth].at.saturating_add(*after);
        if at < next && stretches[nth].screens.last().is_none_or(|last| last.at < at) {
            let moment = NewScreen {
                at,
                above: Vec::new(),
                comment: None,
                text: None,
                also: Vec::new(),
                frame: None,
            };
            stretches[nth].screens.push(moment);
        }
    }
    let last = movements.last().map_or(Instant::START, |(at, _)| *at);
    let (trace, _) = write(&[], &stretches, last.saturating_add(Nanos::from_secs(1)), true);
    let trace = match parse("the tidied trace", &trace.to_string()) {
        Ok(trace) => trace,
        Err(error) => panic!("{error}\n{trace}\n{movements:?} {units:?}"),
    };
    let edges = edges(&trace);
    for button in Button::LCD_BOARD {
        let pressed = movements.iter().filter(|(_, what)| *what == Press(button)).count();
        let edges = edges.get(&button).map_or(&[][..], Vec::as_slice);
        let presses = edges.iter().filter(|(_, down)| *down).count();
        assert_eq!(presses, pressed, "presses of {button}\n{trace}\n{movements:?} {units:?}");
        if trace.lines.iter().all(|line| !matches!(line.action, Action::Settle { .. })) {
            for pair in edges.windows(2) {
                let apart = pair[0].0 < pair[1].0 && pair[0].1 != pair[1].1;
                assert!(apart, "{button}: {pair:?}\n{trace}\n{movements:?} {units:?}");
            }
        }
    }
}

/// Makes taps of `hold` each; `gap` is the time from the previous tap of the same button.
fn taps(session: &[(Button, u64, u64)]) -> Vec<(Instant, Movement)> {
    let mut movements = vec![(Instant::START, PowerOn)];
    let mut free = [Instant::from_secs(1); Button::LCD_BOARD.len()];
    let mut now = Instant::from_secs(1);
    for (button, gap, hold) in session {
        now = now.max(free[button.index()].saturating_add(Nanos(*gap)));
        movements.push((now, Press(*button)));
        free[button.index()] = now.saturating_add(Nanos(*hold));
        movements.push((free[button.index()], Release(*button)));
    }
    movements.sort_by_key(|(at, _)| *at);
    movements
}

#[test]
fn a_tap_that_follows_within_30_ms_begins_after_the_one_before() {
    let t4 = Button::LCD_BOARD[9];
    let movements = [
        (0, PowerOn),
        (1_623_687_142, Press(t4)),
        (2_675_587_404, Release(t4)),
        (2_705_587_404, Press(t4)),
        (2_828_965_562, Release(t4)),
    ]
    .map(|(at, what)| (Instant(at), what));
    // The first tap is rounded up to 1.1 s; the second one is exact, 1.0819 s after it began.
    check_order(&movements, &[0, 0, 4], &[]);
}

#[test]
fn the_edges_of_two_taps_stay_in_order_after_any_rounding() {
    let holds = [1, 49_999_999, 80_000_000, 149_999_999, 250_000_001, 1_051_900_262];
    let gaps = [1, 999, 1_000_001, 30_000_000, 49_999_999, 51_000_000];
    for units in 0..5_usize.pow(3) {
        let units = [0, units % 5, units / 5 % 5, units / 25];
        for first in holds {
            for gap in gaps {
                for second in [1, 123_378_158] {
                    check_order(&taps(&[(B3, 0, first), (B3, gap, second)]), &units, &[]);
                    // Another button's tap between them moves the rounded clock.
                    let between = [(B3, 0, first), (T1, 50_000_001, second), (B3, gap, second)];
                    check_order(&taps(&between), &units, &[]);
                }
            }
        }
    }
}

proptest! {
    #[test]
    fn any_valid_session_tidied_is_a_trace_with_the_same_presses(
        session in vec(
            (
                0..4_usize,
                prop_oneof![Just(1), Just(30_000_000), 1..200_000_000_u64, 1..3_000_000_000_u64],
                prop_oneof![Just(1), 1..300_000_000_u64, 900_000_000..1_300_000_000_u64],
            ),
            1..20,
        ),
        units in vec(0..5_usize, 1..12),
        settles in vec((0..40_usize, (1..2_000_000_000_u64).prop_map(Nanos)), 0..6),
    ) {
        let session: Vec<_> =
            session.iter().map(|(nth, gap, hold)| (Button::LCD_BOARD[*nth], *gap, *hold)).collect();
        let movements = taps(&session);
        check_order(&movements, &units, &[]);
        check_order(&movements, &units, &settles);
    }
}
