//! The run of a program, and the record of its pins, buses and functions.

use rp2040_emulator::chip::{
    BootError, Chip, Drive, FunctionChange, I2cEvent, I2cTarget, OutputChange, PIN_COUNT,
    PinChange, SpiWord,
};
use rp2040_emulator::program::Program;

/// Longest observation, in nanoseconds of virtual time.
const OBSERVED_NS: u64 = 2_000_000_000;
/// Time between two collections of the records. At 125 MHz a pin has at most 31,250 edges in it.
const SLICE_NS: u64 = 250_000;
/// Bound of an observation's work: instructions of both cores, and edges, which cost more.
const WORK_MAX: u64 = 60_000_000;
const WORK_OF_EDGE: u64 = 10;
/// Bound of the instructions after that, without edges: so that a program that draws by itself comes to
/// the point at which it reads its inputs.
const WORK_AFTER: u64 = 60_000_000;
/// Time between two looks at the registers then, in nanoseconds.
const LOOK_NS: u64 = 10_000_000;
/// Number of edges after which those of a pin are not recorded any more.
const PIN_EDGES_MAX: u64 = 40_000;
/// Number of frames of an SPI controller that are stored between two changes of pins: the first ones.
/// The rest of a picture or of a sector says nothing.
const RUN_MAX: usize = 64;
/// Duration of each level of TE in copies of the chip, in nanoseconds.
const TEARING_EFFECT_NS: u64 = 8_000_000;
/// Largest number of frames of an SPI controller, and of changes of the PWM and events of an I2C,
/// that are stored: the first ones.
const RECORDS_MAX: usize = 200_000;

pub(crate) const ALL_PINS: u32 = (1 << PIN_COUNT) - 1;

/// Functions of a pin (RP2040 datasheet, 2.19.2).
pub(crate) const SPI: u32 = 1;
pub(crate) const UART: u32 = 2;
pub(crate) const I2C: u32 = 3;
pub(crate) const PWM: u32 = 4;
pub(crate) const SIO: u32 = 5;
pub(crate) const PIO0: u32 = 6;
pub(crate) const PIO1: u32 = 7;

const PADS_BANK0_GPIO0: u32 = 0x4001_C004; // pad control, RP2040 datasheet 2.19.6.3
const PADS_PDE: u32 = 1 << 2;
const PADS_PUE: u32 = 1 << 3;
const PADS_IE: u32 = 1 << 6;
const PROC_INTE0: [u32; 2] = [0x4001_4100, 0x4001_4130]; // interrupt enables, 2.19.6.1
const USB_SIE_CTRL: u32 = 0x5011_004C; // RP2040 datasheet 4.1.4
const SIE_CTRL_PULLUP_EN: u32 = 1 << 16;

/// Pull of a pad.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pull {
    None,
    Up,
    Down,
}

/// State of a pin at the end of the observation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pin {
    /// FUNCSEL at the end.
    pub(crate) function: u32,
    /// Functions that it has had; bit n is function n.
    pub(crate) functions: u32,
    /// Whether the chip has ever driven it, and drives it at the end.
    pub(crate) was_driven: bool,
    pub(crate) is_driven: bool,
    pub(crate) pull: Pull,
    pub(crate) reads: bool,
    /// Interrupt conditions that are enabled: level low, level high, falling, rising.
    pub(crate) interrupts: u32,
    pub(crate) rises: u64,
    pub(crate) falls: u64,
}

impl Pin {
    /// Returns whether it has ever had this function.
    pub(crate) fn has_been(&self, function: u32) -> bool {
        self.functions >> function & 1 != 0
    }

    /// Returns whether SIO or a PIO has had it as an output.
    pub(crate) fn is_output(&self) -> bool {
        self.was_driven && [SIO, PIO0, PIO1].iter().any(|function| self.has_been(*function))
    }
}

/// The record of a run.
pub(crate) struct Observation {
    pub(crate) chip: Chip,
    pub(crate) ended_ns: u64,
    pub(crate) pins: [Pin; PIN_COUNT],
    /// Levels at the start, and the changes since.
    pub(crate) first_levels: u32,
    pub(crate) changes: Vec<PinChange>,
    pub(crate) functions: Vec<FunctionChange>,
    /// First time at which a pin was driven, in nanoseconds.
    pub(crate) driven_ns: [Option<u64>; PIN_COUNT],
    pub(crate) frames: [Vec<SpiWord>; 2],
    pub(crate) i2c: [Vec<(u64, I2cEvent)>; 2],
    pub(crate) waves: Vec<OutputChange>,
    /// Number of bytes that each UART has sent.
    pub(crate) uart_bytes: [usize; 2],
    pub(crate) is_usb_device: bool,
    /// TE of a display, which pulses in copies of the chip.
    pub(crate) tearing_effect: Option<usize>,
    /// Number of frames of each SPI controller since a pin has changed.
    run: [usize; 2],
}

