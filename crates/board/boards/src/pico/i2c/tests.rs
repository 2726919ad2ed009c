//! Transfers by a controller and by hand, to a display and to a device with registers.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use hal_mock::board::{ControlConfig, LcdPin, Position, WireListener};
use hal_mock::{BoardConfig, Machine};
use rp2040_emulator::chip::I2cTarget as _;
use trace::{ControlKind, Movement, Point, TouchArea};
use virtual_time::{Instant, Nanos};

use crate::pico::Pico;
use crate::pico::scripted::{NOTHING, RESULTS, function, program};
use crate::pico::wiring::{
    BusWiring, ControlWiring, Gpio, I2cDeviceKind, I2cDeviceWiring, I2cWiring, TouchBus,
    TouchGlass, TouchWiring, Wiring,
};

const I2C0: u32 = 0x4004_4000;
const READ: u32 = 1 << 8;
const STOP: u32 = 1 << 9;
const RESTART: u32 = 1 << 10;
const SDA: u32 = 4;
const SCL: u32 = 5;
const OE_SET: u32 = 0xD000_0024;
const OE_CLEAR: u32 = 0xD000_0028;
const GPIO_IN: u32 = 0xD000_0004;
const DISPLAY: u32 = 0x3C;
const SENSOR: u32 = 0x68;

/// The bytes that the display receives, each with the level of D/C and its times.
#[derive(Default)]
struct Received {
    dc: bool,
    bytes: Vec<(bool, u8)>,
    times: Vec<(Instant, Instant, usize)>,
}

impl WireListener for Received {
    fn lcd_pin(&mut self, _: Instant, pin: LcdPin, high: bool) {
        if pin == LcdPin::Dc {
            self.dc = high;
        }
    }

    fn lcd_bytes(&mut self, start: Instant, end: Instant, sent: &[u8], _: &[u8]) {
        if !sent.is_empty() {
            self.times.push((start, end, sent.len()));
        }
        self.bytes.extend(sent.iter().map(|byte| (self.dc, *byte)));
    }
}

fn wiring() -> Wiring {
    let pin = |number: u32| Gpio::new(number as u8).unwrap();
    let at = |address| I2cWiring { sda: pin(SDA), scl: pin(SCL), address };
    let mut wiring = Wiring::lcd_board();
    wiring.lcd.bus = BusWiring::I2c(at(DISPLAY as u8));
    wiring.lcd.reset = None;
    wiring.lcd.backlight = None;
    let kind = I2cDeviceKind::Registers(vec![(0x75, vec![0x71]), (0x3B, vec![1, 2, 3])]);
    wiring.i2c_devices = vec![I2cDeviceWiring { wires: at(SENSOR as u8), kind }];
    wiring.buttons.clear();
    wiring
}

fn wires_of() -> I2cWiring {
    let pin = |number: u32| Gpio::new(number as u8).unwrap();
    I2cWiring { sda: pin(SDA), scl: pin(SCL), address: 0 }
}

/// Runs a script, a copy of the machine after its middle. Returns what the display has received,
/// the words that the script has read, and the error.
fn run(script: &[(u32, u32)], words: u32) -> (Rc<RefCell<Received>>, Vec<u32>, Option<String>) {
    let program = Arc::new(program(script));
    run_on(Pico::with_wiring(program, Arc::new(wiring()), BoardConfig::default()), words)
}

fn run_on(mut pico: Pico, words: u32) -> (Rc<RefCell<Received>>, Vec<u32>, Option<String>) {
    let received = Rc::new(RefCell::new(Received::default()));
    pico.board().set_listener(received.clone());
    let mut error = pico.power_on().err().map(|error| error.message());
    let end = pico.board().now().saturating_add(Nanos::from_millis(60));
    while error.is_none() && pico.board().now() < end {
        error = pico.step(end).err().map(|error| error.message());
    }
    let read = pico.with_chip(|chip| {
        (0..words).map(|n| chip.memory().word(RESULTS + 4 * n).unwrap()).collect::<Vec<u32>>()
    });
    (received, read.unwrap_or_default(), error)
}

