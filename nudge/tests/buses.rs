//! Displays on buses other than `spi4` draw what a firmware sends that is linked in.

mod red;

use embedded_graphics::draw_target::DrawTarget as _;
use embedded_graphics::pixelcolor::{Rgb565, RgbColor as _};
use embedded_hal::delay::DelayNs as _;
use embedded_hal::digital::OutputPin as _;
use embedded_hal::spi::SpiDevice as _;
use hal_mock::Machine;
use mipidsi::interface::{Generic8BitBus, ParallelInterface};
use mipidsi::models::ILI9341Rgb565;
use mipidsi::options::ColorOrder;
use nudge::{Board, Instant, Pins, blocking};
use trace::Trace;

const BOARD: &str = r#"
board = 1
name = "Buses"
chip = "rp2040"
[[display]]
name = "WIDE"
panel = "ili9341"
bus = "parallel8"
size = "240x320 px"
data = ["GP0", "GP1", "GP2", "GP3", "GP4", "GP5", "GP6", "GP7"]
wr = "GP8"
dc = "GP9"
cs = "GP10"
rst = "GP11"
[[display]]
name = "NINE"
panel = "st7789"
bus = "spi3"
size = "240x240 px"
sck = "GP18"
mosi = "GP19"
cs = "GP17"
"#;

fn machine<T>(firmware: impl Fn(Pins) -> T + Send + Sync + 'static) -> Box<dyn Machine> {
    let board = Board::new("buses.board.toml", BOARD).with_firmware(blocking(firmware)).unwrap();
    let mut machine = board.machine(&Trace::default(), None).unwrap();
    machine.power_on().unwrap();
    machine
}

/// Checks that a display shows one colour, red, and that no rule of its datasheet was broken.
#[track_caller]
fn check(machine: &dyn Machine, display: usize) {
    let board = machine.board().at_display(display);
    assert_eq!(board.violations(), []);
    let frame = board.frame();
    let pixels = frame.pixels();
    assert!(pixels.iter().all(|pixel| *pixel == pixels[0]));
    assert_eq!((pixels[0] >> 16, pixels[0] & 0xFFFF), (0xFF, 0), "red");
}

fn draws_by_a_driver(pins: Pins) {
    let wires = pins.parallel_display("WIDE");
    let mut select = wires.select.expect("a wire");
    let Ok(()) = select.set_low();
    let [d0, d1, d2, d3, d4, d5, d6, d7] = wires.data;
    let bus = Generic8BitBus::new((d0, d1, d2, d3, d4, d5, d6, d7));
    let interface = ParallelInterface::new(bus, wires.dc, wires.write);
    let mut lcd = mipidsi::Builder::new(ILI9341Rgb565, interface)
        .color_order(ColorOrder::Bgr)
        .reset_pin(wires.reset)
        .init(&mut pins.delay())
        .expect("pins do not fail");
    lcd.clear(Rgb565::RED).expect("pins do not fail");
    pins.delay().delay_ms(1_000_000);
}

#[test]
fn a_parallel_display_samples_its_data_lines() {
    let mut machine = machine(draws_by_a_driver);
    machine.run_until(Instant::from_millis(500)).unwrap();
    check(&*machine, 0);
    // 153,600 bytes of 100 ns, and the delays of the initialisation.
    let drawn = machine.board().last_change();
    assert!(drawn > Instant::from_millis(135), "{drawn:?}");
}

#[test]
fn a_copy_of_a_board_in_the_middle_of_a_drawing_ends_it() {
    let mut machine = machine(draws_by_a_driver);
    machine.run_until(Instant::from_millis(300)).unwrap();
    let drawn = machine.board().last_change();
    let middle = drawn.saturating_since(Instant::from_millis(5));
    let mut other = self::machine(draws_by_a_driver);
    other.run_until(Instant::START.saturating_add(middle)).unwrap();
    let mut copy = other.fork().unwrap();
    copy.run_until(Instant::from_millis(300)).unwrap();
    check(&*copy, 0);
    assert_eq!(copy.board().last_change(), drawn);
}

#[test]
fn a_deselected_display_samples_nothing() {
    let mut machine = machine(|pins: Pins| {
        let mut wires = pins.parallel_display("WIDE");
        for _ in 0..10 {
            let Ok(()) = wires.write.set_low();
            let Ok(()) = wires.write.set_high();
        }
        pins.delay().delay_ms(1_000_000);
    });
    machine.run_until(Instant::from_millis(10)).unwrap();
    assert_eq!(machine.board().bus().bytes, 0);
}

#[test]
fn a_word_of_nine_bits_says_whether_it_is_data() {
    let mut machine = machine(|pins: Pins| {
        let mut lcd = pins.nine_bit_display("NINE");
        let mut delay = pins.delay();
        let send = |command: u8, data: &[u8]| {
            let data = data.iter().map(|byte| 0x100 | u16::from(*byte));
            let words: Vec<u16> = [u16::from(command)].into_iter().chain(data).collect();
            let Ok(()) = lcd.spi.write(&words);
        };
        red::fill(&mut delay, send);
        delay.delay_ms(1_000_000);
    });
    machine.run_until(Instant::from_millis(600)).unwrap();
    check(&*machine, 1);
}
