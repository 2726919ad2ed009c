//! SPI flashes and SD cards of a board answer a firmware that is linked in, and keep their content.

use std::fmt::Write as _;

use embedded_hal::delay::DelayNs as _;
use embedded_hal::digital::InputPin as _;
use embedded_hal::spi::{Operation, SpiDevice};
use hal_mock::Machine;
use nudge::{Board, Instant, MemorySpi, Pins, blocking};
use trace::Trace;

const BOARD: &str = r#"
board = 1
name = "Memories"
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
[[spi_flash]]
name = "LOG"
sck = "GP10"
mosi = "GP11"
miso = "GP12"
cs = "GP13"
size = "1 MiB"
[[sd_card]]
name = "CARD"
sck = "GP18"
mosi = "GP19"
miso = "GP16"
cs = "GP17"
detect = "GP20"
size = "1 MiB"
[[sd_card]]
name = "SLOT"
sck = "GP18"
mosi = "GP19"
miso = "GP16"
cs = "GP21"
detect = "GP22"
"#;

fn machine<T>(firmware: impl Fn(Pins) -> T + Send + Sync + 'static) -> Box<dyn Machine> {
    let board = Board::new("memories.board.toml", BOARD).with_firmware(blocking(firmware)).unwrap();
    let mut machine = board.machine(&Trace::default(), None).unwrap();
    machine.power_on().unwrap();
    machine
}

fn lines(machine: &dyn Machine) -> Vec<String> {
    machine.board().console_lines_from(0).into_iter().map(|line| line.text).collect()
}

fn sleep(pins: &Pins) -> ! {
    loop {
        pins.delay().delay_ms(1_000);
    }
}

/// Sends a command and returns the answer after it.
fn read<const N: usize>(spi: &mut MemorySpi, command: &[u8]) -> [u8; N] {
    let mut answer = [0; N];
    let mut operations = [Operation::Write(command), Operation::Read(&mut answer)];
    let Ok(()) = spi.transaction(&mut operations);
    answer
}

/// Waits for the end of an operation of the flash, and returns the time that it took in ms.
fn wait(pins: &Pins, flash: &mut MemorySpi) -> u32 {
    let mut passed = 0;
    while read::<1>(flash, &[0x05])[0] & 1 != 0 {
        pins.delay().delay_ms(1);
        passed += 1;
    }
    passed
}

/// Counts its starts in the flash: each clears another bit of the first byte.
fn counts_its_starts(pins: Pins) {
    let mut flash = pins.spi_flash("LOG").with_clock(10_000_000);
    let mut console = pins.console();
    let [.., size] = read::<3>(&mut flash, &[0x9F]);
    let [before] = read(&mut flash, &[0x03, 0, 0, 0]);
    let Ok(()) = flash.write(&[0x06]);
    let Ok(()) = flash.write(&[0x02, 0, 0, 0, before << 1]);
    let passed = wait(&pins, &mut flash);
    let [after] = read(&mut flash, &[0x03, 0, 0, 0]);
    let _ = writeln!(console, "2^{size} {before:02x} {after:02x} {passed} ms");
    sleep(&pins);
}

#[test]
fn a_flash_is_programmed_and_keeps_its_content_without_power() {
    let mut machine = machine(counts_its_starts);
    for ms in [100, 200, 300] {
        machine.run_until(Instant::from_millis(ms)).unwrap();
        machine.power_off();
        machine.power_on().unwrap();
    }
    machine.run_until(Instant::from_millis(400)).unwrap();
    let lines = lines(&*machine);
    assert_eq!(lines, ["2^20 ff fe 1 ms", "2^20 fe fc 1 ms", "2^20 fc f8 1 ms", "2^20 f8 f0 1 ms"]);
}

#[test]
fn a_copy_of_the_board_has_its_own_flash() {
    let mut one = machine(counts_its_starts);
    one.run_until(Instant::from_millis(100)).unwrap();
    let mut other = one.fork().unwrap();
    for machine in [&mut one, &mut other] {
        machine.power_off();
        machine.power_on().unwrap();
        machine.run_until(Instant::from_millis(200)).unwrap();
        assert_eq!(lines(&**machine).pop().unwrap(), "2^20 fe fc 1 ms");
    }
    // A copy in the middle of an operation executes the firmware again.
    let mut third = machine(counts_its_starts);
    third.run_until(Instant::from_micros(200)).unwrap();
    assert!(lines(&*third).is_empty(), "it programs");
    let mut fourth = third.fork().unwrap();
    fourth.run_until(Instant::from_millis(100)).unwrap();
    assert_eq!(lines(&*fourth), ["2^20 ff fe 1 ms"]);
}

/// Sends a command to a card and returns the response and `N` bytes after it.
fn command<const N: usize>(card: &mut MemorySpi, index: u8, argument: u32, crc: u8) -> [u8; N] {
    let [a, b, c, d] = argument.to_be_bytes();
    // One byte comes between a command and its response.
    read(card, &[0x40 | index, a, b, c, d, crc, 0xFF])
}

#[test]
fn a_card_answers_and_its_slot_reports_it() {
    let mut machine = machine(|pins: Pins| {
        let mut console = pins.console();
        let mut card = pins.sd_card("CARD");
        let mut slot = pins.sd_card("SLOT");
        let _ = writeln!(console, "{:?}", command::<1>(&mut card.spi, 0, 0, 0x95));
        let _ = writeln!(console, "{:x?}", command::<5>(&mut card.spi, 8, 0x1AA, 0x87));
        loop {
            command::<1>(&mut card.spi, 55, 0, 0xFF);
            if command::<1>(&mut card.spi, 41, 1 << 30, 0xFF) == [0] {
                break;
            }
        }
        let ms = pins.clock().now().since_start().0 / 1_000_000;
        let _ = writeln!(console, "ready after {ms} ms");
        let _ = writeln!(console, "empty {:?}", command::<2>(&mut slot.spi, 0, 0, 0x95));
        let inserted =
            [&mut card, &mut slot].map(|pins| pins.detect.as_mut().map(|pin| pin.is_low()));
        let _ = writeln!(console, "{inserted:?}");
        sleep(&pins);
    });
    machine.run_until(Instant::from_millis(100)).unwrap();
    let expected = [
        "[1]",
        "[1, 0, 0, 1, aa]",
        "ready after 2 ms",
        "empty [255, 255]",
        "[Some(Ok(true)), Some(Ok(false))]",
    ];
    assert_eq!(lines(&*machine), expected);
}

#[test]
fn a_memory_has_one_owner_and_a_name() {
    for (firmware, expected) in [
        (
            (|pins: Pins| {
                pins.spi_flash("LGO");
            }) as fn(Pins),
            "the firmware asks for the SPI flash `LGO`, but the board file has LOG",
        ),
        (
            |pins| {
                pins.sd_card("CARD");
                pins.sd_card("CARD");
            },
            "the firmware asks twice for the SD card `CARD`",
        ),
    ] {
        let mut machine = machine(firmware);
        let error = machine.run_until(Instant::from_millis(1)).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
}
