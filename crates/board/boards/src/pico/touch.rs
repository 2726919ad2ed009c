//! Touch panels: the finger's pixel as raw values of the controllers, and their interrupt lines.
//!
//! `xpt2046` is the resistive controller, an SPI target of the chip; the capacitive one is among the
//! devices on I2C buses (`i2c::ft6206`). Both answer within the chip. An interrupt line
//! (`interrupt_line`) changes with the finger, and at the end of a time slice in which the program has
//! changed the controller's mode.

mod xpt2046;

use hal_mock::board::{Position, Terminals};
use rp2040_emulator::chip::{Chip, Drive, SpiPins};
use trace::Point;
use virtual_time::Instant;

use super::i2c::I2cBuses;
use super::interrupt_line::{Interrupt, InterruptMode};
use super::wiring::{ControlWiring, TouchBus, TouchGlass, TouchWiring};
use xpt2046::Xpt2046;

/// The touch panels of a board whose chip has power.
#[derive(Clone, Default)]
pub(super) struct Touches(Vec<TouchPanel>);

#[derive(Clone)]
struct TouchPanel {
    /// Number of the control.
    control: usize,
    wiring: TouchWiring,
    /// Number of the chip's SPI target.
    target: Option<usize>,
    finger: Option<Point>,
    irq: Interrupt,
}

impl Touches {
    /// Connects the controllers to a chip that is powered on at `now`.
    pub(super) fn attach(
        controls: &[ControlWiring],
        terminals: &Terminals,
        chip: &mut Chip,
        i2c: &mut I2cBuses,
        now: Instant,
    ) -> Self {
        let mut all = Vec::new();
        for (control, wiring) in controls.iter().enumerate() {
            let ControlWiring::Touch(wiring) = *wiring else { continue };
            let target = match wiring.bus {
                TouchBus::I2c => None,
                TouchBus::Spi { sck, mosi, miso, chip_select } => {
                    let pins = [sck, mosi, miso].map(|pin| pin.number());
                    let [sck, mosi, miso] = pins;
                    let pins = SpiPins { sck, mosi, miso };
                    chip.drive(chip_select.number(), Drive::High);
                    let controller = Box::new(Xpt2046::new(control));
                    chip.attach_spi_target(pins, chip_select.number(), controller)
                }
            };
            if let Some(irq) = wiring.irq {
                chip.drive(irq.number(), Drive::High);
            }
            let irq = Interrupt::new();
            all.push(TouchPanel { control, wiring, target, finger: None, irq });
        }
        let mut touches = Self(all);
        touches.follow(terminals, chip, i2c, now);
        touches
    }

    /// Moves the fingers to their positions.
    pub(super) fn follow(
        &mut self,
        terminals: &Terminals,
        chip: &mut Chip,
        i2c: &mut I2cBuses,
        now: Instant,
    ) {
        for panel in &mut self.0 {
            let Some(Position::Touch(finger)) = terminals.position(panel.control) else { continue };
            if std::mem::replace(&mut panel.finger, finger) == finger {
                continue;
            }
            let raw = finger.map(|at| panel.wiring.glass.raw(at));
            match panel.wiring.bus {
                TouchBus::I2c => i2c.touch(panel.control, raw, chip),
                TouchBus::Spi { .. } => chip.change_targets(|target| {
                    if let Some(controller) = target.downcast_mut::<Xpt2046>() {
                        controller.touch(panel.control, raw);
                    }
                }),
            }
        }
        self.drive(chip, i2c, now);
    }

    /// Gives the interrupt lines their levels at `now`.
    pub(super) fn drive(&mut self, chip: &mut Chip, i2c: &I2cBuses, now: Instant) {
        for panel in &mut self.0 {
            let Some(irq) = panel.wiring.irq else { continue };
            let mode = match panel.wiring.bus {
                TouchBus::I2c => i2c.interrupt(panel.control, chip),
                TouchBus::Spi { .. } => match panel.xpt2046(chip) {
                    Some(controller) if !controller.has_interrupt() => InterruptMode::Off,
                    _ => InterruptMode::Level,
                },
            };
            if let Some(level) = panel.irq.change(now, mode, panel.finger.is_some()) {
                chip.drive(irq.number(), level);
            }
        }
    }

