//! Finds examples in documentation comments, which `cargo test` compiles and runs.

/// Returns whether `source` has an example: a code block of Rust in a comment, or a document that
/// is included for its examples.
pub fn has_example(source: &str) -> bool {
    let mut inside = false;
    for line in source.lines().map(str::trim_start) {
        if line.starts_with("#[cfg(doctest)]") {
            return true;
        }
        let comment = line.strip_prefix("///").or_else(|| line.strip_prefix("//!"));
        let Some(language) = comment.and_then(|text| text.trim().strip_prefix("```")) else {
            continue;
        };
        if !inside && (language.is_empty() || language.starts_with("rust")) {
            return true;
        }
        inside = !inside;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::has_example;

    #[test]
    fn code_blocks_of_rust_are_examples_and_other_blocks_are_not() {
        assert!(has_example("//! ```\n//! let a = 1;\n//! ```\n"));
        assert!(has_example("mod a {\n    /// ```rust,no_run\n    /// a();\n    /// ```\n}\n"));
        assert!(has_example("#[cfg(doctest)]\n#[doc = include_str!(\"../README.md\")]\nstruct A;"));
        assert!(!has_example("/// ```text\n/// a\n/// ```\nfn a() {}\n// ```\n"));
        assert!(has_example("/// ```text\n/// a\n/// ```\n///\n/// ```\n/// b();\n/// ```\n"));
    }
}
