//! Devices that a chip select addresses on the wires of an SPI bus, byte by byte.
//!
//! A target samples MOSI when SCK rises and changes MISO when it falls: SPI modes 0 and 3. While an
//! SPI controller has both SCK and MOSI by the functions of the pins, its frames are clocked in;
//! otherwise the edges of the pins are, whether a PIO or the program makes them. In modes 1 and 2 a
//! controller's frames do not reach a target.
//!
//! A chip select with the function of a controller is low during its frames: with SPH = 0 during
//! each of them, with SPH = 1 until the transmit FIFO is empty (PL022 TRM 2.4.4).

use std::any::Any;
use std::fmt;

use super::word::SpiWord;
use crate::chip::peripherals::io_bank::{Drive, IoBank, PIN_COUNT};

/// FUNCSEL of the SPI controllers (datasheet section 2.19.2).
const FUNCSEL_SPI: u32 = 1;

const BYTE: u8 = 8;

/// A device on an SPI bus with its own chip select. Times are in nanoseconds since power-on.
pub trait SpiTarget: fmt::Debug + Send + Sync + Any {
    /// Handles the fall of chip select.
    fn select(&mut self, ns: u64);

    /// Handles the rise of chip select. `is_whole` is whether the number of clocks since its fall
    /// is a multiple of eight.
    fn deselect(&mut self, ns: u64, is_whole: bool);

    /// Returns the output on MISO during the next eight bits; `None` if the device drives nothing.
    /// `ns` is the time of the fall of chip select, or the end of the last byte. The bits are sent
    /// only when [`receive`](Self::receive) follows; chip select may rise before.
    fn next_output(&mut self, ns: u64) -> Option<u8>;

    /// Handles a byte on MOSI that ends at `ns`.
    fn receive(&mut self, ns: u64, byte: u8);

    /// Clones the device, for a clone of the chip.
    fn boxed_clone(&self) -> Box<dyn SpiTarget>;
}

impl Clone for Box<dyn SpiTarget> {
    fn clone(&self) -> Self {
        self.boxed_clone()
    }
}

/// The pins of an SPI bus, GPIO 0 to 29.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SpiPins {
    pub sck: usize,
    pub mosi: usize,
    pub miso: usize,
}

impl SpiPins {
    /// Returns the SPI controller whose clock and transmitter can be at SCK and MOSI (datasheet
    /// section 1.4.3).
    pub(in crate::chip) fn controller(self) -> Option<usize> {
        let number = self.sck / 8 % 2;
        (self.sck % 4 == 2 && self.mosi % 4 == 3 && self.mosi / 8 % 2 == number).then_some(number)
    }

    fn exist(self) -> bool {
        [self.sck, self.mosi, self.miso].iter().all(|pin| *pin < PIN_COUNT)
    }
}

/// Buses with targets.
#[derive(Clone, Debug, Default)]
pub(in crate::chip) struct SpiTargets {
    buses: Vec<Bus>,
    /// Levels of all pins that the targets have last seen.
    levels: u32,
}

#[derive(Clone, Debug)]
struct Bus {
    pins: SpiPins,
    /// Controller that can have the pins.
    controller: Option<usize>,
    /// Whether the controller has SCK and MOSI, and whether it has MISO.
    is_routed: bool,
    reads: bool,
    /// Whether a resistor pulls MISO up.
    is_pulled_up: bool,
    /// Level that was given to MISO last.
    driven: Drive,
    ports: Vec<Port>,
}

/// A target with its shift register.
#[derive(Clone, Debug)]
struct Port {
    number: usize,
    chip_select: usize,
    /// Whether the controller has chip select.
    is_hardware: bool,
    is_selected: bool,
    input: u8,
    output: Option<u8>,
    /// Number of bits of the current byte that SCK has clocked. A byte whose frame has not ended
    /// yet has eight.
    count: u8,
    target: Box<dyn SpiTarget>,
}

