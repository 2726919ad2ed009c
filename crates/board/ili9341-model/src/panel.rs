//! The controller's state for inspection: the registers by the datasheet's names, with their
//! fields, and the modes that commands without arguments set.
//!
//! The state is a copy and cannot change the controller. The module knows nothing of the visible
//! picture.

use super::Ili9341;
use super::command::{self, lookup};
use super::registers::Registers;
use virtual_time::Nanos;

/// The oscillator's frequency in hertz (8.3.2).
const OSCILLATOR_HZ: f64 = 615_000.0;
/// Number of lines that are scanned.
const LINES: u32 = super::geometry::PAGES as u32;

const GAMSET: u8 = 0x26;
const FRMCTR1: u8 = 0xB1;
const PRCTR: u8 = 0xB5;

/// Display mode (9.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DisplayMode {
    /// NORON: the whole memory is shown.
    Normal,
    /// PTLON: the area of PLTAR is shown.
    Partial,
    /// VSCRSADD: the area of VSCRDEF is scrolled.
    Scrolling,
}

/// A register, named after the command that writes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Register {
    /// Code of the command.
    pub code: u8,
    /// Name of the command in the datasheet.
    pub name: &'static str,
    /// Section of the datasheet.
    pub section: &'static str,
    /// Arguments in effect; after a reset the defaults.
    pub value: Vec<u8>,
    /// Fields by the datasheet's names, in the datasheet's order; empty for a register whose fields
    /// this model does not know.
    pub fields: Vec<Field>,
}

/// A field of a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// Name in the datasheet.
    pub name: &'static str,
    pub value: u32,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Panel {
    /// Whether there is power. Without it the registers have their defaults.
    pub powered: bool,
    /// Whether RESX is low.
    pub in_reset: bool,
    /// Whether the module's backlight is on.
    pub backlit: bool,
    /// Whether the controller is in sleep-in mode (SLPIN, SLPOUT).
    pub asleep: bool,
    /// Set by DISPON, cleared by DISPOFF.
    pub display_on: bool,
    /// Set by DINVON, cleared by DINVOFF.
    pub inverted: bool,
    /// Set by IDMON, cleared by IDMOFF: eight colours.
    pub idle: bool,
    /// Set by TEON, cleared by TEOFF.
    pub tearing_line: bool,
    /// Set by NORON, PTLON, VSCRSADD.
    pub mode: DisplayMode,
    /// Address counter in the host's directions: column and page of the next pixel.
    pub counter: (u16, u16),
    /// Refresh rate in hertz, by FRMCTR1 and PRCTR (8.3.2). [`Ili9341::frame_at`] returns every
    /// frame regardless of it; a [`ScanOut`](super::ScanOut) models the scan.
    pub refresh_hz: f64,
    /// Registers ordered by code: those that the model implements, and others once they have been
    /// written.
    pub registers: Vec<Register>,
}

impl Ili9341 {
    /// Returns a copy of the current state.
    pub fn panel(&self) -> Panel {
        let registers = &self.registers;
        Panel {
            powered: self.powered,
            in_reset: !self.reset_high,
            backlit: self.backlight_on,
            asleep: !registers.awake,
            display_on: registers.display_on,
            inverted: registers.inverted,
            idle: registers.idle,
            tearing_line: registers.tearing.is_some(),
            mode: match (registers.partial, registers.scrolling) {
                (true, _) => DisplayMode::Partial,
                (_, true) => DisplayMode::Scrolling,
                _ => DisplayMode::Normal,
            },
            counter: self.memory.counter(),
            refresh_hz: registers.refresh_hz(),
            registers: registers.list(),
        }
    }
}

impl Registers {
    /// Returns the last arguments of a register that the model does not implement.
    fn written(&self, code: u8) -> Option<&[u8]> {
        self.others.get(&code).map(Vec::as_slice)
    }

    fn refresh_hz(&self) -> f64 {
        OSCILLATOR_HZ / (f64::from(self.clocks_a_line()) * f64::from(LINES + self.porches()))
    }

    /// Returns the number of oscillator clocks per line (8.3.2): RTNA, times the division by DIVA.
    fn clocks_a_line(&self) -> u32 {
        let (division, clocks) = match *self.written(FRMCTR1).unwrap_or_default() {
            [division, clocks] => (division & 0x03, clocks & 0x1F),
            // Without FRMCTR1 the defaults apply.
            _ => (0x00, 0x1B),
        };
        u32::from(clocks.max(1)) << division
    }

    /// Returns the scan time of a line, at least 1 µs.
    pub(super) fn line_time(&self) -> Nanos {
        let nanos = f64::from(self.clocks_a_line()) / OSCILLATOR_HZ * 1e9;
        Nanos((nanos.round() as u64).max(1_000))
    }

    /// Returns the number of lines of the vertical front and back porch.
    pub(super) fn porches(&self) -> u32 {
        match *self.written(PRCTR).unwrap_or_default() {
            [front, back, ..] => u32::from(front & 0x7F) + u32::from(back & 0x7F),
            _ => 4,
        }
    }

