//! The inputs that continue a sleeping firmware: edges of contacts, movements of controls, typed bytes.

use hal_mock::VirtualBoard;
use virtual_time::Instant;

/// The inputs up to which the firmware has been continued.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct WakeInputs {
    /// Arrival of the last typed byte that has continued the firmware. It may be unread.
    typed: Option<Instant>,
}

impl WakeInputs {
    /// Returns the time of the next input; [`Instant::NEVER`] if there is none.
    pub(super) fn next(self, board: &VirtualBoard) -> Instant {
        let typed = board.next_typed().filter(|typed| self.typed.is_none_or(|last| *typed > last));
        let inputs = [board.next_edge(), board.next_movement(), typed];
        inputs.into_iter().flatten().min().unwrap_or(Instant::NEVER)
    }

    /// Marks the inputs up to `at` as read, so that each continues the firmware once, whether or not it
    /// reads its pin.
    pub(super) fn read(&mut self, board: &VirtualBoard, at: Instant) {
        let terminals = board.terminals();
        for button in board.buttons().all() {
            terminals.is_closed(at, *button);
        }
        terminals.move_controls(at);
        if board.next_typed().is_some_and(|typed| typed <= at) {
            self.typed = board.next_typed();
        }
    }
}
