//! Finds code that writes a file without `output-files`.

/// Calls that create, truncate, append to or rename a file.
const WRITING: [&str; 9] = [
    "fs::write(",
    "File::create(",
    "File::create_new(",
    "OpenOptions::new(",
    "fs::rename(",
    "fs::copy(",
    "NamedTempFile::",
    "tempfile::Builder::",
    "create_dir_all(",
];

/// Returns the writing calls in `source`, each with its line, counted from 1. Comments are ignored,
/// and so is everything after the first `#[cfg(test)]`: test modules are last in a file.
pub fn writing_calls(source: &str) -> Vec<(usize, &'static str)> {
    let tested = source.find("#[cfg(test)]\nmod ").unwrap_or(source.len());
    let lines = source[..tested].lines().zip(1..);
    lines
        .filter(|(line, _)| !line.trim_start().starts_with("//"))
        .flat_map(|(line, number)| {
            WRITING.into_iter().filter(|call| calls(line, call)).map(move |call| (number, call))
        })
        .collect()
}

/// Returns whether `line` contains `call`, but not at the end of a longer name.
fn calls(line: &str, call: &str) -> bool {
    line.match_indices(call)
        .any(|(at, _)| !line[..at].ends_with(|end: char| end.is_alphanumeric() || end == '_'))
}

#[cfg(test)]
mod tests {
    use super::writing_calls;

    #[test]
    fn each_way_to_write_is_found_with_its_line() {
        let source = "use std::fs;\n// fs::write( in a comment\nfn a() {\n    fs::write(a, b)\n}\n\
                      fn b() { OpenOptions::new().append(true) }\n\
                      #[cfg(test)]\nmod tests { fn c() { File::create(a) } }\n";
        assert_eq!(writing_calls(source), [(4, "fs::write("), (6, "OpenOptions::new(")]);
    }

    #[test]
    fn reading_is_not_writing() {
        assert_eq!(writing_calls("let a = File::open(path)?; fs::read(path)?;\n"), []);
        assert_eq!(writing_calls("let a = FilmFile::create(path)?;\n"), []);
    }
}
