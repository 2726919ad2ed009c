//! Reads the syntax of a devicetree (Devicetree Specification 0.4, chapter 6): nodes with labels
//! and properties. Preprocessor lines are skipped; names of constants remain words. Size, depth and
//! number of nodes are bounded.

use super::DtsError;
use crate::reader::quoted;

/// Maximum depth of nested nodes.
const DEPTH_MAX: usize = 32;
/// Maximum number of nodes and properties.
const ITEMS_MAX: usize = 20_000;

/// A node: `label: name { … }`, or `&label { … }`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Node {
    /// Name with its address, `ili9341@0`; `&spi0` for a reference; `/` for the root.
    pub(super) name: String,
    pub(super) labels: Vec<String>,
    pub(super) line: usize,
    pub(super) properties: Vec<Property>,
    pub(super) children: Vec<Node>,
}

/// A property with its values; none for a flag.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Property {
    pub(super) name: String,
    pub(super) line: usize,
    pub(super) values: Vec<PropertyValue>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum PropertyValue {
    Text(String),
    /// The cells of `< … >`: numbers, `&label`, words; an expression in parentheses is one cell.
    Cells(Vec<String>),
    /// The label of a reference outside of cells: `&uart0`.
    Reference(String),
    /// `[ … ]`, or an expression.
    Other,
}

impl Node {
    pub(super) fn property(&self, name: &str) -> Option<&Property> {
        self.properties.iter().find(|property| property.name == name)
    }

    /// Returns the texts of a property, as of `compatible`.
    pub(super) fn texts<'a>(&'a self, name: &str) -> Vec<&'a str> {
        let values = self.property(name).map(|property| property.values.as_slice());
        let text = |value: &'a PropertyValue| match value {
            PropertyValue::Text(text) => Some(text.as_str()),
            _ => None,
        };
        values.unwrap_or_default().iter().filter_map(text).collect()
    }

    /// Returns all cells of a property.
    pub(super) fn cells(&self, name: &str) -> Vec<&str> {
        let values = self.property(name).map(|property| property.values.as_slice());
        let mut cells = Vec::new();
        for value in values.unwrap_or_default() {
            if let PropertyValue::Cells(list) = value {
                cells.extend(list.iter().map(String::as_str));
            }
        }
        cells
    }

    /// Returns the first cell of a property as a number.
    pub(super) fn number(&self, name: &str) -> Option<u32> {
        number(self.cells(name).first()?)
    }

    /// Returns the name without the address: `ili9341` of `ili9341@0`.
    pub(super) fn base(&self) -> &str {
        self.name.split('@').next().unwrap_or(&self.name)
    }
}

/// Returns a decimal or hexadecimal number.
pub(super) fn number(cell: &str) -> Option<u32> {
    match cell.strip_prefix("0x").or_else(|| cell.strip_prefix("0X")) {
        Some(digits) => u32::from_str_radix(digits, 16).ok(),
        None => cell.parse().ok(),
    }
}

/// An error with its line.
pub(super) type Error = (usize, DtsError);

/// Returns the nodes of a file in their order.
pub(super) fn parse(text: &str) -> Result<Vec<Node>, Error> {
    let mut reader = DtsReader { tokens: tokens(text), at: 0, items: 0 };
    let mut nodes = Vec::new();
    while let Some((token, _)) = reader.peek() {
        match token {
            // `/dts-v1/;`, `/plugin/;`, `/delete-node/ &label;`
            directive if directive.starts_with('/') && directive.len() > 1 => {
                reader.skip_statement();
            }
            ";" => reader.at += 1,
            _ => nodes.push(reader.node(0)?),
        }
    }
    Ok(nodes)
}

/// A token and its line.
type Token<'a> = (&'a str, usize);

struct DtsReader<'a> {
    tokens: Vec<Token<'a>>,
    at: usize,
    items: usize,
}

