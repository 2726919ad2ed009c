//! A linked firmware in virtual time: its three forms, going back, and its errors.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use board_file::BoardFile;
use embassy_futures::join::join;
use embedded_hal::delay::DelayNs as _;
use embedded_hal::digital::{InputPin as _, OutputPin as _};
use embedded_hal_async::digital::Wait as _;
use hal_mock::{BoardConfig, Machine, VirtualBoard};
use ili9341_model::Frame;
use linked::{
    Application, Firmware, Instant, IntoApplication, LinkedMachine, Nanos, Pins, Wake, blocking,
    executor,
};
use trace::{Button, Buttons, LedKind, LedState, Leds};
use virtual_time::Random;

const BOARD: &str = r#"
board = 1
name = "x"
chip = "rp2040"
[[console]]
kind = "uart"
tx = "GP0"
[[display]]
panel = "ssd1306"
bus = "i2c"
sda = "GP4"
scl = "GP5"
[[button]]
name = "GO"
pin = "GP2"
[[button]]
name = "STOP"
pin = "GP3"
[[led]]
name = "L"
pin = "GP6"
"#;

fn file() -> Arc<BoardFile> {
    Arc::new(board_file::parse("x.board.toml", BOARD).unwrap())
}

fn machine(application: Application) -> LinkedMachine {
    with_bounce(application, Nanos::ZERO)
}

fn with_bounce(application: Application, bounce: Nanos) -> LinkedMachine {
    let config = BoardConfig {
        buttons: Buttons::new(["GO", "STOP"]).unwrap(),
        leds: Leds::new([(LedKind::Plain, "L")]).unwrap(),
        seed: 7,
        entropy: Some(7),
        bounce,
        ..BoardConfig::default()
    };
    LinkedMachine::new(file(), application, config)
}

fn button(board: &VirtualBoard, name: &str) -> Button {
    board.buttons().named(name).unwrap()
}

fn is_lit(board: &VirtualBoard) -> bool {
    let led = board.parts().leds.all()[0];
    board.led_at(board.now(), led, 0).unwrap().state != LedState::Level(trace::Share::ZERO)
}

/// Toggles the LED at each press of GO, 10 ms after it.
struct Polled {
    pins: (linked::InputPin, linked::Led),
    was_down: bool,
    due: Option<Instant>,
    is_on: bool,
}

impl Firmware for Polled {
    fn step(&mut self, now: Instant) -> Wake {
        let is_down = self.pins.0.is_low() == Ok(true);
        if is_down && !self.was_down && self.due.is_none() {
            self.due = Some(now.saturating_add(Nanos::from_millis(10)));
        }
        self.was_down = is_down;
        if self.due.is_some_and(|due| now >= due) {
            self.due = None;
            self.is_on = !self.is_on;
            let _ = self.pins.1.set_state(self.is_on.into());
        }
        self.due.map_or(Wake::OnInput, Wake::At)
    }
}

fn polled(pins: Pins) -> Polled {
    let pins = (pins.button("GO"), pins.led("L"));
    Polled { pins, was_down: false, due: None, is_on: false }
}

fn blocks(pins: Pins) {
    let (mut go, mut led, mut delay) = (pins.button("GO"), pins.led("L"), pins.delay());
    let mut is_on = false;
    loop {
        while go.is_high() == Ok(true) {}
        delay.delay_ms(10);
        is_on = !is_on;
        let _ = led.set_state(is_on.into());
        while go.is_low() == Ok(true) {}
        delay.delay_ms(10);
    }
}

async fn waits(pins: Pins) {
    use embedded_hal_async::delay::DelayNs;
    let (mut go, mut led, mut delay) = (pins.button("GO"), pins.led("L"), pins.delay());
    let mut is_on = false;
    loop {
        let _ = go.wait_for_low().await;
        DelayNs::delay_ms(&mut delay, 10).await;
        is_on = !is_on;
        let _ = led.set_state(is_on.into());
        let _ = go.wait_for_high().await;
        DelayNs::delay_ms(&mut delay, 10).await;
    }
}

