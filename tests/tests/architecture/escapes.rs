//! Finds code that escapes text for a reader without the crate `escape`.

/// Texts that indicate such code: references of HTML and XML, escapes of JSON and of GitHub's log,
/// and the replacement of control characters. `innerHTML` and similar properties interpret text as
/// markup.
const ESCAPING: [&str; 13] = [
    "&lt;",
    "&gt;",
    "&amp;",
    "&quot;",
    "&#39;",
    "&#x27;",
    "&apos;",
    "\\\\u{",
    "%0A",
    "\\u{FFFD}",
    "\u{FFFD}",
    "innerHTML",
    "insertAdjacentHTML",
];

/// Returns the escapes in `source`, each with its line, counted from 1. Comments are ignored, and
/// so is everything after the first `#[cfg(test)]`: test modules are last in a file.
pub fn escapes(source: &str) -> Vec<(usize, &'static str)> {
    let tested = source.find("#[cfg(test)]\nmod ").unwrap_or(source.len());
    let lines = source[..tested].lines().zip(1..);
    lines
        .filter(|(line, _)| !line.trim_start().starts_with("//"))
        .flat_map(|(line, number)| {
            let line = line.to_ascii_lowercase();
            ESCAPING
                .into_iter()
                .filter(move |escape| line.contains(&escape.to_ascii_lowercase()))
                .map(move |escape| (number, escape))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::escapes;

    #[test]
    fn each_way_to_escape_is_found_with_its_line() {
        let source = "// &lt; in a comment\nfn a() { text.replace('<', \"&lt;\") }\n\
                      let plain = |letter: char| if letter.is_control() { '\\u{fffd}' } else { letter };\n\
                      write!(out, \"\\\\u{unit:04x}\")\nlist.innerHTML = name;\n\
                      #[cfg(test)]\nmod tests { assert!(page.contains(\"&amp;\")) }\n";
        assert_eq!(
            escapes(source),
            [(2, "&lt;"), (3, "\\u{FFFD}"), (4, "\\\\u{"), (5, "innerHTML")]
        );
    }

    #[test]
    fn other_text_is_not_an_escape() {
        assert_eq!(escapes("a && b; \"\\u{2026}\"; \"50%\"; element.textContent = name;\n"), []);
    }
}
