//! Checks the netlist of the bench (`docs/bench.net`) against the wiring of the protocol, and the
//! currents, levels and times of `docs/hil.md` against the netlist.

use std::collections::BTreeMap;

use probe::bring_up::POWER_GAP;
use probe_protocol::Wire;
use probe_protocol::wiring::{CONNECTIONS, POWER, Role, SWD_DATA};

const NETLIST: &str = include_str!("../../../../docs/bench.net");
const PAGE: &str = include_str!("../../../../docs/hil.md");

/// Supply of the pins, and their pull-up's range (RP2040 datasheet 5.5.3.4).
const IO_V: f64 = 3.3;
const PULL_UP_OHM: (f64, f64) = (50e3, 80e3);
/// Highest input voltage that is low (5.5.3.4).
const LOW_V: f64 = 0.8;
/// Supply by USB, and its least value at a hub without a supply of its own (USB 2.0, 7.2.2).
const USB_V: f64 = 5.0;
const USB_LEAST_V: f64 = 4.4;
/// Current for which a pin is specified (RP2040 datasheet 5.5.3.4).
const PIN_A: f64 = 12e-3;
/// Current of a board with a lit LCD: an assumption. The probe takes less than half of `USB_A`.
const BOARD_A: f64 = 0.25;
/// Largest resistance of a resettable fuse of 500 mA (MF-R050, R1max), and of an AO3401 at
/// `FULLY_ON_V`.
const FUSE_OHM: f64 = 1.17;
const SWITCH_OHM: f64 = 85e-3;
/// Least voltage at pin 40: a module's regulator needs 4.3 V for 3.3 V.
const PIN_40_V: f64 = 4.3;
/// Wires with a pull-up of the probe (firmware-probe/src/board.rs).
const PULLED_UP: [Wire; 2] = [Wire::Cs, Wire::Uart];
/// Base-emitter voltage of the BC547, and the least current gain at which it is saturated.
const BASE_V: f64 = 0.7;
const GAIN: f64 = 10.0;
/// Gate voltage of an AO3401 at which it begins to conduct: its range (datasheet, V_GS(th)), and
/// the value at a current of 100 mA. Its resistance is specified at `FULLY_ON_V`.
const THRESHOLD_V: (f64, f64) = (0.5, 1.3);
const FULLY_ON_V: f64 = 2.5;
/// Voltage below which the board's chip is in reset: its brown-out detector (RP2040 datasheet
/// 2.10.2) with the Pico's regulator, which needs 1.8 V.
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
        Role::Read(Wire::Cs | Wire::Sck | Wire::Mosi | Wire::Dc)
        | Role::SwdClock
        | Role::SwdData => 100.0,
        Role::Read(_) | Role::Console | Role::Power => 1e3,
    }
}

