//! Each kind of pin acts on its part of the virtual board, and reads it.

mod red;

use std::fmt::Write as _;

use embedded_hal::delay::DelayNs as _;
use embedded_hal::digital::{InputPin as _, OutputPin as _};
use embedded_hal::pwm::SetDutyCycle as _;
use embedded_hal::spi::SpiDevice as _;
use embedded_io::Read as _;
use embedded_storage::nor_flash::{NorFlash as _, ReadNorFlash as _};
use hal_mock::{Heap, Machine, VirtualBoard};
use nudge::{Board, Instant, Pins, blocking};
use trace::{LedState, Movement, Share, Trace};

const BOARD: &str = r#"
board = 1
name = "All parts"
chip = "rp2040"
[[console]]
kind = "uart"
tx = "GP0"
rx = "GP1"
[[display]]
name = "LCD"
panel = "st7789"
bus = "spi4"
size = "240x240 px"
sck = "GP6"
mosi = "GP7"
dc = "GP9"
backlight = "GP12"
[[button]]
name = "HIGH"
pin = "GP2"
active = "high"
pull = "down"
[[switch]]
name = "MODE"
pin = "GP3"
[[matrix]]
name = "KEYS"
rows = ["GP13", "GP14"]
columns = ["GP15", "GP16"]
buttons = [["A", "B"], ["C", "D"]]
[[matrix]]
name = "DIODES"
rows = ["GP17", "GP18"]
columns = ["GP19", "GP20"]
buttons = [["E", "F"], ["G", "H"]]
diodes = true
[[encoder]]
name = "KNOB"
a = "GP4"
b = "GP5"
[[joystick]]
name = "STICK"
x = "GP26"
y = "GP27"
[[potentiometer]]
name = "LEVEL"
pin = "GP28"
start = "25 %"
[[led]]
name = "LOW"
pin = "GP8"
active = "low"
[[led]]
name = "COLOUR"
kind = "rgb"
red = "GP10"
green = "GP11"
blue = "GP21"
[[led]]
name = "STRIP"
kind = "ws2812"
pin = "GP22"
count = 2
[[buzzer]]
pin = "GP23"
"#;

/// Runs a firmware for a time on the board, after `prepare` has moved its parts at 1 ms.
fn run<T>(
    firmware: impl Fn(Pins) -> T + Send + Sync + 'static,
    prepare: impl Fn(&VirtualBoard),
    millis: u64,
) -> Box<dyn Machine> {
    let board = Board::new("all.board.toml", BOARD).with_firmware(blocking(firmware)).unwrap();
    let mut machine = board.machine(&Trace::default(), None).unwrap();
    machine.power_on().unwrap();
    prepare(machine.board());
    machine.run_until(Instant::from_millis(millis)).unwrap();
    machine
}

/// Runs a firmware that panics unless its inputs are as `prepare` moves them.
fn check<T>(
    firmware: impl Fn(&Pins) -> T + Send + Sync + 'static,
    prepare: impl Fn(&VirtualBoard),
) -> Vec<String> {
    let main = move |pins: Pins| {
        pins.delay().delay_ms(300);
        firmware(&pins);
        let _ = writeln!(pins.console(), "checked");
        loop {
            pins.delay().delay_ms(1_000);
        }
    };
    let machine = run(main, prepare, 600);
    let lines: Vec<String> =
        machine.board().console_lines_from(0).into_iter().map(|line| line.text).collect();
    assert_eq!(lines.last().map(String::as_str), Some("checked"), "{lines:?}");
    lines
}

fn press(board: &VirtualBoard, names: &[&str]) {
    for name in names {
        board.press(Instant::from_millis(1), board.buttons().named(name).unwrap());
    }
}

fn move_control(board: &VirtualBoard, name: &str, movement: Movement) {
    let control = board.parts().controls.named(name).unwrap();
    board.move_control(Instant::from_millis(1), control, movement);
}

