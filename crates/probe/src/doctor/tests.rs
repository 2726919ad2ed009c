//! Each fault of the wires, made from what a board that is wired right shows.

use super::*;

fn command(byte: u8) -> Sent {
    Sent { data: false, byte }
}

fn data(byte: u8) -> Sent {
    Sent { data: true, byte }
}

/// As mipidsi sets an ILI9341 up.
fn reference() -> Reference {
    Reference(vec![
        command(0x36),
        data(0x28),
        command(0xB4),
        data(0),
        command(0x20),
        command(0x3A),
        data(0x55),
        command(0x13),
        command(SLPOUT),
        command(DISPON),
        command(0x2A),
        data(0),
        data(0),
        data(1),
        data(0x3F),
    ])
}

fn bits(wires: &[Wire]) -> u16 {
    wires.iter().fold(0, |all, wire| all | wire.bit())
}

const LCD: [Wire; 4] = [Wire::Cs, Wire::Sck, Wire::Mosi, Wire::Dc];

fn sound() -> Evidence {
    let moved = bits(&LCD) | bits(&[Wire::Reset, Wire::Backlight]);
    let levels = Levels { high: bits(&[Wire::Cs]), moved, lines: (1 << LINES) - 1 };
    Evidence { levels, pressed: 0, lcd: reference().0, speaks: true, ..Evidence::default() }
}

#[track_caller]
fn check(evidence: &Evidence, expected: &Diagnosis, named: &[&str]) {
    let found = diagnose(evidence, &reference());
    assert_eq!(found.as_ref(), Some(expected));
    let words = expected.to_string();
    for name in named {
        assert!(words.contains(name), "{words}");
    }
}

#[test]
fn a_board_that_is_wired_right_has_nothing() {
    assert_eq!(diagnose(&sound(), &reference()), None);
    // A button that the probe itself presses is low.
    let mut pressed = sound();
    (pressed.levels.lines, pressed.pressed) = (((1 << LINES) - 1) & !4, 4);
    assert_eq!(diagnose(&pressed, &reference()), None);
}

#[test]
fn a_line_that_something_else_pulls_down_is_named() {
    let mut evidence = sound();
    evidence.levels.lines &= !(1 << 2 | 1 << 12);
    let low = Diagnosis::PulledLow(vec![2, 12]);
    check(&evidence, &low, &["B3 (GP4)", "RESET (GP14)"]);
    assert_eq!(low.wires().len(), 2);
    evidence.levels.lines = 0;
    check(&evidence, &Diagnosis::NoPower, &["GND"]);
}

#[test]
fn reset_or_the_backlight_that_stands_still_or_moves_as_another_wire_is_named() {
    for (wire, name) in [(Wire::Reset, "LCD RST (GP21)"), (Wire::Backlight, "LCD backlight (GP22)")]
    {
        let mut evidence = sound();
        evidence.levels.moved &= !wire.bit();
        check(&evidence, &Diagnosis::Still { wire, high: false }, &[name, "ground"]);
        // What is exchanged with it may stand still, or bring nonsense: the fast one tells more.
        evidence.levels.moved &= !Wire::Sck.bit();
        evidence.fast = Some(wire);
        check(&evidence, &Diagnosis::TooFast(wire), &[name, "exchanged"]);
        assert!(Diagnosis::TooFast(wire).wires().iter().any(|it| it.role == Role::Read(wire)));
    }
}

#[test]
fn reset_that_is_low_while_bytes_come_is_named() {
    let evidence = Evidence { in_reset: true, ..sound() };
    check(&evidence, &Diagnosis::InReset, &["LCD RST (GP21)", "backlight (GP22)"]);
}

#[test]
fn bytes_of_equal_bits_are_dc_in_the_place_of_mosi() {
    let lcd = |byte: fn(usize) -> u8, dc: fn(usize) -> bool| -> Vec<Sent> {
        (0..20).map(|nth| Sent { data: dc(nth), byte: byte(nth) }).collect()
    };
    let either = |nth: usize| if nth.is_multiple_of(3) { 0x00 } else { 0xFF };
    for dc in [|_| false, |nth: usize| nth.is_multiple_of(2)] {
        let evidence = Evidence { lcd: lcd(either, dc), ..sound() };
        check(&evidence, &Diagnosis::MosiAndDcSwapped, &["MOSI (GP19)", "DC (GP20)"]);
    }
    let evidence = Evidence { lcd: lcd(|nth| nth as u8, |_| false), ..sound() };
    check(&evidence, &Diagnosis::DcAndCsSwapped, &["DC (GP20)", "CS (GP17)"]);
}

