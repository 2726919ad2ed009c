//! The parts of a board, all kinds in one list.

use crate::panels::Panel;
use crate::parts::{BoardFile, I2cDevice, Touch};
use crate::quantity::PixelSize;
use crate::reader::Span;
use crate::table::place::Place;
use crate::table::value::{KeyName, Name, Pin};
use crate::table::{Claim, Value};

/// A part of a board.
#[derive(Clone, Debug)]
pub struct Part<'a> {
    /// The table in the file: `button`, `display`.
    pub kind: &'static str,
    /// Name in traces. A part without a name has the name of its kind: `LCD`, `BUZZER`.
    pub name: String,
    pub pins: Vec<PinUse>,
    /// Suggested keys of the keyboard.
    pub keys: Vec<&'a KeyName>,
    /// Names of the buttons of a matrix, from the left and from the top.
    pub buttons: Vec<&'a Name>,
    /// Place in the file; `None` if it is laid out automatically.
    pub place: Option<Place>,
    /// Whether the part is on the face.
    pub on_face: bool,
    /// Width and height on the face in cells, if the file has no place.
    pub cells: (u32, u32),
    pub span: Span,
    /// Place of the name in the file, or of the table.
    pub(crate) name_span: Span,
}

/// A pin of a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PinUse {
    /// The key in the file: `sck`, `pin`.
    pub key: &'static str,
    /// Index in a list of pins; 0 for a single pin.
    pub index: usize,
    pub pin: Pin,
}

impl Part<'_> {
    /// Returns the part as messages name it: "the button A".
    pub fn label(&self) -> String {
        format!("the {} {}", self.kind.replace('_', " "), self.name)
    }
}

/// Name of a display without a name of its own.
const UNNAMED_DISPLAY: &str = "LCD";
/// Name of a touch panel without a name of its own.
const UNNAMED_TOUCH: &str = "TOUCH";
/// Width in pixels of a display on the face per cell.
const PIXELS_PER_CELL: u32 = 40;
/// Maximum size of a display on the face in cells, if the file has no place.
const DISPLAY_CELLS_MAX: u32 = 12;

impl BoardFile {
    /// Returns all parts, in the order of their kinds and of the file.
    pub fn parts(&self) -> Vec<Part<'_>> {
        let mut parts = Vec::new();
        for part in &self.console {
            parts.push(part_of("console", "CONSOLE", false, (1, 1), part.span, part));
        }
        for part in &self.display {
            let size = part.visible_size();
            let cells = |pixels: u32| pixels.div_ceil(PIXELS_PER_CELL).clamp(2, DISPLAY_CELLS_MAX);
            let cells = size.map_or((6, 6), |size| (cells(size.width), cells(size.height)));
            parts.push(part_of("display", UNNAMED_DISPLAY, true, cells, part.span, part));
        }
        for part in &self.button {
            parts.push(part_of("button", "", true, (1, 1), part.span, part));
        }
        for part in &self.switch {
            parts.push(part_of("switch", "", true, (1, 1), part.span, part));
        }
        for part in &self.matrix {
            let cells = (side(part.columns.len()), side(part.rows.len()));
            parts.push(part_of("matrix", "", true, cells, part.span, part));
        }
        for part in &self.encoder {
            parts.push(part_of("encoder", "", true, (2, 2), part.span, part));
        }
        for part in &self.joystick {
            parts.push(part_of("joystick", "", true, (2, 2), part.span, part));
        }
        for part in &self.potentiometer {
            parts.push(part_of("potentiometer", "", true, (2, 1), part.span, part));
        }
        for part in &self.touch {
            parts.push(part_of("touch", UNNAMED_TOUCH, false, (1, 1), part.span, part));
        }
        for part in &self.led {
            let cells = (side(part.count.value as usize).min(8), 1);
            parts.push(part_of("led", "", true, cells, part.span, part));
        }
        for part in &self.buzzer {
            parts.push(part_of("buzzer", "BUZZER", true, (1, 1), part.span, part));
        }
        for part in &self.spi_flash {
            parts.push(part_of("spi_flash", "FLASH", false, (1, 1), part.span, part));
        }
        for part in &self.sd_card {
            parts.push(part_of("sd_card", "SD", false, (1, 1), part.span, part));
        }
        for part in &self.i2c_device {
            let unnamed = format!("I2C-{:02x}", part.address.value);
            parts.push(part_of("i2c_device", &unnamed, false, (1, 1), part.span, part));
        }
        parts
    }
}

impl BoardFile {
    /// Returns the paths of the files that the machine reads, relative to the folder of the board
    /// file: the program, and the [data files](Self::data_files).
    pub fn files(&self) -> impl Iterator<Item = &str> {
        let program = self.program.iter().map(|program| program.0.as_str());
        program.chain(self.data_files())
    }