/// Returns a script that sets up controller 0, addresses `target` and executes commands. The FIFO
/// has room for 16.
fn by_controller(target: u32, commands: &[u32]) -> Vec<(u32, u32)> {
    let mut script = vec![function(SDA, 3), function(SCL, 3), (I2C0 + 0x6C, 0)];
    script.extend([(I2C0, 0x65), (I2C0 + 0x04, target), (I2C0 + 0x6C, 1)]);
    script.extend(commands.iter().map(|command| (I2C0 + 0x10, *command)));
    script.extend([NOTHING; 3_000]);
    script
}

/// Returns the writes that give the wires these levels, one after the other.
fn wires(levels: &[(u32, bool)]) -> Vec<(u32, u32)> {
    levels.iter().map(|(pin, high)| (if *high { OE_CLEAR } else { OE_SET }, 1 << pin)).collect()
}

/// Returns a bit by hand; SDA is read while SCL is high.
fn bit(high: bool) -> Vec<(u32, u32)> {
    let mut script = wires(&[(SDA, high), (SCL, true)]);
    script.push((GPIO_IN + 1, 0));
    script.extend(wires(&[(SCL, false)]));
    script
}

/// Returns a start and bytes by hand, each with its ninth bit. Each bit reads a word.
fn by_hand(bytes: &[(u8, bool)], stops: bool) -> Vec<(u32, u32)> {
    let mut script = wires(&[(SDA, true), (SCL, true), (SDA, false), (SCL, false)]);
    for (byte, acknowledge) in bytes {
        for at in (0..8).rev() {
            script.extend(bit(byte >> at & 1 != 0));
        }
        script.extend(bit(*acknowledge));
    }
    if stops {
        script.extend(wires(&[(SDA, false), (SCL, true), (SDA, true)]));
    }
    script
}

/// Returns a setup of the pins for open drains by hand.
fn hands() -> Vec<(u32, u32)> {
    vec![function(SDA, 5), function(SCL, 5), (0xD000_0018, 1 << SDA | 1 << SCL)]
}

const SENT: [u8; 7] = [0x80, 0xAE, 0x80, 0xA8, 0x40, 0x55, 0xAA];
const EXPECTED: [(bool, u8); 4] = [(false, 0xAE), (false, 0xA8), (true, 0x55), (true, 0xAA)];

#[test]
fn a_display_receives_the_bytes_of_a_controller_at_their_times() {
    let mut commands: Vec<u32> = SENT.map(u32::from).to_vec();
    commands[6] |= STOP;
    let (received, ..) = run(&by_controller(DISPLAY, &commands), 0);
    let received = received.borrow();
    assert_eq!(received.bytes, EXPECTED);
    let lasts: Vec<u64> = received
        .times
        .iter()
        .map(|(start, end, bytes)| end.saturating_since(*start).0 / *bytes as u64)
        .collect();
    // Nine bits each.
    assert_eq!(received.times.len(), 3, "{:?}", received.times);
    assert!(lasts.iter().all(|ns| ns.abs_diff(lasts[0]) <= 1), "{lasts:?}");
    let pause = received.times[1].0.saturating_since(received.times[0].1).0;
    assert!(pause.abs_diff(lasts[0]) <= 1, "the control byte takes the time of a byte");
}

#[test]
fn a_display_receives_the_bytes_that_the_program_shifts_out() {
    let mut bytes = vec![(0x78, true)];
    bytes.extend(SENT.map(|byte| (byte, true)));
    let mut script = hands();
    script.extend(by_hand(&bytes, true));
    // After the stop nothing is for the display.
    script.extend(by_hand(&[(0x7A, true), (0x40, true), (0x11, true)], true));
    let words = 9 * bytes.len() as u32;
    let (received, read, _) = run(&script, words + 9);
    assert_eq!(received.borrow().bytes, EXPECTED);
    let ninth = |n: usize| read[9 * n + 8] >> SDA & 1;
    assert!((0..bytes.len()).all(|n| ninth(n) == 0), "all are acknowledged");
    assert_eq!(ninth(bytes.len()), 1, "no device has 3Dh");
}

#[test]
fn a_device_answers_its_registers() {
    let read = [0x75, READ | RESTART, READ | STOP, 0x3B, READ | RESTART, READ, READ, READ | STOP];
    let mut script = by_controller(SENSOR, &read);
    script.extend([(I2C0 + 0x11, 0); 6]);
    script.extend(by_controller(SENSOR, &[0x10, READ | RESTART | STOP]));
    script.push((I2C0 + 0x11, 0));
    let (_, read, _) = run(&script, 7);
    let bytes: Vec<u32> = read.iter().map(|word| word & 0xFF).collect();
    assert_eq!(bytes, [0x71, 0x71, 1, 2, 3, 3, 0xFF]);
}

