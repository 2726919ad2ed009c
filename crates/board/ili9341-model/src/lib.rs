//! The ILI9341: a 240×320 LCD controller at the end of a four-line serial interface.
//!
//! [`Ili9341`] is fed with what its pins see: levels of RESX and D/CX and bytes, each with
//! its time. It decodes them as the datasheet (V1.11) has it, answers reads, keeps the
//! frame memory, shows it behind the module's glass as [`Frame`]s, and records which rules
//! were broken ([`Rule`]). It can be used alone: with a board of another kind, or behind an
//! emulated processor. `docs/lcd-model.md` says to which depth it is modelled.
//!
//! It knows no driver, and no clock: every call has its time as an argument. Chip select is not among its
//! pins: between whole bytes it may rise and fall at will (7.1.12), and nothing else is sent.
//!
//! - `command`: the commands and `arguments`. `decode`: what they do. `read`: the `answer`.
//! - `registers`, `memory`: its state. `geometry`, `pixel`: the layout of the memory and of a cell.
//! - `view`: what a person sees. `scanout`: the same line by line, as it is scanned. `viewing_angle`: from the side. `frames`: when a frame is complete, and an undo log of `saved` cells. `hold`: the picture at a moment. `kept`: a frame that is brought up to date, in `tiles`, by what was `written`.
//! - `panel`: the registers by name, for a person who looks. `lint`: the rules. `transfer`, `provenance`: where a pixel came from.

mod answer;
mod arguments;
mod command;
mod decode;
pub mod frame;
mod frames;
mod geometry;
mod hold;
mod kept;
mod lint;
mod memory;
mod panel;
mod pixel;
mod provenance;
mod read;
mod registers;
mod saved;
mod scanout;
mod tiles;
mod transfer;
mod view;
mod viewing_angle;
mod written;

#[cfg(test)]
mod tests;

/// The example of the README is compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

pub use frame::{Frame, Region};
pub use frames::FRAME_IDLE;
pub use kept::KeptFrame;
pub use lint::{KEPT, Rule, Violation};
pub use panel::{DisplayMode, Field, Panel, Register};
pub use scanout::ScanOut;
pub use tiles::{TILE, Tiles};
pub use transfer::{PixelWrite, Transfer, WRITES_KEPT};
pub use viewing_angle::{ANGLE_MAX, AngleError, ViewingAngle, seen_through};
pub use virtual_time::{Instant, Nanos};

use virtual_time::Random;

use answer::Answer;
use arguments::Arguments;
use frames::Frames;
use hold::Hold;
use kept::Identity;
use lint::{BYTE_AT_10_MHZ, LONG_WAIT, Log, RESET_PULSE, RESET_SPIKE, SHORT_WAIT, Waits};
use memory::Memory;
use registers::Registers;
use transfer::Provenance;
use view::render;

/// The datasheet's name of a command and its section (`-` if only the vendor's own drivers
/// have it); `None` for a code that is no command.
pub fn command_name(code: u8) -> Option<(&'static str, &'static str)> {
    command::lookup(code).map(|command| (command.name, command.section))
}

/// Whether the controller answers after this command: the host clocks a register or the memory out.
pub fn answers_command(code: u8) -> bool {
    command::lookup(code).is_some_and(|command| {
        matches!(command.follows, command::Follows::Register | command::Follows::Memory)
    })
}

/// What crossed the bus since power-on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BusStats {
    /// All bytes, commands and reads too.
    pub bytes: u64,
    /// Bytes of pixels that were written.
    pub pixel_bytes: u64,
    /// Memory writes that were begun (RAMWR).
    pub windows: u64,
}

/// What the next data byte is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stream {
    /// No command has come yet.
    Nothing,
    /// An argument; the command takes between so many and so many.
    Arguments(u8, u8),
    /// A part of a pixel.
    Pixels,
    /// A clock for the next byte of the answer.
    Answer,
    /// Not known: the command is unknown.
    Unknown,
}

/// The controller and its module: glass and backlight. A clone goes on exactly as the original.
#[derive(Clone)]
pub struct Ili9341 {
    seed: u64,
    power_ups: u64,
    powered: bool,
    /// Whether the module's backlight is on; it is until [`Ili9341::set_backlight`] turns it off.
    lit: bool,
    reset_high: bool,
    reset_fell: Instant,
    /// RESX has been low since power-on, or the linter has noted that it has not.
    reset_seen: bool,
    /// What a spike on RESX leaves as it was.
    before_reset: Registers,
    dc_high: bool,
    dc_moved: Instant,
    /// When the last byte had been received.
    busy_until: Instant,
    registers: Registers,
    memory: Memory,
    frames: Frames,
    stream: Stream,
    arguments: Arguments,
    answer: Answer,
    /// The linter has seen the present columns, and pages, under the present MV.
    window_checked: [bool; 2],
    waits: Waits,
    log: Log,
    bus: BusStats,
    /// The transfer in progress or the last one, and the one that opened the window.
    transfer: Transfer,
    opened: Transfer,
    provenance: Option<Provenance>,
    hold: Option<Hold>,
    identity: Identity,
}

