//! The findings as the text of a board file.
//!
//! A finding that is sure or likely is a key with its evidence as a comment; an unsure one is a key
//! that is commented out.

use std::fmt::Write as _;

use crate::finding::{
    Bus, BuzzerKind, Certainty, Console, Display, Encoder, Findings, Geometry, LedKind, Matrix,
    Signal, SpiDevice, SpiDeviceKind,
};

/// Columns and rows of the glasses that are sold.
const GLASSES: &[(u16, u16)] = &[
    (80, 160),
    (128, 32),
    (128, 64),
    (128, 128),
    (128, 160),
    (132, 162),
    (135, 240),
    (170, 320),
    (172, 320),
    (240, 240),
    (240, 280),
    (240, 320),
    (320, 240),
    (320, 480),
];

/// Text of a board file, line by line.
struct Text(String);

impl Text {
    fn line(&mut self, line: &str) {
        self.0.push_str(line);
        self.0.push('\n');
    }

    /// Writes a comment of a finding and its line, which is commented out if it is unsure.
    fn found(&mut self, certainty: Certainty, evidence: &str, line: &str) {
        self.line(&format!("# {}: {evidence}", certainty.word()));
        let off = if certainty == Certainty::Unsure { "# " } else { "" };
        self.line(&format!("{off}{line}"));
    }

    fn signal(&mut self, key: &str, signal: &Signal) {
        self.found(signal.certainty, &signal.evidence, &format!("{key} = \"GP{}\"", signal.pin));
    }

    /// Writes a table with one signal. All its lines are commented out if it is unsure.
    fn table(&mut self, table: &str, signal: &Signal, keys: &[String]) {
        let off = if signal.certainty == Certainty::Unsure { "# " } else { "" };
        self.line("");
        self.line(&format!("# {}: {}", signal.certainty.word(), signal.evidence));
        self.line(&format!("{off}[[{table}]]"));
        for key in keys {
            self.line(&format!("{off}{key}"));
        }
    }
}

/// Returns the findings as a board file with this name. `program` is the path of the program as the
/// board file refers to it, `broken` are the rules that the program breaks on that board.
pub fn board_text(findings: &Findings, name: &str, program: &str, broken: &[&str]) -> String {
    let mut text = Text(String::new());
    let _ = writeln!(
        text.0,
        "# Found by `nudge adopt` in {} ms of {}. Each finding has its evidence; remove the `#` of an\n\
         # unsure one if it is right.\n",
        findings.ended_ns / 1_000_000,
        comment(program),
    );
    text.line("board = 1");
    text.line(&format!("name = {}", quoted(name)));
    text.line("chip = \"rp2040\"");
    text.line(&format!("program = {}", quoted(program)));
    if !broken.is_empty() {
        text.line("# The program breaks these rules; each is a notice of a replay, and fails no trace. Mend the");
        text.line("# program and take the rule out, so that a new break fails.");
        let rules: Vec<String> = broken.iter().map(|rule| quoted(rule)).collect();
        text.line(&format!("permit = [{}]", rules.join(", ")));
    }
    for console in &findings.consoles {
        write_console(&mut text, console);
    }
    if findings.display.is_none() {
        text.line("");
        text.line("# No display was found: no pin separates commands from data on any bus.");
    }
    let is_one = findings.more_displays.is_empty();
    for (number, display) in (1..).zip(findings.displays()) {
        write_display(&mut text, display, (!is_one).then_some(number));
    }
    if let Some(buzzer) = &findings.buzzer {
        let kind = match buzzer.kind {
            BuzzerKind::Pwm => "pwm",
            BuzzerKind::Toggled => "toggled",
        };
        let pin = buzzer.signal.pin;
        let keys = [format!("pin = \"GP{pin}\""), format!("kind = \"{kind}\"")];
        text.table("buzzer", &buzzer.signal, &keys);
    }
    for led in &findings.leds {
        let pin = led.signal.pin;
        let mut keys = vec![format!("name = \"LED{pin}\""), format!("pin = \"GP{pin}\"")];
        match led.kind {
            LedKind::Plain => {}
            LedKind::Dimmed => keys.push("kind = \"pwm\"".to_owned()),
            LedKind::Chain { count } => {
                keys.extend(["kind = \"ws2812\"".to_owned(), format!("count = {count}")]);
            }
        }
        text.table("led", &led.signal, &keys);
    }
    for button in &findings.buttons {
        let pin = button.signal.pin;
        let mut keys = vec![format!("name = \"GP{pin}\""), format!("pin = \"GP{pin}\"")];
        if button.active_high {
            keys.push("active = \"high\"".to_owned());
        }
        if !button.is_pulled {
            let level = if button.active_high { "down" } else { "up" };
            keys.push(format!("pull = \"{level}\""));
        }
        text.table("button", &button.signal, &keys);
    }
    if let Some(matrix) = &findings.matrix {
        write_matrix(&mut text, matrix);
    }
    for encoder in &findings.encoders {
        write_encoder(&mut text, encoder);
    }
    for device in &findings.devices {
        if let Some(display) = &findings.display {
            write_device(&mut text, device, display);
        }
    }
    for found in &findings.i2c {
        text.line("");
        if let Some(interrupt) = &found.interrupt {
            text.line(&format!("# {}: {}", interrupt.certainty.word(), found.evidence));
            text.line("[[touch]]");
            text.line("controller = \"ft6206\"");
            text.line(&format!("sda = \"GP{}\"", found.sda));
            text.line(&format!("scl = \"GP{}\"", found.scl));
            text.signal("irq", interrupt);
            continue;
        }
        // The registers of a device are not known, so the table remains a comment.
        text.line(&format!("# {}: {}", found.certainty.word(), found.evidence));
        text.line("# [[i2c_device]]");
        text.line(&format!("# sda = \"GP{}\"", found.sda));
        text.line(&format!("# scl = \"GP{}\"", found.scl));
        text.line(&format!("# address = 0x{:02X}", found.address));
    }
    text.0
}

