//! The texts that a program's output is to have: `--expect` and `--until-text`.

/// A text, and whether the output has had it.
#[derive(Clone, Debug)]
struct Expected {
    text: String,
    found: bool,
}

/// Where bytes come from. A text does not go from one to another.
#[derive(Clone, Copy, Debug)]
pub enum Source {
    Uart,
    Rtt,
    Semihosting,
    Usb,
}

/// Looks for texts in the bytes of a program as they come.
#[derive(Clone, Debug, Default)]
pub struct Expectations {
    texts: Vec<Expected>,
    /// The place of the text that ends the run.
    last: Option<usize>,
    /// The last bytes of each source, fewer than the longest text has.
    tails: [Vec<u8>; 4],
}

impl Expectations {
    /// The texts of `--expect`, and that of `--until-text`.
    pub fn new(expect: &[String], until: Option<&String>) -> Self {
        let texts = expect.iter().chain(until).cloned();
        let texts = texts.map(|text| Expected { text, found: false }).collect();
        Self { texts, last: until.map(|_| expect.len()), tails: Default::default() }
    }

    /// The program has sent these bytes.
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

    /// Whether the text that ends the run is there.
    pub fn is_enough(&self) -> bool {
        self.last.is_some_and(|last| self.texts[last].found)
    }

    /// The texts that the output never had.
    pub fn missing(&self) -> impl Iterator<Item = &str> {
        self.texts.iter().filter(|expected| !expected.found).map(|expected| expected.text.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_found_however_it_is_cut() {
        let mut expected = Expectations::new(&["PASS".into(), "never".into()], Some(&"all".into()));
        for bytes in ["PPA", "S", "S a", "l"] {
            expected.take(Source::Uart, bytes.as_bytes());
            expected.take(Source::Rtt, b"l");
            assert!(!expected.is_enough());
        }
        expected.take(Source::Uart, b"l");
        assert!(expected.is_enough());
        assert_eq!(expected.missing().collect::<Vec<_>>(), ["never"]);
        assert!(expected.tails[0].len() < "never".len());
    }
}
