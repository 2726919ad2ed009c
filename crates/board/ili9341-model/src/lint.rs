//! The linter: the rules of the datasheet, and the record of violations.
//!
//! A violation breaks a rule of the datasheet. A note is something that the datasheet advises
//! against or leaves open, and that drivers commonly do. The module knows no firmware.

use core::fmt;

use virtual_time::{Instant, Nanos};

/// Maximum number of stored violations, and of stored notes; later ones are only counted.
pub const VIOLATIONS_MAX: usize = 1000;
/// Maximum number of stored bytes of a violation.
pub(super) const VIOLATION_BYTES_MAX: usize = 17;

/// A rule of the datasheet (ILI9341 V1.11), named by its violation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rule {
    /// A command came within 5 ms of the end of a hardware reset, or of power-on.
    ResetDelay,
    /// SLPOUT came within 120 ms of a hardware reset that was given in sleep-out.
    ResetSleepOutDelay,
    /// RESX was low for less than 10 µs.
    ResetPulse,
    /// A command came within 5 ms of SWRESET.
    SoftwareResetDelay,
    /// SLPOUT came within 120 ms of a SWRESET that was given in sleep-out.
    SoftwareResetSleepOutDelay,
    /// A command came within 5 ms of SLPIN.
    SleepInDelay,
    /// SLPIN came within 120 ms of SLPOUT.
    SleepInAfterSleepOut,
    /// A command came within 5 ms of SLPOUT.
    SleepOutDelay,
    /// SLPOUT came within 120 ms of SLPIN.
    SleepOutAfterSleepIn,
    /// DISPON came in sleep-in.
    DisplayOnAsleep,
    /// A column address is outside the panel under the current MV.
    ColumnOutside,
    /// CASET with its start after its end.
    ColumnsReversed,
    /// A page address is outside the panel under the current MV.
    PageOutside,
    /// PASET with its start after its end.
    PagesReversed,
    /// A command came in the middle of a pixel: an odd number of pixel bytes.
    CutPixel,
    /// D/CX moved while a byte was on the wire.
    DcInsideByte,
    /// The command does not exist.
    UnknownCommand,
    /// The next command came before all arguments.
    TooFewArguments,
    /// More arguments than the command takes.
    TooManyArguments,
    /// A data byte came before any command since power-on or reset.
    DataWithoutCommand,
    /// Bytes were sent while RESX was low.
    SentInReset,
    /// Bytes were sent without power.
    SentUnpowered,
    /// PIXSET with a pixel format that does not exist.
    PixelFormat,
    /// VSCRDEF whose areas do not add up to 320 lines.
    ScrollArea,
    /// VSCRSADD with a line of a fixed area.
    ScrollStart,
    /// Note: a command came without a hardware reset since power-on.
    NoReset,
    /// Note: more pixels than the window has.
    MoreThanWindow,
    /// Note: pixels were written in sleep-in.
    PixelsAsleep,
    /// Note: the clock is faster than 10 MHz.
    Clock,
    /// Note: DISPON before every pixel of the memory had been written.
    DisplayOnUnwritten,
}

impl Rule {
    /// All rules, violations first.
    pub const ALL: [Self; 30] = [
        Self::ResetDelay,
        Self::ResetSleepOutDelay,
        Self::ResetPulse,
        Self::SoftwareResetDelay,
        Self::SoftwareResetSleepOutDelay,
        Self::SleepInDelay,
        Self::SleepInAfterSleepOut,
        Self::SleepOutDelay,
        Self::SleepOutAfterSleepIn,
        Self::DisplayOnAsleep,
        Self::ColumnOutside,
        Self::ColumnsReversed,
        Self::PageOutside,
        Self::PagesReversed,
        Self::CutPixel,
        Self::DcInsideByte,
        Self::UnknownCommand,
        Self::TooFewArguments,
        Self::TooManyArguments,
        Self::DataWithoutCommand,
        Self::SentInReset,
        Self::SentUnpowered,
        Self::PixelFormat,
        Self::ScrollArea,
        Self::ScrollStart,
        Self::NoReset,
        Self::MoreThanWindow,
        Self::PixelsAsleep,
        Self::Clock,
        Self::DisplayOnUnwritten,
    ];

