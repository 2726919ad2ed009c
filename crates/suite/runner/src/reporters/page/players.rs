//! Players of the failed traces in a page: a place in each report, and once, at the end of the
//! page, the machine with the traces.
//!
//! Traces and their files are stored in temporary files; only the names of the page's files are in
//! memory.

use std::fmt::Write as _;
use std::io::{self, Write};

use page::{BlobWriter, Failure, Mode, TraceEntry};

use super::super::temporary_store::TemporaryStore;
use super::small::small;
use crate::command;
use crate::options::ReplayOptions;
use crate::options::player::Player;
use crate::report::TraceReport;
use escape::html::escaped;

/// Maximum number of bytes of golden frames in a page for its players. A golden that is left out
/// counts as equal. Pictures of differences are not included.
const GOLDEN_BYTES_MAX: usize = 1 << 20;
/// Maximum number of bytes of traces, their included files and flash images in a page.
const TRACE_BYTES_MAX: usize = 24 << 20;

pub(super) struct Players {
    player: Player,
    traces: TemporaryStore,
    files: TemporaryStore,
    blobs: BlobWriter,
    count: usize,
    trace_bytes: usize,
    golden_bytes: usize,
}

impl Players {
    /// # Errors
    /// If no temporary file can be made.
    pub fn new(player: Player) -> io::Result<Self> {
        Ok(Self {
            player,
            traces: TemporaryStore::new()?,
            files: TemporaryStore::new()?,
            blobs: BlobWriter::default(),
            count: 0,
            trace_bytes: 0,
            golden_bytes: 0,
        })
    }

    /// Adds the player of `report`'s trace to `row`, or the command that opens the trace.
    ///
    /// # Errors
    /// If a store cannot be written.
    pub fn add(
        &mut self,
        row: &mut String,
        report: &mut TraceReport,
        options: &ReplayOptions,
    ) -> io::Result<()> {
        match &self.player {
            Player::None | Player::Absent(_) => return Ok(()),
            Player::Command { .. } => {}
            Player::Engine { .. } => {
                if let Some(mut packed) = report.packed.take() {
                    let pictures =
                        packed.blobs.iter_mut().filter(|(name, _)| name.ends_with(".png"));
                    for (_, png) in pictures {
                        *png = small(png).into_owned();
                    }
                    let is_golden =
                        |name: &String| name.ends_with(".png") || name.ends_with(".frames");
                    let goldens = packed.blobs.iter().filter(|(name, _)| is_golden(name));
                    let golden_bytes: usize = goldens.map(|(_, bytes)| bytes.len()).sum();
                    if self.golden_bytes + golden_bytes > GOLDEN_BYTES_MAX {
                        packed.blobs.retain(|name, _| !is_golden(name));
                    } else {
                        self.golden_bytes += golden_bytes;
                    }
                    let bytes = packed.bytes();
                    if self.trace_bytes + bytes <= TRACE_BYTES_MAX {
                        self.trace_bytes += bytes;
                        packed.name = options.named(&report.file);
                        return self.place(row, report, &packed);
                    }
                }
            }
        }
        if report.ran.is_some() && options.converted.get(&report.file).is_none() {
            let open = command::open(&report.file, options, first(report));
            push(
                row,
                format_args!(
                    "<p class=again><span>Play it from here</span> <code>{}</code> \
                     <button type=button class=copy>Copy</button></p>\n",
                    escaped(&open)
                ),
            );
        }
        Ok(())
    }

    /// Returns the placeholder of a player, and adds its trace to those of the page.
    fn place(
        &mut self,
        row: &mut String,
        report: &TraceReport,
        packed: &page::PackedTrace,
    ) -> io::Result<()> {
        let failures: Vec<Failure> = report
            .problems
            .iter()
            .map(|problem| Failure {
                line: problem.place.map(|place| place.line),
                at: problem.at.map(|at| at.0),
                message: problem.message.clone(),
            })
            .collect();
        let entry = TraceEntry { trace: packed, failures: &failures, elf_command: None };
        let mut files = Vec::new();
        let text = page::entry(&entry, &mut self.blobs, &mut files)?;
        self.files.append(&files)?;
        let comma = if self.count == 0 { "" } else { ",\n" };
        self.traces.append(format!("{comma}{text}").as_bytes())?;
        let number = self.count;
        push(
            row,
            format_args!(
                "<div class=play data-nudge-player={number}><button type=button hidden>▶ Play from \
                 here</button></div>\n"
            ),
        );
        self.count += 1;
        Ok(())
    }

    /// Returns a remark about the players for the reader of the page.
    pub fn note(&self) -> Option<String> {
        match &self.player {
            Player::Absent(reason) => Some(format!("Failures cannot be played here: {reason}.")),
            Player::Command { reason } => {
                Some(format!("Failures cannot be played here: {reason}."))
            }
            Player::None | Player::Engine { .. } => None,
        }
    }

    /// Returns the style sheet of the players, if the page has one.
    pub fn style(&self) -> &'static str {
        match &self.player {
            Player::Engine { bundle, .. } if self.count > 0 => bundle.style,
            _ => "",
        }
    }

    /// Returns the content security policy of the page.
    pub fn policy(&self) -> String {
        policy(self.count > 0)
    }

    /// Writes the machine, the traces and the script that plays them, if there are any.
    ///
    /// # Errors
    /// If `out` cannot be written, or a store cannot be read.
    pub fn write(mut self, out: &mut dyn Write) -> io::Result<()> {
        let Player::Engine { bundle, board, elf, board_file } = &self.player else { return Ok(()) };
        if self.count == 0 {
            return Ok(());
        }
        page::write_engine(bundle, out)?;
        writeln!(out, "<script type=\"application/json\" id=\"nudge-data\">")?;
        out.write_all(b"{\"traces\":[")?;
        self.traces.copy_all(out)?;
        out.write_all(b"],\"blobs\":{")?;
        self.files.copy_all(out)?;
        let elf = elf.as_ref().map(|elf| self.blobs.add(elf, out)).transpose()?;
        let board_file = board_file.as_ref();
        let board_file =
            board_file.map(|file| page::board_file(file, &mut self.blobs, out)).transpose()?;
        out.write_all(b"},")?;
        let (mode, elf) = (Mode::Report, elf.as_deref());
        let rest = page::rest(mode, "nudge replay", board, elf, board_file, None, false);
        write!(out, "{rest}\n</script>\n<script>\n{}\n</script>\n", bundle.script)
    }
}

/// Returns the content security policy of a page with or without players.
pub(super) fn policy(plays: bool) -> String {
    if plays {
        return page::policy(false);
    }
    "default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'unsafe-inline'"
        .to_owned()
}

/// Returns the time of the report's first failure.
fn first(report: &TraceReport) -> Option<virtual_time::Instant> {
    report.problems.iter().find_map(|problem| problem.at)
}

fn push(row: &mut String, text: std::fmt::Arguments<'_>) {
    // Writing to a string cannot fail.
    let _ = row.write_fmt(text);
}
