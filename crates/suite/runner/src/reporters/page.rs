//! The results as a page: one HTML file that needs no other file and no network.
//!
//! A failed trace has its whole report, with pictures to compare; a passed one has a row and its
//! timeline, so that a page of a thousand traces stays small. Rows are stored in two temporary
//! files, because failed traces come first.
//!
//! **Invariant:** all text from files passes through [`escaped`]. The page's content security
//! policy forbids it all network access.

pub(crate) mod merge;
mod players;
mod small;
mod summary;

use std::fmt::Write as _;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use host::{
    Exit,
    output_files::{OutputError, OutputFile},
};
use ili9341_model::Region;
use players::Players;
use small::small;
use summary::Summary;
use virtual_time::spoken;

use super::notices;
use super::output_file::{self, cannot_write};
use super::temporary_store::TemporaryStore;
use super::terminal::wall_time;
use crate::options::ReplayOptions;
use crate::report::tally::Tally;
use crate::report::{ComparedWith, Comparison, Problem, TraceReport};
use escape::html::escaped;
use escape::terminal::plain;

/// Style sheet of report pages; other pages of the command begin with it.
pub const STYLE: &str = include_str!("page/page.css");
/// Script functions that this page shares with others: `nudgeList`.
pub const LIST_SCRIPT: &str = include_str!("page/list.js");
const SCRIPT: &str = include_str!("page/page.js");
/// Number of failed traces that are open at first.
const OPEN_AT_FIRST: usize = 10;
/// Maximum number of PNG bytes in a page; browsers stay fast below it.
const PICTURE_BYTES_MAX: usize = 24 << 20;

/// Distance between the differing region and the frame drawn around it, in pixels.
const FRAMED_MARGIN: u32 = 4;

/// Beginning of a page. The name of its generator distinguishes it from any other page.
const BEGINNING: &str = "<!DOCTYPE html>\n<html lang=en>\n<head>\n<meta charset=utf-8>\n\
    <meta name=generator content=\"nudge replay\">\n";

/// End of the rows, and end of the page.
const ROWS_END: &str = "</ol>\n<p id=none hidden>";
const END: &[u8] = b"</body>\n</html>\n";

/// Writes the part between the rows and the players.
fn write_list_end(out: &mut dyn io::Write) -> io::Result<()> {
    write!(
        out,
        "{ROWS_END}No trace matches the filter.</p>\n</main>\n\
         <script>\n{LIST_SCRIPT}{SCRIPT}</script>\n"
    )
}

/// Returns whether a file with these first bytes is a page of an earlier run.
pub(crate) fn is_page(head: &[u8]) -> bool {
    head.starts_with(BEGINNING.as_bytes())
}

pub(crate) struct PageReporter<'a> {
    options: &'a ReplayOptions,
    file: OutputFile,
    failed: TemporaryStore,
    passed: TemporaryStore,
    players: Players,
    count_failed: usize,
    picture_bytes: usize,
    board_seconds: f64,
    wall: Duration,
}

impl<'a> PageReporter<'a> {
    /// # Errors
    /// If `folder` or the page in it cannot be written.
    pub fn new(folder: &Path, options: &'a ReplayOptions) -> Result<Self, OutputError> {
        let cannot = |source: io::Error| cannot_write(folder, source);
        host::output_files::create_folder(folder)?;
        Ok(Self {
            options,
            file: output_file::open(&folder.join("index.html"), is_page, options.force)?,
            failed: TemporaryStore::new().map_err(cannot)?,
            passed: TemporaryStore::new().map_err(cannot)?,
            players: Players::new(options.player.clone()).map_err(cannot)?,
            count_failed: 0,
            picture_bytes: 0,
            board_seconds: 0.0,
            wall: Duration::ZERO,
        })
    }

    /// # Errors
    /// If a store cannot be written.
    pub fn add(&mut self, report: &mut TraceReport) -> io::Result<()> {
        if let Some((board, wall)) = report.ran {
            self.board_seconds += board.as_secs_f64();
            self.wall += wall;
        }
        if report.exit == Exit::Passed {
            let (columns, notices) = (columns(report), notices_of(report));
            let kind = if report.expected.is_some() { "skip" } else { "pass" };
            let row = format!("<li class=\"row {kind}\">{columns}{notices}</li>\n");
            return self.passed.append(row.as_bytes()).map(drop);
        }
        let open = if self.count_failed < OPEN_AT_FIRST { " open" } else { "" };
        self.count_failed += 1;
        let mut row = format!(
            "<li class=\"row fail\" id=f{}><details{open}><summary>{}</summary>\n",
            self.count_failed,
            columns(report)
        );
        for problem in &report.problems {
            self.problem(&mut row, report, problem);
        }
        self.players.add(&mut row, report, self.options)?;
        row += &notices_of(report);
        row += "</details></li>\n";
        self.failed.append(row.as_bytes()).map(drop)
    }

