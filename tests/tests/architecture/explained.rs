//! Checks the mutants that tests/mutants/explained.tsv explains: each reason belongs to a line of
//! the sources, and must be removed with it.

/// Returns the faults of the list `text`, one sentence for each faulty row; `source` reads a file
/// of the checkout. The columns are `file`, `mutation`, `line of the source without indentation`
/// and `reason`, separated by tabs.
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
    let [file, mutation, line, reason] = fields[..] else {
        return Some(format!(
            "four fields with tabs between them are needed, not {}",
            fields.len()
        ));
    };
    if mutation.is_empty() || reason.split_whitespace().count() < 3 {
        return Some("a mutation and its reason are needed".to_owned());
    }
    if earlier.is_some_and(|earlier| earlier >= row) {
        return Some("the rows are sorted, and none stands twice".to_owned());
    }
    let Some(source) = source(file) else { return Some(format!("there is no file {file}")) };
    let stands = source.lines().any(|of_source| of_source.trim() == line);
    (!stands).then(|| format!("{file} has no line `{line}` any more; is the mutant noticed now?"))
}

#[cfg(test)]
mod tests {
    use super::faults;

    fn source(file: &str) -> Option<String> {
        (file == "a.rs").then(|| "fn a() {\n    b | c\n}\n".to_owned())
    }

    #[test]
    fn a_reason_without_its_line_is_a_fault() {
        let list = "# a comment\na.rs\treplace | with ^ in a\tb | c\tno bit is shared\n";
        assert_eq!(faults(list, source), Vec::<String>::new());
        let moved = faults(&list.replace("b | c", "b | d"), source);
        assert!(moved[0].contains("row 2: a.rs has no line `b | d`"), "{moved:?}");
        let elsewhere = faults(&list.replace("a.rs", "b.rs"), source);
        assert_eq!(elsewhere, ["row 2: there is no file b.rs"]);
    }

    #[test]
    fn rows_without_a_reason_or_out_of_order_are_faults() {
        let short = faults("a.rs\tx\tb | c\n", source);
        assert!(short[0].contains("four fields"), "{short:?}");
        let silent = faults("a.rs\tx\tb | c\tno\n", source);
        assert!(silent[0].contains("its reason"), "{silent:?}");
        let row = "a.rs\tx\tb | c\tno bit is shared\n";
        assert!(faults(&format!("{row}{row}"), source)[0].contains("sorted"));
    }
}
