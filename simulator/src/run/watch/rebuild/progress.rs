//! Parses cargo's progress bar on standard error: `    Building [=====>   ] 12/345: libm, png`.

/// Returns the number of compiled units and of all units in the last progress bar of `text`.
pub fn units(text: &str) -> Option<(u32, u32)> {
    text.split(['\r', '\n']).rev().find_map(|line| {
        let (_, rest) = line.split_once("Building [")?.1.split_once("] ")?;
        let (done, rest) = rest.split_once('/')?;
        let all: String = rest.chars().take_while(char::is_ascii_digit).collect();
        Some((done.parse().ok()?, all.parse().ok()?))
    })
}

/// Returns the lines of `text` without progress bars and the codes that erase them.
pub fn other_lines(text: &str) -> Vec<String> {
    let lines = text.split(['\r', '\n']).map(|line| line.replace("\x1b[K", ""));
    lines.filter(|line| !line.is_empty() && !line.contains("Building [")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_progress_bar_counts() {
        let text = "\r\x1b[K   Compiling png v0.1\n    Building [>   ] 3/40: png\r    Building [=>  ] 4/40: a(bin)\r";
        assert_eq!(units(text), Some((4, 40)));
        assert_eq!(units("   Compiling a/b v1/2"), None);
        assert_eq!(units("Building [=> ] many/40"), None);
        assert_eq!(other_lines(text), ["   Compiling png v0.1"]);
        assert_eq!(other_lines("error: no good\nlast"), ["error: no good", "last"]);
    }
}
