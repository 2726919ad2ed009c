//! The part of a page above its rows, and the same values as data, from which pages are joined.

use std::time::Duration;

use serde_json::{Value, json};

use super::super::terminal::wall_time;
use super::{BEGINNING, STYLE};
use crate::report::tally::Tally;
use crate::suite::shard::Shard;
use escape::html::{escaped, unescaped};

/// Beginning and end of the data.
const OPEN: &str = "<meta name=nudge-report content=\"";
const CLOSE: &str = "\">";

/// The sums of a page.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Summary {
    pub tally: Tally,
    pub board_seconds: f64,
    pub wall: Duration,
    /// The firmware's name and remarks for the reader.
    pub notes: Vec<String>,
    /// Part of the suite that the page covers; `None` for the whole suite.
    pub shard: Option<Shard>,
}

impl Summary {
    /// Returns the data as an HTML element.
    fn element(&self) -> String {
        let Tally { passed, expected, failed, not_run, cached, checked } = self.tally;
        let data = json!({
            "made_by": env!("CARGO_PKG_VERSION"),
            "tally": [passed, failed, not_run, cached, checked, expected],
            "board_seconds": self.board_seconds,
            "wall_seconds": self.wall.as_secs_f64(),
            "notes": self.notes,
            "shard": self.shard.map(|shard| shard.to_string()),
        });
        format!("{OPEN}{}{CLOSE}", escaped(&data.to_string()))
    }

    /// Reads the sums from a page's text, if this version wrote the page.
    pub fn of(text: &str) -> Option<Self> {
        let data = text.strip_prefix(BEGINNING)?.strip_prefix(OPEN)?.split_once(CLOSE)?.0;
        let data: Value = serde_json::from_str(&unescaped(data)).ok()?;
        if data["made_by"] != env!("CARGO_PKG_VERSION") {
            return None;
        }
        let count = |nth: usize| usize::try_from(data["tally"].get(nth)?.as_u64()?).ok();
        let notes = data["notes"].as_array()?.iter();
        let wall = data["wall_seconds"].as_f64()?;
        Some(Self {
            tally: Tally {
                passed: count(0)?,
                failed: count(1)?,
                not_run: count(2)?,
                cached: count(3)?,
                checked: count(4)?,
                expected: count(5)?,
            },
            board_seconds: data["board_seconds"].as_f64()?,
            wall: Duration::try_from_secs_f64(wall).ok()?,
            notes: notes.map(|note| Some(note.as_str()?.to_owned())).collect::<Option<_>>()?,
            shard: match &data["shard"] {
                Value::Null => None,
                shard => Some(shard.as_str()?.parse().ok()?),
            },
        })
    }

    /// Adds the sums of another page.
    pub fn add(&mut self, other: Self) {
        self.tally.passed += other.tally.passed;
        self.tally.expected += other.tally.expected;
        self.tally.failed += other.tally.failed;
        self.tally.not_run += other.tally.not_run;
        self.tally.cached += other.tally.cached;
        self.tally.checked += other.tally.checked;
        self.board_seconds += other.board_seconds;
        self.wall += other.wall;
        for note in other.notes {
            if !self.notes.contains(&note) {
                self.notes.push(note);
            }
        }
    }

    /// Returns the page up to its first row.
    pub fn head(&self, players_style: &str, policy: &str) -> String {
        let firmware: String = self
            .notes
            .iter()
            .map(|line| format!("<p class=firmware>{}</p>\n", escaped(line)))
            .collect();
        let Tally { passed, expected, failed, not_run, .. } = self.tally;
        let total = (passed + expected + failed + not_run).max(1);
        let percent = |part: usize| part as f64 * 100.0 / total as f64;
        // The players' style precedes the report's own, which therefore wins where both set a
        // colour.
        let style = match players_style {
            "" => String::new(),
            style => format!("<style>\n{style}\n</style>\n"),
        };
        let skipped = |count: usize, words: &str| match count {
            0 => String::new(),
            count => format!("<li class=skipped><b>{count}</b> {words}</li>"),
        };
        let left_out = skipped(expected, "failed as expected") + &skipped(not_run, "not run");
        let title =
            if failed == 0 { "✓ all passed".to_owned() } else { format!("✗ {failed} failed") };
        format!(
            "{BEGINNING}{summary}\n<meta name=viewport content=\"width=device-width, initial-scale=1\">\n\
             <meta http-equiv=Content-Security-Policy content=\"{policy}\">\n\
             <meta name=color-scheme content=\"light dark\">\n\
             <title>nudge replay: {title}</title>\n{style}<style>\n{STYLE}</style>\n</head>\n<body>\n\
             <header>\n<div class=top><h1>nudge replay</h1>\
             <button type=button id=theme aria-label=\"Light or dark\">◐</button></div>\n\
             <ul class=sums><li class=passed><b>{passed}</b> passed</li>\
             <li class=failed><b>{failed}</b> failed</li>{left_out}\
             <li><b>{board_seconds:.1} s</b> of board time</li>\
             <li><b>{wall}</b> of one core</li></ul>\n{firmware}\
             <div class=bar role=img aria-label=\"{tally}\"><i class=failed style=\"width:{:.3}%\"></i>\
             <i class=passed style=\"width:{:.3}%\"></i></div>\n\
             <form id=filter role=search><label>Filter <input id=text type=search \
             placeholder=\"part of a path or message\" autocomplete=off></label>\n\
             <fieldset><legend>Show</legend>\
             <label><input type=radio name=kind value=all checked> all</label>\
             <label><input type=radio name=kind value=fail> failed</label>\
             <label><input type=radio name=kind value=pass> passed</label></fieldset>\n\
             <span class=keys><kbd>/</kbd> filter <kbd>n</kbd> <kbd>p</kbd> next, previous failure\
             </span></form>\n\
             <p class=legend><span><i class=t></i>T1–T6</span><span><i class=b></i>B1–B6</span>\
             <span><i class=r></i>RESET</span><span><i class=f></i>frames</span>\
             <span><i class=o></i>no power</span><span><i class=x></i>failure</span></p>\n\
             </header>\n<main>\n<ol id=rows>\n",
            percent(failed),
            percent(passed),
            summary = self.element(),
            tally = self.tally,
            board_seconds = self.board_seconds,
            wall = wall_time(self.wall),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sums_are_read_as_they_were_written() {
        let summary = Summary {
            tally: Tally { passed: 3, expected: 1, failed: 2, not_run: 1, cached: 1, checked: 0 },
            board_seconds: 12.25,
            wall: Duration::from_millis(1_500),
            notes: vec!["firmware: native, <\"&amp;'> \u{fc}".into()],
            shard: "2/3".parse().ok(),
        };
        let head = summary.head("", "");
        assert_eq!(Summary::of(&head), Some(summary));
        assert_eq!(Summary::of(&head.replace("made_by", "made")), None);
        assert_eq!(Summary::of("<!DOCTYPE html>"), None);
    }
}
