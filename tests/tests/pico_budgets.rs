//! Measures the flashed program's budgets on a Pico in the emulator, with the binary of `make
//! firmware`: the time of each step of the firmware, the depth of the stack, and which taps
//! count while a screen is drawn. Also tests that the emulator can be copied (`copies`).
//! docs/budgets-pico.md has the numbers.
//!
//! The sessions are recorded traces. The tests know no screen. They need the feature `pico-test`,
//! because they need the binary.

use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

use boards::pico::{Pico, firmware};
use firmware_board::{header, native};
use hal_mock::{
    BoardConfig, Heap, Machine, MachineError, VirtualBoard,
    board::SETTLED_AFTER,
    replay::{ReplaySettings, Unjudged, Verdict, replay},
};
use ili9341_model::Frame;
use reading::text::Reader;
use trace::{Button, TAP_HOLD, Trace};
use virtual_time::{Instant, Nanos};

use nudge_tests::part::Part;

#[path = "pico_budgets/copies.rs"]
mod copies;

/// The function whose calls are measured.
const STEP: &str = "firmware_core::firmware::Firmware<B>::step";

/// Maximum duration of a step that neither thinks nor writes to flash.
const LONGEST: Nanos = Nanos::from_millis(6);
/// Maximum duration of a step while the computer thinks. A tap must be held for 20 ms to be
/// detected.
const LONGEST_THINKING: Nanos = Nanos::from_millis(20);
/// Maximum duration of a step that writes to flash: several sectors are erased.
const LONGEST_WRITING: Nanos = Nanos::from_millis(180);

/// Maximum depth of the stack in bytes.
const STACK: u32 = 24 * 1024;

/// Sessions without the computer: deep menus, the flash, a whole game.
const DRAWING: [&str; 9] = [
    "menu/open-and-leave",
    "menu/save-name-entry",
    "menu/save-overwrite",
    "menu/load-game",
    "menu/load-damaged",
    "menu/log-game",
    "menu/help-wari",
    "menu/edit-board",
    "wari/game-1",
];
/// A whole game with the computer at its highest level.
const THINKING: &str = "computer/board";
/// Headers of games of the computer against itself at its highest level; they differ in the cost of
/// a search node. Only the beginnings are played.
const DEMOS: [&str; 3] = ["game top-bottom", "game wari", "game wari\nbidirectional on"];

/// Distance of the tap times in the sweep.
const SWEEP_STEP: Nanos = Nanos::from_millis(5);
/// Last tap time after a screen has begun to change.
const SWEEP: Nanos = Nanos::from_millis(200);

/// A Pico that sorts its steps by whether they write to flash.
struct Measured {
    pico: Pico,
    /// Begin and end of the last run of the chip that wrote to flash.
    written: Option<[Instant; 2]>,
    longest: Nanos,
    longest_writing: Nanos,
    steps: usize,
}

impl Measured {
    fn new(config: BoardConfig) -> Self {
        let program = Arc::new(firmware::built().unwrap_or_else(|error| panic!("{error}")));
        let mut pico = Pico::new(program, config);
        assert!(pico.measure(STEP), "the program has no {STEP}");
        let (longest, longest_writing) = (Nanos::ZERO, Nanos::ZERO);
        Self { pico, written: None, longest, longest_writing, steps: 0 }
    }

    fn of(trace: &Trace) -> Self {
        Self::new(header::board(trace, None).expect("the header is right"))
    }

    fn operations(&self) -> u64 {
        self.pico.board().with_flash(|flash| flash.operations())
    }

    /// Calls `run` with the Pico, and sorts the steps that returned meanwhile. Steps that overlap a
    /// run of the chip that wrote to flash, a few milliseconds, count as writing.
    fn watch<T>(&mut self, run: impl FnOnce(&mut Pico) -> T) -> T {
        let (from, before) = (self.pico.board().now(), self.operations());
        let result = run(&mut self.pico);
        if self.operations() != before {
            self.written = Some([from, self.pico.board().now()]);
        }
        for call in self.pico.take_calls() {
            let writes =
                self.written.is_some_and(|[from, to]| call.began <= to && from <= call.ended);
            let longest = if writes { &mut self.longest_writing } else { &mut self.longest };
            *longest = call.lasted().max(*longest);
            self.steps += 1;
        }
        result
    }
}

impl Machine for Measured {
    fn board(&self) -> &VirtualBoard {
        self.pico.board()
    }

    fn power_on(&mut self) -> Result<(), MachineError> {
        self.watch(Pico::power_on)
    }

    fn power_off(&mut self) {
        self.pico.power_off();
    }

    fn step(&mut self, limit: Instant) -> Result<(), MachineError> {
        self.watch(|pico| pico.step(limit))
    }

    fn heap(&self) -> Heap {
        self.pico.heap()
    }

    fn fork(&self) -> Option<Box<dyn Machine>> {
        self.pico.fork()
    }
}

/// Prints a line without a macro, because the test harness captures the output of macros.
fn say(text: &str) {
    io::stderr().write_all(format!("{text}\n").as_bytes()).unwrap();
}

/// Opens the recorded trace called `stem`.
#[track_caller]
fn recorded(stem: &str) -> Trace {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("traces/{stem}.trace"));
    runner::open_trace(&path).unwrap_or_else(|error| panic!("{stem}: {error:?}"))
}