impl Ili9341 {
    /// A module without power, with its backlight on. `seed` draws the noise that its
    /// memory holds after power-on.
    pub fn new(seed: u64) -> Self {
        Self {
            seed,
            power_ups: 0,
            powered: false,
            lit: true,
            reset_high: true,
            reset_fell: Instant::START,
            reset_seen: false,
            before_reset: Registers::default(),
            dc_high: true,
            dc_moved: Instant::START,
            busy_until: Instant::START,
            registers: Registers::default(),
            memory: Memory::new(),
            frames: Frames::new(),
            stream: Stream::Nothing,
            arguments: Arguments::default(),
            answer: Answer::default(),
            window_checked: [true; 2],
            waits: Waits::default(),
            log: Log::default(),
            bus: BusStats::default(),
            transfer: Transfer::default(),
            opened: Transfer::default(),
            provenance: None,
            hold: None,
            identity: Identity::new(),
        }
    }

    /// Power comes, or goes. RESX is then high, by the module's pull-up.
    pub fn set_power(&mut self, at: Instant, on: bool) {
        if on == self.powered {
            return;
        }
        self.hold_before(at);
        self.powered = on;
        self.frames.cut(at);
        self.registers = Registers::default();
        self.memory.set_mapping(self.registers.mapping());
        self.stop_stream();
        self.reset_high = true;
        self.reset_seen = false;
        if on {
            self.power_ups += 1;
            self.log.deaf = false;
            let mut noise = Random::new(self.seed);
            noise.stir(self.power_ups);
            self.memory.power_on(noise);
            self.frames.forget_memory();
            self.bus = BusStats::default();
            self.forget_provenance();
            self.waits = Waits::default();
            self.waits.before_command(at.saturating_add(SHORT_WAIT), Rule::ResetDelay);
        }
    }

    /// Silences the linter until the next power-on. For a bit that was flipped on the wire: what
    /// follows may be decoded wrongly, and the host did not send it.
    pub fn deafen_linter(&mut self) {
        self.log.deaf = true;
    }

    /// Whether [`deafen_linter`](Self::deafen_linter) was called since the last power-on.
    pub fn is_linter_deaf(&self) -> bool {
        self.log.deaf
    }

    /// RESX moves. The reset takes place when it falls; a pulse below 5 µs is a spike and
    /// leaves everything as it was (15.4).
    pub fn set_reset(&mut self, at: Instant, high: bool) {
        if high == self.reset_high {
            return;
        }
        self.hold_before(at);
        self.reset_high = high;
        if !self.powered {
            return;
        }
        if !high {
            self.reset_fell = at;
            self.before_reset = core::mem::take(&mut self.registers);
            self.stop_stream();
            self.registers_changed(at);
            return;
        }
        let pulse = at.saturating_since(self.reset_fell);
        if pulse < RESET_PULSE {
            self.log.record(at, Rule::ResetPulse, &[]);
        }
        if pulse < RESET_SPIKE {
            self.registers = self.before_reset.clone();
            self.registers_changed(at);
            return;
        }
        self.reset_seen = true;
        self.waits.before_command(at.saturating_add(SHORT_WAIT), Rule::ResetDelay);
        if self.before_reset.awake {
            self.waits.before_sleep_out(at.saturating_add(LONG_WAIT), Rule::ResetSleepOutDelay);
        }
    }

    /// D/CX moves: low for a command, high for its arguments and data.
    pub fn set_dc(&mut self, at: Instant, high: bool) {
        if high == self.dc_high {
            return;
        }
        self.dc_high = high;
        self.dc_moved = at;
        if self.powered && at < self.busy_until {
            self.log.record(at, Rule::DcInsideByte, &[]);
        }
    }

    /// The module's backlight goes on or off.
    pub fn set_backlight(&mut self, at: Instant, on: bool) {
        self.hold_before(at);
        self.lit = on;
        self.show(at);
    }

    /// Receives `bytes`, the first bit at `start`, the last one at `end`, evenly spread.
    /// Bytes may be split over calls anywhere; none is no event.
    pub fn write(&mut self, start: Instant, end: Instant, bytes: &[u8]) {
        if !self.bytes_begin(start, end, bytes) {
            return;
        }
        if !self.dc_high {
            self.commands(start, end, bytes);
        } else if self.stream == Stream::Pixels {
            self.pixels(start, end, bytes);
        } else {
            self.data(start, end, bytes);
        }
    }

    /// Receives `bytes` like [`Ili9341::write`] and puts what comes back on MISO in their
    /// place: the answer to a read command, otherwise zeros.
    pub fn exchange(&mut self, start: Instant, end: Instant, bytes: &mut [u8]) {
        // Without power and in reset there is no answer under way.
        if self.dc_high && self.stream == Stream::Answer {
            if self.bytes_begin(start, end, bytes) {
                self.answer_into(bytes);
            }
        } else {
            self.write(start, end, bytes);
            bytes.fill(0);
        }
    }

