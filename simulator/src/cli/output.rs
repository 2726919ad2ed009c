//! Names of the files that `nudge` writes. Each kind requires its extension, so no option replaces
//! a file of another kind.

use std::path::PathBuf;

use host::output_files::{OutputError, demand_extension};

/// Defines parsers for clap: `NAME` accepts a path with one of the extensions.
macro_rules! files {
    ($($(#[$doc:meta])* $name:ident: $($extension:literal)|+;)+) => {
        $(
            $(#[$doc])*
            pub fn $name(text: &str) -> Result<PathBuf, OutputError> {
                named(text, &[$($extension),+])
            }
        )+

        #[cfg(test)]
        const ALL: &[(fn(&str) -> Result<PathBuf, OutputError>, &[&str])] =
            &[$(($name, &[$($extension),+])),+];
    };
}

files! {
    /// A trace file.
    trace: "trace";
    /// A PNG picture.
    png: "png";
    /// A GIF animation.
    gif: "gif";
    /// A waveform in VCD format.
    vcd: "vcd";
    /// A log of the bytes that a UART sends.
    uart: "txt" | "log";
    /// A log of the traffic on SPI and I2C.
    bus_log: "txt" | "log";
    /// A timeline for Perfetto's viewer.
    timeline: "json";
    /// Test results in JUnit's format.
    junit: "xml";
    /// An HTML page.
    page: "html";
    /// A report of differences in Markdown, for a pull request.
    markdown: "md";
    /// A profile: a flame graph, or folded stacks as text.
    flame_graph: "svg" | "folded" | "txt";
    /// Line coverage for lcov's tools.
    coverage: "info" | "lcov";
    /// A log with one line for each executed instruction.
    instructions: "txt" | "log";
    /// An HTML page, also with the extension `htm`.
    html: "html" | "htm";
    /// A description of a board.
    board_file: "toml";
    /// A font in the Glyph Bitmap Distribution Format.
    font: "bdf";
    /// An image of the board's flash.
    flash: "bin" | "flash";
}

fn named(text: &str, extensions: &[&str]) -> Result<PathBuf, OutputError> {
    let path = PathBuf::from(text);
    demand_extension(&path, extensions)?;
    Ok(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_of_file_requires_its_extension() {
        let names = [
            "a.trace", "a.toml", "a.xml", "a.png", "a.gif", "a.vcd", "a.svg", "a.bin", "a.md",
            "a.html", "a", "trace",
        ];
        for (parser, extensions) in ALL {
            for name in names {
                let own =
                    extensions.iter().any(|extension| name.ends_with(&format!(".{extension}")));
                assert_eq!(parser(name).is_ok(), own, "{name} for {extensions:?}");
            }
            assert!(parser(&format!("A.{}", extensions[0].to_uppercase())).is_ok());
        }
    }
}
