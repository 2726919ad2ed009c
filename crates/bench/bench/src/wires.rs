//! The wires of `probe_protocol::wiring`, and their faults.

use probe_protocol::wiring::{self, Role};
use probe_protocol::{LINES, Wire};
use rp2040_emulator::chip::Drive;

/// Condition of a wire.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum WireState {
    #[default]
    Joined,
    /// Both ends are open.
    Cut,
    /// The end that reads has this level, whatever the other end drives.
    Stuck(bool),
    /// A poor contact: every second pulse does not arrive. Only for wires that the probe reads.
    Halved,
}

/// A fault or event that happens at a given time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The wire of this role changes to this condition.
    Wire(Role, WireState),
    /// The probe's ends of these two wires are exchanged, if [`can_swap`] permits it.
    Swap(Role, Role),
    ResetProbe,
    /// The board's chip is reset; its power stays on.
    ResetBoard,
    /// The board's power fails (`false`), whatever the probe's switch says, or returns (`true`).
    BoardPower(bool),
    /// The USB cable is pulled (`false`) or plugged in (`true`).
    Cable(bool),
}

/// Returns the wire with this name of [`wiring::CONNECTIONS`]. Case does not matter, `-` and `_`
/// are blanks, and `LCD` may be missing.
pub fn named(name: &str) -> Option<Role> {
    let plain = |name: &str| name.to_lowercase().replace(['-', '_'], " ");
    let name = plain(name);
    let is_it = |own: &&wiring::Connection| {
        let own = plain(own.name);
        own == name || own.strip_prefix("lcd ") == Some(&name)
    };
    wiring::CONNECTIONS.iter().find(is_it).map(|it| it.role)
}

/// Returns the names of the wires that can have a fault: all but the power switch's.
pub fn names() -> impl Iterator<Item = &'static str> {
    wiring::CONNECTIONS.iter().filter(|it| it.role != Role::Power).map(|it| it.name)
}

/// Returns whether the bench models the exchange of these two wires: two that the probe reads, two
/// of buttons, or both of the console. Another exchange connects an output of the board to the wire
/// of a button.
pub fn can_swap(one: Role, other: Role) -> bool {
    match (one, other) {
        (Role::Read(Wire::Uart), Role::Console) | (Role::Console, Role::Read(Wire::Uart)) => true,
        (Role::Read(one), Role::Read(other)) => one != other,
        (Role::Button(one), Role::Button(other)) => one != other,
        _ => false,
    }
}

/// Wire of a button line.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LineWire {
    /// Line of the board at the wire's other end.
    pub(crate) board: u8,
    pub(crate) state: WireState,
}

/// Returns the drive of a wire's end at this level.
pub(crate) const fn level(high: bool) -> Drive {
    if high { Drive::High } else { Drive::Low }
}

/// A wire that the probe reads, from pin `board` of the board to pin `probe` of the probe.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reading {
    pub(crate) wire: Wire,
    pub(crate) board: u8,
    pub(crate) probe: u8,
    pub(crate) state: WireState,
    /// Whether the current pulse passes; used only with [`WireState::Halved`]. Every rising edge
    /// toggles it.
    pub(crate) loses: bool,
}

impl Reading {
    /// Returns whether a change to `high` arrives at the probe.
    pub(crate) fn passes(&mut self, high: bool) -> bool {
        match self.state {
            WireState::Joined => true,
            WireState::Cut | WireState::Stuck(_) => false,
            WireState::Halved => {
                // The falling edge of a pulse passes exactly if its rising edge did.
                self.loses ^= high;
                self.loses
            }
        }
    }
}

/// All wires with their condition.
#[derive(Clone, Debug)]
pub(crate) struct Wires {
    pub(crate) readings: Vec<Reading>,
    /// Wires of the button lines, by the probe's line.
    pub(crate) lines: [LineWire; LINES as usize],
    pub(crate) console: WireState,
    /// The debug port's clock and data.
    pub(crate) debug: [WireState; 2],
}