#[test]
fn the_three_forms_react_at_the_same_time() {
    let forms = [polled.into_application(), blocking(blocks), executor(waits)];
    for (number, application) in forms.into_iter().enumerate() {
        let mut machine = machine(application);
        machine.power_on().unwrap();
        let board = machine.board().clone();
        let go = button(&board, "GO");
        board.press(Instant::from_millis(100), go);
        board.release(Instant::from_millis(200), go);
        board.press(Instant::from_millis(300), go);
        for (until, lit) in [(109, false), (111, true), (309, true), (311, false)] {
            machine.run_until(Instant::from_millis(until)).unwrap();
            assert_eq!(is_lit(&board), lit, "form {number} at {until} ms");
        }
    }
}

/// Writes on the display and the console what its buttons and random bits are.
fn busy(pins: Pins) {
    use embedded_hal::i2c::I2c as _;
    use std::fmt::Write as _;
    let (mut go, mut stop) = (pins.button("GO"), pins.button("STOP"));
    let (mut i2c, mut delay, mut random) = (pins.i2c("LCD"), pins.delay(), pins.entropy());
    let (mut led, mut console) = (pins.led("L"), pins.console());
    for commands in [&[0x00, 0x8D, 0x14, 0x20, 0x00][..], &[0x00, 0xAF]] {
        i2c.write(0x3C, commands).unwrap();
    }
    let mut count = 0u8;
    loop {
        let levels = [go.is_low(), stop.is_low()].map(|level| u8::from(level == Ok(true)));
        count = count.wrapping_add(levels[0]).wrapping_mul(1 + 2 * levels[1]);
        let noise = random.next_u32().to_le_bytes();
        let mut bytes = [0x40; 33];
        for (at, byte) in bytes.iter_mut().enumerate().skip(1) {
            *byte = count.wrapping_mul(at as u8) ^ noise[at % 4];
        }
        i2c.write(0x3C, &bytes).unwrap();
        let _ = led.set_state((count & 1 != 0).into());
        if levels[0] == 1 {
            let _ = writeln!(console, "go {count}");
        }
        delay.delay_us(500 + u32::from(noise[0]) * 40);
    }
}

/// Everything that a board shows.
fn shown(board: &VirtualBoard) -> (Instant, Frame, bool, Vec<String>, u64) {
    let lines = board.console_lines_from(0).into_iter().map(|line| line.text).collect();
    (board.now(), board.picture(), is_lit(board), lines, board.bus().bytes)
}

fn press_at_random(board: &VirtualBoard, random: &mut Random) {
    let button = button(board, ["GO", "STOP"][random.below(2) as usize]);
    let at = board.now().saturating_add(Nanos::from_micros(random.below(20_000)));
    match random.below(2) {
        0 => board.press(at, button),
        _ => board.release(at, button),
    }
}

/// A copy continues as the machine does from which it was made, whatever the steps of both are.
#[test]
fn a_copy_continues_like_its_original() {
    for seed in 0..40 {
        let mut random = Random::new(seed);
        let mut original = with_bounce(blocking(busy), Nanos::from_millis(2));
        original.power_on().unwrap();
        for _ in 0..random.below(12) {
            press_at_random(original.board(), &mut random);
            let until =
                original.board().now().saturating_add(Nanos::from_micros(random.below(30_000)));
            original.run_until(until).unwrap();
        }
        let mut copy = original.fork().unwrap();
        assert_eq!(shown(copy.board()), shown(original.board()), "seed {seed}");
        for _ in 0..6 {
            let presses = random.next();
            press_at_random(original.board(), &mut Random::new(presses));
            press_at_random(copy.board(), &mut Random::new(presses));
            let until =
                original.board().now().saturating_add(Nanos::from_micros(random.below(30_000)));
            original.run_until(until).unwrap();
            // In small steps; the last one ends where the original's does.
            while copy.board().now() < until {
                let next = copy.board().now().saturating_add(Nanos(1 + random.below(900_000)));
                copy.step(next.min(until)).unwrap();
            }
            assert_eq!(shown(copy.board()), shown(original.board()), "seed {seed}");
            if random.below(3) == 0 {
                copy = copy.fork().unwrap();
            }
        }
    }
}

