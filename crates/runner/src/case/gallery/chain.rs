//! Chains of frames: what is kept of one while a trace runs, and how it compares.
//!
//! Only hashes are kept of the frames that are as they should be; of the first that is not, its
//! picture and the one before it.

use std::path::{Path, PathBuf};

use hal_mock::Frame;
use hal_mock::golden;
use hal_mock::golden::chain::{Chain, Link};
use hal_mock::replay::Seen;
use hal_mock::trace::spoken;

use super::Gallery;
use crate::command::command;
use crate::exit::Exit;

/// What the first frame that differs leaves among the artifacts, by the ends of the names.
pub(crate) const KINDS: [&str; 3] = ["before", "actual", "diff"];

/// How far ahead a frame is looked for that came too early or too late.
const LOOK_AHEAD: usize = 100;

/// The first frame that is another than the kept one.
struct DifferingFrame {
    before: Frame,
    actual: Frame,
    after: String,
}

/// One chain while its trace runs.
pub(crate) struct ChainRecord {
    /// What is kept in its file; an error is told at the end.
    expected: Result<Chain, String>,
    exists: bool,
    seen: Chain,
    /// The number of the first frame that differs, from 0, and the frame itself if there is one.
    differing: Option<DifferingFrame>,
    differs_at: usize,
}

impl ChainRecord {
    /// Of the chain whose file is at `path`.
    pub(crate) fn begin(path: &Path) -> Self {
        Self {
            expected: Chain::load(path),
            exists: path.exists(),
            seen: Chain::default(),
            differing: None,
            differs_at: 0,
        }
    }

    pub(crate) fn add(&mut self, seen: &Seen<'_>) {
        let number = self.seen.links.len();
        self.seen.links.push(seen.link);
        if self.differing.is_some() {
            return;
        }
        let expected = self.expected.as_ref().ok().and_then(|chain| chain.links.get(number));
        if expected.is_none_or(|link| link.hash != seen.link.hash) {
            self.differs_at = number;
            self.differing = Some(DifferingFrame {
                before: seen.before.clone(),
                actual: seen.frame.clone(),
                after: seen.after.to_owned(),
            });
        }
    }

    /// Where it differs from `expected`, in words; `None` if nowhere.
    fn difference(&self, expected: &Chain) -> Option<String> {
        let (kept, seen) = (&expected.links, &self.seen.links);
        if let Some(differing) = &self.differing {
            let number = self.differs_at;
            let is = &seen[number];
            let mut text = match kept.get(number) {
                Some(should) => format!(
                    "frame {} of {} is another: at {}, after {}, the LCD changed {}; expected was \
                     a frame at {} that changes {}",
                    number + 1,
                    kept.len(),
                    spoken(is.at),
                    differing.after,
                    is.change(),
                    spoken(should.at),
                    should.change()
                ),
                None => format!(
                    "frame {} is one too many: at {}, after {}, the LCD changed {}; the chain has \
                     {} frames",
                    number + 1,
                    spoken(is.at),
                    differing.after,
                    is.change(),
                    kept.len()
                ),
            };
            text += &hint(&kept[number.min(kept.len())..], &seen[number..]);
            return Some(text);
        }
        let missing = kept.get(seen.len())?;
        Some(format!(
            "frame {} of {} did not come: expected was one at {} that changes {}",
            seen.len() + 1,
            kept.len(),
            spoken(missing.at),
            missing.change()
        ))
    }
}

/// Whether a frame was left out, or came in between; nothing if neither is plain.
fn hint(kept: &[Link], seen: &[Link]) -> String {
    let find = |one: &[Link], in_other: &[Link]| {
        let first = one.first()?.hash;
        in_other.iter().take(LOOK_AHEAD).position(|link| link.hash == first)
    };
    let frames =
        |count: usize| if count == 1 { "1 frame".into() } else { format!("{count} frames") };
    match (find(seen, kept), find(kept, seen)) {
        (Some(skipped), _) if skipped > 0 => {
            format!("; it is what comes {} later: what lies between was left out", frames(skipped))
        }
        (None, Some(early)) if early > 0 => {
            format!("; the expected one comes {} later: what lies between is new", frames(early))
        }
        _ => String::new(),
    }
}

impl Gallery<'_> {
    pub(crate) fn chain_path(&self, name: &str) -> PathBuf {
        self.folder.join(format!("{name}.frames"))
    }

    /// Writes the chain's file, unless it is right as it is.
    pub(crate) fn bless_chain(&mut self, record: &ChainRecord, path: &Path) -> Result<(), String> {
        let count = record.seen.links.len();
        let what = match &record.expected {
            Ok(expected) => match record.difference(expected) {
                None => return Ok(()),
                Some(difference) => format!("replaced: {difference}; now {count} frames"),
            },
            Err(_) if !record.exists => format!("new, {count} frames"),
            Err(_) => format!("replaced a file that was no chain; now {count} frames"),
        };
        self.make_folder()?;
        record.seen.save(path).inspect_err(|_| self.exit = Exit::Usage)?;
        self.notes.push(format!("blessed {} ({what})", path.display()));
        Ok(())
    }

    /// Compares with the chain's file.
    pub(crate) fn compare_chain(
        &mut self,
        name: &str,
        record: &ChainRecord,
        path: &Path,
    ) -> Result<(), String> {
        let bless = command(self.trace, self.options, &["--bless"]);
        let expected = match &record.expected {
            Ok(expected) => expected,
            Err(_) if !record.exists => {
                return Err(format!(
                    "expected frames {name}, but there is no file {}; {} were seen\nif they are \
                     right, keep them: {bless}",
                    path.display(),
                    record.seen.links.len()
                ));
            }
            Err(error) => {
                self.exit = Exit::Usage;
                return Err(format!("{error}; restore the file, or write it anew with `{bless}`"));
            }
        };
        let Some(difference) = record.difference(expected) else { return Ok(()) };
        let mut message = format!("expected frames {name} ({}), but {difference}", path.display());
        if let Some(differing) = &record.differing {
            let changed = golden::difference_frame(&differing.actual, &differing.before);
            let mut see = None;
            for (kind, frame) in
                KINDS.into_iter().zip([&differing.before, &differing.actual, &changed])
            {
                see = self.artifact(&format!("{name}.{kind}"), frame)?;
            }
            if let Some(see) = see {
                message += &format!(
                    "\nsee {} for what it changes, and .before and .actual beside it",
                    see.display()
                );
            }
        }
        Err(message)
    }
}
