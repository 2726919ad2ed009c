//! The wiring doctor: infers which wire is likely faulty from what the probe has observed while a
//! board started.
//!
//! [`Evidence`] is the set of observations, [`diagnose`] names the fault, [`buttons`] those of the
//! buttons' wires, [`pin_table`] lists the wires. A [`Reference`] is what a correctly wired board
//! sends first; the caller takes it from a virtual board. The module knows no firmware and opens no
//! port.

pub mod buttons;
mod exchanged;

use std::fmt;

use probe_protocol::wiring::{CONNECTIONS, CONSOLE, Connection, Role, of};
use probe_protocol::{LINES, Wire};

use crate::error::SCK_LIMITS;
use crate::session::{BadBurst, Levels};
use buttons::ButtonFault;

/// A byte sent to the LCD, with the level of DC.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sent {
    /// Level of DC: high is data, low a command.
    pub data: bool,
    pub byte: u8,
}

/// Number of bytes from power-on that are examined.
pub const EXAMINED_BYTES: usize = 512;

/// Observations since the power was switched on, over a second or more.
#[derive(Clone, Debug, Default)]
pub struct Evidence {
    /// Current levels of the wires, and which of them have changed.
    pub levels: Levels,
    /// Lines that the probe itself pulls low; bit 0 is B1.
    pub pressed: u16,
    /// First bytes sent to the LCD, at most [`EXAMINED_BYTES`].
    pub lcd: Vec<Sent>,
    /// Whether anything was received on the console.
    pub speaks: bool,
    /// Whether the `boot` line was received.
    pub booted: bool,
    /// Buttons that the board has named as down at power-on; bit 0 is B1.
    pub stuck: u16,
    /// A wire of [`SLOW`] that has changed its level [too often](SLOW_EDGES).
    pub fast: Option<Wire>,
    /// The first burst that the probe has not seen whole.
    pub bad_burst: Option<BadBurst>,
    /// Whether RST was not high when the first byte was sent.
    pub in_reset: bool,
}

/// Wires that change a few times a second at most; the buzzer's does not change at all while a
/// board starts.
pub const SLOW: [Wire; 3] = [Wire::Reset, Wire::Backlight, Wire::Buzzer];

/// Wires that are all needed to receive a byte. CS is first: without it no byte is received.
const LCD_WIRES: [Wire; 4] = [Wire::Cs, Wire::Sck, Wire::Mosi, Wire::Dc];

/// Number of edges that none of [`SLOW`] reaches while a board starts: RST is low once (ILI9341
/// datasheet 15.4), the backlight is switched on once.
pub const SLOW_EDGES: usize = 16;

/// First bytes that a correctly wired board sends.
#[derive(Clone, Debug, Default)]
pub struct Reference(pub Vec<Sent>);

/// A likely fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Diagnosis {
    /// Every button line is low: no pull-up has power.
    NoPower,
    /// These lines are low although the probe does not press them.
    PulledLow(Vec<u8>),
    /// No wire changes.
    NothingMoves,
    /// The firmware writes on the console, but no wire of the LCD changes.
    NoLcd,
    /// The LCD's other wires change, but this one does not.
    Still {
        wire: Wire,
        /// Constant level of the wire.
        high: bool,
    },
    /// These two wires are exchanged.
    Exchanged(Wire, Wire),
    /// Every second clock is missed.
    HalfTheBits,
    /// The probe has lost bits of a burst.
    LostBits(BadBurst),
    /// Bytes are sent while RST is low.
    InReset,
    /// The bytes are not commands of an LCD.
    Garbled,
    /// The firmware initialises this other controller.
    OtherController(&'static str),
    /// The board draws, but nothing on its console is readable.
    ConsoleUnreadable {
        /// Whether anything was received, though no line of this firmware.
        speaks: bool,
    },
    /// The board writes on its console, but does not answer a line.
    ConsoleUnanswered,
    /// The wires of buttons. [`examine_buttons`](crate::bring_up::examine_buttons) finds all of
    /// these.
    Buttons(Vec<ButtonFault>),
    /// The firmware draws in another orientation (MADCTL).
    Orientation {
        /// Value that the board sends.
        found: u8,
        /// Value that the reference sends.
        expected: u8,
    },
}

