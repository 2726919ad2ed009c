//! The driver of a panel: initialises it by its table, and sends changed pixels.
//!
//! A driver draws into the memory of the controller as it is after a reset; `place` turns and mirrors
//! the picture. So each panel of a board file works, however it is mounted.

mod wires;

use board_file::BoardFile;
use embedded_graphics::geometry::Size;
use embedded_graphics::pixelcolor::raw::{RawData as _, RawU16};
use embedded_graphics::pixelcolor::{Gray8, GrayColor as _, Rgb565, Rgb888, RgbColor as _};
use ili9341_model::panel_tables::{Family, Format};
use ili9341_model::{Module, Table};
use virtual_time::Nanos;

use crate::context;
use crate::pins::Pins;
use wires::Wires;

/// Time after power-on, after a reset, and after the end of the sleep mode: the longest that a
/// datasheet of the built-in tables has (ST7735, 9.15).
const SETTLES: Nanos = Nanos::from_millis(120);

/// Commands of the family `dcs` (MIPI Display Command Set).
mod dcs {
    pub(super) const SOFT_RESET: u8 = 0x01;
    pub(super) const SLEEP_OUT: u8 = 0x11;
    pub(super) const COLUMNS: u8 = 0x2A;
    pub(super) const PAGES: u8 = 0x2B;
    pub(super) const WRITE: u8 = 0x2C;
    pub(super) const MADCTL: u8 = 0x36;
    pub(super) const PIXEL_FORMAT: u8 = 0x3A;
    /// The bit BGR of MADCTL.
    pub(super) const BGR: u8 = 0x08;
}

/// Commands of the family `pages` (SSD1306, 10.1).
mod pages {
    pub(super) const COLUMN_LOW: u8 = 0x00;
    pub(super) const COLUMN_HIGH: u8 = 0x10;
    pub(super) const ADDRESSING_MODE: u8 = 0x20;
    /// Argument of `ADDRESSING_MODE`: addresses as all controllers of the family have them.
    pub(super) const PAGE_ADDRESSING: u8 = 0x02;
    pub(super) const PAGE: u8 = 0xB0;
    /// Lines of a page.
    pub(super) const LINES: usize = 8;
}

/// A panel, and the pixels that it has.
#[derive(Debug)]
pub(super) struct Driver {
    wires: Wires,
    table: &'static Table,
    module: Module,
    /// Pixels of the glass in the order of the memory; empty before the panel is initialised.
    sent: Vec<Rgb888>,
}

impl Driver {
    /// Returns the driver of a display of the board, which sends nothing yet.
    pub(super) fn new(pins: &Pins, file: &BoardFile, display: usize) -> Self {
        let (table, module) =
            context::with(|context| context.board.at_display(display).controller());
        Self { wires: Wires::new(pins, file, display, table), table, module, sent: Vec::new() }
    }

    /// Returns width and height as the viewer sees them.
    pub(super) fn size(&self) -> Size {
        let (width, height) = self.module.size();
        Size::new(width as u32, height as u32)
    }

    /// Shows the picture of which `pixel` returns the colours.
    pub(super) fn show(&mut self, pixel: impl Fn(usize, usize) -> Rgb888) {
        let columns = usize::from(self.module.columns);
        let new: Vec<Rgb888> = (0..columns * usize::from(self.module.lines))
            .map(|index| {
                let (x, y) = self.seen(index % columns, index / columns);
                pixel(x, y)
            })
            .collect();
        let before = std::mem::replace(&mut self.sent, new);
        if before.is_empty() {
            return self.initialise();
        }
        let is_changed = |index: usize| before[index] != self.sent[index];
        match self.table.family {
            Family::Dcs => {
                if let Some(area) = Area::around(is_changed, columns, self.sent.len()) {
                    self.send_area(area);
                }
            }
            Family::Pages => {
                let runs = self.runs(is_changed);
                self.send_runs(&runs);
            }
        }
    }

