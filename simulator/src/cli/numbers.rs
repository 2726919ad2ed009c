//! Tests the messages for arguments that are not the number that an option requires.

use clap::{Arg, Command, CommandFactory as _, Parser as _};

use super::Cli;

/// Messages of the standard library for a text that is not a number: they name no limit and no next
/// step.
const STD_MESSAGES: [&str; 4] = ["invalid digit", "invalid float", "parse integer", "is not in "];

fn try_options(verb: &Command, words: &[String], tried: &mut usize) {
    for verb in verb.get_subcommands() {
        try_options(verb, &[words, &[verb.get_name().to_owned()]].concat(), tried);
    }
    for option in verb.get_arguments().filter_map(Arg::get_long) {
        for text in ["zz", "-1", "99999999999999999999"] {
            let option = format!("--{option}={text}");
            let command = [words, std::slice::from_ref(&option)].concat();
            let said = Cli::try_parse_from(&command).err().map(|it| it.to_string());
            let said = said.unwrap_or_default();
            assert!(!STD_MESSAGES.iter().any(|bare| said.contains(bare)), "{command:?}: {said}");
            *tried += 1;
        }
    }
}

#[test]
fn every_option_names_the_numbers_it_accepts() {
    let mut tried = 0;
    try_options(&Cli::command(), &["nudge".to_owned()], &mut tried);
    assert!(tried > 300, "{tried}");
}