/// A device that acknowledges every address, so that programs continue, and answers zeros.
#[derive(Clone, Debug)]
struct Acknowledging;

impl I2cTarget for Acknowledging {
    fn start(&mut self, _: u64, _: u16, _: bool) -> bool {
        true
    }

    fn write(&mut self, _: u64, _: u8) -> bool {
        true
    }

    fn read(&mut self, _: u64) -> u8 {
        0
    }

    fn stop(&mut self, _: u64) {}

    fn boxed_clone(&self) -> Box<dyn I2cTarget> {
        Box::new(self.clone())
    }
}

/// Returns the number of instructions that both cores have executed.
pub(crate) fn instructions(chip: &Chip) -> u64 {
    chip.core(0).instructions() + chip.core(1).instructions()
}

impl Observation {
    /// Runs `program` and records its pins.
    pub(crate) fn of(program: &Program) -> Result<Self, BootError> {
        let mut chip = program.boot()?;
        for number in 0..2 {
            chip.attach_i2c(number, Box::new(Acknowledging));
            chip.take_i2c_events(number);
        }
        chip.watch(ALL_PINS);
        chip.watch_functions(ALL_PINS);
        let idle = Pin {
            function: 0,
            functions: 0,
            was_driven: false,
            is_driven: false,
            pull: Pull::None,
            reads: false,
            interrupts: 0,
            rises: 0,
            falls: 0,
        };
        let first_levels = chip.levels();
        let mut seen = Self {
            chip,
            ended_ns: 0,
            pins: [idle; PIN_COUNT],
            first_levels,
            changes: Vec::new(),
            functions: Vec::new(),
            driven_ns: [None; PIN_COUNT],
            frames: [Vec::new(), Vec::new()],
            i2c: [Vec::new(), Vec::new()],
            waves: Vec::new(),
            uart_bytes: [0; 2],
            is_usb_device: false,
            tearing_effect: None,
            run: [0; 2],
        };
        seen.run();
        seen.inspect();
        Ok(seen)
    }

    fn run(&mut self) {
        let (mut levels, mut watched, mut edges) = (self.first_levels, ALL_PINS, 0);
        let began = instructions(&self.chip);
        while self.ended_ns < OBSERVED_NS {
            let before = (self.chip.now_ns(), self.ended_ns);
            self.ended_ns += SLICE_NS;
            self.chip.run(self.ended_ns);
            for change in self.collect() {
                let moved = levels ^ change.levels;
                edges += u64::from(moved.count_ones());
                for (pin, state) in self.pins.iter_mut().enumerate() {
                    state.rises += u64::from(moved & change.levels & 1 << pin != 0);
                    state.falls += u64::from(moved & levels & 1 << pin != 0);
                }
                levels = change.levels;
                self.changes.push(change);
            }
            for (pin, state) in self.pins.iter().enumerate() {
                if state.rises + state.falls > PIN_EDGES_MAX {
                    watched &= !(1 << pin);
                }
            }
            self.chip.watch(watched);
            let work = instructions(&self.chip) - began + WORK_OF_EDGE * edges;
            // A chip that has stopped does not advance.
            if self.chip.now_ns() == before.0 && before.1 != 0 {
                return;
            }
            if work > WORK_MAX {
                break;
            }
        }
        self.run_without_edges();
    }

    /// Continues to the end of the observation, without edges, and without the frames of SPI controllers,
    /// which mean nothing without the levels of their pins.
    fn run_without_edges(&mut self) {
        self.chip.watch(0);
        let frames = [0, 1].map(|number| self.frames[number].len());
        let began = instructions(&self.chip);
        while self.ended_ns < OBSERVED_NS && instructions(&self.chip) - began < WORK_AFTER {
            self.ended_ns += LOOK_NS;
            self.chip.run(self.ended_ns);
            self.collect();
            for (frames, count) in self.frames.iter_mut().zip(frames) {
                frames.truncate(count);
            }
        }
    }

