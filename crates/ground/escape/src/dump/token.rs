//! Mends one token after the other.

use super::TOKEN_BYTES_MAX;
use super::oddity::{Oddities, Oddity};

const VARIABLES: [&str; 18] = [
    "event",
    "integer",
    "parameter",
    "real",
    "reg",
    "supply0",
    "supply1",
    "time",
    "tri",
    "triand",
    "trior",
    "trireg",
    "tri0",
    "tri1",
    "wand",
    "wire",
    "wor",
    "string",
];
const SCOPES: [&str; 5] = ["module", "task", "function", "begin", "fork"];
/// Length in bytes up to which the parser reads a real number.
const REAL_BYTES_MAX: usize = 32;

/// Position between two tokens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Place {
    #[default]
    Outside,
    /// In a section that ends at `$end`.
    Section,
    /// In a text that ends at `$end`, even within a word.
    Text,
    /// Before the type of a scope.
    Scope,
    /// Before the type of a variable; in it, the number of tokens so far.
    Variable(u8),
    /// In a section that is left out.
    Skipped,
    /// Before the id of a value.
    Id,
}

/// The state between two tokens.
#[derive(Default)]
pub(super) struct Tokens {
    place: Place,
    is_body: bool,
    /// Whether one of the sections with values is open.
    is_dumping: bool,
    /// Words of the name and index of a variable, and their length in bytes.
    name: Vec<String>,
    name_bytes: usize,
    pub(super) oddities: Oddities,
}

impl Tokens {
    /// Writes the mended token, which is not empty, to `text`.
    pub(super) fn mend(&mut self, token: &[u8], line: u64, text: &mut Vec<u8>) {
        let latin;
        let word = match str::from_utf8(token) {
            Ok(word) => word,
            Err(_) => {
                self.oddities.add(line, Oddity::Encoding);
                latin = token.iter().copied().map(char::from).collect::<String>();
                &latin
            }
        };
        match self.place {
            Place::Outside => self.outside(word, line, text),
            Place::Id => {
                self.place = Place::Outside;
                text.extend(word.as_bytes());
            }
            Place::Skipped if word == "$end" => self.place = Place::Outside,
            Place::Skipped => {}
            Place::Scope => {
                self.place = Place::Section;
                let known = SCOPES.contains(&word);
                self.note(!known, line, Oddity::ScopeType);
                text.extend(if known { word } else { "module" }.as_bytes());
            }
            Place::Variable(count) => self.variable(count, word, line, text),
            Place::Section => {
                if word == "$end" {
                    self.place = Place::Outside;
                }
                text.extend(word.as_bytes());
            }
            Place::Text if word.ends_with("$end") => {
                self.place = Place::Outside;
                text.extend(word.as_bytes());
            }
            Place::Text => {
                self.note(word.contains("$end"), line, Oddity::EndInText);
                text.extend(word.replace("$end", "").as_bytes());
            }
        }
    }

    /// Notes that a token beginning with `first` is passed on, because it is too long to mend.
    pub(super) fn long(&mut self, first: u8) {
        if self.place == Place::Outside && matches!(first, b'b' | b'B' | b'r' | b'R' | b's' | b'S')
        {
            self.place = Place::Id;
        }
    }

    fn note(&mut self, odd: bool, line: u64, oddity: Oddity) {
        if odd {
            self.oddities.add(line, oddity);
        }
    }

    fn outside(&mut self, word: &str, line: u64, text: &mut Vec<u8>) {
        self.place = match word {
            "$end" if !std::mem::take(&mut self.is_dumping) => {
                return self.oddities.add(line, Oddity::StrayEnd);
            }
            "$end" => Place::Outside,
            "$var" => Place::Variable(0),
            "$scope" => Place::Scope,
            "$comment" | "$date" | "$version" => Place::Text,
            "$timescale" | "$upscope" => Place::Section,
            "$enddefinitions" => {
                self.is_body = true;
                Place::Section
            }
            "$dumpvars" | "$dumpall" | "$dumpon" | "$dumpoff" => {
                self.is_dumping = true;
                Place::Outside
            }
            _ if word.starts_with('$') => {
                self.place = Place::Skipped;
                return self.oddities.add(line, Oddity::Section);
            }
            _ if self.is_body => return self.value(word, line, text),
            _ => Place::Outside,
        };
        text.extend(word.as_bytes());
    }

