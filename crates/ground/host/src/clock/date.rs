//! The date and the time of day, for the names of files, for reports and for dates in traces.

use chrono::Local;

/// Returns the local date and time: `2026-11-23_14-05-09`.
pub fn file_stamp() -> String {
    now().format("%Y-%m-%d_%H-%M-%S").to_string()
}

/// Returns the local date: `2026-11-23`.
pub fn today() -> String {
    now().format("%Y-%m-%d").to_string()
}

/// Returns the local date and time as in ISO 8601: `2026-11-23T14:05:09+01:00`.
pub fn iso_stamp() -> String {
    now().format("%Y-%m-%dT%H:%M:%S%:z").to_string()
}

fn now() -> chrono::DateTime<Local> {
    #[expect(
        clippy::disallowed_methods,
        reason = "the one reading of the calendar: what a person looks for by date"
    )]
    let now = std::time::SystemTime::now();
    now.into()
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_stamp_of_a_report_begins_with_the_date() {
        let stamp = super::iso_stamp();
        let shape: String =
            stamp.chars().map(|at| if at.is_ascii_digit() { '0' } else { at }).collect();
        assert!(shape.starts_with("0000-00-00T00:00:00"), "{stamp}");
        assert!(matches!(stamp.get(19..20), Some("+" | "-")), "{stamp}");
        assert_eq!(super::today().len(), 10);
    }

    #[test]
    fn a_stamp_sorts_by_time_and_is_a_valid_file_name() {
        let stamp = super::file_stamp();
        let shape: String =
            stamp.chars().map(|at| if at.is_ascii_digit() { '0' } else { at }).collect();
        assert_eq!(shape, "0000-00-00_00-00-00");
        assert!(stamp.as_str() > "2026");
    }
}
