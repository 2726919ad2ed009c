//! The built-in panels: size of the glass and buses. The rules of a panel are in its model.

use serde_json::{Value as Json, json};

use crate::bus::Bus;
use crate::error::BoardErrorKind;
use crate::limits::TEXT_BYTES_MAX;
use crate::quantity::PixelSize;
use crate::reader::{Entry, Reader, quoted};
use crate::table::Value;
use crate::table::value::text_of;

/// A built-in panel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BuiltInPanel {
    /// Name in a board file: the controller in lower case.
    pub name: &'static str,
    /// Width and height of the usual glass in pixels, unrotated.
    pub size: PixelSize,
    pub buses: &'static [Bus],
}

const COLOUR: &[Bus] = &[Bus::Spi4, Bus::Spi3, Bus::Parallel8];
const SERIAL: &[Bus] = &[Bus::Spi4, Bus::Spi3];
const PAGES: &[Bus] = &[Bus::I2c, Bus::Spi4, Bus::Spi3, Bus::Parallel8];

/// All built-in panels. Sizes are those of the controllers' datasheets.
pub const PANELS: &[BuiltInPanel] = &[
    panel("ili9341", 240, 320, COLOUR),
    panel("ili9342c", 320, 240, COLOUR),
    panel("ili9488", 320, 480, COLOUR),
    panel("st7789", 240, 320, COLOUR),
    panel("st7735", 132, 162, COLOUR),
    panel("gc9a01", 240, 240, COLOUR),
    panel("gc9107", 128, 160, SERIAL),
    panel("ssd1306", 128, 64, PAGES),
    panel("sh1106", 132, 64, PAGES),
    panel("ssd1309", 128, 64, PAGES),
];

const fn panel(name: &'static str, width: u32, height: u32, buses: &'static [Bus]) -> BuiltInPanel {
    BuiltInPanel { name, size: PixelSize { width, height }, buses }
}

/// The panel of a display.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Panel {
    BuiltIn(BuiltInPanel),
    /// The path of a panel's table, relative to the folder of the board file.
    Table(String),
}

impl Panel {
    /// Returns the name or the path, as the file has it.
    pub fn name(&self) -> &str {
        match self {
            Self::BuiltIn(panel) => panel.name,
            Self::Table(path) => path,
        }
    }
}

/// Returns the names of all built-in panels.
pub fn names() -> Vec<&'static str> {
    PANELS.iter().map(|panel| panel.name).collect()
}

impl Value for Panel {
    fn shape() -> String {
        let names: Vec<String> = names().iter().map(|name| format!("`\"{name}\"`")).collect();
        format!("panel: {}, or the path of a table like `\"my.panel.toml\"`", names.join(", "))
    }

    fn example() -> String {
        "\"ili9341\"".into()
    }

    fn json() -> Json {
        json!({ "anyOf": [
            { "enum": names() },
            { "type": "string", "pattern": "\\.toml$", "maxLength": TEXT_BYTES_MAX },
        ] })
    }

    fn read(entry: Entry<'_>, reader: &mut Reader) -> Option<Self> {
        let text = text_of::<Self>(entry, reader)?;
        if let Some(panel) = PANELS.iter().find(|panel| panel.name == text) {
            return Some(Self::BuiltIn(*panel));
        }
        let fits = text.len() <= TEXT_BYTES_MAX && !text.chars().any(char::is_control);
        if fits && text.ends_with(".toml") {
            return Some(Self::Table(text.to_owned()));
        }
        let kind = BoardErrorKind::UnknownPanel { panel: quoted(text), known: names() };
        reader.refuse(entry.span, kind)
    }
}
