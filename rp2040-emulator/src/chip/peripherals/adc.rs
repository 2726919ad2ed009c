//! The analogue-to-digital converter: single conversions, or repeated ones at intervals, in turn
//! over several inputs, with a FIFO, an interrupt and a DMA request (datasheet section 4.9).
//!
//! A conversion takes 96 cycles of clk_adc and samples the voltage in its first cycle. Inputs 0 to
//! 3 are GPIO 26 to 29, input 4 is the temperature sensor. The caller sets their voltages
//! ([`AnalogInput`]); the defaults are 0 V and 27 °C. The converter is ideal: 4096 equal steps up
//! to 3.3 V, no noise, no failed conversion. It is ready as soon as it is enabled.

use std::collections::VecDeque;

use crate::chip::rate::Rate;

mod input;

pub use input::AnalogInput;

/// Number of inputs: 0 to 3 and the temperature sensor.
pub const ADC_INPUT_COUNT: usize = 5;
/// Number of the temperature sensor's input.
const SENSOR: usize = 4;
/// Voltage of the sensor at 27 °C (datasheet 4.9.5).
const SENSOR_VOLTS: f64 = 0.706;
/// Voltage of ADC_AVDD on a Pico, the converter's reference.
const REFERENCE_VOLTS: f64 = 3.3;
const STEPS: f64 = 4096.0;
const FIFO_DEPTH: usize = 8;
/// Parts per cycle of clk_adc in which times are counted: the unit of the divider.
const PARTS: u64 = 256;
/// Duration of a conversion.
const CONVERSION: u64 = 96 * PARTS;

// Registers: RP2040 datasheet 4.9.6.
pub(in crate::chip) const CS: u32 = 0x00; // control and status, 4.9.6
const RESULT: u32 = 0x04; // last result, 4.9.6
pub(in crate::chip) const FCS: u32 = 0x08; // FIFO control and status, 4.9.6
const FIFO: u32 = 0x0C; // results, 4.9.6
const DIV: u32 = 0x10; // interval of conversions, 4.9.6
const INTR: u32 = 0x14; // raw interrupt, 4.9.6
const INTE: u32 = 0x18; // interrupt enable, 4.9.6
const INTF: u32 = 0x1C; // interrupt force, 4.9.6
const INTS: u32 = 0x20; // interrupt status, 4.9.6

const CS_EN: u32 = 1;
const CS_TS_EN: u32 = 1 << 1;
const CS_START_ONCE: u32 = 1 << 2;
const CS_START_MANY: u32 = 1 << 3;
const CS_READY: u32 = 1 << 8;
const CS_AINSEL_LSB: u32 = 12;
const CS_AINSEL: u32 = 7 << CS_AINSEL_LSB;
const CS_RROBIN_LSB: u32 = 16;
const CS_RROBIN: u32 = 0x1F << CS_RROBIN_LSB;
/// Bits that CS stores. START_ONCE reads as zero; no conversion sets ERR or ERR_STICKY.
const CS_HELD: u32 = CS_EN | CS_TS_EN | CS_START_MANY | CS_AINSEL | CS_RROBIN;
const FCS_EN: u32 = 1;
const FCS_SHIFT: u32 = 1 << 1;
const FCS_ERR: u32 = 1 << 2;
const FCS_DREQ_EN: u32 = 1 << 3;
const FCS_EMPTY: u32 = 1 << 8;
const FCS_FULL: u32 = 1 << 9;
const FCS_UNDER: u32 = 1 << 10;
const FCS_OVER: u32 = 1 << 11;
const FCS_LEVEL_LSB: u32 = 16;
const FCS_THRESH_LSB: u32 = 24;
const FCS_HELD: u32 = FCS_EN | FCS_SHIFT | FCS_ERR | FCS_DREQ_EN | 0xF << FCS_THRESH_LSB;
const DIV_BITS: u32 = 0x00FF_FFFF;

/// A conversion in progress.
#[derive(Clone, Copy, Debug)]
struct Conversion {
    value: u16,
    end: u64,
}