    /// Returns the position at which the viewer sees a column and a line of the glass.
    fn seen(&self, column: usize, line: usize) -> (usize, usize) {
        let mounting = self.module.mounting;
        // With the commands A1h and C8h of its sequence, this family fills its memory from the other
        // corner.
        let (column, line) = match self.table.family {
            Family::Dcs => (column, line),
            Family::Pages => (
                usize::from(self.module.columns) - 1 - column,
                usize::from(self.module.lines) - 1 - line,
            ),
        };
        let (x, y) = if mounting.is_landscape { (line, column) } else { (column, line) };
        let (width, height) = self.module.size();
        let x = if mounting.mirrors_x { width - 1 - x } else { x };
        let y = if mounting.mirrors_y { height - 1 - y } else { y };
        (x, y)
    }

    /// Resets the panel, and turns it on once it has its first picture.
    fn initialise(&mut self) {
        context::spend(SETTLES);
        let was_reset = self.wires.reset();
        if !was_reset && self.table.family == Family::Dcs {
            self.command(dcs::SOFT_RESET, &[]);
        }
        context::spend(SETTLES);
        let table = self.table;
        let sequence = &table.power.sequence;
        let (last, first) =
            sequence.split_last().map_or((None, &[][..]), |(last, first)| (Some(last), first));
        for command in first {
            self.send_command(command);
        }
        match self.table.family {
            Family::Dcs => {
                if !first.iter().any(|command| command.first() == Some(&dcs::SLEEP_OUT)) {
                    self.send_command(&[dcs::SLEEP_OUT]);
                }
                let (format, _) = self.format();
                self.command(dcs::PIXEL_FORMAT, &[format]);
                let order = if self.module.is_bgr { dcs::BGR } else { 0 };
                self.command(dcs::MADCTL, &[order]);
                let (right, bottom) = (self.module.columns - 1, self.module.lines - 1);
                let (right, bottom) = (usize::from(right), usize::from(bottom));
                self.send_area(Area { left: 0, top: 0, right, bottom });
            }
            Family::Pages => {
                if self.table.command(pages::ADDRESSING_MODE).is_some() {
                    self.command(pages::ADDRESSING_MODE, &[pages::PAGE_ADDRESSING]);
                }
                let all = self.runs(|_| true);
                self.send_runs(&all);
            }
        }
        if let Some(last) = last {
            self.send_command(last);
        }
        self.wires.light();
    }

    /// Sends a command with its arguments.
    fn command(&mut self, code: u8, arguments: &[u8]) {
        self.wires.command(code, arguments, self.table.family == Family::Dcs);
    }

    fn send_command(&mut self, command: &[u8]) {
        let Some((code, arguments)) = command.split_first() else { return };
        self.command(*code, arguments);
        if *code == dcs::SLEEP_OUT && self.table.family == Family::Dcs {
            context::spend(SETTLES);
        }
    }

    /// Returns the pixel format as an argument of its command: 16 bits if the controller has them.
    fn format(&self) -> (u8, Format) {
        let formats = (0..).zip(&self.table.formats);
        let found = formats.filter_map(|(value, format)| Some((value, (*format)?)));
        let best =
            found.max_by_key(|(_, format)| (*format == Format::Bits16, *format == Format::Bits18));
        let (value, format): (u8, Format) = best.unwrap_or((5, Format::Bits16));
        (value << 4 | value, format)
    }