    fn list(&self) -> Vec<Register> {
        let words = |words: &[u16]| words.iter().flat_map(|word| word.to_be_bytes()).collect();
        let (window, scroll) = (self.window, self.scroll);
        let bottom_fixed =
            (LINES as u16).saturating_sub(scroll.top_fixed + scroll.height.min(LINES as u16));
        let mut known: Vec<(u8, Vec<u8>)> = vec![
            (GAMSET, vec![0x01]),
            (command::CASET, words(&[window.columns.0, window.columns.1])),
            (command::PASET, words(&[window.pages.0, window.pages.1])),
            (command::PLTAR, words(&[self.partial_area.0, self.partial_area.1])),
            (command::VSCRDEF, words(&[scroll.top_fixed, scroll.height, bottom_fixed])),
            (command::MADCTL, vec![self.madctl]),
            (command::VSCRSADD, words(&[scroll.start])),
            (command::PIXSET, vec![self.pixel_format]),
            (command::WRDISBV, vec![self.brightness]),
            (command::WRCTRLD, vec![self.display_control]),
            (command::WRCABC, vec![self.adaptive_brightness]),
            (command::WRCABCMB, vec![self.least_brightness]),
            (FRMCTR1, vec![0x00, 0x1B]),
            (command::DISCTRL, vec![0x0A, self.scan, 0x27]),
            (command::IFCTL, self.interface.to_vec()),
        ];
        for (code, value) in &self.others {
            match known.iter_mut().find(|(known, _)| known == code) {
                Some((_, place)) => place.clone_from(value),
                None => known.push((*code, value.clone())),
            }
        }
        known.sort_by_key(|(code, _)| *code);
        let named = |(code, value): (u8, Vec<u8>)| {
            let command = lookup(code)?;
            let fields = fields(code, &value);
            Some(Register { code, name: command.name, section: command.section, value, fields })
        };
        known.into_iter().filter_map(named).collect()
    }
}