impl SpiTargets {
    /// Adds a bus, unless there is one at these pins, or lets MISO of the present one be pulled up.
    /// Returns false if a pin does not exist.
    pub(in crate::chip) fn add_bus(&mut self, pins: SpiPins, is_pulled_up: bool) -> bool {
        if !pins.exist() {
            return false;
        }
        match self.buses.iter_mut().find(|bus| bus.pins == pins) {
            Some(bus) => bus.is_pulled_up |= is_pulled_up,
            None => self.buses.push(Bus {
                pins,
                controller: pins.controller(),
                is_routed: false,
                reads: false,
                is_pulled_up,
                driven: Drive::Open,
                ports: Vec::new(),
            }),
        }
        true
    }

    /// Attaches a target to a bus.
    pub(in crate::chip) fn attach(
        &mut self,
        pins: SpiPins,
        chip_select: usize,
        number: usize,
        target: Box<dyn SpiTarget>,
    ) -> bool {
        let bus = self.buses.iter_mut().find(|bus| bus.pins == pins);
        let Some(bus) = bus.filter(|_| chip_select < PIN_COUNT) else { return false };
        bus.ports.push(Port {
            number,
            chip_select,
            is_hardware: false,
            is_selected: false,
            input: 0,
            output: None,
            count: 0,
            target,
        });
        true
    }

    pub(in crate::chip) fn is_empty(&self) -> bool {
        self.buses.is_empty()
    }

    /// Returns the target with this number.
    pub(in crate::chip) fn get(&self, number: usize) -> Option<&dyn SpiTarget> {
        let mut ports = self.buses.iter().flat_map(|bus| &bus.ports);
        ports.find(|port| port.number == number).map(|port| &*port.target)
    }

    /// Returns all targets.
    pub(in crate::chip) fn all_mut(&mut self) -> impl Iterator<Item = &mut dyn SpiTarget> {
        let ports = self.buses.iter_mut().flat_map(|bus| &mut bus.ports);
        ports.map(|port| &mut *port.target)
    }

    /// Returns the pins at which each edge matters now, as a mask.
    pub(in crate::chip) fn clocked_pins(&self) -> u32 {
        self.buses.iter().fold(0, |pins, bus| {
            let selects = bus.ports.iter().fold(0, |pins, port| pins | 1 << port.chip_select);
            let is_clocked = !bus.is_routed && bus.ports.iter().any(|port| port.is_selected);
            let clocks = if is_clocked { 1 << bus.pins.sck | 1 << bus.pins.mosi } else { 0 };
            pins | selects | clocks
        })
    }

    /// Takes the functions and levels of the pins, and drives MISO. Returns whether its drive has
    /// changed.
    pub(in crate::chip) fn route(&mut self, bank: &mut IoBank, ns: u64) -> bool {
        let levels = bank.levels();
        self.levels = levels;
        let mut driven = false;
        for bus in &mut self.buses {
            let has = |pin: usize| bank.function(pin) == Some(FUNCSEL_SPI);
            let SpiPins { sck, mosi, miso } = bus.pins;
            bus.is_routed = bus.controller.is_some() && has(sck) && has(mosi);
            let is_input = miso % 4 == 0 && Some(miso / 8 % 2) == bus.controller;
            bus.reads = is_input && has(miso);
            for port in &mut bus.ports {
                let pin = port.chip_select;
                let is_output = pin % 4 == 1 && Some(pin / 8 % 2) == bus.controller;
                port.is_hardware = bus.is_routed && is_output && has(pin);
                let is_low = !port.is_hardware && levels >> pin & 1 == 0;
                port.select(ns, is_low);
            }
            driven |= bus.drive(bank);
        }
        driven
    }

    /// Handles the levels of the pins at `ns`, and drives MISO. Returns whether its drive has
    /// changed.
    pub(in crate::chip) fn change(&mut self, bank: &mut IoBank, ns: u64) -> bool {
        let after = bank.levels();
        let before = std::mem::replace(&mut self.levels, after);
        self.buses.iter_mut().fold(false, |driven, bus| {
            bus.change(before, after, ns);
            bus.drive(bank) || driven
        })
    }

