//! The rules of the chip: what a program here does without harm, and a chip would not do.
//!
//! [`Rule`] is the table: identifier, section of the RP2040 datasheet, severity and a sentence.
//! [`Finding`] is a place at which a program breaks a rule; the chip stores the first break at each
//! place and counts the others ([`Chip::findings`](super::Chip::findings)). `devices::checks` has
//! the conditions. This module does not know them, nor where the program's source is: the caller
//! names the places ([`Finding::describe`]). `docs/chip-rules.md` lists the rules.

use std::fmt;

use crate::backtrace::Names;

mod findings;

pub(in crate::chip) use findings::Findings;
pub use findings::MAX_FINDINGS;

/// Whether a break of a rule fails a run that is strict.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Severity {
    /// The program would not work on a chip, or only by chance.
    Error,
    /// A chip does it, outside its specification or with a loss.
    Note,
}

/// Uses the word of `docs/chip-rules.md`.
impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Error => "error",
            Self::Note => "note",
        })
    }
}

macro_rules! rules {
    ($($rule:ident, $id:literal, $section:literal, $severity:ident, $sentence:literal;)+) => {
        /// A rule of the chip.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Rule {
            $(#[doc = concat!("A break: ", $sentence, ".")] $rule,)+
        }

        impl Rule {
            /// All rules, in the order of the datasheet's subjects.
            pub const ALL: &[Self] = &[$(Self::$rule,)+];

            /// Returns the identifier, which reports and documents use.
            pub const fn id(self) -> &'static str {
                match self { $(Self::$rule => $id,)+ }
            }

            /// Returns the section of the RP2040 datasheet.
            pub const fn section(self) -> &'static str {
                match self { $(Self::$rule => $section,)+ }
            }

            /// Returns whether a break fails a strict run.
            pub const fn severity(self) -> Severity {
                match self { $(Self::$rule => Severity::$severity,)+ }
            }

            /// Returns what a break is and what a chip does then, as a sentence without a full
            /// stop.
            pub const fn sentence(self) -> &'static str {
                match self { $(Self::$rule => $sentence,)+ }
            }
        }
    };
}

rules! {
    HeldInReset, "held-in-reset", "2.14", Error,
        "a register is accessed while RESETS holds its block, which does not respond: the write is lost, a read gives 0";
    NoPeripheralClock, "no-peripheral-clock", "2.15.3", Error,
        "a UART or SPI is enabled while clk_peri is stopped: it sends and receives nothing";
    NoAdcClock, "no-adc-clock", "4.9", Error,
        "the ADC is enabled or started while clk_adc is stopped: it never becomes ready";
    NoUsbClock, "no-usb-clock", "4.1", Error,
        "the USB controller is enabled while clk_usb is stopped: no host sees it";
    NoRtcClock, "no-rtc-clock", "4.8", Error,
        "the RTC is started while clk_rtc is stopped: its time does not pass";
    PllVco, "pll-vco", "2.18.2", Error,
        "a PLL runs with its VCO outside 750 to 1600 MHz: it may not lock, and its frequency is uncertain";
    PllReference, "pll-reference", "2.18.2", Error,
        "a PLL runs with a reference below 5 MHz after REFDIV: it may not lock";
    PllFeedback, "pll-feedback", "2.18.2", Error,
        "a PLL runs with a feedback divisor outside 16 to 320: it may not lock";
    PllPostDivider, "pll-post-divider", "2.18.2", Error,
        "a post divider of a running PLL is 0; only 1 to 7 are valid";
    SystemClock, "clk-sys-too-fast", "2.15.1", Error,
        "clk_sys is above 133 MHz at the regulator's normal voltage of 1.1 V: the chip may fail";
    SystemOverclocked, "clk-sys-overclocked", "2.15.1", Note,
        "clk_sys is above 133 MHz, with a raised core voltage: many chips work, none is specified for it";
    FlashNotReadable, "xip-while-flash-busy", "2.8.3.1.3", Error,
        "the flash is read or executed while it erases, programs or is in serial mode: the core reads garbage or hangs";
    FlashInterrupt, "interrupt-while-flash-busy", "2.8.3.1.3", Error,
        "an enabled interrupt is due while the flash erases or programs, and its handler or the vector table is in the flash: the core would execute garbage";
    FlashCallFromFlash, "flash-function-from-flash", "2.8.3.1.3", Error,
        "a ROM function that ends XIP is called by code in the flash, to which it cannot return";
}

/// A number or a name that makes a finding exact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// Name of a block or of a part of it.
    Name(&'static str),
    /// Frequency in hertz.
    Hertz(u64),
    /// Address.
    Address(u32),
    /// Another number, such as that of a pin or of a channel.
    Number(u32),
}

impl fmt::Display for Detail {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name(name) => f.write_str(name),
            Self::Hertz(hz) => write!(f, "{}.{:03} MHz", hz / 1_000_000, hz / 1_000 % 1_000),
            Self::Address(address) => write!(f, "0x{address:08x}"),
            Self::Number(number) => number.fmt(f),
        }
    }
}

/// The actor of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Actor {
    /// Core 0 or 1.
    Core(u8),
    /// The DMA, which has no program counter.
    Dma,
}

impl fmt::Display for Actor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Core(number) => write!(f, "core {number}"),
            Self::Dma => f.write_str("the DMA"),
        }
    }
}

/// A place at which a program breaks a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Finding {
    pub rule: Rule,
    pub actor: Actor,
    /// Address of the instruction; 0 for the DMA.
    pub pc: u32,
    /// Cycle of the first break at this place.
    pub cycle: u64,
    pub detail: Option<Detail>,
    /// Number of breaks at this place.
    pub count: u64,
}

impl Finding {
    /// Returns a sentence without a full stop, with the place described by `names`.
    pub fn describe(&self, names: &dyn Names) -> String {
        let Self { rule, actor, pc, cycle, detail, count } = *self;
        let place = match actor {
            Actor::Core(_) => format!(" at {}", names.describe(pc)),
            Actor::Dma => String::new(),
        };
        let detail = detail.map(|detail| format!("{detail}: ")).unwrap_or_default();
        let more = if count > 1 { format!("; {count} times") } else { String::new() };
        format!(
            "{actor}{place}, cycle {cycle}: {detail}{} ({}, datasheet section {}){more}",
            rule.sentence(),
            rule.id(),
            rule.section()
        )
    }

    /// Returns whether the finding fails a strict run.
    pub fn is_error(&self) -> bool {
        self.rule.severity() == Severity::Error
    }
}