/// Position of a field: its name, its byte, its lowest bit and its width in bits.
type Place = (&'static str, usize, u32, u32);

const MADCTL: &[Place] = &[
    ("MY", 0, 7, 1),
    ("MX", 0, 6, 1),
    ("MV", 0, 5, 1),
    ("ML", 0, 4, 1),
    ("BGR", 0, 3, 1),
    ("MH", 0, 2, 1),
];
const DISCTRL: &[Place] = &[
    ("PTG", 0, 2, 2),
    ("PT", 0, 0, 2),
    ("REV", 1, 7, 1),
    ("GS", 1, 6, 1),
    ("SS", 1, 5, 1),
    ("SM", 1, 4, 1),
    ("ISC", 1, 0, 4),
    ("NL", 2, 0, 6),
];
const IFCTL: &[Place] = &[
    ("MY_EOR", 0, 7, 1),
    ("MX_EOR", 0, 6, 1),
    ("MV_EOR", 0, 5, 1),
    ("BGR_EOR", 0, 3, 1),
    ("WEMODE", 0, 0, 1),
    ("EPF", 1, 4, 2),
    ("MDT", 1, 0, 2),
    ("ENDIAN", 2, 5, 1),
    ("DM", 2, 2, 2),
    ("RM", 2, 1, 1),
    ("RIM", 2, 0, 1),
];

fn fields(code: u8, value: &[u8]) -> Vec<Field> {
    let places: &[Place] = match code {
        GAMSET => &[("GC", 0, 0, 8)],
        command::MADCTL => MADCTL,
        command::PIXSET => &[("DPI", 0, 4, 3), ("DBI", 0, 0, 3)],
        command::WRDISBV => &[("DBV", 0, 0, 8)],
        command::WRCTRLD => &[("BCTRL", 0, 5, 1), ("DD", 0, 3, 1), ("BL", 0, 2, 1)],
        command::WRCABC => &[("C", 0, 0, 2)],
        command::WRCABCMB => &[("CMB", 0, 0, 8)],
        FRMCTR1 => &[("DIVA", 0, 0, 2), ("RTNA", 1, 0, 5)],
        PRCTR => &[("VFP", 0, 0, 7), ("VBP", 1, 0, 7), ("HFP", 2, 0, 5), ("HBP", 3, 0, 5)],
        command::DISCTRL => DISCTRL,
        command::IFCTL => IFCTL,
        _ => return words(code, value),
    };
    let field = |&(name, byte, low, bits): &Place| {
        let byte = u32::from(*value.get(byte)?);
        Some(Field { name, value: byte >> low & ((1 << bits) - 1) })
    };
    places.iter().filter_map(field).collect()
}

/// Returns the fields of a register that consists of words.
fn words(code: u8, value: &[u8]) -> Vec<Field> {
    let names: &[&'static str] = match code {
        command::CASET => &["SC", "EC"],
        command::PASET => &["SP", "EP"],
        command::PLTAR => &["SR", "ER"],
        command::VSCRDEF => &["TFA", "VSA", "BFA"],
        command::VSCRSADD => &["VSP"],
        _ => &[],
    };
    let words = value.as_chunks::<2>().0.iter();
    let field = |(name, word): (&&'static str, &[u8; 2])| Field {
        name,
        value: u16::from_be_bytes(*word).into(),
    };
    names.iter().zip(words).map(field).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Instant, Nanos};

    /// Returns a controller that has received these commands with their arguments, one second
    /// apart.
    fn sent(commands: &[&[u8]]) -> Ili9341 {
        let mut lcd = Ili9341::new(1);
        lcd.set_power(Instant::START, true);
        for (second, command) in (1..).zip(commands) {
            let at = Instant::from_secs(second);
            let end = at.saturating_add(Nanos::from_micros(100));
            lcd.set_dc(at, false);
            lcd.write(at, end, &command[..1]);
            lcd.set_dc(end, true);
            lcd.write(end, end.saturating_add(Nanos::from_micros(100)), &command[1..]);
        }
        assert_eq!(lcd.violations(), []);
        lcd
    }

    #[track_caller]
    fn check(commands: &[&[u8]], name: &str, value: &[u8], fields: &[(&str, u32)]) {
        let panel = sent(commands).panel();
        let register = panel.registers.iter().find(|register| register.name == name);
        let register = register.unwrap_or_else(|| panic!("{name} is not in the list"));
        let found: Vec<_> = register.fields.iter().map(|field| (field.name, field.value)).collect();
        assert_eq!((&register.value[..], &found[..]), (value, fields));
    }

    #[test]
    fn registers_have_their_defaults_until_they_are_written() {
        check(&[], "CASET", &[0, 0, 0, 239], &[("SC", 0), ("EC", 239)]);
        check(&[&[0x2A, 0, 1, 0, 9]], "CASET", &[0, 1, 0, 9], &[("SC", 1), ("EC", 9)]);
        check(
            &[&[0x33, 0, 16, 1, 32, 0, 16]],
            "VSCRDEF",
            &[0, 16, 1, 32, 0, 16],
            &[("TFA", 16), ("VSA", 288), ("BFA", 16)],
        );
        check(&[], "PIXSET", &[0x06], &[("DPI", 0), ("DBI", 6)]);
        check(&[&[0x3A, 0x55]], "PIXSET", &[0x55], &[("DPI", 5), ("DBI", 5)]);
        let turned = [("MY", 0), ("MX", 0), ("MV", 1), ("ML", 0), ("BGR", 1), ("MH", 0)];
        check(&[&[0x36, 0x28]], "MADCTL", &[0x28], &turned);
        check(&[&[0xB1, 1, 0x1F]], "FRMCTR1", &[1, 31], &[("DIVA", 1), ("RTNA", 31)]);
    }

    #[test]
    fn unimplemented_registers_are_listed_once_written() {
        let gamma: Vec<u8> = std::iter::once(0xE0).chain(1..=15).collect();
        let has = |commands: &[&[u8]]| {
            let registers = sent(commands).panel().registers;
            assert!(registers.is_sorted_by_key(|register| register.code));
            registers.into_iter().find(|register| register.name == "PGAMCTRL")
        };
        assert_eq!(has(&[]), None);
        assert_eq!(has(&[&gamma]).unwrap().value, &gamma[1..]);
        assert_eq!(has(&[&gamma, &[0x01]]), None, "a software reset forgets it");
        assert_eq!(sent(&[&[0x00]]).panel(), sent(&[]).panel(), "NOP is no register");
    }

    #[test]
    fn modes_are_those_of_the_last_commands() {
        let panel = sent(&[&[0x11], &[0x21], &[0x39], &[0x12], &[0x35, 0]]).panel();
        assert!(
            panel.powered && !panel.asleep && panel.inverted && panel.idle && panel.tearing_line
        );
        assert_eq!((panel.display_on, panel.mode), (false, DisplayMode::Partial));
        assert_eq!(sent(&[&[0x37, 0, 0]]).panel().mode, DisplayMode::Scrolling);
    }

    #[test]
    fn the_counter_is_where_the_next_pixel_goes() {
        let window: [&[u8]; 2] = [&[0x2A, 0, 10, 0, 11], &[0x2B, 0, 20, 0, 29]];
        let pixels = |bytes: &'static [u8]| sent(&[window[0], window[1], bytes]).panel().counter;
        assert_eq!(pixels(&[0x2C]), (10, 20));
        assert_eq!(pixels(&[0x2C, 0, 0, 0]), (11, 20));
        assert_eq!(pixels(&[0x2C, 0, 0, 0, 0, 0, 0]), (10, 21));
    }

    #[test]
    fn the_refresh_rate_is_that_of_the_datasheet() {
        // Values of the table of 8.3.2: 70 Hz by default, 119 and 61 Hz at the ends.
        for (clocks, expected) in [(0x1B, 70.0), (0x10, 119.0), (0x1F, 61.0)] {
            let hz = sent(&[&[0xB1, 0, clocks]]).panel().refresh_hz;
            assert!((hz - expected).abs() < 0.7, "{hz} Hz, not {expected}");
        }
        assert!((sent(&[]).panel().refresh_hz - 70.3).abs() < 0.1);
    }
}
