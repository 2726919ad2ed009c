//! The wiring between probe and board: which pin is connected to which, and for what.
//!
//! The probe is a second Pico. As far as its hardware permits, a wire connects pins of the same
//! number. The UART is crossed: a Pico's UART0 transmits on GPIO 0 and receives on GPIO 1.
//! `docs/wiring.md` has the board's side.
//!
//! These numbers are defined only here: the probe's firmware, the emulated bench, the wiring doctor
//! and the test of the documentation use them.

use crate::LINES;
use crate::message::Wire;

/// Purpose and direction of a wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// Button line 0 to [`LINES`] − 1. The probe pulls it low or releases it, and never drives it
    /// high; the board's pull-up holds it high.
    Button(u8),
    /// A wire that the probe reads through a high-impedance input.
    Read(Wire),
    /// The board's UART0 RX, driven by the probe.
    Console,
    /// The gate of the board's power switch: high is on. It is connected to no pin of the board.
    Power,
    /// The clock of the board's debug port, driven by the probe.
    SwdClock,
    /// The data of the board's debug port, in both directions.
    SwdData,
}

/// A wire between the probe and the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Connection {
    /// GPIO number on the probe.
    pub probe: u8,
    /// GPIO number on the board; `None` if the wire goes to no pin of the board, or to one that has
    /// no such number: those of the debug port.
    pub board: Option<u8>,
    pub role: Role,
    /// Name of the wire on the board, as in `docs/wiring.md`.
    pub name: &'static str,
}

const fn button(line: u8, name: &'static str) -> Connection {
    Connection { probe: 2 + line, board: Some(2 + line), role: Role::Button(line), name }
}

const fn read(pin: u8, wire: Wire, name: &'static str) -> Connection {
    Connection { probe: pin, board: Some(pin), role: Role::Read(wire), name }
}

/// All wires, in the order of the probe's pins.
pub const CONNECTIONS: [Connection; 25] = [
    Connection { probe: 0, board: Some(1), role: Role::Console, name: "UART0 RX" },
    Connection { probe: 1, board: Some(0), role: Role::Read(Wire::Uart), name: "UART0 TX" },
    button(0, "B1"),
    button(1, "B2"),
    button(2, "B3"),
    button(3, "B4"),
    button(4, "B5"),
    button(5, "B6"),
    button(6, "T1"),
    button(7, "T2"),
    button(8, "T3"),
    button(9, "T4"),
    button(10, "T5"),
    button(11, "T6"),
    button(12, "RESET"),
    read(15, Wire::Buzzer, "buzzer"),
    read(17, Wire::Cs, "LCD CS"),
    read(18, Wire::Sck, "LCD SCK"),
    read(19, Wire::Mosi, "LCD MOSI"),
    read(20, Wire::Dc, "LCD DC"),
    read(21, Wire::Reset, "LCD RST"),
    read(22, Wire::Backlight, "LCD backlight"),
    Connection { probe: 26, board: None, role: Role::Power, name: "power switch" },
    Connection { probe: 27, board: None, role: Role::SwdClock, name: "SWCLK" },
    Connection { probe: 28, board: None, role: Role::SwdData, name: "SWDIO" },
];

/// Returns the connection of a wire that the probe reads.
pub const fn of(wire: Wire) -> Connection {
    let mut index = 0;
    while index < CONNECTIONS.len() {
        if let Role::Read(here) = CONNECTIONS[index].role
            && here as u16 == wire as u16
        {
            return CONNECTIONS[index];
        }
        index += 1;
    }
    // Unreachable: the test below checks that every wire is in the table.
    CONNECTIONS[0]
}

/// Connection of the power switch.
pub const POWER: Connection = CONNECTIONS[CONNECTIONS.len() - 3];
/// Connection of the debug port's clock.
pub const SWD_CLOCK: Connection = CONNECTIONS[CONNECTIONS.len() - 2];
/// Connection of the debug port's data.
pub const SWD_DATA: Connection = CONNECTIONS[CONNECTIONS.len() - 1];
/// Connection of the board's UART0 RX.
pub const CONSOLE: Connection = CONNECTIONS[0];
/// GPIO of button line 0 on the probe; the other lines follow.
pub const FIRST_LINE: u8 = CONNECTIONS[2].probe;

const _: () = {
    let mut line = 0;
    while line < LINES {
        let Connection { probe, board, role, .. } = CONNECTIONS[2 + line as usize];
        assert!(matches!(role, Role::Button(number) if number == line));
        // The firmware pulls lines low with a shifted mask.
        assert!(probe == FIRST_LINE + line && matches!(board, Some(pin) if pin == 2 + line));
        line += 1;
    }
    assert!(matches!(POWER.role, Role::Power) && matches!(CONSOLE.role, Role::Console));
    assert!(matches!(SWD_CLOCK.role, Role::SwdClock) && matches!(SWD_DATA.role, Role::SwdData));
    // One PIO instruction reads CS, SCK, MOSI and DC together.
    let cs = of(Wire::Cs).probe;
    assert!(of(Wire::Sck).probe == cs + 1 && of(Wire::Mosi).probe == cs + 2);
    assert!(of(Wire::Dc).probe == cs + 3);
};

