//! Tests of the built-in tables.

#[cfg(feature = "read")]
mod reading;

use super::*;

#[test]
fn each_table_has_at_most_150_lines_and_15_rules_or_more() {
    for name in names() {
        let table = by_name(name).unwrap();
        assert!(table.rules.len() >= 15, "{name} has {} rules", table.rules.len());
        for rule in table.rules.iter() {
            assert!(!rule.section.is_empty() && !rule.text.is_empty(), "{name} {:?}", rule.rule);
        }
    }
    assert!(names().is_sorted());
    assert_eq!(by_name("ili9341").map(|table| table.title.as_ref()), Some("ILI9341"));
    assert_eq!(by_name("ILI9341"), None);
}
