//! Options that are whole numbers: what is wrong with one, and which it may be.

use std::ops::RangeInclusive;

/// A parser of whole numbers in `range`.
pub fn whole<T>(
    range: RangeInclusive<T>,
) -> impl Fn(&str) -> Result<T, NotWhole> + Clone + Send + Sync + 'static
where
    T: Copy + Into<u64> + TryFrom<u64> + Send + Sync + 'static,
{
    let range = (*range.start()).into()..=(*range.end()).into();
    move |text| {
        let number = text.parse().ok().filter(|number| range.contains(number));
        let number = number.and_then(|number| T::try_from(number).ok());
        number.ok_or_else(|| NotWhole { text: text.to_owned(), range: range.clone() })
    }
}

/// A text is no whole number that an option may have.
#[derive(Debug, PartialEq, Eq)]
pub struct NotWhole {
    text: String,
    range: RangeInclusive<u64>,
}

impl std::error::Error for NotWhole {}

impl std::fmt::Display for NotWhole {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (least, most) = (self.range.start(), self.range.end());
        if let Ok(number) = self.text.parse::<i128>() {
            let (far, limit) =
                if number < i128::from(*least) { ("small", least) } else { ("large", most) };
            return write!(
                to,
                "`{number}` is too {far}; give one from {least} to {most}, like {limit}"
            );
        }
        write!(
            to,
            "`{}` is no whole number; give one from {least} to {most}, like {least}",
            self.text
        )
    }
}

#[cfg(test)]
mod tests {
    use clap::{Arg, Command, CommandFactory as _, Parser as _};

    use super::*;
    use crate::cli::Cli;

    #[track_caller]
    fn check(text: &str, expected: Result<u8, &str>) {
        let parsed = whole::<u8>(1..=100)(text);
        assert_eq!(parsed.map_err(|it| it.to_string()), expected.map_err(str::to_owned), "{text}");
    }

    #[test]
    fn a_number_in_the_range_is_taken_and_any_other_text_told_with_its_limits() {
        check("1", Ok(1));
        check("100", Ok(100));
        check("0", Err("`0` is too small; give one from 1 to 100, like 1"));
        check("-4", Err("`-4` is too small; give one from 1 to 100, like 1"));
        check("101", Err("`101` is too large; give one from 1 to 100, like 100"));
        for text in ["", "x", "1ms", "1.5", "99999999999999999999999999999999999999999"] {
            let said = format!("`{text}` is no whole number; give one from 1 to 100, like 1");
            check(text, Err(&said));
        }
    }

    /// What the standard library says of a text that is no number: no limit, and nothing to do.
    const BARE: [&str; 4] = ["invalid digit", "invalid float", "parse integer", "is not in "];

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
                assert!(!BARE.iter().any(|bare| said.contains(bare)), "{command:?}: {said}");
                *tried += 1;
            }
        }
    }

    #[test]
    fn every_option_says_which_numbers_it_takes() {
        let mut tried = 0;
        try_options(&Cli::command(), &["nudge".to_owned()], &mut tried);
        assert!(tried > 300, "{tried}");
    }
}
