//! The mutants that tests/mutants/explained.tsv explains: a reason holds for a fragment of the
//! sources, and goes with it.
//!
//! Fragments are compared as words and signs, without comments, so that no formatter breaks the
//! list. scripts/mutants-outcomes.awk finds the explained mutants of a run by the same comparison.

/// Returns what is wrong with the list `text`, a sentence for each faulty row; `source` reads a
/// file of the checkout. The rows are `file`, `mutation`, `fragment of the source` and `reason`,
/// with tabs between them.
pub fn faults(text: &str, source: impl Fn(&str) -> Option<String>) -> Vec<String> {
    let rows = text.lines().zip(1..).filter(|(row, _)| !row.starts_with('#'));
    let mut earlier: Option<&str> = None;
    let mut faults = Vec::new();
    for (row, number) in rows {
        if let Some(fault) = fault(row, earlier, &source) {
            faults.push(format!("row {number}: {fault}"));
        }
        earlier = Some(row);
    }
    faults
}

fn fault(
    row: &str,
    earlier: Option<&str>,
    source: impl Fn(&str) -> Option<String>,
) -> Option<String> {
    let fields: Vec<&str> = row.split('\t').collect();
    let [file, mutation, fragment, reason] = fields[..] else {
        return Some(format!(
            "four fields with tabs between them are needed, not {}",
            fields.len()
        ));
    };
    if mutation.is_empty() || reason.split_whitespace().count() < 3 {
        return Some("a mutation and its reason are needed".to_owned());
    }
    if earlier.is_some_and(|earlier| earlier >= row) {
        return Some("the rows are sorted, and each occurs once".to_owned());
    }
    let Some(source) = source(file) else { return Some(format!("there is no file {file}")) };
    let wanted = tokens(fragment);
    if wanted.is_empty() {
        return Some(format!("`{fragment}` is no fragment of a source"));
    }
    let is_found = tokens(&source).windows(wanted.len()).any(|part| part == wanted);
    (!is_found)
        .then(|| format!("{file} no longer contains `{fragment}`; is the mutant noticed now?"))
}

/// Returns the words and the signs of `text`, each sign alone. Left out is what a formatter moves,
/// adds and removes: blanks, ends of lines, comments, braces, commas and semicolons.
fn tokens(text: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    for line in text.lines() {
        let mut rest = without_comment(line);
        while let Some(first) = rest.chars().next() {
            let is_word = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
            let end = match rest.find(|letter| !is_word(letter)) {
                Some(0) => first.len_utf8(),
                Some(end) => end,
                None => rest.len(),
            };
            let (token, after) = rest.split_at(end);
            if !first.is_whitespace() && !"{},;".contains(first) {
                tokens.push(token);
            }
            rest = after;
        }
    }
    tokens
}

/// Cuts `line` at a `//` that begins it or follows a blank.
fn without_comment(line: &str) -> &str {
    let begins = |at: usize| line[..at].chars().next_back().is_none_or(char::is_whitespace);
    let comment = line.match_indices("//").map(|(at, _)| at).find(|at| begins(*at));
    &line[..comment.unwrap_or(line.len())]
}

#[cfg(test)]
mod tests {
    use super::faults;

    const LIST: &str =
        "# a comment\na.rs\treplace | with ^ in a\tNone => x(b | c, d),\tno bit is shared\n";

    #[track_caller]
    fn check(source: &str, expected: &[&str]) {
        let source = |file: &str| (file == "a.rs").then(|| source.to_owned());
        assert_eq!(faults(LIST, source), expected);
    }

    const GONE: &str =
        "row 2: a.rs no longer contains `None => x(b | c, d),`; is the mutant noticed now?";

    #[test]
    fn a_reason_goes_with_its_fragment() {
        check("match a {\n    None => x(b | c, d),\n}\n", &[]);
        check("match a {\n    None => x(b | d, d),\n}\n", &[GONE]);
        check("match a {\n    None => x(b & c, d),\n}\n", &[GONE]);
        check("match a {\n    None => x(b | c, d_2),\n}\n", &[GONE]);
        check("match a {\n    BNone => x(b | c, d),\n}\n", &[GONE]);
        check("match a {\n    // None => x(b | c, d),\n}\n", &[GONE]);
        let elsewhere =
            faults(&LIST.replace("a.rs", "b.rs"), |file| (file == "a.rs").then(String::new));
        assert_eq!(elsewhere, ["row 2: there is no file b.rs"]);
    }

    #[test]
    fn a_fragment_stays_when_it_is_formatted_otherwise() {
        check("match a { None => x(b|c,d) }", &[]);
        check("    None => x(\n        b | c,\n        d,\n    ),\n", &[]);
        check("    None => {\n        x(b\n            | c, d)\n    }\n", &[]);
        check(
            "    None => x(\n        // Why b.\n        b | c, // Why c.\n        d,\n    ),\n",
            &[],
        );
    }

    /// Checks the result of scripts/mutants.sh for a mutant in line 3 of `source` that no test
    /// detected.
    #[cfg(unix)]
    #[track_caller]
    fn check_outcome(source: &str, expected: &str) {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            std::fs::write(folder.path().join(name), text).unwrap();
        };
        let mutant = "a.rs:3:9: replace | with ^ in a";
        write("a.rs", source);
        write("explained.tsv", LIST);
        write("list", mutant);
        write("outcomes", &format!("missed\t{mutant}\t17\n"));
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../scripts/mutants-outcomes.awk");
        let mut awk = std::process::Command::new("awk");
        awk.args(["-F", "\t", "-f", script, "explained.tsv", "list", "outcomes"]);
        let output = awk.current_dir(folder.path()).output().unwrap();
        let printed = String::from_utf8(output.stdout).unwrap();
        assert_eq!(printed, format!("{expected}\t{mutant}\t17\n"), "{:?}", output.stderr);
    }

    #[cfg(unix)]
    #[test]
    fn make_mutants_finds_the_same_fragments() {
        check_outcome("match a {\n\n    None => x(b | c, d),\n}\n", "explained");
        check_outcome(
            "match a {\n    None => x(\n        b | c,\n        d,\n    ),\n",
            "explained",
        );
        check_outcome("\n    None => x(b // Why b.\n        | c, d)\n", "explained");
        check_outcome("match a {\n\n    None => x(b | d, d),\n}\n", "missed");
        check_outcome("match a {\n\n    None => x(b | c, d_2),\n}\n", "missed");
        check_outcome("match a {\n    None => x(b | c, d),\n    x(b | e)\n}\n", "missed");
    }

    #[test]
    fn a_row_without_a_reason_or_out_of_order_is_named() {
        let source = |_: &str| Some("b | c".to_owned());
        let short = faults("a.rs\tx\tb | c\n", source);
        assert!(short[0].contains("four fields"), "{short:?}");
        let silent = faults("a.rs\tx\tb | c\tno\n", source);
        assert!(silent[0].contains("its reason"), "{silent:?}");
        let empty = faults("a.rs\tx\t{ // b\tno bit is shared\n", source);
        assert!(empty[0].contains("no fragment"), "{empty:?}");
        let row = "a.rs\tx\tb | c\tno bit is shared\n";
        assert!(faults(&format!("{row}{row}"), source)[0].contains("sorted"));
    }
}
