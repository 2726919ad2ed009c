//! The quiz: the questions that a program asks the chip it runs on, and the answers of two chips
//! compared.
//!
//! [`PROGRAM`] is the program, [`ask`] runs it on the emulated chip, [`Answers`] reads what it
//! prints, here or on a real chip, and [`Answers::differences`] compares. [`ANSWERS`] are those of
//! the emulated chip. `docs/quiz.md` lists the groups of questions.

use std::collections::BTreeMap;
use std::fmt;

use rp2040_emulator::chip::{BootError, Halt};
use rp2040_emulator::program::Program;
use rp2040_emulator::usb_host::Host;

/// The program as a UF2 file, built by `scripts/on-target.sh quiz` from
/// `rp2040-emulator/on-target/src/bin/quiz`.
pub const PROGRAM: &[u8] = include_bytes!("../quiz/nudge-quiz.uf2");

/// Answers of the emulated chip.
pub const ANSWERS: &str = include_str!("../quiz/answers.txt");

/// Longest text of answers in bytes; a chip prints less than 30 KB.
pub const TEXT_BYTES_MAX: usize = 1 << 20;

/// Beginning of the last line that the program prints.
const END: &str = "# end of ";
/// First word of questions whose answers differ between chips.
const VARIES: &str = "varies ";
/// Limit of the program's virtual time, in nanoseconds; it takes 1.7 s.
const LIMIT_NS: u64 = 10_000_000_000;
/// Virtual time between two looks at the UART.
const LOOK_NS: u64 = 10_000_000;

/// Reasons why a program gives no answers.
#[derive(Debug, thiserror::Error)]
pub enum QuizError {
    /// The chip does not start it.
    #[error("the program does not start: {0}")]
    Boot(#[from] BootError),
    /// A stop before the last line.
    #[error(
        "the program ended before its last line, `{END}…`: {0}; is it nudge-quiz? `nudge emulate` runs any other"
    )]
    Ended(String),
    /// No last line within the virtual time that the program has.
    #[error(
        "the program did not print its last line, `{END}…`, on UART0 within {} s; is it nudge-quiz? \
         `nudge emulate` runs any other", LIMIT_NS / 1_000_000_000
    )]
    TooLong,
}

/// A line of a text of answers that cannot be read. `Display` names the line by its number.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum AnswersError {
    /// A line that is not `question = number`.
    #[error(
        "line {0}: an answer is `question = number`, the number in decimal or 0x…; a comment begins with #"
    )]
    Form(usize),
    /// An earlier line has another answer.
    #[error(
        "line {line}: another answer than in line {earlier} to `{question}`; save the output of one power-on alone"
    )]
    Twice {
        /// The question.
        question: String,
        /// Number of this line.
        line: usize,
        /// Number of the earlier line.
        earlier: usize,
    },
    /// There is no answer.
    #[error("there is no answer in it")]
    Empty,
}

/// Runs the quiz on the emulated chip, and returns what it prints on UART0.
///
/// # Errors
/// Returns an error if it does not start, or does not print its last line.
pub fn ask(program: &Program) -> Result<String, QuizError> {
    let mut chip = program.boot()?;
    // A real chip that is asked is at a USB cable.
    chip.attach_usb(Host::new().with_closed_ports());
    let mut bytes = Vec::new();
    for look in 1..=LIMIT_NS / LOOK_NS {
        let halt = chip.run(look * LOOK_NS);
        bytes.extend(chip.take_sent(0).into_iter().map(|(_, byte)| byte));
        let text = String::from_utf8_lossy(&bytes);
        if text.ends_with('\n') && text.lines().last().is_some_and(|line| line.starts_with(END)) {
            return Ok(text.into_owned());
        }
        match halt {
            Halt::Time => {}
            Halt::RomCall(_, name) => return Err(QuizError::Ended(format!("it called {name}"))),
            Halt::Breakpoint(..) => return Err(QuizError::Ended("it reached a BKPT".to_owned())),
            Halt::Lockup(_) => return Err(QuizError::Ended("its core locked up".to_owned())),
            Halt::ClockStopped => {
                return Err(QuizError::Ended("its system clock stopped".to_owned()));
            }
        }
    }
    Err(QuizError::TooLong)
}

/// An answer, and the base in which it was written.
#[derive(Clone, Copy, Debug, Eq)]
pub struct Answer {
    value: u64,
    is_hexadecimal: bool,
}

impl PartialEq for Answer {
    fn eq(&self, other: &Self) -> bool {
        self.value == other.value
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_hexadecimal {
            write!(f, "{:#010X}", self.value)
        } else {
            write!(f, "{}", self.value)
        }
    }
}

/// The answers of a chip by their questions.
#[derive(Debug, Default)]
pub struct Answers {
    /// Each with the number of its line.
    by_question: BTreeMap<String, (Answer, usize)>,
    /// Questions in the order of their lines.
    order: Vec<String>,
}

/// Questions to which two chips give different answers.
#[derive(Debug, PartialEq, Eq)]
pub struct Difference<'a> {
    /// The question.
    pub question: &'a str,
    /// Answer of the one chip, if it was asked.
    pub here: Option<Answer>,
    /// Answer of the other chip, if it was asked.
    pub there: Option<Answer>,
}

impl fmt::Display for Difference<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let answer = |answer: &Option<Answer>| {
            answer.as_ref().map_or_else(|| "not asked".to_owned(), ToString::to_string)
        };
        write!(f, "{}: here {}, there {}", self.question, answer(&self.here), answer(&self.there))
    }
}

