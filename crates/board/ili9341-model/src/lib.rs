//! LCD and OLED controllers at the end of a wire: the ILI9341 (240×320, four-line serial
//! interface), and every other one that a [`Table`] describes.
//!
//! [`Ili9341`] gets the inputs of its pins: levels of RESX and D/CX and bytes, each with its time.
//! It decodes them according to the table of the controller, answers reads, contains the frame
//! memory, shows it as [`Frame`]s of the module's visible panel, and records violations of the
//! datasheet ([`Rule`]). [`Ili9341::new`] is the reference module;
//! [`Ili9341::with_module`] takes a table (`panel_tables::by_name("st7789")`) and a [`Module`]:
//! visible part, mounting, colour filter. It can be used alone: with a board of another kind, or
//! with an emulated processor. `docs/lcd-model.md` lists what is modelled.
//!
//! The crate knows no driver and no clock: every call has its time as an argument. Chip select is
//! not a pin of the model: it may rise and fall between whole bytes (7.1.12), and all bytes on the
//! bus are for the LCD.
//!
//! - `decode`: the effects of the commands and their `arguments`. `one_bit`: the same for the family
//!   of one bit a pixel. `read`: the `answer`. `bus`: from wires and words to bytes. `check`: the
//!   examples of a table.
//! - `registers`, `memory`: the state. `geometry`, `pixel`: the layout of the memory and of a cell.
//! - `view`: the visible picture. `scanout`: the same line by line, as it is scanned.
//!   `viewing_angle`: the picture from the side. `frames`: when a frame is complete, and an undo
//!   log of `saved` cells. `kept`, `written`: a cached frame and its update. `hold`: the picture at
//!   a given time.
//! - `panel`: the registers by name, for inspection. `lint`: the rules. `transfer`, `provenance`:
//!   the origin of a pixel.

mod answer;
mod arguments;
pub mod bus;
pub mod check;
mod colours;
mod decode;
pub mod frame;
mod frames;
mod geometry;
mod hold;
mod kept;
mod lint;
mod memory;
mod misplaced;
mod one_bit;
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

/// Compiles and runs the README's example.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

pub use colours::ColourSetting;
pub use frame::{Frame, Region};
pub use frames::FRAME_IDLE;
pub use kept::CachedFrame;
pub use lint::{VIOLATIONS_MAX, Violation};
pub use misplaced::Misplaced;
pub use panel::{DisplayMode, Field, Panel, Register};
pub use panel_tables::{self, Module, Mounting, Rule, Table};
pub use scanout::ScanOut;
pub use tiles::{TILE, Tiles};
pub use transfer::{PixelWrite, Transfer, WATCHED_WRITES_MAX};
pub use viewing_angle::{ANGLE_MAX, AngleError, ViewingAngle, seen_through};
pub use virtual_time::{Instant, Nanos};

use virtual_time::Random;

use answer::Answer;
use arguments::Arguments;
use frames::Frames;
use hold::Snapshot;
use kept::Identity;
use lint::{Log, Waits};
use memory::Memory;
use registers::Registers;
use transfer::Provenance;
use view::render;

/// Returns the datasheet's name of a command of the ILI9341 and its section (`-` if only the
/// vendor's own drivers have it); `None` for a code that is not a command.
pub fn command_name(code: u8) -> Option<(&'static str, &'static str)> {
    let command = panel_tables::ILI9341.command(code)?;
    Some((&command.name, &command.section))
}

/// Returns whether the ILI9341 answers this command: the host clocks out a register or the memory.
pub fn answers_command(code: u8) -> bool {
    panel_tables::ILI9341.answers(code)
}

/// Bus statistics since power-on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BusStats {
    /// Number of bytes, including commands and reads.
    pub bytes: u64,
    /// Number of bytes of pixels that were written.
    pub pixel_bytes: u64,
    /// Number of memory writes that were begun (RAMWR).
    pub windows: u64,
}

/// Meaning of the next data byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stream {
    /// No command has been received yet.
    Nothing,
    /// An argument; the command takes between the first and the second number of them.
    Arguments(u8, u8),
    /// Part of a pixel.
    Pixels,
    /// A clock for the next byte of the answer.
    Answer,
    /// The command is unknown.
    Unknown,
}

