//! Escapes text for GitHub: parts of a workflow command, and cells of a table in Markdown.

use super::terminal::plain;

/// Escapes the text of a workflow command; it may have several lines.
pub fn data(text: &str) -> String {
    let lines: Vec<String> = text.lines().map(plain).collect();
    // The runner interprets a line by its beginning; `##[` is also a command elsewhere in a line.
    let text = lines.join("\n").replace("##[", "## [");
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// Escapes the value of a property of a workflow command.
pub fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

/// Escapes a cell of a table in Markdown, or a part of a line: all markup of Markdown and HTML.
pub fn cell(text: &str) -> String {
    let mut out = String::new();
    for letter in plain(text).chars() {
        match letter {
            '&' => out += "&amp;",
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '\\' | '|' | '`' | '*' | '_' | '[' | ']' | '!' | '#' | '~' | '@' | '$' => {
                out.push('\\');
                out.push(letter);
            }
            _ => out.push(letter),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::hostile;
    use super::*;

    #[test]
    fn nothing_in_a_text_ends_a_workflow_command_early() {
        assert_eq!(data("100%\n::error::x"), "100%25%0A::error::x");
        assert_eq!(property("a:b,c%\nd"), "a%3Ab%2Cc%25%0Ad");
        assert_eq!(cell("a|b<i>`_"), r"a\|b&lt;i&gt;\`\_");
    }

    proptest! {
        #[test]
        fn a_command_is_one_line_and_a_cell_stays_in_its_row(text in hostile::text()) {
            let (data, property, cell) = (data(&text), property(&text), cell(&text));
            let command = format!("::error file={property}::{data}");
            prop_assert_eq!(command.lines().count(), 1);
            prop_assert_eq!(command.find("::error"), Some(0));
            // The first `::` after the name ends the properties.
            prop_assert_eq!(command[2..].find("::"), Some(command.len() - data.len() - 4));
            prop_assert!(!command.contains("##["), "{command}");
            prop_assert!(!cell.contains(['<', '>', '\n']), "{cell}");
            let bars = cell.matches('|').count();
            prop_assert_eq!(bars, cell.matches("\\|").count());
        }
    }
}