    /// Collects the records of a slice. Returns the changes of levels.
    fn collect(&mut self) -> Vec<PinChange> {
        fn extend<T>(all: &mut Vec<T>, more: Vec<T>) {
            let room = RECORDS_MAX.saturating_sub(all.len());
            all.extend(more.into_iter().take(room));
        }
        let changes = self.chip.take_changes();
        for number in 0..2 {
            let frames = self.chip.take_spi_sent(number).0;
            let (mut run, mut at) = (self.run[number], 0);
            let starts = frames.into_iter().filter(|frame| {
                let before = at;
                at += changes[at..].partition_point(|change| change.ns < frame.ns);
                run = if at == before { run + 1 } else { 1 };
                run <= RUN_MAX
            });
            extend(&mut self.frames[number], starts.collect());
            // Changes after the last frame.
            self.run[number] = if at < changes.len() { 0 } else { run };
            extend(&mut self.i2c[number], self.chip.take_i2c_events(number));
            self.uart_bytes[number] += self.chip.take_sent(number).len();
        }
        extend(&mut self.waves, self.chip.take_pwm_changes().0);
        extend(&mut self.functions, self.chip.take_function_changes());
        let driven = self.chip.driven();
        for (pin, state) in self.pins.iter_mut().enumerate() {
            if driven >> pin & 1 != 0 {
                state.was_driven = true;
                self.driven_ns[pin].get_or_insert(self.ended_ns);
            }
        }
        changes
    }

    /// Runs a copy of the chip for `ns` nanoseconds, with pulses of TE.
    pub(crate) fn advance(&self, chip: &mut Chip, ns: u64) {
        let end = chip.now_ns() + ns;
        let Some(pin) = self.tearing_effect else {
            chip.run(end);
            return;
        };
        while chip.now_ns() < end {
            let phase = chip.now_ns() / TEARING_EFFECT_NS;
            chip.drive(pin, if phase.is_multiple_of(2) { Drive::Low } else { Drive::High });
            let next = end.min((phase + 1) * TEARING_EFFECT_NS);
            let before = chip.now_ns();
            chip.run(next);
            // A chip that has stopped does not advance.
            if chip.now_ns() == before {
                return;
            }
        }
    }

    /// Reads the registers of the pins at the end.
    fn inspect(&mut self) {
        for change in &self.functions {
            if let Some(pin) = self.pins.get_mut(usize::from(change.pin)) {
                pin.functions |= 1 << (change.function & 31);
            }
        }
        let driven = self.chip.driven();
        for (number, pin) in self.pins.iter_mut().enumerate() {
            pin.function = self.chip.function(number).unwrap_or_default();
            pin.functions |= 1 << (pin.function & 31);
            pin.is_driven = driven >> number & 1 != 0;
            let pad = self.chip.peek(0, PADS_BANK0_GPIO0 + 4 * number as u32).unwrap_or_default();
            pin.reads = pad & PADS_IE != 0;
            pin.pull = match (pad & PADS_PUE != 0, pad & PADS_PDE != 0) {
                (true, false) => Pull::Up,
                (false, true) => Pull::Down,
                _ => Pull::None,
            };
        }
        for base in PROC_INTE0 {
            for register in 0..4 {
                let enables = self.chip.peek(0, base + 4 * register as u32).unwrap_or_default();
                for (number, pin) in self.pins.iter_mut().skip(8 * register).take(8).enumerate() {
                    pin.interrupts |= enables >> (4 * number) & 0xF;
                }
            }
        }
        let control = self.chip.peek(0, USB_SIE_CTRL).unwrap_or_default();
        self.is_usb_device = control & SIE_CTRL_PULLUP_EN != 0;
    }

    /// Returns the changes of one pin: the time in nanoseconds, and whether it is then high.
    pub(crate) fn edges(&self, pin: usize) -> Vec<(u64, bool)> {
        let mut level = self.first_levels >> pin & 1;
        let mut edges = Vec::new();
        for change in &self.changes {
            let now = change.levels >> pin & 1;
            if now != level {
                edges.push((change.ns, now != 0));
                level = now;
            }
        }
        edges
    }

    /// Returns the pins for which `is` holds, as a mask.
    pub(crate) fn mask(&self, is: impl Fn(&Pin) -> bool) -> u32 {
        let pins = self.pins.iter().enumerate().filter(|(_, pin)| is(pin));
        pins.fold(0, |mask, (number, _)| mask | 1 << number)
    }
}

/// Returns the numbers of the pins of a mask.
pub(crate) fn numbers(mask: u32) -> impl Iterator<Item = usize> {
    (0..PIN_COUNT).filter(move |pin| mask >> pin & 1 != 0)
}

/// Functions of the edges of a pin, as [`Observation::edges`] returns them.
pub(crate) struct PinEdges;

impl PinEdges {
    /// Returns the level at `ns`, before an edge at that time.
    pub(crate) fn level(edges: &[(u64, bool)], first: bool, ns: u64) -> bool {
        let before = edges.partition_point(|(at, _)| *at < ns);
        if before == 0 { first } else { edges[before - 1].1 }
    }
}
