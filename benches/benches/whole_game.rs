//! Measures the cost of a whole recorded game: a replay at the wire, compared with the usual way of
//! drawing to a simulated display, and the number of bytes on the wire for the pixels that change.
//!
//! `make bench` runs it; docs/performance.md has the results with the machine's name.

use std::hint::black_box;
use std::num::NonZero;

use criterion::{Criterion, criterion_group};
use embedded_graphics::geometry::Size;
use embedded_graphics::pixelcolor::Rgb565;
use embedded_graphics_simulator::SimulatorDisplay;
use firmware_board::native;
use firmware_core::app::{self, App, Start};
use firmware_core::button::Button;
use firmware_core::debounce::{Edge, Levels};
use firmware_core::lcd::PANEL;
use firmware_core::screen::{Damage, View};
use firmware_core::storage::Settings;
use firmware_core::time::{self, Wake};
use hal_mock::{
    flash::FlashChip,
    replay::{ReplayOutcome, ReplaySettings, Unjudged, Verdict, replay},
};
use host::{Exit, clock::Stopwatch, jobs::retain_freed_memory};
use reading::text::Reader;
use runner::{ReplayOptions, run};
use trace::{Action, Trace, When, parse};
use virtual_time::Instant;

/// A recorded whole game with a press every three seconds.
const GAME: &str = include_str!("../../tests/traces/game-1.trace");

/// Path of the same trace, with its golden frame and its chain of frames in its folder.
const TRACE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/traces/game-1.trace");

/// Redraws of a window per second.
const REDRAWS_A_SECOND: u64 = 60;

fn trace() -> Trace {
    parse("game-1.trace", GAME).expect("the trace of the tests parses")
}

/// Returns the game as `nudge run --record` writes it: presses with their times, no expectations.
fn recording() -> Trace {
    let mut now = Instant::START;
    let mut recording = trace();
    recording.lines.retain_mut(|line| {
        now = match line.when {
            When::At(at) => at,
            When::After(span) => now.saturating_add(span),
        };
        line.when = When::At(now);
        matches!(line.action, Action::PowerOn | Action::Tap { .. } | Action::End)
    });
    recording
}

/// Returns the game as a test of its texts, its console and one frame, without the chain of its
/// settled frames.
fn without_chain() -> Trace {
    let mut test = trace();
    test.lines.retain(|line| !matches!(line.action, Action::ExpectFrames { .. }));
    test
}

fn replayed(trace: &Trace, reader: &Reader) -> ReplayOutcome {
    let mut machine = native::build(trace, None).expect("the header is right");
    let outcome =
        replay(trace, machine.as_mut(), reader, &mut Unjudged, &ReplaySettings::default());
    assert_eq!(outcome.verdict, Verdict::Passed);
    outcome
}

/// Runs the game as a test, from its file to its verdict, as `nudge replay` does for each trace.
fn passes(reader: &Reader) -> Exit {
    let options = ReplayOptions { quiet: true, jobs: NonZero::new(1), ..ReplayOptions::default() };
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let board = |trace: &Trace| native::build(trace, None);
    let exit = run(&[TRACE.into()], &options, &board, reader, &mut out, &mut err);
    let exit = exit.expect("a vector takes every line");
    assert_eq!(exit, Exit::Passed, "{}", String::from_utf8_lossy(&out));
    exit
}

/// Returns the LCD's content for each sixtieth of a second of the game. A program that redraws its
/// whole display, for example with embedded-graphics-simulator, has to draw all of these.
fn views(trace: &Trace) -> Vec<View> {
    let settings = Settings { introduced: true, ..Settings::default() };
    let start = Start { settings, ..Start::default() };
    let mut app = App::new(Box::new(app::Memory::new()), start);
    let mut flash = FlashChip::factory_new();
    let mut presses = presses(trace);
    presses.reverse();
    let mut views = Vec::new();
    let mut wake = Wake::Now;
    let end = presses.first().map_or(0, |(at, _)| at.0) + 5_000_000;
    for redraw in 0.. {
        let until = redraw * 1_000_000 / REDRAWS_A_SECOND;
        if until > end {
            return views;
        }
        loop {
            let press = presses.last().filter(|(at, _)| at.0 <= until).copied();
            let due = match wake {
                Wake::Now => Some(time::Instant(until)),
                Wake::At(at) if at.0 <= until => Some(at),
                _ => None,
            };
            wake = match (press, due) {
                (Some((at, button)), due) if due.is_none_or(|due| at <= due) => {
                    presses.pop();
                    let edges = [true, false].map(|down| Edge { at, button, down });
                    app.step(at, &edges, Levels::default(), &mut flash)
                }
                (_, Some(due)) => app.step(due, &[], Levels::default(), &mut flash),
                _ => break,
            };
        }
        views.push(app.view(time::Instant(until)));
    }
    views
}

