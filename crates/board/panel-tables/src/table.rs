//! A controller as data: [`Table`]. The module knows no file format and no model.
//!
//! The built-in tables are constants. A table that is loaded from a file is leaked once
//! ([`Table::leak`]), so that a model and its clones refer to it by `&'static Table`.

use core::fmt;
use std::borrow::Cow;

use virtual_time::Nanos;

use crate::effect::{Answer, Effect};
use crate::family::Family;
use crate::rule::Rule;

/// Maximum number of columns and of lines of a memory.
pub const SIDE_MAX: u16 = 512;
/// Maximum number of commands of a table: one a code.
pub const COMMANDS_MAX: usize = 256;
/// Index in [`Table::by_code`] of a code that is not a command.
pub const NO_COMMAND: u16 = u16::MAX;

/// A text of a table.
pub type Text = Cow<'static, str>;
/// A list of a table.
pub type List<T> = Cow<'static, [T]>;

/// A controller: its commands, registers, memory, formats, timing and rules.
#[derive(Debug, PartialEq, Eq)]
pub struct Table {
    /// Name in lower case, as in a board description: `st7789`.
    pub name: Text,
    /// Name in the datasheet, as in messages.
    pub title: Text,
    /// Datasheet with its version.
    pub datasheet: Text,
    pub family: Family,
    /// Number of columns and of lines of the memory.
    pub columns: u16,
    pub lines: u16,
    /// A common module with this controller.
    pub module: Module,
    /// Buses that the controller has.
    pub buses: List<Bus>,
    /// Pixel format for each value of PIXSET's lowest three bits.
    pub formats: [Option<Format>; 8],
    pub scan: Scan,
    pub power: Power,
    /// Commands ordered by code.
    pub commands: List<Command>,
    /// Index in `commands` of each code, or [`NO_COMMAND`].
    pub by_code: [u16; COMMANDS_MAX],
    /// Checks of the linter, ordered.
    pub rules: List<RuleText>,
    /// A mask with the bits of these rules.
    pub rule_bits: u64,
}

/// Mounting of the visible panel on the memory, and its optical properties.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Module {
    /// Number of visible columns and lines of the memory.
    pub columns: u16,
    pub lines: u16,
    /// First visible column and line.
    pub first_column: u16,
    pub first_line: u16,
    pub mounting: Mounting,
    /// Whether the colour filter is BGR: colours are right while MADCTL's BGR is 1.
    pub is_bgr: bool,
    /// Whether colours are right while inversion is on, as on IPS panels.
    pub is_inverted: bool,
    pub bus: Bus,
}

/// Direction in which a viewer sees the memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Mounting {
    /// Whether the lines of the memory are seen from left to right; otherwise from top to bottom.
    pub is_landscape: bool,
    /// Whether the leftmost pixel is the last column or line of the memory.
    pub mirrors_x: bool,
    /// Whether the topmost pixel is the last line or column.
    pub mirrors_y: bool,
}

impl Module {
    /// Returns the module with its visible part cut at the end of the memory of `table`, at least
    /// one pixel.
    pub fn within(mut self, table: &Table) -> Self {
        self.first_column = self.first_column.min(table.columns - 1);
        self.first_line = self.first_line.min(table.lines - 1);
        self.columns = self.columns.clamp(1, table.columns - self.first_column);
        self.lines = self.lines.clamp(1, table.lines - self.first_line);
        self
    }

    /// Returns width and height of the picture that a viewer sees.
    pub const fn size(&self) -> (usize, usize) {
        if self.mounting.is_landscape {
            (self.lines as usize, self.columns as usize)
        } else {
            (self.columns as usize, self.lines as usize)
        }
    }
}

/// A bus between host and controller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bus {
    /// Serial with a D/CX line.
    Spi4,
    /// Serial with nine bits a word; the first is D/CX.
    Spi3,
    /// I²C with control bytes.
    I2c,
    /// Eight data lines with a write strobe (8080).
    Parallel8,
}