/// The controller and its module: panel and backlight. A clone continues exactly as the original.
#[derive(Clone)]
pub struct Ili9341 {
    /// Minimum time of a bit on the wire, in nanoseconds.
    bit_time: u64,
    seed: u64,
    power_ups: u64,
    powered: bool,
    /// Whether the module's backlight is on; it is on until [`Ili9341::set_backlight`] turns it
    /// off.
    backlight_on: bool,
    reset_high: bool,
    reset_fell: Instant,
    /// Whether RESX has been low since power-on, or the linter has recorded that it has not.
    reset_seen: bool,
    /// Whether RESX is connected.
    has_reset: bool,
    /// Whether the board file states the order of the filter's colours.
    is_filter_known: bool,
    /// Registers to restore after a spike on RESX.
    before_reset: Registers,
    dc_high: bool,
    dc_moved: Instant,
    /// Time at which the last byte had been received.
    busy_until: Instant,
    registers: Registers,
    memory: Memory,
    frames: Frames,
    stream: Stream,
    arguments: Arguments,
    answer: Answer,
    /// Whether the linter has checked the current columns, and pages, under the current MV.
    window_checked: [bool; 2],
    waits: Waits,
    log: Log,
    bus: BusStats,
    /// The current or last transfer; `opened` is the one that opened the window.
    transfer: Transfer,
    opened: Transfer,
    provenance: Option<Provenance>,
    hold: Option<Snapshot>,
    identity: Identity,
}

/// Times of the tearing effect line: low during the scan, high in the porch (mode 0).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TearingTimes {
    /// Duration of the lines of the panel.
    pub scan: Nanos,
    /// Duration of the lines of the porches.
    pub porch: Nanos,
}

/// Knowledge of a board about its module, as far as the rules and reports depend on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wires {
    /// Whether the bus is a serial one with a clock.
    pub is_serial: bool,
    /// Whether the program can reset the controller by RESX. Otherwise the module does it at
    /// power-on.
    pub has_reset: bool,
    /// Whether the board file states the order of the filter's colours. Otherwise it is that of most
    /// modules.
    pub is_filter_known: bool,
}

impl Default for Wires {
    fn default() -> Self {
        Self { is_serial: true, has_reset: true, is_filter_known: true }
    }
}

impl Ili9341 {
    /// Creates the reference module (an ILI9341, mounted landscape) without power, with its
    /// backlight on. The noise in its memory after power-on is drawn from `seed`.
    pub fn new(seed: u64) -> Self {
        Self::with_module(seed, &panel_tables::ILI9341, panel_tables::ILI9341.module)
    }

    /// Creates a module with the controller of `table`, like [`Ili9341::new`]. `module` is its
    /// mounting, [`Table::module`] a common one; its visible part is cut at the end of the memory.
    pub fn with_module(seed: u64, table: &'static Table, module: Module) -> Self {
        let registers = Registers::new(table, module.within(table));
        let layout = registers.layout;
        Self {
            bit_time: table.limit(Rule::Clock).0,
            seed,
            power_ups: 0,
            powered: false,
            backlight_on: true,
            reset_high: true,
            reset_fell: Instant::START,
            reset_seen: false,
            has_reset: true,
            is_filter_known: true,
            before_reset: registers.clone(),
            dc_high: true,
            dc_moved: Instant::START,
            busy_until: Instant::START,
            registers,
            memory: Memory::new(layout),
            frames: Frames::new(&layout),
            stream: Stream::Nothing,
            arguments: Arguments::default(),
            answer: Answer::default(),
            window_checked: [true; 2],
            waits: Waits::default(),
            log: Log::new(table),
            bus: BusStats::default(),
            transfer: Transfer::default(),
            opened: Transfer::default(),
            provenance: None,
            hold: None,
            identity: Identity::new(),
        }
    }

    /// Sets how the module is wired.
    pub fn set_wires(&mut self, wires: Wires) {
        let limit = self.registers.table.limit(Rule::Clock).0;
        // The limit is that of a serial clock.
        self.bit_time = if wires.is_serial { limit } else { 0 };
        self.has_reset = wires.has_reset;
        self.is_filter_known = wires.is_filter_known;
    }

    /// Sets the rules whose violations are notes from now on, a [bit](Rule::bit) each.
    pub fn set_permitted(&mut self, rules: u64) {
        self.log.permitted = rules;
    }

