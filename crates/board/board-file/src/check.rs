//! The rules between the keys of a board: conflicts, and what each bus and kind needs.

use std::collections::HashMap;

use crate::bus::Bus;
use crate::error::BoardErrorKind;
use crate::limits::{BUTTONS_MAX, PARTS_MAX};
use crate::panels::{BuiltInPanel, Panel};
use crate::part::{Part, PinUse};
use crate::parts::{BoardFile, Console, ConsoleKind, Display, Font, Led, LedKind, Matrix, Touch};
use crate::quantity::PixelSize;
use crate::reader::{Lines, Reader, Span};
use crate::table::place::Place;
use crate::table::value::Pin;
use crate::uart::{self, Signal};

/// Keys whose pin several parts may share: lines of a bus, and outputs of the chip to all of them.
const SHARED: [&str; 11] =
    ["sck", "mosi", "miso", "sda", "scl", "dc", "rst", "backlight", "wr", "rd", "data"];

/// Reports everything that is wrong between the keys.
pub(crate) fn check(board: &BoardFile, lines: &Lines<'_>, reader: &mut Reader) {
    let parts = board.parts();
    if let Some(first) = parts.get(PARTS_MAX) {
        reader.report(first.span, BoardErrorKind::TooManyParts { found: parts.len() });
        return;
    }
    buttons(board, reader);
    pins(&parts, lines, reader);
    names(&parts, lines, reader);
    keys(&parts, lines, reader);
    places(&parts, lines, reader);
    addresses(board, lines, reader);
    for display in &board.display {
        check_display(display, reader);
    }
    for console in &board.console {
        let what = format!("a console on {}", console.kind.word());
        match console.kind {
            ConsoleKind::Uart => {
                need(&what, &[("tx", console.tx)], console.span, "\"GP0\"", reader);
            }
            ConsoleKind::Usb => {
                refuse(&what, &[("tx", console.tx), ("rx", console.rx)], reader);
            }
        }
    }
    let mut consoles = board.console.iter();
    // The others are not emulated, and may be a PIO's, which reaches every pin.
    if let Some(console) = consoles.find(|console| console.kind == ConsoleKind::Uart) {
        check_uart(console, reader);
    }
    for led in &board.led {
        check_led(led, reader);
    }
    for matrix in &board.matrix {
        check_matrix(matrix, reader);
    }
    for encoder in &board.encoder {
        count("keys", encoder.keys.len(), &[0, 2], "an encoder", encoder.span, reader);
    }
    for joystick in &board.joystick {
        count("keys", joystick.keys.len(), &[0, 4], "a joystick", joystick.span, reader);
    }
    for part in &board.potentiometer {
        count("keys", part.keys.len(), &[0, 2], "a potentiometer", part.span, reader);
    }
    for touch in &board.touch {
        check_touch(board, touch, reader);
    }
    for wire in &board.wire {
        count("pins", wire.pins.len(), &[2], "a wire", wire.span, reader);
        if let [first, second] = &wire.pins[..]
            && first.gpio == second.gpio
        {
            reader.report(second.span, BoardErrorKind::WireToItself(first.gpio));
        }
    }
    for font in &board.font {
        check_font(font, reader);
    }
    for flash in &board.spi_flash {
        let size = flash.size;
        if !size.0.is_power_of_two() {
            let kind = BoardErrorKind::FlashSize { size: size.to_string() };
            reader.report(flash.span, kind);
        }
    }
    for card in &board.sd_card {
        if let Some(size) = card.size.filter(|size| !size.0.is_multiple_of(CARD_SECTOR)) {
            let kind = BoardErrorKind::CardSize { size: size.to_string() };
            reader.report(card.span, kind);
        }
    }
}

/// Checks the number of buttons. The error is at the first one that is too many.
fn buttons(board: &BoardFile, reader: &mut Reader) {
    let names = || board.buttons();
    if let Some(first) = names().nth(BUTTONS_MAX) {
        let found = names().count();
        reader.report(first.span, BoardErrorKind::TooManyButtons { found });
    }
}