#[derive(Clone, Debug, Default)]
pub(in crate::chip) struct Adc {
    clock: Rate,
    /// Time at which `since` was counted, in nanoseconds; later calls never refer to an earlier
    /// time.
    since_ns: u64,
    since: u64,
    control: u32,
    conversion: Option<Conversion>,
    /// Start of the next of repeated conversions.
    due: Option<u64>,
    result: u16,
    fifo: VecDeque<u16>,
    fifo_control: u32,
    /// UNDER and OVER of FCS, until they are cleared.
    raised: u32,
    divider: u32,
    enabled: u32,
    forced: u32,
    inputs: [Option<AnalogInput>; ADC_INPUT_COUNT],
}

/// Functions for the owner of the chip.
impl Adc {
    /// Sets the voltage at an input from now on.
    pub(in crate::chip) fn set_input(&mut self, number: usize, input: AnalogInput) {
        if let Some(slot) = self.inputs.get_mut(number) {
            *slot = Some(input);
        }
    }
}

/// Functions for the chip.
impl Adc {
    /// Returns the converter after its reset; clk_adc and the inputs are retained.
    pub(in crate::chip) fn after_reset(&mut self) -> Self {
        Self {
            clock: self.clock,
            since_ns: self.since_ns,
            since: self.since,
            inputs: std::mem::take(&mut self.inputs),
            ..Self::default()
        }
    }

    /// Changes the frequency of clk_adc at `ns`; `None` stops it.
    pub(in crate::chip) fn set_clock(&mut self, hz: Option<u64>, ns: u64) {
        let clock = Rate::new(hz);
        if clock != self.clock {
            self.advance(ns);
            self.since = self.at(ns);
            self.since_ns = ns;
            self.clock = clock;
        }
    }

    /// Returns the part of a cycle that begins at `ns`.
    fn at(&self, ns: u64) -> u64 {
        let cycles = self.clock.cycles(ns.saturating_sub(self.since_ns));
        self.since + cycles.saturating_mul(PARTS)
    }

    /// Returns the nanosecond of the first cycle that begins at `at` or later.
    fn time_of(&self, at: u64) -> u64 {
        let cycles = at.saturating_sub(self.since).div_ceil(PARTS);
        self.since_ns.saturating_add(self.clock.ns(cycles))
    }

    /// Executes the conversions that begin and end by `ns`.
    pub(in crate::chip) fn advance(&mut self, ns: u64) {
        loop {
            if let Some(Conversion { value, end }) = self.conversion {
                if self.time_of(end) > ns {
                    return;
                }
                self.complete(value);
            } else if let Some(due) = self.due {
                if self.time_of(due) > ns {
                    return;
                }
                self.begin(due);
                self.due = Some(due + self.interval());
            } else {
                return;
            }
        }
    }

    /// Returns the interval from the start of one of repeated conversions to that of the next. If
    /// the divider is below the duration of a conversion, conversions follow without a pause.
    fn interval(&self) -> u64 {
        match u64::from(self.divider) {
            0 => CONVERSION,
            divider => (PARTS + divider).max(CONVERSION),
        }
    }

    fn begin(&mut self, at: u64) {
        let value = self.sample(self.time_of(at));
        self.conversion = Some(Conversion { value, end: at + CONVERSION });
    }

    /// Returns the voltage of the selected input at `ns`, in steps.
    fn sample(&self, ns: u64) -> u16 {
        let number = (self.control >> CS_AINSEL_LSB & 7) as usize;
        let volts = match self.inputs.get(number) {
            _ if number == SENSOR && self.control & CS_TS_EN == 0 => 0.0,
            Some(Some(input)) => input.volts(ns),
            Some(None) if number == SENSOR => SENSOR_VOLTS,
            _ => 0.0,
        };
        // The cast saturates: it is 0 below 0 V and for NaN.
        ((volts / REFERENCE_VOLTS * STEPS) as u16).min(STEPS as u16 - 1)
    }

    fn complete(&mut self, value: u16) {
        self.conversion = None;
        self.result = value;
        if self.fifo_control & FCS_EN != 0 {
            let shift = if self.fifo_control & FCS_SHIFT != 0 { 4 } else { 0 };
            if self.fifo.len() < FIFO_DEPTH {
                self.fifo.push_back(value >> shift);
            } else {
                self.raised |= FCS_OVER;
            }
        }
        let turns = self.control >> CS_RROBIN_LSB & 0x1F;
        if turns != 0 {
            let last = self.control >> CS_AINSEL_LSB & 7;
            let later = (1..=8).map(|n| (last + n) % 8).find(|input| turns >> input & 1 != 0);
            let input = later.unwrap_or(last);
            self.control = self.control & !CS_AINSEL | input << CS_AINSEL_LSB;
        }
    }

