//! Finds the tests of a program that was built with the crate embedded-test, and the command lines
//! that run them.
//!
//! Each test is a run of its own, from power-on. The program requests its command line
//! (semihosting's SYS_GET_CMDLINE) and ends with SYS_EXIT. The symbol `EMBEDDED_TEST_VERSION` in
//! the section `.embedded_test` determines how its tests are found:
//!
//! - 1 (embedded-test from 0.7 on): each test is a symbol of that section, whose name is a JSON
//!   object and whose value is the address of the test with the path of its module. The command
//!   line is `run_addr ADDRESS`.
//! - 0 (up to 0.6): on the command line `list` the program sends a JSON text by the user-defined
//!   operation 0x100, a block with address and length. The command line is `run NAME`.
//!
//! All data from the file and the program is checked; no pointer is followed outside the memory.

use rp2040_emulator::chip::Chip;
use serde::Deserialize;
use virtual_time::Nanos;

use crate::Program;
use crate::semihosting::text;

/// User-defined operation by which a program of version 0 sends its list.
pub const USER_LIST: u32 = 0x100;
/// Command line that requests the list.
pub const LIST: &str = "list";
/// Time limit for a test that does not specify one.
pub const DEFAULT_TIMEOUT: Nanos = Nanos::from_secs(60);

const SECTION: &str = ".embedded_test";
const VERSION: &str = "EMBEDDED_TEST_VERSION";
/// Size in bytes of a test's symbol: its function, and the address and length of its module's path.
const TEST_SIZE: usize = 12;
/// Longest path of a module, in bytes.
const PATH_MAX: u32 = 1024;
/// Longest list, in bytes.
const LIST_MAX: u32 = 64 * 1024;

/// Reason why the tests cannot be found. `Display` is a sentence without a full stop.
#[derive(Debug, thiserror::Error)]
pub enum EmbeddedTestError {
    /// The program uses a later version.
    #[error("its tests are of version {0} of embedded-test's protocol; versions 0 and 1 are known")]
    Version(u32),
    /// The description of a test or the list is not valid JSON of the expected form.
    #[error("its list of tests cannot be read: {0}")]
    Json(#[from] serde_json::Error),
    /// The path of a test's module is not in the memory.
    #[error("the path of the test {0:?} is not in its memory")]
    Path(String),
    /// The program was asked for its tests, but sent no list.
    #[error("it was asked for its tests and listed none: {0}")]
    NoList(String),
    /// The program's list has an unknown version.
    #[error("its list of tests is of version {0}; version 1 is known")]
    ListVersion(u32),
}

/// A test of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Test {
    /// Name of the test with its module, without the crate: `tests::adds`.
    pub name: String,
    /// Command line that runs the test.
    pub command: String,
    /// Whether the test runs only on request.
    pub ignored: bool,
    /// Whether the test must panic.
    pub should_panic: bool,
    /// Time limit of the test.
    pub timeout: Nanos,
}

/// Location of the descriptions of a program's tests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tests {
    /// Tests that the program's file describes.
    Found(Vec<Test>),
    /// The program must be run with [`LIST`] to send its list.
    Ask,
}

/// The description of a test as the crate writes it.
#[derive(Deserialize)]
struct Description {
    name: String,
    ignored: bool,
    should_panic: bool,
    timeout: Option<u32>,
}

impl Description {
    fn test(self, command: String) -> Test {
        let Self { name, ignored, should_panic, timeout } = self;
        let timeout = timeout.map_or(DEFAULT_TIMEOUT, |seconds| Nanos::from_secs(seconds.into()));
        Test { name, command, ignored, should_panic, timeout }
    }
}

/// The list that a program of version 0 sends.
#[derive(Deserialize)]
struct List {
    version: u32,
    tests: Vec<Description>,
}

/// Returns the tests of `program`, which is loaded in `chip`; `None` if it was not built with
/// embedded-test.
///
/// # Errors
/// If the program has tests, but they cannot be read.
pub fn find(program: &Program, chip: &Chip) -> Result<Option<Tests>, EmbeddedTestError> {
    let symbols = program.symbols_in(SECTION);
    let Some((_, version)) = symbols.iter().find(|(name, _)| name == VERSION) else {
        return Ok(None);
    };
    match word(version, 0) {
        0 => Ok(Some(Tests::Ask)),
        1 => {
            let tests = symbols
                .iter()
                .filter(|(name, bytes)| bytes.len() == TEST_SIZE && name.starts_with('{'));
            let mut tests: Vec<Test> = tests
                .map(|(name, bytes)| described(name, bytes, chip))
                .collect::<Result<_, _>>()?;
            tests.sort_by(|one, other| one.name.cmp(&other.name));
            Ok(Some(Tests::Found(tests)))
        }
        version => Err(EmbeddedTestError::Version(version)),
    }
}