fn write_matrix(text: &mut Text, matrix: &Matrix) {
    let list = |items: Vec<String>| format!("[{}]", items.join(", "));
    let pins = |pins: &[u8]| list(pins.iter().map(|pin| format!("\"GP{pin}\"")).collect());
    let names = |row: usize| {
        list((1..=matrix.read.len()).map(|column| format!("\"K{}{column}\"", row + 1)).collect())
    };
    let level = if matrix.active_high { "high" } else { "low" };
    let off = if matrix.certainty == Certainty::Unsure { "# " } else { "" };
    text.line("");
    text.line(&format!("# {}: {}", matrix.certainty.word(), matrix.evidence()));
    for line in [
        "[[matrix]]".to_owned(),
        "name = \"KEYS\"".to_owned(),
        format!("rows = {}", pins(&matrix.driven)),
        format!("columns = {}", pins(&matrix.read)),
        format!("buttons = {}", list((0..matrix.driven.len()).map(names).collect())),
        format!("active = \"{level}\""),
    ] {
        text.line(&format!("{off}{line}"));
    }
}

/// Writes an encoder.
fn write_encoder(text: &mut Text, encoder: &Encoder) {
    text.line("");
    text.line(&format!("# {}: {}", encoder.a.certainty.word(), encoder.a.evidence));
    text.line("[[encoder]]");
    text.line(&format!("name = \"KNOB{}\"", encoder.a.pin));
    text.line(&format!("a = \"GP{}\"", encoder.a.pin));
    text.line(&format!("b = \"GP{}\"", encoder.b.pin));
}