    /// Adds a row for the trace at `path`, which did not run.
    ///
    /// # Errors
    /// If a store cannot be written.
    pub fn skip(&mut self, path: &Path) -> io::Result<()> {
        let name = escaped(&plain(&path.display().to_string()));
        let row = format!(
            "<li class=\"row skip\"><span class=mark><i>–</i> not run</span>\
             <span class=name>{name}</span><span class=tl></span><span class=time></span></li>\n"
        );
        // The row comes after the passed traces: no further trace runs.
        self.passed.append(row.as_bytes()).map(drop)
    }

    /// Writes the page. `firmware` are the lines that name the firmware.
    ///
    /// # Errors
    /// If the page cannot be written.
    pub fn finish(
        mut self,
        tally: &Tally,
        firmware: &[String],
        causes: &[String],
    ) -> Result<PathBuf, OutputError> {
        let note = self.players.note().filter(|_| tally.failed > 0);
        let summary = Summary {
            tally: *tally,
            board_seconds: self.board_seconds,
            wall: self.wall,
            notes: firmware.iter().chain(causes).cloned().chain(note).collect(),
            shard: self.options.shard,
        };
        let head = summary.head(self.players.style(), &self.players.policy());
        let (failed, passed, players) = (&mut self.failed, &mut self.passed, self.players);
        output_file::finish(self.file, |out| {
            out.write_all(head.as_bytes())?;
            failed.copy_all(out)?;
            passed.copy_all(out)?;
            write_list_end(out)?;
            players.write(out)?;
            out.write_all(END)
        })
    }

    fn problem(&mut self, row: &mut String, report: &TraceReport, problem: &Problem) {
        row.push_str("<section class=fault>\n");
        let mut lines = problem.message.lines();
        let place = escaped(&report.place_of(problem));
        let headline = escaped(lines.next().unwrap_or_default());
        push(row, format_args!("<h3><span class=where>{place}</span>{headline}</h3>\n"));
        for line in lines {
            push(row, format_args!("<p class=more>{}</p>\n", escaped(line)));
        }
        if let (Some(quote), Some(place)) = (&problem.quote, problem.place) {
            let quote = escaped(quote);
            push(row, format_args!("<pre class=quote><b>{}</b> {quote}</pre>\n", place.line));
        }
        self.pictures(row, problem);
        row.push_str("<div class=facts>\n");
        let texts =
            [("Text of the frame before", &problem.before), ("Text on the LCD", &problem.shown)];
        for (title, shown) in texts {
            let Some(shown) = shown else { continue };
            let text = match shown.as_slice() {
                [] => "(no text)".to_owned(),
                lines => escaped(&lines.join("\n")),
            };
            push(row, format_args!("<div><h4>{title}</h4><pre>{text}</pre></div>\n"));
        }
        if let Some(crash) = problem.crash.as_ref().filter(|crash| !crash.calls.is_empty()) {
            let calls = escaped(&crash.calls.join("\n"));
            push(row, format_args!("<div><h4>The calls before it</h4><pre>{calls}</pre></div>\n"));
        }
        if !problem.events.is_empty() {
            row.push_str("<div><h4>What happened last before</h4><table class=events>\n");
            for (at, what) in &problem.events {
                let (at, what) = (spoken(at.since_start()), escaped(what));
                push(row, format_args!("<tr><td>{at}<td>{what}\n"));
            }
            row.push_str("</table></div>\n");
        }
        row.push_str("</div>\n");
        if let Some(again) = &problem.again {
            push(
                row,
                format_args!(
                    "<p class=again><span>Just this again</span> <code>{}</code> \
                     <button type=button class=copy>Copy</button></p>\n",
                    escaped(again)
                ),
            );
        }
        row.push_str("</section>\n");
    }

