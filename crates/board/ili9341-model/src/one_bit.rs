//! The family of one bit a pixel: eight lines a page, a byte is a column of a page, lowest bit on
//! top (SSD1306 datasheet, 8.7). Arguments of commands are sent with D/CX low; all bytes with D/CX
//! high are written to the memory.
//!
//! The registers and the address counter are in [`OneBit`]. Section numbers are those of the
//! SSD1306's datasheet; the table says which of the commands a controller has. Scrolling by the
//! controller itself is registered but does not move the picture. The module does not know the
//! visible picture.

use panel_tables::{Command, Effect, Family, Rule, Table};
use virtual_time::Instant;

use super::geometry::Area;

use super::pixel::SIX_BITS;
use super::transfer::{Byte, begins};
use super::view::Rows;
use super::{Ili9341, Stream};

/// Number of lines of a page.
const PAGE: u16 = 8;

/// Addressing modes (10.1.3).
const HORIZONTAL: u8 = 0;
const VERTICAL: u8 = 1;
const BY_PAGE: u8 = 2;

/// Registers and address counter of this family.
#[derive(Clone, Debug)]
pub(super) struct OneBit {
    mode: u8,
    /// Address counter.
    pub(super) column: u16,
    pub(super) page: u16,
    pub(super) columns: (u16, u16),
    pub(super) pages: (u16, u16),
    start_line: u16,
    offset: u16,
    /// Number of driven lines.
    driven: u16,
    /// Whether data for column 0 are stored in the last column of the memory, which is that of the
    /// last segment.
    segments_reversed: bool,
    com_reversed: bool,
    pub(super) all_on: bool,
    pump: bool,
    scrolling: bool,
    /// Column before a read-modify-write.
    modified: Option<u16>,
    /// Whether the counter has passed the last column.
    full: bool,
    /// Whether the counter returns to the first column after the last one. Only controllers with
    /// several addressing modes do.
    wraps: bool,
}

impl OneBit {
    pub(super) fn new(table: &Table) -> Self {
        let commands = &table.commands;
        let reset = |effect, otherwise| {
            let command = commands.iter().find(|command| command.effect == effect);
            command.and_then(|command| command.reset.first()).copied().unwrap_or(otherwise)
        };
        let last_line = u8::try_from(table.lines - 1).unwrap_or(u8::MAX);
        Self {
            mode: reset(Effect::AddressingMode, BY_PAGE),
            column: 0,
            page: 0,
            columns: (0, table.columns - 1),
            pages: (0, (table.lines / PAGE).max(1) - 1),
            start_line: 0,
            offset: 0,
            driven: u16::from(reset(Effect::Multiplex, last_line)) + 1,
            segments_reversed: false,
            com_reversed: false,
            all_on: false,
            pump: reset(Effect::Converter, 0) & 1 != 0,
            scrolling: false,
            modified: None,
            full: false,
            wraps: commands.iter().any(|command| command.effect == Effect::AddressingMode),
        }
    }

    /// Returns the assignment of lines to the panel; `None` for the other family.
    pub(super) fn rows(&self, table: &Table) -> Option<Rows> {
        (table.family == Family::Pages).then_some(Rows {
            driven: self.driven,
            offset: self.offset,
            start_line: self.start_line,
            reversed: self.com_reversed,
        })
    }

    /// Advances the counter by a byte.
    fn advance(&mut self, table: &Table) {
        let (last, last_page) = (table.columns - 1, (table.lines / PAGE).max(1) - 1);
        let (columns, pages) = match self.mode {
            HORIZONTAL | VERTICAL => (self.columns, self.pages),
            _ => ((0, last), (self.page, self.page)),
        };
        let next = |at: u16, (first, end): (u16, u16), most: u16| {
            if at == end || at >= most { (first, true) } else { (at + 1, false) }
        };
        if self.mode == VERTICAL {
            let (page, is_over) = next(self.page, pages, last_page);
            self.page = page;
            if is_over {
                self.column = next(self.column, columns, last).0;
            }
            return;
        }
        let (column, is_over) = next(self.column, columns, last);
        if is_over && !self.wraps {
            // SH1106: the counter advances until it reaches 132, and stays there.
            (self.column, self.full) = (table.columns, true);
            return;
        }
        self.column = column;
        if is_over && self.mode == HORIZONTAL {
            self.page = next(self.page, pages, last_page).0;
        }
    }
}

impl Ili9341 {
    /// Processes bytes received with D/CX low: commands and their arguments.
    pub(super) fn one_bit_commands(&mut self, start: Instant, end: Instant, bytes: &[u8]) {
        for (index, byte) in bytes.iter().enumerate() {
            let place = Byte { start, end, index, count: bytes.len() };
            match self.stream {
                Stream::Arguments(least, _) if self.arguments.count < usize::from(least) => {
                    self.arguments.push(*byte);
                    if self.arguments.count == usize::from(least) {
                        self.one_bit_act(place);
                    }
                }
                _ => self.one_bit_command(place, *byte),
            }
        }
    }