    /// Turns the power on or off. RESX is high after that, by the module's pull-up.
    pub fn set_power(&mut self, at: Instant, on: bool) {
        if on == self.powered {
            return;
        }
        self.save_picture_before(at);
        self.powered = on;
        self.frames.cut(at);
        self.registers = self.registers.fresh();
        self.memory.set_mapping(self.registers.mapping());
        self.stop_stream();
        self.reset_high = true;
        self.reset_seen = !self.has_reset;
        if on {
            self.power_ups += 1;
            self.log.muted = false;
            let mut noise = Random::new(self.seed);
            noise.stir(self.power_ups);
            self.memory.power_on(noise);
            self.frames.forget_memory();
            self.bus = BusStats::default();
            self.forget_provenance();
            self.waits = Waits::default();
            self.waits.before_command(at, Rule::ResetDelay, self.registers.table);
        }
    }

    /// Silences the linter until the next power-on, after a bit was inverted on the wire: later
    /// bytes may be decoded wrongly, although the host sent them correctly.
    pub fn mute_linter(&mut self) {
        self.log.muted = true;
    }

    /// Returns whether [`mute_linter`](Self::mute_linter) was called since the last power-on.
    pub fn is_linter_muted(&self) -> bool {
        self.log.muted
    }

    /// Sets the level of RESX. The reset happens at the falling edge; a pulse below 5 µs is a spike
    /// and changes nothing (15.4).
    pub fn set_reset(&mut self, at: Instant, high: bool) {
        if high == self.reset_high {
            return;
        }
        self.save_picture_before(at);
        self.reset_high = high;
        if !self.powered {
            return;
        }
        if !high {
            self.reset_fell = at;
            let fresh = self.registers.fresh();
            self.before_reset = core::mem::replace(&mut self.registers, fresh);
            self.stop_stream();
            self.registers_changed(at);
            return;
        }
        let pulse = at.saturating_since(self.reset_fell);
        let table = self.registers.table;
        if pulse < table.limit(Rule::ResetPulse) {
            self.log.record(at, Rule::ResetPulse, &[]);
        }
        if pulse < table.power.spike {
            self.registers = self.before_reset.clone();
            self.registers_changed(at);
            return;
        }
        self.reset_seen = true;
        self.waits.before_command(at, Rule::ResetDelay, table);
        if self.before_reset.awake {
            self.waits.before_sleep_out(at, Rule::ResetSleepOutDelay, table);
        }
    }

    /// Sets the level of D/CX: low for a command, high for its arguments and data.
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

    /// Turns the module's backlight on or off.
    pub fn set_backlight(&mut self, at: Instant, on: bool) {
        self.save_picture_before(at);
        self.backlight_on = on;
        self.show(at);
    }

    /// Receives `bytes`, evenly spread from the first bit at `start` to the last one at `end`.
    /// Bytes may be split over calls anywhere; an empty call is no event.
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

    /// Receives `bytes` like [`Ili9341::write`] and replaces them with the bytes on MISO: the
    /// answer to a read command, otherwise zeros.
    pub fn exchange(&mut self, start: Instant, end: Instant, bytes: &mut [u8]) {
        // Without power and in reset no answer is in progress.
        if self.dc_high && self.stream == Stream::Answer {
            if self.bytes_begin(start, end, bytes) {
                self.answer_into(bytes);
            }
        } else {
            self.write(start, end, bytes);
            bytes.fill(0);
        }
    }

