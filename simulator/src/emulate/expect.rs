//! The texts that a program's output must contain: `--expect` and `--until-text`.

/// An expected text, and whether the output has contained it.
#[derive(Clone, Debug)]
struct Expected {
    text: String,
    found: bool,
}

/// The source of output bytes. A text that begins in one source and ends in another is not found.
#[derive(Clone, Copy, Debug)]
pub enum Source {
    Uart,
    Rtt,
    Semihosting,
    Usb,
}

/// A search for texts in the output of a program while it runs.
#[derive(Clone, Debug, Default)]
pub struct TextSearch {
    texts: Vec<Expected>,
    /// Index of the text that ends the run.
    last: Option<usize>,
    /// The last bytes of each source, one fewer than the longest text has.
    tails: [Vec<u8>; 4],
}

impl TextSearch {
    /// Creates the search for the texts of `--expect` and of `--until-text`.
    pub fn new(expect: &[String], until: Option<&String>) -> Self {
        let texts = expect.iter().chain(until).cloned();
        let texts = texts.map(|text| Expected { text, found: false }).collect();
        Self { texts, last: until.map(|_| expect.len()), tails: Default::default() }
    }

    /// Searches the bytes that the program has sent.
    pub fn take(&mut self, source: Source, bytes: &[u8]) {
        if bytes.is_empty() || self.texts.iter().all(|expected| expected.found) {
            return;
        }
        let tail = &mut self.tails[source as usize];
        tail.extend(bytes);
        for Expected { text, found } in &mut self.texts {
            let wanted = text.as_bytes();
            *found |=
                wanted.is_empty() || tail.windows(wanted.len()).any(|window| window == wanted);
        }
        let longest = self.texts.iter().map(|expected| expected.text.len()).max();
        let kept = tail.len().min(longest.unwrap_or_default().saturating_sub(1));
        tail.drain(..tail.len() - kept);
    }

    /// Returns whether the text that ends the run was found.
    pub fn has_final_text(&self) -> bool {
        self.last.is_some_and(|last| self.texts[last].found)
    }

    /// Returns the texts that were not found.
    pub fn missing(&self) -> impl Iterator<Item = &str> {
        self.texts.iter().filter(|expected| !expected.found).map(|expected| expected.text.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_found_however_it_is_cut() {
        let mut expected = TextSearch::new(&["PASS".into(), "never".into()], Some(&"all".into()));
        for bytes in ["PPA", "S", "S a", "l"] {
            expected.take(Source::Uart, bytes.as_bytes());
            expected.take(Source::Rtt, b"l");
            assert!(!expected.has_final_text());
        }
        expected.take(Source::Uart, b"l");
        assert!(expected.has_final_text());
        assert_eq!(expected.missing().collect::<Vec<_>>(), ["never"]);
        assert!(expected.tails[0].len() < "never".len());
    }
}