    fn one_bit_command(&mut self, byte: Byte, code: u8) {
        let start = byte.begins();
        let command = self.registers.table.command(code);
        let effect = command.map_or(Effect::Nothing, |command| command.effect);
        self.check_waits(start, code, effect);
        self.arguments.begin(code, effect);
        let Some(command) = command else {
            self.log.record(start, Rule::UnknownCommand, &[code]);
            self.stream = Stream::Unknown;
            return;
        };
        match command.follows {
            panel_tables::Follows::Arguments(least, most) if least > 0 => {
                self.stream = Stream::Arguments(least, most);
            }
            _ => {
                self.stream = Stream::Nothing;
                self.one_bit_act(byte);
            }
        }
    }

    /// Processes bytes received with D/CX high: each is a column of a page.
    pub(super) fn one_bit_data(&mut self, start: Instant, end: Instant, bytes: &[u8]) {
        if let Stream::Arguments(least, _) = self.stream
            && self.arguments.count < usize::from(least)
        {
            self.log.record(start, Rule::TooFewArguments, self.arguments.all());
        }
        self.stream = Stream::Nothing;
        if self.registers.one_bit.scrolling {
            self.log.note_once(start, Rule::WrittenWhileScrolling, &bytes[..bytes.len().min(1)]);
        }
        self.bus.pixel_bytes += bytes.len() as u64;
        let count = bytes.len();
        self.frames.touch(|| begins(start, end, 1, count), end);
        let table = self.registers.table;
        for (index, byte) in bytes.iter().enumerate() {
            let one_bit = &mut self.registers.one_bit;
            let (column, page, full) = (one_bit.column, one_bit.page, one_bit.full);
            let reversed = one_bit.segments_reversed;
            one_bit.advance(table);
            if column >= table.columns {
                let rule = if full { Rule::MoreThanWindow } else { Rule::ColumnOutside };
                self.log.note_once(start, rule, &[*byte]);
            } else {
                let column = if reversed { table.columns - 1 - column } else { column };
                self.memory.record_column_hit(index, (column, page), *byte);
                self.memory.write_column(column, page * PAGE, *byte, &mut self.frames);
            }
        }
        self.note_hits(start, end, count, 0);
    }

    /// Executes the command after its last argument, `byte`.
    fn one_bit_act(&mut self, byte: Byte) {
        let table = self.registers.table;
        let code = self.arguments.code();
        let Some(command) = table.command(code) else { return };
        let (start, end) = (byte.begins(), byte.ends());
        self.check_values(start, command);
        match command.effect {
            Effect::DisplayOn => self.one_bit_display_on(start),
            Effect::ColumnRange | Effect::PageRange => self.set_range(start, command.effect),
            effect => self.set_one_bit(start, command, effect, code),
        }
        self.registers_changed(end);
    }

    fn one_bit_display_on(&mut self, at: Instant) {
        let effects = [Effect::ChargePump, Effect::Converter];
        let mut commands = self.registers.table.commands.iter();
        let has_pump = commands.any(|command| effects.contains(&command.effect));
        if has_pump && !self.registers.one_bit.pump {
            self.log.record(at, Rule::PumpOff, self.arguments.all());
        }
        if !self.memory.is_all_written() {
            self.log.record(at, Rule::DisplayOnUnwritten, self.arguments.all());
        }
        self.registers.display_on = true;
    }

    /// Executes 21h or 22h, which set the range and the counter (10.1.4, 10.1.5).
    fn set_range(&mut self, at: Instant, effect: Effect) {
        self.check_mode(at, false);
        let (first, last) = (self.arguments.byte(0).into(), self.arguments.byte(1).into());
        let table = self.registers.table;
        let (end, outside, reversed) = if effect == Effect::ColumnRange {
            (table.columns, Rule::ColumnOutside, Rule::ColumnsReversed)
        } else {
            (table.lines / PAGE, Rule::PageOutside, Rule::PagesReversed)
        };
        if first >= end || last >= end {
            self.log.record(at, outside, self.arguments.all());
            return;
        }
        if first > last {
            self.log.record(at, reversed, self.arguments.all());
            return;
        }
        self.opened = self.transfer;
        let one_bit = &mut self.registers.one_bit;
        if effect == Effect::ColumnRange {
            (one_bit.columns, one_bit.column) = ((first, last), first);
        } else {
            (one_bit.pages, one_bit.page) = ((first, last), first);
        }
    }

