//! A thermostat on a board of nudge: `cargo run --package thermostat -- run` opens its window.

mod thermostat;

use std::process::ExitCode;

use thermostat::Thermostat;

fn main() -> ExitCode {
    nudge::main(nudge::board!("thermostat.board.toml"), Thermostat::new)
}