impl<'a> DtsReader<'a> {
    fn peek(&self) -> Option<Token<'a>> {
        self.tokens.get(self.at).copied()
    }

    fn next(&mut self, expected: &'static str) -> Result<Token<'a>, Error> {
        let last = self.tokens.last().map_or(1, |(_, line)| *line);
        let token = self.peek().ok_or((last, DtsError::End(expected)))?;
        self.at += 1;
        Ok(token)
    }

    fn expect(&mut self, wanted: &str, expected: &'static str) -> Result<(), Error> {
        let (token, line) = self.next(expected)?;
        if token == wanted {
            return Ok(());
        }
        Err((line, DtsError::Unexpected { found: quoted(token), expected }))
    }

    fn count(&mut self, line: usize) -> Result<(), Error> {
        self.items += 1;
        if self.items > ITEMS_MAX {
            return Err((line, DtsError::TooMany(ITEMS_MAX)));
        }
        Ok(())
    }

    fn skip_statement(&mut self) {
        while let Some((token, _)) = self.peek() {
            self.at += 1;
            if token == ";" {
                break;
            }
        }
    }

    /// Reads a node, from its labels to the `;` after it.
    fn node(&mut self, depth: usize) -> Result<Node, Error> {
        let mut node = Node::default();
        let (mut name, line) = self.next("a node")?;
        while self.peek().is_some_and(|(token, _)| token == ":") {
            node.labels.push(name.to_owned());
            self.at += 1;
            (name, _) = self.next("a node")?;
        }
        self.count(line)?;
        if depth >= DEPTH_MAX {
            return Err((line, DtsError::TooDeep(DEPTH_MAX)));
        }
        (node.name, node.line) = (name.to_owned(), line);
        self.expect("{", "`{`")?;
        loop {
            let (token, line) = self.peek().ok_or((line, DtsError::End("`}`")))?;
            let after = self.tokens.get(self.at + 1).map_or("", |(token, _)| *token);
            match (token, after) {
                ("}", _) => break,
                (";", _) => self.at += 1,
                (directive, _) if directive.starts_with('/') => self.skip_statement(),
                (_, ":" | "{") => node.children.push(self.node(depth + 1)?),
                (name, ";" | "=") => {
                    self.at += 1;
                    self.count(line)?;
                    let values = if after == "=" { self.values()? } else { Vec::new() };
                    self.expect(";", "`;`")?;
                    node.properties.push(Property { name: name.to_owned(), line, values });
                }
                (found, _) => {
                    let (found, expected) = (quoted(found), "a property or a node");
                    return Err((line, DtsError::Unexpected { found, expected }));
                }
            }
        }
        self.at += 1;
        // The `;` after the last node of a file is often missing.
        if self.peek().is_some_and(|(token, _)| token == ";") {
            self.at += 1;
        }
        Ok(node)
    }

    /// Reads `= value, value`.
    fn values(&mut self) -> Result<Vec<PropertyValue>, Error> {
        self.expect("=", "`=`")?;
        let mut values = Vec::new();
        loop {
            let (token, line) = self.next("a value")?;
            self.count(line)?;
            values.push(match token {
                "<" => PropertyValue::Cells(self.cells()?),
                "[" => {
                    while self.next("`]`")?.0 != "]" {}
                    PropertyValue::Other
                }
                text if text.starts_with('"') => {
                    PropertyValue::Text(text.trim_matches('"').to_owned())
                }
                reference if reference.starts_with('&') => {
                    PropertyValue::Reference(reference.trim_start_matches('&').to_owned())
                }
                _ => PropertyValue::Other,
            });
            match self.peek() {
                Some((",", _)) => self.at += 1,
                _ => return Ok(values),
            }
        }
    }

    fn cells(&mut self) -> Result<Vec<String>, Error> {
        let mut cells = Vec::new();
        loop {
            let (token, line) = self.next("`>`")?;
            self.count(line)?;
            match token {
                ">" => return Ok(cells),
                "(" => {
                    let (mut depth, mut words) = (1, String::new());
                    while depth > 0 {
                        match self.next("`)`")?.0 {
                            "(" => depth += 1,
                            ")" => depth -= 1,
                            word => {
                                words.push_str(word);
                                words.push(' ');
                            }
                        }
                    }
                    cells.push(words.trim_end().to_owned());
                }
                // The arguments of a macro, as of `PWM_MSEC(20)`, belong to its name.
                word => {
                    if self.peek().is_some_and(|(token, _)| token == "(")
                        && !word.starts_with('&')
                        && !word.starts_with(|first: char| first.is_ascii_digit())
                    {
                        while self.next("`)`")?.0 != ")" {}
                    }
                    cells.push(word.to_owned());
                }
            }
        }
    }
}

/// Splits a file into tokens: words, texts with their quotes, single signs. Comments and lines of
/// the preprocessor are left out.
fn tokens(text: &str) -> Vec<Token<'_>> {
    let is_word = |letter: char| letter.is_alphanumeric() || ",._+?#-@&/\\*".contains(letter);
    let (mut tokens, mut rest, mut line, mut line_start) = (Vec::new(), text, 1, true);
    while let Some(first) = rest.chars().next() {
        let length = if first == '\n' {
            line += 1;
            line_start = true;
            rest = &rest[1..];
            continue;
        } else if first.is_whitespace() {
            first.len_utf8()
        } else if rest.starts_with("//") || (first == '#' && line_start && is_directive(rest)) {
            line_end(rest)
        } else if let Some(comment) = rest.strip_prefix("/*") {
            comment.find("*/").map_or(rest.len(), |end| end + 4)
        } else if first == '"' {
            let end = text_end(rest);
            tokens.push((&rest[..end], line));
            end
        } else if is_word(first) {
            // A comment can follow a word without a blank.
            let end = rest.find(|letter| !is_word(letter)).unwrap_or(rest.len());
            let comment = rest[..end].find("/*").into_iter().chain(rest[..end].find("//")).min();
            let end = comment.unwrap_or(end).max(first.len_utf8());
            tokens.push((&rest[..end], line));
            end
        } else {
            tokens.push((&rest[..first.len_utf8()], line));
            first.len_utf8()
        };
        line_start &= first.is_whitespace();
        line += rest[..length].matches('\n').count();
        rest = &rest[length..];
    }
    tokens
}

/// Returns whether a `#` begins a line of the preprocessor, not a property like `#address-cells`.
fn is_directive(rest: &str) -> bool {
    const DIRECTIVES: [&str; 9] =
        ["include", "define", "undef", "if", "else", "elif", "endif", "error", "pragma"];
    let word = rest[1..].trim_start();
    let end = word.find(|letter: char| !letter.is_ascii_alphabetic()).unwrap_or(word.len());
    let name = &word[..end];
    !word[end..].starts_with('-') && (DIRECTIVES.contains(&name) || name.starts_with("if"))
}

/// Returns the length of a line, with the lines that a backslash continues.
fn line_end(rest: &str) -> usize {
    let mut end = 0;
    for line in rest.split_inclusive('\n') {
        end += line.len();
        if !line.trim_end().ends_with('\\') {
            return end - usize::from(line.ends_with('\n'));
        }
    }
    end
}

/// Returns the length of a text with its quotes.
fn text_end(rest: &str) -> usize {
    let mut escaped = false;
    for (at, letter) in rest.char_indices().skip(1) {
        match letter {
            '"' if !escaped => return at + 1,
            '\\' => escaped = !escaped,
            _ => escaped = false,
        }
    }
    rest.len()
}
