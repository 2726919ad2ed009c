//! Formats a [`Summary`]: for a terminal ([`terminal`]), as Markdown for a pull request
//! ([`markdown`]), and as a page ([`page`]).
//!
//! All three report the same facts in the same order; this module has their common texts.

pub mod markdown;
pub mod page;
pub mod terminal;

use trace::bytes_spoken;
use virtual_time::{Instant, Nanos, spoken};

use crate::compare::{ConsoleChange, ToneChange, TraceChange};
use crate::summary::{Group, Summary, apart, time_difference};

/// Returns `1 trace`, `2 traces`.
fn count(number: u64, of: &str) -> String {
    let ending = if number == 1 { "" } else { "s" };
    format!("{} {of}{ending}", thousands(number))
}

/// Returns `12,345`.
fn thousands(number: u64) -> String {
    let text = bytes_spoken(number);
    text.split(' ').next().unwrap_or_default().to_owned()
}

/// Returns `212 frames of 61 traces`, or the traces alone.
fn how_often(group: &Group) -> String {
    match group.frames {
        0 => count(group.traces, "trace"),
        frames => format!("{} of {}", count(frames, "frame"), count(group.traces, "trace")),
    }
}

/// Returns examples of a group's differences: `“a” became “b”; …`.
fn examples(group: &Group) -> String {
    let more = if group.more_examples > 0 { "; …" } else { "" };
    group.examples.join("; ") + more
}

/// Maximum number of companions that are named per group.
const COMPANIONS_MAX: usize = 4;

/// Returns the rare causes that occur only with a group: `also, in 2 traces: …`.
fn companions(group: &Group) -> Vec<String> {
    let named = group.companions.iter().take(COMPANIONS_MAX);
    let mut lines: Vec<String> = named
        .map(|(cause, traces)| format!("also, in {}: {cause}", count(*traces, "trace")))
        .collect();
    let more = group.companions.len().saturating_sub(COMPANIONS_MAX) as u64;
    if more > 0 {
        lines.push(format!("and {}", count(more, "more rare cause")));
    }
    lines
}

/// Returns the first occurrence of a group: `win.trace:9, at 1.2 s, in 10,20,30,8`.
fn first_seen(group: &Group) -> String {
    let example = &group.example;
    let trace = group.named.first().map(String::as_str).unwrap_or_default();
    let line = if example.line == 0 { String::new() } else { format!(":{}", example.line) };
    format!("{trace}{line}, at {}, in {}", time(example.at), example.region)
}

fn time(at: Instant) -> String {
    spoken(at.since_start())
}

/// Returns the headline: `3 of 209 traces differ, in 212 of 4,031 settled frames`.
fn headline(summary: &Summary) -> String {
    let compared = count(summary.traces, "trace");
    if summary.traces == 0 {
        return "no trace was compared".to_owned();
    }
    if !summary.has_changes() {
        let settled = count(summary.frames, "settled frame");
        return format!("nothing differs in {compared} with {settled}");
    }
    format!(
        "{} of {compared} differ, in {} of {}",
        thousands(summary.traces_changed),
        thousands(summary.frames_changed),
        count(summary.frames, "settled frame")
    )
}

/// Describes a change: `“a” became “b”`.
fn console_change(ConsoleChange(sides): &ConsoleChange) -> String {
    match sides {
        [Some(before), Some(after)] => format!("“{before}” became “{after}”"),
        [Some(before), None] => format!("“{before}” is gone"),
        [None, Some(after)] => format!("“{after}” is new"),
        [None, None] => String::new(),
    }
}

fn tone_change(change: &ToneChange) -> String {
    let note = |hertz: Option<u32>| match hertz {
        None => "nothing".to_owned(),
        Some(0) => "silence".to_owned(),
        Some(hertz) => format!("{hertz} Hz"),
    };
    let [before, after] = change.first.map(note);
    format!("at {}: {before} became {after}", time(change.at))
}

/// Returns the numbers of both sides and their difference: `1,000 → 1,100 (+10.0 %)`.
fn numbers([before, after]: [u64; 2]) -> String {
    let percent = match before {
        0 => String::new(),
        before => format!(" ({:+.1} %)", (after as f64 - before as f64) * 100.0 / before as f64),
    };
    format!("{} → {}{percent}", thousands(before), thousands(after))
}

/// Describes how much earlier or later the frames of a trace are.
fn shift(change: &TraceChange) -> String {
    let later = |moments: [Instant; 2]| {
        let word = if moments[1] < moments[0] { "earlier" } else { "later" };
        format!("{} {word}", spoken(Nanos(moments[0].0.abs_diff(moments[1].0))))
    };
    let end = (change.ended_at[0] != change.ended_at[1])
        .then(|| format!("ends {}", later(change.ended_at)));
    let frame = change.shifted.map(|(line, moments)| {
        let line = if line == 0 { String::new() } else { format!(" behind line {line}") };
        format!("a frame{line} comes {}", later(moments))
    });
    end.into_iter().chain(frame).collect::<Vec<_>>().join("; ")
}

/// A section on differences other than settled frames: a heading, the totals, and the traces with
/// the greatest differences, each with its description.
struct Section {
    heading: &'static str,
    sum: String,
    rows: Vec<(String, String)>,
}

/// Maximum number of traces per section.
const ROWS_MAX: usize = 10;

