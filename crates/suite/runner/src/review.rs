//! A review of the goldens that differ: grouped by the cause, accepted or rejected a cause at a time.
//!
//! [`Review::of`] replays the traces once and stores the frames that they show now;
//! [`Review::accept`] writes those that the accepted causes explain completely. A golden with an
//! accepted and a rejected cause is not written, because it would accept both. `picture` shows the
//! frames of a cause in the terminal.

mod picture;

use std::collections::BTreeSet;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use hal_mock::setup::MachineFactory;
use reading::text::Reader;

use crate::options::ReplayOptions;
use crate::report::TraceReport;
use crate::report::causes::FailureKind;
use crate::report::change::{AcceptError, GoldenChange};
use crate::run::run_heard;
use host::Exit;

/// Maximum number of examples of a cause.
const EXAMPLES_MAX: usize = 3;

/// The differing goldens of a suite, by their causes.
#[derive(Debug, Default)]
pub struct Review {
    groups: Vec<Group>,
    changes: Vec<Change>,
    /// Paths of failed traces whose failures no golden can mend.
    others: Vec<String>,
}

#[derive(Debug)]
struct Group {
    kind: FailureKind,
    examples: Vec<String>,
    /// Paths of the traces with the cause.
    traces: BTreeSet<String>,
    /// Index of the change that shows the cause best, and how well: alone, with both pictures.
    shown: Option<((bool, bool), usize)>,
    /// Number of goldens with the cause.
    goldens: usize,
}

#[derive(Debug)]
struct Change {
    trace: String,
    change: GoldenChange,
    /// Indices of the causes.
    groups: Vec<usize>,
}

/// One cause, for a person who decides.
#[derive(Clone, Debug)]
pub struct ReviewedCause<'a> {
    /// Number of the cause, from 1; equal in each review of the same files.
    pub number: usize,
    pub cause: String,
    /// Elements that differ.
    pub examples: &'a [String],
    pub traces: usize,
    pub goldens: usize,
    /// Path of a golden with the cause.
    pub golden: &'a Path,
    /// The golden as a PNG file, and the present frame.
    pub before: Option<&'a [u8]>,
    pub after: Option<&'a [u8]>,
}

/// Reason why a golden was not written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Held {
    /// Numbers of its causes that were not accepted.
    Causes(Vec<usize>),
    /// The trace compares two different frames with it.
    Contradictory,
}

/// The result of accepting causes.
#[derive(Clone, Debug, Default)]
pub struct Accepted {
    /// Goldens that were written.
    pub written: Vec<PathBuf>,
    /// Goldens that were not written, each with its trace.
    pub held: Vec<(String, PathBuf, Held)>,
}

/// Reason why goldens cannot be accepted.
#[derive(Debug, thiserror::Error)]
pub enum ReviewError {
    #[error(
        "there is no cause {number}; the causes are 1 to {count}, as `nudge review --list` lists them"
    )]
    NoSuchCause { number: usize, count: usize },
    #[error("the golden cannot be written: {0}")]
    Write(Box<dyn std::error::Error + Send + Sync>),
}

impl From<AcceptError> for ReviewError {
    fn from(error: AcceptError) -> Self {
        Self::Write(error.into())
    }
}

impl Review {
    /// Replays the traces below `paths`. Errors of files are written to `err`; the exit code is that
    /// of the replay.
    ///
    /// # Errors
    /// If `err` cannot be written.
    pub fn of(
        paths: &[PathBuf],
        options: &ReplayOptions,
        boards: MachineFactory<'_>,
        reader: &Reader,
        err: &mut dyn Write,
    ) -> io::Result<(Self, Exit)> {
        let options = ReplayOptions { reviews: true, quiet: true, bless: false, ..options.clone() };
        let mut review = Self::default();
        let exit =
            run_heard(paths, &options, boards, reader, &mut |report| review.take(report), err)?;
        review.sort();
        Ok((review, exit))
    }

    /// Adds a trace.
    fn take(&mut self, report: &mut TraceReport) {
        if report.exit == Exit::Passed {
            return;
        }
        if report.changes.is_empty() || report.problems.len() > report.unmet_goldens {
            self.others.push(report.path.clone());
        }
        for change in std::mem::take(&mut report.changes) {
            let mut groups: Vec<usize> = change.kinds.iter().map(|kind| self.group(kind)).collect();
            groups.sort_unstable();
            groups.dedup();
            let index = self.changes.len();
            for group in &groups {
                let group = &mut self.groups[*group];
                group.add(&report.path, &change.example);
                let has_picture = change.before.is_some();
                let is_alone = groups.len() == 1;
                // A golden with this cause only, and with both pictures, shows it best.
                let rank = (is_alone, has_picture);
                if group.shown.is_none_or(|(known, _)| known < rank) {
                    group.shown = Some((rank, index));
                }
            }
            self.changes.push(Change { trace: report.path.clone(), change, groups });
        }
    }

    /// Returns the index of the group of a kind.
    fn group(&mut self, kind: &FailureKind) -> usize {
        match self.groups.iter_mut().position(|group| group.kind.joins(kind)) {
            Some(known) => known,
            None => {
                self.groups.push(Group::of(kind.clone()));
                self.groups.len() - 1
            }
        }
    }

    /// Numbers the groups: those with the most goldens first, equal ones in the order of the traces.
    fn sort(&mut self) {
        let mut order: Vec<usize> = (0..self.groups.len()).collect();
        order.sort_by_key(|index| std::cmp::Reverse(self.groups[*index].goldens));
        let mut place = vec![0; order.len()];
        for (new, old) in order.iter().enumerate() {
            place[*old] = new;
        }
        let mut groups: Vec<(usize, Group)> =
            std::mem::take(&mut self.groups).into_iter().enumerate().collect();
        groups.sort_by_key(|(old, _)| place[*old]);
        self.groups = groups.into_iter().map(|(_, group)| group).collect();
        for change in &mut self.changes {
            change.groups.iter_mut().for_each(|group| *group = place[*group]);
            change.groups.sort_unstable();
        }
    }