fn described(json: &str, bytes: &[u8], chip: &Chip) -> Result<Test, EmbeddedTestError> {
    let mut description: Description = serde_json::from_str(json)?;
    let [address, at, length] = [0, 4, 8].map(|offset| word(bytes, offset));
    let path = text(chip, at, length.min(PATH_MAX));
    let path = String::from_utf8(path).ok().filter(|path| path.len() == length as usize);
    let Some(path) = path else { return Err(EmbeddedTestError::Path(description.name)) };
    // The first part of the path is the crate.
    if let Some((_, module)) = path.split_once("::") {
        description.name = format!("{module}::{}", description.name);
    }
    Ok(description.test(format!("run_addr {address}")))
}

/// Reads the tests that a program of version 0 lists by the call with this argument.
///
/// # Errors
/// If the list cannot be read.
pub fn listed(chip: &Chip, argument: u32) -> Result<Vec<Test>, EmbeddedTestError> {
    let word = |offset| chip.memory().word(argument.wrapping_add(offset)).unwrap_or_default();
    let json = text(chip, word(0), word(4).min(LIST_MAX));
    let List { version, tests } = serde_json::from_slice(&json)?;
    if version != 1 {
        return Err(EmbeddedTestError::ListVersion(version));
    }
    let test = |description: Description| {
        let command = format!("run {}", description.name);
        description.test(command)
    };
    Ok(tests.into_iter().map(test).collect())
}

fn word(bytes: &[u8], at: usize) -> u32 {
    let word = bytes.get(at..at + 4).and_then(|word| word.try_into().ok());
    word.map_or(0, u32::from_le_bytes)
}

#[cfg(test)]
mod tests {
    use rp2040_emulator::memory::RAM_BASE;

    use super::*;

    #[test]
    fn a_symbol_is_a_test_with_the_path_of_its_module() {
        let mut chip = Chip::new(4096);
        chip.memory_mut().load(RAM_BASE, b"board::tests").unwrap();
        let words = [0x1000_0201, RAM_BASE, 12].map(u32::to_le_bytes);
        let json =
            r#"{"disambiguator":7,"name":"opens","ignored":false,"should_panic":true,"timeout":2}"#;
        let test = described(json, words.as_flattened(), &chip).unwrap();
        assert_eq!((&*test.name, &*test.command), ("tests::opens", "run_addr 268435969"));
        assert_eq!((test.should_panic, test.timeout), (true, Nanos::from_secs(2)));

        let nowhere = [1, u32::MAX, 12].map(u32::to_le_bytes);
        let said = described(json, nowhere.as_flattened(), &chip).unwrap_err().to_string();
        assert_eq!(said, "the path of the test \"opens\" is not in its memory");
        let said = described("{}", words.as_flattened(), &chip).unwrap_err().to_string();
        assert!(said.starts_with("its list of tests cannot be read: missing field"), "{said}");
    }

    #[test]
    fn a_list_from_the_program_is_read() {
        let json = br#"{"version":1,"tests":[{"name":"a","should_panic":false,"ignored":true,"timeout":null}]}"#;
        let mut chip = Chip::new(4096);
        chip.memory_mut().load(RAM_BASE + 8, json).unwrap();
        let block = [RAM_BASE + 8, json.len() as u32].map(u32::to_le_bytes);
        chip.memory_mut().load(RAM_BASE, block.as_flattened()).unwrap();
        let tests = listed(&chip, RAM_BASE).unwrap();
        let [test] = &tests[..] else { panic!("{tests:?}") };
        assert_eq!((&*test.command, test.ignored, test.timeout), ("run a", true, DEFAULT_TIMEOUT));

        chip.memory_mut().load(RAM_BASE + 8, br#"{"version":2"#).unwrap();
        let said = listed(&chip, RAM_BASE).unwrap_err().to_string();
        assert_eq!(said, "its list of tests is of version 2; version 1 is known");
        assert!(listed(&chip, 0).unwrap_err().to_string().contains("cannot be read"));
    }
}
