//! Values of keys: pins, names, texts and numbers.

use serde_json::{Value as Json, json};

use crate::error::BoardErrorKind;
use crate::key_names;
use crate::limits::{FIRST_ANALOG_GPIO, GPIO_MAX, NAME_CHARS_MAX, TEXT_BYTES_MAX};
use crate::reader::{Entry, Raw, Reader, Span, quoted};
use crate::table::{Claim, Value, wrong_type};

/// A pin of the chip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pin {
    /// GPIO number, 0 to 29.
    pub gpio: u8,
    pub span: Span,
}

impl Value for Pin {
    fn shape() -> String {
        format!("pin: `\"GP0\"` to `\"GP{GPIO_MAX}\"`")
    }

    fn example() -> String {
        "\"GP2\"".into()
    }

    fn json() -> Json {
        json!({ "type": "string", "pattern": "^GP(1?[0-9]|2[0-9])$" })
    }

    fn read(entry: Entry<'_>, reader: &mut Reader) -> Option<Self> {
        let Entry { key, span, raw } = entry;
        let text = match raw {
            Raw::Text(text) => text,
            Raw::Whole(Some(number)) if number >= 0 => {
                return reader.refuse(span, BoardErrorKind::PinWithoutGp { key, number });
            }
            Raw::Whole(Some(number)) => {
                let (written, meant) = (number.to_string(), None);
                return reader.refuse(span, BoardErrorKind::NotAPin { key, written, meant });
            }
            _ => return wrong_type::<Self, Self>(entry, reader),
        };
        let digits = text.strip_prefix("GP").filter(|digits| is_decimal(digits, 9));
        let Some(number) = digits.and_then(|digits| digits.parse::<u64>().ok()) else {
            let (written, meant) = (format!("\"{}\"", quoted(text)), meant_pin(text));
            return reader.refuse(span, BoardErrorKind::NotAPin { key, written, meant });
        };
        match u8::try_from(number).ok().filter(|gpio| *gpio <= GPIO_MAX) {
            Some(gpio) => Some(Self { gpio, span }),
            None => reader.refuse(span, BoardErrorKind::NoSuchPin { number }),
        }
    }

    fn claims<'a>(&'a self, key: &'static str, index: usize, found: &mut Vec<Claim<'a>>) {
        found.push(Claim::Pin(key, index, self));
    }
}

/// Returns the pin that a text means which is none: `5`, `GPIO5`, `gp 5`, `ADC0`.
fn meant_pin(text: &str) -> Option<u8> {
    let text = text.trim().to_ascii_uppercase();
    let of = |prefix: &str| {
        let digits = text.strip_prefix(prefix)?.trim_start_matches([' ', '_']);
        if is_decimal(digits, 2) { digits.parse::<u8>().ok() } else { None }
    };
    let number = match of("ADC") {
        Some(channel) => FIRST_ANALOG_GPIO + channel,
        None => ["GPIO", "GP", "IO", "PIN", "P", ""].into_iter().find_map(of)?,
    };
    (number <= GPIO_MAX).then_some(number)
}

/// A pin with an analog input: GP26 to GP29.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AnalogPin(pub Pin);

impl AnalogPin {
    /// Returns the channel of the ADC, 0 to 3.
    pub fn channel(self) -> u8 {
        self.0.gpio - FIRST_ANALOG_GPIO
    }
}

impl Value for AnalogPin {
    fn shape() -> String {
        format!("analog pin: `\"GP{FIRST_ANALOG_GPIO}\"` to `\"GP{GPIO_MAX}\"`")
    }

    fn example() -> String {
        "\"GP26\"".into()
    }

    fn json() -> Json {
        json!({ "type": "string", "pattern": "^GP2[6-9]$" })
    }

    fn read(entry: Entry<'_>, reader: &mut Reader) -> Option<Self> {
        let pin = Pin::read(entry, reader)?;
        if pin.gpio >= FIRST_ANALOG_GPIO {
            return Some(Self(pin));
        }
        let kind = BoardErrorKind::NotAnalog { key: entry.key, number: pin.gpio };
        reader.refuse(entry.span, kind)
    }

    fn claims<'a>(&'a self, key: &'static str, index: usize, found: &mut Vec<Claim<'a>>) {
        self.0.claims(key, index, found);
    }
}

