//! Reads the meaning of a Zephyr devicetree overlay for the RP2040: displays, keys, LEDs, encoders,
//! the console.
//!
//! The bindings are Zephyr's: `gpio-keys`, `gpio-leds`, `pwm-leds`, `gpio-qdec`, `gpio-kbd-matrix`,
//! `zephyr,mipi-dbi-spi` and those of [`PANELS`]. Pins of a bus are in `pinctrl` as words like
//! `SPI0_SCK_P18`.

use std::collections::BTreeMap;

use super::dts::{self, Node, number};
use super::writer::{Part, Writer};
use super::{ImportError, Imported, LossReason};
use crate::limits::{DISPLAY_SIDE_MAX, GPIO_MAX, PARTS_MAX};
use crate::reader::quoted;

/// Values of `compatible` that are panels.
const PANELS: &[(&str, &str)] = &[
    ("ilitek,ili9341", "ili9341"),
    ("ilitek,ili9342c", "ili9342c"),
    ("ilitek,ili9488", "ili9488"),
    ("sitronix,st7789v", "st7789"),
    ("sitronix,st7735r", "st7735"),
    ("galaxycore,gc9x01x", "gc9a01"),
    ("buydisplay,gc9x01x", "gc9a01"),
    ("solomon,ssd1306fb", "ssd1306"),
    ("solomon,ssd1309fb", "ssd1309"),
    ("sinowealth,sh1106", "sh1106"),
];

/// Pins of the buses of Zephyr's board `rpi_pico`, if the overlay has no `pinctrl` for them.
const DEFAULT_PINS: &[(&str, u8)] = &[
    ("SPI0_SCK", 18),
    ("SPI0_TX", 19),
    ("SPI0_RX", 16),
    ("SPI0_CSN", 17),
    ("I2C0_SDA", 4),
    ("I2C0_SCL", 5),
    ("UART0_TX", 0),
    ("UART0_RX", 1),
];

pub(super) fn import(file: &str, text: &str) -> Result<Imported, ImportError> {
    let nodes = dts::parse(text).map_err(|(line, what)| ImportError::Devicetree {
        file: file.to_owned(),
        line,
        what,
    })?;
    let name = file.rsplit(['/', '\\']).next().unwrap_or(file);
    let title = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    let mut importer =
        Importer { writer: Writer::new(title, name), pins: BTreeMap::new(), nodes: &nodes };
    for node in &nodes {
        importer.collect_pins(node);
    }
    importer.console();
    for node in &nodes {
        importer.walk(node, None);
    }
    Ok(importer.writer.finish())
}

/// A pin with its flags: `<&gpio0 2 (GPIO_PULL_UP | GPIO_ACTIVE_LOW)>`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Line {
    gpio: u8,
    active_low: bool,
}

/// Returns the pins of a property.
fn lines(node: &Node, property: &str) -> Vec<Line> {
    let cells = node.cells(property);
    let line = |cells: &[&str]| {
        let [port, pin, flags] = cells else { return None };
        let known = ["&gpio0", "&gpio0_lo", "&pico_header"].contains(port);
        let gpio = u8::try_from(number(pin)?).ok().filter(|gpio| known && *gpio <= GPIO_MAX)?;
        Some(Line { gpio, active_low: flags.contains("GPIO_ACTIVE_LOW") || *flags == "1" })
    };
    cells.chunks(3).filter_map(line).collect()
}

fn place(node: &Node) -> String {
    format!("line {} ({})", node.line, quoted(&node.name))
}

struct Importer<'a> {
    writer: Writer,
    /// Pins of `pinctrl`, by their function: `SPI0_SCK`.
    pins: BTreeMap<String, u8>,
    nodes: &'a [Node],
}