    /// Mends a value, with its id unless that is a separate token.
    fn value(&mut self, word: &str, line: u64, text: &mut Vec<u8>) {
        let (kind, rest) = word.split_at(word.chars().next().map_or(0, char::len_utf8));
        match kind {
            "b" | "B" => {
                self.place = Place::Id;
                let levels: String = rest.chars().map(|it| level(it).unwrap_or('x')).collect();
                let odd = rest.chars().any(|it| level(it) != Some(it));
                self.note(odd, line, Oddity::Value);
                text.extend(kind.as_bytes());
                text.extend(levels.as_bytes());
            }
            "r" | "R" => {
                self.place = Place::Id;
                let is_number = rest.parse::<f64>().is_ok();
                self.note(!is_number, line, Oddity::Value);
                let fits = is_number && rest.len() <= REAL_BYTES_MAX;
                text.extend(if fits { word } else { "r0" }.as_bytes());
            }
            "s" | "S" => {
                self.place = Place::Id;
                text.extend(word.as_bytes());
            }
            _ => match kind.chars().next().and_then(level) {
                Some(level) => {
                    if rest.is_empty() {
                        self.place = Place::Id;
                    }
                    self.note(!kind.starts_with(level), line, Oddity::Value);
                    text.push(level as u8);
                    text.extend(rest.as_bytes());
                }
                None => text.extend(word.as_bytes()),
            },
        }
    }

    /// Mends `$var TYPE BITS ID NAME [INDEX] $end`, whose name may have blanks.
    fn variable(&mut self, count: u8, word: &str, line: u64, text: &mut Vec<u8>) {
        self.place = Place::Variable(count.saturating_add(1));
        match (count, word) {
            (0, _) => {
                let known = VARIABLES.contains(&word);
                self.note(!known, line, Oddity::VariableType);
                text.extend(if known { word } else { "wire" }.as_bytes());
            }
            (1 | 2, _) => text.extend(word.as_bytes()),
            (_, "$end") => {
                self.place = Place::Outside;
                self.end_variable(text);
            }
            _ => {
                self.name_bytes += word.len();
                self.name.push(word.to_owned());
                if self.name_bytes > TOKEN_BYTES_MAX {
                    // The parser refuses it, or the caller.
                    self.place = Place::Section;
                    self.end_name(text);
                }
            }
        }
    }

    fn end_variable(&mut self, text: &mut Vec<u8>) {
        self.end_name(text);
        text.extend(b" $end");
    }

    /// Writes the name as one word, and the index as another.
    fn end_name(&mut self, text: &mut Vec<u8>) {
        self.name_bytes = 0;
        let words = std::mem::take(&mut self.name);
        let index = words.iter().rposition(|word| word.starts_with('[')).filter(|it| *it > 0);
        let index = index.filter(|it| is_index(&words[*it..].concat()));
        let (name, index) = words.split_at(index.unwrap_or(words.len()));
        text.extend(name.join("\u{A0}").as_bytes());
        if !index.is_empty() {
            text.push(b' ');
            text.extend(index.concat().as_bytes());
        }
    }
}

/// Returns whether a text is an index, such as `[3]` or `[7:0]`.
fn is_index(text: &str) -> bool {
    let inner = text.strip_prefix('[').and_then(|text| text.strip_suffix(']'));
    let number = |text: &str| text.parse::<i32>().is_ok();
    inner.is_some_and(|inner| inner.split(':').all(number) && inner.split(':').count() <= 2)
}

/// Returns the level of Verilog for one of VHDL's; `None` for another character.
fn level(letter: char) -> Option<char> {
    match letter {
        '0' | '1' | 'x' | 'X' | 'z' | 'Z' => Some(letter),
        'U' | 'u' | 'W' | 'w' | '-' => Some('x'),
        'H' | 'h' => Some('1'),
        'L' | 'l' => Some('0'),
        _ => None,
    }
}