#[test]
fn a_device_answers_its_registers_by_hand() {
    let mut script = hands();
    script.extend(by_hand(&[(0xD0, true), (0x3B, true)], false));
    // Acknowledged by the program, and the last byte not.
    script.extend(by_hand(&[(0xD1, true), (0xFF, false), (0xFF, true)], true));
    let (_, read, _) = run(&script, 45);
    let byte = |n: usize| read[9 * n..9 * n + 8].iter().fold(0, |all, w| all << 1 | w >> SDA & 1);
    assert_eq!([3, 4].map(byte), [1, 2]);
    assert!([0, 1, 2].iter().all(|n| read[9 * n + 8] >> SDA & 1 == 0), "acknowledged");
}

#[test]
fn a_touch_panel_answers_the_pixel_of_the_finger_with_both_buses() {
    const TOUCHED: u32 = 0x38;
    const IRQ: u32 = 9;
    let pin = |number: u32| Gpio::new(number as u8).unwrap();
    let mut wiring = wiring();
    wiring.i2c_devices[0] = I2cDeviceWiring {
        wires: I2cWiring { address: TOUCHED as u8, ..wiring.i2c_devices[0].wires },
        kind: I2cDeviceKind::Touch { control: 0, cipher: 0x06 },
    };
    let glass = TouchGlass {
        width: 240,
        height: 320,
        turns: 1,
        edges: [[0, 239], [0, 319]],
        is_swapped: false,
    };
    wiring.parts.controls =
        vec![ControlWiring::Touch(TouchWiring { bus: TouchBus::I2c, irq: Some(pin(IRQ)), glass })];
    let read_level = [function(IRQ, 5), (GPIO_IN + 1, 0)];
    let mut by_block = read_level.to_vec();
    let commands = [2, READ | RESTART, READ, READ, READ, READ | STOP];
    by_block.extend(by_controller(TOUCHED, &commands));
    by_block.extend([(I2C0 + 0x11, 0); 5]);
    let mut in_script = read_level.to_vec();
    in_script.extend(hands());
    in_script.extend(by_hand(&[(0x70, true), (0x02, true)], false));
    let all = [0xFF; 5].map(|byte| (byte, false));
    in_script.extend(by_hand(&[&[(0x71, true)], &all[..4], &[(0xFF, true)]].concat(), true));
    for finger in [None, Some(Point { x: 10, y: 200 })] {
        let machine = |script: &[(u32, u32)]| {
            let kind = ControlKind::Touch(TouchArea { display: 0, width: 320, height: 240 });
            let position = Position::Touch(None);
            let pad = ControlConfig { kind, name: "PAD".to_owned(), position, edges: 1 };
            let config = BoardConfig { controls: vec![pad], ..BoardConfig::default() };
            let pico =
                Pico::with_wiring(Arc::new(program(script)), Arc::new(wiring.clone()), config);
            if let Some(at) = finger {
                let pad = pico.board().parts().controls.named("PAD").unwrap();
                let touch = Movement::Touch { at, hold: None };
                pico.board().move_control(Instant::START, pad, touch);
            }
            pico
        };
        // The top edge of the glass is on the right: x is 200, y is 319 - 10.
        let expected =
            if finger.is_some() { [1, 0, 200, 1, 309 - 256] } else { [0, 255, 255, 255, 255] };
        let (_, read, error) = run_on(machine(&by_block), 6);
        let bytes: Vec<u32> = read[1..].iter().map(|word| word & 0xFF).collect();
        assert_eq!(bytes, expected, "{error:?}");
        assert_eq!(read[0] >> IRQ & 1 == 0, finger.is_some(), "the interrupt line");
        let (_, read, _) = run_on(machine(&in_script), 1 + 9 * 8);
        let byte = |n: usize| {
            read[1 + 9 * n..9 + 9 * n].iter().fold(0, |all, word| all << 1 | word >> SDA & 1)
        };
        assert_eq!([3, 4, 5, 6, 7].map(byte), expected);
    }
}

