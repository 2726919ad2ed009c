//! Tests `nudge panel`, which checks, lists and prints the tables of LCD controllers.

use std::fs;

use crate::command::check;

#[test]
fn every_built_in_table_passes_its_own_check() {
    let folder = tempfile::tempdir().unwrap();
    let [list, _] = check(folder.path(), "panel list", 0, &[]);
    let names: Vec<_> = list.lines().filter_map(|line| line.split(' ').next()).collect();
    assert!(names.contains(&"ili9341") && names.contains(&"ssd1306"), "{list}");
    for name in names {
        let [text, _] = check(folder.path(), &format!("panel show {name}"), 0, &[]);
        fs::write(folder.path().join("own.toml"), text).unwrap();
        let [out, err] = check(folder.path(), "panel check own.toml", 0, &[]);
        assert!(out.starts_with(&format!("own.toml: {name}")), "{out}");
        assert!(out.ends_with(" examples hold\n"), "{out}");
        assert_eq!(err, "");
    }
}

#[test]
fn a_mistake_has_its_line_and_a_failed_example_its_place() {
    let folder = tempfile::tempdir().unwrap();
    let [text, _] = check(folder.path(), "panel show st7789", 0, &[]);
    let write = |name: &str, text: String| fs::write(folder.path().join(name), text).unwrap();
    write("a.toml", text.replace("lines = 320", "lines = 4096"));
    write(
        "b.toml",
        text.replace("#00FF00\"] },\n  { name = \"12", "#00FF01\"] },\n  { name = \"12"),
    );
    write("c.toml", text.replace("sequence = [\"11\", ", "sequence = ["));
    write("d.toml", "x".repeat(70_000));
    let [_, err] = check(folder.path(), "panel check a.toml", 2, &[]);
    assert_eq!(err, "nudge: a.toml:8:35: `lines` is 4096; it must be between 1 and 512\n");
    let [out, _] = check(folder.path(), "panel check b.toml", 1, &[]);
    let fault = "b.toml:14:3: example \"16 bits\": the pixel at 1,0 is #00FF00; expected #00FF01\n";
    assert_eq!(out, fault);
    let [out, _] = check(folder.path(), "panel check c.toml", 1, &[]);
    assert!(
        out.starts_with("c.toml:1:1: power: the power sequence violates DisplayOnAsleep"),
        "{out}"
    );
    let [_, err] = check(folder.path(), "panel check d.toml none.toml .", 2, &[]);
    let lines: Vec<_> = err.lines().collect();
    assert_eq!(lines.len(), 3, "{err}");
    assert!(lines[0].contains("more than 65536 bytes, the maximum of a table"), "{err}");
    assert!(lines[1].starts_with("nudge: none.toml: cannot be read: "), "{err}");
    let [_, err] = check(folder.path(), "panel show st7798", 2, &[]);
    assert_eq!(
        err,
        "nudge: no built-in panel is called st7798; did you mean `st7789`?; `nudge panel list` lists them\n"
    );
}