/// Writes a device on the SPI bus of `display`. The size of a flash is a guess, and a card is not inserted
/// before it has one.
fn write_device(text: &mut Text, device: &SpiDevice, display: &Display) {
    let Bus::Spi { sck, mosi, miso, .. } = &display.bus else { return };
    let SpiDevice { kind, chip_select, interrupt } = device;
    let Signal { pin, certainty, evidence } = chip_select;
    text.line("");
    let certainty = certainty.word();
    text.line(&format!("# {certainty}: GP{pin} is the chip select of another device; {evidence}"));
    let (table, keys): (&str, &[&str]) = match kind {
        SpiDeviceKind::SdCard => ("sd_card", &["# size = \"4 GiB\"", "# image = \"card.img\""]),
        SpiDeviceKind::Flash => ("spi_flash", &["size = \"2 MiB\""]),
        SpiDeviceKind::Touch => ("touch", &["controller = \"xpt2046\""]),
        SpiDeviceKind::Unknown => return,
    };
    // All of them answer.
    let off = if miso.is_some() { "" } else { "# " };
    text.line(&format!("{off}[[{table}]]"));
    let miso = miso.as_ref().map(|signal| ("miso", signal));
    let wires = [Some(("sck", sck)), Some(("mosi", mosi)), miso, Some(("cs", chip_select))];
    for (key, signal) in wires.into_iter().flatten() {
        text.line(&format!("{off}{key} = \"GP{}\"", signal.pin));
    }
    for key in keys {
        text.line(&format!("{off}{key}"));
    }
    if let Some(interrupt) = interrupt {
        let Signal { pin, certainty, evidence } = interrupt;
        text.line(&format!("# {}: {evidence}", certainty.word()));
        text.line(&format!("{off}irq = \"GP{pin}\""));
    }
}

fn write_console(text: &mut Text, console: &Console) {
    match console {
        Console::Uart { tx, rx } => {
            text.line("");
            text.line("[[console]]");
            text.line("kind = \"uart\"");
            text.signal("tx", tx);
            if let Some(rx) = rx {
                text.signal("rx", rx);
            }
        }
        Console::Usb { evidence } => {
            text.line("");
            // The device may have no serial port.
            text.line(&format!("# unsure: {evidence}"));
            text.line("# [[console]]");
            text.line("# kind = \"usb\"");
        }
    }
}

/// Writes a display; `number` is that among several ones, from 1.
fn write_display(text: &mut Text, display: &Display, number: Option<usize>) {
    let Display { bus, panel, geometry, .. } = display;
    text.line("");
    text.line("[[display]]");
    if let Some(number) = number {
        text.line(&format!("name = \"LCD{number}\""));
    }
    text.found(panel.certainty, &panel.evidence, &format!("panel = \"{}\"", panel.name));
    match bus {
        Bus::Spi { sck, mosi, miso, chip_select, dc } => {
            text.line("bus = \"spi4\"");
            text.signal("sck", sck);
            text.signal("mosi", mosi);
            let optional = [("miso", miso), ("cs", chip_select)];
            for (key, signal) in optional {
                if let Some(signal) = signal {
                    text.signal(key, signal);
                }
            }
            text.signal("dc", dc);
        }
        Bus::I2c { sda, scl, address } => {
            text.line("bus = \"i2c\"");
            text.signal("sda", sda);
            text.signal("scl", scl);
            text.line(&format!("address = 0x{address:02X}"));
        }
    }
    let optional = [
        ("rst", &display.reset),
        ("backlight", &display.backlight),
        ("te", &display.tearing_effect),
    ];
    for (key, signal) in optional {
        if let Some(signal) = signal {
            text.signal(key, signal);
        }
    }
    for (key, signal) in &display.candidates {
        text.signal(key, signal);
    }
    write_geometry(text, geometry);
}

fn write_geometry(text: &mut Text, geometry: &Geometry) {
    if let Some((columns, rows)) = geometry.size {
        // A program may draw only to a part of the glass.
        let certainty =
            if GLASSES.contains(&(columns, rows)) { Certainty::Likely } else { Certainty::Unsure };
        let evidence = "the program draws to these columns and rows";
        text.found(certainty, evidence, &format!("size = \"{columns}x{rows} px\""));
        if geometry.offset != (0, 0) {
            let (column, row) = geometry.offset;
            let off = if certainty == Certainty::Unsure { "# " } else { "" };
            text.line(&format!("{off}offset = \"{column},{row} px\""));
        }
    }
    let Some(madctl) = geometry.madctl else { return };
    let (rotation, mirror) = mounting(madctl);
    if (rotation, mirror) != (0, "none") {
        let evidence =
            format!("with MADCTL {madctl:02X} the picture is upright when the glass is mounted so");
        text.found(Certainty::Likely, &evidence, &format!("rotation = \"{rotation} deg\""));
        if mirror != "none" {
            text.line(&format!("mirror = \"{mirror}\""));
        }
    }
    if madctl & 0x08 != 0 {
        text.found(Certainty::Likely, "the bit BGR of MADCTL is set", "subpixels = \"bgr\"");
    }
}

