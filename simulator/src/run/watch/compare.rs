//! Compares what two firmwares show for the same presses.

use std::io;
use std::path::{Path, PathBuf};

use boards::session::{SessionError, board_file_from};
use changes::compare::{DifferenceCache, compare as compare_observations};
use changes::observation::{Observation, Pictures};
use changes::sides::{How, SideError};
use changes::stream::NotObserved;
use host::{
    Interrupt,
    output_files::{Output, OutputError, create_folder},
};
use live::{Both, InputLog};
use runner::{OpenError, open_trace};
use trace::{Action, BOARD_KEY, HeaderEntry};
use virtual_time::{Instant, spoken};

use super::firmware::Firmware;

/// The reason why two firmwares could not be compared.
#[derive(Debug, thiserror::Error)]
pub enum NotCompared {
    #[error(transparent)]
    Io(#[from] io::Error),
    #[error(transparent)]
    Output(#[from] OutputError),
    #[error(transparent)]
    Open(#[from] OpenError),
    #[error(transparent)]
    Side(#[from] SideError),
    #[error(transparent)]
    Board(#[from] SessionError),
    #[error("{0}")]
    NotObserved(NotObserved),
}

/// Observations of both firmwares.
pub struct Compared {
    sides: [Observation; 2],
    names: [String; 2],
    /// Time at which a frame first differs, if one does.
    first: Option<Instant>,
    /// The difference in a sentence.
    pub words: String,
}

/// Writes the trace that both firmwares replay, with its flash file next to it. `board` is the
/// board file, if one describes the board: the header names it from the folder of the trace.
///
/// # Errors
/// If a file cannot be written.
pub fn trace(
    folder: &Path,
    input_log: &InputLog,
    header: &[HeaderEntry],
    image: Option<&[u8]>,
    board: Option<&Path>,
) -> Result<PathBuf, NotCompared> {
    let path = folder.join("session.trace");
    let mut header = header.to_vec();
    if let Some(board) = board {
        create_folder(folder)?;
        let named = board_file_from(board, folder)?;
        header.retain(|entry| entry.key != BOARD_KEY);
        header.insert(0, HeaderEntry::new(BOARD_KEY, named));
    }
    let flash = header.iter().find(|entry| entry.key == "flash");
    if let (Some(flash), Some(image)) = (flash, image) {
        Output::new(folder.join(&flash.value)).replace(true).write(image)?;
    }
    Output::trace(&path).replace(true).write(&input_log.text(&header)?)?;
    Ok(path)
}

/// Replays `path` on both firmwares, the previous one first.
///
/// # Errors
/// If one of them cannot replay it.
pub fn compare(
    path: &Path,
    firmwares: [&Firmware; 2],
    interrupt: &Interrupt,
) -> Result<Compared, NotCompared> {
    let how = How { interrupt: interrupt.clone(), ..How::default() };
    let observe = |firmware: &Firmware| -> Result<Observation, NotCompared> {
        firmware.observed(path, &how)?.map_err(NotCompared::NotObserved)
    };
    let sides = [observe(firmwares[0])?, observe(firmwares[1])?];
    let reader = crate::text_reader::reader();
    let [before, now] = &sides;
    let change =
        compare_observations(path, [before, now], &reader, &DifferenceCache::default(), |_| false);
    let settled = now.frames.len();
    let first = change.kinds.first().map(|(what, _, example)| (what.to_string(), example));
    let words = match &first {
        None if change.is_empty() => {
            format!("old and new firmware: nothing differs in {settled} settled frames")
        }
        None => format!(
            "old and new firmware show the same {settled} settled frames; what comes between them, the console, \
             the tones or their moments differ"
        ),
        Some((what, example)) => {
            let number = now.frames.partition_point(|frame| frame.at < example.at) + 1;
            let press = press_before(path, example.line)?;
            let at = spoken_roundly(example.at);
            format!(
                "the screens part {press}: frame {number}, at {at}, is the first that differs ({what}); D shows \
                 both"
            )
        }
    };
    let first = first.map(|(_, example)| example.at);
    Ok(Compared { names: firmwares.map(|one| one.name().to_owned()), first, words, sides })
}

/// Describes the last press up to `line`, after which the screens differ.
fn press_before(path: &Path, line: u32) -> Result<String, NotCompared> {
    let trace = open_trace(path)?;
    let done = trace.lines.iter().filter(|done| done.place.line <= line);
    let mut at = Instant::START;
    let mut press = None;
    for done in done {
        at = match done.when {
            trace::When::At(moment) => moment,
            trace::When::After(span) => at.saturating_add(span),
        };
        if matches!(done.action, Action::Press(_)) {
            press = Some((at, done.action.noun()));
        }
    }
    Ok(match press {
        Some((at, noun)) => format!("at the {noun} at {}", spoken_roundly(at)),
        None => "before any press".to_owned(),
    })
}

/// Formats `at`, rounded up to whole milliseconds.
fn spoken_roundly(at: Instant) -> String {
    const MILLISECOND: u64 = 1_000_000;
    spoken(Instant(at.0.div_ceil(MILLISECOND).saturating_mul(MILLISECOND)).since_start())
}

impl Compared {
    /// Returns the frames of both at `at`, or where they first differ if `at` is `None`, or at the
    /// end if they do not.
    pub fn at(&self, at: Option<Instant>) -> Both {
        let end = self.sides[1].ended_at;
        let at = at.or(self.first).unwrap_or(end);
        let frames = [0, 1].map(|side| {
            let frames = &self.sides[side].frames;
            let seen = frames.partition_point(|frame| frame.at <= at);
            // The panel is dark before the first frame.
            let mut pictures = Pictures::new(&frames[..seen]);
            pictures.at(seen.saturating_sub(1)).clone()
        });
        let [before, now] = self.names.clone();
        let where_from =
            if self.first == Some(at) { "the first difference" } else { "the settled frames" };
        Both {
            at,
            frames,
            words: [before, now, format!("{where_from} at {}: {}", spoken_roundly(at), self.words)],
        }
    }
}
