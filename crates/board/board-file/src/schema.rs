//! The JSON schema for editors, and the tables of `docs/board-file.md`, from the same declarations
//! as the parser.

use core::fmt::Write as _;

use serde_json::{Value as Json, json};

use crate::parts::{
    BoardFile, Button, Buzzer, Console, Display, Encoder, Font, I2cDevice, Joystick, Led, Matrix,
    Potentiometer, Register, SdCard, SpiFlash, Switch, Touch, Wire,
};
use crate::table::place::PlaceKeys;
use crate::table::{KeyRow, Presence, Table, table_json};

/// Returns the JSON schema (draft 2020-12) of a board file.
pub fn json_schema() -> Json {
    let mut schema = table_json::<BoardFile>();
    schema["$schema"] = json!("https://json-schema.org/draft/2020-12/schema");
    schema["title"] = json!("A board of nudge");
    schema
}

/// Returns the tables of keys in Markdown: a heading, a sentence and a table for each table of the
/// file.
pub fn reference() -> String {
    let mut out = String::new();
    section::<BoardFile>("The board", &mut out);
    section::<Console>("`[[console]]`", &mut out);
    section::<Display>("`[[display]]`", &mut out);
    section::<Button>("`[[button]]`", &mut out);
    section::<Switch>("`[[switch]]`", &mut out);
    section::<Matrix>("`[[matrix]]`", &mut out);
    section::<Encoder>("`[[encoder]]`", &mut out);
    section::<Joystick>("`[[joystick]]`", &mut out);
    section::<Potentiometer>("`[[potentiometer]]`", &mut out);
    section::<Touch>("`[[touch]]`", &mut out);
    section::<Led>("`[[led]]`", &mut out);
    section::<Buzzer>("`[[buzzer]]`", &mut out);
    section::<SpiFlash>("`[[spi_flash]]`", &mut out);
    section::<SdCard>("`[[sd_card]]`", &mut out);
    section::<I2cDevice>("`[[i2c_device]]`", &mut out);
    section::<Register>("An entry of `registers`", &mut out);
    section::<Wire>("`[[wire]]`", &mut out);
    section::<Font>("`[[font]]`", &mut out);
    section::<PlaceKeys>("`place`", &mut out);
    out.truncate(out.trim_end().len());
    out.push('\n');
    out
}

fn section<T: Table>(title: &str, out: &mut String) {
    // Writing to a string cannot fail.
    let _ = writeln!(out, "### {title}\n\n{}\n", T::about());
    let _ = writeln!(out, "| key | value | left out | meaning |\n|---|---|---|---|");
    for row in T::keys() {
        let _ = writeln!(
            out,
            "| `{}` | {} | {} | {} |",
            row.key,
            shape(&row),
            left_out(&row),
            row.about
        );
    }
    out.push('\n');
}

/// Returns the values of a key; a list of tables refers to the section of the table.
fn shape(row: &KeyRow) -> String {
    match row.shape.strip_prefix("list: ") {
        Some(inner) if inner.contains(" with `") => {
            let noun = inner.split(" with ").next().unwrap_or(inner);
            format!("list: {noun} each")
        }
        _ => row.shape.clone(),
    }
}

fn left_out(row: &KeyRow) -> String {
    match row.presence {
        Presence::Required => "an error".into(),
        Presence::Optional if row.shape.starts_with("list") => "none".into(),
        Presence::Optional => "see meaning".into(),
        Presence::Default(literal) => format!("`{}`", literal.written()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = include_str!("../../../../docs/board-file.md");
    const SCHEMA: &str = include_str!("../../../../docs/board-file.schema.json");

    #[test]
    fn the_page_has_every_key() {
        let current = PAGE.contains(&reference());
        assert!(current, "replace the section Keys by what `nudge board schema --markdown` prints");
    }

    #[test]
    fn the_committed_schema_is_the_present_one() {
        let committed: Json = serde_json::from_str(SCHEMA).unwrap();
        let current = committed == json_schema();
        assert!(current, "run `nudge board schema > docs/board-file.schema.json`");
    }

    #[test]
    fn every_key_has_a_description_of_whole_sentences() {
        for line in reference().lines().filter(|line| line.starts_with("| `")) {
            let about = line.trim_end_matches(" |").rsplit(" | ").next().unwrap();
            assert!(about.ends_with('.') || about.ends_with('`'), "{line}");
        }
    }
}