/// The name of a part, as traces write it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    pub text: String,
    pub span: Span,
}

impl Value for Name {
    fn shape() -> String {
        format!("name: 1 to {NAME_CHARS_MAX} letters, digits, `-` and `_`")
    }

    fn example() -> String {
        "\"A\"".into()
    }

    fn json() -> Json {
        let pattern = format!("^[A-Za-z0-9][A-Za-z0-9_-]{{0,{}}}$", NAME_CHARS_MAX - 1);
        json!({ "type": "string", "pattern": pattern })
    }

    fn read(entry: Entry<'_>, reader: &mut Reader) -> Option<Self> {
        let text = text_of::<Self>(entry, reader)?;
        if is_name(text) {
            return Some(Self { text: text.to_owned(), span: entry.span });
        }
        reader.refuse(entry.span, BoardErrorKind::BadName(quoted(text)))
    }

    fn claims<'a>(&'a self, key: &'static str, _index: usize, found: &mut Vec<Claim<'a>>) {
        found.push(Claim::Name(key, self));
    }
}

/// Returns whether `text` can be the name of a part.
pub fn is_name(text: &str) -> bool {
    text.len() <= NAME_CHARS_MAX
        && text.starts_with(|letter: char| letter.is_ascii_alphanumeric())
        && text.chars().all(|letter| letter.is_ascii_alphanumeric() || "-_".contains(letter))
}

/// A key of the user's keyboard that operates a part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyName {
    /// Name in [`key_names::KEY_NAMES`].
    pub name: &'static str,
    pub span: Span,
}

impl Value for KeyName {
    fn shape() -> String {
        "key of a keyboard: like `\"Z\"`, `\"Space\"`, `\"Left\"`; docs/keymap.md lists the names"
            .into()
    }

    fn example() -> String {
        "\"Z\"".into()
    }

    fn json() -> Json {
        json!({ "enum": key_names::names() })
    }

    fn read(entry: Entry<'_>, reader: &mut Reader) -> Option<Self> {
        let text = text_of::<Self>(entry, reader)?;
        if let Some(name) = key_names::find(text) {
            return Some(Self { name, span: entry.span });
        }
        let kind = BoardErrorKind::UnknownKeyName { key: quoted(text), known: key_names::names() };
        reader.refuse(entry.span, kind)
    }

    fn claims<'a>(&'a self, _key: &'static str, _index: usize, found: &mut Vec<Claim<'a>>) {
        found.push(Claim::Key(self));
    }
}

/// A text in one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text(pub String);

impl Value for Text {
    fn shape() -> String {
        "text: one line".into()
    }

    fn example() -> String {
        "\"My board\"".into()
    }

    fn json() -> Json {
        json!({ "type": "string", "minLength": 1, "maxLength": TEXT_BYTES_MAX })
    }

    fn fallback() -> Option<Self> {
        Some(Self("board".into()))
    }

    fn read(entry: Entry<'_>, reader: &mut Reader) -> Option<Self> {
        line_of::<Self>(entry, reader).map(Self)
    }
}

/// The path of a file, relative to the folder of the board file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FilePath(pub String);

impl Value for FilePath {
    fn shape() -> String {
        "path: relative to the folder of the board file".into()
    }

    fn example() -> String {
        "\"firmware.uf2\"".into()
    }

    fn json() -> Json {
        Text::json()
    }

    fn fallback() -> Option<Self> {
        Some(Self("file".into()))
    }

    fn read(entry: Entry<'_>, reader: &mut Reader) -> Option<Self> {
        let text = text_of::<Self>(entry, reader)?;
        if is_line(text) {
            return Some(Self(text.to_owned()));
        }
        reader.refuse(entry.span, BoardErrorKind::BadPath { key: entry.key })
    }
}

/// Returns the text of a value of type `T`.
pub(crate) fn text_of<'a, T: Value>(entry: Entry<'a>, reader: &mut Reader) -> Option<&'a str> {
    match entry.raw {
        Raw::Text(text) => Some(text),
        _ => wrong_type::<T, _>(entry, reader),
    }
}

