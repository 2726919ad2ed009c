//! Checks the netlist of the bench (`docs/bench.net`) against the wiring of the protocol, and the
//! currents, levels and times of `docs/hil.md` against the netlist.

use std::collections::BTreeMap;

use probe::bring_up::POWER_GAP;
use probe_protocol::Wire;
use probe_protocol::wiring::{CONNECTIONS, POWER, Role};

const NETLIST: &str = include_str!("../../../../docs/bench.net");
const PAGE: &str = include_str!("../../../../docs/hil.md");

/// Supply of the pins, and their pull-up's range (RP2040 datasheet 5.5.3.4).
const IO_V: f64 = 3.3;
const PULL_UP_OHM: (f64, f64) = (50e3, 80e3);
/// Highest input voltage that is low (5.5.3.4).
const LOW_V: f64 = 0.8;
/// Supply by USB.
const USB_V: f64 = 5.0;
/// Base-emitter voltage of the BC547, and the least current gain at which it is saturated.
const BASE_V: f64 = 0.7;
const GAIN: f64 = 10.0;
/// Gate voltage of an AO3401 at which it begins to conduct: its range (datasheet, V_GS(th)), and the
/// value at a current of 100 mA. Its resistance is specified at `FULLY_ON_V`.
const THRESHOLD_V: (f64, f64) = (0.5, 1.3);
const FULLY_ON_V: f64 = 2.5;
/// Voltage below which the board's chip is in reset: its brown-out detector (RP2040 datasheet 2.10.2)
/// with the Pico's regulator, which needs 1.8 V.
const RESET_V: f64 = 0.5;
/// Capacitance of an input and of 10 cm of wire.
const INPUT_F: f64 = 20e-12;
/// Half a clock of SCK at 31.25 MHz.
const HALF_CLOCK_S: f64 = 16e-9;
/// Power that a resistor of 0207 dissipates.
const RESISTOR_W: f64 = 0.25;
/// Current that a device may request from USB, which the probe's firmware does (USB 2.0, 7.2.1).
const USB_A: f64 = 0.5;

struct Part {
    nodes: Vec<&'static str>,
    value: &'static str,
}

/// Parses `4.7k`, `100n`, `330`.
fn number(text: &str) -> f64 {
    let scale = |letter: char| match letter {
        'k' => 1e3,
        'm' => 1e-3,
        'u' => 1e-6,
        'n' => 1e-9,
        'p' => 1e-12,
        other => panic!("the unit {other} of {text}"),
    };
    match text.strip_suffix(char::is_alphabetic) {
        Some(digits) => {
            digits.parse::<f64>().expect("a number") * scale(text.chars().last().expect("a unit"))
        }
        None => text.parse().expect("a number"),
    }
}

fn parts() -> BTreeMap<&'static str, Part> {
    let lines = NETLIST.lines().filter(|line| !line.is_empty() && !line.starts_with('*'));
    let mut parts = BTreeMap::new();
    for line in lines {
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        let [name, nodes @ .., value] = &words[..] else { panic!("no part: {line}") };
        let part = Part { nodes: nodes.to_vec(), value };
        assert!(parts.insert(*name, part).is_none(), "{name} is there twice");
    }
    parts
}

/// Returns the value of the only part of this kind between two nodes.
#[track_caller]
fn between(parts: &BTreeMap<&str, Part>, kind: char, one: &str, other: &str) -> f64 {
    let joins = |part: &Part| part.nodes == [one, other] || part.nodes == [other, one];
    let found: Vec<f64> = parts
        .iter()
        .filter(|(name, part)| name.starts_with(kind) && joins(part))
        .map(|(_, part)| number(part.value))
        .collect();
    let [value] = found[..] else { panic!("{kind} between {one} and {other}: {found:?}") };
    value
}

/// Returns the resistor that a wire of this role needs.
fn expected(role: Role) -> f64 {
    match role {
        Role::Button(_) => 330.0,
        Role::Read(Wire::Cs | Wire::Sck | Wire::Mosi | Wire::Dc) => 100.0,
        Role::Read(_) | Role::Console | Role::Power => 1e3,
    }
}

#[test]
fn the_netlist_has_exactly_the_wires_of_the_protocol() {
    let parts = parts();
    let mut wires = 0;
    for it in CONNECTIONS {
        let Some(board) = it.board else { continue };
        let ends = (format!("probe.GP{}", it.probe), format!("board.GP{board}"));
        assert_eq!(between(&parts, 'R', &ends.0, &ends.1), expected(it.role), "{}", it.name);
        wires += 1;
    }
    let is_wire = |part: &&Part| part.nodes.iter().all(|node| node.contains(".GP"));
    assert_eq!(parts.values().filter(is_wire).count(), wires);
    // Nothing else is connected to a pin of the board, so the probe can drive none of its outputs.
    let of_board = |part: &&Part| part.nodes.iter().any(|node| node.starts_with("board.GP"));
    assert_eq!(parts.values().filter(of_board).count(), wires);
}

