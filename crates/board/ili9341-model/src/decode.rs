//! Executes the commands, and checks them with the linter.
//!
//! A command takes effect after its last argument; arguments may come in any number of transfers.
//! The module does not know the visible picture, which follows from the registers.

use super::command::{self, Follows, follows};
use super::lint::{LONG_WAIT, Rule, SHORT_WAIT};
use super::transfer::{Byte, begins};
use super::{Ili9341, Stream};
use virtual_time::Instant;

impl Ili9341 {
    /// Processes bytes received with D/CX low.
    pub(super) fn commands(&mut self, start: Instant, end: Instant, bytes: &[u8]) {
        for (index, code) in bytes.iter().enumerate() {
            self.command(Byte { start, end, index, count: bytes.len() }, *code);
        }
    }

    fn command(&mut self, byte: Byte, code: u8) {
        let start = byte.begins();
        self.finish_command(start, code);
        self.check_waits(start, code);
        self.arguments.begin(code);
        let Some(follows) = follows(code) else {
            self.log.record(start, Rule::UnknownCommand, &[code]);
            self.stream = Stream::Unknown;
            return;
        };
        match follows {
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
                if code == command::RAMWR {
                    self.memory.rewind(self.registers.window);
                    self.bus.windows += 1;
                }
            }
            Follows::Register => {
                self.stream = Stream::Answer;
                self.answer_register(code);
            }
            Follows::Memory => {
                self.stream = Stream::Answer;
                self.check_window(start);
                if code == command::RAMRD {
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
            _ => {}
        }
    }

    fn check_waits(&mut self, at: Instant, code: u8) {
        if self.reset_seen && at >= self.waits.over {
            return;
        }
        let waits = [
            (true, self.waits.command),
            (code == command::SLPOUT, self.waits.sleep_out),
            (code == command::SLPIN, self.waits.sleep_in),
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
        let format = self.registers.pixel_format();
        let size = format.bytes();
        // The picture changes when a pixel is complete, not at its first clock. A board that stops
        // between the two does not know of the pixel yet, and may have reported the previous frame
        // as complete.
        let first = size - partial;
        if bytes.len() >= first {
            let last = bytes.len() - (bytes.len() - first) % size;
            let whole = |index| begins(start, end, index, bytes.len());
            self.frames.touch(|| whole(first), whole(last));
        }
        self.memory.write(bytes, format, &mut self.frames);
        self.note_hits(start, end, bytes.len(), partial);
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
        let columns = self.arguments.code() == command::CASET;
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
        let code = self.arguments.code();
        if matches!(code, command::CASET | command::PASET) {
            return self.set_window(byte);
        }
        let (start, end) = (byte.begins(), byte.ends());
        match code {
            command::NOP => return,
            command::SLPIN => self.sleep_in(end),
            command::SLPOUT => self.sleep_out(end),
            command::SWRESET => self.software_reset(end),
            command::DISPON => self.display_on(start),
            command::PIXSET => self.set_pixel_format(start),
            command::VSCRDEF => self.set_scroll_area(start),
            command::VSCRSADD => self.set_scroll_start(start),
            _ => self.set_register(code),
        }
        self.registers_changed(end);
    }

    /// Executes a command that only sets a register.
    fn set_register(&mut self, code: u8) {
        let (registers, argument) = (&mut self.registers, self.arguments.byte(0));
        match code {
            command::PTLON => (registers.partial, registers.scrolling) = (true, false),
            command::NORON => (registers.partial, registers.scrolling) = (false, false),
            command::DINVOFF => registers.inverted = false,
            command::DINVON => registers.inverted = true,
            command::DISPOFF => registers.display_on = false,
            command::PLTAR => registers.partial_area = self.arguments.pair(),
            command::TEOFF => registers.tearing = None,
            command::TEON => registers.tearing = Some(argument & 1),
            command::MADCTL => registers.madctl = argument & 0xFC,
            command::IDMOFF => registers.idle = false,
            command::IDMON => registers.idle = true,
            command::WRDISBV => registers.brightness = argument,
            command::WRCTRLD => registers.display_control = argument,
            command::WRCABC => registers.adaptive_brightness = argument,
            command::WRCABCMB => registers.least_brightness = argument,
            command::DISCTRL => {
                registers.scan = self.arguments.byte(1);
                registers.others.insert(code, self.arguments.all()[1..].to_vec());
            }
            command::IFCTL => {
                let given = self.arguments.count.min(registers.interface.len());
                for (i, place) in registers.interface[..given].iter_mut().enumerate() {
                    *place = self.arguments.byte(i);
                }
            }
            command::SPI_READ_INDEX => self.answer.set_index(argument),
            // Power, gamma, frame rate and other registers: stored, without a visible effect.
            _ => {
                registers.others.insert(code, self.arguments.all()[1..].to_vec());
            }
        }
    }

    fn sleep_in(&mut self, at: Instant) {
        self.waits.before_command(at.saturating_add(SHORT_WAIT), Rule::SleepInDelay);
        if self.registers.awake {
            self.waits.before_sleep_out(at.saturating_add(LONG_WAIT), Rule::SleepOutAfterSleepIn);
        }
        self.registers.awake = false;
    }

    fn sleep_out(&mut self, at: Instant) {
        self.waits.before_command(at.saturating_add(SHORT_WAIT), Rule::SleepOutDelay);
        if !self.registers.awake {
            self.waits.before_sleep_in(at.saturating_add(LONG_WAIT), Rule::SleepInAfterSleepOut);
        }
        self.registers.awake = true;
    }

    fn software_reset(&mut self, at: Instant) {
        self.waits.before_command(at.saturating_add(SHORT_WAIT), Rule::SoftwareResetDelay);
        if self.registers.awake {
            self.waits
                .before_sleep_out(at.saturating_add(LONG_WAIT), Rule::SoftwareResetSleepOutDelay);
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
        if !matches!(format & 0x07, 0b101 | 0b110) {
            self.log.record(at, Rule::PixelFormat, self.arguments.all());
            return;
        }
        self.registers.pixel_format = format;
    }

    fn set_scroll_area(&mut self, at: Instant) {
        let areas = [0, 1, 2].map(|index| self.arguments.word(index));
        if areas.iter().map(|lines| usize::from(*lines)).sum::<usize>() != super::geometry::PAGES {
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