    /// Checks that a command belongs to the addressing mode.
    fn check_mode(&mut self, at: Instant, is_by_page: bool) {
        if (self.registers.one_bit.mode == BY_PAGE) != is_by_page {
            self.log.record(at, Rule::AddressingMode, self.arguments.all());
        }
    }

    /// Checks that a command is permitted in the current state.
    fn check_state(&mut self, at: Instant, effect: Effect) {
        let is_modifying = self.registers.one_bit.modified.is_some();
        let rule = match effect {
            Effect::Converter if self.registers.display_on => Rule::ConverterWhileOn,
            Effect::ModifyStart if is_modifying => Rule::ModifyEnd,
            Effect::ModifyEnd if !is_modifying => Rule::ModifyEnd,
            Effect::ColumnLow | Effect::ColumnHigh if is_modifying => Rule::ColumnInModify,
            _ => return,
        };
        self.log.record(at, rule, self.arguments.all());
    }

    /// Executes a command that only sets a register.
    fn set_one_bit(&mut self, at: Instant, command: &Command, effect: Effect, code: u8) {
        if matches!(effect, Effect::ColumnLow | Effect::ColumnHigh | Effect::PageStart) {
            self.check_mode(at, true);
        }
        self.check_state(at, effect);
        let (registers, argument) = (&mut self.registers, self.arguments.byte(0));
        let one_bit = &mut registers.one_bit;
        let nibble = u16::from(code & 0x0F);
        if matches!(effect, Effect::ColumnLow | Effect::ColumnHigh | Effect::ModifyEnd) {
            one_bit.full = false;
        }
        match effect {
            Effect::Nothing => return,
            Effect::DisplayOff => registers.display_on = false,
            Effect::InversionOff => registers.inverted = false,
            Effect::InversionOn => registers.inverted = true,
            Effect::ColumnLow => one_bit.column = one_bit.column & 0xF0 | nibble,
            Effect::ColumnHigh => one_bit.column = one_bit.column & 0x0F | nibble << 4,
            Effect::PageStart => one_bit.page = nibble & 0x07,
            Effect::AddressingMode => one_bit.mode = argument & 0x03,
            Effect::StartLine => one_bit.start_line = u16::from(code & 0x3F),
            Effect::SegmentRemap => one_bit.segments_reversed = code & 0x01 != 0,
            Effect::ComDirection => one_bit.com_reversed = code & 0x08 != 0,
            Effect::DisplayOffset => one_bit.offset = u16::from(argument & 0x3F),
            Effect::Multiplex => one_bit.driven = u16::from(argument & 0x3F) + 1,
            Effect::AllOn => one_bit.all_on = code & 0x01 != 0,
            Effect::ChargePump => one_bit.pump = argument & 0x04 != 0,
            Effect::Converter => one_bit.pump = argument & 0x01 != 0,
            Effect::ScrollOn => one_bit.scrolling = true,
            Effect::ScrollOff => one_bit.scrolling = false,
            Effect::ModifyStart => one_bit.modified = Some(one_bit.column),
            Effect::ModifyEnd => {
                one_bit.column = one_bit.modified.take().unwrap_or(one_bit.column);
            }
            _ => {}
        }
        // Commands with a range of codes have their argument in the code.
        let is_range = command.code != command.last;
        let given = self.arguments.all()[usize::from(!is_range)..].to_vec();
        if !given.is_empty() {
            self.registers.others.insert(command.code, given);
        }
    }
}

impl super::memory::Memory {
    /// Records byte `index` of a transfer, a column of a page, if the watched cell is one of its
    /// eight.
    fn record_column_hit(&mut self, index: usize, (column, page): (u16, u16), byte: u8) {
        if !self.is_watched() {
            return;
        }
        for bit in 0..PAGE {
            let cell = self.index(column.into(), (page * PAGE + bit).into());
            let colour = if byte >> bit & 1 != 0 { SIX_BITS } else { 0 };
            self.record_cell_hit(cell, index, &[byte], colour, (column, page));
        }
    }

    /// Writes eight cells of a column from `line` on: the lowest bit is the topmost one.
    fn write_column(
        &mut self,
        column: u16,
        line: u16,
        bits: u8,
        frames: &mut super::frames::Frames,
    ) {
        let cell = |bit| if bits >> bit & 1 != 0 { SIX_BITS } else { 0 };
        let first = self.index(column.into(), line.into());
        let last = self.index(column.into(), usize::from(line) + usize::from(PAGE) - 1);
        let Some((first, last)) = first.zip(last) else { return };
        let step = (last - first) / usize::from(PAGE - 1);
        let (length, rows) = if step == 1 { (PAGE.into(), 1) } else { (1, PAGE.into()) };
        let area = Area { first, step: step as isize, length, rows };
        self.replace_cells(area, frames, (0..PAGE).map(cell));
    }
}
