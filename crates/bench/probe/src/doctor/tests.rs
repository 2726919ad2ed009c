//! Tests of each fault of the wires, derived from the evidence of a correctly wired board.

use super::*;

fn command(byte: u8) -> Sent {
    Sent { data: false, byte }
}

fn data(byte: u8) -> Sent {
    Sent { data: true, byte }
}

/// Returns the initialisation of an ILI9341 by mipidsi.
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
    Evidence {
        levels,
        pressed: 0,
        lcd: reference().0,
        speaks: true,
        booted: true,
        ..Evidence::default()
    }
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
fn a_correctly_wired_board_has_no_fault() {
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
    evidence.stuck = 1 << 2 | 1 << 12;
    let low = Diagnosis::PulledLow(vec![2, 12]);
    check(&evidence, &low, &["B3 (GP4)", "RESET (GP14)"]);
    assert_eq!(low.wires().len(), 2);
    evidence.levels.lines = 0;
    check(&evidence, &Diagnosis::NoPower, &["GND"]);
}

#[test]
fn a_line_that_is_low_only_at_the_probe_is_off() {
    let mut evidence = sound();
    evidence.levels.lines &= !(1 << 2);
    let off = Diagnosis::Buttons(vec![ButtonFault::Off(2)]);
    check(&evidence, &off, &["B3 (GP4)", "its wire is off"]);
    // Without its console the board cannot contradict.
    evidence.booted = false;
    check(&evidence, &Diagnosis::PulledLow(vec![2]), &["B3 (GP4)"]);
}

#[test]
fn a_constant_reset_or_backlight_is_named() {
    for (wire, name) in [(Wire::Reset, "LCD RST (GP21)"), (Wire::Backlight, "LCD backlight (GP22)")]
    {
        let mut evidence = sound();
        evidence.levels.moved &= !wire.bit();
        check(&evidence, &Diagnosis::Still { wire, high: false }, &[name, "ground"]);
        // The buzzer is silent in a start.
        evidence.levels.moved |= Wire::Buzzer.bit();
        check(&evidence, &exchanged(wire, Wire::Buzzer), &[name, "buzzer (GP15)"]);
    }
}

/// Checks that the evidence of a sound board with `change` made to it is diagnosed as these two
/// wires exchanged.
#[track_caller]
fn exchanges(one: Wire, other: Wire, change: impl Fn(&mut Evidence)) {
    let mut evidence = sound();
    change(&mut evidence);
    let expected = exchanged(one, other);
    check(&evidence, &expected, &[of(one).name, of(other).name, "exchanged"]);
    assert_eq!(expected.wires().len(), 2);
}

/// Exchanges each slow wire with each fast one, so that each shows the other's signal.
#[test]
fn a_slow_wire_with_fast_edges_is_named_with_its_partner() {
    for slow in SLOW {
        let fast = |evidence: &mut Evidence| evidence.fast = Some(slow);
        exchanges(slow, Wire::Uart, |it| {
            fast(it);
            it.booted = false;
        });
        exchanges(slow, Wire::Dc, |it| {
            fast(it);
            it.levels.moved &= !Wire::Dc.bit();
        });
        exchanges(slow, Wire::Sck, |it| {
            fast(it);
            it.lcd.clear();
            it.levels.high |= Wire::Sck.bit();
        });
        exchanges(slow, Wire::Cs, |it| {
            fast(it);
            it.lcd.clear();
        });
        exchanges(slow, Wire::Mosi, |it| {
            fast(it);
            it.lcd.iter_mut().for_each(|sent| sent.byte = 0xFF);
        });
        exchanges(slow, Wire::Dc, |it| {
            fast(it);
            it.lcd.iter_mut().for_each(|sent| sent.data = true);
        });
        exchanges(slow, Wire::Cs, fast);
    }
}

#[test]
fn reset_that_is_low_while_bytes_come_is_named() {
    let evidence = Evidence { in_reset: true, ..sound() };
    check(&evidence, &Diagnosis::InReset, &["LCD RST (GP21)", "backlight (GP22)"]);
}