/// A pixel on the wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Two pixels in three bytes, four bits a colour.
    Bits12,
    Bits16,
    /// Three bytes, the upper six bits of each.
    Bits18,
}

/// Times of the panel's own scan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scan {
    /// Oscillator in hertz.
    pub clock_hz: u32,
    /// Clocks of a line after reset.
    pub line_clocks: u16,
    /// Lines of both porches after reset.
    pub porches: u8,
}

/// Power-on and hardware reset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Power {
    /// A shorter pulse on RESX has no effect.
    pub spike: Nanos,
    /// Commands that turn the display on, in order: code and arguments of each.
    pub sequence: List<List<u8>>,
}

/// Data that follow a command byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Follows {
    /// Argument bytes, between the first and the second number.
    Arguments(u8, u8),
    /// Pixels, any number.
    Pixels,
    /// The host clocks a register out.
    Register,
    /// The host clocks pixels out.
    Memory,
}

/// A command, or several with consecutive codes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command {
    pub code: u8,
    /// Last code of a range; equal to `code` for a single command.
    pub last: u8,
    /// Name in the datasheet.
    pub name: Text,
    /// Section of the datasheet, or `-` if the datasheet does not have the command.
    pub section: Text,
    pub follows: Follows,
    pub effect: Effect,
    /// Arguments after a reset; empty if the register is unknown until it is written.
    pub reset: List<u8>,
    /// Whether a software reset leaves the register as it is.
    pub is_retained: bool,
    pub fields: List<Place>,
    /// Bytes that the controller answers.
    pub answer: List<Answer>,
    /// Permitted values of arguments.
    pub values: List<Values>,
}

/// Position of a field in the arguments of a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// Name in the datasheet.
    pub name: Text,
    /// Index of the argument.
    pub byte: u8,
    /// Number of arguments, 1 or 2, upper byte first.
    pub bytes: u8,
    /// Lowest bit and number of bits.
    pub low: u8,
    pub bits: u8,
}

/// Permitted values of the bits of an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Values {
    /// Index of the argument.
    pub argument: u8,
    pub first: u8,
    pub last: u8,
}

/// A check of the linter as the datasheet words it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleText {
    pub rule: Rule,
    /// Section of the datasheet.
    pub section: Text,
    /// Requirement as a sentence.
    pub text: Text,
    /// Minimum time, if the rule has one; of a clock, the time of a bit.
    pub limit: Nanos,
}

impl Table {
    /// Stores the table for the rest of the process. The caller bounds the number of calls.
    pub fn leak(self) -> &'static Self {
        Box::leak(Box::new(self))
    }

    /// Returns the command with this code.
    #[inline]
    pub fn command(&self, code: u8) -> Option<&Command> {
        self.commands.get(usize::from(self.by_code[usize::from(code)]))
    }

    /// Returns whether the controller answers this command: the host clocks out a register or the
    /// memory.
    pub fn answers(&self, code: u8) -> bool {
        self.command(code)
            .is_some_and(|command| matches!(command.follows, Follows::Register | Follows::Memory))
    }

    /// Returns the text of a rule; `None` if the controller does not have it.
    pub fn rule(&self, rule: Rule) -> Option<&RuleText> {
        let at = self.rules.binary_search_by_key(&rule, |text| text.rule).ok()?;
        self.rules.get(at)
    }

    /// Returns whether the linter checks this rule.
    #[inline]
    pub const fn has(&self, rule: Rule) -> bool {
        self.rule_bits & rule.bit() != 0
    }

    /// Returns the minimum time of a rule; zero if the controller does not have the rule.
    pub fn limit(&self, rule: Rule) -> Nanos {
        self.rule(rule).map_or(Nanos(0), |text| text.limit)
    }
}

/// Writes the title and the datasheet.
impl fmt::Display for Table {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} ({})", self.title, self.datasheet)
    }
}
