//! Joins pages of the parts of a suite into one: their rows, their players, their sums.
//!
//! This module reads only pages that this version has written, and splits them at the places where
//! this version joins them. All text from files is escaped in a page, so a tag is always the page's
//! own.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};

use host::output_files::OutputError;
use serde_json::{Map, Value};

use super::super::output_file;
use super::summary::Summary;
use super::{END, ROWS_END, is_page, write_list_end};
use crate::parts::{Joined, MergeError, Part};
use crate::report::tally::Tally;

/// Beginning of a row.
const ROW: &str = "<li class=\"row ";
const FAILED_ROW: &str = "<li class=\"row fail\" id=f";
const PLAYER: &str = "data-nudge-player=";
const DATA_BEGINS: &str = "<script type=\"application/json\" id=\"nudge-data\">\n";
const SCRIPT_ENDS: &str = "</script>\n";

/// The parts of a page.
struct Page<'t> {
    summary: Summary,
    rows: Vec<&'t str>,
    players: Option<Players<'t>>,
}

/// Player of a page and its traces.
struct Players<'t> {
    style: &'t str,
    engine: &'t str,
    script: &'t str,
    traces: Vec<Value>,
    blobs: Map<String, Value>,
    /// The remaining data: the board and the program.
    rest: Map<String, Value>,
}

impl<'t> Page<'t> {
    fn of(text: &'t str) -> Option<Self> {
        let summary = Summary::of(text)?;
        let (head, rest) = text.split_once("<ol id=rows>\n")?;
        let (rows, behind) = rest.split_once(ROWS_END)?;
        let starts: Vec<usize> = rows.match_indices(ROW).map(|(at, _)| at).collect();
        let ends = starts.iter().skip(1).copied().chain([rows.len()]);
        let rows = starts.iter().zip(ends).map(|(start, end)| &rows[*start..end]).collect();
        let (_, behind) = behind.split_once(SCRIPT_ENDS)?;
        let players = match behind.contains(DATA_BEGINS) {
            true => Some(Players::of(head, behind)?),
            false => None,
        };
        Some(Self { summary, rows, players })
    }
}

impl<'t> Players<'t> {
    fn of(head: &'t str, behind: &'t str) -> Option<Self> {
        let style = head.split_once("<style>\n")?.1.split_once("\n</style>\n")?.0;
        let (engine, behind) = behind.split_once(DATA_BEGINS)?;
        let (data, behind) = behind.split_once("\n</script>\n")?;
        let script = behind.strip_suffix(std::str::from_utf8(END).ok()?)?;
        let Value::Object(mut rest) = serde_json::from_str(data).ok()? else { return None };
        let Some(Value::Array(traces)) = rest.remove("traces") else { return None };
        let Some(Value::Object(blobs)) = rest.remove("blobs") else { return None };
        Some(Self { style, engine, script, traces, blobs, rest })
    }
}

/// Reads the pages in `inputs` and writes them as one page `index.html` in `folder`.
///
/// # Errors
/// If a page cannot be read, is not a page of this version, or does not belong to the others; if
/// the page cannot be written.
pub(crate) fn merge(
    inputs: &[(PathBuf, String)],
    folder: &Path,
    force: bool,
) -> Result<Joined, MergeError> {
    let mut pages = Vec::new();
    for (path, text) in inputs {
        let page =
            Page::of(text).ok_or_else(|| MergeError::NotThisVersion { path: path.clone() })?;
        pages.push((path.as_path(), page));
    }
    let mut parts = Vec::new();
    for (path, page) in &pages {
        parts.push(Part { path, shard: page.summary.shard, is_empty: false });
    }
    Part::check(&parts)?;
    check_names(&pages)?;
    let mut summary = Summary::default();
    let (mut failed, mut others) = (String::new(), String::new());
    let mut players: Option<Players<'_>> = None;
    let mut count_failed = 0;
    for (path, page) in pages {
        summary.add(page.summary);
        let offset = players.as_ref().map_or(0, |players| players.traces.len());
        for row in page.rows {
            match row.strip_prefix(FAILED_ROW) {
                Some(row) => {
                    count_failed += 1;
                    let behind = row.trim_start_matches(|letter: char| letter.is_ascii_digit());
                    failed += &format!("{FAILED_ROW}{count_failed}");
                    failed += &renumbered(behind, offset);
                }
                None => others += row,
            }
        }
        match (&mut players, page.players) {
            (_, None) => {}
            (none @ None, found) => *none = found,
            (Some(players), Some(found)) => {
                if players.rest != found.rest {
                    return Err(MergeError::OtherProgram { path: path.to_owned() });
                }
                players.traces.extend(found.traces);
                players.blobs.extend(found.blobs);
            }
        }
    }
    let path = write(&summary, &failed, &others, players, folder, force)?;
    let Tally { passed, expected, failed, not_run, .. } = summary.tally;
    Ok(Joined { path, passed, expected, failed, errors: 0, not_run })
}

/// Checks that no trace has two rows.
fn check_names(pages: &[(&Path, Page<'_>)]) -> Result<(), MergeError> {
    let mut seen = BTreeSet::new();
    for (path, page) in pages {
        for row in &page.rows {
            let name =
                row.split_once("<span class=name>").and_then(|(_, name)| name.split_once('<'));
            let name = name.map_or("", |(name, _)| name);
            if !seen.insert(name) {
                let trace = name.to_owned();
                return Err(MergeError::Twice { path: (*path).to_owned(), trace });
            }
        }
    }
    Ok(())
}

/// Adds `offset` to the number of the row's player.
fn renumbered(row: &str, offset: usize) -> String {
    let Some((before, behind)) = row.split_once(PLAYER) else { return row.to_owned() };
    let rest = behind.trim_start_matches(|letter: char| letter.is_ascii_digit());
    let number = behind[..behind.len() - rest.len()].parse::<usize>().unwrap_or_default();
    format!("{before}{PLAYER}{}{rest}", number + offset)
}

fn write(
    summary: &Summary,
    failed: &str,
    others: &str,
    players: Option<Players<'_>>,
    folder: &Path,
    force: bool,
) -> Result<PathBuf, OutputError> {
    host::output_files::create_folder(folder)?;
    let file = output_file::open(&folder.join("index.html"), is_page, force)?;
    let style = players.as_ref().map_or("", |players| players.style);
    let policy = super::players::policy(players.is_some());
    let head = summary.head(style, &policy);
    output_file::finish(file, |out| {
        for part in [&head, failed, others] {
            out.write_all(part.as_bytes())?;
        }
        write_list_end(out)?;
        if let Some(players) = players {
            let Players { engine, script, traces, blobs, mut rest, .. } = players;
            rest.insert("traces".into(), traces.into());
            rest.insert("blobs".into(), blobs.into());
            let data = serde_json::to_string(&rest).map_err(io::Error::other)?;
            let data = escape::json::in_script(&data);
            write!(out, "{engine}{DATA_BEGINS}{data}\n{SCRIPT_ENDS}{script}")?;
        }
        out.write_all(END)
    })
}