    /// Clocks the bits of a frame that begins into the selected targets of routed buses. Returns
    /// the word on RX, if such a bus has it.
    pub(super) fn begin(&mut self, frame: &SpiWord, levels: u32) -> Option<u16> {
        let mut received = None;
        for bus in self.buses.iter_mut().filter(|bus| bus.is_routed) {
            let idle = u16::from(levels >> bus.pins.miso & 1 != 0);
            let mut word = None;
            for port in &mut bus.ports {
                if port.is_hardware {
                    port.select(frame.start_ns, true);
                }
                if port.is_selected {
                    let sent = port.shift(frame, idle);
                    word = word.or(Some(sent));
                }
            }
            if bus.reads {
                received = received.or(word);
            }
        }
        received
    }

    /// Returns the level of a MISO that a controller reads while nothing drives it.
    pub(super) fn idle_level(&self, levels: u32) -> Option<bool> {
        let bus = self.buses.iter().find(|bus| bus.is_routed && bus.reads)?;
        Some(levels >> bus.pins.miso & 1 != 0)
    }

    /// Ends a frame at `ns`. `is_last` is whether no other one follows, or chip select rises
    /// between frames.
    pub(super) fn end(&mut self, ns: u64, is_last: bool) {
        for bus in self.buses.iter_mut().filter(|bus| bus.is_routed) {
            for port in bus.ports.iter_mut().filter(|port| port.is_selected) {
                port.end_byte(ns);
                if port.is_hardware && is_last {
                    port.select(ns, false);
                }
            }
        }
    }

    /// Drops the part of a frame that is lost in a reset of the controller.
    pub(super) fn drop_frame(&mut self) {
        let ports = self.buses.iter_mut().flat_map(|bus| &mut bus.ports);
        for port in ports.filter(|port| port.count == BYTE) {
            port.count = 0;
        }
    }
}

impl Bus {
    fn change(&mut self, before: u32, after: u32, ns: u64) {
        let is = |levels: u32, pin: usize| levels >> pin & 1 != 0;
        let SpiPins { sck, mosi, .. } = self.pins;
        let (was, now) = (is(before, sck), is(after, sck));
        for port in &mut self.ports {
            // A level that changes together with SCK changes too late.
            if port.is_selected && !self.is_routed && now && !was {
                port.clock(is(before, mosi));
                port.end_byte(ns);
            }
            if !port.is_hardware {
                port.select(ns, !is(after, port.chip_select));
            }
        }
    }

    /// Gives MISO its level. Returns whether that has changed.
    fn drive(&mut self, bank: &mut IoBank) -> bool {
        let is_clock_high = bank.levels() >> self.pins.sck & 1 != 0;
        // The bits of a controller's frames are on no pin.
        let selected = self.ports.iter().find(|port| port.is_selected && !self.is_routed);
        let drive = match selected.and_then(Port::bit) {
            // The last bit remains until SCK falls.
            Some(_) if is_clock_high && self.driven != Drive::Open => self.driven,
            Some(true) => Drive::High,
            Some(false) => Drive::Low,
            None if self.is_pulled_up => Drive::High,
            None => Drive::Open,
        };
        let has_changed = std::mem::replace(&mut self.driven, drive) != drive;
        if has_changed {
            bank.drive(self.pins.miso, drive);
        }
        has_changed
    }
}

impl Port {
    fn select(&mut self, ns: u64, is_low: bool) {
        if self.is_selected == is_low {
            return;
        }
        self.is_selected = is_low;
        if is_low {
            self.target.select(ns);
            self.output = self.target.next_output(ns);
        } else {
            self.target.deselect(ns, self.count == 0);
        }
        self.count = 0;
    }

    /// Returns the bit on MISO.
    fn bit(&self) -> Option<bool> {
        let place = 7_u8.saturating_sub(self.count);
        self.output.map(|byte| byte >> place & 1 != 0)
    }

    fn clock(&mut self, bit: bool) {
        self.input = self.input << 1 | u8::from(bit);
        self.count += 1;
    }

    /// Ends the byte, if all of its bits have been clocked.
    fn end_byte(&mut self, ns: u64) {
        if self.count == BYTE {
            self.count = 0;
            self.target.receive(ns, self.input);
            self.output = self.target.next_output(ns);
        }
    }

