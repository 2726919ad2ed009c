//! Notices: reasons why a trace passes although it tests little or nothing. A notice does not fail
//! a trace by itself; with `--strict` each notice is a failure.
//!
//! [`of_trace`] finds notices in the file without a replay; the replay adds further ones. A
//! [`Notice`] is data with its place; its `Display` is the sentence that the reporters print.
//! Nothing that can fail by a defect of the firmware or of the board is a notice: neither a `wait`
//! that is satisfied at once, nor a text that is shown anyway, nor a dark LCD without power.
//!
//! This module does not know boards or firmware: the [`Reader`] decides what can be read on an LCD.

use core::cell::Cell;
use core::fmt;
use std::collections::BTreeMap;
use std::path::Path;
use std::rc::Rc;

use hal_mock::VirtualBoard;
use ili9341_model::{ColourSetting, Misplaced, Region, Rule, Violation};
use reading::{golden::chain::Chain, text::Reader};
use trace::{Action, Display, FrameCheck, Line, Place, Trace};
use virtual_time::{Instant, spoken};

use crate::observe::ReplayObserver;

/// Maximum number of notices reported per trace; the others are counted.
pub const NOTICES_MAX: usize = 20;
/// Number of pixels below which a comparison is too small: one letter of 8 by 8.
const HANDFUL: usize = 64;

/// A reason why a trace passes although it tests little or nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// Place in the trace; `None` if the notice is about the whole trace.
    pub place: Option<Place>,
    pub kind: NoticeKind,
}

/// The kind of a notice. Its text is a sentence without a full stop.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NoticeKind {
    /// No line of the trace can fail by what the firmware does, apart from `settle`.
    ExpectsNothing,
    /// The replay ended before the first line that expects something.
    EndedBefore {
        /// End of the replay, as given by `--until`.
        until: Instant,
    },
    /// A chain of frames has no frame.
    NoFrames {
        /// Name of the chain.
        name: String,
    },
    /// Half of the pixels or more may differ.
    ManyMayDiffer {
        /// Number of pixels that may differ.
        allowed: usize,
        /// Number of pixels that are compared.
        compared: usize,
    },
    /// Ignored regions leave fewer than 64 pixels to compare.
    FewCompared {
        /// Number of pixels that are compared.
        compared: usize,
        /// Number of pixels in the region.
        of: usize,
    },
    /// A text that must be present has one or two letters, and may be anywhere.
    ShortText { text: String },
    /// A text that must be absent has a character that the LCD never shows.
    NeverShown { character: char },
    /// The linter of the LCD has a note.
    Linter {
        rule: Rule,
        /// Time at which the rule applied first.
        first: Instant,
        /// Number of times that the rule applied.
        count: usize,
    },
    /// The program breaks a rule of the LCD's datasheet that the board file permits.
    Permitted {
        rule: Rule,
        /// Section of the controller's datasheet.
        section: &'static str,
        /// Requirement of the datasheet as a sentence.
        requirement: &'static str,
        /// Time of the first break.
        first: Instant,
        /// Number of breaks.
        count: usize,
    },
    /// The program draws beside the part of the memory that the LCD shows.
    Misplaced(Misplaced),
    /// The settings of the program show other colours than those that it draws.
    Colours(ColourSetting),
    /// A note of the machine on the program.
    Program(String),
    /// There are more notices than are reported.
    More(usize),
}

