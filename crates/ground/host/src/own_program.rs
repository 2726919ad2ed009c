//! The file of the program that runs.

use std::env;
use std::io;
use std::path::{Path, PathBuf};

/// The kernel's link to the program that runs. It opens the same bytes after the file was replaced
/// or removed.
const RUNNING: &str = "/proc/self/exe";

/// Returns a path that opens and starts the program that runs, even if its file was replaced since.
///
/// Without `/proc` it is the path that the program was started with, and a replaced file is another
/// program.
///
/// # Errors
/// If the operating system does not name the file.
pub fn own_program() -> io::Result<PathBuf> {
    let running = Path::new(RUNNING);
    if running.exists() { Ok(running.to_owned()) } else { env::current_exe() }
}