fn led(board: &VirtualBoard, number: usize, of_chain: u16) -> LedState {
    let led = board.parts().leds.all()[number];
    board.led_at(board.now(), led, of_chain).unwrap().state
}

#[test]
fn a_display_gets_the_bytes_of_its_spi_and_the_levels_of_its_wires() {
    let machine = run(
        |pins: Pins| {
            let mut lcd = pins.display("LCD");
            let mut delay = pins.delay();
            let send = |command: u8, data: &[u8]| {
                let _ = lcd.dc.set_low();
                let _ = lcd.spi.write(&[command]);
                let _ = lcd.dc.set_high();
                let _ = lcd.spi.write(data);
            };
            red::fill(&mut delay, send);
            let _ = lcd.backlight.set_high();
            delay.delay_ms(500);
        },
        |_| {},
        600,
    );
    let board = machine.board();
    assert_eq!(board.violations(), []);
    let frame = board.frame();
    assert_eq!((frame.width(), frame.height()), (240, 240));
    assert!(frame.pixels().iter().all(|pixel| *pixel == frame.pixels()[0]));
    assert_eq!(frame.pixels()[0] >> 16, 0xFF, "red");
    assert_eq!(frame.pixels()[0] & 0xFFFF, 0, "only red");
}

#[test]
fn contacts_have_the_levels_of_the_board_file() {
    let levels = |pressed: bool| {
        move |pins: &Pins| {
            let mut high = pins.button("HIGH");
            assert_eq!(high.is_high(), Ok(pressed));
            let mut mode = pins.switch("MODE");
            assert_eq!(mode.is_low(), Ok(pressed));
        }
    };
    check(levels(false), |_| {});
    check(levels(true), |board| {
        press(board, &["HIGH"]);
        move_control(board, "MODE", Movement::Switch(true));
    });
}

/// Returns the keys that a scan finds, row by row.
fn scan(pins: &Pins, matrix: &str) -> Vec<bool> {
    let mut matrix = pins.matrix(matrix);
    let mut keys = Vec::new();
    for output in &mut matrix.outputs {
        let _ = output.set_high();
    }
    for output in &mut matrix.outputs {
        let _ = output.set_low();
        keys.extend(matrix.inputs.iter_mut().map(|input| input.is_low() == Ok(true)));
        let _ = output.set_high();
    }
    keys
}

#[test]
fn three_keys_of_a_matrix_close_the_fourth_unless_there_are_diodes() {
    check(|pins| assert_eq!(scan(pins, "KEYS"), [false; 4]), |_| {});
    check(
        |pins| assert_eq!(scan(pins, "KEYS"), [false, true, true, false]),
        |board| press(board, &["B", "C"]),
    );
    check(
        |pins| {
            assert_eq!(scan(pins, "KEYS"), [true; 4]);
            assert_eq!(scan(pins, "DIODES"), [true, true, true, false]);
        },
        |board| press(board, &["A", "B", "C", "E", "F", "G"]),
    );
}

#[test]
fn controls_are_read_at_their_positions() {
    check(
        |pins| {
            assert_eq!(pins.potentiometer("LEVEL").read(), 1_024);
            let mut stick = pins.joystick("STICK");
            assert_eq!((stick.x.read(), stick.y.read()), (4_095, 0));
            let mut knob = pins.encoder("KNOB");
            // After four edges both contacts are open again.
            assert_eq!((knob.a.is_low(), knob.b.is_low()), (Ok(false), Ok(false)));
        },
        |board| {
            let (x, y) = (Share::WHOLE, Some(Share::ZERO));
            move_control(board, "STICK", Movement::Set { x, y });
            move_control(board, "KNOB", Movement::Turn { by: 1, over: None });
        },
    );
}

