//! What goes over the LCD's wire in a whole game: no more than the changes are worth, and
//! never for so long that a press could be missed.

use std::fs;

use embedded_graphics::Pixel;
use embedded_graphics::draw_target::DrawTarget;
use embedded_graphics::geometry::{OriginDimensions, Size};
use embedded_graphics::pixelcolor::Rgb565;
use firmware_core::app::{App, Start};
use firmware_core::button;
use firmware_core::debounce::{Edge, Levels};
use firmware_core::firmware::BYTES_A_STEP;
use firmware_core::lcd::PANEL;
use firmware_core::present::{ByteBudget, Presenter};
use firmware_core::screen::View;
use firmware_core::time::{Micros, Wake};
use hal_mock::flash::FlashChip;
use hal_mock::trace::{Action, Line, TAP_HOLD, Trace, When, parse};
use hal_mock::{Button, Machine, Nanos};
use nudge_tests::session::machine;
use simulator::traffic;

/// A whole game as a person plays it.
const GAME: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/traces/game-1.trace");

/// Bytes on the wire for each byte of a pixel that changed; issue 2 allows 3.
const RATIO_MOST: f64 = 2.0;
/// Bytes of a game's largest frame after the power-on frame; a whole screen takes 153,600.
const FRAME_MOST: u64 = 16_000;
/// The same of a RESET at the end of a game, after which every cup looks different.
const RESET_FRAME_MOST: u64 = 40_000;
/// Frames that a whole game has at least.
const FRAMES_LEAST: u64 = 300;
/// The longest that a step may keep the bus busy.
const STEP_MOST: Nanos = Nanos::from_millis(4);
/// How exactly a step's beginning is known.
const TICK: Nanos = Nanos::from_micros(50);

fn game() -> Trace {
    let text = fs::read_to_string(GAME).expect("the trace is there");
    parse(GAME, &text).expect("the trace is right")
}

/// The presses of a trace, each with its release, in time; waits take none.
fn presses(trace: &Trace) -> Vec<(Nanos, Nanos, Button)> {
    let mut now = Nanos::ZERO;
    let mut presses = Vec::new();
    for line in &trace.lines {
        now = match line.when {
            When::At(at) => at,
            When::After(span) => now + span,
        };
        if let Action::Tap { button, hold } = line.action {
            presses.push((now, now + hold.unwrap_or(TAP_HOLD), button));
        }
    }
    presses
}

#[test]
fn a_whole_game_sends_at_most_two_bytes_for_a_byte_of_changed_pixels() {
    let trace = game();
    let traffic = traffic::of(&trace, || machine(&trace)).expect("the board goes on");
    assert!(traffic.frames >= FRAMES_LEAST, "a game has many frames, not {}", traffic.frames);
    assert!(traffic.ratio() <= RATIO_MOST, "{:.3} bytes a byte: {traffic:?}", traffic.ratio());
    assert!(traffic.largest <= FRAME_MOST, "the largest frame: {traffic:?}");
}

#[test]
fn reset_at_the_end_of_a_game_draws_only_what_differs() {
    let mut trace = game();
    let reset = Action::Tap { button: Button::Reset, hold: None };
    trace.lines.push(Line::new(When::After(Nanos::from_secs(5)), reset));
    let traffic = traffic::of(&trace, || machine(&trace)).expect("the board goes on");
    assert!(traffic.largest <= RESET_FRAME_MOST, "{traffic:?}");
}

/// The longest of the machine's steps until `until`, from now on.
fn longest_step(machine: &mut dyn Machine, until: Nanos) -> Nanos {
    let mut longest = Nanos::ZERO;
    while machine.board().now() < until {
        // A step begins between now and the limit, so this is at most a tick too much.
        let limit = machine.board().now() + TICK;
        machine.step(limit).expect("the board goes on");
        longest = longest.max(machine.board().now() - limit);
    }
    longest
}

#[test]
fn no_step_of_a_game_keeps_the_bus_busy_for_more_than_four_milliseconds() {
    let trace = game();
    let presses = presses(&trace);
    let mut machine = machine(&trace);
    machine.power_on().expect("the board starts");
    for &(press, release, button) in &presses {
        machine.board().press(press, button);
        machine.board().release(release, button);
    }
    let end = presses.last().map_or(Nanos::ZERO, |press| press.1) + Nanos::from_secs(5);
    let longest = longest_step(machine.as_mut(), end);
    // With RESET nearly everything is drawn anew at once.
    let reset = machine.board().now() + TICK;
    machine.board().press(reset, Button::Reset);
    machine.board().release(reset + TAP_HOLD, Button::Reset);
    let at_reset = longest_step(machine.as_mut(), reset + Nanos::from_secs(1));
    assert!(longest.max(at_reset) + TICK <= STEP_MOST, "{longest}, {at_reset} with RESET");
}

/// A panel that counts how often each pixel is written.
struct Paper {
    writes: Vec<u32>,
}

impl OriginDimensions for Paper {
    fn size(&self) -> Size {
        PANEL
    }
}

impl DrawTarget for Paper {
    type Color = Rgb565;
    type Error = core::convert::Infallible;

    fn draw_iter<I: IntoIterator<Item = Pixel<Rgb565>>>(
        &mut self,
        pixels: I,
    ) -> Result<(), Self::Error> {
        for Pixel(point, _) in pixels {
            let (x, y) = (point.x as usize, point.y as usize);
            assert!(x < PANEL.width as usize && y < PANEL.height as usize, "{point} is outside");
            self.writes[y * PANEL.width as usize + x] += 1;
        }
        Ok(())
    }
}

/// The views that the app shows in a game: one a step, the presses at their times.
fn views(trace: &Trace) -> Vec<View> {
    let mut app = App::new(Start::default());
    let mut flash = FlashChip::factory_new();
    let mut views = Vec::new();
    let mut wake = Wake::At(Micros::ZERO);
    for (press, _, pressed) in presses(trace) {
        let at = Micros(press.as_micros());
        while let Wake::At(due) = wake
            && due < at
        {
            wake = app.step(due, &[], Levels::default(), &mut flash);
            views.push(app.view(due));
        }
        let button = button::Button::at(pressed.index()).expect("the same thirteen");
        let edge = Edge { at, button, down: true };
        wake = app.step(at, &[edge], Levels::default(), &mut flash);
        views.push(app.view(at));
    }
    views
}

#[test]
fn no_frame_of_a_game_writes_a_pixel_twice() {
    let mut presenter = Presenter::new();
    let mut paper = Paper { writes: vec![0; (PANEL.width * PANEL.height) as usize] };
    let mut shown = None;
    let mut frames = 0;
    for view in views(&game()) {
        if shown == Some(view) {
            continue;
        }
        shown = Some(view);
        frames += 1;
        paper.writes.fill(0);
        loop {
            let mut budget = ByteBudget(BYTES_A_STEP);
            if presenter.step(&view, PANEL, &mut paper, &mut budget).expect("paper takes all") {
                break;
            }
        }
        let twice = paper.writes.iter().position(|writes| *writes > 1);
        let place = twice.map(|at| (at as u32 % PANEL.width, at as u32 / PANEL.width));
        assert_eq!(place, None, "in frame {frames}");
    }
    assert!(frames >= FRAMES_LEAST, "a game has many frames, not {frames}");
}