fn sections(summary: &Summary) -> Vec<Section> {
    let mut found = Vec::new();
    let mut section = |heading,
                       sum: &dyn Fn(u64) -> String,
                       of: &dyn Fn(&TraceChange) -> u64,
                       words: &dyn Fn(&TraceChange) -> String| {
        let traces = summary.changes.iter().filter(|change| of(change) > 0).count() as u64;
        if traces > 0 {
            let most = summary.most(ROWS_MAX, of);
            let rows = most.iter().map(|change| (change.path.clone(), words(change))).collect();
            found.push(Section { heading, sum: sum(traces), rows });
        }
    };
    section(
        "Verdicts",
        &|traces| format!("in {} another line fails, or none does", count(traces, "trace")),
        &|change| u64::from(change.failed.is_some()),
        &|change| {
            let side = |side: usize| {
                let failed = change.failed.as_ref().and_then(|sides| sides[side].clone());
                failed.unwrap_or_else(|| "passes".to_owned())
            };
            {
                let beyond = match change.beyond {
                    0 => String::new(),
                    frames => {
                        format!("; {} behind it not compared", count(frames, "settled frame"))
                    }
                };
                format!("{} → {}{beyond}", side(0), side(1))
            }
        },
    );
    section(
        "Movements",
        &|traces| {
            let frames = count(summary.between_changed, "settled frame");
            format!(
                "{} of {} show the same, but what came before them is another",
                frames,
                count(traces, "trace")
            )
        },
        &|change| change.between_changed,
        &|change| count(change.between_changed, "frame"),
    );
    section(
        "Bytes on the LCD's bus",
        &|traces| format!("{}, in {}", numbers(summary.bytes), count(traces, "trace")),
        &|change| apart(change.bytes),
        &|change| numbers(change.bytes),
    );
    section(
        "Times",
        &|traces| format!("other ones in {}", count(traces, "trace")),
        &time_difference,
        &shift,
    );
    section(
        "Notes",
        &|traces| format!("other ones in {}", count(traces, "trace")),
        &|change| u64::from(change.tones.is_some()),
        &|change| change.tones.as_ref().map(tone_change).unwrap_or_default(),
    );
    found
}

/// Returns the remarks on what is left out and what could not be compared.
fn closing(summary: &Summary) -> Vec<String> {
    let mut lines = Vec::new();
    if summary.frames_after > 0 {
        let after = count(summary.frames_after, "frame");
        lines.push(format!("{after} that differ come after the first divergence of their trace"));
    }
    if summary.groups_left_out > 0 {
        let more = count(summary.groups_left_out, "more cause");
        lines.push(format!("{more} are not listed"));
    }
    if summary.console_left_out > 0 {
        let more = count(summary.console_left_out, "more console line");
        lines.push(format!("{more} differ and are not listed"));
    }
    if summary.changes_left_out > 0 {
        let more = count(summary.changes_left_out, "more trace");
        lines.push(format!("{more} differ and are not listed"));
    }
    for (path, side, message) in summary.not_compared.iter().take(ROWS_MAX) {
        let side = ["before", "after"][*side];
        lines.push(format!(
            "{path} is not compared, because {side} it cannot be replayed: {message}"
        ));
    }
    let more = summary.not_compared.len().saturating_sub(ROWS_MAX) as u64;
    if more > 0 {
        lines.push(format!("{} are not compared either", count(more, "more trace")));
    }
    if summary.not_run > 0 {
        lines.push(format!("{} were not run", count(summary.not_run, "trace")));
    }
    lines
}

#[cfg(test)]
pub(crate) mod samples {
    use std::sync::Arc;

    use ili9341_model::{Frame, Region};
    use reading::golden::encode_png;

    use super::*;
    use crate::compare::{Example, SeenCause};
    use causes::Cause;

    /// Returns a summary with every part filled. `text` is used wherever a text can come from a
    /// file.
    pub(crate) fn summary(text: &str) -> Summary {
        let png: Arc<[u8]> = encode_png(&Frame::filled(320, 240, 0x0012_3456)).into();
        let group = |frames: u64, cause: Cause, what: &str| {
            let example = Example {
                line: 9,
                at: Instant::from_millis(1_500),
                region: Region { x: 10, y: 20, width: 30, height: 8 },
                pictures: [Some(png.clone()), Some(png.clone())],
            };
            let seen = SeenCause { cause, frames, what: what.to_owned(), example };
            let mut group = Group::new(seen, text);
            group.examples.push("b".to_owned());
            group.more_examples = 1;
            group.traces = 2;
            group.named.push("b.trace".to_owned());
            group.companions.push((Cause::Redrawn, 1));
            group
        };
        let words = |before: &str, after: &str| Cause::Words {
            before: before.to_owned(),
            after: after.to_owned(),
        };
        let change = TraceChange {
            path: text.to_owned(),
            frames: [4, 4],
            frames_changed: 3,
            between_changed: 1,
            bytes: [1_000, 1_100],
            ended_at: [Instant::from_secs(2), Instant::from_secs(1)],
            shifted: Some((9, [Instant::from_millis(5), Instant::from_millis(7)])),
            tones: Some(ToneChange { first: [Some(440), Some(0)], at: Instant::from_secs(1) }),
            failed: Some([None, Some(text.to_owned())]),
            ..TraceChange::default()
        };
        Summary {
            firmware: [text.to_owned(), "native, source 2".to_owned()],
            traces: 3,
            traces_changed: 1,
            frames: 4_031,
            frames_changed: 212,
            between_changed: 1,
            groups: vec![group(211, words(text, "Take back"), text), group(1, words("", "x"), "x")],
            console: vec![crate::summary::ConsoleGroup {
                change: ConsoleChange([Some(text.to_owned()), None]),
                lines: 4,
                traces: 1,
                first: text.to_owned(),
            }],
            bytes: [1_000, 1_100],
            changes: vec![change],
            not_compared: vec![(text.to_owned(), 0, text.to_owned())],
            groups_left_out: 1,
            ..Summary::default()
        }
    }
}
