//! Tests of the built-in tables with the model: their own examples and their power sequences.

use panel_tables::{by_name, names, read, source};

use crate::check::{Mismatch, check_power_sequence, run_example};
use crate::{Ili9341, Module, Mounting, Wires};
use virtual_time::{Instant, Nanos};

#[test]
fn the_examples_of_every_table_hold() {
    let mut faults = Vec::new();
    for name in names() {
        let (table, text) = (by_name(name).unwrap(), source(name).unwrap());
        let lines = text.lines().count();
        assert!(lines <= 150, "{name} has {lines} lines");
        if let Err(fault) = check_power_sequence(table) {
            faults.push(format!("{name}: {fault}"));
        }
        let examples = read::parse(text).unwrap().examples;
        assert!(examples.len() >= 3, "{name} has {} examples", examples.len());
        for example in examples {
            let (line, column) = example.place;
            if let Err(fault) = run_example(table, &example) {
                faults.push(format!("{name}:{line}:{column}: {fault}"));
            }
        }
    }
    assert_eq!(faults, [""; 0]);
}

#[test]
fn an_example_that_does_not_hold_is_reported() {
    let text = source("ili9341").unwrap().replace("\"0,0 #0000FF\"", "\"0,0 #0000FE\"");
    let parsed = read::parse(&text).unwrap();
    let table = by_name("ili9341").unwrap();
    let faults: Vec<_> =
        parsed.examples.iter().filter_map(|example| run_example(table, example).err()).collect();
    let found = Some(0x0000FF);
    assert_eq!(faults, [Mismatch::Pixel { place: (0, 0), expected: 0x0000FE, found }]);
    assert_eq!(faults[0].to_string(), "the pixel at 0,0 is #0000FF; expected #0000FE");
}

#[test]
fn a_module_shows_its_part_of_the_memory() {
    let table = by_name("st7789").unwrap();
    // The common panel of 135×240 pixels, once in each mounting.
    let part =
        Module { columns: 135, lines: 240, first_column: 52, first_line: 40, ..table.module };
    let landscape = Mounting { is_landscape: true, mirrors_x: true, mirrors_y: false };
    let turned = Module { mounting: landscape, ..part };
    for (module, size, place) in [(part, (135, 240), (3, 5)), (turned, (240, 135), (234, 3))] {
        let mut lcd = Ili9341::with_module(1, table, module);
        let mut now = Instant::START;
        lcd.set_power(now, true);
        let mut send = |lcd: &mut Ili9341, command: &[u8]| {
            now = now.saturating_add(Nanos::from_millis(200));
            lcd.set_dc(now, false);
            lcd.write(now, now, &command[..1]);
            lcd.set_dc(now, true);
            lcd.write(now, now, &command[1..]);
        };
        for command in [&[0x11][..], &[0x21], &[0x3A, 0x55], &[0x29]] {
            send(&mut lcd, command);
        }
        send(&mut lcd, &[0x2A, 0, 52 + 3, 0, 52 + 3]);
        send(&mut lcd, &[0x2B, 0, 40 + 5, 0, 40 + 5]);
        send(&mut lcd, &[0x2C, 0xF8, 0x00]);
        assert_eq!(lcd.size(), size);
        let picture = lcd.picture();
        assert_eq!((picture.width(), picture.height()), size);
        assert_eq!(picture.pixel(place.0, place.1), Some(0xFF0000), "{size:?}");
        assert_eq!(lcd.cell_at(place.0, place.1), Some((55, 45)));
    }
}

#[test]
fn a_cached_frame_follows_panels_of_any_size() {
    let mut kept = crate::CachedFrame::default();
    for name in names() {
        let table = by_name(name).unwrap();
        let mut lcd = Ili9341::with_module(3, table, table.module);
        lcd.set_power(Instant::START, true);
        let mut now = Instant::START;
        for command in table.power.sequence.iter() {
            now = now.saturating_add(Nanos::from_millis(200));
            lcd.set_dc(now, false);
            let end = now.saturating_add(Nanos::from_micros(100));
            let arguments_follow = table.family == panel_tables::Family::Pages;
            let first = if arguments_follow { command.len() } else { 1 };
            lcd.write(now, end, &command[..first]);
            lcd.set_dc(end, true);
            lcd.write(end, end.saturating_add(Nanos::from_micros(100)), &command[first..]);
        }
        now = now.saturating_add(Nanos::from_millis(200));
        lcd.update_frame_at(now, &mut kept);
        assert_eq!(kept.frame(), &lcd.frame_at(now), "{name}");
        assert_eq!((kept.frame().width(), kept.frame().height()), lcd.size());
        assert!(lcd.update_frame_at(now, &mut kept).is_empty(), "{name}");
    }
}