impl Answers {
    /// Reads the output of the program: lines `question = number`, blank lines, comments with `#`.
    /// A question may be repeated with the same answer, because the program prints its answers
    /// more than once.
    ///
    /// # Errors
    /// Names the first line that is no answer or contradicts an earlier one.
    pub fn parse(text: &str) -> Result<Self, AnswersError> {
        let mut answers = Self::default();
        for (line, number) in text.lines().map(str::trim).zip(1..) {
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let (question, answer) = line.rsplit_once(" = ").ok_or(AnswersError::Form(number))?;
            let answer = Self::answer(answer.trim()).ok_or(AnswersError::Form(number))?;
            let question = question.trim();
            match answers.by_question.get(question) {
                Some((earlier, _)) if *earlier == answer => {}
                Some((_, earlier)) => {
                    let (question, earlier) = (question.to_owned(), *earlier);
                    return Err(AnswersError::Twice { question, line: number, earlier });
                }
                None => {
                    answers.order.push(question.to_owned());
                    answers.by_question.insert(question.to_owned(), (answer, number));
                }
            }
        }
        if answers.order.is_empty() { Err(AnswersError::Empty) } else { Ok(answers) }
    }

    fn answer(text: &str) -> Option<Answer> {
        let digits = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X"));
        let value = match digits {
            Some(digits) => u64::from_str_radix(digits, 16),
            None => text.parse(),
        };
        Some(Answer { value: value.ok()?, is_hexadecimal: digits.is_some() })
    }

    /// Returns the number of questions.
    pub fn count(&self) -> usize {
        self.order.len()
    }

    /// Returns the questions to which `there` has another answer or none, in this order, and those
    /// that only `there` has. Questions whose answers vary from chip to chip are left out.
    pub fn differences<'a>(&'a self, there: &'a Self) -> Vec<Difference<'a>> {
        let find = |answers: &Self, question: &str| Some(answers.by_question.get(question)?.0);
        let only_there =
            there.order.iter().filter(|question| !self.by_question.contains_key(*question));
        self.order
            .iter()
            .chain(only_there)
            .filter(|question| !question.starts_with(VARIES))
            .map(|question| Difference {
                question,
                here: find(self, question),
                there: find(there, question),
            })
            .filter(|difference| difference.here != difference.there)
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_numbers_in_two_bases_and_may_be_repeated() {
        let text = "# chip\r\nreset A = 0x0000000F\r\n\r\ncycles a = b = 3\r\nreset A = 15\r\n";
        let answers = Answers::parse(text).unwrap();
        assert_eq!(answers.order, ["reset A", "cycles a = b"]);
        assert_eq!(answers.by_question["reset A"].0.to_string(), "0x0000000F");
        assert_eq!(answers.by_question["cycles a = b"].0.to_string(), "3");
    }

    #[test]
    fn a_line_that_is_no_answer_is_named() {
        let refused = |text: &str| Answers::parse(text).unwrap_err();
        assert_eq!(refused("# only\n"), AnswersError::Empty);
        for line in ["reset A", "reset A = ", "reset A = x", "a = 0xG", "a = -1"] {
            assert_eq!(refused(&format!("b = 1\n{line}\n")), AnswersError::Form(2), "{line}");
        }
        assert_eq!(
            refused("a = 1\nb = 1\na = 2\n").to_string(),
            "line 3: another answer than in line 1 to `a`; save the output of one power-on alone"
        );
    }

    #[test]
    fn differences_are_in_the_order_of_the_questions() {
        let here = Answers::parse("b = 1\na = 0x2\nvaries c = 3\nd = 4\n").unwrap();
        let there = Answers::parse("a = 3\nb = 1\nvaries c = 4\ne = 5\n").unwrap();
        let found: Vec<String> = here.differences(&there).iter().map(ToString::to_string).collect();
        assert_eq!(
            found,
            [
                "a: here 0x00000002, there 3",
                "d: here 4, there not asked",
                "e: here not asked, there 5"
            ]
        );
    }

    /// The answers of the stored program are those of the stored file.
    #[test]
    fn the_emulated_chip_answers_as_recorded() {
        let printed = ask(&Program::parse(PROGRAM).unwrap()).unwrap();
        let (here, recorded) =
            (Answers::parse(&printed).unwrap(), Answers::parse(ANSWERS).unwrap());
        let found: Vec<String> =
            here.differences(&recorded).iter().map(ToString::to_string).collect();
        assert!(found.is_empty(), "`nudge quiz` shows these too:\n{}", found.join("\n"));
        assert!(here.count() >= 500, "only {} questions", here.count());
    }

    #[test]
    fn the_document_counts_the_questions_of_each_group() {
        let recorded = Answers::parse(ANSWERS).unwrap();
        let group = |question: &str| question.split([' ', ':']).next().unwrap().to_owned();
        let document = include_str!("../../../../docs/quiz.md");
        let mut documented = 0;
        for row in document.lines().filter(|line| line.starts_with("| `")) {
            let cells: Vec<&str> = row.split('|').map(str::trim).collect();
            let groups: Vec<&str> = cells[1].split('`').skip(1).step_by(2).collect();
            let of_groups = |question: &&String| groups.contains(&&*group(question));
            let count = recorded.order.iter().filter(of_groups).count();
            assert_eq!(cells[3], count.to_string(), "{row}");
            documented += count;
        }
        assert_eq!(documented, recorded.count());
        assert!(document.contains(&format!("asks the chip {documented} questions")));
    }

    #[test]
    fn another_program_is_no_quiz() {
        // A second stage that loops: without its checksum it does not start.
        let error = ask(&Program::from_bin(&[0; 4096]).unwrap()).unwrap_err().to_string();
        assert!(error.starts_with("the program does not start: "), "{error}");
    }
}