    /// Returns whether the rule is only a note, which does not fail a replay.
    pub const fn is_note(self) -> bool {
        matches!(
            self,
            Self::NoReset
                | Self::MoreThanWindow
                | Self::PixelsAsleep
                | Self::Clock
                | Self::DisplayOnUnwritten
        )
    }

    const fn bit(self) -> u32 {
        1 << self as u32
    }

    /// Returns the section of the datasheet, V1.11.
    pub const fn section(self) -> &'static str {
        self.wording().0
    }

    const fn wording(self) -> (&'static str, &'static str) {
        match self {
            Self::ResetDelay => (
                "15.4",
                "a command must not be sent within 5 ms of the rise of RESX or of power-on",
            ),
            Self::ResetSleepOutDelay => {
                ("15.4", "SLPOUT must not be sent within 120 ms of a reset given in sleep-out mode")
            }
            Self::ResetPulse => ("15.4", "RESX must stay low for at least 10 us to reset"),
            Self::SoftwareResetDelay => {
                ("8.2.2", "a command must not be sent within 5 ms of SWRESET")
            }
            Self::SoftwareResetSleepOutDelay => (
                "8.2.2",
                "SLPOUT must not be sent within 120 ms of SWRESET given in sleep-out mode",
            ),
            Self::SleepInDelay => ("8.2.11", "a command must not be sent within 5 ms of SLPIN"),
            Self::SleepInAfterSleepOut => {
                ("8.2.11", "SLPIN must not be sent within 120 ms of SLPOUT")
            }
            Self::SleepOutDelay => ("8.2.12", "a command must not be sent within 5 ms of SLPOUT"),
            Self::SleepOutAfterSleepIn => {
                ("8.2.12", "SLPOUT must not be sent within 120 ms of SLPIN")
            }
            Self::DisplayOnAsleep => {
                ("8.2.19", "DISPON shows nothing in sleep-in mode: send SLPOUT before it")
            }
            Self::ColumnOutside => {
                ("8.2.20", "columns end at 239, or at 319 with MV; what lies outside is ignored")
            }
            Self::ColumnsReversed => ("8.2.20", "SC must not be greater than EC"),
            Self::PageOutside => {
                ("8.2.21", "pages end at 319, or at 239 with MV; what lies outside is ignored")
            }
            Self::PagesReversed => ("8.2.21", "SP must not be greater than EP"),
            Self::CutPixel => (
                "7.1.11",
                "a command in the middle of a pixel drops it: pixel bytes come in whole pixels",
            ),
            Self::DcInsideByte => {
                ("7.1.9", "D/CX must not move inside a byte: it is sampled with the eighth bit")
            }
            Self::UnknownCommand => ("8.1", "the ILI9341 has no such command"),
            Self::TooFewArguments => ("8.1", "the next command came before all arguments had"),
            Self::TooManyArguments => ("8.1", "the command has fewer arguments"),
            Self::DataWithoutCommand => ("7.1.9", "data must follow a command"),
            Self::SentInReset => ("15.4", "nothing is received while RESX is low"),
            Self::SentUnpowered => ("12", "nothing may be sent without power"),
            Self::PixelFormat => {
                ("8.2.33", "a serial pixel has 16 bits (DBI 101) or 18 bits (DBI 110)")
            }
            Self::ScrollArea => ("8.2.26", "TFA, VSA and BFA must add up to 320 lines"),
            Self::ScrollStart => ("8.2.30", "VSP must not lie in a fixed area"),
            Self::NoReset => {
                ("12.1", "RESX that is high at power-on calls for a hardware reset afterwards")
            }
            Self::MoreThanWindow => {
                ("8.2.22", "more pixels than the window has begin again at its start")
            }
            Self::PixelsAsleep => ("8.2.11", "pixels were written in sleep-in mode; memory works"),
            Self::Clock => ("18.3.4", "the serial write cycle is at least 100 ns, that is 10 MHz"),
            Self::DisplayOnUnwritten => {
                ("8.2.22", "after power-on the memory holds noise, and DISPON showed some of it")
            }
        }
    }
}

/// Writes the datasheet's requirement as a sentence.
impl fmt::Display for Rule {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.wording().1)
    }
}

/// A violation or a note.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// Time at which the byte began, or the line moved.
    pub at: Instant,
    /// Bytes that show the violation, command first, at most 17.
    pub bytes: Vec<u8>,
    /// Violated rule.
    pub rule: Rule,
}

