//! `nudge review`: shows the causes of differing goldens one at a time, and writes the goldens of
//! those that are accepted.

use std::collections::BTreeSet;
use std::io::{self, BufRead, IsTerminal as _, Write};

use escape::terminal::{TextWriter, plain};
use host::Exit;
use runner::review::{Held, Review, ReviewedCause};
use runner::{PictureProtocol, ReplayOptions};
use trace::counted;

use crate::board_factory::{self, board_factory};
use crate::cli::{AcceptedCauses, ReviewArgs};
use crate::ctrl_c;
use crate::environment::{is_ci, on_github, variable};
use crate::firmware::{board_named, project};
use crate::text_reader;

/// Reviews the goldens of traces. Text for `out` is stripped of control characters, except the
/// pictures.
pub fn review(
    args: ReviewArgs,
    raw_out: &mut dyn Write,
    raw_err: &mut dyn Write,
) -> io::Result<Exit> {
    let on_github = on_github();
    let out = &mut TextWriter::new(raw_out, on_github);
    let err = &mut TextWriter::new(raw_err, on_github);
    if !args.list && !args.force && is_ci() {
        writeln!(
            err,
            "nudge: a review writes goldens, and the variable CI says that no person reviews the \
             pictures here; use --list, or add --force"
        )?;
        return Ok(Exit::Usage);
    }
    let boards = match board_factory(&args.board) {
        Ok(boards) => boards,
        Err(error) => {
            writeln!(err, "nudge: {error}")?;
            return Ok(Exit::Usage);
        }
    };
    let options = ReplayOptions {
        program: board_factory::application_program(),
        filter: args.filter,
        tags: args.tag,
        excluded_tags: args.exclude,
        today: host::clock::today().parse().ok(),
        jobs: match (args.jobs, boards.at_once()) {
            (Some(jobs), Some(most)) => Some(jobs.min(most)),
            (jobs, most) => jobs.or(most),
        },
        parts: boards.parts(),
        board: board_named(&args.board, &project()),
        project: Some(project()),
        interrupt: ctrl_c::listen(),
        ..ReplayOptions::default()
    };
    let build = |trace: &trace::Trace| boards.build(trace, None);
    let reader = text_reader::reader();
    let (review, exit) = Review::of(&args.paths, &options, &build, &reader, err)?;
    if exit == Exit::Interrupted {
        return Ok(exit);
    }
    let causes: Vec<ReviewedCause<'_>> = review.causes().collect();
    let accepted = match args.accept {
        _ if args.list => None,
        Some(AcceptedCauses::All) => Some(causes.iter().map(|cause| cause.number).collect()),
        Some(AcceptedCauses::Numbers(numbers)) => Some(numbers),
        None if causes.is_empty() => None,
        None => {
            let pictures = Pictures::of(args.pictures);
            Some(ask(&causes, &pictures, &mut io::stdin().lock(), out)?)
        }
    };
    let remains = match accepted {
        None => {
            for cause in &causes {
                describe(cause, out)?;
            }
            causes.len()
        }
        Some(accepted) => match write_accepted(&review, &accepted, out) {
            Ok(held) => held?,
            Err(error) => {
                writeln!(err, "nudge: {error}")?;
                return Ok(Exit::Usage);
            }
        },
    };
    for trace in review.others() {
        writeln!(out, "no golden mends all failures of {}", plain(trace))?;
    }
    if causes.is_empty() {
        writeln!(out, "no golden differs")?;
    }
    let failed = if remains + review.others().len() > 0 { Exit::Failed } else { Exit::Passed };
    Ok(if exit == Exit::Usage { exit } else { failed })
}

/// How the frames of a cause are shown.
enum Pictures {
    None,
    /// With a protocol, or as characters.
    Shown(Option<PictureProtocol>),
}

impl Pictures {
    fn of(protocol: Option<PictureProtocol>) -> Self {
        let is_dumb =
            variable("NO_COLOR").is_some() || variable("TERM").is_some_and(|term| term == "dumb");
        match protocol.or_else(|| PictureProtocol::detect(variable)) {
            _ if !io::stdout().is_terminal() || is_dumb => Self::None,
            protocol => Self::Shown(protocol),
        }
    }
}

/// Writes what a cause changes.
fn describe(cause: &ReviewedCause<'_>, out: &mut TextWriter<'_>) -> io::Result<()> {
    let ReviewedCause { number, cause: what, examples, traces, goldens, golden, .. } = cause;
    writeln!(out, "{number}: {}", plain(what))?;
    let examples: String = examples.iter().map(|example| format!("{}; ", plain(example))).collect();
    writeln!(
        out,
        "   {} in {}: {examples}{}",
        counted(*goldens, "golden"),
        counted(*traces, "trace"),
        plain(&golden.display().to_string())
    )
}

/// Asks for each cause, and returns the numbers of those that are accepted. Without an answer the
/// rest is rejected.
fn ask(
    causes: &[ReviewedCause<'_>],
    pictures: &Pictures,
    input: &mut dyn BufRead,
    out: &mut TextWriter<'_>,
) -> io::Result<BTreeSet<usize>> {
    let mut accepted = BTreeSet::new();
    let mut answer = String::new();
    for (index, cause) in causes.iter().enumerate() {
        describe(cause, out)?;
        if let Pictures::Shown(protocol) = pictures
            && let Some(picture) = cause.picture(*protocol)
        {
            out.own(&picture)?;
            writeln!(out, "   left: the golden; right: the present frame")?;
        }
        loop {
            write!(
                out,
                "   a: accept, r: reject, A: accept all that follow, q: reject all that follow? "
            )?;
            out.flush()?;
            answer.clear();
            let count = input.read_line(&mut answer)?;
            match (count, answer.trim()) {
                (0, _) => {
                    writeln!(out)?;
                    return Ok(accepted);
                }
                (_, "a") => {
                    accepted.insert(cause.number);
                }
                (_, "r") => {}
                (_, "A") => {
                    accepted.extend(causes[index..].iter().map(|cause| cause.number));
                    return Ok(accepted);
                }
                (_, "q") => return Ok(accepted),
                _ => continue,
            }
            break;
        }
    }
    Ok(accepted)
}

/// Writes the goldens of the accepted causes, and lists those that are not written. Returns their
/// number.
fn write_accepted(
    review: &Review,
    accepted: &BTreeSet<usize>,
    out: &mut TextWriter<'_>,
) -> Result<io::Result<usize>, runner::review::ReviewError> {
    let result = review.accept(accepted)?;
    let mut list = || {
        for path in &result.written {
            writeln!(out, "blessed {}", plain(&path.display().to_string()))?;
        }
        for (trace, path, why) in &result.held {
            let why = match why {
                Held::Causes(numbers) => {
                    let numbers: Vec<String> = numbers.iter().map(usize::to_string).collect();
                    format!("rejected: cause {}", numbers.join(", "))
                }
                Held::Contradictory => {
                    "not written: the trace compares two different frames with it".to_owned()
                }
            };
            let path = path.display().to_string();
            writeln!(out, "{why}: {} of {}", plain(&path), plain(trace))?;
        }
        let (written, held) = (result.written.len(), result.held.len());
        let accepted = counted(accepted.len(), "accepted cause");
        writeln!(out, "{accepted}: wrote {}, {held} rejected", counted(written, "golden"))?;
        Ok(held)
    };
    Ok(list())
}