    fn pictures(&mut self, row: &mut String, problem: &Problem) {
        let Some(screen) = &problem.screen else { return };
        let mut all = vec![("actual", "What the LCD showed", &screen.actual)];
        if let Some(compared) = &screen.compared {
            let [other, difference] = match compared.with {
                ComparedWith::Golden => ["What was expected", "What differs"],
                ComparedWith::FrameBefore => ["The frame before it", "What it changed"],
            };
            all.push(("expected", other, &compared.other));
            all.push(("diff", difference, &compared.difference));
        }
        let bytes: usize = all.iter().map(|(_, _, png)| png.len()).sum();
        if self.picture_bytes + bytes > PICTURE_BYTES_MAX {
            row.push_str(
                "<p class=more>Its pictures are left out: there are too many for one \
                          page. Replay it alone to see them.</p>\n",
            );
            return;
        }
        self.picture_bytes += bytes;
        let class = if all.len() > 1 { "compare" } else { "single" };
        let mark = screen.compared.as_ref().and_then(DifferenceMark::of);
        let data = mark.as_ref().map(|mark| mark.data()).unwrap_or_default();
        let framed = mark.map(|mark| mark.framed()).unwrap_or_default();
        push(row, format_args!("<div class={class}{data}>\n"));
        for (kind, caption, png) in all {
            let png = STANDARD.encode(small(png));
            push(
                row,
                format_args!(
                    "<figure class={kind}><span class=pic><img alt=\"{caption}\" \
                     src=\"data:image/png;base64,{png}\">{framed}</span>\
                     <figcaption>{caption}</figcaption></figure>\n"
                ),
            );
        }
        row.push_str("</div>\n");
    }
}

/// The region of a picture in which a comparison differs.
struct DifferenceMark {
    region: Region,
    /// Width and height of the picture in pixels.
    size: [u32; 2],
}

impl DifferenceMark {
    /// Returns `None` if the region or the picture's size is unknown.
    fn of(compared: &Comparison) -> Option<Self> {
        let region = compared.region?;
        // Width and height are at offsets 16 and 20 of every PNG file.
        let side = |at: usize| Some(u32::from_be_bytes(*compared.other.get(at..)?.first_chunk()?));
        let size = [side(16)?, side(20)?];
        (!size.contains(&0)).then_some(Self { region, size })
    }

    /// Returns the attribute that the page's script reads.
    fn data(&self) -> String {
        let Region { x, y, width, height } = self.region;
        format!(" data-differs=\"{x} {y} {width} {height}\"")
    }

    /// Returns a frame around the region, or an empty text if the region is most of the picture.
    fn framed(&self) -> String {
        let Region { x, y, width, height } = self.region;
        let [columns, rows] = self.size;
        if u32::from(width) * 2 > columns && u32::from(height) * 2 > rows {
            return String::new();
        }
        let percent = |at: u32, of: u32| f64::from(at.min(of)) * 100.0 / f64::from(of);
        let side = |from: u16, length: u16, of: u32| {
            let begin = u32::from(from).saturating_sub(FRAMED_MARGIN);
            let end = u32::from(from) + u32::from(length) + FRAMED_MARGIN;
            (percent(begin, of), percent(end.min(of) - begin.min(of), of))
        };
        let ((left, width), (top, height)) = (side(x, width, columns), side(y, height, rows));
        format!(
            "<i class=differs style=\"left:{left:.2}%;top:{top:.2}%;width:{width:.2}%;\
             height:{height:.2}%\"></i>"
        )
    }
}

/// Returns the notices of a trace, which are shown below its row.
fn notices_of(report: &TraceReport) -> String {
    let notice = |line: String| format!("<p class=\"more notice\">{}</p>\n", escaped(&line));
    notices::expected(report).into_iter().chain(notices::lines(report)).map(notice).collect()
}

/// Returns the cells of a trace's row.
fn columns(report: &TraceReport) -> String {
    let (mark, word) = match report.exit {
        Exit::Passed if report.expected.is_some() => ("–", "expected"),
        Exit::Passed => ("✓", "passed"),
        Exit::Failed | Exit::Program(_) => ("✗", "failed"),
        Exit::LimitReached => ("⏱", "limit"),
        Exit::Usage | Exit::Bench | Exit::Interrupted => ("!", "error"),
    };
    let name = escaped(&report.path);
    let timeline = report.timeline.as_deref().unwrap_or("<span class=tl></span>");
    let times = report.ran.map_or(String::new(), |(board, wall)| {
        let (board, wall) = (board.as_secs_f64(), wall_time(wall));
        format!("{board:.1} s <small>in {wall}</small>")
    });
    format!(
        "<span class=\"mark {word}\"><i>{mark}</i> {word}</span><span class=name>{name}</span>\
         {timeline}<span class=time>{times}</span>"
    )
}

fn push(row: &mut String, text: std::fmt::Arguments<'_>) {
    // Writing to a string cannot fail.
    let _ = row.write_fmt(text);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_names_no_other_place() {
        for text in [STYLE, LIST_SCRIPT, SCRIPT] {
            assert!(!text.contains("http") && !text.contains("@import") && !text.contains("url("));
        }
    }
}