#[test]
fn a_power_cycle_starts_the_firmware_anew() {
    let mut machine = machine(polled.into_application());
    machine.power_on().unwrap();
    let board = machine.board().clone();
    board.press(Instant::from_millis(50), button(&board, "GO"));
    machine.run_until(Instant::from_millis(100)).unwrap();
    assert!(is_lit(&board));
    machine.power_off();
    assert!(!is_lit(&board));
    board.release(Instant::from_millis(150), button(&board, "GO"));
    machine.run_until(Instant::from_millis(200)).unwrap();
    machine.power_on().unwrap();
    let mut copy = machine.fork().unwrap();
    for machine in [&mut machine as &mut dyn Machine, &mut *copy] {
        let board = machine.board().clone();
        board.press(Instant::from_millis(250), button(&board, "GO"));
        machine.run_until(Instant::from_millis(300)).unwrap();
        assert!(is_lit(&board));
    }
}

fn error_of(application: Application) -> String {
    let mut machine = machine(application);
    machine.power_on().unwrap();
    let error = machine.run_until(Instant::from_millis(50)).unwrap_err();
    // The machine can be asked further; the firmware has ended.
    machine.run_until(Instant::from_millis(60)).unwrap();
    error.message()
}

#[test]
fn a_part_that_the_board_does_not_have_is_named_with_those_that_it_has() {
    let error = error_of(blocking(|pins: Pins| {
        pins.button("G0");
    }));
    assert_eq!(
        error,
        "the firmware asks for the button `G0`, but the board file has GO, STOP; did you mean `GO`?"
    );
    let error = error_of(blocking(|pins: Pins| {
        pins.encoder("KNOB");
    }));
    assert_eq!(
        error,
        "the firmware asks for the encoder `KNOB`, but the board file has no encoder"
    );
    let error = error_of(blocking(|pins: Pins| {
        pins.led("L");
        pins.led("L");
    }));
    assert_eq!(error, "the firmware asks twice for the LED `L`; an output has one owner");
    let error = error_of(blocking(|pins: Pins| {
        pins.display("LCD");
    }));
    assert_eq!(
        error,
        "the firmware asks for the SPI device of `LCD`, which the board file connects as `i2c`"
    );
    let error = error_of(blocking(|pins: Pins| {
        pins.rgb_led("L");
    }));
    assert_eq!(
        error,
        "the firmware asks for the three pins of `L`, which the board file connects as `plain`"
    );
}

#[test]
fn a_main_function_that_returns_is_an_error() {
    let error = error_of(blocking(|pins: Pins| pins.delay().delay_ms(3)));
    assert_eq!(error, "the firmware's main function has returned; on a chip it never does");
}

#[test]
#[should_panic(expected = "the firmware itself")]
fn a_panic_of_the_firmware_reaches_the_caller() {
    let mut machine = machine(blocking(|pins: Pins| {
        pins.delay().delay_ms(3);
        panic!("the firmware itself");
    }));
    machine.power_on().unwrap();
    let _ = machine.run_until(Instant::from_millis(50));
}

#[test]
fn a_firmware_that_reads_the_world_outside_is_noticed_when_it_is_repeated() {
    static STARTS: AtomicU64 = AtomicU64::new(0);
    let mut original = machine(blocking(|pins: Pins| {
        use embedded_hal::i2c::I2c as _;
        let bytes = [0, 0xE3].repeat(1 + STARTS.fetch_add(1, Ordering::Relaxed) as usize);
        pins.i2c("LCD").write(0x3C, &bytes).unwrap();
        loop {
            pins.delay().delay_ms(10);
        }
    }));
    original.power_on().unwrap();
    original.run_until(Instant::from_millis(25)).unwrap();
    let mut copy = original.fork().unwrap();
    let error = copy.run_until(Instant::from_millis(50)).unwrap_err();
    assert!(error.message().starts_with("the firmware behaved differently"), "{error}");
    original.run_until(Instant::from_millis(50)).unwrap();
}