impl Importer<'_> {
    /// Remembers the words of `pinmux` properties: `SPI0_SCK_P18` is GP18.
    fn collect_pins(&mut self, node: &Node) {
        for cell in node.cells("pinmux") {
            let Some((function, pin)) = cell.rsplit_once("_P") else { continue };
            if let Ok(gpio) = pin.parse::<u8>()
                && gpio <= GPIO_MAX
            {
                self.pins.insert(function.to_owned(), gpio);
            }
        }
        for child in &node.children {
            self.collect_pins(child);
        }
    }

    /// Returns the pin of a function, and whether it is only the board's default.
    fn pin(&self, function: &str) -> Option<(u8, bool)> {
        if let Some(gpio) = self.pins.get(function) {
            return Some((*gpio, false));
        }
        // An overlay that moves one pin of a block names all pins of the block.
        let block = function.split('_').next().unwrap_or(function);
        if self.pins.keys().any(|known| known.split('_').next() == Some(block)) {
            return None;
        }
        let default = DEFAULT_PINS.iter().find(|(known, _)| *known == function);
        default.map(|(_, gpio)| (*gpio, true))
    }

    /// Adds the pins of a bus to a part, and reports which are missing or assumed.
    fn bus_pins(&mut self, part: &mut Part, block: &str, pins: &[(&str, &str, bool)]) {
        let (mut assumed, mut missing) = (false, false);
        for (key, function, needed) in pins {
            match self.pin(&format!("{block}_{function}")) {
                Some((gpio, default)) => {
                    part.pin(key, gpio);
                    assumed |= default;
                }
                None => missing |= needed,
            }
        }
        let place = part.place.clone();
        if missing {
            self.writer.lose(&place, LossReason::Pins(block.to_owned()));
        } else if assumed {
            self.writer.lose(&place, LossReason::DefaultPins(block.to_owned()));
        }
    }

    fn console(&mut self) {
        let chosen = self.nodes.iter().flat_map(|node| &node.children);
        let chosen = chosen.filter(|node| node.name == "chosen");
        let console = chosen.filter_map(|node| node.property("zephyr,console")).next();
        let target = console.map(|property| match property.values.first() {
            Some(dts::PropertyValue::Reference(label)) => label.as_str(),
            _ => "",
        });
        let (line, target) =
            (console.map_or(1, |property| property.line), target.unwrap_or("uart0"));
        let mut part = Part::new("console", format!("line {line} (zephyr,console)"));
        match target {
            "uart0" | "uart1" => {
                part.text("kind", "uart");
                let block = target.to_ascii_uppercase();
                self.bus_pins(&mut part, &block, &[("tx", "TX", true), ("rx", "RX", false)]);
            }
            _ => part.text("kind", "usb"),
        }
        self.writer.add(part);
    }

    fn walk(&mut self, node: &Node, parent: Option<&Node>) {
        if node.texts("status").contains(&"disabled") {
            return;
        }
        let compatible = node.texts("compatible");
        let is = |name: &str| compatible.contains(&name);
        let panel = PANELS.iter().find(|(name, _)| is(name)).map(|(_, panel)| *panel);
        if self.writer.is_full() {
            self.writer.lose(&place(node), LossReason::TooManyParts(PARTS_MAX));
            return;
        }
        match () {
            () if panel.is_some() => self.display(node, parent, panel.unwrap_or_default()),
            () if is("gpio-keys") => {
                for child in &node.children {
                    self.key(child);
                }
                return;
            }
            () if is("gpio-leds") => {
                for child in &node.children {
                    self.led(child);
                }
                return;
            }
            () if is("pwm-leds") => {
                for child in &node.children {
                    self.pwm_led(child);
                }
                return;
            }
            () if is("gpio-qdec") => self.encoder(node),
            () if is("gpio-kbd-matrix") => self.matrix(node),
            () if is("zephyr,mipi-dbi-spi") || is("zephyr,cdc-acm-uart") => {}
            () if compatible.is_empty() => {}
            () => self.writer.lose(&place(node), LossReason::NoSuchPart),
        }
        for child in &node.children {
            self.walk(child, Some(node));
        }
    }

    fn key(&mut self, node: &Node) {
        let Some(line) = self.only_line(node, "gpios") else { return };
        let mut part = Part::new("button", place(node));
        let name = self.writer.name(name_of(node), &part.place);
        part.text("name", &name);
        part.pin("pin", line.gpio);
        if !line.active_low {
            part.text("active", "high");
        }
        if let Some(code) = node.cells("zephyr,code").first()
            && let Some(wanted) = code.strip_prefix("INPUT_KEY_")
        {
            let wanted = match wanted {
                "ENTER" => "Return",
                "ESC" => "Escape",
                wanted => wanted,
            };
            if let Some(key) = self.writer.key(wanted, &part.place) {
                part.keys(&[key]);
            }
        }
        self.writer.add(part);
    }

    fn led(&mut self, node: &Node) {
        let Some(line) = self.only_line(node, "gpios") else { return };
        let mut part = Part::new("led", place(node));
        let name = self.writer.name(name_of(node), &part.place);
        part.text("name", &name);
        part.pin("pin", line.gpio);
        if line.active_low {
            part.text("active", "low");
        }
        self.writer.add(part);
    }

    /// A channel of the PWM is two GPIOs; `pinctrl` has the one: `PWM_4B_P25`.
    fn pwm_led(&mut self, node: &Node) {
        let cells = node.cells("pwms");
        let channel = cells.get(1).and_then(|cell| number(cell));
        let function = channel.map(|channel| {
            format!("PWM_{}{}", channel / 2, if channel % 2 == 0 { 'A' } else { 'B' })
        });
        let Some(gpio) = function.as_ref().and_then(|function| self.pins.get(function)).copied()
        else {
            let pins = function.unwrap_or_else(|| "pwms".into());
            self.writer.lose(&place(node), LossReason::Pins(pins));
            return;
        };
        let mut part = Part::new("led", place(node));
        let name = self.writer.name(name_of(node), &part.place);
        part.text("name", &name);
        part.text("kind", "pwm");
        part.pin("pin", gpio);
        if cells.iter().any(|cell| cell.contains("PWM_POLARITY_INVERTED")) {
            part.text("active", "low");
        }
        self.writer.add(part);
    }

    fn encoder(&mut self, node: &Node) {
        let [a, b] = lines(node, "gpios")[..] else {
            self.writer.lose(&place(node), LossReason::NotConnected("gpios".into()));
            return;
        };
        let mut part = Part::new("encoder", place(node));
        let name = self.writer.name(name_of(node), &part.place);
        part.text("name", &name);
        part.pin("a", a.gpio);
        part.pin("b", b.gpio);
        self.writer.add(part);
    }

    fn matrix(&mut self, node: &Node) {
        let (rows, columns) = (lines(node, "row-gpios"), lines(node, "col-gpios"));
        if rows.is_empty() || columns.is_empty() {
            self.writer.lose(&place(node), LossReason::NotConnected("row-gpios".into()));
            return;
        }
        let mut part = Part::new("matrix", place(node));
        let name = self.writer.name(name_of(node), &part.place);
        part.text("name", &name);
        let pins = |lines: &[Line]| lines.iter().map(|line| line.gpio).collect::<Vec<u8>>();
        part.pins("rows", &pins(&rows));
        part.pins("columns", &pins(&columns));
        let mut names = Vec::new();
        for row in 0..rows.len().min(usize::from(GPIO_MAX)) {
            let row: Vec<String> = (0..columns.len())
                .map(|column| self.writer.name(&format!("K{row}-{column}"), &part.place))
                .map(|name| format!("\"{name}\""))
                .collect();
            names.push(format!("[{}]", row.join(", ")));
        }
        part.raw(format!("buttons = [{}]", names.join(", ")));
        // Zephyr drives the columns and reads the rows.
        part.text("driven", "columns");
        self.writer.add(part);
    }

    fn display(&mut self, node: &Node, parent: Option<&Node>, panel: &str) {
        let mut part = Part::new("display", place(node));
        let name = self.writer.name(name_of(node), &part.place);
        part.text("name", &name);
        part.text("panel", panel);
        let parent = parent.unwrap_or(node);
        let is_dbi = parent.texts("compatible").contains(&"zephyr,mipi-dbi-spi");
        // The pins are in the panel's node, or in that of the MIPI bus around it.
        let bus = if is_dbi {
            parent.cells("spi-dev").first().map(|cell| cell.trim_start_matches('&').to_owned())
        } else {
            parent.name.strip_prefix('&').map(str::to_owned)
        };
        let bus = bus.unwrap_or_default();
        let block = bus.to_ascii_uppercase();
        if bus.starts_with("i2c") {
            part.text("bus", "i2c");
            if let Some(address) = node.number("reg").filter(|at| (8..=0x77).contains(at)) {
                part.raw(format!("address = {address:#04x}"));
            }
            self.bus_pins(&mut part, &block, &[("sda", "SDA", true), ("scl", "SCL", true)]);
        } else {
            part.text("bus", "spi4");
            let pins = [("sck", "SCK", true), ("mosi", "TX", true), ("miso", "RX", false)];
            self.bus_pins(&mut part, &block, &pins);
            self.chip_select(&mut part, node, &bus);
            let dc = ["dc-gpios", "cmd-data-gpios", "data-cmd-gpios"];
            self.line(&mut part, "dc", &[parent, node], &dc, true);
        }
        self.line(&mut part, "rst", &[parent, node], &["reset-gpios"], false);
        self.geometry(&mut part, node);
        self.writer.add(part);
    }

    /// Adds the chip select: an entry of the bus's `cs-gpios`, or the function of the block.
    fn chip_select(&mut self, part: &mut Part, node: &Node, bus: &str) {
        let reference = format!("&{bus}");
        let selects = self
            .nodes
            .iter()
            .find(|other| other.name == reference && other.property("cs-gpios").is_some());
        let index = node.number("reg").unwrap_or(0) as usize;
        let select = selects.and_then(|bus| lines(bus, "cs-gpios").get(index).copied());
        let block = self.pin(&format!("{}_CSN", bus.to_ascii_uppercase())).map(|(gpio, _)| gpio);
        if let Some(gpio) = select.map(|line| line.gpio).or(block) {
            part.pin("cs", gpio);
        }
    }

    /// Adds the pin of the first of several properties.
    fn line(&mut self, part: &mut Part, key: &str, nodes: &[&Node], names: &[&str], needed: bool) {
        let all = nodes.iter().flat_map(|node| names.iter().map(move |name| (node, name)));
        let found = all.into_iter().find_map(|(node, name)| lines(node, name).first().copied());
        match found {
            Some(line) => part.pin(key, line.gpio),
            None if needed => {
                let missing = names.first().copied().unwrap_or_default().to_owned();
                let place = part.place.clone();
                self.writer.lose(&place, LossReason::NotConnected(missing));
            }
            None => {}
        }
    }

    /// Adds size, offset and rotation. Zephyr's width and height are those after the rotation.
    fn geometry(&mut self, part: &mut Part, node: &Node) {
        let rotation = node.number("rotation").unwrap_or(0);
        if let (Some(width), Some(height)) = (node.number("width"), node.number("height")) {
            let (width, height) =
                if rotation % 180 == 90 { (height, width) } else { (width, height) };
            let fits = |side: u32| (1..=DISPLAY_SIDE_MAX).contains(&side);
            if fits(width) && fits(height) {
                part.text("size", &format!("{width}x{height} px"));
            } else {
                let place = part.place.clone();
                self.writer.lose(&place, LossReason::Property(format!("width = {width}")));
            }
        }
        let offset = (node.number("x-offset"), node.number("y-offset"));
        if let (Some(x), Some(y)) = offset
            && x.max(y) <= DISPLAY_SIDE_MAX
        {
            part.text("offset", &format!("{x},{y} px"));
        }
        match rotation {
            90 | 180 | 270 => part.text("rotation", &format!("{rotation} deg")),
            0 => {}
            other => {
                let place = part.place.clone();
                self.writer.lose(&place, LossReason::Property(format!("rotation = {other}")));
            }
        }
    }

    fn only_line(&mut self, node: &Node, property: &str) -> Option<Line> {
        let found = lines(node, property).first().copied();
        if found.is_none() {
            self.writer.lose(&place(node), LossReason::NotConnected(property.to_owned()));
        }
        found
    }
}

/// Returns the label of a node, or its name.
fn name_of(node: &Node) -> &str {
    node.labels.first().map_or(node.base(), String::as_str)
}