impl Diagnosis {
    /// Returns the wires to check first.
    pub fn wires(&self) -> Vec<Connection> {
        let lines = |lines: &[u8]| {
            let is_one =
                |it: &&Connection| matches!(it.role, Role::Button(line) if lines.contains(&line));
            CONNECTIONS.iter().filter(is_one).copied().collect()
        };
        match self {
            Self::NoPower | Self::NothingMoves => {
                let is_power = |it: &&Connection| it.role == Role::Power;
                CONNECTIONS.iter().filter(is_power).copied().collect()
            }
            Self::PulledLow(low) => lines(low),
            Self::Buttons(faults) => faults.iter().flat_map(ButtonFault::wires).collect(),
            Self::NoLcd => LCD_WIRES.map(of).to_vec(),
            Self::Garbled => [Wire::Sck, Wire::Mosi].map(of).to_vec(),
            Self::Still { wire, .. } => vec![of(*wire)],
            Self::Exchanged(one, other) => [*one, *other].map(of).to_vec(),
            Self::InReset => [Wire::Reset, Wire::Backlight].map(of).to_vec(),
            Self::HalfTheBits | Self::LostBits(_) => vec![of(Wire::Sck)],
            Self::ConsoleUnreadable { .. } => vec![of(Wire::Uart)],
            Self::ConsoleUnanswered => vec![CONSOLE],
            Self::OtherController(_) | Self::Orientation { .. } => Vec::new(),
        }
    }
}

impl fmt::Display for Diagnosis {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoPower => out.write_str(
                "all 13 button lines are low: the board has no power, or its ground is not joined to the probe's; look at the \
                 power switch and at GND",
            ),
            Self::PulledLow(low) => {
                let names: Vec<_> = self.wires().iter().map(|it| format!("{} (GP{})", it.name, it.probe)).collect();
                let (is, it) = if low.len() == 1 { ("is", "it") } else { ("are", "them") };
                write!(
                    out,
                    "{} {is} low although the probe does not press {it}: a button is stuck, or its wire touches ground",
                    names.join(", ")
                )
            }
            Self::Buttons(faults) => {
                let faults: Vec<_> = faults.iter().map(ToString::to_string).collect();
                out.write_str(&faults.join("; "))
            }
            Self::NothingMoves => out.write_str(
                "nothing moves on any wire: the board has no power, no ground in common with the probe, or no firmware",
            ),
            Self::NoLcd => out.write_str(
                "the board speaks on its console, and nothing moves on the LCD's wires: those of CS, SCK, MOSI and DC are off, or \
                 its firmware drives no LCD",
            ),
            Self::Still { wire, high } => {
                let it = of(*wire);
                let level = if *high { "high" } else { "low" };
                write!(
                    out,
                    "{} (GP{}) stays {level} while the LCD's other wires move: its wire is off, or touches {}",
                    it.name,
                    it.probe,
                    if *high { "3.3 V" } else { "ground" }
                )
            }
            Self::Exchanged(one, other) => {
                let (one, other) = (of(*one), of(*other));
                write!(
                    out,
                    "{} (GP{}) and {} (GP{}) are exchanged, or touch each other: each moves as the other should",
                    one.name, one.probe, other.name, other.probe
                )
            }
            Self::InReset => out.write_str(
                "bytes come for the LCD while LCD RST (GP21) is low: it is exchanged with the backlight (GP22), or the firmware \
                 resets no LCD before it writes",
            ),
            Self::HalfTheBits => out.write_str(
                "every second bit is missing: LCD SCK (GP18) has a poor contact, or its wire is too long",
            ),
            Self::LostBits(BadBurst { clocks, bytes }) => write!(
                out,
                "bits are lost on LCD SCK (GP18): {clocks} clocks in a burst of {bytes} bytes; {SCK_LIMITS}"
            ),
            Self::Garbled => out.write_str(
                "what comes on the LCD's wires are no commands of an ILI9341: LCD SCK (GP18) or LCD MOSI (GP19) has a poor \
                 contact or a long wire",
            ),
            Self::ConsoleUnreadable { speaks: false } => out.write_str(
                "nothing comes on the console: UART0 TX (board GP0, probe GP1) is off, or the power switch (probe GP26) leaves the board on",
            ),
            Self::ConsoleUnreadable { speaks: true } => out.write_str(
                "what comes on the console is no `boot` line: the board's firmware is another one, or has crashed",
            ),
            Self::ConsoleUnanswered => out.write_str(
                "the board does not answer on its console: UART0 RX (probe GP0, board GP1) is off, or its firmware has no commands",
            ),
            Self::OtherController(name) => write!(
                out,
                "this is an {name}'s initialisation: the firmware was built for another LCD, and the board's has an ILI9341"
            ),
            Self::Orientation { found, expected } => {
                let turned = (found ^ expected) & 0xE0;
                let how = match turned {
                    0x40 | 0x80 => "mirrored",
                    0xC0 => "upside down",
                    _ => "turned",
                };
                write!(
                    out,
                    "the picture is {how}: the firmware sets the LCD's memory access (36h) to {found:02X}h, and this board's is \
                     {expected:02X}h"
                )
            }
        }
    }
}

