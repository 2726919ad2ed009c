//! YAML as a tree whose nodes have line numbers, limited to what scenarios need: strings, lists and
//! maps. Anchors and aliases are errors, because a few of them can expand to gigabytes. Size, depth
//! and count are bounded. The events come from the crate `saphyr-parser`.

use std::collections::HashMap;

use saphyr_parser::{Event, Parser};

use crate::error::{FormatError, YamlError};

/// Maximum size of a file, in bytes.
pub(super) const FILE_BYTES_MAX: usize = 1 << 20;
/// Maximum number of nodes.
const NODES_MAX: usize = 100_000;
/// Maximum depth of nesting.
const DEPTH_MAX: usize = 32;

/// A value and its line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Node {
    pub(super) line: u64,
    pub(super) value: Value,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Value {
    /// A string; numbers are strings too.
    Text(String),
    List(Vec<Node>),
    /// Pairs in the order of the file.
    Map(Vec<(Node, Node)>),
}

impl Node {
    /// Returns the value of a map's key.
    pub(super) fn get(&self, key: &str) -> Option<&Node> {
        self.entries().iter().find(|(name, _)| name.text() == Some(key)).map(|(_, value)| value)
    }

    pub(super) fn entries(&self) -> &[(Node, Node)] {
        match &self.value {
            Value::Map(entries) => entries,
            _ => &[],
        }
    }

    pub(super) fn text(&self) -> Option<&str> {
        match &self.value {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Returns the kind of value as a noun, for error messages.
    pub(super) fn noun(&self) -> &'static str {
        match self.value {
            Value::Text(_) => "a text",
            Value::List(_) => "a list",
            Value::Map(_) => "a map",
        }
    }
}

/// A list or map that is not complete.
struct Open {
    line: u64,
    map: bool,
    children: Vec<Node>,
}

/// Parses the only document in `text`.
pub(super) fn parse(file: &str, text: &str) -> Result<Node, FormatError> {
    let mut open: Vec<Open> = Vec::new();
    let mut root = None;
    let mut nodes = 0;
    let mut parser = Parser::new_from_str(text);
    while let Some(event) = parser.next_event() {
        let (event, span) = event.map_err(|error| {
            FormatError::at(file, error.marker().line() as u64, YamlError::Syntax(error))
        })?;
        let line = span.start.line() as u64;
        let error = |kind: YamlError| Err(FormatError::at(file, line, kind));
        nodes += 1;
        if nodes > NODES_MAX {
            return error(YamlError::TooManyValues { max: NODES_MAX });
        }
        let complete = match event {
            Event::Alias(_) => {
                return error(YamlError::Alias);
            }
            Event::DocumentStart(_) if root.is_some() => {
                return error(YamlError::SecondDocument);
            }
            Event::SequenceStart(..) | Event::MappingStart(..) => {
                if open.len() >= DEPTH_MAX {
                    return error(YamlError::TooDeep { max: DEPTH_MAX });
                }
                let map = matches!(event, Event::MappingStart(..));
                open.push(Open { line, map, children: Vec::new() });
                continue;
            }
            Event::Scalar(text, ..) => Node { line, value: Value::Text(text.into_owned()) },
            Event::SequenceEnd | Event::MappingEnd => match open.pop() {
                Some(done) => Node { line: done.line, value: done.value(file)? },
                None => return error(YamlError::EndWithoutBeginning),
            },
            _ => continue,
        };
        match open.last_mut() {
            Some(parent) => parent.children.push(complete),
            None => root = Some(complete),
        }
    }
    root.ok_or_else(|| FormatError::at(file, 1, YamlError::Empty))
}

impl Open {
    fn value(self, file: &str) -> Result<Value, FormatError> {
        if !self.map {
            return Ok(Value::List(self.children));
        }
        let mut entries: Vec<(Node, Node)> = Vec::new();
        let mut lines: HashMap<String, u64> = HashMap::new();
        let mut children = self.children.into_iter();
        while let (Some(key), Some(value)) = (children.next(), children.next()) {
            let Some(name) = key.text() else {
                return Err(FormatError::at(file, key.line, YamlError::KeyIsNoText(key.noun())));
            };
            if let Some(first) = lines.insert(name.to_owned(), key.line) {
                return Err(FormatError::at(file, key.line, YamlError::KeyTwice { line: first }));
            }
            entries.push((key, value));
        }
        Ok(Value::Map(entries))
    }
}
