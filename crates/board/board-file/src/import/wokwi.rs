//! Reads Wokwi's `diagram.json`: parts with attributes, and connections between their pins
//! (<https://docs.wokwi.com/diagram-format>).

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value as Json;

use super::nets::{Nets, Supply};
use super::writer::{Part, Writer};
use super::{ImportError, Imported, LossReason};
use crate::limits::{FIRST_ANALOG_GPIO, GPIO_MAX, PARTS_MAX};
use crate::reader::quoted;

/// Maximum number of parts and of connections that are read.
const ITEMS_MAX: usize = 10_000;

/// Types of parts that are the chip.
const CHIPS: [&str; 4] = ["wokwi-pi-pico", "board-pi-pico", "wokwi-pi-pico-w", "board-pi-pico-w"];
/// Types of parts that are only wires, or that are not electric.
const SILENT: [&str; 7] = [
    "wokwi-gnd",
    "wokwi-vcc",
    "wokwi-resistor",
    "wokwi-breadboard",
    "wokwi-breadboard-half",
    "wokwi-breadboard-mini",
    "wokwi-text",
];

/// A part of the diagram.
struct Item<'a> {
    id: &'a str,
    kind: &'a str,
    attributes: &'a Json,
    /// The part in messages.
    place: String,
}

impl Item<'_> {
    /// Returns an attribute as text; numbers and booleans are texts in diagrams, but not always.
    fn attribute(&self, name: &str) -> Option<String> {
        match self.attributes.get(name)? {
            Json::String(text) if text.is_empty() => None,
            Json::String(text) => Some(text.clone()),
            Json::Number(number) => Some(number.to_string()),
            Json::Bool(value) => Some(value.to_string()),
            _ => None,
        }
    }
}

struct Importer {
    nets: Nets,
    writer: Writer,
}

pub(super) fn import(file: &str, text: &str) -> Result<Imported, ImportError> {
    let root: Json = serde_json::from_str(text)
        .map_err(|error| ImportError::Json { file: file.to_owned(), error })?;
    let no_diagram = |what| ImportError::NoDiagram { file: file.to_owned(), what };
    let list = |key: &str| root.get(key).and_then(Json::as_array);
    let parts = list("parts").ok_or_else(|| no_diagram("it has no list `parts`"))?;
    let connections =
        list("connections").ok_or_else(|| no_diagram("it has no list `connections`"))?;
    if parts.len() > ITEMS_MAX || connections.len() > ITEMS_MAX {
        return Err(no_diagram("it has more than 10,000 parts or connections"));
    }
    let items: Vec<Item<'_>> = parts.iter().filter_map(item).collect();
    let chip = items.iter().find(|item| CHIPS.contains(&item.kind));
    let chip = chip.ok_or_else(|| ImportError::NoPico { file: file.to_owned() })?;

    let title = root.get("author").and_then(Json::as_str).unwrap_or_default();
    let title = if title.is_empty() { String::new() } else { format!("Diagram of {title}") };
    let name = file.rsplit(['/', '\\']).next().unwrap_or(file);
    let mut importer =
        Importer { nets: nets(&items, connections), writer: Writer::new(&title, name) };
    let kinds: BTreeMap<&str, &str> = items.iter().map(|item| (item.id, item.kind)).collect();
    let chip_id = chip.id;
    importer.nets.settle(|pin| (gpio_of(pin, chip_id), supply_of(pin, &kinds)));
    importer.console();
    for item in &items {
        if importer.writer.is_full() {
            importer.writer.lose(&item.place, LossReason::TooManyParts(PARTS_MAX));
            break;
        }
        if !CHIPS.contains(&item.kind) && !SILENT.contains(&item.kind) {
            importer.part(item);
        }
    }
    Ok(importer.writer.finish())
}

fn item(part: &Json) -> Option<Item<'_>> {
    let id = part.get("id")?.as_str()?;
    let kind = part.get("type")?.as_str()?;
    let attributes = part.get("attrs").unwrap_or(&Json::Null);
    Some(Item { id, kind, attributes, place: format!("{} ({})", quoted(id), quoted(kind)) })
}

