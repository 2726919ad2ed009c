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

            /// Returns the section of the RP2040 datasheet, or of another manual, which it names.
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
    RtcDivider, "rtc-divider", "4.8.5.1", Error,
        "the RTC is started while clk_rtc, divided by CLKDIV_M1 + 1, is not 1 Hz: its seconds are longer or shorter";
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
    FlashClock, "flash-clock-too-fast", "4.10.4", Error,
        "the flash is read in place with a clock above 133 MHz, the limit of a W25Q16JV: it gives wrong data";
    FlashNotReadable, "xip-while-flash-busy", "2.8.3.1.3", Error,
        "the flash is read or executed while it erases, programs or is in serial mode: the core reads garbage or hangs";
    FlashInterrupt, "interrupt-while-flash-busy", "2.8.3.1.3", Error,
        "an enabled interrupt is due while the flash erases or programs, and its handler or the vector table is in the flash: the core would execute garbage";
    FlashCallFromFlash, "flash-function-from-flash", "2.8.3.1.3", Error,
        "a ROM function that ends XIP is called by code in the flash, to which it cannot return";
    FlashRange, "flash-range-misaligned", "2.8.3.1.3", Error,
        "a ROM function erases a range that is not whole sectors of 4096 bytes, or programs one that is not whole pages of 256: other bytes change too";
    FlashSource, "flash-source-in-flash", "2.8.3.1.3", Error,
        "the data to program are in the flash, which cannot be read while it programs";
    ClockGlitch, "clock-glitch", "2.15.3.2", Error,
        "the auxiliary source of a clock that runs from it is changed: the glitch may corrupt the logic on that clock";
    UsbClock, "usb-clock-not-48-mhz", "4.1", Error,
        "the USB controller is enabled with clk_usb at another frequency than 48 MHz: no host understands it";
    WatchdogLoad, "watchdog-load", "4.7.6", Error,
        "LOAD of the watchdog is given more than 24 bits: the upper ones are lost";
    WatchdogTick, "watchdog-without-tick", "4.7.2", Error,
        "the watchdog is enabled while its tick is off: it never counts";
    TimerTick, "timer-without-tick", "4.7.2", Error,
        "an alarm is set while the tick of the watchdog is off, which the timer counts: it never comes";
    FifoOverflow, "fifo-overflow", "2.3.1.4", Error,
        "a word is written to the full FIFO of the other core: it is lost (WOF)";
    FifoUnderflow, "fifo-underflow", "2.3.1.4", Error,
        "the empty FIFO from the other core is read: the value is undefined (ROE)";
    SpinlockOfOther, "spinlock-of-other-core", "2.3.1.3", Error,
        "a core releases a spinlock that the other core holds";
    SpinlockDeadlock, "spinlock-deadlock", "2.3.1.3", Error,
        "a core waits for a spinlock that it holds itself: it waits for ever";
    DividerEarly, "divider-read-early", "2.3.1.5", Error,
        "a result of the divider is read before its 8 cycles have passed: it is undefined";
    NarrowWrite, "narrow-register-write", "2.1.4", Error,
        "a byte or halfword is written to a register: it is repeated over all 32 bits";
    PioBoth, "pio-written-by-both-cores", "2.1.1", Note,
        "both cores write to a PIO in the same cycle: one waits, and the order is the priority's";
    FunctionNotOnPin, "function-not-on-pin", "2.19.2", Error,
        "FUNCSEL selects a function that the pin does not have: nothing is connected to it";
    AdcPad, "adc-pad-is-digital", "4.9", Note,
        "the ADC converts a pin whose pad has a pull or its digital input on: the result is less exact";
    OutputDisabled, "output-on-disabled-pad", "2.19.4", Error,
        "SIO enables the output of a pin whose pad has its output disabled (OD): nothing drives the pin";
    UartFormat, "uart-format-while-enabled", "PL011 TRM 3.3.7", Error,
        "the line control or baud rate of a UART is changed while it is enabled: bytes under way are damaged";
    SpiFormat, "spi-format-while-busy", "4.4.4", Error,
        "the format or clock of an SPI is changed while it transfers: the frame is damaged";
    I2cConfigured, "i2c-configured-while-enabled", "4.3.17", Error,
        "a register that only a disabled I2C accepts is written while it is enabled: the write is lost";
    DmaBusy, "dma-started-while-busy", "2.5.2", Error,
        "a DMA channel is started while it is busy: the start is lost";
    DmaMisaligned, "dma-misaligned", "2.5.1.1", Error,
        "a DMA channel is started with an address that is not a multiple of its data size";
    DmaToRom, "dma-to-rom", "2.5.1.1", Error,
        "a DMA channel is started with a write address in the ROM, as a null pointer is: what it writes is lost";
    DmaBusError, "dma-bus-error", "2.5.7", Error,
        "the bus refuses a transfer of the DMA, because nothing is mapped there or the DMA has no access: the channel halts";
    FlashWritten, "flash-written", "2.6.3.6", Note,
        "a store goes to the flash: it discards the line of the cache, and nothing is written";
    VectorTable, "vtor-misaligned", "2.4.8", Error,
        "VTOR is given an address that is not a multiple of 256: the lower bits are lost";
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
        let section = rule.section();
        let book = if section.starts_with(char::is_numeric) { "datasheet section " } else { "" };
        format!(
            "{actor}{place}, cycle {cycle}: {detail}{} ({}, {book}{section}){more}",
            rule.sentence(),
            rule.id()
        )
    }

    /// Returns whether the finding fails a strict run.
    pub fn is_error(&self) -> bool {
        self.rule.severity() == Severity::Error
    }
}