    /// Returns the causes in their order.
    pub fn causes(&self) -> impl Iterator<Item = ReviewedCause<'_>> {
        self.groups.iter().enumerate().filter_map(|(index, group)| {
            let change = &self.changes.get(group.shown?.1)?.change;
            Some(ReviewedCause {
                number: index + 1,
                cause: group.kind.to_string(),
                examples: &group.examples,
                traces: group.traces.len(),
                goldens: group.goldens,
                golden: &change.golden,
                before: change.before.as_deref(),
                after: change.after.png(),
            })
        })
    }

    /// Returns the paths of the traces that still fail if every cause is accepted.
    pub fn others(&self) -> &[String] {
        &self.others
    }

    /// Writes the goldens of which all causes are among `accepted`, by their numbers.
    ///
    /// # Errors
    /// If a number belongs to no cause; then nothing is written. If a golden cannot be written.
    pub fn accept(&self, accepted: &BTreeSet<usize>) -> Result<Accepted, ReviewError> {
        let count = self.groups.len();
        if let Some(number) = accepted.iter().find(|number| !(1..=count).contains(*number)) {
            return Err(ReviewError::NoSuchCause { number: *number, count });
        }
        let mut result = Accepted::default();
        for Change { trace, change, groups } in &self.changes {
            let rejected: Vec<usize> = groups
                .iter()
                .map(|index| index + 1)
                .filter(|number| !accepted.contains(number))
                .collect();
            let held = match (rejected.is_empty(), change.is_contradictory) {
                (false, _) => Held::Causes(rejected),
                (true, true) => Held::Contradictory,
                (true, false) => {
                    change.after.write(&change.golden)?;
                    result.written.push(change.golden.clone());
                    continue;
                }
            };
            result.held.push((trace.clone(), change.golden.clone(), held));
        }
        Ok(result)
    }
}

impl Group {
    fn of(kind: FailureKind) -> Self {
        let (examples, traces) = (Vec::new(), BTreeSet::new());
        Self { kind, examples, traces, shown: None, goldens: 0 }
    }

    fn add(&mut self, trace: &str, example: &str) {
        self.goldens += 1;
        self.traces.insert(trace.to_owned());
        let is_new = !example.is_empty() && !self.examples.iter().any(|known| known == example);
        if is_new && self.examples.len() < EXAMPLES_MAX {
            self.examples.push(example.to_owned());
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use causes::Cause;
    use ili9341_model::Frame;
    use reading::golden;

    use super::*;
    use crate::report::Problem;
    use crate::report::change::NewGolden;

    fn moved(right: i32) -> FailureKind {
        FailureKind::Frames(Cause::moved(right, 0))
    }

    fn change(golden: PathBuf, kinds: &[FailureKind], colour: u32) -> GoldenChange {
        let frame = Frame::filled(2, 1, colour);
        GoldenChange {
            golden,
            kinds: kinds.to_vec(),
            example: "x".to_owned(),
            before: None,
            after: NewGolden::picture(&frame).unwrap(),
            is_contradictory: false,
        }
    }

    fn review(folder: &Path) -> Review {
        let mut review = Review::default();
        let traces =
            [("a", vec![moved(1)]), ("b", vec![moved(2)]), ("c", vec![moved(2), moved(1)])];
        for (name, kinds) in traces {
            let mut report = TraceReport::new(Path::new(name));
            report.add(Exit::Failed, Problem::of_trace("x".to_owned()));
            report.unmet_goldens = 1;
            report.changes.push(change(folder.join(name).join("f.png"), &kinds, 0xFF_0000));
            review.take(&mut report);
        }
        let mut other = TraceReport::new(Path::new("d"));
        other.add(Exit::Failed, Problem::of_trace("expected text".to_owned()));
        review.take(&mut other);
        review.sort();
        review
    }

    #[test]
    fn a_golden_is_written_if_all_its_causes_are_accepted() {
        let folder = tempfile::tempdir().unwrap();
        let review = review(folder.path());
        let causes: Vec<_> = review.causes().map(|cause| (cause.number, cause.cause)).collect();
        assert_eq!(causes[0], (1, "frames: moved 1 px to the right".to_owned()));
        assert_eq!((causes.len(), review.others()), (2, &["d".to_owned()][..]));
        let accepted = review.accept(&BTreeSet::from([1])).unwrap();
        assert_eq!(accepted.written, [folder.path().join("a/f.png")]);
        let held: Vec<_> =
            accepted.held.iter().map(|(trace, _, why)| (trace.as_str(), why.clone())).collect();
        assert_eq!(held, [("b", Held::Causes(vec![2])), ("c", Held::Causes(vec![2]))]);
        let written = golden::read_png(folder.path().join("a/f.png")).unwrap();
        assert_eq!(written.pixels(), [0xFF_0000; 2]);
        let all = review.accept(&BTreeSet::from([1, 2])).unwrap();
        assert_eq!((all.written.len(), all.held.len()), (3, 0));
    }

    #[test]
    fn an_unknown_number_writes_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let error = review(folder.path()).accept(&BTreeSet::from([1, 3])).unwrap_err().to_string();
        assert!(error.starts_with("there is no cause 3; the causes are 1 to 2"), "{error}");
        assert!(!folder.path().join("a").exists());
    }
}