/// Joins the pins of the connections, and those that parts connect inside.
fn nets(items: &[Item<'_>], connections: &[Json]) -> Nets {
    let mut nets = Nets::default();
    let boards: BTreeSet<&str> = items
        .iter()
        .filter(|item| item.kind.starts_with("wokwi-breadboard"))
        .map(|item| item.id)
        .collect();
    // The five holes of a column are one net: `bb1:7t.a` is `bb1:7t`.
    let net_of = |pin: &str| match pin.split_once(':') {
        Some((id, hole)) if boards.contains(id) => {
            format!("{id}:{}", hole.split('.').next().unwrap_or(hole))
        }
        _ => pin.to_owned(),
    };
    for connection in connections {
        let end = |at: usize| connection.get(at).and_then(Json::as_str);
        if let (Some(one), Some(other)) = (end(0), end(1)) {
            nets.join(&net_of(one), &net_of(other));
        }
    }
    for item in items {
        let pin = |name: &str| format!("{}:{name}", item.id);
        match item.kind {
            "wokwi-resistor" => nets.resistor(&pin("1"), &pin("2")),
            "wokwi-pushbutton" | "wokwi-pushbutton-6mm" => {
                nets.join(&pin("1.l"), &pin("1.r"));
                nets.join(&pin("2.l"), &pin("2.r"));
            }
            _ => {}
        }
    }
    nets
}

fn gpio_of(pin: &str, chip: &str) -> Option<u8> {
    let number = pin.strip_prefix(chip)?.strip_prefix(":GP")?;
    number.parse().ok().filter(|gpio| *gpio <= GPIO_MAX)
}

fn supply_of(pin: &str, kinds: &BTreeMap<&str, &str>) -> Option<Supply> {
    let (id, name) = pin.split_once(':')?;
    let base = name.split('.').next().unwrap_or(name);
    match (*kinds.get(id)?, base) {
        ("wokwi-gnd", _) => Some(Supply::Ground),
        ("wokwi-vcc", _) => Some(Supply::High),
        (chip, "GND" | "AGND") if CHIPS.contains(&chip) => Some(Supply::Ground),
        (chip, "3V3" | "VBUS" | "VSYS") if CHIPS.contains(&chip) => Some(Supply::High),
        _ => None,
    }
}

impl Importer {
    /// Returns the GPIO at the first of the pins that has one, or reports that none has.
    fn need(&mut self, item: &Item<'_>, pins: &[&str]) -> Option<u8> {
        let found = self.find(item, pins);
        if found.is_none() {
            let pin = pins.first().copied().unwrap_or_default().to_owned();
            self.writer.lose(&item.place, LossReason::NotConnected(pin));
        }
        found
    }

    fn find(&self, item: &Item<'_>, pins: &[&str]) -> Option<u8> {
        pins.iter().find_map(|pin| self.nets.gpio(&format!("{}:{pin}", item.id)))
    }

    fn need_analog(&mut self, item: &Item<'_>, pin: &str) -> Option<u8> {
        let gpio = self.need(item, &[pin])?;
        if gpio >= FIRST_ANALOG_GPIO {
            return Some(gpio);
        }
        self.writer.lose(&item.place, LossReason::NotAnalog { pin: pin.to_owned(), gpio });
        None
    }

    fn start(&mut self, table: &str, item: &Item<'_>) -> Part {
        let mut part = Part::new(table, item.place.clone());
        let name = self.writer.name(item.id, &item.place);
        self.writer.identify(item.id.to_owned(), &name);
        part.text("name", &name);
        part
    }

    fn console(&mut self) {
        let mut part = Part::new("console", "$serialMonitor".into());
        let tx = self.nets.gpio("$serialMonitor:RX");
        match tx {
            Some(tx) => {
                part.text("kind", "uart");
                part.pin("tx", tx);
                if let Some(rx) = self.nets.gpio("$serialMonitor:TX") {
                    part.pin("rx", rx);
                }
            }
            None => part.text("kind", "usb"),
        }
        self.writer.add(part);
    }

    fn part(&mut self, item: &Item<'_>) {
        match item.kind {
            "wokwi-pushbutton" | "wokwi-pushbutton-6mm" => self.button(item),
            "wokwi-slide-switch" => self.switch(item),
            "wokwi-led" => self.led(item),
            "wokwi-rgb-led" => self.rgb_led(item),
            "wokwi-neopixel" => self.ws2812(item, 1),
            "wokwi-led-ring" => {
                let count = item.attribute("pixels").and_then(|count| count.parse().ok());
                self.ws2812(item, count.unwrap_or(16));
            }
            "wokwi-neopixel-matrix" => {
                let side = |name: &str| {
                    item.attribute(name).and_then(|count| count.parse::<u32>().ok()).unwrap_or(8)
                };
                self.ws2812(item, side("rows").saturating_mul(side("cols")));
            }
            "wokwi-buzzer" => self.buzzer(item),
            "wokwi-potentiometer" | "wokwi-slide-potentiometer" => self.potentiometer(item),
            "wokwi-analog-joystick" => self.joystick(item),
            "wokwi-ky-040" => self.encoder(item),
            "wokwi-membrane-keypad" => self.keypad(item),
            "wokwi-ili9341" => self.spi_display(item, "ili9341"),
            "board-ili9341-cap-touch" | "wokwi-ili9341-cap-touch" => {
                self.spi_display(item, "ili9341");
                self.writer.lose(&item.place, LossReason::LeftOut("the touch screen"));
            }
            "wokwi-ssd1306" | "board-ssd1306" => self.i2c_display(item, "ssd1306"),
            "wokwi-microsd-card" => self.sd_card(item),
            _ => self.writer.lose(&item.place, LossReason::NoSuchPart),
        }
    }

    fn button(&mut self, item: &Item<'_>) {
        let (pin, other) = match (self.find(item, &["1.l"]), self.find(item, &["2.l"])) {
            (Some(gpio), _) => (gpio, "2.l"),
            (None, Some(gpio)) => (gpio, "1.l"),
            (None, None) => {
                self.need(item, &["1.l"]);
                return;
            }
        };
        let own = if other == "2.l" { "1.l" } else { "2.l" };
        let mut part = self.start("button", item);
        part.pin("pin", pin);
        let pull = self.nets.pull(&format!("{}:{own}", item.id));
        self.active(&mut part, item, &format!("{}:{other}", item.id));
        match pull {
            Some(Supply::High) => part.text("pull", "up"),
            Some(Supply::Ground) => part.text("pull", "down"),
            None => {}
        }
        if let Some(key) = item.attribute("key") {
            self.keys(&mut part, item, &[key]);
        }
        self.writer.add(part);
    }

    /// Adds the level that a closed contact gives, from the supply at its other side.
    fn active(&mut self, part: &mut Part, item: &Item<'_>, other: &str) {
        match self.nets.supply_or_resistor(other) {
            Some(Supply::High) => part.text("active", "high"),
            Some(Supply::Ground) => {}
            None => self.writer.lose(&item.place, LossReason::NoSupply),
        }
    }

    /// Adds the suggested keys, if all exist and are free.
    fn keys(&mut self, part: &mut Part, item: &Item<'_>, keys: &[String]) {
        let names = keys.iter().filter_map(|key| {
            let name = match key.as_str() {
                " " => "Space",
                "Enter" => "Return",
                arrow => arrow.strip_prefix("Arrow").unwrap_or(arrow),
            };
            self.writer.key(name, &item.place)
        });
        let names: Vec<&str> = names.collect();
        if names.len() == keys.len() {
            part.keys(&names);
        }
    }

    fn switch(&mut self, item: &Item<'_>) {
        let pin = |name: &str| format!("{}:{name}", item.id);
        let (gpio, on) = match self.find(item, &["2"]) {
            Some(gpio) => (gpio, self.nets.supply_or_resistor(&pin("3"))),
            None => {
                let Some(gpio) = self.need(item, &["3", "1"]) else { return };
                (gpio, self.nets.supply_or_resistor(&pin("2")))
            }
        };
        let mut part = self.start("switch", item);
        part.pin("pin", gpio);
        match on {
            Some(Supply::High) => part.text("active", "high"),
            Some(Supply::Ground) => {}
            // Only the other side is connected: the level of "on" is that of the pull.
            None if self.nets.supply(&pin("1")) == Some(Supply::Ground) => {
                part.text("active", "high");
            }
            None => self.writer.lose(&item.place, LossReason::NoSupply),
        }
        if item.attribute("value").is_some_and(|value| value == "1" || value == "right") {
            part.text("position", "on");
        }
        self.writer.add(part);
    }

    fn led(&mut self, item: &Item<'_>) {
        let (pin, active) = match self.find(item, &["A"]) {
            Some(gpio) => (gpio, None),
            None => match self.need(item, &["C"]) {
                Some(gpio) => (gpio, Some("low")),
                None => return,
            },
        };
        let mut part = self.start("led", item);
        if let Some(name) = self.writer.name_of(item.id) {
            let driven = if active.is_some() { "C" } else { "A" };
            self.writer.identify(format!("{}:{driven}", item.id), &name);
        }
        part.pin("pin", pin);
        if let Some(active) = active {
            part.text("active", active);
        }
        if let Some(colour) = item.attribute("color") {
            match colour_of(&colour) {
                Some(colour) => part.text("colour", &colour),
                None => {
                    let property = format!("color = {}", quoted(&colour));
                    self.writer.lose(&item.place, LossReason::Property(property));
                }
            }
        }
        self.writer.add(part);
    }

    fn rgb_led(&mut self, item: &Item<'_>) {
        let pins = ["R", "G", "B"].map(|pin| self.need(item, &[pin]));
        let [Some(red), Some(green), Some(blue)] = pins else { return };
        let mut part = self.start("led", item);
        part.text("kind", "rgb");
        part.pin("red", red);
        part.pin("green", green);
        part.pin("blue", blue);
        let common = self.nets.supply_or_resistor(&format!("{}:COM", item.id));
        let anode = item.attribute("common").map(|common| common == "anode");
        if anode.unwrap_or(common == Some(Supply::High)) {
            part.text("active", "low");
        }
        self.writer.add(part);
    }

    fn ws2812(&mut self, item: &Item<'_>, count: u32) {
        let Some(pin) = self.need(item, &["DIN"]) else { return };
        let mut part = self.start("led", item);
        part.text("kind", "ws2812");
        part.pin("pin", pin);
        if count > 1 {
            part.number("count", count);
        }
        self.writer.add(part);
    }

    fn buzzer(&mut self, item: &Item<'_>) {
        let Some(pin) = self.need(item, &["2", "1"]) else { return };
        let mut part = self.start("buzzer", item);
        part.pin("pin", pin);
        self.writer.add(part);
    }

    fn potentiometer(&mut self, item: &Item<'_>) {
        let Some(pin) = self.need_analog(item, "SIG") else { return };
        let mut part = self.start("potentiometer", item);
        part.pin("pin", pin);
        // The value is 0 to 1,023.
        if let Some(value) = item.attribute("value").and_then(|value| value.parse::<u32>().ok()) {
            part.raw(format!("start = \"{} %\"", value.min(1_023) * 100 / 1_023));
        }
        self.writer.add(part);
    }

    fn joystick(&mut self, item: &Item<'_>) {
        let (x, y) = (self.need_analog(item, "HORZ"), self.need_analog(item, "VERT"));
        let (Some(x), Some(y)) = (x, y) else { return };
        let mut part = self.start("joystick", item);
        part.pin("x", x);
        part.pin("y", y);
        self.writer.add(part);
        self.push_button(item, "SEL");
    }

    fn encoder(&mut self, item: &Item<'_>) {
        let (a, b) = (self.need(item, &["CLK"]), self.need(item, &["DT"]));
        let (Some(a), Some(b)) = (a, b) else { return };
        let mut part = self.start("encoder", item);
        part.pin("a", a);
        part.pin("b", b);
        self.writer.add(part);
        self.push_button(item, "SW");
    }

    /// Adds the push button of an encoder or joystick, which connects its pin with ground.
    fn push_button(&mut self, item: &Item<'_>, pin: &str) {
        let Some(gpio) = self.find(item, &[pin]) else { return };
        let mut part = Part::new("button", item.place.clone());
        let name = self.writer.name(&format!("{}-{pin}", item.id), &item.place);
        self.writer.identify(format!("{}:{pin}", item.id), &name);
        part.text("name", &name);
        part.pin("pin", gpio);
        self.writer.add(part);
    }

    fn keypad(&mut self, item: &Item<'_>) {
        const NAMES: [[&str; 4]; 4] = [
            ["1", "2", "3", "A"],
            ["4", "5", "6", "B"],
            ["7", "8", "9", "C"],
            ["STAR", "0", "HASH", "D"],
        ];
        let columns = if item.attribute("columns").as_deref() == Some("3") { 3 } else { 4 };
        let rows: Vec<Option<u8>> =
            (1..=4).map(|at| self.need(item, &[&format!("R{at}")])).collect();
        let lines: Vec<Option<u8>> =
            (1..=columns).map(|at| self.need(item, &[&format!("C{at}")])).collect();
        let all = |pins: Vec<Option<u8>>| pins.into_iter().collect::<Option<Vec<u8>>>();
        let (Some(rows), Some(lines)) = (all(rows), all(lines)) else { return };
        let mut part = self.start("matrix", item);
        part.pins("rows", &rows);
        part.pins("columns", &lines);
        let mut names = Vec::new();
        for row in NAMES {
            let row: Vec<String> = row[..columns]
                .iter()
                .map(|name| format!("\"{}\"", self.writer.name(name, &item.place)))
                .collect();
            names.push(format!("[{}]", row.join(", ")));
        }
        part.raw(format!("buttons = [{}]", names.join(", ")));
        if item.attributes.get("keys").is_some() {
            self.writer.lose(&item.place, LossReason::Property("keys".into()));
        }
        self.writer.add(part);
    }

    fn spi_display(&mut self, item: &Item<'_>, panel: &str) {
        let sck = self.need(item, &["SCK", "CLK", "SCL"]);
        let mosi = self.need(item, &["MOSI", "SDI", "SDA", "DIN"]);
        let dc = self.need(item, &["D/C", "DC", "RS"]);
        let mut part = self.start("display", item);
        part.text("panel", panel);
        part.text("bus", "spi4");
        for (key, pin) in [("sck", sck), ("mosi", mosi), ("dc", dc)] {
            if let Some(pin) = pin {
                part.pin(key, pin);
            }
        }
        for (key, pins) in [
            ("miso", ["MISO", "SDO"]),
            ("cs", ["CS", "CSX"]),
            ("rst", ["RST", "RESET"]),
            ("backlight", ["LED", "BLK"]),
        ] {
            if let Some(pin) = self.find(item, &pins) {
                part.pin(key, pin);
            }
        }
        let is_set =
            |name: &str| item.attribute(name).is_some_and(|value| value == "1" || value == "true");
        match (is_set("flipHorizontal"), is_set("flipVertical")) {
            (true, false) => part.text("mirror", "horizontal"),
            (false, true) => part.text("mirror", "vertical"),
            (true, true) => part.text("rotation", "180 deg"),
            (false, false) => {}
        }
        if is_set("swapXY") {
            self.writer.lose(&item.place, LossReason::Property("swapXY".into()));
        }
        self.writer.add(part);
    }

    fn i2c_display(&mut self, item: &Item<'_>, panel: &str) {
        let sda = self.need(item, &["SDA", "DATA"]);
        let scl = self.need(item, &["SCL", "CLK"]);
        let mut part = self.start("display", item);
        part.text("panel", panel);
        part.text("bus", "i2c");
        for (key, pin) in [("sda", sda), ("scl", scl)] {
            if let Some(pin) = pin {
                part.pin(key, pin);
            }
        }
        if let Some(text) = item.attribute("i2cAddress") {
            let digits = text.trim_start_matches("0x");
            match u32::from_str_radix(digits, 16).ok().filter(|at| (8..=0x77).contains(at)) {
                Some(address) => part.raw(format!("address = {address:#04x}")),
                None => {
                    let property = format!("i2cAddress = {}", quoted(&text));
                    self.writer.lose(&item.place, LossReason::Property(property));
                }
            }
        }
        self.writer.add(part);
    }

    fn sd_card(&mut self, item: &Item<'_>) {
        let pins = [("sck", "SCK"), ("mosi", "DI"), ("miso", "DO"), ("cs", "CS")]
            .map(|(key, pin)| (key, self.need(item, &[pin])));
        if pins.iter().any(|(_, pin)| pin.is_none()) {
            return;
        }
        let mut part = self.start("sd_card", item);
        for (key, pin) in pins {
            if let Some(pin) = pin {
                part.pin(key, pin);
            }
        }
        if let Some(pin) = self.find(item, &["CD"]) {
            part.pin("detect", pin);
        }
        self.writer.lose(&item.place, LossReason::LeftOut("the files on the card"));
        self.writer.add(part);
    }
}

/// Returns a colour of Wokwi's LEDs as `#rrggbb`.
fn colour_of(name: &str) -> Option<String> {
    const NAMES: [(&str, &str); 9] = [
        ("red", "#ff2000"),
        ("green", "#20ff20"),
        ("limegreen", "#32cd32"),
        ("blue", "#2040ff"),
        ("yellow", "#ffe020"),
        ("orange", "#ff8000"),
        ("white", "#ffffff"),
        ("purple", "#a020f0"),
        ("cyan", "#20ffff"),
    ];
    if let Some((_, colour)) = NAMES.iter().find(|(known, _)| name.eq_ignore_ascii_case(known)) {
        return Some((*colour).to_owned());
    }
    let digits = name.strip_prefix('#')?;
    let is_hex = digits.len() == 6 && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    is_hex.then(|| name.to_ascii_lowercase())
}