/// Plays `trace`; every step must stay within its limit, which is `longest` for steps that do not
/// write to flash, and the stack within its own.
#[track_caller]
fn check(stem: &str, trace: &Trace, longest: Nanos) {
    let mut machine = Measured::of(trace);
    let reader = Reader::new(native::fonts());
    let outcome = replay(trace, &mut machine, &reader, &mut Unjudged, &ReplaySettings::default());
    assert_eq!(outcome.verdict, Verdict::Passed, "{stem}");
    let stack = machine.pico.deepest_stack();
    let [slow, slow_writing] = [machine.longest, machine.longest_writing]
        .map(|longest| format!("{:.2} ms", longest.0 as f64 / 1e6));
    say(&format!(
        "{stem}: {} steps, the longest {slow}, writing {slow_writing}; stack {stack} bytes",
        machine.steps
    ));
    assert!(machine.steps > 100, "{stem}: {} steps were measured", machine.steps);
    assert!(machine.longest <= longest, "{stem}: a step takes {slow}");
    assert!(machine.longest_writing <= LONGEST_WRITING, "{stem}: a step takes {slow_writing}");
    assert!((1..=STACK).contains(&stack), "{stem}: {stack} bytes of stack");
}

#[test]
fn a_step_that_draws_is_short_and_the_stack_shallow() {
    let part = Part::of_this_run().some(DRAWING);
    part.for_each(|stem| check(stem, &recorded(stem), LONGEST));
}

#[test]
fn a_step_that_thinks_is_shorter_than_a_tap() {
    let demo = |game: &str| {
        let text = format!(
            "trace 1\n{game}\nplayers demo\nlevel advanced\nseed 1\n0ms power on\n20s end\n"
        );
        trace::parse("demo.trace", &text).unwrap_or_else(|error| panic!("{error}"))
    };
    for game in Part::of_this_run().pick([THINKING].into_iter().chain(DEMOS)) {
        let trace = if game == THINKING { recorded(game) } else { demo(game) };
        check(&game.replace('\n', ", "), &trace, LONGEST_THINKING);
    }
}

/// Runs until the LCD has settled; returns its frame.
fn settle(machine: &mut Measured, since: Instant) -> Frame {
    loop {
        let until = machine.board().last_change().max(since).saturating_add(SETTLED_AFTER);
        if until <= machine.board().now() {
            return machine.board().frame();
        }
        machine.run_until(until).expect("the program goes on");
    }
}

/// Frames around the second of two taps.
struct Taps {
    /// The frame one step of the firmware before the press, and the frame at the press.
    pressed_on: [Frame; 2],
    settled: Frame,
}

/// Taps `first`, and `second` `later` after the press of `first`.
fn tap_twice(machine: &mut Measured, [first, second]: [Button; 2], later: Nanos) -> Taps {
    let at = machine.board().now().saturating_add(Nanos::from_millis(1));
    let second_at = at.saturating_add(later);
    for (button, at) in [(first, at), (second, second_at)] {
        machine.board().press(at, button);
        machine.board().release(at.saturating_add(TAP_HOLD), button);
    }
    let a_step_before = second_at.saturating_sub(LONGEST).max(machine.board().now());
    let pressed_on = [a_step_before, second_at].map(|at| {
        machine.run_until(at).expect("the program goes on");
        machine.board().frame()
    });
    Taps { pressed_on, settled: settle(machine, second_at.saturating_add(TAP_HOLD)) }
}

/// In the menus B2 opens the next one and B1 the previous one: each time most of the screen
/// changes. A tap that begins while the LCD does not show the whole of the next menu does nothing
/// there. Every tap that begins at least one step of the firmware after the last pixel counts.
#[test]
fn a_tap_counts_as_soon_as_a_screen_is_complete() {
    const NEXT: Button = Button::B2;
    const BACK: Button = Button::B1;
    const DOWN: Button = Button::B4;
    const UP: Button = Button::B3;
    let mut machine = Measured::new(BoardConfig::default());
    machine.power_on().expect("the program starts");
    settle(&mut machine, Instant::START);
    let at = machine.board().now().saturating_add(Nanos::from_millis(1));
    machine.board().press(at, Button::Reset);
    let released_at = at.saturating_add(Nanos::from_millis(1_200));
    machine.board().release(released_at, Button::Reset);
    let file = settle(&mut machine, released_at);

    let apart = Nanos::from_millis(500);
    let Taps { pressed_on: [_, next], settled: down } =
        tap_twice(&mut machine, [NEXT, DOWN], apart);
    let up = tap_twice(&mut machine, [UP, BACK], apart).settled;
    assert!(
        up == file && down != file && next != file && next != down,
        "B1 to B4 act in the menus"
    );
    let steps = 1..=SWEEP.0 / SWEEP_STEP.0;
    let part = Part::of_this_run();
    let (mut early, mut late) = (0, 0);
    for later in part.pick(steps.map(|step| Nanos(step * SWEEP_STEP.0))) {
        for (second, result) in [(DOWN, &down), (BACK, &file)] {
            let taps = tap_twice(&mut machine, [NEXT, second], later);
            let [shown_before, shown] = taps.pressed_on.map(|frame| frame == next);
            let seen = taps.settled;
            let counts = seen == *result;
            let case = format!("{second} {later} after B2");
            assert!(counts || seen == next, "{case} has another effect");
            assert!(shown || !counts, "{case} acts on a menu that is not shown");
            assert!(counts || !shown_before, "{case} is lost");
            if counts {
                late += 1;
            } else {
                early += 1;
            }
            if seen != file {
                tap_twice(&mut machine, [UP, BACK], apart);
            }
        }
    }
    if part.is_whole() {
        assert!(early > 4 && late > 4, "{early} early and {late} late taps");
    }
    let slow = machine.longest.0 as f64 / 1e6;
    say(&format!(
        "taps while drawing: {early} early, {late} late; {} steps, the longest {slow:.2} ms",
        machine.steps
    ));
    assert!(machine.longest <= LONGEST, "a step takes {slow:.2} ms");
}