#[test]
fn the_netlist_has_exactly_the_wires_of_the_protocol() {
    let parts = parts();
    let mut wires = 0;
    for it in CONNECTIONS {
        let board = match (it.role, it.board) {
            // The debug port's pins have no number.
            (Role::SwdClock | Role::SwdData, _) => format!("board.{}", it.name),
            (_, Some(board)) => format!("board.GP{board}"),
            (_, None) => continue,
        };
        let ends = (format!("probe.GP{}", it.probe), board);
        assert_eq!(between(&parts, 'R', &ends.0, &ends.1), expected(it.role), "{}", it.name);
        wires += 1;
    }
    let is_pin = |node: &&'static str| node.contains(".GP") || node.starts_with("board.SW");
    let is_wire = |part: &&Part| part.nodes.iter().all(&is_pin);
    assert_eq!(parts.values().filter(is_wire).count(), wires);
    // Nothing else is connected to a pin of the board, so the probe can drive none of its outputs.
    let of_board =
        |part: &&Part| part.nodes.iter().any(|it| it.starts_with("board.") && is_pin(it));
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

    // SWDIO is pulled up (ADIv5.2 B4.1.3), and drives against it. Without power, the board gets no
    // more than this current through its pin.
    let data = format!("probe.GP{}", SWD_DATA.probe);
    let data_ohm = r(&data, "board.SWDIO");
    let both_ohm = 1.0 / (1.0 / r(&data, "probe.3V3") + 1.0 / PULL_UP_OHM.0);
    assert!(IO_V * data_ohm / (data_ohm + both_ohm) < LOW_V);
    let leak_a = IO_V / (both_ohm + data_ohm);
    assert!(leak_a * r("board.VBUS", "GND") < RESET_V, "a board that is off stays off");

    // The switch. R23 and R24 divide the supply while it is on.
    let (up, down) = (r("gate", "source"), r("gate", "collector"));
    let on_v = USB_V * up / (up + down);
    assert!(on_v * USB_LEAST_V / USB_V > FULLY_ON_V);
    let dropped_v = BOARD_A * (FUSE_OHM + 2.0 * SWITCH_OHM);
    assert!(USB_V - dropped_v > PIN_40_V);
    let base_a = (IO_V - BASE_V) / r(&format!("probe.GP{}", POWER.probe), "base");
    assert!(base_a > GAIN * USB_V / down, "Q3 is saturated");
    assert!(base_a < PIN_A);
    let fed_a = PULLED_UP.len() as f64 * IO_V / PULL_UP_OHM.0;
    let exceeded = [fast, line, slow].map(|ohm| IO_V / ohm > PIN_A);
    assert_eq!(exceeded, [true, false, false], "`through 100 Ω it is exceeded`");
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
        row("current of GP26 while the board is on", format!("{:.1} mA", base_a * 1e3)),
        row(
            "current of the probe's pull-ups into a board without power",
            format!("{:.2} mA", fed_a * 1e3),
        ),
        row("rise time of SCK, MOSI, DC and CS at the probe", format!("{:.1} ns", rise_s * 1e9)),
        row(
            "current from SWDIO's pull-ups into a board that is off",
            format!("{:.2} mA", leak_a * 1e3),
        ),
        row("gate voltage of the switch while it is on", format!("{on_v:.1} V")),
        row(
            "voltage at the board's pin 40 at a current of 250 mA, at least",
            format!("{:.2} V", USB_V - dropped_v),
        ),
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

/// Writes a value as the page does.
fn shown(value: &str, unit: &str) -> String {
    let (number, scale) = value.strip_suffix(char::is_alphabetic).map_or((value, ""), |number| {
        (number, if value.ends_with('u') { "µ" } else { &value[number.len()..] })
    });
    format!("{number} {scale}{unit}")
}

/// The numbers in the sentences and in the drawing are those of the netlist.
#[test]
fn the_sentences_and_the_drawing_have_the_values_of_the_netlist() {
    let parts = parts();
    let board_uf = shown(parts["C2"].value, "F");
    let gap_ms = POWER_GAP.0 / 1_000_000;
    for sentence in [
        format!("the bleeder empties the board's capacitors ({board_uf} are assumed)"),
        format!("switches the power on less than {gap_ms} ms after"),
        format!("specified for {:.0} mA: through 100 Ω it is exceeded", PIN_A * 1e3),
        "run at 31.25 MHz: at most 10 cm each".to_owned(),
    ] {
        assert!(PAGE.contains(&sentence), "docs/hil.md lacks `{sentence}`");
    }
    assert_eq!(HALF_CLOCK_S, 0.5 / 31.25e6);
    let drawing = PAGE.split("power switch: the board gets").nth(1).expect("the drawing");
    let drawing = drawing.split("```").next().expect("its end");
    for name in ["R23", "R24", "R25", "R26", "C1"] {
        let value = shown(parts[name].value, if name.starts_with('R') { "Ω" } else { "F" });
        assert!(drawing.contains(&format!("[ {value}")), "{name}: the drawing lacks {value}");
    }
    assert!(drawing.contains(&format!("fuse {} A", number(parts["F1"].value))));
    for part in ["AO3401", "BC547"] {
        assert!(drawing.contains(part), "{part}");
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
        ('C', "100n", "capacitor 100 nF"),
    ] {
        let row = format!("| {} | {named}", count(kind, value));
        assert!(PAGE.contains(&row), "docs/hil.md lacks `{row}`");
    }
    let others = ["220", "47k", "100k"].map(|value| count('R', value));
    assert_eq!(others, [1, 1, 2]);
    assert!(PAGE.contains("| 4 | resistors 220 Ω, 47 kΩ and 100 kΩ (two) |"));
    // C2 is on the board; all other parts are on the list.
    let listed = parts.keys().filter(|name| **name != "C2").count();
    let rows = PAGE.split("## Parts").nth(1).and_then(|it| it.split("##").next()).expect("a list");
    let cells = |row: &'static str| row.trim_matches(['|', ' ']).split(" | ").collect::<Vec<_>>();
    let bought: Vec<_> = rows.lines().filter(|row| row.starts_with("| ")).map(cells).collect();
    let is_part = |row: &&Vec<&str>| {
        let kinds = ["resistor", "capacitor", "fuse", "transistor", "MOSFET"];
        kinds.iter().any(|kind| row.get(1).is_some_and(|name| name.contains(kind)))
    };
    let counted =
        bought.iter().filter(is_part).map(|row| row[0].parse::<usize>().expect("a count"));
    assert_eq!(counted.sum::<usize>(), listed);
    let prices = |row: &Vec<&str>| row.get(2).and_then(|cell| cell.parse::<f64>().ok());
    let is_total = |row: &&Vec<&str>| row.contains(&"total");
    let total = bought.iter().find(is_total).and_then(|row| row.last()?.parse::<f64>().ok());
    let sum: f64 = bought.iter().filter(|row| !is_total(row)).filter_map(prices).sum();
    assert!(total.is_some_and(|total| (total - sum).abs() < 0.005), "{total:?} and {sum}");
}
