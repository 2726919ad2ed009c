//! `include`: the position of included lines, files that cannot be included, and the place that an
//! error names.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use super::{
    FILE_BYTES_MAX, INCLUDE_DEPTH_MAX, IncludeReadError, IncludeSource, LINES_MAX, ParseErrors,
    Trace, parse, parse_with,
};

struct Files(HashMap<String, Arc<[u8]>>);

impl IncludeSource for Files {
    fn read(&mut self, path: &Path, _: usize) -> Result<Arc<[u8]>, IncludeReadError> {
        self.0.get(path.to_str().unwrap()).cloned().ok_or(IncludeReadError::NotFound)
    }
}

/// Parses `lines` after `trace 1` in `suite/win.trace`, with `files` in `suite/`.
fn included(lines: &str, files: &[(&str, &str)]) -> Result<Trace, ParseErrors> {
    let files = files
        .iter()
        .map(|(name, text)| (format!("suite/{name}"), Arc::from(text.as_bytes().to_vec())));
    let text = format!("trace 1\n{lines}");
    parse_with("suite/win.trace", text.as_bytes(), &mut Files(files.collect()))
}

/// Checks the errors, each without its leading `suite/`.
#[track_caller]
fn refuses(lines: &str, files: &[(&str, &str)], expected: &[&str]) {
    let said = match included(lines, files) {
        Ok(trace) => trace.to_string(),
        Err(errors) => errors.to_string(),
    };
    let said: Vec<String> = said.lines().map(|line| line.replacen("suite/", "", 1)).collect();
    assert_eq!(said, expected, "for\n{lines}");
}

const BOOT: (&str, &str) = ("boot.inc", "# boots\n0ms power on\n+0ms settle within 5s\n");

#[test]
fn included_lines_take_the_place_of_the_include() {
    let open = ("menu/open.inc", "+500ms tap RESET for 1200ms # held\n+1.5s settle within 5s\n");
    let lines = "game board\n# first\ninclude boot.inc # then\n+1s tap B3\ninclude menu/open.inc\n+1s end\n";
    let trace = included(lines, &[BOOT, open]).unwrap();
    assert_eq!(
        trace.to_string(),
        "trace 1\ngame board\n\n# first\n# then\n# boots\n0ms     power on\n+0ms    settle within 5s\n\
         +1s     tap B3\n+500ms  tap RESET for 1.2s    # held\n+1.5s   settle within 5s\n+1s     end\n"
    );
    let places: Vec<String> = trace
        .lines
        .iter()
        .map(|line| match &line.included {
            None => line.place.to_string(),
            Some(place) => format!("{} {place}", line.place),
        })
        .collect();
    assert_eq!(
        places,
        [
            "4:1 suite/boot.inc:2:5",
            "4:1 suite/boot.inc:3:6",
            "5:5",
            "6:1 suite/menu/open.inc:1:8",
            "6:1 suite/menu/open.inc:2:7",
            "7:5",
        ]
    );
    let expanded = trace.expanded();
    let again = parse("again.trace", &expanded.to_string()).unwrap();
    assert_eq!(again.to_string(), expanded.to_string());
}

#[test]
fn an_included_file_includes_others_from_its_own_folder() {
    let files = [
        BOOT,
        ("menu/open.inc", "include help/../press.inc\ninclude ../close.inc\n"),
        ("menu/help/../press.inc", "+1s press B3\n"),
        ("menu/../close.inc", "+1s release B3\n"),
    ];
    let trace = included("include boot.inc\ninclude menu/open.inc\n", &files).unwrap();
    assert_eq!(trace.lines.len(), 4);
    assert_eq!(trace.lines[3].place.to_string(), "3:1");
}

#[test]
fn an_error_names_both_places() {
    let line = |text| ("x.inc", text);
    refuses(
        "0ms power on\n\n  include x.inc\n+1s tpa B3\n",
        &[line("# more\n+1s tap B3\n+1s   tap b3\n")],
        &[
            "win.trace:4:3: in the included file suite/x.inc:3:11: unknown button `b3`; did you mean `B3`?",
            "win.trace:5:5: unknown verb `tpa`; did you mean `tap`?",
        ],
    );
    // The same error in a file that is included twice is one error.
    refuses(
        "0ms power on\ninclude x.inc\ninclude x.inc\n",
        &[line("+1s tap b3\n")],
        &[
            "win.trace:3:1: in the included file suite/x.inc:1:9: unknown button `b3`; did you mean `B3`?",
        ],
    );
    // An error names the file of another line, unless both lines are in the same file.
    refuses(
        "0ms power on\n+1s press B3\ninclude x.inc\n",
        &[line("+1s press B3\n")],
        &[
            "win.trace:4:1: in the included file suite/x.inc:1:5: press of B3, which is down already \
           (pressed in line 3 of suite/win.trace); release it first",
        ],
    );
    refuses(
        "0ms power on\ninclude x.inc\n+1s press B3\n",
        &[line("+1s press B3\n")],
        &["win.trace:4:5: press of B3, which is down already (pressed in line 1 of suite/x.inc); \
           release it first"],
    );
    refuses(
        "0ms power on\ninclude x.inc\n",
        &[line("+1s press B3\n+1s press B3\n")],
        &[
            "win.trace:3:1: in the included file suite/x.inc:2:5: press of B3, which is down already \
           (pressed in line 1); release it first",
        ],
    );
}