/// Checks that the pins of a console belong to one UART.
fn check_uart(console: &Console, reader: &mut Reader) {
    let Some(tx) = console.tx else { return };
    let of = |pin: Pin, signal| uart::block(pin.gpio, signal);
    let is_exchanged = console
        .rx
        .is_some_and(|rx| of(rx, Signal::Tx).is_some() && of(rx, Signal::Tx) == of(tx, Signal::Rx));
    let mut number = |pin: Pin, signal: Signal| {
        let found = of(pin, signal);
        if found.is_none() {
            let (gpio, possible) = (pin.gpio, signal.pins());
            let signal = signal.name();
            let kind = BoardErrorKind::NoUart { gpio, signal, possible, is_exchanged };
            reader.report(pin.span, kind);
        }
        found
    };
    let Some(number_of_tx) = number(tx, Signal::Tx) else { return };
    let Some(rx) = console.rx else { return };
    if let Some(number_of_rx) = number(rx, Signal::Rx)
        && number_of_rx != number_of_tx
    {
        let kind = BoardErrorKind::TwoUarts { tx: tx.gpio, rx: rx.gpio, number: number_of_tx };
        reader.report(rx.span, kind);
    }
}

/// Size of a sector of an SD card in bytes.
const CARD_SECTOR: u64 = 512;

/// Checks that a font has one source, and a sheet of glyphs its size.
fn check_font(font: &Font, reader: &mut Reader) {
    let needs =
        |what: &str, key, example| BoardErrorKind::Needs { what: what.to_owned(), key, example };
    let kind = match (&font.file, font.built_in) {
        (None, None) => needs("a font", "file", "\"own.bdf\""),
        (Some(_), Some(_)) => {
            let what = "a font with a `file`".to_owned();
            BoardErrorKind::Superfluous { what, key: "built_in", instead: None }
        }
        (Some(file), None) if font.size.is_none() && is_sheet(&file.0) => {
            needs("a sheet of glyphs", "size", "\"5x7 px\"")
        }
        _ => return,
    };
    reader.report(font.span, kind);
}

fn is_sheet(file: &str) -> bool {
    file.to_ascii_lowercase().ends_with(".png")
}

/// A pin that is used, and by which part.
type Use<'a> = (&'a PinUse, &'a Part<'a>);