/// Returns the rotation of the glass in degrees, clockwise, and its mirroring, with which the
/// picture of a program with this MADCTL is upright.
fn mounting(madctl: u8) -> (u16, &'static str) {
    let (my, mx, mv) = (madctl & 0x80 != 0, madctl & 0x40 != 0, madctl & 0x20 != 0);
    match (mv, mx, my) {
        (false, false, false) => (0, "none"),
        (false, true, false) => (0, "horizontal"),
        (false, false, true) => (0, "vertical"),
        (false, true, true) => (180, "none"),
        (true, false, true) => (90, "none"),
        (true, true, false) => (270, "none"),
        (true, false, false) => (90, "vertical"),
        (true, true, true) => (90, "horizontal"),
    }
}

/// Returns `text` as a basic string of TOML. Control characters, which a path rarely has, are
/// replaced.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for letter in comment(text).chars() {
        if matches!(letter, '"' | '\\') {
            quoted.push('\\');
        }
        quoted.push(letter);
    }
    quoted.push('"');
    quoted
}

/// Returns `text` with its control characters replaced, which neither a comment nor a string may
/// have.
fn comment(text: &str) -> String {
    text.chars().map(|letter| if letter.is_control() { '?' } else { letter }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns where the host's pixel (x, y) of a 2×3 glass appears on the face.
    fn on_the_face(madctl: u8, x: u16, y: u16) -> (u16, u16) {
        const SIZE: (u16, u16) = (2, 3);
        let (column, row) = if madctl & 0x20 != 0 { (y, x) } else { (x, y) };
        let flip = |is: bool, at: u16, length: u16| if is { length - 1 - at } else { at };
        let column = flip(madctl & 0x40 != 0, column, SIZE.0);
        let row = flip(madctl & 0x80 != 0, row, SIZE.1);
        let (rotation, mirror) = mounting(madctl);
        let column = flip(mirror == "horizontal", column, SIZE.0);
        let row = flip(mirror == "vertical", row, SIZE.1);
        match rotation {
            0 => (column, row),
            90 => (SIZE.1 - 1 - row, column),
            180 => (SIZE.0 - 1 - column, SIZE.1 - 1 - row),
            _ => (row, SIZE.0 - 1 - column),
        }
    }

    #[test]
    fn a_mounted_glass_shows_the_picture_upright() {
        for madctl in (0..8).map(|bits| bits << 5) {
            let (width, height) = if madctl & 0x20 != 0 { (3, 2) } else { (2, 3) };
            for (x, y) in (0..width).flat_map(|x| (0..height).map(move |y| (x, y))) {
                assert_eq!(on_the_face(madctl, x, y), (x, y), "MADCTL {madctl:02X}");
            }
        }
    }

    #[test]
    fn an_unsure_finding_is_a_comment() {
        let signal = |pin, certainty| Signal { pin, certainty, evidence: "it rises".to_owned() };
        let findings = Findings {
            leds: [(3, Certainty::Unsure), (25, Certainty::Likely)]
                .map(|(pin, certainty)| crate::Led {
                    signal: signal(pin, certainty),
                    kind: LedKind::Plain,
                })
                .into(),
            ..Findings::default()
        };
        let text = board_text(&findings, "a \"board\"", "p.uf2", &["pll-vco"]);
        let lines: Vec<&str> = text.lines().skip_while(|line| !line.starts_with("name")).collect();
        assert_eq!(
            lines,
            [
                "name = \"a \\\"board\\\"\"",
                "chip = \"rp2040\"",
                "program = \"p.uf2\"",
                "# The program breaks these rules; each is a notice of a replay, and fails no trace. Mend the",
                "# program and take the rule out, so that a new break fails.",
                "permit = [\"pll-vco\"]",
                "",
                "# No display was found: no pin separates commands from data on any bus.",
                "",
                "# unsure: it rises",
                "# [[led]]",
                "# name = \"LED3\"",
                "# pin = \"GP3\"",
                "",
                "# likely: it rises",
                "[[led]]",
                "name = \"LED25\"",
                "pin = \"GP25\"",
            ]
        );
    }
}