/// Writes `12.5ms: 2A 00 00 01 40: columns end at 239, … (ILI9341 8.2.20)`.
impl fmt::Display for Violation {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}:", self.at)?;
        for byte in &self.bytes {
            write!(out, " {byte:02X}")?;
        }
        let colon = if self.bytes.is_empty() { "" } else { ":" };
        write!(out, "{colon} {} (ILI9341 {})", self.rule, self.rule.section())
    }
}

/// The record of all violations and notes.
#[derive(Clone, Default)]
pub(super) struct Log {
    pub(super) violations: Vec<Violation>,
    pub(super) notes: Vec<Violation>,
    pub(super) violations_dropped: u64,
    pub(super) notes_dropped: u64,
    /// A bit for each rule that has been recorded.
    recorded: u32,
    /// Whether recording is off: the controller does not receive what the host sends.
    pub(super) muted: bool,
}

impl Log {
    pub(super) fn record(&mut self, at: Instant, rule: Rule, bytes: &[u8]) {
        if self.muted {
            return;
        }
        let (kept, dropped) = if rule.is_note() {
            (&mut self.notes, &mut self.notes_dropped)
        } else {
            (&mut self.violations, &mut self.violations_dropped)
        };
        if kept.len() < VIOLATIONS_MAX {
            let bytes = bytes[..bytes.len().min(VIOLATION_BYTES_MAX)].to_vec();
            kept.push(Violation { at, bytes, rule });
            self.recorded |= rule.bit();
        } else {
            *dropped += 1;
        }
    }

    /// Records a note once only.
    #[inline]
    pub(super) fn note_once(&mut self, at: Instant, rule: Rule, bytes: &[u8]) {
        if self.lacks(rule) {
            self.record(at, rule, bytes);
        }
    }

    /// Returns whether the rule has not been recorded.
    #[inline]
    pub(super) fn lacks(&self, rule: Rule) -> bool {
        self.recorded & rule.bit() == 0
    }
}

/// Times until which commands must wait.
#[derive(Clone, Copy, Debug)]
pub(super) struct Waits {
    /// Wait before any command.
    pub(super) command: (Instant, Rule),
    /// Wait before SLPOUT.
    pub(super) sleep_out: (Instant, Rule),
    /// Wait before SLPIN.
    pub(super) sleep_in: (Instant, Rule),
    /// Time at which all waits are over.
    pub(super) over: Instant,
}

/// Wait after a reset, SLPIN or SLPOUT, before any other command.
pub(super) const SHORT_WAIT: Nanos = Nanos::from_millis(5);
/// Wait between SLPOUT and SLPIN, in either order.
pub(super) const LONG_WAIT: Nanos = Nanos::from_millis(120);
/// Minimum length of a reset pulse.
pub(super) const RESET_PULSE: Nanos = Nanos::from_micros(10);
/// A shorter pulse counts as a spike.
pub(super) const RESET_SPIKE: Nanos = Nanos::from_micros(5);
/// Eight serial clocks of 100 ns, in nanoseconds.
pub(super) const BYTE_AT_10_MHZ: u64 = 800;

const _: () = assert!(SHORT_WAIT.0 < LONG_WAIT.0 && RESET_SPIKE.0 < RESET_PULSE.0);

impl Default for Waits {
    fn default() -> Self {
        let over = Instant::START;
        Self {
            command: (over, Rule::ResetDelay),
            sleep_out: (over, Rule::ResetSleepOutDelay),
            sleep_in: (over, Rule::SleepInAfterSleepOut),
            over,
        }
    }
}

impl Waits {
    pub(super) fn before_command(&mut self, until: Instant, rule: Rule) {
        self.command = (until, rule);
        self.over = self.over.max(until);
    }

    /// Sets a wait before SLPOUT. A running wait cannot become shorter: all are [`LONG_WAIT`] long.
    pub(super) fn before_sleep_out(&mut self, until: Instant, rule: Rule) {
        self.sleep_out = (until, rule);
        self.over = self.over.max(until);
    }

    pub(super) fn before_sleep_in(&mut self, until: Instant, rule: Rule) {
        self.sleep_in = (until, rule);
        self.over = self.over.max(until);
    }
}