fn presses(trace: &Trace) -> Vec<(time::Instant, Button)> {
    let mut now = Instant::START;
    let mut presses = Vec::new();
    for line in &trace.lines {
        now = match line.when {
            When::At(at) => at,
            When::After(span) => now.saturating_add(span),
        };
        if let Action::Tap { button, .. } = line.action {
            presses.push((time::Instant(now.as_micros()), Button::at(button.index()).expect("13")));
        }
    }
    presses
}

fn draw_whole(view: &View, display: &mut SimulatorDisplay<Rgb565>) {
    view.damage(None, PANEL, |damage| {
        if let Damage::Redraw(_, element) = damage {
            let Ok(()) = view.draw(element, PANEL, display);
        }
    });
}

fn benchmarks(criterion: &mut Criterion) {
    let (trace, recording) = (trace(), recording());
    let reader = Reader::new(native::fonts());
    // The same setting as in `nudge replay`.
    retain_freed_memory();
    let views = views(&trace);
    let mut display = SimulatorDisplay::<Rgb565>::new(Size::new(PANEL.width, PANEL.height));
    let mut group = criterion.benchmark_group("whole game");
    group.sample_size(20);
    group.bench_function("recording replayed, every pixel decoded at the wire", |bencher| {
        bencher.iter(|| black_box(replayed(&recording, &reader)));
    });
    group.bench_function("test replayed, texts read off the pixels", |bencher| {
        bencher.iter(|| black_box(replayed(&trace, &reader)));
    });
    group.bench_function("test replayed, texts and one frame", |bencher| {
        let test = without_chain();
        bencher.iter(|| black_box(replayed(&test, &reader)));
    });
    group.bench_function("test replayed with its goldens, from file to verdict", |bencher| {
        bencher.iter(|| black_box(passes(&reader)));
    });
    group.bench_function("one second of screens drawn whole, 60 times", |bencher| {
        let second = &views[..REDRAWS_A_SECOND as usize];
        bencher.iter(|| second.iter().for_each(|view| draw_whole(view, &mut display)));
    });
    group.finish();
    summary(&recording, &reader, &views, &mut display);
}

/// Prints the ratios, measured in one run.
fn summary(trace: &Trace, reader: &Reader, views: &[View], display: &mut SimulatorDisplay<Rgb565>) {
    const ROUNDS: u32 = 50;
    let stopwatch = Stopwatch::start();
    let mut board_time = Instant::START;
    for _ in 0..ROUNDS {
        board_time = replayed(trace, reader).ended_at;
    }
    let replay = stopwatch.elapsed() / ROUNDS;
    let stopwatch = Stopwatch::start();
    for view in views {
        draw_whole(view, display);
    }
    let whole = stopwatch.elapsed();
    let game = board_time.as_secs_f64();
    println!("\n{game:.1} s of board time, one core:");
    println!(
        "  replayed at the wire           {replay:>10.2?}  {:>7.0} times faster than real time",
        game / replay.as_secs_f64()
    );
    println!(
        "  drawn whole {} times       {whole:>10.2?}  {:>7.0} times faster than real time",
        views.len(),
        game / whole.as_secs_f64()
    );
    println!(
        "  ratio                          {:>10.1}",
        whole.as_secs_f64() / replay.as_secs_f64()
    );
    bus(trace);
}

/// Prints the bytes per frame, compared with the bytes of the changed pixels, without the power-on
/// frame.
fn bus(trace: &Trace) {
    let traffic = runner::traffic::of(trace, || native::build(trace, None).expect("the header"))
        .expect("the game replays");
    println!(
        "  {} frames after power-on: {} bytes on the wire for {} bytes of changed pixels, \
         ratio {:.2}; largest frame {} bytes, power-on frame {} bytes",
        traffic.frames,
        traffic.sent,
        traffic.changed,
        traffic.ratio(),
        traffic.largest,
        traffic.power_on,
    );
}

criterion_group!(benches, benchmarks);

fn main() {
    benches();
    Criterion::default().configure_from_args().final_summary();
}
