//! Executes the commands of the MIPI-DCS-like family, and checks them with the linter. The table
//! has the effect of each code.
//!
//! A command takes effect after its last argument; arguments may come in any number of transfers.
//! The module does not know the visible picture, which follows from the registers.

use panel_tables::{Command, Effect, Family, Follows, Rule};

use super::registers::{GS, SS};
use super::transfer::{Byte, begins};
use super::{Ili9341, Stream};
use virtual_time::Instant;

impl Ili9341 {
    /// Processes bytes received with D/CX low.
    pub(super) fn commands(&mut self, start: Instant, end: Instant, bytes: &[u8]) {
        if self.registers.table.family == Family::Pages {
            return self.one_bit_commands(start, end, bytes);
        }
        for (index, code) in bytes.iter().enumerate() {
            self.command(Byte { start, end, index, count: bytes.len() }, *code);
        }
    }

    fn command(&mut self, byte: Byte, code: u8) {
        let start = byte.begins();
        self.finish_command(start, code);
        let Some(command) = self.registers.table.command(code) else {
            self.check_waits(start, code, Effect::Nothing);
            self.arguments.begin(code, Effect::Nothing);
            self.log.record(start, Rule::UnknownCommand, &[code]);
            self.stream = Stream::Unknown;
            return;
        };
        self.check_waits(start, code, command.effect);
        self.arguments.begin(code, command.effect);
        match command.follows {
            Follows::Arguments(least, most) => {
                self.stream = Stream::Arguments(least, most);
                if least == 0 {
                    self.act(byte);
                }
            }
            Follows::Pixels => {
                self.stream = Stream::Pixels;
                self.check_window(start);
                self.opened = self.transfer;
                if command.effect == Effect::WriteMemory {
                    self.memory.rewind(self.registers.window);
                    self.bus.windows += 1;
                }
            }
            Follows::Register => {
                self.stream = Stream::Answer;
                self.answer_register(command);
            }
            Follows::Memory => {
                self.stream = Stream::Answer;
                self.check_window(start);
                if command.effect == Effect::ReadMemory {
                    self.memory.rewind(self.registers.window);
                }
                self.answer_memory();
            }
        }
    }

    /// Checks that the previous command was complete when the next one comes.
    fn finish_command(&mut self, at: Instant, next: u8) {
        match self.stream {
            Stream::Arguments(least, _) if self.arguments.count < usize::from(least) => {
                self.log.record(at, Rule::TooFewArguments, self.arguments.all());
            }
            Stream::Pixels if !self.memory.partial().is_empty() => {
                let mut bytes = self.memory.partial().to_vec();
                bytes.push(next);
                self.log.record(at, Rule::CutPixel, &bytes);
                self.memory.forget_partial();
            }
            // The lower half of the last byte of an odd number of pixels of twelve bits is unused.
            Stream::Pixels => self.memory.forget_half(),
            _ => {}
        }
    }

    /// Checks that a command with this effect does not come too early.
    #[inline]
    pub(super) fn check_waits(&mut self, at: Instant, code: u8, effect: Effect) {
        if self.reset_seen && at >= self.waits.over {
            return;
        }
        let waits = [
            (true, self.waits.command),
            (effect == Effect::SleepOut, self.waits.sleep_out),
            (effect == Effect::SleepIn, self.waits.sleep_in),
        ];
        if !self.reset_seen {
            self.reset_seen = true;
            self.log.note_once(at, Rule::NoReset, &[code]);
        }
        for (concerned, (until, rule)) in waits {
            if concerned && at < until {
                self.log.record(at, rule, &[code]);
            }
        }
    }

    /// Processes bytes received with D/CX high, other than pixels.
    pub(super) fn data(&mut self, start: Instant, end: Instant, bytes: &[u8]) {
        if self.registers.table.family == Family::Pages {
            return self.one_bit_data(start, end, bytes);
        }
        match self.stream {
            Stream::Nothing => self.log.record(start, Rule::DataWithoutCommand, bytes),
            Stream::Unknown => {}
            // The host clocks an answer out without reading it.
            Stream::Answer => self.answer_into(&mut bytes.to_vec()),
            Stream::Pixels => self.pixels(start, end, bytes),
            Stream::Arguments(least, most) => {
                self.arguments(start, end, bytes, (least.into(), most.into()));
            }
        }
    }