/// Memory access control, ILI9341 datasheet 8.2.29.
const MADCTL: u8 = 0x36;
/// Sleep out and display on, 8.2.12 and 8.2.19; every initialisation has both.
const SLPOUT: u8 = 0x11;
const DISPON: u8 = 0x29;

/// Commands of a controller that an ILI9341 does not have or defines differently, by the command
/// tables of the datasheets: ST7789V 9.2, ST7735S 10.2, GC9A01 6.4, HX8357-D 6.2, SSD1306 9.
const CONTROLLERS: [(&str, &[u8]); 5] = [
    // GCTRL B7h, VCOMS BBh, VRHS C3h, VDVS C4h, FRCTRL2 C6h, PWCTRL1 D0h; vertical scrolling 33h
    // before display on, as drivers of this chip send it.
    ("ST7789", &[0xBB, 0xC3, 0xC4, 0xC6, 0xD0, 0x33]),
    // FRMCTR3 B3h, PWCTR3 C2h, PWCTR6 FCh.
    ("ST7735", &[0xB3, 0xC2, 0xFC]),
    // Inter register enable FEh and EFh.
    ("GC9A01", &[0xFE, 0xEF, 0x84, 0x85]),
    // SETEXTC B9h, SETSTBA C0h, SETPANEL CCh.
    ("HX8357", &[0xB9, 0xCC]),
    // Display off AEh, charge pump 8Dh, clock D5h.
    ("SSD1306", &[0xAE, 0x8D, 0xD5]),
];

/// Number of bytes from which on it is significant that all have equal bits: a start sends at least
/// this many commands and arguments.
const WHOLE_BYTES: usize = 8;

/// Number of commands unknown to any ILI9341 driver that identify another controller, in a complete
/// initialisation.
const FOREIGN_COMMANDS_MIN: usize = 2;

/// Returns the likely fault; `None` if the wires show no fault.
pub fn diagnose(evidence: &Evidence, reference: &Reference) -> Option<Diagnosis> {
    let Evidence { levels, pressed, lcd, speaks, booted, stuck, fast, in_reset, bad_burst } =
        evidence;
    if let Some(slow) = *fast {
        return Some(exchanged(slow, exchanged::partner_of_slow(evidence)));
    }
    let all: u16 = (1 << LINES) - 1;
    let low = !levels.lines & !pressed & all;
    if low == all {
        return Some(Diagnosis::NoPower);
    }
    // The probe has no pull-up: a line that is low here and not on the board is open.
    let open = if *booted { low & !stuck } else { 0 };
    let lines = |of: u16| (0..LINES).filter(move |line| of & 1 << line != 0);
    if low & !open != 0 {
        return Some(Diagnosis::PulledLow(lines(low & !open).collect()));
    }
    if open != 0 {
        return Some(Diagnosis::Buttons(lines(open).map(ButtonFault::Off).collect()));
    }
    let moved = |wire: Wire| levels.moved & wire.bit() != 0;
    let still = |wire: Wire| match moved(Wire::Buzzer) {
        // The buzzer is silent while a board starts.
        true => exchanged(wire, Wire::Buzzer),
        false => Diagnosis::Still { wire, high: levels.high & wire.bit() != 0 },
    };
    if !LCD_WIRES.into_iter().any(moved) {
        return Some(if *speaks { Diagnosis::NoLcd } else { Diagnosis::NothingMoves });
    }
    // A wire that is constant while the others change.
    if let Some(wire) = LCD_WIRES.into_iter().find(|wire| !moved(*wire)) {
        return Some(still(wire));
    }
    let commands: Vec<u8> = lcd.iter().filter(|sent| !sent.data).map(|sent| sent.byte).collect();
    if let Some((one, other)) = exchanged::among_fast(evidence, reference) {
        return Some(exchanged(one, other));
    }
    if is_half(lcd, &reference.0) {
        return Some(Diagnosis::HalfTheBits);
    }
    if let Some(controller) = other_controller(&commands, &reference.0) {
        return Some(Diagnosis::OtherController(controller));
    }
    if !commands.contains(&SLPOUT) || !commands.contains(&DISPON) {
        return Some(bad_burst.map_or(Diagnosis::Garbled, Diagnosis::LostBits));
    }
    match (argument(lcd, MADCTL), argument(&reference.0, MADCTL)) {
        (Some(found), Some(expected)) if (found ^ expected) & 0xE0 != 0 => {
            Some(Diagnosis::Orientation { found, expected })
        }
        // The bytes are right. Every start resets the LCD before them and switches the backlight on
        // after them.
        _ => [Wire::Reset, Wire::Backlight]
            .into_iter()
            .find(|wire| !moved(*wire))
            .map(still)
            .or(in_reset.then_some(Diagnosis::InReset))
            .or((!booted && moved(Wire::Buzzer)).then(|| exchanged(Wire::Uart, Wire::Buzzer)))
            .or(bad_burst.map(Diagnosis::LostBits)),
    }
}

