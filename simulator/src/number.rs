//! Options that are whole numbers, with messages that name the allowed range.

use std::ops::RangeInclusive;

/// Returns a parser of whole numbers in `range`.
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

/// The error for a text that is not a whole number in the option's range.
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
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Result<u8, &str>) {
        let parsed = whole::<u8>(1..=100)(text);
        assert_eq!(parsed.map_err(|it| it.to_string()), expected.map_err(str::to_owned), "{text}");
    }

    #[test]
    fn numbers_out_of_range_are_refused_with_the_limits() {
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
}