#[test]
fn files_that_cannot_be_included_are_refused() {
    let check = |path: &str, column: u32, said: &str| {
        let lines = format!("0ms power on\ninclude {path}\n");
        refuses(&lines, &[], &[&format!("win.trace:3:{column}: {said}")]);
    };
    check("", 8, "`include` needs the path of a file, like `open-menu.inc`");
    check("/etc/x.inc", 9, "`/etc/x.inc` is absolute; name the file from the folder of this one");
    let no_path = "is no path to include; a path has letters, digits, -, _ and . between single /";
    check("a//b.inc", 9, &format!("`a//b.inc` {no_path}"));
    check("c:\\b.inc", 9, &format!("`c:\\b.inc` {no_path}"));
    let kind =
        "is not named *.inc; only such files are included, and no folder of traces runs them";
    check("boot.trace", 9, &format!("`boot.trace` {kind}"));
    check("menu/.inc", 9, &format!("`menu/.inc` {kind}"));
    check("boot.inc", 9, "suite/boot.inc: there is no such file");
    check("boot.inc now", 18, "nothing may follow the path, but `now` does");
    refuses(
        "0ms power on\n+0ms include x.inc\ninlcude x.inc\n",
        &[],
        &[
            "win.trace:3:6: `include` has no time; the lines of the file have their own",
            "win.trace:4:1: unknown word `inlcude`; did you mean `include`?",
        ],
    );
    refuses(
        "0ms power on\ninclude boot.inc\n",
        &[("boot.inc", "\n# nothing\n")],
        &["win.trace:3:9: suite/boot.inc has no timed line"],
    );
}

#[test]
fn an_included_file_has_no_version_and_no_header() {
    let refused = |word| {
        format!(
            "an included file has timed lines only, and no `{word}`; `trace 1` and the header \
             belong in the trace that includes it"
        )
    };
    refuses(
        "include boot.inc\n",
        &[("boot.inc", "trace 1\nseed 7\n0ms power on\n")],
        &[
            &format!(
                "win.trace:2:1: in the included file suite/boot.inc:1:1: {}",
                refused("trace")
            ),
            &format!("win.trace:2:1: in the included file suite/boot.inc:2:1: {}", refused("seed")),
        ],
    );
    let errors = parse("win.trace", "trace 1\ninclude boot.inc\n").unwrap_err();
    assert_eq!(
        errors.to_string(),
        "win.trace:2:9: boot.inc: this text comes from no file, so it can include none"
    );
}

#[test]
fn files_that_include_each_other_are_refused() {
    refuses(
        "0ms power on\ninclude a.inc\n",
        &[("a.inc", "+1s tap B3\ninclude ./a.inc\n")],
        &[
            "win.trace:3:1: in the included file suite/a.inc:2:9: suite/./a.inc is included already, and this line is a part of it; it would have no end",
        ],
    );
    refuses(
        "0ms power on\ninclude a.inc\n",
        &[("a.inc", "include b.inc\n"), ("b.inc", "+1s tap B3\ninclude a.inc\n")],
        &[
            "win.trace:3:1: in the included file suite/b.inc:2:9: suite/a.inc is included already, and this line is a part of it; it would have no end",
        ],
    );
}

#[test]
fn the_depth_is_bounded_and_so_are_the_lines_of_all_files() {
    let name = |number: usize| format!("{number}.inc");
    let chain = |depth: usize| {
        let texts: Vec<(String, String)> = (1..=depth)
            .map(|number| match number {
                last if last == depth => (name(number), "+1s tap B3\n".to_owned()),
                _ => (name(number), format!("include {}\n", name(number + 1))),
            })
            .collect();
        let files: Vec<(&str, &str)> =
            texts.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
        included("0ms power on\ninclude 1.inc\n", &files)
    };
    assert_eq!(chain(INCLUDE_DEPTH_MAX).unwrap().lines.len(), 2);
    let error = chain(INCLUDE_DEPTH_MAX + 1).unwrap_err().to_string();
    assert!(error.ends_with("8.inc:1:9: included files are at most 8 deep"), "{error}");

    // Each of the files includes the next a hundred times.
    let texts: Vec<(String, String)> = (1..=INCLUDE_DEPTH_MAX)
        .map(|number| (name(number), format!("include {}\n", name(number + 1)).repeat(100)))
        .chain([(name(8), "\n".repeat(100) + "+0ms tap B1\n")])
        .collect();
    let files: Vec<(&str, &str)> =
        texts.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let error = included("0ms power on\ninclude 1.inc\n", &files).unwrap_err().to_string();
    let last = format!("a trace has at most {LINES_MAX} lines");
    assert!(error.lines().last().unwrap().ends_with(&last), "{error}");

    let large = format!("# {}\n", "x".repeat(4_000)).repeat(FILE_BYTES_MAX / 4_000 / 2);
    let lines = "0ms power on\ninclude x.inc\ninclude x.inc\n";
    let error = included(lines, &[("x.inc", &(large + "+1s tap B1\n"))]).unwrap_err();
    assert!(error.to_string().ends_with("the trace is larger than 64 MiB"), "{error}");
}
