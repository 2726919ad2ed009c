//! The date and the time of day, for the names of files.

use chrono::Local;

/// Returns the local date and time: `2026-11-23_14-05-09`.
pub fn file_stamp() -> String {
    #[expect(
        clippy::disallowed_methods,
        reason = "the one reading of the calendar: names of files that a person looks for by date"
    )]
    let now = std::time::SystemTime::now();
    chrono::DateTime::<Local>::from(now).format("%Y-%m-%d_%H-%M-%S").to_string()
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_stamp_sorts_by_time_and_is_a_valid_file_name() {
        let stamp = super::file_stamp();
        let shape: String =
            stamp.chars().map(|at| if at.is_ascii_digit() { '0' } else { at }).collect();
        assert_eq!(shape, "0000-00-00_00-00-00");
        assert!(stamp.as_str() > "2026");
    }
}