#[test]
fn exchanged_fast_wires_are_named() {
    let bytes = |it: &mut Evidence, byte: fn(&Sent) -> u8| {
        it.lcd.iter_mut().for_each(|sent| sent.byte = byte(sent));
    };
    exchanges(Wire::Mosi, Wire::Dc, |it| {
        bytes(it, |sent| if sent.data { 0xFF } else { 0x00 });
        // DC shows a bit of data.
        it.lcd.iter_mut().for_each(|sent| sent.data = !sent.data);
    });
    exchanges(Wire::Cs, Wire::Mosi, |it| {
        bytes(it, |_| 0x00);
        it.levels.high = Wire::Mosi.bit();
    });
    exchanges(Wire::Sck, Wire::Mosi, |it| bytes(it, |_| 0x00));
    exchanges(Wire::Cs, Wire::Dc, |it| it.lcd.iter_mut().for_each(|sent| sent.data = false));
    // No byte at all: the levels at rest decide.
    let rest = |it: &mut Evidence, high: &[Wire], booted: bool| {
        it.lcd.clear();
        (it.levels.high, it.booted) = (bits(high), booted);
    };
    exchanges(Wire::Cs, Wire::Sck, |it| rest(it, &[Wire::Sck], true));
    exchanges(Wire::Sck, Wire::Dc, |it| rest(it, &[Wire::Cs, Wire::Sck], true));
    exchanges(Wire::Sck, Wire::Uart, |it| rest(it, &[Wire::Cs, Wire::Sck], false));
    exchanges(Wire::Cs, Wire::Uart, |it| rest(it, &[Wire::Cs], false));
    // The console input shows the other wire: nothing readable arrives.
    exchanges(Wire::Dc, Wire::Uart, |it| {
        it.lcd.iter_mut().for_each(|sent| sent.data = true);
        it.booted = false;
    });
    exchanges(Wire::Mosi, Wire::Uart, |it| {
        bytes(it, |_| 0xFF);
        it.booted = false;
    });
    exchanges(Wire::Cs, Wire::Uart, |it| {
        it.lcd.drain(3..5);
        it.lcd.drain(..2);
        it.lcd = [&it.lcd[3..], &it.lcd[..3]].concat();
        it.booted = false;
    });
    exchanges(Wire::Uart, Wire::Buzzer, |it| {
        it.levels.moved |= Wire::Buzzer.bit();
        it.booted = false;
    });
    // A correctly wired board with another firmware that draws correctly is not a wiring fault
    // here.
    let mute = Evidence { booted: false, ..sound() };
    assert_eq!(diagnose(&mute, &reference()), None);
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
fn without_bytes_the_console_decides() {
    let mut evidence = sound();
    evidence.levels.moved = 0;
    evidence.lcd.clear();
    check(&evidence, &Diagnosis::NoLcd, &["console"]);
    evidence.speaks = false;
    check(&evidence, &Diagnosis::NothingMoves, &["no firmware"]);
}

#[test]
fn exchanged_dc_and_cs_differ_from_a_stuck_dc() {
    let mut evidence = sound();
    // Bytes are received while DC is low, hence commands: CS, which is low then, is on the DC
    // input.
    evidence.lcd.retain(|sent| !sent.data);
    evidence.lcd.extend(reference().0.into_iter().filter(|sent| !sent.data));
    check(&evidence, &exchanged(Wire::Cs, Wire::Dc), &["GP20", "GP17"]);
    evidence.levels.moved &= !Wire::Dc.bit();
    check(&evidence, &Diagnosis::Still { wire: Wire::Dc, high: false }, &["LCD DC (GP20)"]);
}

#[test]
fn half_the_bits_differ_from_noise() {
    // After the column address, 2Ah, the page address and pixels.
    let mut whole = reference();
    whole.0.extend([command(0x2B), data(0x12), data(0x34), data(0x56), data(0x78), command(0x2C)]);
    whole.0.extend([0x10, 0xE5].repeat(8).into_iter().map(data));
    // 00 00 01 3F, 12 34 56 78, 10 E5 10 E5 …: their first, third, … bits, and their second,
    // fourth, ….
    for half in [[0x00, 0x07, 0x14, 0x16, 0x0C, 0x0C], [0x00, 0x17, 0x46, 0xEC, 0x4B, 0x4B]] {
        let mut evidence = sound();
        evidence.lcd = half.iter().map(|byte| data(*byte)).collect();
        assert_eq!(diagnose(&evidence, &whole), Some(Diagnosis::HalfTheBits), "{half:02X?}");
        evidence.lcd[1].byte ^= 0x10;
        assert_eq!(diagnose(&evidence, &whole), Some(Diagnosis::Garbled));
    }
    assert_eq!(Diagnosis::HalfTheBits.wires(), [of(Wire::Sck)]);
}

/// Checks a board that shows something other than the reference: no command is left, whatever the
/// pixels are.
#[test]
fn bytes_without_a_command_are_half_the_bits() {
    let mut evidence = sound();
    evidence.lcd = [0x06, 0x03, 0x0F, 0x0E].into_iter().map(data).collect();
    evidence.lcd.extend([0x0C; 59].into_iter().map(data));
    assert_eq!(diagnose(&evidence, &reference()), Some(Diagnosis::Garbled));
    evidence.lcd.push(data(0x38));
    assert_eq!(diagnose(&evidence, &reference()), Some(Diagnosis::HalfTheBits));
    evidence.lcd[40] = command(0x0C);
    assert_eq!(diagnose(&evidence, &reference()), Some(Diagnosis::Garbled));
}

#[test]
fn initialisation_of_another_controller_is_named() {
    // As the drivers of Adafruit and TFT_eSPI initialise an ST7789.
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
    // The power and gamma settings of the ILI9341's own drivers are no sign of another controller.
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
fn the_table_marks_the_wires_to_check() {
    let table = pin_table(&Diagnosis::Still { wire: Wire::Dc, high: true }.wires());
    assert!(table.contains("  * GP20   GP20   LCD DC\n"), "{table}");
    assert_eq!(table.matches('*').count(), 1);
    assert_eq!(table.lines().count(), CONNECTIONS.len() + 2);
}
