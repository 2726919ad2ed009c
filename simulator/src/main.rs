//! The command `nudge`; see the library of this package.

use std::process::ExitCode;

fn main() -> ExitCode {
    simulator::main()
}
