//! The controller of a panel and its geometry, from the commands of its initialisation.

use std::collections::BTreeSet;

use crate::finding::{Certainty, Geometry, Panel};
use crate::grammar::Command;

/// Commands of a controller, with their numbers of arguments, that distinguish it from others.
struct Signature {
    name: &'static str,
    commands: &'static [(u8, usize)],
}

/// Initialisations by the datasheets of the controllers and by their common drivers.
const SIGNATURES: &[Signature] = &[
    Signature {
        name: "ili9341",
        commands: &[
            (0xCF, 3),
            (0xED, 4),
            (0xE8, 3),
            (0xCB, 5),
            (0xF7, 1),
            (0xEA, 2),
            (0xC0, 1),
            (0xC1, 1),
            (0xC5, 2),
            (0xC7, 1),
            (0xB1, 2),
            (0xB6, 3),
            (0xF2, 1),
            (0xE0, 15),
            (0xE1, 15),
        ],
    },
    Signature {
        name: "ili9342c",
        commands: &[(0xC8, 3), (0xB6, 4), (0xF6, 3), (0xC0, 2), (0xC1, 1), (0xE0, 15), (0xE1, 15)],
    },
    Signature {
        name: "ili9488",
        commands: &[
            (0xC0, 2),
            (0xC1, 1),
            (0xC5, 3),
            (0xC5, 4),
            (0xB0, 1),
            (0xB1, 1),
            (0xB4, 1),
            (0xB7, 1),
            (0xE9, 1),
            (0xF7, 4),
            (0xE0, 15),
            (0xE1, 15),
        ],
    },
    Signature {
        name: "st7789",
        commands: &[
            (0xB2, 5),
            (0xB7, 1),
            (0xBB, 1),
            (0xC0, 1),
            (0xC2, 1),
            (0xC3, 1),
            (0xC4, 1),
            (0xC6, 1),
            (0xD0, 2),
            (0xE0, 14),
            (0xE1, 14),
        ],
    },
    Signature {
        name: "st7735",
        commands: &[
            (0xB1, 3),
            (0xB2, 3),
            (0xB3, 6),
            (0xB4, 1),
            (0xC0, 3),
            (0xC1, 1),
            (0xC2, 2),
            (0xC3, 2),
            (0xC4, 2),
            (0xC5, 1),
            (0xE0, 16),
            (0xE1, 16),
        ],
    },
    Signature {
        name: "gc9a01",
        commands: &[
            (0xEF, 0),
            (0xFE, 0),
            (0xEB, 1),
            (0x84, 1),
            (0x85, 1),
            (0x86, 1),
            (0x8C, 1),
            (0x8D, 1),
            (0x90, 4),
            (0xF0, 6),
            (0xF1, 6),
            (0x62, 12),
            (0x63, 12),
            (0x66, 10),
            (0x67, 10),
            (0x74, 7),
        ],
    },
    Signature {
        name: "gc9107",
        commands: &[(0xFE, 0), (0xEF, 0), (0xB0, 1), (0xB2, 1), (0xF0, 14), (0xF1, 14), (0xAC, 1)],
    },
];

/// Inversion on (MIPI DCS).
const INVON: u8 = 0x21;
/// Most matches that the second best signature may have if the best one is sure.
const LEAD: usize = 3;

/// Returns the controller that has these commands.
pub(crate) fn controller(commands: &[Command]) -> Panel {
    let sent: BTreeSet<(u8, usize)> =
        commands.iter().map(|command| (command.code, command.count)).collect();
    let count = |signature: &Signature| {
        signature.commands.iter().filter(|command| sent.contains(command)).count()
    };
    let mut matches: Vec<(usize, &Signature)> =
        SIGNATURES.iter().map(|signature| (count(signature), signature)).collect();
    matches.sort_by_key(|(count, _)| std::cmp::Reverse(*count));
    let ((best, signature), second) = (matches[0], matches[1].0);
    let codes: Vec<String> = signature
        .commands
        .iter()
        .filter(|command| sent.contains(command))
        .map(|(code, _)| format!("{code:02X}"))
        .collect();
    let evidence = format!("its initialisation has the commands {}", codes.join(" "));
    let certainty = if best >= 6 && best >= second + LEAD {
        Certainty::Sure
    } else if best >= 3 && best > second {
        Certainty::Likely
    } else {
        // Glasses with an ST7789 are mostly of a kind whose colours are inverted.
        let name =
            if commands.iter().any(|command| command.code == INVON) { "st7789" } else { "ili9341" };
        let evidence = "its initialisation has only commands that most controllers have".to_owned();
        return Panel { name, certainty: Certainty::Unsure, evidence };
    };
    Panel { name: signature.name, certainty, evidence }
}

/// Columns and rows of most controllers' memories.
const USUAL_MEMORY: (u16, u16) = (240, 320);

/// Glasses that are sold with an ST7789, and with no other known controller but those whose
/// initialisation has commands of their own.
const ST7789_GLASSES: [(u16, u16); 5] =
    [(135, 240), (170, 320), (172, 320), (240, 240), (240, 280)];

/// Returns `panel`, or the only known controller with such a glass or a memory for it, if the commands
/// left the controller open.
pub(crate) fn with_glass(geometry: &Geometry, panel: Panel) -> Panel {
    let Some((columns, rows)) = geometry.size else { return panel };
    if panel.certainty == Certainty::Unsure && ST7789_GLASSES.contains(&(columns, rows)) {
        let evidence = format!(
            "its glass has {columns}x{rows} pixels, and its initialisation no others' commands"
        );
        return Panel { name: "st7789", certainty: Certainty::Likely, evidence };
    }
    let end = |first: u16, count: u16| first.saturating_add(count);
    let is_larger = end(geometry.offset.0, columns) > USUAL_MEMORY.0
        || end(geometry.offset.1, rows) > USUAL_MEMORY.1;
    if panel.certainty > Certainty::Unsure || !is_larger {
        return panel;
    }
    let evidence = format!("no other known controller has memory for {columns}x{rows} pixels");
    Panel { name: "ili9488", certainty: Certainty::Likely, evidence }
}