    /// Clocks the bits of a frame in. A byte that ends with the frame ends when the frame does.
    fn shift(&mut self, frame: &SpiWord, idle: u16) -> u16 {
        let bits = u64::from(frame.bits);
        let lasts = frame.ns.saturating_sub(frame.start_ns);
        let mut word = 0;
        for at in 0..bits {
            word = word << 1 | self.bit().map_or(idle, u16::from);
            self.clock(frame.word >> (bits - 1 - at) & 1 != 0);
            if at + 1 < bits {
                let passed = u128::from(lasts) * u128::from(at + 1) / u128::from(bits.max(1));
                self.end_byte(frame.start_ns.saturating_add(passed as u64));
            }
        }
        word
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PINS: SpiPins = SpiPins { sck: 10, mosi: 8, miso: 9 };
    const CS: usize = 3;

    #[derive(Clone, Debug, Default)]
    struct Recorder {
        bytes: Vec<u8>,
        selections: usize,
        whole: Vec<bool>,
    }

    impl SpiTarget for Recorder {
        fn select(&mut self, _: u64) {
            self.selections += 1;
        }

        fn deselect(&mut self, _: u64, is_whole: bool) {
            self.whole.push(is_whole);
        }

        fn next_output(&mut self, _: u64) -> Option<u8> {
            Some(0x80 | self.bytes.len() as u8)
        }

        fn receive(&mut self, _: u64, byte: u8) {
            self.bytes.push(byte);
        }

        fn boxed_clone(&self) -> Box<dyn SpiTarget> {
            Box::new(self.clone())
        }
    }

    /// Random levels of SCK, MOSI and chip select, one step after the other.
    #[test]
    fn any_levels_give_the_bits_at_rising_edges() {
        // xorshift64.
        let mut seed = 0x9E37_79B9_7F4A_7C15_u64;
        let mut random = || {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            seed
        };
        let mut bank = IoBank::default();
        let mut targets = SpiTargets::default();
        let level = |high| if high { Drive::High } else { Drive::Low };
        bank.drive(CS, Drive::High);
        bank.settle((0, 0));
        assert!(targets.add_bus(PINS, false));
        assert!(targets.attach(PINS, CS, 0, Box::new(Recorder::default())));
        targets.route(&mut bank, 0);
        let mut before = (false, false, true);
        let (mut bits, mut expected) = (Vec::new(), Recorder::default());
        for ns in 0..100_000 {
            let (sck, mosi, cs) = (random() % 2 == 0, random() % 2 == 0, random() % 60 == 0);
            for (pin, high) in [(PINS.sck, sck), (PINS.mosi, mosi), (CS, cs)] {
                bank.drive(pin, level(high));
            }
            bank.settle((0, 0));
            targets.change(&mut bank, ns);
            if !before.2 && sck && !before.0 {
                bits.push(before.1);
                if let Some(byte) = bits.first_chunk::<8>() {
                    let byte = byte.iter().fold(0, |byte, bit| byte << 1 | u8::from(*bit));
                    expected.bytes.push(byte);
                    bits.clear();
                }
            }
            if before.2 && !cs {
                expected.selections += 1;
            } else if !before.2 && cs {
                expected.whole.push(bits.is_empty());
                bits.clear();
            }
            before = (sck, mosi, cs);
            bank.settle((0, 0));
            // A selected target drives each bit of its output while SCK is low.
            if !cs && !sck {
                let output = 0x80 | expected.bytes.len() as u8;
                let bit = output >> (7 - bits.len()) & 1 != 0;
                assert_eq!(bank.levels() >> PINS.miso & 1 != 0, bit, "{ns}");
            }
        }
        let target: &dyn Any = targets.get(0).unwrap();
        let found = target.downcast_ref::<Recorder>().unwrap();
        assert!(found.bytes.len() > 1_000 && found.whole.contains(&true));
        assert_eq!(found.bytes, expected.bytes);
        assert_eq!((found.selections, &found.whole), (expected.selections, &expected.whole));
    }
}