    /// Processes arguments of a command that takes between `least` and `most` of them.
    fn arguments(
        &mut self,
        start: Instant,
        end: Instant,
        bytes: &[u8],
        (least, most): (usize, usize),
    ) {
        // Fast path for a window's columns or pages, nearly the only commands with arguments.
        if let (0, 4, [a, b, c, d]) = (self.arguments.count, least, bytes) {
            self.arguments.set([*a, *b, *c, *d]);
            return self.act(Byte { start, end, index: 3, count: 4 });
        }
        for (index, argument) in bytes.iter().enumerate() {
            let byte = Byte { start, end, index, count: bytes.len() };
            self.arguments.push(*argument);
            let count = self.arguments.count;
            if count > most {
                // One report per command is enough.
                if count == most + 1 {
                    let arguments = self.arguments.all();
                    self.log.record(byte.begins(), Rule::TooManyArguments, arguments);
                }
            } else if count >= least {
                self.act(byte);
            }
        }
    }

    /// Processes bytes of pixels.
    pub(super) fn pixels(&mut self, start: Instant, end: Instant, bytes: &[u8]) {
        self.bus.pixel_bytes += bytes.len() as u64;
        if !self.registers.awake {
            self.log.note_once(start, Rule::PixelsAsleep, &bytes[..bytes.len().min(2)]);
        }
        // Bytes of an incomplete pixel. The format cannot have changed since: only a command
        // changes it, and a command drops them.
        let partial = self.memory.partial().len();
        let has_half = self.memory.has_half();
        let format = self.registers.pixel_format();
        // The picture changes when a pixel is complete, not at its first clock. A board that stops
        // between the two does not know of the pixel yet, and may have reported the previous frame
        // as complete.
        if let Some((first, last)) = format.completed(bytes.len(), partial, has_half) {
            let whole = |index| begins(start, end, index, bytes.len());
            self.frames.touch(|| whole(first), whole(last));
        }
        self.memory.write(bytes, format, &mut self.frames);
        self.note_hits(start, end, bytes.len(), if has_half { 2 } else { partial });
        if self.memory.overrun {
            self.memory.overrun = false;
            self.log.record(end, Rule::MoreThanWindow, self.arguments.all());
        }
    }

    /// Checks that the window is inside the panel under the current MV, before the window is used.
    fn check_window(&mut self, at: Instant) {
        if self.window_checked == [true; 2] {
            return;
        }
        let (window, mapping) = (self.registers.window, self.memory.mapping());
        let axes = [
            (window.columns.1, mapping.width, Rule::ColumnOutside),
            (window.pages.1, mapping.height, Rule::PageOutside),
        ];
        for (checked, (last, end, rule)) in self.window_checked.iter_mut().zip(axes) {
            if !*checked && last >= end {
                self.log.record(at, rule, &[self.arguments.code()]);
            }
            *checked = true;
        }
    }

    /// Executes CASET or PASET. A window that ends before it begins is ignored.
    fn set_window(&mut self, byte: Byte) {
        let (first, last) = self.arguments.pair();
        let mapping = self.memory.mapping();
        let columns = self.arguments.effect == Effect::Columns;
        let (end, outside, reversed) = if columns {
            (mapping.width, Rule::ColumnOutside, Rule::ColumnsReversed)
        } else {
            (mapping.height, Rule::PageOutside, Rule::PagesReversed)
        };
        if first.max(last) >= end {
            self.log.record(byte.begins(), outside, self.arguments.all());
        }
        if first > last {
            self.log.record(byte.begins(), reversed, self.arguments.all());
            return;
        }
        let window = &mut self.registers.window;
        *(if columns { &mut window.columns } else { &mut window.pages }) = (first, last);
        self.window_checked[usize::from(!columns)] = true;
    }

    /// Executes the command after its last argument, `byte`.
    fn act(&mut self, byte: Byte) {
        let effect = self.arguments.effect;
        if matches!(effect, Effect::Columns | Effect::Pages) {
            return self.set_window(byte);
        }
        let (start, end) = (byte.begins(), byte.ends());
        if let Some(command) = self.registers.table.command(self.arguments.code()) {
            self.check_values(start, command);
        }
        match effect {
            Effect::Nothing => return,
            Effect::SleepIn => self.sleep_in(end),
            Effect::SleepOut => self.sleep_out(end),
            Effect::SoftwareReset => self.software_reset(end),
            Effect::DisplayOn => self.display_on(start),
            Effect::PixelFormat => self.set_pixel_format(start),
            Effect::ScrollArea => self.set_scroll_area(start),
            Effect::ScrollStart => self.set_scroll_start(start),
            _ => self.set_register(effect),
        }
        self.registers_changed(end);
    }

    /// Checks the arguments against the values that the table permits.
    pub(super) fn check_values(&mut self, at: Instant, command: &Command) {
        for values in command.values.iter() {
            let argument = usize::from(values.argument);
            let value = self.arguments.byte(argument);
            let is_given = argument < self.arguments.count;
            if is_given && !(values.first..=values.last).contains(&value) {
                self.log.record(at, Rule::ArgumentValue, self.arguments.all());
                return;
            }
        }
    }