/// Returns the controller with pages of one bit that has these commands, by its charge pump
/// (SSD1306 datasheet, 10.1; SH1106 datasheet, command 10; SSD1309 datasheet, command lock).
pub(crate) fn controller_with_pages(commands: &[Command]) -> Panel {
    let sent: BTreeSet<u8> = commands.iter().map(|command| command.code).collect();
    let has = |code: u8| sent.contains(&code);
    let (name, certainty, evidence) = if has(0x8D) {
        ("ssd1306", Certainty::Sure, "its initialisation has AE, AF and the charge pump 8D")
    } else if has(0xAD) {
        ("sh1106", Certainty::Likely, "its initialisation has AE, AF and the converter AD")
    } else if has(0xFD) {
        ("ssd1309", Certainty::Likely, "its initialisation has AE, AF and the lock FD")
    } else {
        ("ssd1306", Certainty::Unsure, "its initialisation has AE and AF, but no charge pump")
    };
    Panel { name, certainty, evidence: evidence.to_owned() }
}

/// Returns the geometry that the program has set.
pub(crate) fn geometry(commands: &[Command]) -> Geometry {
    let last = |code: u8| {
        let of_code = commands.iter().rev().find(|command| command.code == code);
        of_code.and_then(|command| command.arguments.first().copied())
    };
    let madctl = last(0x36);
    let range = |code: u8| {
        let ranges = commands.iter().filter(|command| command.code == code);
        let ends = ranges.filter_map(|command| match command.arguments[..] {
            [first_high, first, last_high, last] => Some((
                u16::from_be_bytes([first_high, first]),
                u16::from_be_bytes([last_high, last]),
            )),
            _ => None,
        });
        ends.filter(|(first, last)| first <= last)
            .reduce(|one, other| (one.0.min(other.0), one.1.max(other.1)))
    };
    let pixel_bits = last(0x3A).and_then(|format| match format & 7 {
        3 => Some(12),
        5 => Some(16),
        6 => Some(18),
        _ => None,
    });
    let (columns, rows) = (range(0x2A), range(0x2B));
    let (Some(columns), Some(rows)) = (columns, rows) else {
        return Geometry { madctl, pixel_bits, ..Geometry::default() };
    };
    // With MV the host's columns are the rows of the glass.
    let exchanged = madctl.unwrap_or_default() & 0x20 != 0;
    let (columns, rows) = if exchanged { (rows, columns) } else { (columns, rows) };
    let length = |(first, last): (u16, u16)| last.saturating_sub(first).saturating_add(1);
    Geometry {
        size: Some((length(columns), length(rows))),
        offset: (columns.0, rows.0),
        madctl,
        pixel_bits,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn command(code: u8, arguments: &[u8]) -> Command {
        Command { ns: 0, code, arguments: arguments.to_vec(), count: arguments.len() }
    }

    #[test]
    fn each_controller_is_recognised_by_its_own_commands() {
        for signature in SIGNATURES {
            let commands: Vec<Command> = signature
                .commands
                .iter()
                .map(|(code, count)| command(*code, &vec![0; *count]))
                .collect();
            let panel = controller(&commands);
            assert_eq!(panel.name, signature.name, "{}", panel.evidence);
            assert!(panel.certainty >= Certainty::Likely, "{}", signature.name);
        }
    }

    #[test]
    fn a_glass_that_only_one_memory_contains_identifies_its_controller() {
        let open = || controller(&[command(0x11, &[]), command(0x29, &[])]);
        let named = |size| with_glass(&Geometry { size, ..Geometry::default() }, open()).name;
        assert_eq!(named(Some((320, 480))), "ili9488");
        assert_eq!([named(Some((240, 320))), named(None)], [open().name; 2]);
        assert_eq!(open().name, "ili9341");
        assert_eq!(named(Some((240, 240))), "st7789");
    }

    #[test]
    fn commands_of_all_controllers_identify_none() {
        let commands = [command(0x11, &[]), command(0x36, &[0]), command(0x29, &[])];
        assert_eq!(controller(&commands).certainty, Certainty::Unsure);
    }

    #[test]
    fn a_charge_pump_identifies_a_controller_with_pages() {
        let check = |code, name| {
            let panel = controller_with_pages(&[command(0xAE, &[]), command(code, &[])]);
            assert_eq!(panel.name, name);
        };
        check(0x8D, "ssd1306");
        check(0xAD, "sh1106");
        check(0xFD, "ssd1309");
    }

    #[test]
    fn the_glass_has_the_columns_and_rows_of_all_windows() {
        let mut commands = vec![
            command(0x2A, &[0, 40, 0, 100]),
            command(0x2B, &[0, 53, 0, 187]),
            command(0x2A, &[0, 60, 1, 23]),
        ];
        let expected =
            Geometry { size: Some((240, 135)), offset: (40, 53), madctl: None, pixel_bits: None };
        assert_eq!(geometry(&commands), expected);
        // With MV columns and rows are exchanged.
        commands.extend([command(0x36, &[0x70]), command(0x3A, &[0x55])]);
        let expected = Geometry {
            size: Some((135, 240)),
            offset: (53, 40),
            madctl: Some(0x70),
            pixel_bits: Some(16),
        };
        assert_eq!(geometry(&commands), expected);
    }
}