#[test]
fn a_loop_that_polls_does_not_stop_the_time() {
    let mut machine = machine(blocking(|pins: Pins| {
        let clock = pins.clock();
        while clock.now() < Instant::from_millis(20) {}
        let _ = pins.led("L").set_high();
        let mut go = pins.button("GO");
        while go.is_high() == Ok(true) {}
        panic!("GO is not pressed");
    }));
    machine.power_on().unwrap();
    machine.run_until(Instant::from_millis(19)).unwrap();
    assert!(!is_lit(machine.board()));
    machine.run_until(Instant::from_millis(21)).unwrap();
    assert!(is_lit(machine.board()));
    machine.run_until(Instant::from_millis(100)).unwrap();
    assert_eq!(machine.board().now(), Instant::from_millis(100));
}

/// An input whose pin the firmware does not read continues it once.
#[test]
fn an_input_that_nobody_reads_does_not_stop_the_time() {
    let mut machine = machine(executor(|pins: Pins| async move {
        let mut go = pins.button("GO");
        let _ = go.wait_for_low().await;
        let _ = pins.led("L").set_high();
        core::future::pending::<()>().await;
    }));
    machine.power_on().unwrap();
    let board = machine.board().clone();
    board.press(Instant::from_millis(10), button(&board, "STOP"));
    board.type_line(Instant::from_millis(11), "hello");
    board.press(Instant::from_millis(20), button(&board, "GO"));
    for (until, lit) in [(19, false), (21, true), (90, true)] {
        let mut steps = 0;
        while board.now() < Instant::from_millis(until) {
            machine.step(Instant::from_millis(until)).unwrap();
            steps += 1;
        }
        assert!(steps < 20, "{steps} steps");
        assert_eq!(is_lit(&board), lit, "at {until} ms");
    }
}

#[test]
fn an_address_without_a_device_is_not_acknowledged() {
    let mut machine = machine(blocking(|pins: Pins| {
        use embedded_hal::i2c::I2c as _;
        let mut i2c = pins.i2c("LCD");
        assert!(i2c.write(0x3C, &[0, 0xE3]).is_ok());
        let error = i2c.write(0x3D, &[0, 0xE3]).unwrap_err();
        assert_eq!(error.to_string(), "no device on the I2C bus has the address 0x3d");
        let _ = pins.led("L").set_high();
        loop {
            pins.delay().delay_ms(10);
        }
    }));
    machine.power_on().unwrap();
    machine.run_until(Instant::from_millis(5)).unwrap();
    assert!(is_lit(machine.board()));
}

/// A task: toggles an LED every 20 ms.
async fn blinks(mut led: impl embedded_hal::digital::OutputPin) {
    use embedded_hal_async::delay::DelayNs;
    let (mut delay, mut is_on) = (linked::Delay, false);
    loop {
        is_on = !is_on;
        let _ = led.set_state(is_on.into());
        DelayNs::delay_ms(&mut delay, 20).await;
    }
}

/// Another task: counts presses.
async fn listens(mut button: impl embedded_hal_async::digital::Wait, mut console: linked::Console) {
    use std::fmt::Write;
    for count in 1.. {
        let _ = button.wait_for_falling_edge().await;
        let _ = writeln!(console, "press {count}");
    }
}

#[test]
fn tasks_run_beside_each_other_by_a_join() {
    let application = executor(|pins: Pins| {
        join(blinks(pins.led("L")), listens(pins.button("GO"), pins.console()))
    });
    let mut machine = machine(application);
    machine.power_on().unwrap();
    let go = button(machine.board(), "GO");
    for half in 0..10 {
        machine.run_until(Instant::from_millis(20 * half + 10)).unwrap();
        assert_eq!(is_lit(machine.board()), half % 2 == 0, "after {half} half periods");
        let at = machine.board().now();
        if half % 2 == 0 { machine.board().press(at, go) } else { machine.board().release(at, go) }
    }
    machine.run_until(Instant::from_millis(300)).unwrap();
    let lines = machine.board().console_lines_from(0).into_iter().map(|line| line.text);
    assert_eq!(lines.collect::<Vec<_>>(), ["press 1", "press 2", "press 3", "press 4", "press 5"]);
}
