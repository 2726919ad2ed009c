//! Lists the parts of a board with their pins, keys and places: as a table of text or as JSON.

use serde_json::{Value as Json, json};

use crate::layout::{Face, layout};
use crate::part::{Part, PinUse};
use crate::parts::BoardFile;
use crate::table::place::Place;

/// Returns a table of all parts: part, name, pins, keys, place. An automatic place is marked `*`.
pub fn table(board: &BoardFile) -> String {
    let face = layout(board);
    let mut rows = vec![["part", "name", "pins", "keys", "place"].map(str::to_owned)];
    for part in board.parts() {
        let pins: Vec<String> = part.pins.iter().map(pin).collect();
        let keys: Vec<&str> = part.keys.iter().map(|key| key.name).collect();
        let place = place_of(&face, &part).map_or_else(String::new, |(place, automatic)| {
            format!("{}{}", spoken(place), if automatic { "*" } else { "" })
        });
        let name = part.name.clone();
        rows.push([part.kind.to_owned(), name, pins.join(" "), keys.join(" "), place]);
    }
    let widths: [usize; 5] = core::array::from_fn(|column| {
        rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0)
    });
    let line = |row: &[String; 5]| {
        let cells = row.iter().zip(widths).map(|(cell, width)| format!("{cell:<width$}"));
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned() + "\n"
    };
    rows.iter().map(line).collect()
}

/// Returns the description of the parts as JSON.
pub fn json(board: &BoardFile) -> Json {
    let face = layout(board);
    let parts = board.parts().into_iter().map(|part| {
        let pins = part
            .pins
            .iter()
            .map(|used| json!({ "key": used.key, "index": used.index, "gpio": used.pin.gpio }));
        let place = place_of(&face, &part).map(|(place, automatic)| {
            json!({
                "column": place.column, "row": place.row,
                "columns": place.columns, "rows": place.rows, "automatic": automatic,
            })
        });
        let buttons: Vec<&str> = part.buttons.iter().map(|name| name.text.as_str()).collect();
        json!({
            "part": part.kind,
            "name": part.name,
            "pins": pins.collect::<Vec<Json>>(),
            "keys": part.keys.iter().map(|key| key.name).collect::<Vec<_>>(),
            "buttons": buttons,
            "place": place,
        })
    });
    json!({
        "name": board.name.0,
        "chip": "rp2040",
        "flash_bytes": board.flash.0,
        "crystal_hz": board.crystal.0,
        "program": board.program.as_ref().map(|program| &program.0),
        "parts": parts.collect::<Vec<Json>>(),
    })
}

fn place_of(face: &Face, part: &Part<'_>) -> Option<(Place, bool)> {
    let item = face.items.iter().find(|item| item.kind == part.kind && item.name == part.name)?;
    Some((item.place, item.automatic))
}

fn pin(used: &PinUse) -> String {
    match used.key {
        "pin" => format!("GP{}", used.pin.gpio),
        "rows" | "columns" | "data" => format!("{}{}=GP{}", used.key, used.index, used.pin.gpio),
        key => format!("{key}=GP{}", used.pin.gpio),
    }
}

/// Returns a place as `2,8` or, for more than one cell, `4,9 2x1`.
fn spoken(place: Place) -> String {
    let Place { column, row, columns, rows, .. } = place;
    if (columns, rows) == (1, 1) {
        return format!("{column},{row}");
    }
    format!("{column},{row} {columns}x{rows}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lcd_board;

    #[test]
    fn the_table_has_a_row_for_each_part() {
        let table = table(lcd_board());
        let rows: Vec<&str> = table.lines().collect();
        assert_eq!(rows.len(), 1 + 1 + 1 + 13 + 1, "{table}");
        assert_eq!(rows[1], "console  CONSOLE  tx=GP0 rx=GP1");
        let reset = rows[15].split_whitespace().collect::<Vec<_>>();
        assert_eq!(reset, ["button", "RESET", "GP14", "Space", "4,9", "2x1"]);
        let json = json(lcd_board());
        assert_eq!(json["parts"][2]["pins"][0]["gpio"], 2);
        assert_eq!(json["parts"][2]["place"]["row"], 8);
    }
}