impl Wires {
    pub(crate) fn new() -> Self {
        let readings = wiring::CONNECTIONS.iter().filter_map(|connection| {
            let (Role::Read(wire), Some(board)) = (connection.role, connection.board) else {
                return None;
            };
            Some(Reading {
                wire,
                board,
                probe: connection.probe,
                state: WireState::Joined,
                loses: false,
            })
        });
        Self {
            readings: readings.collect(),
            lines: std::array::from_fn(|line| LineWire {
                board: line as u8,
                state: WireState::Joined,
            }),
            console: WireState::Joined,
            debug: [WireState::Joined; 2],
        }
    }

    pub(crate) fn set(&mut self, role: Role, state: WireState) {
        match role {
            Role::Button(line) => {
                if let Some(wire) = self.lines.get_mut(usize::from(line)) {
                    wire.state = state;
                }
            }
            Role::Read(wire) => {
                for reading in &mut self.readings {
                    if reading.wire == wire {
                        reading.state = state;
                    }
                }
            }
            Role::Console => self.console = state,
            Role::SwdClock => self.debug[0] = state,
            Role::SwdData => self.debug[1] = state,
            // `Fault::BoardPower` operates the switch.
            Role::Power => {}
        }
    }

    pub(crate) fn swap(&mut self, one: Role, other: Role) {
        match (one, other) {
            (Role::Read(one), Role::Read(other)) => self.swap_readings(one, other),
            (Role::Button(one), Role::Button(other)) => {
                let (one, other) = (usize::from(one), usize::from(other));
                let Some(board) = self.lines.get(other).map(|wire| wire.board) else { return };
                let Some(wire) = self.lines.get_mut(one) else { return };
                self.lines[other].board = std::mem::replace(&mut wire.board, board);
            }
            // Both outputs are connected, and both inputs: neither receives anything.
            (one, other) if can_swap(one, other) => {
                self.set(one, WireState::Cut);
                self.set(other, WireState::Cut);
            }
            _ => {}
        }
    }

    fn swap_readings(&mut self, one: Wire, other: Wire) {
        let pin = |wire| self.readings.iter().find(|reading| reading.wire == wire);
        let (Some(first), Some(second)) = (pin(one), pin(other)) else { return };
        let (first, second) = (first.probe, second.probe);
        for reading in &mut self.readings {
            match reading.wire {
                wire if wire == one => reading.probe = second,
                wire if wire == other => reading.probe = first,
                _ => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_wire_but_the_power_switch_has_a_name() {
        for connection in wiring::CONNECTIONS {
            assert_eq!(named(connection.name), Some(connection.role));
            assert_eq!(names().any(|it| it == connection.name), connection.role != Role::Power);
        }
        assert_eq!(named("sck"), Some(Role::Read(Wire::Sck)));
        assert_eq!(named("lcd-SCK"), Some(Role::Read(Wire::Sck)));
        assert_eq!(named("uart0_rx"), Some(Role::Console));
        // The button and the LCD's wire have different names.
        assert_eq!(named("reset"), Some(Role::Button(12)));
        assert_eq!(named("rst"), Some(Role::Read(Wire::Reset)));
        assert_eq!(named("B7"), None);
    }

    #[test]
    fn only_wires_of_one_kind_are_exchanged() {
        let (sck, uart) = (Role::Read(Wire::Sck), Role::Read(Wire::Uart));
        assert!(can_swap(sck, uart) && can_swap(Role::Button(0), Role::Button(12)));
        assert!(can_swap(Role::Console, uart) && can_swap(uart, Role::Console));
        for (one, other) in [
            (sck, sck),
            (Role::Button(3), Role::Button(3)),
            (sck, Role::Button(0)),
            (sck, Role::Console),
            (Role::Power, Role::Power),
        ] {
            assert!(!can_swap(one, other) && !can_swap(other, one), "{one:?} {other:?}");
        }
    }
}