impl fmt::Display for NoticeKind {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ExpectsNothing => out.write_str(
                "the trace expects nothing: it passes whatever the board shows; add `expect` or \
                 `wait` lines, or let `nudge trace tidy --expect` add them",
            ),
            Self::EndedBefore { until } => write!(
                out,
                "--until {} ended the replay in front of the first expectation, so nothing was \
                 judged; choose a later time",
                spoken(until.since_start())
            ),
            Self::NoFrames { name } => write!(
                out,
                "the chain {name} has no frame: it passes as long as the LCD shows nothing new; \
                 move the line behind what is to be seen, and bless it again"
            ),
            Self::ManyMayDiffer { allowed, compared } => write!(
                out,
                "{allowed} of the {compared} pixels that are compared may differ: almost every \
                 frame passes; allow fewer"
            ),
            Self::FewCompared { compared, of } => write!(
                out,
                "the ignored regions leave {compared} of {of} pixels to compare; ignore less, or \
                 name the part with `in`"
            ),
            Self::ShortText { text } => write!(
                out,
                "{text:?} is so short that it may be part of another text: add the words beside it, \
                 or name its part of the panel with `in`"
            ),
            Self::NeverShown { character } => write!(
                out,
                "no font of the LCD has the character {character:?}, so this text is never read \
                 and the line cannot fail; write what the LCD would show"
            ),
            Self::Linter { rule, first, count } => {
                write!(
                    out,
                    "a note of the LCD's linter (section {}): {rule}; first at {}",
                    rule.section(),
                    spoken(first.since_start())
                )?;
                if *count > 1 { write!(out, ", {count} times in all") } else { Ok(()) }
            }
            Self::Permitted { rule, section, requirement, first, count } => {
                let first = spoken(first.since_start());
                write!(
                    out,
                    "the LCD's datasheet is not obeyed ({}, section {section}): {requirement}; first at \
                     {first}, {count} in all; the board file permits it",
                    rule.name()
                )
            }
            Self::Misplaced(misplaced) => misplaced.fmt(out),
            Self::Colours(setting) => setting.fmt(out),
            Self::Program(note) => out.write_str(note),
            Self::More(count) => write!(out, "{count} more notices are left out"),
        }
    }
}

/// Prints `notice: …` without the place.
impl fmt::Display for Notice {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "notice: {}", self.kind)
    }
}

/// Returns whether a line fails if the firmware does not do what the line expects. `settle` is
/// excluded: a board that does nothing at all satisfies it too.
fn demands(action: &Action) -> bool {
    action.is_expectation()
        || matches!(action, Action::WaitText { .. } | Action::WaitConsole { .. })
}

/// Returns the notices that can be found in `trace` and in the folder of its `goldens`, in the
/// order of the lines. `panel` is the whole panel of its board.
pub fn of_trace(trace: &Trace, goldens: &Path, reader: &Reader, panel: Region) -> Vec<Notice> {
    let mut chains = Chains { folder: goldens, are_empty: BTreeMap::new() };
    let mut notices = Vec::new();
    if !trace.lines.iter().any(|line| demands(&line.action)) {
        notices.push(Notice { place: None, kind: NoticeKind::ExpectsNothing });
    }
    for line in &trace.lines {
        let kind = match &line.action {
            Action::ExpectFrame(check) => of_frame(check, panel),
            Action::ExpectFrames { name, .. } if chains.is_empty(name) => {
                Some(NoticeKind::NoFrames { name: name.clone() })
            }
            Action::ExpectText(check) if check.wanted.region.is_none() => {
                of_text(&check.wanted.text)
            }
            Action::WaitText { text, .. }
            | Action::WaitConsole { text, .. }
            | Action::ExpectConsole(text)
            | Action::ExpectFlash(text) => of_text(text),
            Action::ExpectNoText(wanted) => {
                let unread = wanted.text.chars().find(|character| !reader.reads(*character));
                unread.map(|character| NoticeKind::NeverShown { character })
            }
            _ => None,
        };
        notices.extend(kind.map(|kind| Notice { place: Some(line.place), kind }));
    }
    bounded(notices)
}

/// Longest text that has a notice because it is short, in letters; white space is not counted.
const SHORT: usize = 2;

fn of_text(text: &str) -> Option<NoticeKind> {
    let letters = text.chars().filter(|letter| !letter.is_whitespace()).count();
    (letters <= SHORT).then(|| NoticeKind::ShortText { text: text.to_owned() })
}

fn of_frame(check: &FrameCheck, panel: Region) -> Option<NoticeKind> {
    let panel = check.display.map_or(panel, Display::panel);
    let (of, rules) = (check.region.unwrap_or(panel).area(), &check.rules);
    let compared = of - rules.ignored.iter().map(|region| region.area()).sum::<usize>().min(of);
    if rules.pixels_off * 2 >= compared {
        return Some(NoticeKind::ManyMayDiffer { allowed: rules.pixels_off, compared });
    }
    // A region that is small itself is small on purpose.
    let few = !rules.ignored.is_empty() && compared < HANDFUL && compared * 2 < of;
    few.then_some(NoticeKind::FewCompared { compared, of })
}

/// The chains of a trace. A file that cannot be read does not count as empty: the replay reports
/// it.
struct Chains<'a> {
    folder: &'a Path,
    are_empty: BTreeMap<String, bool>,
}