#[test]
fn the_interrupt_line_of_a_touch_panel_has_pulses_in_the_trigger_mode() {
    const TOUCHED: u32 = 0x38;
    const IRQ: u32 = 9;
    const G_MODE: u32 = 0xA4;
    let pin = |number: u32| Gpio::new(number as u8).unwrap();
    let mut wiring = wiring();
    wiring.i2c_devices[0] = I2cDeviceWiring {
        wires: I2cWiring { address: TOUCHED as u8, ..wiring.i2c_devices[0].wires },
        kind: I2cDeviceKind::Touch { control: 0, cipher: 0x06 },
    };
    let glass =
        TouchGlass { width: 240, height: 320, turns: 0, edges: [[0; 2]; 2], is_swapped: false };
    wiring.parts.controls =
        vec![ControlWiring::Touch(TouchWiring { bus: TouchBus::I2c, irq: Some(pin(IRQ)), glass })];
    // A finger at 1,100 ms for 30 ms; the program never draws, so the start takes 1 s.
    let levels = |script: &[(u32, u32)]| {
        let kind = ControlKind::Touch(TouchArea { display: 0, width: 240, height: 320 });
        let position = Position::Touch(None);
        let pad = ControlConfig { kind, name: "PAD".to_owned(), position, edges: 1 };
        let config = BoardConfig { controls: vec![pad], ..BoardConfig::default() };
        let mut pico =
            Pico::with_wiring(Arc::new(program(script)), Arc::new(wiring.clone()), config);
        let pad = pico.board().parts().controls.named("PAD").unwrap();
        let hold = Some(Nanos::from_millis(30));
        let touch = Movement::Touch { at: Point { x: 1, y: 2 }, hold };
        pico.board().move_control(Instant::from_millis(1_100), pad, touch);
        let _ = pico.power_on();
        let mut edges = vec![];
        let mut was_high = true;
        for ms in 1_000..1_200 {
            let between = Instant::from_millis(ms).saturating_add(Nanos::from_micros(500));
            while pico.board().now() < between {
                pico.step(between).unwrap();
            }
            let is_high = pico.with_chip(|chip| chip.levels() >> IRQ & 1 != 0).unwrap();
            if std::mem::replace(&mut was_high, is_high) != is_high {
                edges.push((ms - 1_000, is_high));
            }
        }
        (edges, pico.notes())
    };
    let input = [function(IRQ, 5)];
    let pulses: Vec<_> =
        [100, 112, 124, 130].into_iter().flat_map(|at| [(at, false), (at + 1, true)]).collect();
    assert_eq!(levels(&input), (pulses, vec![]));
    let mut polled = input.to_vec();
    polled.extend(by_controller(TOUCHED, &[G_MODE, STOP]));
    assert_eq!(levels(&polled), (vec![(100, false), (130, true)], vec![]));
}

#[test]
fn a_clock_that_a_touch_controller_does_not_take_is_named() {
    let kind = I2cDeviceKind::Touch { control: 0, cipher: 0x06 };
    let wiring = I2cDeviceWiring { wires: I2cWiring { address: 0x38, ..wires_of() }, kind };
    // The time of a byte with its ninth bit, in nanoseconds.
    let note = |byte: u64| {
        let mut device = super::Device::new(&wiring);
        for transfer in 1..3 {
            let at = |nth: u64| 1_000_000 * transfer + byte * nth;
            assert!(device.start(at(0), 0x38, false));
            device.write(at(1), 2);
            device.stop(at(2));
        }
        device.too_fast().map(|clock| clock.to_string())
    };
    assert_eq!((note(90_000), note(22_500)), (None, None));
    let expected = "gets SCL with 1.0 MHz; at most 400 kHz are specified (FT6206 data sheet, \"I2C Interface\")";
    assert_eq!(note(9_000).as_deref(), Some(expected));
}

#[test]
fn an_address_that_no_device_has_is_not_acknowledged() {
    let mut script = by_controller(0x42, &[1 | STOP]);
    script.push((I2C0 + 0x81, 0));
    let (_, read, error) = run(&script, 1);
    // IC_TX_ABRT_SOURCE: ABRT_7B_ADDR_NOACK.
    assert_eq!(read[0] & 1, 1);
    assert_eq!(
        error.as_deref(),
        Some(
            "no device at GP4 (SDA) and GP5 (SCL) has the address 0x42, which the program calls; \
             that of the display is 0x3C: is the board file right?"
        )
    );
}
