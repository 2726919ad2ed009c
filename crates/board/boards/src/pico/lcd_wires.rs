//! The wires of one display: its bus, RESX, the switch of its backlight, TE.
//!
//! Displays may share wires of their buses, RESX and a backlight: each sees the levels of all pins.
//! The caller passes frames, levels, functions and waves in order of time.

use hal_mock::{VirtualBoard, board::Terminals};
use rp2040_emulator::chip::{Chip, Drive, Output, OutputChange, PinBurst, PinChange, PinWords};
use virtual_time::{Instant, Nanos};

use super::PWM_FUNCTION;
use super::lcd_bus::LcdBus;
use super::tearing::Tearing;
use super::wiring::{ActiveLevel, BusWiring, Gpio, LcdWiring};

/// The wires of a display of a chip that has power.
#[derive(Clone)]
pub(super) struct LcdWires {
    wiring: LcdWiring,
    /// Number of the display on the board.
    number: usize,
    pub(super) lcd: Terminals,
    pub(super) bus: LcdBus,
    pub(super) tearing: Option<Tearing>,
    /// Whether the function of the backlight's pin is PWM.
    dimmed: bool,
}

/// A change of a backlight that the PWM dims.
pub(super) struct Light {
    pub(super) ns: u64,
    /// Number of the display.
    pub(super) display: usize,
    on: bool,
}

/// New levels of RESX and of the switch of the backlight; true is high.
pub(super) struct Switched {
    reset: Option<bool>,
    backlight: Option<bool>,
}

impl LcdWires {
    /// Connects a display to a chip that is powered on at `powered_at`.
    pub(super) fn attach(
        wiring: &LcdWiring,
        number: usize,
        board: &VirtualBoard,
        chip: &mut Chip,
        powered_at: Instant,
    ) -> Self {
        if let Some(reset) = wiring.reset {
            // The module pulls RESX up.
            chip.drive(reset.number(), Drive::High);
        }
        let function = |pin: Gpio| chip.function(pin.number()).unwrap_or_default();
        let bus = LcdBus::new(&wiring.bus, chip.levels(), function);
        let dc = match &wiring.bus {
            BusWiring::Serial(serial) => mask(serial.dc),
            BusWiring::Parallel(parallel) => parallel.dc.bit(),
            BusWiring::I2c(_) => 0,
        };
        let lcd = board.terminals().at_display(number);
        lcd.set_lcd_dc(powered_at, chip.levels() & dc != 0);
        if wiring.backlight.is_none() {
            lcd.set_backlight(powered_at, true);
        }
        let tearing = wiring.te.map(|pin| Tearing::attach(pin, chip));
        Self { wiring: *wiring, number, lcd, bus, tearing, dimmed: false }
    }

    /// Returns the same wires connected to the display of another board.
    pub(super) fn fork(&self, board: &VirtualBoard) -> Self {
        Self { lcd: board.terminals().at_display(self.number), ..self.clone() }
    }

    /// Returns the pins whose levels the display needs.
    pub(super) fn pins(&self) -> u32 {
        self.bus.pins() | mask(self.wiring.reset) | mask(self.wiring.backlight)
    }

    /// Transfers every edge of the outputs up to now to the pins.
    pub(super) fn drive_outputs(&mut self, board: &VirtualBoard, chip: &mut Chip) {
        if let Some(tearing) = &mut self.tearing {
            tearing.drive(&board.at_display(self.number), chip);
        }
    }

    /// Adds the changes of a backlight that the PWM dims to `lights`.
    pub(super) fn dim(&mut self, chip: &mut Chip, waves: &[OutputChange], lights: &mut Vec<Light>) {
        let has_pwm = |pin: &Gpio| chip.function(pin.number()) == Some(PWM_FUNCTION);
        let Some(pin) = self.wiring.backlight.filter(has_pwm) else {
            self.dimmed = false;
            return;
        };
        let (slice, channel) = pin.pwm_channel();
        let of_pin = || waves.iter().filter(|wave| (wave.slice, wave.channel) == (slice, channel));
        // A pin that has just got this function shows the output that the slice has had before.
        if !std::mem::replace(&mut self.dimmed, true) && of_pin().next().is_none() {
            let is_wave = chip.square_wave(slice, channel).is_some();
            let high = chip.pwm_levels() >> (pin.number() % 16) & 1 != 0;
            let level = if is_wave { None } else { Some(high) };
            lights.push(self.light(chip.now_ns(), level));
        }
        for wave in of_pin() {
            let level = match wave.output {
                Output::Wave { .. } => None,
                Output::Level(high) => Some(high),
            };
            lights.push(self.light(wave.ns, level));
        }
    }

    /// Returns the backlight at this level, or with a wave, `None`.
    fn light(&self, ns: u64, level: Option<bool>) -> Light {
        let on = level.is_none_or(|high| high == self.is_on_when_high());
        Light { ns, display: self.number, on }
    }

    /// Applies a change of the backlight that the PWM dims.
    pub(super) fn apply(&self, powered_at: Instant, light: &Light) {
        self.lcd.set_backlight(powered_at.saturating_add(Nanos(light.ns)), light.on);
    }

    fn is_on_when_high(&self) -> bool {
        self.wiring.backlight_on == ActiveLevel::High
    }

    /// Handles a burst of changes as a whole. Returns false, and changes nothing, if the bus needs
    /// each change.
    pub(super) fn shift(&mut self, powered_at: Instant, burst: &PinBurst) -> bool {
        burst.pins() & self.pins() == 0 || self.bus.shift(&self.lcd, powered_at, burst)
    }

    /// Handles words of a PIO as a whole. Returns false, and changes nothing, if the bus needs each
    /// change.
    pub(super) fn shift_words(&mut self, powered_at: Instant, words: &PinWords) -> bool {
        words.pins() & self.pins() == 0 || self.bus.shift_words(&self.lcd, powered_at, words)
    }

    /// Handles a change of the levels on the bus. Returns the changes of other wires, which
    /// [`switch`](Self::switch) applies after the bytes before them.
    pub(super) fn move_pins(&mut self, powered_at: Instant, change: PinChange) -> Option<Switched> {
        let PinChange { ns, levels } = change;
        let moved = self.bus.change_levels(&self.lcd, powered_at, ns, levels);
        let goes = |pin: Option<Gpio>| {
            let pin = mask(pin);
            (moved & pin != 0).then_some(levels & pin != 0)
        };
        let (reset, backlight) = (goes(self.wiring.reset), goes(self.wiring.backlight));
        // While the PWM dims the backlight, its waves say whether it is on.
        let backlight = backlight.filter(|_| !self.dimmed);
        (reset.is_some() || backlight.is_some()).then_some(Switched { reset, backlight })
    }

    /// Sets RESX and the backlight.
    pub(super) fn switch(&self, at: Instant, switched: &Switched) {
        if let Some(high) = switched.reset {
            self.lcd.set_lcd_reset(at, high);
        }
        if let Some(high) = switched.backlight {
            self.lcd.set_backlight(at, high == self.is_on_when_high());
        }
    }
}

fn mask(pin: Option<Gpio>) -> u32 {
    pin.map_or(0, Gpio::bit)
}

#[cfg(test)]
mod tests;
