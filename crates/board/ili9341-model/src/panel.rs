//! The controller's state for inspection: the registers by the datasheet's names, with their
//! fields, and the modes that commands without arguments set.
//!
//! The state is a copy and cannot change the controller. The module knows nothing of the visible
//! picture.

use super::Ili9341;
use super::registers::Registers;
use panel_tables::{Command, Effect, Place};
use virtual_time::Nanos;

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
    /// Returns the last arguments of the register with this effect.
    fn written(&self, effect: Effect) -> Option<&[u8]> {
        let written = |code| self.others.get(code).map(Vec::as_slice);
        let mut commands = self.table.commands.iter().filter(|command| command.effect == effect);
        commands.find_map(|command| written(&command.code))
    }

    fn oscillator_hz(&self) -> f64 {
        f64::from(self.table.scan.clock_hz)
    }

    fn refresh_hz(&self) -> f64 {
        let lines = f64::from(self.table.lines) + f64::from(self.porches());
        self.oscillator_hz() / (f64::from(self.clocks_a_line()) * lines)
    }

    /// Returns the number of oscillator clocks per line (8.3.2): RTNA, times the division by DIVA.
    fn clocks_a_line(&self) -> u32 {
        match *self.written(Effect::LineClocks).unwrap_or_default() {
            [division, clocks] => u32::from(clocks & 0x1F).max(1) << (division & 0x03),
            // The defaults apply until the register is written.
            _ => self.table.scan.line_clocks.into(),
        }
    }

    /// Returns the scan time of a line, at least 1 µs.
    pub(super) fn line_time(&self) -> Nanos {
        let nanos = f64::from(self.clocks_a_line()) / self.oscillator_hz() * 1e9;
        Nanos((nanos.round() as u64).max(1_000))
    }

    /// Returns the number of lines of the vertical front and back porch.
    pub(super) fn porches(&self) -> u32 {
        match *self.written(Effect::Porches).unwrap_or_default() {
            [front, back, ..] => u32::from(front & 0x7F) + u32::from(back & 0x7F),
            _ => self.table.scan.porches.into(),
        }
    }

    /// Returns the registers that the model implements or that have a reset value, and others once
    /// they have been written, ordered by code.
    fn list(&self) -> Vec<Register> {
        self.table.commands.iter().filter_map(|command| self.register(command)).collect()
    }

    fn register(&self, command: &'static Command) -> Option<Register> {
        let value = self.value(command)?;
        let fields = command.fields.iter().filter_map(|place| field(place, &value)).collect();
        Some(Register {
            code: command.code,
            name: &command.name,
            section: &command.section,
            value,
            fields,
        })
    }

    /// Returns the arguments of a register in effect; `None` if it has not been written and has no
    /// reset value.
    fn value(&self, command: &Command) -> Option<Vec<u8>> {
        let words = |words: &[u16]| words.iter().flat_map(|word| word.to_be_bytes()).collect();
        let (window, scroll, lines) = (self.window, self.scroll, self.table.lines);
        let bottom_fixed =
            lines.saturating_sub(scroll.top_fixed.saturating_add(scroll.height.min(lines)));
        Some(match command.effect {
            Effect::Columns => words(&[window.columns.0, window.columns.1]),
            Effect::Pages => words(&[window.pages.0, window.pages.1]),
            Effect::PartialArea => words(&[self.partial_area.0, self.partial_area.1]),
            Effect::ScrollArea => words(&[scroll.top_fixed, scroll.height, bottom_fixed]),
            Effect::ScrollStart => words(&[scroll.start]),
            Effect::MemoryAccess => vec![self.madctl],
            Effect::PixelFormat => vec![self.pixel_format],
            Effect::Brightness => vec![self.brightness],
            Effect::DisplayControl => vec![self.display_control],
            Effect::AdaptiveBrightness => vec![self.adaptive_brightness],
            Effect::LeastBrightness => vec![self.least_brightness],
            Effect::InterfaceControl => self.interface.to_vec(),
            _ => match self.others.get(&command.code) {
                Some(value) => value.clone(),
                None if command.reset.is_empty() => return None,
                None => command.reset.to_vec(),
            },
        })
    }
}

/// Returns a field of a register; `None` if its argument was not given.
fn field(place: &'static Place, value: &[u8]) -> Option<Field> {
    let first = usize::from(place.byte);
    let bytes = value.get(first..first + usize::from(place.bytes))?;
    let word = bytes.iter().fold(0, |word, byte| word << 8 | u32::from(*byte));
    Some(Field { name: &place.name, value: word >> place.low & ((1 << place.bits) - 1) })
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