#[test]
fn a_picture_in_another_part_of_the_memory_is_found() {
    let table = by_name("st7735").unwrap();
    let fill = |columns: (u8, u8), lines: (u8, u8)| {
        let mut lcd = Ili9341::with_module(7, table, table.module);
        lcd.set_power(Instant::START, true);
        let mut now = Instant::from_millis(200);
        let mut send = |command: u8, data: &[u8]| {
            for (dc, bytes) in [(false, &[command][..]), (true, data)] {
                now = now.saturating_add(Nanos::from_millis(150));
                lcd.set_dc(now, dc);
                lcd.write(now, now.saturating_add(Nanos::from_millis(100)), bytes);
            }
        };
        send(0x11, &[]);
        send(0x3A, &[5]);
        send(0x2A, &[0, columns.0, 0, columns.1]);
        send(0x2B, &[0, lines.0, 0, lines.1]);
        let count = usize::from(columns.1 - columns.0 + 1) * usize::from(lines.1 - lines.0 + 1);
        send(0x2C, &vec![0x0F; 2 * count]);
        lcd.misplaced().map(|misplaced| misplaced.to_string())
    };
    // The module shows the columns 2 to 129 and the lines 1 to 160.
    assert_eq!(
        fill((0, 127), (0, 159)).as_deref(),
        Some(
            "the program has written the columns 0 to 127 and lines 0 to 159 of the display's memory, \
             and the display shows the columns 2 to 129 and lines 1 to 160: are `offset` of the board \
             file and MADCTL right?"
        )
    );
    for (columns, lines) in [
        ((2, 129), (1, 160)),
        // The whole memory, and a picture of another size.
        ((0, 131), (0, 161)),
        ((0, 127), (0, 158)),
    ] {
        assert_eq!(fill(columns, lines), None);
    }
}

/// Returns the reports about colours of a module of this table whose program sends these commands
/// and draws.
fn colours_of(name: &str, is_filter_known: bool, commands: &[(u8, &[u8])]) -> Vec<String> {
    let table = by_name(name).unwrap();
    let mut lcd = Ili9341::with_module(7, table, table.module);
    lcd.set_wires(Wires { is_filter_known, ..Wires::default() });
    lcd.set_power(Instant::START, true);
    let mut now = Instant::from_millis(200);
    let begin: [(u8, &[u8]); 2] = [(0x11, &[]), (0x3A, &[0x55])];
    for (command, data) in begin.iter().chain(commands).chain(&[(0x29, &[][..]), (0x2C, &[1, 2])]) {
        for (dc, bytes) in [(false, &[*command][..]), (true, data)] {
            now = now.saturating_add(Nanos::from_millis(150));
            lcd.set_dc(now, dc);
            lcd.write(now, now.saturating_add(Nanos::from_millis(100)), bytes);
        }
    }
    lcd.colour_settings().iter().map(ToString::to_string).collect()
}

#[test]
fn settings_that_do_not_suit_the_module_are_named() {
    let check = |name, commands: &[(u8, &[u8])], parts: &[&str]| {
        let found = colours_of(name, false, commands);
        assert_eq!(found.len(), parts.len(), "{name} {commands:X?}: {found:?}");
        for (found, part) in found.iter().zip(parts) {
            assert!(found.contains(part), "{part}\n{found}");
        }
    };
    // The initialisation of most modules.
    check("ili9341", &[(0x36, &[0x48])], &[]);
    check("st7789", &[(0x36, &[0]), (0x21, &[])], &[]);
    check("ili9341", &[(0x36, &[0x40])], &["MADCTL is 40h"]);
    check("st7789", &[(0x36, &[8]), (0x21, &[])], &["RGB, which needs 0 in its bit BGR"]);
    check("st7789", &[], &["never sends INVON (21h), which most modules with the ST7789 need"]);
    check("ili9341", &[(0x36, &[8]), (0x21, &[])], &["sends INVON (21h), which most modules"]);
    check("gc9a01", &[], &["red and blue", "never sends INVON"]);
    // An effect of the program.
    check("ili9341", &[(0x36, &[8]), (0x20, &[]), (0x21, &[])], &[]);
    assert!(colours_of("ili9341", true, &[]).is_empty(), "the board file states the filter");
}