    /// Returns the paths of the tables of panels, of the fonts and of the images.
    pub fn data_files(&self) -> impl Iterator<Item = &str> {
        let tables = self.display.iter().filter_map(|display| match &display.panel {
            Panel::Table(path) => Some(path.as_str()),
            Panel::BuiltIn(_) => None,
        });
        let fonts = self.font.iter().filter_map(|font| font.file.as_ref());
        let flashes = self.spi_flash.iter().filter_map(|flash| flash.image.as_ref());
        let cards = self.sd_card.iter().filter_map(|card| card.image.as_ref());
        tables.chain(fonts.chain(flashes).chain(cards).map(|path| path.0.as_str()))
    }

    /// Returns the names of the buttons: the single ones, then those of the matrices from the left
    /// and from the top.
    pub fn button_names(&self) -> impl Iterator<Item = &str> {
        self.buttons().map(|name| name.text.as_str())
    }

    /// Returns the buttons, in the same order.
    pub(crate) fn buttons(&self) -> impl Iterator<Item = &Name> {
        let single = self.button.iter().map(|button| &button.name);
        let of_matrices = self.matrix.iter().flat_map(|matrix| matrix.buttons.iter().flatten());
        single.chain(of_matrices)
    }

    /// Returns the suggested keys of the part with this name; for a button of a matrix, its key.
    pub fn suggested_keys<'a>(&'a self, name: &str) -> Vec<&'a KeyName> {
        let keys = |part: Part<'a>| {
            let button = part.buttons.iter().position(|button| button.text == name);
            match button {
                Some(button) => part.keys.get(button).copied().into_iter().collect(),
                None if part.name == name => part.keys,
                None => Vec::new(),
            }
        };
        self.parts().into_iter().map(keys).find(|keys| !keys.is_empty()).unwrap_or_default()
    }

    /// Returns the names of the displays, in the order of the file.
    pub fn display_names(&self) -> impl Iterator<Item = &str> {
        let names = self.display.iter().map(|display| display.name.as_ref());
        names.map(|name| name.map_or(UNNAMED_DISPLAY, |name| name.text.as_str()))
    }

    /// Returns the parts that a person moves besides the buttons: the table in the file, and the
    /// name.
    pub fn controls(&self) -> impl Iterator<Item = (&'static str, &str)> {
        let encoders = self.encoder.iter().map(|part| ("encoder", &part.name));
        let switches = self.switch.iter().map(|part| ("switch", &part.name));
        let joysticks = self.joystick.iter().map(|part| ("joystick", &part.name));
        let others = self.potentiometer.iter().map(|part| ("potentiometer", &part.name));
        let all = encoders.chain(switches).chain(joysticks).chain(others);
        let touches = self.touch.iter().map(|touch| ("touch", touch.name()));
        all.map(|(kind, name)| (kind, name.text.as_str())).chain(touches)
    }

    /// Returns the number of the display under a touch panel, from 0; `None` if there is no such
    /// display, which is an error.
    pub fn touched_display(&self, touch: &Touch) -> Option<usize> {
        match &touch.display {
            Some(name) => self.display_names().position(|own| own == name.text),
            None => (self.display.len() == 1).then_some(0),
        }
    }

    /// Returns the number of the display under the touch panel of this name, and the size of the
    /// display as the viewer sees it.
    pub fn touched_area(&self, name: &str) -> Option<(usize, PixelSize)> {
        let touch = self.touch.iter().find(|touch| touch.name() == name)?;
        let display = self.touched_display(touch)?;
        Some((display, self.display.get(display)?.visible_size()?))
    }
}

impl Touch {
    /// Returns the name in traces.
    pub fn name(&self) -> &str {
        self.name.as_ref().map_or(UNNAMED_TOUCH, |name| name.text.as_str())
    }
}

impl I2cDevice {
    /// Returns the registers: the number, and the bytes of the answer, which a longer read repeats
    /// from the last on.
    pub fn fixed_registers(&self) -> Vec<(u8, Vec<u8>)> {
        let registers = self.registers.iter().map(|entry| {
            let answer = entry.answer.iter().map(|byte| byte.value as u8).collect();
            (entry.register.value as u8, answer)
        });
        registers.collect()
    }
}

/// Returns a number of rows or columns as a length on the face.
fn side(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX).clamp(1, crate::limits::GRID_MAX)
}

fn part_of<'a, T: Value>(
    kind: &'static str,
    unnamed: &str,
    on_face: bool,
    cells: (u32, u32),
    span: Span,
    table: &'a T,
) -> Part<'a> {
    let mut claims = Vec::new();
    table.claims(kind, 0, &mut claims);
    let mut part = Part {
        kind,
        name: unnamed.to_owned(),
        pins: Vec::new(),
        keys: Vec::new(),
        buttons: Vec::new(),
        place: None,
        on_face,
        cells,
        span,
        name_span: span,
    };
    for claim in claims {
        match claim {
            Claim::Pin(key, index, pin) => part.pins.push(PinUse { key, index, pin: *pin }),
            Claim::Key(key) => part.keys.push(key),
            Claim::Place(place) => part.place = Some(*place),
            Claim::Name("buttons", name) => part.buttons.push(name),
            // The name of another part.
            Claim::Name("display", _) => {}
            Claim::Name(_, name) => {
                part.name.clone_from(&name.text);
                part.name_span = name.span;
            }
        }
    }
    part
}
