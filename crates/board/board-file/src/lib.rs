//! The description of a board, `NAME.board.toml`: its chip, its parts with their pins, their names
//! in traces, suggested keys, and their places on the face.
//!
//! [`parse()`], [`parse_bytes`] and [`load`] read a file and return a [`BoardFile`], or all errors
//! of it with line, column, limit and next step.
//!
//! ```
//! let text = r#"
//! board = 1
//! name = "Handheld"
//! chip = "rp2040"
//!
//! [[display]]
//! panel = "ili9341"
//! bus = "spi4"
//! sck = "GP18"
//! mosi = "GP19"
//! dc = "GP12"
//!
//! [[button]]
//! name = "A"
//! pin = "GP2"
//! keys = ["Z"]
//! "#;
//! let board = board_file::parse("handheld.board.toml", text).unwrap();
//! assert_eq!(board.button[0].pin.gpio, 2);
//! ```
//!
//! `parts` declares all tables; one declaration (`table`) makes the type, its parser, the JSON
//! schema and the rows of `docs/board-file.md`. `value`, `quantity`, `place`, `panels`,
//! `rule_names` and `key_names` are the values of keys, `reader` collects errors, `check` has the rules between
//! keys, `part` lists the parts of all kinds. `layout` places them on the face, `picture` draws the
//! face as text, `summary` lists the parts, `schema` writes the JSON schema and the tables of the
//! documentation. [`lcd_board()`] is the LCD board. [`import`] makes board files from files of other
//! tools.
//!
//! The crate knows neither a machine nor a trace: it describes, and others build.

pub mod bus;
mod check;
mod error;
pub mod import;
pub mod key_names;
mod layout;
mod lcd_board;
pub mod limits;
mod nearest;
mod notes;
pub mod panels;
mod parse;
mod part;
pub mod parts;
mod picture;
pub mod quantity;
mod quoted;
mod reader;
pub mod rule_names;
mod schema;
mod summary;
mod syntax;
mod table;
pub mod uart;

pub use error::{BoardError, BoardErrorKind, BoardErrors, BoardFileError};
pub use layout::{Face, FaceItem, layout};
pub use lcd_board::{LCD_BOARD, lcd_board};
pub use notes::{Note, notes};
pub use parse::{load, parse, parse_bytes, read};
pub use part::{Part, PinUse};
pub use parts::BoardFile;
pub use picture::face_text;
pub use reader::Span;
pub use schema::{json_schema, reference};
pub use summary::{json, table};
pub use syntax::SyntaxStep;
pub use table::place::Place;
pub use table::value;
pub use table::{KeyRow, Literal, Presence};