    /// Returns the nanosecond at which an interrupt or the DMA request may next change without an
    /// access.
    pub(in crate::chip) fn next(&self) -> u64 {
        if self.enabled == 0 && self.fifo_control & FCS_DREQ_EN == 0 {
            return u64::MAX;
        }
        match (self.conversion, self.due) {
            (Some(Conversion { end, .. }), _) => self.time_of(end),
            (None, Some(due)) => self.time_of(due),
            (None, None) => u64::MAX,
        }
    }

    /// Returns whether the FIFO level has reached THRESH. For a THRESH of 0 this is always true
    /// while the ADC is enabled; embassy-rp is woken by it during a conversion.
    fn reached(&self) -> bool {
        let threshold = (self.fifo_control >> FCS_THRESH_LSB & 0xF) as usize;
        self.fifo.len() >= threshold && (threshold > 0 || self.control & CS_EN != 0)
    }

    /// Returns the interrupt line.
    pub(in crate::chip) fn interrupt(&self) -> bool {
        self.status() != 0
    }

    fn status(&self) -> u32 {
        u32::from(self.reached()) & self.enabled | self.forced
    }

    /// Returns the DMA request.
    pub(in crate::chip) fn request(&self) -> bool {
        self.fifo_control & FCS_DREQ_EN != 0 && !self.fifo.is_empty() && self.reached()
    }

    pub(in crate::chip) fn read(&mut self, offset: u32, ns: u64) -> Option<u32> {
        self.advance(ns);
        Some(match offset {
            CS if self.control & CS_EN != 0 && self.conversion.is_none() => self.control | CS_READY,
            CS => self.control,
            RESULT => self.result.into(),
            FCS => self.fifo_status(),
            FIFO => match self.fifo.pop_front() {
                Some(value) => value.into(),
                None => {
                    self.raised |= FCS_UNDER;
                    0
                }
            },
            DIV => self.divider,
            INTR => self.reached().into(),
            INTE => self.enabled,
            INTF => self.forced,
            INTS => self.status(),
            _ => return None,
        })
    }

    fn fifo_status(&self) -> u32 {
        let bit = |condition: bool, bit: u32| if condition { bit } else { 0 };
        self.fifo_control
            | self.raised
            | bit(self.fifo.is_empty(), FCS_EMPTY)
            | bit(self.fifo.len() == FIFO_DEPTH, FCS_FULL)
            | (self.fifo.len() as u32) << FCS_LEVEL_LSB
    }

    pub(in crate::chip) fn write(&mut self, offset: u32, value: u32, ns: u64) -> Option<()> {
        self.advance(ns);
        match offset {
            CS => self.set_control(value, ns),
            FCS => {
                self.fifo_control = value & FCS_HELD;
                self.raised &= !value;
            }
            DIV => {
                self.divider = value & DIV_BITS;
                // The interval restarts.
                if self.due.is_some() && self.clock.runs() {
                    self.due = Some(self.at(ns) + self.interval());
                }
            }
            INTE => self.enabled = value & 1,
            INTF => self.forced = value & 1,
            // Read-only.
            RESULT | FIFO | INTR | INTS => {}
            _ => return None,
        }
        Some(())
    }

    fn set_control(&mut self, value: u32, ns: u64) {
        self.control = value & CS_HELD;
        if value & CS_EN == 0 {
            self.conversion = None;
            self.due = None;
            return;
        }
        let now = self.at(ns);
        match (value & CS_START_MANY != 0, self.due) {
            (true, None) => {
                self.due = Some(self.conversion.map_or(now, |conversion| conversion.end));
            }
            (false, _) => self.due = None,
            (true, Some(_)) => {}
        }
        if value & CS_START_ONCE != 0 && self.conversion.is_none() {
            self.begin(now);
        }
        self.advance(ns);
    }
}

#[cfg(test)]
mod tests;