/// Returns the rows of the table in docs/hil.md: a quantity and its value.
fn rows() -> Vec<(String, String)> {
    let parts = parts();
    let r = |one: &str, other: &str| between(&parts, 'R', one, other);
    let (fast, line, slow) =
        (r("probe.GP18", "board.GP18"), r("probe.GP2", "board.GP2"), r("probe.GP1", "board.GP0"));
    let milliamps = |ohm: f64| format!("{:.1} mA", IO_V / ohm * 1e3);
    let pulled_v = IO_V * line / (line + PULL_UP_OHM.0);
    assert!(pulled_v < LOW_V);
    let rise_s = 2.2 * fast * INPUT_F;
    assert!(rise_s < HALF_CLOCK_S / 2.0);

    // The switch. R23 and R24 divide the supply while it is on.
    let (up, down) = (r("gate", "source"), r("gate", "collector"));
    let on_v = USB_V * up / (up + down);
    assert!(on_v > FULLY_ON_V);
    let base_a = (IO_V - BASE_V) / r(&format!("probe.GP{}", POWER.probe), "base");
    assert!(base_a > GAIN * USB_V / down, "Q3 is saturated");
    // While the output rises, the gate stays near the threshold, and the rest of the current of R24
    // charges C1 (Miller).
    let gate_a = (USB_V - THRESHOLD_V.0) / down - THRESHOLD_V.0 / up;
    let gate_f = between(&parts, 'C', "gate", "board.VBUS");
    let slew = gate_a / gate_f;
    let board_f = between(&parts, 'C', "board.VBUS", "GND");
    let bleeder = r("board.VBUS", "GND");
    let inrush_a = slew * board_f + USB_V / bleeder;
    let fuse_a = between(&parts, 'F', "probe.VBUS", "in");
    assert!(inrush_a < fuse_a && fuse_a <= USB_A);
    // C1 holds the gate until R23 has discharged it; then the bleeder discharges the board.
    let hold_s = up * gate_f * (on_v / THRESHOLD_V.0).ln();
    let dark_s = hold_s + bleeder * board_f * (USB_V / RESET_V).ln();
    assert!(dark_s * 1e9 < POWER_GAP.0 as f64, "{dark_s} s");
    let bleeder_w = USB_V * USB_V / bleeder;
    assert!(bleeder_w < RESISTOR_W);
    // Both body diodes point to the common source, so the board's own USB cable feeds nothing.
    for (name, outer) in [("Q1", "in"), ("Q2", "board.VBUS")] {
        assert_eq!(parts[name].nodes, [outer, "gate", "source"], "{name}");
    }
    let row = |name: &str, value: String| (name.to_owned(), value);
    vec![
        row("current through 100 Ω, if two outputs are connected by mistake", milliamps(fast)),
        row("the same through 330 Ω", milliamps(line)),
        row("the same through 1 kΩ", milliamps(slow)),
        row("level of a line that the probe pulls low", format!("{pulled_v:.2} V")),
        row("rise time of SCK, MOSI, DC and CS at the probe", format!("{:.1} ns", rise_s * 1e9)),
        row("gate voltage of the switch while it is on", format!("{on_v:.1} V")),
        row("time in which the board's supply rises", format!("{:.0} ms", USB_V / slew * 1e3)),
        row("current while it rises", format!("{:.0} mA", inrush_a * 1e3)),
        row(
            "time from the switch to a supply of less than 0.5 V",
            format!("{:.0} ms", dark_s * 1e3),
        ),
        row("power of the bleeder", format!("{:.0} mW", bleeder_w * 1e3)),
    ]
}

#[test]
fn the_page_has_the_computed_currents_levels_and_times() {
    for (name, value) in rows() {
        let row = format!("| {name} | {value} |");
        assert!(PAGE.contains(&row), "docs/hil.md lacks `{row}`");
    }
}

#[test]
fn the_parts_list_has_the_parts_of_the_netlist() {
    let parts = parts();
    let count = |kind: char, value: &str| {
        parts.iter().filter(|(name, part)| name.starts_with(kind) && part.value == value).count()
    };
    for (kind, value, named) in [
        ('R', "100", "resistors 100 Ω"),
        ('R', "330", "resistors 330 Ω"),
        ('R', "1k", "resistors 1 kΩ"),
        ('Q', "AO3401", "P-channel MOSFETs AO3401"),
        ('Q', "BC547", "NPN transistor BC547"),
        ('F', "500m", "resettable fuse, 500 mA"),
    ] {
        let row = format!("| {} | {named}", count(kind, value));
        assert!(PAGE.contains(&row), "docs/hil.md lacks `{row}`");
    }
}
