//! The interrupt lines of touch controllers: inputs at whose low level the program asks a controller for
//! the finger.
//!
//! Without a finger a program need not select its touch controller, so a copy of the chip in which the
//! line is low is also what shows the chip select.

use rp2040_emulator::chip::{Chip, Drive, I2cEvent};

use crate::bytes::of_frames;
use crate::finding::{
    Bus, Certainty, Display, Findings, I2cAddress, Signal, SpiDevice, SpiDeviceKind,
};
use crate::observation::{Observation, numbers};
use crate::outputs::i2c_pins;
use crate::spi_devices::{is_touch, messages};

/// Time for which a copy runs with a low line, in nanoseconds.
const TOUCHED_NS: u64 = 80_000_000;
/// Largest number of inputs that are tried.
const INPUTS_MAX: usize = 4;
/// Address of the FT6206 and its relatives.
const FT6206: u16 = 0x38;

/// Finds the interrupt lines among the buttons at whose press the program talks to another device.
pub(crate) fn find(seen: &Observation, findings: &mut Findings) {
    let is_line = |button: &&crate::Button| button.talks && !button.active_high;
    let lines = findings.buttons.iter().filter(is_line).map(|button| button.signal.pin);
    for pin in lines.take(INPUTS_MAX).collect::<Vec<u8>>() {
        if on_spi(seen, findings, pin) || on_i2c(seen, findings, pin) {
            findings.buttons.retain(|button| button.signal.pin != pin);
        }
    }
}

fn line(pin: u8, controller: &str) -> Signal {
    let evidence = format!("while it is low, the program talks to {controller}");
    Signal { pin, certainty: Certainty::Likely, evidence }
}

/// Finds the controller on the SPI bus of the display whose interrupt line is `pin`.
fn on_spi(seen: &Observation, findings: &mut Findings, pin: u8) -> bool {
    let bus = findings.display.as_ref().map(|display| &display.bus);
    let Some(Bus::Spi { sck, chip_select: Some(display), .. }) = bus else { return false };
    let (sck, display) = (sck.pin, usize::from(display.pin));
    let touches = findings.devices.iter().filter(|device| device.kind == SpiDeviceKind::Touch);
    let known = touches.fold(0, |pins, device| pins | 1 << device.chip_select.pin);
    // A chip select that has never fallen may have been found as an LED.
    let leds = findings.leds.iter().fold(0, |pins, led| pins | 1 << led.signal.pin);
    let taken = findings.pins() & !leds & !known;
    let outputs = seen.mask(|pin| pin.is_output()) & !taken;
    let mut chip = seen.chip.clone();
    chip.watch(outputs | 1 << display);
    discard(&mut chip);
    let first_levels = chip.levels();
    chip.drive(usize::from(pin), Drive::Low);
    seen.advance(&mut chip, TOUCHED_NS);
    let changes = chip.take_changes();
    // SCK of controller 0 is at GP2, 6, 18, 22; that of controller 1 at GP10, 14, 26.
    let frames = chip.take_spi_sent(usize::from(sck) / 8 % 2).0;
    let bytes = of_frames(&frames, first_levels, &changes);
    let edges = |select: usize| {
        let levels = changes.iter().map(|change| (change.ns, change.levels >> select & 1 != 0));
        let mut last = first_levels >> select & 1 != 0;
        levels.filter(|(_, high)| std::mem::replace(&mut last, *high) != *high).collect::<Vec<_>>()
    };
    // An output that is always low selects nothing.
    let rests_high = |select: usize| first_levels >> select & 1 != 0;
    let is_selected = |select: &usize| {
        rests_high(*select) && is_touch(&messages(&edges(*select), &bytes, *select, display))
    };
    let Some(select) = numbers(outputs).find(is_selected) else { return false };
    let interrupt = Some(line(pin, "the XPT2046"));
    let here = |device: &&mut SpiDevice| usize::from(device.chip_select.pin) == select;
    if let Some(device) = findings.devices.iter_mut().find(here) {
        device.interrupt = interrupt;
        return true;
    }
    findings.leds.retain(|led| usize::from(led.signal.pin) != select);
    let evidence =
        format!("while GP{pin} is low, it is low during messages with the start bit of an XPT2046");
    let chip_select = Signal { pin: select as u8, certainty: Certainty::Likely, evidence };
    findings.devices.push(SpiDevice { kind: SpiDeviceKind::Touch, chip_select, interrupt });
    true
}

/// Finds the controller on an I2C bus whose interrupt line is `pin`.
fn on_i2c(seen: &Observation, findings: &mut Findings, pin: u8) -> bool {
    if findings.displays().filter_map(Display::address).any(|address| address == FT6206) {
        return false;
    }
    let (touched, base) = (calls(seen, Some(pin)), calls(seen, None));
    let Some(number) = (0..2).find(|number| touched[*number] > base[*number]) else { return false };
    let Some([sda, scl]) = i2c_pins(seen, number) else { return false };
    let interrupt = Some(line(pin, "the address 0x38, which the FT6206 has"));
    let here = |found: &&mut I2cAddress| (usize::from(found.sda), found.address) == (sda, FT6206);
    if let Some(found) = findings.i2c.iter_mut().find(here) {
        found.interrupt = interrupt;
        return true;
    }
    findings.i2c.push(I2cAddress {
        sda: sda as u8,
        scl: scl as u8,
        address: FT6206,
        certainty: Certainty::Likely,
        evidence: format!("the program talks to it on I2C{number} while GP{pin} is low"),
        interrupt,
    });
    true
}

/// Returns the number of calls of the FT6206's address on each bus, with a low line or without.
fn calls(seen: &Observation, low: Option<u8>) -> [usize; 2] {
    let mut chip = seen.chip.clone();
    discard(&mut chip);
    if let Some(pin) = low {
        chip.drive(usize::from(pin), Drive::Low);
    }
    seen.advance(&mut chip, TOUCHED_NS);
    [0, 1].map(|number| {
        let events = chip.take_i2c_events(number);
        let is_call = |(_, event): &&(u64, I2cEvent)| {
            matches!(event, I2cEvent::Start { address: FT6206, .. })
        };
        events.iter().filter(is_call).count()
    })
}

/// Discards the records of a copy.
fn discard(chip: &mut Chip) {
    chip.take_changes();
    for number in 0..2 {
        chip.take_spi_sent(number);
        chip.take_i2c_events(number);
    }
}