impl Chains<'_> {
    fn is_empty(&mut self, name: &str) -> bool {
        if let Some(known) = self.are_empty.get(name) {
            return *known;
        }
        let chain = Chain::load(&self.folder.join(format!("{name}.frames")));
        let is_empty = chain.is_ok_and(|chain| chain.links.is_empty());
        self.are_empty.insert(name.to_owned(), is_empty);
        is_empty
    }
}

/// Counts the lines of a replay that expect something and were judged.
#[derive(Clone, Debug, Default)]
pub(crate) struct JudgedLines(Rc<Cell<usize>>);

impl ReplayObserver for JudgedLines {
    fn line_ended(&mut self, line: &Line, _at: Instant, _board: &VirtualBoard) {
        self.0.set(self.0.get() + usize::from(demands(&line.action)));
    }
}

/// A finished replay.
pub(crate) struct Replayed<'a> {
    pub trace: &'a Trace,
    /// Folder of the goldens.
    pub goldens: &'a Path,
    pub reader: &'a Reader,
    /// The whole panel of the board.
    pub panel: Region,
    /// Time at which the replay was to end.
    pub until: Option<Instant>,
    pub judged: &'a JudgedLines,
    /// Notes of the LCD's linter.
    pub lcd_notes: &'a [Violation],
    /// Place of the picture at the end, if it is not the one that the LCD shows.
    pub misplaced: Option<Misplaced>,
    /// Settings at the end that do not suit the displays.
    pub colours: Vec<ColourSetting>,
    /// Notes of the machine.
    pub program: Vec<String>,
    pub passed: bool,
}

/// Returns the first note of each rule, and the number of its notes.
fn by_rule<'a>(
    notes: impl Iterator<Item = &'a Violation>,
) -> BTreeMap<Rule, (&'a Violation, usize)> {
    let mut rules = BTreeMap::new();
    for note in notes {
        rules.entry(note.rule).or_insert((note, 0)).1 += 1;
    }
    rules
}

/// Returns a notice for each rule of the LCD's datasheet that is broken and permitted.
fn permitted(lcd_notes: &[Violation]) -> Vec<Notice> {
    let broken = lcd_notes.iter().filter(|note| !note.rule.is_note());
    let notice = |(rule, (violation, count)): (Rule, (&Violation, usize))| Notice {
        place: None,
        kind: NoticeKind::Permitted {
            rule,
            section: violation.section(),
            requirement: violation.requirement(),
            first: violation.at,
            count,
        },
    };
    by_rule(broken).into_iter().map(notice).collect()
}

/// Returns the notices on a trace and its replay.
pub(crate) fn of_replay(replayed: &Replayed<'_>) -> Vec<Notice> {
    let mut notices = of_trace(replayed.trace, replayed.goldens, replayed.reader, replayed.panel);
    let first = replayed.trace.lines.iter().find(|line| demands(&line.action));
    if let (Some(until), Some(first), 0) = (replayed.until, first, replayed.judged.0.get())
        && replayed.passed
    {
        let kind = NoticeKind::EndedBefore { until };
        notices.insert(0, Notice { place: Some(first.place), kind });
    }
    let drawn = replayed.lcd_notes.iter().filter(|note| DRAWN.contains(&note.rule));
    notices.extend(by_rule(drawn).into_iter().map(|(rule, (first, count))| Notice {
        place: None,
        kind: NoticeKind::Linter { rule, first: first.at, count },
    }));
    notices.extend(permitted(replayed.lcd_notes));
    let misplaced = replayed.misplaced.map(NoticeKind::Misplaced);
    let colours = replayed.colours.iter().copied().map(NoticeKind::Colours);
    let program = replayed.program.iter().cloned().map(NoticeKind::Program);
    notices.extend(
        misplaced
            .into_iter()
            .chain(colours)
            .chain(program)
            .map(|kind| Notice { place: None, kind }),
    );
    bounded(notices)
}

/// The notes of the linter about drawing. The others are about how the LCD is wired and initialised
/// and are the same in every trace of a firmware.
const DRAWN: [Rule; 2] = [Rule::MoreThanWindow, Rule::PixelsAsleep];

const _: () = assert!(DRAWN[0].is_note() && DRAWN[1].is_note());

fn bounded(mut notices: Vec<Notice>) -> Vec<Notice> {
    if notices.len() > NOTICES_MAX {
        let more = notices.len() - NOTICES_MAX;
        notices.truncate(NOTICES_MAX);
        notices.push(Notice { place: None, kind: NoticeKind::More(more) });
    }
    notices
}

#[cfg(test)]
mod tests;