/// Returns the line of text of a value of type `T`.
fn line_of<T: Value>(entry: Entry<'_>, reader: &mut Reader) -> Option<String> {
    let text = text_of::<T>(entry, reader)?;
    if is_line(text) {
        return Some(text.to_owned());
    }
    reader.refuse(entry.span, BoardErrorKind::BadText { key: entry.key })
}

/// A colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Colour {
    pub red: u8,
    pub green: u8,
    pub blue: u8,
}

impl Colour {
    /// Returns the colour as 0xRRGGBB.
    pub const fn rgb(self) -> u32 {
        u32::from_be_bytes([0, self.red, self.green, self.blue])
    }
}

impl Value for Colour {
    fn shape() -> String {
        "colour: `\"#rrggbb\"`".into()
    }

    fn example() -> String {
        "\"#ff2000\"".into()
    }

    fn json() -> Json {
        json!({ "type": "string", "pattern": "^#[0-9A-Fa-f]{6}$" })
    }

    fn read(entry: Entry<'_>, reader: &mut Reader) -> Option<Self> {
        let text = text_of::<Self>(entry, reader)?;
        let digits = text.strip_prefix('#').filter(|digits| {
            digits.len() == 6 && digits.bytes().all(|digit| digit.is_ascii_hexdigit())
        });
        let value = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok());
        let Some(value) = value else {
            return reader.refuse(entry.span, BoardErrorKind::BadColour(quoted(text)));
        };
        let [_, red, green, blue] = value.to_be_bytes();
        Some(Self { red, green, blue })
    }
}

/// Lowest and highest address of a device on an I2C bus (UM10204, 3.1.12).
const I2C_ADDRESSES: (u32, u32) = (0x08, 0x77);

/// A whole number without a unit: a count, an address or a byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Whole<const MIN: u32, const MAX: u32> {
    pub value: u32,
    pub span: Span,
}

impl<const MIN: u32, const MAX: u32> Value for Whole<MIN, MAX> {
    fn shape() -> String {
        format!("whole number: {MIN} to {MAX}")
    }

    fn example() -> String {
        if (MIN, MAX) == I2C_ADDRESSES { "0x3C".into() } else { MIN.max(1).to_string() }
    }

    fn json() -> Json {
        json!({ "type": "integer", "minimum": MIN, "maximum": MAX })
    }

    fn read(entry: Entry<'_>, reader: &mut Reader) -> Option<Self> {
        let Entry { key, span, raw } = entry;
        let Raw::Whole(number) = raw else {
            return wrong_type::<Self, Self>(entry, reader);
        };
        let value = number.and_then(|number| u32::try_from(number).ok());
        if let Some(value) = value.filter(|value| (MIN..=MAX).contains(value)) {
            return Some(Self { value, span });
        }
        if let Some(written) = value.filter(|value| {
            (MIN, MAX) == I2C_ADDRESSES && (MIN..=MAX).contains(&(value >> 1)) && *value <= 0xFF
        }) {
            let kind = BoardErrorKind::AddressOfEightBits { key, written, min: MIN, max: MAX };
            return reader.refuse(span, kind);
        }
        let written = number.map_or("a number of more than 64 bits".into(), |n| n.to_string());
        let (min, max) = (MIN.to_string(), MAX.to_string());
        reader.refuse(span, BoardErrorKind::OutOfRange { key, written, min, max })
    }
}

impl Value for bool {
    fn shape() -> String {
        "`true` or `false`".into()
    }

    fn example() -> String {
        "true".into()
    }

    fn json() -> Json {
        json!({ "type": "boolean" })
    }

    fn read(entry: Entry<'_>, reader: &mut Reader) -> Option<Self> {
        match entry.raw {
            Raw::Bool(value) => Some(value),
            _ => wrong_type::<Self, Self>(entry, reader),
        }
    }
}

/// Returns whether `text` is 1 to `digits_max` decimal digits.
pub(crate) fn is_decimal(text: &str, digits_max: usize) -> bool {
    (1..=digits_max).contains(&text.len()) && text.bytes().all(|digit| digit.is_ascii_digit())
}

fn is_line(text: &str) -> bool {
    (1..=TEXT_BYTES_MAX).contains(&text.len()) && !text.chars().any(char::is_control)
}