    /// Executes a command that only sets a register.
    fn set_register(&mut self, effect: Effect) {
        let (registers, argument) = (&mut self.registers, self.arguments.byte(0));
        match effect {
            Effect::PartialMode => (registers.partial, registers.scrolling) = (true, false),
            Effect::NormalMode => (registers.partial, registers.scrolling) = (false, false),
            Effect::InversionOff | Effect::InversionOn => {
                registers.inverted = effect == Effect::InversionOn;
                registers.inversions = registers.inversions.saturating_add(1);
            }
            Effect::DisplayOff => registers.display_on = false,
            Effect::PartialArea => registers.partial_area = self.arguments.pair(),
            Effect::TearingOff => registers.tearing = None,
            Effect::TearingOn => registers.tearing = Some(argument & 1),
            Effect::MemoryAccess => registers.madctl = argument & 0xFC,
            Effect::IdleOff => registers.idle = false,
            Effect::IdleOn => registers.idle = true,
            Effect::Brightness => registers.brightness = argument,
            Effect::DisplayControl => registers.display_control = argument,
            Effect::AdaptiveBrightness => registers.adaptive_brightness = argument,
            Effect::LeastBrightness => registers.least_brightness = argument,
            Effect::ScanControl => {
                registers.scan = self.arguments.byte(1);
                self.store();
            }
            Effect::ScanDirections => {
                let directions = self.arguments.byte(1) & (GS | SS);
                registers.scan = registers.scan & !(GS | SS) | directions;
                self.store();
            }
            Effect::InterfaceControl => {
                let given = self.arguments.count.min(registers.interface.len());
                for (i, place) in registers.interface[..given].iter_mut().enumerate() {
                    *place = self.arguments.byte(i);
                }
            }
            Effect::ReadIndex => self.answer.set_index(argument),
            // Power, gamma, frame rate and other registers: stored, without a visible effect.
            _ => self.store(),
        }
    }

    /// Stores the arguments of the current command for inspection.
    fn store(&mut self) {
        let given = self.arguments.all()[1..].to_vec();
        self.registers.others.insert(self.arguments.code(), given);
    }

    fn sleep_in(&mut self, at: Instant) {
        let table = self.registers.table;
        self.waits.before_command(at, Rule::SleepInDelay, table);
        if self.registers.awake {
            self.waits.before_sleep_out(at, Rule::SleepOutAfterSleepIn, table);
        }
        self.registers.awake = false;
    }

    fn sleep_out(&mut self, at: Instant) {
        let table = self.registers.table;
        self.waits.before_command(at, Rule::SleepOutDelay, table);
        if !self.registers.awake {
            self.waits.before_sleep_in(at, Rule::SleepInAfterSleepOut, table);
        }
        self.registers.awake = true;
    }

    fn software_reset(&mut self, at: Instant) {
        let table = self.registers.table;
        self.waits.before_command(at, Rule::SoftwareResetDelay, table);
        if self.registers.awake {
            self.waits.before_sleep_out(at, Rule::SoftwareResetSleepOutDelay, table);
        }
        self.registers.software_reset();
    }

    fn display_on(&mut self, at: Instant) {
        if !self.registers.awake {
            self.log.record(at, Rule::DisplayOnAsleep, self.arguments.all());
        }
        if !self.memory.is_all_written() {
            self.log.record(at, Rule::DisplayOnUnwritten, self.arguments.all());
        }
        self.registers.display_on = true;
    }

    fn set_pixel_format(&mut self, at: Instant) {
        let format = self.arguments.byte(0) & 0x77;
        if self.registers.table.formats[usize::from(format & 0x07)].is_none() {
            self.log.record(at, Rule::PixelFormat, self.arguments.all());
            return;
        }
        self.registers.pixel_format = format;
    }

    fn set_scroll_area(&mut self, at: Instant) {
        let areas = [0, 1, 2].map(|index| self.arguments.word(index));
        let lines = areas.iter().map(|lines| u32::from(*lines)).sum::<u32>();
        if lines != self.registers.table.lines.into() {
            self.log.record(at, Rule::ScrollArea, self.arguments.all());
        }
        [self.registers.scroll.top_fixed, self.registers.scroll.height, _] = areas;
    }

    fn set_scroll_start(&mut self, at: Instant) {
        let start = self.arguments.word(0);
        let scroll = &mut self.registers.scroll;
        let from_top = start.checked_sub(scroll.top_fixed);
        if from_top.is_none_or(|lines| lines >= scroll.height) {
            self.log.record(at, Rule::ScrollStart, self.arguments.all());
        }
        scroll.start = start;
        self.registers.scrolling = true;
        // Vertical scrolling and partial mode exclude each other.
        self.registers.partial = false;
    }
}