    /// Sends a rectangle of the glass to a controller with windows.
    fn send_area(&mut self, area: Area) {
        let Area { left, top, right, bottom } = area;
        let range = |first: usize, last: usize, origin: u16| {
            let [first, last] = [first, last].map(|at| (at as u16 + origin).to_be_bytes());
            [first[0], first[1], last[0], last[1]]
        };
        self.command(dcs::COLUMNS, &range(left, right, self.module.first_column));
        self.command(dcs::PAGES, &range(top, bottom, self.module.first_line));
        let (_, format) = self.format();
        let columns = usize::from(self.module.columns);
        let rows = (top..=bottom).map(|line| line * columns);
        let pixels = rows.flat_map(|row| &self.sent[row + left..=row + right]);
        let bytes: Vec<u8> = match format {
            Format::Bits16 | Format::Bits12 => {
                let words = pixels.map(|colour| RawU16::from(Rgb565::from(*colour)));
                words.flat_map(|word| word.into_inner().to_be_bytes()).collect()
            }
            Format::Bits18 => {
                pixels.flat_map(|colour| [colour.r(), colour.g(), colour.b()]).collect()
            }
        };
        self.command(dcs::WRITE, &bytes);
    }

    /// Returns the pages of which pixels have changed, each from its first to its last change.
    fn runs(&self, is_changed: impl Fn(usize) -> bool) -> Vec<Run> {
        let columns = usize::from(self.module.columns);
        // The first line and column in the host's counting, after A1h and C8h.
        let hidden = |all: u16, first: u16, shown: u16| usize::from(all - first - shown);
        let Module { first_line, lines, first_column, .. } = self.module;
        let first_line = hidden(self.table.lines, first_line, lines);
        let first_column = hidden(self.table.columns, first_column, self.module.columns);
        let lines = first_line..first_line + usize::from(lines);
        let pages = lines.start / pages::LINES..lines.end.div_ceil(pages::LINES);
        let run = |page: usize| {
            let cells = |column: usize| {
                let shown = (0..pages::LINES).map(move |bit| (bit, page * pages::LINES + bit));
                let shown = shown.filter(|(_, line)| lines.contains(line));
                shown.map(move |(bit, line)| (bit, (line - first_line) * columns + column))
            };
            let has_changed = |column: &usize| cells(*column).any(|(_, index)| is_changed(index));
            let first = (0..columns).find(has_changed)?;
            let last = (0..columns).rfind(has_changed)?;
            let byte = |column: usize| {
                let bits = cells(column).map(|(bit, at)| u8::from(is_on(self.sent[at])) << bit);
                bits.fold(0, |byte, bit| byte | bit)
            };
            let (page, column) = (page as u8, (first_column + first) as u8);
            Some(Run { page, column, bytes: (first..=last).map(byte).collect() })
        };
        pages.filter_map(run).collect()
    }

    fn send_runs(&mut self, runs: &[Run]) {
        for Run { page, column, bytes } in runs {
            self.command(pages::PAGE | page, &[]);
            self.command(pages::COLUMN_LOW | column & 0x0F, &[]);
            self.command(pages::COLUMN_HIGH | column >> 4, &[]);
            self.wires.data(bytes);
        }
    }
}

/// Bytes of a page, from a column on.
#[derive(Debug)]
struct Run {
    page: u8,
    column: u8,
    bytes: Vec<u8>,
}

/// Returns whether a pixel of one bit is on for a colour: as for `BinaryColor`, and by its brightness.
fn is_on(colour: Rgb888) -> bool {
    Gray8::from(colour).luma() >= 128
}

/// A rectangle of the glass in the order of the memory, its ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Area {
    left: usize,
    top: usize,
    right: usize,
    bottom: usize,
}

impl Area {
    /// Returns the smallest rectangle around the changed pixels.
    fn around(is_changed: impl Fn(usize) -> bool, columns: usize, count: usize) -> Option<Self> {
        let changed = (0..count).filter(|index| is_changed(*index));
        changed.fold(None, |area: Option<Self>, index| {
            let (x, y) = (index % columns, index / columns);
            let Some(Self { left, top, right, bottom }) = area else {
                return Some(Self { left: x, top: y, right: x, bottom: y });
            };
            Some(Self {
                left: left.min(x),
                top: top.min(y),
                right: right.max(x),
                bottom: bottom.max(y),
            })
        })
    }
}
