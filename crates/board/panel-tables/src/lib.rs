//! LCD and OLED controllers as data.
//!
//! A [`Table`] has all that a model needs of a controller: commands with their arguments, registers
//! and reset values, pixel formats, the size of the memory, a common [`Module`] (visible part,
//! mounting, colour filter), buses, times, and the linter's rules with the datasheet's sections.
//!
//! ```
//! let table = panel_tables::by_name("st7789").unwrap();
//! assert_eq!((table.columns, table.lines), (240, 320));
//! // A board may mount it otherwise; `ili9341_model::Ili9341::with_module(seed, table, module)`.
//! let module = panel_tables::Module { lines: 240, ..table.module };
//! assert_eq!(module.size(), (240, 240));
//! ```
//!
//! The files in `panels/` are compiled into constants by the build script: a wrong one does not
//! build. With the feature `read`, `read` reads further tables at run time; without it a program
//! has no TOML parser. `docs/panels.md` describes the format. The crate knows no model and no bus.
//!
//! - `table`: the types. `effect`: what a command does. `rule`: the checks of the linter.
//!   `example`: what a table's examples send and expect.
//! - `read`: from a TOML file to a table. `built_in`: the tables of `panels/`.

mod built_in;
mod effect;
mod example;
mod family;
#[cfg(feature = "read")]
pub mod read;
mod rule;
mod table;

#[cfg(test)]
mod tests;

#[cfg(feature = "read")]
pub use built_in::source;
pub use built_in::{ILI9341, by_name, names};
pub use effect::{Answer, Effect, Status};
pub use example::{Example, Step};
pub use family::Family;
pub use rule::Rule;
pub use table::{
    Bus, Command, Follows, Format, List, Module, Mounting, NO_COMMAND, Place, Power, RuleText,
    SIDE_MAX, Scan, Table, Text, Values,
};