fn pins(parts: &[Part<'_>], lines: &Lines<'_>, reader: &mut Reader) {
    let mut uses: Vec<Use<'_>> = Vec::new();
    for part in parts {
        uses.extend(part.pins.iter().map(|pin| (pin, part)));
    }
    uses.sort_by_key(|(pin, _)| pin.pin.span.start);
    let mut first_uses: HashMap<u8, Use<'_>> = HashMap::new();
    for (used, part) in uses {
        let Some((other, other_part)) = first_uses.get(&used.pin.gpio).copied() else {
            first_uses.insert(used.pin.gpio, (used, part));
            continue;
        };
        let same_line = used.key == other.key && used.index == other.index;
        if same_line && SHARED.contains(&used.key) && part.span.start != other_part.span.start {
            continue;
        }
        let kind = BoardErrorKind::PinTwice {
            number: used.pin.gpio,
            key: used.key,
            part: part.label(),
            other_key: other.key,
            other: other_part.label(),
            line: lines.line(other.pin.span),
        };
        reader.report(used.pin.span, kind);
    }
}

fn names(parts: &[Part<'_>], lines: &Lines<'_>, reader: &mut Reader) {
    let mut all: Vec<(&str, Span)> = Vec::new();
    for part in parts {
        all.push((&part.name, part.name_span));
        all.extend(part.buttons.iter().map(|name| (name.text.as_str(), name.span)));
    }
    all.sort_by_key(|(_, span)| span.start);
    let mut known: HashMap<String, Span> = HashMap::new();
    for (name, span) in all {
        // Names that differ in case only would be mistaken for each other.
        let folded = name.to_ascii_lowercase();
        match known.get(&folded) {
            Some(first) => {
                let line = lines.line(*first);
                reader.report(span, BoardErrorKind::NameTwice { name: name.to_owned(), line });
            }
            None => {
                known.insert(folded, span);
            }
        }
    }
}

fn keys(parts: &[Part<'_>], lines: &Lines<'_>, reader: &mut Reader) {
    let mut all: Vec<_> = parts.iter().flat_map(|part| part.keys.iter().copied()).collect();
    all.sort_by_key(|key| key.span.start);
    let mut known: HashMap<&str, Span> = HashMap::new();
    for key in all {
        match known.get(key.name) {
            Some(first) => {
                let line = lines.line(*first);
                let kind = BoardErrorKind::KeyTwice { key: key.name.to_owned(), line };
                reader.report(key.span, kind);
            }
            None => {
                known.insert(key.name, key.span);
            }
        }
    }
}

fn places(parts: &[Part<'_>], lines: &Lines<'_>, reader: &mut Reader) {
    let mut placed: Vec<(Place, &Part<'_>)> =
        parts.iter().filter_map(|part| Some((part.place?, part))).collect();
    placed.sort_by_key(|(place, _)| place.span.start);
    // At most 200 parts, so at most 19,900 pairs.
    for (at, (place, part)) in placed.iter().enumerate() {
        if let Some((other, other_part)) =
            placed[..at].iter().find(|(other, _)| other.overlaps(place))
        {
            let kind = BoardErrorKind::Overlap {
                part: part.label(),
                other: other_part.label(),
                line: lines.line(other.span),
            };
            reader.report(place.span, kind);
        }
    }
}

fn addresses(board: &BoardFile, lines: &Lines<'_>, reader: &mut Reader) {
    let mut all: Vec<(Pin, Pin, u32, Span)> = Vec::new();
    for display in board.display.iter().filter(|display| display.bus == Bus::I2c) {
        if let (Some(sda), Some(scl)) = (display.sda, display.scl) {
            let span = display.address.map_or(display.span, |address| address.span);
            all.push((sda, scl, display.i2c_address(), span));
        }
    }
    for device in &board.i2c_device {
        let address = device.address;
        all.push((device.sda, device.scl, address.value, address.span));
        let mut registers: HashMap<u32, Span> = HashMap::new();
        for entry in &device.registers {
            let register = entry.register;
            match registers.get(&register.value) {
                Some(first) => {
                    let line = lines.line(*first);
                    let register_number = u64::from(register.value);
                    let kind = BoardErrorKind::RegisterTwice { register: register_number, line };
                    reader.report(register.span, kind);
                }
                None => {
                    registers.insert(register.value, register.span);
                }
            }
            if entry.answer.is_empty() {
                count("answer", 0, &[1], "a register", entry.span, reader);
            }
        }
    }
    for touch in board.touch.iter().filter(|touch| !touch.controller.is_spi()) {
        if let (Some(sda), Some(scl)) = (touch.sda, touch.scl) {
            all.push((sda, scl, touch.i2c_address(), touch.span));
        }
    }
    all.sort_by_key(|(.., span)| span.start);
    for (at, (sda, scl, address, span)) in all.iter().enumerate() {
        let same = |(other_sda, other_scl, other, _): &&(Pin, Pin, u32, Span)| {
            other_sda.gpio == sda.gpio && other_scl.gpio == scl.gpio && other == address
        };
        if let Some((.., first)) = all[..at].iter().find(same) {
            let line = lines.line(*first);
            let address = *address as u16;
            reader.report(*span, BoardErrorKind::AddressTwice { address, line });
        }
    }
}

/// Address of most SSD1306 and SH1106 modules (SSD1306 datasheet, 8.1.5).
const DISPLAY_ADDRESS: u32 = 0x3C;

impl Display {
    /// Returns the address on an I2C bus.
    pub fn i2c_address(&self) -> u32 {
        self.address.map_or(DISPLAY_ADDRESS, |address| address.value)
    }

    /// Returns the size of the glass, unrotated; `None` for a panel of its own without a size,
    /// which is an error.
    pub fn glass_size(&self) -> Option<PixelSize> {
        self.size.or(match &self.panel {
            Panel::BuiltIn(panel) => Some(panel.size),
            Panel::Table(_) => None,
        })
    }

    /// Returns the size of the glass as the viewer sees it.
    pub fn visible_size(&self) -> Option<PixelSize> {
        use crate::parts::Rotation::{Half, Left, None, Right};
        let size = self.glass_size()?;
        Some(match self.rotation {
            None | Half => size,
            Left | Right => PixelSize { width: size.height, height: size.width },
        })
    }
}

fn check_display(display: &Display, reader: &mut Reader) {
    let Display { bus, span, sck, mosi, miso, cs, dc, scl, sda, wr, rd, .. } = display;
    let (bus, span, what) = (*bus, *span, format!("a display on {}", display.bus.word()));
    let needed: &[(&'static str, Option<Pin>)] = match bus {
        Bus::Spi4 => &[("sck", *sck), ("mosi", *mosi), ("dc", *dc)],
        Bus::Spi3 => &[("sck", *sck), ("mosi", *mosi)],
        Bus::I2c => &[("sda", *sda), ("scl", *scl)],
        Bus::Parallel8 => &[("wr", *wr), ("dc", *dc)],
    };
    need(&what, needed, span, "\"GP2\"", reader);
    let foreign: &[(&'static str, Option<Pin>)] = match bus {
        Bus::Spi4 => &[("scl", *scl), ("sda", *sda), ("wr", *wr), ("rd", *rd)],
        Bus::Spi3 => {
            &[("dc", *dc), ("miso", *miso), ("scl", *scl), ("sda", *sda), ("wr", *wr), ("rd", *rd)]
        }
        Bus::I2c => &[
            ("sck", *sck),
            ("mosi", *mosi),
            ("miso", *miso),
            ("cs", *cs),
            ("dc", *dc),
            ("wr", *wr),
            ("rd", *rd),
        ],
        Bus::Parallel8 => {
            &[("sck", *sck), ("mosi", *mosi), ("miso", *miso), ("scl", *scl), ("sda", *sda)]
        }
    };
    refuse(&what, foreign, reader);
    if bus == Bus::Parallel8 {
        count("data", display.data.len(), &[8], &what, span, reader);
    } else if let Some(first) = display.data.first() {
        let kind = BoardErrorKind::Superfluous { what: what.clone(), key: "data", instead: None };
        reader.report(first.span, kind);
    }
    if let Some(address) = display.address.filter(|_| bus != Bus::I2c) {
        let kind = BoardErrorKind::Superfluous { what, key: "address", instead: None };
        reader.report(address.span, kind);
    }
    match &display.panel {
        Panel::Table(path) if display.size.is_none() => {
            reader.report(span, BoardErrorKind::NoPanelSize { panel: path.clone() });
        }
        Panel::BuiltIn(panel) if !panel.buses.contains(&bus) => {
            let buses: Vec<&str> = panel.buses.iter().map(|bus| bus.word()).collect();
            let kind = BoardErrorKind::PanelBus {
                panel: panel.name.to_owned(),
                bus: bus.word(),
                buses: buses.join(", "),
            };
            reader.report(span, kind);
        }
        Panel::BuiltIn(panel) => check_glass(display, panel, reader),
        Panel::Table(_) => {}
    }
}

/// Checks that the visible part of a panel is in its memory.
fn check_glass(display: &Display, panel: &BuiltInPanel, reader: &mut Reader) {
    let (size, offset) = (display.size.unwrap_or(panel.size), display.offset);
    let fits = |width: u32, height: u32| {
        // All of them have at most 1,024 pixels.
        offset.x + width <= panel.size.width && offset.y + height <= panel.size.height
    };
    if !fits(size.width, size.height) {
        let kind = BoardErrorKind::Glass {
            size: size.to_string(),
            offset: offset.to_string(),
            panel: panel.name.to_owned(),
            memory: panel.size.to_string(),
            is_turned: (size.height, size.width) == (panel.size.width, panel.size.height),
        };
        reader.report(display.span, kind);
    }
}

fn check_led(led: &Led, reader: &mut Reader) {
    let what = format!("an LED of the kind {}", led.kind.word());
    let single = [("pin", led.pin)];
    let colours = [("red", led.red), ("green", led.green), ("blue", led.blue)];
    let (needed, foreign) = match led.kind {
        LedKind::Rgb => (&colours[..], &single[..]),
        LedKind::Plain | LedKind::Pwm | LedKind::Ws2812 => (&single[..], &colours[..]),
    };
    need(&what, needed, led.span, "\"GP25\"", reader);
    refuse(&what, foreign, reader);
}

fn check_touch(board: &BoardFile, touch: &Touch, reader: &mut Reader) {
    let Touch { controller, span, sck, mosi, miso, cs, sda, scl, .. } = touch;
    let what = format!("a touch panel with the {}", controller.word());
    let spi = [("sck", *sck), ("mosi", *mosi), ("miso", *miso), ("cs", *cs)];
    let i2c = [("sda", *sda), ("scl", *scl)];
    let (needed, foreign) =
        if controller.is_spi() { (&spi[..], &i2c[..]) } else { (&i2c[..], &spi[..]) };
    need(&what, needed, *span, "\"GP2\"", reader);
    refuse(&what, foreign, reader);
    for (key, edges) in [("x", &touch.x), ("y", &touch.y)] {
        count(key, edges.len(), &[0, 2], "a touch panel", *span, reader);
        if let [first, second] = edges.as_slice()
            && first.value == second.value
        {
            reader.report(second.span, BoardErrorKind::EqualEdges { key, value: first.value });
        }
    }
    let known: Vec<&str> = board.display_names().collect();
    match &touch.display {
        Some(name) if !known.contains(&name.text.as_str()) => {
            let (name, span) = (name.text.clone(), name.span);
            let known = known.iter().map(|name| (*name).to_owned()).collect();
            reader.report(span, BoardErrorKind::NoSuchDisplay { name, known });
        }
        None if known.len() > 1 => {
            let needs = BoardErrorKind::Needs {
                what: "a touch panel on a board with several displays".to_owned(),
                key: "display",
                example: "\"LCD\"",
            };
            reader.report(*span, needs);
        }
        _ => {}
    }
}

fn check_matrix(matrix: &Matrix, reader: &mut Reader) {
    let (rows, columns) = (matrix.rows.len(), matrix.columns.len());
    if rows == 0 || columns == 0 {
        let key = if rows == 0 { "rows" } else { "columns" };
        count(key, 0, &[1], "a matrix", matrix.span, reader);
        return;
    }
    let what = format!("a matrix of {rows} rows and {columns} columns");
    count("buttons", matrix.buttons.len(), &[rows], &what, matrix.span, reader);
    for row in &matrix.buttons {
        let span = row.first().map_or(matrix.span, |name| name.span);
        let what = format!("a row of {columns} columns");
        count("buttons", row.len(), &[columns], &what, span, reader);
    }
    if !matrix.keys.is_empty() {
        count("keys", matrix.keys.len(), &[rows], &what, matrix.span, reader);
        for row in &matrix.keys {
            let span = row.first().map_or(matrix.span, |key| key.span);
            let what = format!("a row of {columns} columns");
            count("keys", row.len(), &[columns], &what, span, reader);
        }
    }
}

fn need(
    what: &str,
    pins: &[(&'static str, Option<Pin>)],
    span: Span,
    example: &'static str,
    reader: &mut Reader,
) {
    for (key, pin) in pins {
        if pin.is_none() {
            let kind = BoardErrorKind::Needs { what: what.to_owned(), key, example };
            reader.report(span, kind);
        }
    }
}

/// Reports the keys that a bus or kind does not use, with the key that was probably meant: panels
/// on SPI often have the names of I2C's lines on their boards.
fn refuse(what: &str, pins: &[(&'static str, Option<Pin>)], reader: &mut Reader) {
    let is_i2c = what.ends_with("i2c");
    for (key, pin) in pins {
        let Some(pin) = pin else { continue };
        let instead = match *key {
            "scl" if !what.ends_with("parallel8") => Some("sck"),
            "sda" if !what.ends_with("parallel8") => Some("mosi"),
            "sck" if is_i2c => Some("scl"),
            "mosi" if is_i2c => Some("sda"),
            "red" => Some("pin"),
            "pin" => Some("red"),
            _ => None,
        };
        let kind = BoardErrorKind::Superfluous { what: what.to_owned(), key, instead };
        reader.report(pin.span, kind);
    }
}

fn count(
    key: &'static str,
    found: usize,
    allowed: &[usize],
    what: &str,
    span: Span,
    reader: &mut Reader,
) {
    if !allowed.contains(&found) {
        let expected = allowed.last().copied().unwrap_or_default();
        let kind = BoardErrorKind::Count { key, found, what: what.to_owned(), expected };
        reader.report(span, kind);
    }
}