#[test]
fn a_wire_of_the_lcd_that_is_off_is_named() {
    for wire in LCD {
        let mut evidence = sound();
        evidence.levels.moved &= !wire.bit();
        evidence.levels.high &= !wire.bit();
        check(
            &evidence,
            &Diagnosis::Still { wire, high: false },
            &[of(wire).name, "low", "ground"],
        );
        evidence.levels.high |= wire.bit();
        check(&evidence, &Diagnosis::Still { wire, high: true }, &[of(wire).name, "high", "3.3 V"]);
    }
}

#[test]
fn no_bytes_at_all_depend_on_the_console() {
    let mut evidence = sound();
    evidence.levels.moved = 0;
    evidence.lcd.clear();
    check(&evidence, &Diagnosis::NoLcd, &["console"]);
    evidence.speaks = false;
    check(&evidence, &Diagnosis::NothingMoves, &["no firmware"]);
}

#[test]
fn dc_and_cs_that_are_exchanged_are_told_from_a_dc_that_is_stuck() {
    let mut evidence = sound();
    // Bytes are taken while DC is low: commands, with CS, which is low then, for DC.
    evidence.lcd.retain(|sent| !sent.data);
    check(&evidence, &Diagnosis::DcAndCsSwapped, &["GP20", "GP17"]);
    evidence.levels.moved &= !Wire::Dc.bit();
    check(&evidence, &Diagnosis::Still { wire: Wire::Dc, high: false }, &["LCD DC (GP20)"]);
}

#[test]
fn half_the_bits_are_told_from_noise() {
    let whole: Vec<bool> = reference()
        .0
        .iter()
        .flat_map(|sent| (0..8).rev().map(|bit| sent.byte & 1 << bit != 0))
        .collect();
    for phase in 0..2 {
        let half: Vec<bool> = whole[phase..].iter().step_by(2).copied().collect();
        let byte = |bits: &[bool]| bits.iter().fold(0, |byte, bit| byte << 1 | u8::from(*bit));
        let mut evidence = sound();
        let bytes = half.chunks_exact(8).enumerate();
        evidence.lcd =
            bytes.map(|(index, bits)| Sent { data: index % 2 == 1, byte: byte(bits) }).collect();
        check(&evidence, &Diagnosis::HalfTheBits, &["LCD SCK (GP18)"]);
        evidence.lcd[1].byte ^= 0x10;
        check(&evidence, &Diagnosis::Garbled, &["MOSI"]);
    }
}

#[test]
fn another_controller_s_initialisation_is_named() {
    // As Adafruit's and TFT_eSPI's drivers set an ST7789 up.
    let st7789 =
        [0x11, 0x13, 0xB2, 0xB7, 0xBB, 0xC0, 0xC2, 0xC3, 0xC4, 0xC6, 0xD0, 0xE0, 0xE1, 0x21, 0x29];
    let st7735 = [
        0x11, 0xB1, 0xB2, 0xB3, 0xB4, 0xC0, 0xC1, 0xC2, 0xC3, 0xC4, 0xC5, 0x36, 0xE0, 0xE1, 0xFC,
        0x29,
    ];
    for (commands, name) in [(&st7789[..], "ST7789"), (&st7735[..], "ST7735")] {
        let mut evidence = sound();
        evidence.lcd = commands.iter().flat_map(|byte| [command(*byte), data(1)]).collect();
        check(&evidence, &Diagnosis::OtherController(name), &[&format!("this is an {name}'s")]);
    }
    // The power and gamma settings of the ILI9341's own drivers are its own.
    let ili9341 = [
        0xEF, 0xCF, 0xED, 0xE8, 0xCB, 0xF7, 0xEA, 0xC0, 0xC1, 0xC5, 0xC7, 0xB1, 0xB6, 0xF2, 0x26,
        0xE0, 0xE1, 0x11, 0x29,
    ];
    let mut evidence = sound();
    evidence.lcd = ili9341.iter().flat_map(|byte| [command(*byte), data(1)]).collect();
    assert_eq!(diagnose(&evidence, &reference()), None);
}

#[test]
fn another_orientation_is_named() {
    for (found, how) in [(0x68, "mirrored"), (0xE8, "upside down"), (0x08, "turned")] {
        let mut evidence = sound();
        evidence.lcd[1] = data(found);
        check(&evidence, &Diagnosis::Orientation { found, expected: 0x28 }, &[how, "28h"]);
    }
}

#[test]
fn the_table_marks_what_to_look_at() {
    let table = pin_table(&Diagnosis::Still { wire: Wire::Dc, high: true }.wires());
    assert!(table.contains("  * GP20   GP20   LCD DC\n"), "{table}");
    assert_eq!(table.matches('*').count(), 1);
    assert_eq!(table.lines().count(), CONNECTIONS.len() + 2);
}