    /// The last frame that was complete at `at`, 320×240 as a person sees it. Exact for an
    /// `at` after the last two frames began.
    pub fn frame_at(&self, at: Instant) -> Frame {
        let (cells, glass) = self.frames.complete_at(at, self.memory.cells());
        render(&cells, glass.as_ref())
    }

    /// What the glass shows of the memory now, in the middle of a frame too.
    pub fn picture(&self) -> Frame {
        render(self.memory.cells(), self.registers.glass(self.lit).as_ref())
    }

    /// How many frames were complete at `at`; exact under the same condition.
    pub fn frame_count_at(&self, at: Instant) -> u64 {
        self.frames.count_at(at)
    }

    /// The first and the last moment at which the last frame that was complete at `at` changed
    /// something; `None` if there is none, or the power has gone since. Exact under the same
    /// condition.
    pub fn frame_span_at(&self, at: Instant) -> Option<(Instant, Instant)> {
        self.frames.span_at(at)
    }

    /// When the frame in progress at `now` will be complete if nothing more comes.
    pub fn frame_due(&self, now: Instant) -> Option<Instant> {
        self.frames.due(now)
    }

    /// When a pixel was last written or something else visible changed.
    pub fn last_change(&self) -> Instant {
        self.frames.last_change()
    }

    /// Rules that were broken, in order; the first [`KEPT`].
    pub fn violations(&self) -> &[Violation] {
        &self.log.violations
    }

    /// Notes, in order; the first [`KEPT`].
    pub fn notes(&self) -> &[Violation] {
        &self.log.notes
    }

    /// Violations, and notes, that were not kept.
    pub fn dropped(&self) -> (u64, u64) {
        (self.log.violations_dropped, self.log.notes_dropped)
    }

    /// What crossed the bus since power-on.
    pub fn bus(&self) -> BusStats {
        self.bus
    }

    /// What the memory holds in `column` (0 to 239) and `page` (0 to 319), six bits a
    /// colour in the upper bits of `0x00RRGGBB`; `None` outside.
    pub fn memory_pixel(&self, column: usize, page: usize) -> Option<u32> {
        self.memory.cell(column, page)
    }

    /// Whether it is in sleep-in mode; so it is without power too.
    pub fn is_asleep(&self) -> bool {
        !self.registers.awake
    }

    /// Whether the display is on: DISPON came after the last DISPOFF or reset.
    pub fn is_display_on(&self) -> bool {
        self.registers.display_on
    }

    /// Whether inversion is on: DINVON came after the last DINVOFF or reset.
    pub fn is_inverted(&self) -> bool {
        self.registers.inverted
    }

    /// MADCTL's argument.
    pub fn memory_access_control(&self) -> u8 {
        self.registers.madctl
    }

    /// WRDISBV's argument. The module's backlight is a pin of its own and not dimmed by it.
    pub fn brightness(&self) -> u8 {
        self.registers.brightness
    }

    /// Whether the tearing effect line is on.
    pub fn is_tearing_line_on(&self) -> bool {
        self.registers.tearing.is_some()
    }

    /// Applies changed registers to the memory and the glass.
    fn registers_changed(&mut self, at: Instant) {
        if self.memory.set_mapping(self.registers.mapping()) {
            self.window_checked = [false; 2];
        }
        self.memory.begins_again = self.registers.window_begins_again();
        self.show(at);
    }

    /// The glass may show something else.
    fn show(&mut self, at: Instant) {
        let glass = self.registers.glass(self.lit);
        if glass.is_some() {
            self.memory.settle();
        }
        self.frames.show(at, glass);
    }

    fn stop_stream(&mut self) {
        self.stream = Stream::Nothing;
        self.memory.forget_partial();
    }

    /// Counts and checks what every transfer has in common. Returns whether the controller
    /// receives it.
    fn bytes_begin(&mut self, start: Instant, end: Instant, bytes: &[u8]) -> bool {
        if bytes.is_empty() {
            return false;
        }
        self.hold_before(end);
        self.busy_until = end;
        if !self.powered {
            self.log.record(start, Rule::SentUnpowered, bytes);
            return false;
        }
        self.bus.bytes += bytes.len() as u64;
        let number = self.transfer.number + 1;
        self.transfer = Transfer { number, start, end, bytes: bytes.len() };
        if !self.reset_high {
            self.log.record(start, Rule::SentInReset, bytes);
            return false;
        }
        if self.dc_moved > start {
            self.log.record(self.dc_moved, Rule::DcInsideByte, bytes);
        }
        // Most clocks are faster: noted with the first bytes, and not computed again.
        if self.log.lacks(Rule::Clock)
            && end.saturating_since(start).0 < BYTE_AT_10_MHZ.saturating_mul(bytes.len() as u64)
        {
            self.log.record(start, Rule::Clock, &[]);
        }
        true
    }
}
