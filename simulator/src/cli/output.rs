//! Names of the files that `nudge` writes: each kind demands its extension, so that no option
//! replaces a file of another kind.

use std::path::PathBuf;

use host::output_files::{OutputError, demand_extension};

/// Parsers for clap: `NAME` accepts a path with one of the extensions.
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
    /// A trace.
    trace: "trace";
    /// A picture.
    png: "png";
    /// A moving picture.
    gif: "gif";
    /// A waveform.
    vcd: "vcd";
    /// What a UART sends.
    uart: "txt" | "log";
    /// The traffic of buses.
    bus_log: "txt" | "log";
    /// A timeline for Perfetto's viewer.
    timeline: "json";
    /// Results for JUnit's readers.
    junit: "xml";
    /// A page.
    page: "html";
    /// What differs, for a pull request.
    markdown: "md";
    /// A profile: a picture, or folded stacks as text.
    flame_graph: "svg" | "folded" | "txt";
    /// Executed lines, for lcov's tools.
    coverage: "info" | "lcov";
    /// A line for every instruction.
    instructions: "txt" | "log";
    /// A page.
    html: "html" | "htm";
    /// The board's flash.
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
    fn no_kind_of_file_takes_the_name_of_another() {
        let names = [
            "a.trace", "a.xml", "a.png", "a.gif", "a.vcd", "a.svg", "a.bin", "a.md", "a.html", "a",
            "trace",
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