/// Returns the diagnosis with the wires in the order of the probe's pins.
fn exchanged(one: Wire, other: Wire) -> Diagnosis {
    let is_first = of(one).probe < of(other).probe;
    let (one, other) = if is_first { (one, other) } else { (other, one) };
    Diagnosis::Exchanged(one, other)
}

/// Returns the first argument of the first `command`.
fn argument(lcd: &[Sent], command: u8) -> Option<u8> {
    let mut behind = lcd.iter().skip_while(|sent| sent.data || sent.byte != command).skip(1);
    behind.next().filter(|sent| sent.data).map(|sent| sent.byte)
}

/// Returns the controller of whose own commands at least [`FOREIGN_COMMANDS_MIN`] occur here and
/// not in the reference.
fn other_controller(commands: &[u8], reference: &[Sent]) -> Option<&'static str> {
    let known = |command: &u8| reference.iter().any(|sent| !sent.data && sent.byte == *command);
    let foreign = |own: &[u8]| own.iter().filter(|it| commands.contains(it) && !known(it)).count();
    let (name, count) =
        CONTROLLERS.iter().map(|(name, own)| (*name, foreign(own))).max_by_key(|it| it.1)?;
    (count >= FOREIGN_COMMANDS_MIN).then_some(name)
}

/// Number of bytes from which on it is significant that none of them is a command: several windows
/// and their pixels.
const WITHOUT_A_COMMAND: usize = 64;

/// Returns whether the received bytes are every second bit of what was sent: of the reference, or,
/// for a board that shows something else, data without any command. With half the clocks a command,
/// or a single byte of data, is half a byte, which the probe drops; what remains are bytes sent
/// back to back, and those are data.
fn is_half(lcd: &[Sent], reference: &[Sent]) -> bool {
    /// Number of bytes compared: two random sequences agree over this length once in 4 billion
    /// times.
    const COMPARED: usize = 4;
    let found: Vec<u8> = lcd.iter().map(|sent| sent.byte).collect();
    let half_of = |run: &[Sent], phase: usize| -> Vec<u8> {
        let bits: Vec<bool> = run
            .iter()
            .flat_map(|sent| (0..8).rev().map(|bit| sent.byte & 1 << bit != 0))
            .skip(phase)
            .step_by(2)
            .collect();
        let byte = |bits: &[bool]| bits.iter().fold(0, |byte, bit| byte << 1 | u8::from(*bit));
        bits.chunks_exact(8).map(byte).collect()
    };
    let is_data = lcd.len() >= WITHOUT_A_COMMAND && lcd.iter().all(|sent| sent.data);
    is_data
        || (0..2).any(|phase| {
            let runs = reference.chunk_by(|one, next| one.data && next.data);
            let whole: Vec<u8> = runs.flat_map(|run| half_of(run, phase)).collect();
            found.len() >= COMPARED
                && whole.len() >= COMPARED
                && found[..COMPARED] == whole[..COMPARED]
        })
}

/// Returns the wires as a table; a `*` marks those to check.
pub fn pin_table(suspects: &[Connection]) -> String {
    let mut table = String::from("    probe  board  wire\n");
    for it in CONNECTIONS {
        let mark = if suspects.contains(&it) { '*' } else { ' ' };
        let board = it.board.map_or_else(|| "-".to_owned(), |pin| format!("GP{pin}"));
        let probe = format!("GP{}", it.probe);
        table += &format!("  {mark} {probe:<5}  {board:<5}  {}\n", it.name);
    }
    table + "    GND    GND    ground\n"
}

#[cfg(test)]
mod tests;
