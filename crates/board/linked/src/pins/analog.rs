//! Voltages of potentiometers and joysticks.

use hal_mock::board::Position;

use crate::context;
use virtual_time::Nanos;

/// Time of a conversion (RP2040 datasheet, 4.9: 96 clocks of 48 MHz).
const CONVERSION: Nanos = Nanos(2_000);

/// An axis of a control.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Axis {
    X,
    Y,
}

/// An input of the analog-to-digital converter.
#[derive(Debug)]
pub struct AnalogInput {
    control: usize,
    axis: Axis,
}

impl AnalogInput {
    /// Largest result of a conversion: 12 bits.
    pub const MAX: u16 = 4_095;

    pub(crate) fn new(control: usize, axis: Axis) -> Self {
        Self { control, axis }
    }

    /// Converts the voltage: 0 for 0 V to [`MAX`](Self::MAX) for 3.3 V. A conversion takes 2 µs.
    pub fn read(&mut self) -> u16 {
        let position = context::terminals(|terminals, at| {
            terminals.move_controls(at);
            terminals.position(self.control)
        });
        context::spend(CONVERSION);
        let share = match (position, self.axis) {
            (Some(Position::Axes(x, _)), Axis::X) => x,
            (Some(Position::Axes(_, y)), Axis::Y) => y,
            _ => return 0,
        };
        (share.fraction() * f64::from(Self::MAX)).round() as u16
    }
}
