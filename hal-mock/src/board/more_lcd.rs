//! The panel of a display, and a display after the first one.

use ili9341_model::{Module, Table, panel_tables};
use virtual_time::Instant;

use super::Ili9341;
use super::backlight::BacklightWire;
use super::probe::LcdPin;

/// The display of a board: its controller, and how its panel is mounted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DisplayConfig {
    pub table: &'static Table,
    pub module: Module,
    pub wires: ili9341_model::Wires,
}

/// Returns the display of the LCD board.
impl Default for DisplayConfig {
    fn default() -> Self {
        let table = &panel_tables::ILI9341;
        Self { table, module: table.module, wires: ili9341_model::Wires::default() }
    }
}

impl DisplayConfig {
    /// Creates the panel without power.
    pub(super) fn panel(&self, seed: u64) -> Ili9341 {
        let mut panel = Ili9341::with_module(seed, self.table, self.module);
        panel.set_wires(self.wires);
        panel
    }
}

/// A display after the first one.
#[derive(Clone)]
pub(super) struct MoreLcd {
    pub(super) lcd: Ili9341,
    pub(super) backlight: BacklightWire,
}

impl MoreLcd {
    /// Creates the display without power.
    pub(super) fn new(config: &DisplayConfig, seed: u64) -> Self {
        Self { lcd: config.panel(seed), backlight: BacklightWire::default() }
    }

    pub(super) fn power_on(&mut self, now: Instant) {
        self.set(now, LcdPin::Backlight, false);
        self.lcd.set_power(now, true);
    }

    pub(super) fn power_off(&mut self, now: Instant) {
        self.lcd.set_power(now, false);
        self.backlight.set(now, false);
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
