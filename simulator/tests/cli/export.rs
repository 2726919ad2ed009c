//! Tests `nudge export`: the page, and its error messages. A build without the page reports the
//! next step.

use std::fs;
use std::path::Path;

use firmware_core::SOURCE_HASH;
use page::Bundle;
use serde_json::Value;

use crate::command::check;

/// Parses the data in a page.
pub fn data(html: &str) -> Value {
    let rest = html.split_once("id=\"nudge-data\">").expect("a page with data").1;
    serde_json::from_str(rest.split_once("</script>").unwrap().0).unwrap()
}

/// Returns whether this build has its page; `make test` builds it first.
pub fn has_page() -> bool {
    Bundle::find_with(SOURCE_HASH).is_ok()
}

const TRACE: &str =
    "trace 1\nseed 7\n# </script><!--<script>alert(1)\n0ms power on\n+1s tap B3\n+1s end\n";

#[test]
fn a_page_has_machine_and_trace_with_html_escaped() {
    sampled!();
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("in")).unwrap();
    fs::write(folder.path().join("in/<b>&.trace"), TRACE).unwrap();
    let line = "export out/board.html --trace in/<b>&.trace";
    if !has_page() {
        let [_, err] = check(folder.path(), line, 2, &[]);
        assert!(err.contains("make page"), "{err}");
        assert!(!folder.path().join("out").exists());
        return;
    }
    let [out, _] = check(folder.path(), line, 0, &[]);
    assert!(out.starts_with("wrote out/board.html ("), "{out}");
    let html = fs::read_to_string(folder.path().join("out/board.html")).unwrap();
    // The machine, the data, and the script.
    assert_eq!(html.matches("</script").count(), 3);
    assert_eq!(html.matches("<!--").count(), 0);
    assert!(html.contains("<title>&lt;b&gt;&amp;.trace</title>"));
    let data = data(&html);
    assert_eq!(data["mode"], "board");
    assert_eq!(data["live"], false);
    assert_eq!(data["traces"][0]["text"], TRACE);
    assert_eq!(
        data["traces"][0]["name"], "<b>&.trace",
        "the page does not name the sender's folder"
    );

    check(folder.path(), line, 2, &[]);
    check(folder.path(), &format!("{line} --force"), 0, &[]);
    check(folder.path(), "export live.html", 0, &[]);
    let live = fs::read_to_string(folder.path().join("live.html")).unwrap();
    assert_eq!(self::data(&live)["live"], true);
}

#[test]
fn an_impossible_export_is_refused_before_writing() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    write("bad.trace", "trace 1\n0ms power on\n+1s tpa B3\n");
    write("header.trace", "trace 1\ngame chess\n0ms power on\n");
    write("none.elf", "no program");
    let refused = |line: &str, said: &str| {
        let [out, err] = check(folder.path(), line, 2, &[]);
        assert!(out.is_empty() && err.contains(said), "{line}: {err}");
    };
    refused("export page.txt", "the file to write must be named *.html or *.htm");
    refused("export page.html --trace none.trace", "none.trace: ");
    refused("export page.html --trace bad.trace", "bad.trace:3:5: unknown verb `tpa`");
    refused("export page.html --trace header.trace", "header.trace:2:6: ");
    refused("export page.html --board probe:/dev/null", "`probe:/dev/null` is behind a probe");
    refused("export page.html --board pico=none.elf", "none.elf");
    refused("export page.html --board pico=gone.elf", "gone.elf");
    assert!(!Path::new(&folder.path().join("page.html")).exists());
}
