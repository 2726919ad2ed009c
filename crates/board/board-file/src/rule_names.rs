//! The names of the rules that a program may break: those of the displays' controllers and those of
//! the chip. A test of the crate `boards` compares them with the rules.

use serde_json::{Value as Json, json};

use crate::error::BoardErrorKind;
use crate::reader::{Entry, Reader, quoted};
use crate::table::Value;
use crate::table::value::text_of;

/// Rules of displays whose violations fail a replay, in the order of `docs/lcd-model.md`.
pub const DISPLAY_RULES: &[&str] = &[
    "ResetDelay",
    "ResetSleepOutDelay",
    "ResetPulse",
    "SoftwareResetDelay",
    "SoftwareResetSleepOutDelay",
    "SleepInDelay",
    "SleepInAfterSleepOut",
    "SleepOutDelay",
    "SleepOutAfterSleepIn",
    "DisplayOnAsleep",
    "ColumnOutside",
    "ColumnsReversed",
    "PageOutside",
    "PagesReversed",
    "CutPixel",
    "DcInsideByte",
    "UnknownCommand",
    "TooFewArguments",
    "TooManyArguments",
    "DataWithoutCommand",
    "SentInReset",
    "SentUnpowered",
    "PixelFormat",
    "ScrollArea",
    "ScrollStart",
    "ArgumentValue",
    "AddressingMode",
    "WrittenWhileScrolling",
    "ConverterWhileOn",
    "ModifyEnd",
    "ColumnInModify",
];

/// Rules of the chip whose breaks fail a replay, in the order of `docs/chip-rules.md`.
pub const CHIP_RULES: &[&str] = &[
    "held-in-reset",
    "no-peripheral-clock",
    "no-adc-clock",
    "no-usb-clock",
    "no-rtc-clock",
    "rtc-divider",
    "pll-vco",
    "pll-reference",
    "pll-feedback",
    "pll-post-divider",
    "clk-sys-too-fast",
    "flash-clock-too-fast",
    "xip-while-flash-busy",
    "interrupt-while-flash-busy",
    "flash-function-from-flash",
    "flash-range-misaligned",
    "flash-source-in-flash",
    "clock-glitch",
    "usb-clock-not-48-mhz",
    "watchdog-load",
    "watchdog-without-tick",
    "timer-without-tick",
    "fifo-overflow",
    "fifo-underflow",
    "spinlock-of-other-core",
    "spinlock-deadlock",
    "divider-read-early",
    "narrow-register-write",
    "function-not-on-pin",
    "output-on-disabled-pad",
    "uart-format-while-enabled",
    "spi-format-while-busy",
    "i2c-configured-while-enabled",
    "dma-started-while-busy",
    "dma-misaligned",
    "dma-to-rom",
    "dma-bus-error",
    "vtor-misaligned",
];

/// A rule that the program is known to break.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RuleName(pub &'static str);

fn all() -> Vec<&'static str> {
    [DISPLAY_RULES, CHIP_RULES].concat()
}

impl Value for RuleName {
    fn shape() -> String {
        "rule: a name of [lcd-model.md](lcd-model.md#the-linter) like `\"SleepOutDelay\"`, or an \
         identifier of [chip-rules.md](chip-rules.md) like `\"pll-vco\"`"
            .into()
    }

    fn example() -> String {
        "\"pll-vco\"".into()
    }

    fn json() -> Json {
        json!({ "enum": all() })
    }

    fn read(entry: Entry<'_>, reader: &mut Reader) -> Option<Self> {
        let text = text_of::<Self>(entry, reader)?;
        if let Some(name) = all().into_iter().find(|name| *name == text) {
            return Some(Self(name));
        }
        let kind = BoardErrorKind::UnknownRule { rule: quoted(text), known: all() };
        reader.refuse(entry.span, kind)
    }
}
