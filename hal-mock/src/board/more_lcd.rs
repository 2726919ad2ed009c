//! The panel of a display, and a display after the first one.

use ili9341_model::{Module, Table, panel_tables};
use virtual_time::Instant;

use super::Ili9341;
use super::backlight::BacklightWire;
use super::noise::Noise;
use super::probe::LcdPin;

/// The display of a board: its controller, and how its panel is mounted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DisplayConfig {
    pub table: &'static Table,
    pub module: Module,
    pub wires: ili9341_model::Wires,
    /// Rules of the controller that the program may break, a bit each (`panel_tables::Rule::bit`): a
    /// violation is a note then.
    pub permitted: u64,
}

/// Returns the display of the LCD board.
impl Default for DisplayConfig {
    fn default() -> Self {
        let table = &panel_tables::ILI9341;
        let wires = ili9341_model::Wires::default();
        Self { table, module: table.module, wires, permitted: 0 }
    }
}

impl DisplayConfig {
    /// Creates the panel without power.
    pub(super) fn panel(&self, seed: u64) -> Ili9341 {
        let mut panel = Ili9341::with_module(seed, self.table, self.module);
        panel.set_wires(self.wires);
        panel.set_permitted(self.permitted);
        panel
    }
}

/// A display after the first one.
#[derive(Clone)]
pub(super) struct MoreLcd {
    pub(super) lcd: Ili9341,
    pub(super) backlight: BacklightWire,
    /// Noise on the display's wire, if any.
    pub(super) noise: Option<Noise>,
}

impl MoreLcd {
    /// Creates the display without power.
    pub(super) fn new(config: &DisplayConfig, seed: u64) -> Self {
        Self { lcd: config.panel(seed), backlight: BacklightWire::default(), noise: None }
    }

    pub(super) fn power_on(&mut self, now: Instant) {
        self.set(now, LcdPin::Backlight, false);
        self.lcd.set_power(now, true);
    }

    pub(super) fn power_off(&mut self, now: Instant) {
        self.lcd.set_power(now, false);
        self.backlight.set(now, false);
    }

    pub(super) fn write(&mut self, start: Instant, end: Instant, bytes: &[u8]) {
        match self.disturbed(bytes) {
            Some(arrived) => self.lcd.write(start, end, &arrived),
            None => self.lcd.write(start, end, bytes),
        }
    }

    /// Sends `bytes` and replaces them with the display's answer.
    pub(super) fn exchange(&mut self, start: Instant, end: Instant, bytes: &mut [u8]) {
        if let Some(arrived) = self.disturbed(bytes) {
            bytes.copy_from_slice(&arrived);
        }
        self.lcd.exchange(start, end, bytes);
    }

    /// Returns the bytes as the display receives them; `None` if they are the same.
    fn disturbed(&mut self, bytes: &[u8]) -> Option<Vec<u8>> {
        let arrived = self.noise.as_mut()?.disturb(bytes)?;
        self.lcd.mute_linter();
        Some(arrived)
    }

    pub(super) fn set(&mut self, at: Instant, pin: LcdPin, high: bool) {
        match pin {
            LcdPin::Dc => self.lcd.set_dc(at, high),
            LcdPin::Reset => self.lcd.set_reset(at, high),
            LcdPin::Backlight => {
                self.lcd.set_backlight(at, high);
                self.backlight.set(at, high);
            }
        }
    }
}
