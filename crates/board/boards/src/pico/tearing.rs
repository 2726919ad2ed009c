//! TE, the LCD's output by which a program waits for the pause between two scans.
//!
//! The LCD pulls the wire high in each vertical porch, from the time at which the program switches
//! the line on (ILI9341 datasheet, 8.2.30). The first scan begins at that time.

use hal_mock::VirtualBoard;
use rp2040_emulator::chip::{Chip, Drive};
use virtual_time::Instant;

use super::wiring::Gpio;

/// The wire of TE.
#[derive(Clone)]
pub(super) struct Tearing {
    pin: Gpio,
    /// Next edge while the line is on: its time, and whether the level is then high.
    next: Option<(Instant, bool)>,
}

impl Tearing {
    /// Connects TE to `pin`.
    pub(super) fn attach(pin: Gpio, chip: &mut Chip) -> Self {
        chip.drive(pin.number(), Drive::Low);
        Self { pin, next: None }
    }

    /// Returns the time of the next edge.
    pub(super) fn next_edge(&self) -> Option<Instant> {
        self.next.map(|(at, _)| at)
    }

    /// Applies the edges up to now.
    pub(super) fn drive(&mut self, board: &VirtualBoard, chip: &mut Chip) {
        let Some(times) = board.with_lcd(ili9341_model::Ili9341::tearing_times) else {
            if self.next.take().is_some() {
                chip.drive(self.pin.number(), Drive::Low);
            }
            return;
        };
        let now = board.now();
        let (mut at, mut high) = *self.next.get_or_insert((now.saturating_add(times.scan), true));
        while at <= now {
            chip.drive(self.pin.number(), if high { Drive::High } else { Drive::Low });
            // At least 1 ns, so that the loop ends.
            let lasts = if high { times.porch } else { times.scan };
            at = at.saturating_add(lasts.max(virtual_time::Nanos(1)));
            high = !high;
        }
        self.next = Some((at, high));
    }
}
