//! The arguments of `nudge quiz`.

use std::path::PathBuf;

use clap::Args;

#[derive(Debug, Args)]
pub struct QuizArgs {
    /// The quiz as a program: ELF, UF2, Intel HEX [default: the one that is built in]
    #[arg(value_name = "FILE")]
    pub file: Option<PathBuf>,
    /// Compare with the answers in this file, as a real chip printed them [default: the recorded
    /// ones of the emulated chip]
    #[arg(long, value_name = "FILE")]
    pub against: Option<PathBuf>,
}