#[cfg(test)]
mod tests {
    extern crate std;

    use super::*;

    #[test]
    fn every_wire_is_there_once_and_no_pin_twice() {
        for wire in Wire::ALL {
            assert_eq!(of(wire).role, Role::Read(wire));
        }
        for (index, one) in CONNECTIONS.iter().enumerate() {
            for other in &CONNECTIONS[..index] {
                assert!(one.probe > other.probe, "{} and {}", one.name, other.name);
                assert!(one.role != other.role);
                assert!(one.board.is_none() || one.board != other.board, "{}", one.name);
            }
        }
    }

    /// Checks the pins against docs/wiring.md, which has the board's pins in a table: signal, GPIO
    /// (or a range), pin.
    #[test]
    fn board_pins_match_the_documentation() {
        let table = include_str!("../../../../docs/wiring.md");
        let gpio = |name: &str| {
            let row = table.lines().find_map(|line| {
                let cells = line.strip_prefix(&["| ", name, " | "].concat())?;
                cells.split(" | ").next()?.parse::<u8>().ok()
            });
            row.unwrap_or_else(|| panic!("docs/wiring.md has no row of {name}"))
        };
        let listed =
            CONNECTIONS.iter().filter(|it| !matches!(it.role, Role::Button(line) if line < 12));
        for connection in listed {
            if let Some(pin) = connection.board {
                assert_eq!(gpio(connection.name), pin, "{}", connection.name);
            }
        }
        assert!(table.contains("| B1 … B4 | 2 … 5 |") && table.contains("| T3 … T6 | 10 … 13 |"));
    }

    /// Parses `GP2 … GP7` or `GP14`: the first and the last pin.
    fn pins(text: &str) -> Option<Pins> {
        let mut pins = text.split(" … ").map(|pin| pin.trim().strip_prefix("GP")?.parse().ok());
        let first: u8 = pins.next()??;
        Some((first, pins.next().unwrap_or(Some(first))?))
    }

    /// Returns the name at `index` in `B1 … B6` or `RESET`.
    fn name_at(names: &str, index: u8) -> std::string::String {
        let Some((first, _)) = names.split_once(" … ") else { return names.into() };
        let (letter, number) = first.split_at(1);
        std::format!("{letter}{}", number.parse::<u8>().unwrap() + index)
    }

    /// First and last pin of a row.
    type Pins = (u8, u8);

    /// Parses a row of the drawing: the probe's pins, the wire, the board's pins, their names.
    fn row(line: &str) -> Option<(Pins, &str, Pins, &str)> {
        const WIRE: [char; 3] = ['─', '►', '◄'];
        let (left, right) = (line.find(WIRE)?, line.rfind(WIRE)?);
        let behind = right + line[right..].chars().next()?.len_utf8();
        // Two blanks separate a pin from its name.
        let (board, names) = line[behind..].trim().split_once("  ")?;
        let probe = line[..left].trim().split("  ").next()?;
        Some((pins(probe)?, &line[left..behind], pins(board)?, names.trim()))
    }

    /// Checks the wires against the drawing in docs/hil.md.
    #[test]
    fn the_wiring_drawing_has_exactly_these_wires() {
        let page = include_str!("../../../../docs/hil.md");
        let section = page.split("## Wiring").nth(1).unwrap();
        let drawing = section.split("```").nth(1).unwrap();
        let rows = std::vec::Vec::from_iter(drawing.lines().filter_map(row));
        let mut drawn = 0;
        for (probe, wire, board, names) in &rows {
            assert_eq!(probe.1 - probe.0, board.1 - board.0, "{names}");
            for index in 0..=probe.1 - probe.0 {
                let (probe, name) = (probe.0 + index, name_at(names, index));
                let found = CONNECTIONS.iter().find(|it| it.probe == probe);
                let it =
                    found.unwrap_or_else(|| panic!("there is no wire at the probe's GP{probe}"));
                assert_eq!((it.board, it.name), (Some(board.0 + index), &*name));
                let arrow = match it.role {
                    Role::Console => Some('►'),
                    Role::Read(_) => Some('◄'),
                    Role::Button(_) | Role::Power | Role::SwdClock | Role::SwdData => None,
                };
                let arrows = wire.chars().filter(|letter| *letter != '─' && "►◄".contains(*letter));
                assert!(arrows.eq(arrow), "{name}: {wire}");
                drawn += 1;
            }
        }
        assert_eq!(drawn, CONNECTIONS.iter().filter(|it| it.board.is_some()).count());
        let switch = std::format!("GP{} ──[", POWER.probe);
        assert!(drawing.lines().any(|line| line.trim().starts_with(&*switch)), "{switch}");
        for it in [SWD_CLOCK, SWD_DATA] {
            let begin = std::format!("GP{} ", it.probe);
            let is_wire = |line: &str| line.starts_with(&*begin) && line.ends_with(it.name);
            assert!(drawing.lines().any(|line| is_wire(line.trim())), "{}", it.name);
        }
    }
}