#[test]
fn lights_show_levels_colours_and_chains() {
    let machine = run(
        |pins: Pins| {
            let _ = pins.led("LOW").set_low();
            let mut colour = pins.rgb_led("COLOUR");
            let _ = colour.red.set_high();
            let _ = colour.blue.set_duty_cycle_percent(50);
            let mut strip = pins.led_chain("STRIP");
            strip.write([[1, 2, 3, 0], [4, 5, 6, 0], [7, 8, 9, 0]]);
            loop {
                pins.delay().delay_ms(100);
            }
        },
        |_| {},
        50,
    );
    let board = machine.board();
    assert_eq!(led(board, 0, 0), LedState::Level(Share::WHOLE), "on at a low level");
    assert_eq!(led(board, 1, 0), LedState::Colour([255, 0, 128, 0]));
    assert_eq!(led(board, 2, 0), LedState::Colour([1, 2, 3, 0]));
    assert_eq!(led(board, 2, 1), LedState::Colour([4, 5, 6, 0]));
}

#[test]
fn the_console_carries_both_ways() {
    let lines = check(
        |pins| {
            let mut console = pins.console();
            let mut bytes = [0; 2];
            assert_eq!(console.read_exact(&mut bytes), Ok(()));
            let _ = writeln!(console, "read {bytes:?}");
        },
        |board| board.type_bytes(Instant::from_millis(320), b"ok"),
    );
    assert_eq!(lines[0], "read [111, 107]");
}

#[test]
fn the_flash_keeps_its_content_without_power() {
    let main = |pins: Pins| {
        let mut flash = pins.flash();
        let mut bytes = [0; 4];
        let _ = flash.read(4_096, &mut bytes);
        let _ = writeln!(pins.console(), "found {bytes:?}");
        let _ = flash.erase(4_096, 8_192);
        let mut page = [0xFF; 256];
        page[..4].copy_from_slice(&[1, 2, 3, 4]);
        let _ = flash.write(4_096, &page);
        loop {
            pins.delay().delay_ms(100);
        }
    };
    let mut machine = run(main, |_| {}, 500);
    machine.power_off();
    machine.run_until(Instant::from_millis(600)).unwrap();
    machine.power_on().unwrap();
    machine.run_until(Instant::from_millis(900)).unwrap();
    let lines = machine.board().console_lines_from(0).into_iter().map(|line| line.text);
    assert_eq!(lines.collect::<Vec<_>>(), ["found [255, 255, 255, 255]", "found [1, 2, 3, 4]"]);
}

#[test]
fn the_buzzer_sounds_while_its_duty_cycle_is_between_low_and_high() {
    let machine = run(
        |pins: Pins| {
            let (mut buzzer, mut delay) = (pins.buzzer(), pins.delay());
            buzzer.set_frequency(880);
            delay.delay_ms(10);
            let _ = buzzer.set_duty_cycle_percent(50);
            delay.delay_ms(10);
            let _ = buzzer.set_duty_cycle_fully_off();
            loop {
                delay.delay_ms(100);
            }
        },
        |_| {},
        50,
    );
    let tones = machine.board().tones();
    let tones: Vec<_> = tones.iter().map(|tone| (tone.at.0 / 1_000_000, tone.hz)).collect();
    assert_eq!(tones, [(10, Some(880)), (20, None)]);
}

#[test]
fn only_the_allocations_of_the_firmware_are_counted() {
    let heap = |allocates: bool| {
        let firmware = move |pins: Pins| {
            let (mut button, mut led) = (pins.button("HIGH"), pins.led("LOW"));
            let (mut console, mut lcd) = (pins.console(), pins.display("LCD"));
            let keys = pins.matrix("KEYS");
            loop {
                let _ = led.set_state(button.is_high().unwrap().into());
                let _ = console.write_str("written\n");
                let _ = lcd.spi.write(&[0; 600]);
                if allocates {
                    drop(std::hint::black_box(Box::new(keys.inputs.len())));
                }
                pins.delay().delay_ms(100);
            }
        };
        run(firmware, |_| {}, 250).heap()
    };
    assert_eq!(heap(false), Heap::Used { allocations: 0, bytes: 0 });
    assert_eq!(heap(true), Heap::Used { allocations: 3, bytes: 24 });
}
