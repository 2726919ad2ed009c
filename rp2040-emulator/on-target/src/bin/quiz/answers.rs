//! The list of answers.

use core::fmt::{self, Write};

/// Number of answers for which there is room.
const ROOM: usize = 640;

/// Base in which an answer is printed.
#[derive(Clone, Copy)]
enum Base {
    Decimal,
    Hexadecimal,
}

#[derive(Clone, Copy)]
struct Answer {
    group: &'static str,
    question: &'static str,
    value: u32,
    base: Base,
}

/// The answers in the order of the questions.
pub struct Answers {
    list: [Answer; ROOM],
    count: usize,
}

impl Answers {
    pub const fn new() -> Self {
        let none = Answer { group: "", question: "", value: 0, base: Base::Decimal };
        Self { list: [none; ROOM], count: 0 }
    }

    /// Adds a number, such as one of cycles.
    pub fn number(&mut self, group: &'static str, question: &'static str, value: u32) {
        self.add(Answer { group, question, value, base: Base::Decimal });
    }

    /// Adds the contents of a register.
    pub fn word(&mut self, group: &'static str, question: &'static str, value: u32) {
        self.add(Answer { group, question, value, base: Base::Hexadecimal });
    }

    /// # Panics
    /// Panics if there is no room.
    fn add(&mut self, answer: Answer) {
        self.list[self.count] = answer;
        self.count += 1;
    }

    /// Prints the answers. The last line is a comment that says so.
    pub fn print(&self, out: &mut impl Write) -> fmt::Result {
        write!(out, "# nudge-quiz 1: answers of a chip\r\n")?;
        for Answer { group, question, value, base } in &self.list[..self.count] {
            match base {
                Base::Decimal => write!(out, "{group} {question} = {value}\r\n")?,
                Base::Hexadecimal => write!(out, "{group} {question} = {value:#010X}\r\n")?,
            }
        }
        write!(out, "# end of {} answers\r\n", self.count)
    }
}