    /// Returns the time of the next edge of an interrupt line.
    pub(super) fn next_edge(&self) -> Option<Instant> {
        self.0.iter().filter_map(|panel| panel.irq.next()).min()
    }

    /// Returns a sentence for each controller on an SPI bus whose clock was too fast.
    pub(super) fn notes(&self, chip: &Chip) -> impl Iterator<Item = String> {
        self.0.iter().filter_map(|panel| {
            let TouchBus::Spi { chip_select, .. } = panel.wiring.bus else { return None };
            let too_fast = panel.xpt2046(chip)?.too_fast()?;
            Some(format!("the XPT2046 with CS at {chip_select} {too_fast}"))
        })
    }
}

impl TouchPanel {
    /// Returns the controller, if it is on an SPI bus.
    fn xpt2046<'a>(&self, chip: &'a Chip) -> Option<&'a Xpt2046> {
        let target = self.target.and_then(|number| chip.spi_target(number))? as &dyn std::any::Any;
        target.downcast_ref()
    }
}

impl TouchGlass {
    /// Returns the raw values of X and Y under a pixel of the display as the viewer sees it.
    pub(super) fn raw(&self, Point { x, y }: Point) -> [u16; 2] {
        let (right, bottom) = (self.width.saturating_sub(1), self.height.saturating_sub(1));
        // A pixel of the unrotated glass.
        let (x, y) = match self.turns {
            0 => (x, y),
            1 => (y, bottom.saturating_sub(x)),
            2 => (right.saturating_sub(x), bottom.saturating_sub(y)),
            _ => (right.saturating_sub(y), x),
        };
        let (x, y) = ((x, right), (y, bottom));
        let (along_x, along_y) = if self.is_swapped { (y, x) } else { (x, y) };
        let [edges_x, edges_y] = self.edges;
        [between(edges_x, along_x), between(edges_y, along_y)]
    }
}

/// Returns the value at a pixel, 0 to `last`, of a channel with these values at both.
fn between([from, to]: [u16; 2], (pixel, last): (u16, u16)) -> u16 {
    let (from, to) = (i64::from(from), i64::from(to));
    let last = i64::from(last.max(1));
    let way = (to - from) * i64::from(pixel) * 2;
    let value = from + (way + last).div_euclid(2 * last);
    u16::try_from(value.clamp(from.min(to), from.max(to))).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pixel_has_the_raw_values_of_its_place_on_the_unrotated_glass() {
        let glass = TouchGlass {
            width: 240,
            height: 320,
            turns: 0,
            edges: [[200, 3_900], [300, 3_800]],
            is_swapped: false,
        };
        #[track_caller]
        fn check(glass: TouchGlass, at: (u16, u16), expected: [u16; 2]) {
            assert_eq!(glass.raw(Point { x: at.0, y: at.1 }), expected);
        }
        check(glass, (0, 0), [200, 300]);
        check(glass, (239, 319), [3_900, 3_800]);
        // The top edge of the glass is on the right.
        let right = TouchGlass { turns: 1, ..glass };
        check(right, (319, 0), [200, 300]);
        check(right, (0, 239), [3_900, 3_800]);
        check(right, (319, 239), [3_900, 300]);
        check(TouchGlass { turns: 2, ..glass }, (239, 319), [200, 300]);
        let left = TouchGlass { turns: 3, ..glass };
        check(left, (0, 239), [200, 300]);
        check(left, (319, 0), [3_900, 3_800]);
        let swapped = TouchGlass { is_swapped: true, edges: [[3_900, 200], [0, 239]], ..glass };
        check(swapped, (0, 0), [3_900, 0]);
        check(swapped, (239, 0), [3_900, 239]);
        check(swapped, (0, 319), [200, 0]);
        // A pixel beyond the glass, which no trace has.
        check(glass, (u16::MAX, 0), [3_900, 300]);
    }
}