    /// Returns the controller's table.
    pub fn table(&self) -> &'static Table {
        self.registers.table
    }

    /// Returns the module: the mounting of the panel.
    pub fn module(&self) -> &Module {
        &self.registers.layout.module
    }

    /// Returns width and height of the visible panel.
    pub fn size(&self) -> (usize, usize) {
        self.registers.layout.size()
    }

    /// Returns the last frame that was complete at `at`, as a viewer sees it. Exact if `at`
    /// is not before the start of the last two frames.
    pub fn frame_at(&self, at: Instant) -> Frame {
        let (cells, glass) = self.frames.complete_at(at, self.memory.cells());
        render(&cells, glass.as_ref(), &self.registers.layout)
    }

    /// Returns the current picture, which may be in the middle of a frame.
    pub fn picture(&self) -> Frame {
        let glass = self.registers.display_settings(self.backlight_on);
        render(self.memory.cells(), glass.as_ref(), &self.registers.layout)
    }

    /// Returns the number of frames that were complete at `at`; exact under the same condition as
    /// [`frame_at`](Self::frame_at).
    pub fn frame_count_at(&self, at: Instant) -> u64 {
        self.frames.count_at(at)
    }

    /// Returns the times of the first and the last change of the last frame that was complete at
    /// `at`; `None` if there is none, or the power was lost since. Exact under the same condition
    /// as [`frame_at`](Self::frame_at).
    pub fn frame_span_at(&self, at: Instant) -> Option<(Instant, Instant)> {
        self.frames.span_at(at)
    }

    /// Returns when the frame in progress at `now` will be complete if nothing more is drawn.
    pub fn frame_due(&self, now: Instant) -> Option<Instant> {
        self.frames.due(now)
    }

    /// Returns the time at which a pixel was last written or something else visible changed.
    pub fn last_change(&self) -> Instant {
        self.frames.last_change()
    }

    /// Returns the violations, in order of time; at most the first [`VIOLATIONS_MAX`].
    pub fn violations(&self) -> &[Violation] {
        &self.log.violations
    }

    /// Returns the notes, in order of time; at most the first [`VIOLATIONS_MAX`].
    pub fn notes(&self) -> &[Violation] {
        &self.log.notes
    }

    /// Returns the numbers of violations and of notes that were not stored.
    pub fn dropped(&self) -> (u64, u64) {
        (self.log.violations_dropped, self.log.notes_dropped)
    }

    /// Returns the bus statistics since power-on.
    pub fn bus(&self) -> BusStats {
        self.bus
    }

    /// Returns the memory's contents in `column` and `page` (0 to 239 and 0 to 319 of the ILI9341),
    /// six bits a colour in the upper bits of `0x00RRGGBB`; `None` outside.
    pub fn memory_pixel(&self, column: usize, page: usize) -> Option<u32> {
        self.memory.cell(column, page)
    }

    /// Returns whether the controller is in sleep-in mode; true without power.
    pub fn is_asleep(&self) -> bool {
        !self.registers.awake
    }

    /// Returns whether the display is on: DISPON came after the last DISPOFF or reset.
    pub fn is_display_on(&self) -> bool {
        self.registers.display_on
    }

    /// Returns whether inversion is on: DINVON came after the last DINVOFF or reset.
    pub fn is_inverted(&self) -> bool {
        self.registers.inverted
    }

    /// Returns MADCTL's argument.
    pub fn memory_access_control(&self) -> u8 {
        self.registers.madctl
    }

    /// Returns WRDISBV's argument. The module's backlight has its own pin and is not dimmed by it.
    pub fn brightness(&self) -> u8 {
        self.registers.brightness
    }

    /// Returns the times of the tearing effect line, if it is on.
    pub fn tearing_times(&self) -> Option<TearingTimes> {
        let line = self.registers.line_time().0;
        let porches = u64::from(self.registers.porches());
        self.is_tearing_line_on().then_some(TearingTimes {
            scan: Nanos(line.saturating_mul(self.table().lines.into())),
            porch: Nanos(line.saturating_mul(porches)),
        })
    }

    /// Returns whether the tearing effect line is on.
    pub fn is_tearing_line_on(&self) -> bool {
        self.registers.tearing.is_some()
    }

    /// Applies changed registers to the memory and to the visible picture.
    fn registers_changed(&mut self, at: Instant) {
        if self.memory.set_mapping(self.registers.mapping()) {
            self.window_checked = [false; 2];
        }
        self.memory.wraps = self.registers.window_wraps();
        self.show(at);
    }

    /// Updates the display settings after a possible change.
    fn show(&mut self, at: Instant) {
        let glass = self.registers.display_settings(self.backlight_on);
        if glass.is_some() {
            self.memory.settle();
        }
        self.frames.show(at, glass);
    }

    fn stop_stream(&mut self) {
        self.stream = Stream::Nothing;
        self.memory.forget_partial();
    }

    /// Counts and checks a transfer of any kind. Returns whether the controller receives it.
    fn bytes_begin(&mut self, start: Instant, end: Instant, bytes: &[u8]) -> bool {
        if bytes.is_empty() {
            return false;
        }
        self.save_picture_before(end);
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
        // Most clocks are faster: the note is recorded with the first bytes, and the check then
        // skipped.
        if self.log.lacks(Rule::Clock)
            && end.saturating_since(start).0 < self.bit_time.saturating_mul(8 * bytes.len() as u64)
        {
            self.log.record(start, Rule::Clock, &[]);
        }
        true
    }
}
