//! `nudge bisect`: finds the commit that made a trace fail. The user's checkout is not touched;
//! Ctrl-C removes the temporary files of the search.

use std::env;
use std::io::{self, Write};
use std::path::{Path, PathBuf, absolute};

use changes::bisect::{
    Builder, Commit, Found, GitError, Repository, TraceResult, Verdict, WorkTree, search,
};
use host::{Exit, child::ChildError};
use runner::{OpenError, open_trace};

use crate::cli::BisectArgs;
use crate::ctrl_c;

/// Errors of `nudge bisect`.
#[derive(Debug, thiserror::Error)]
enum BisectError {
    #[error(transparent)]
    Open(#[from] OpenError),
    #[error(transparent)]
    Git(#[from] GitError),
    #[error(transparent)]
    Child(#[from] ChildError),
    #[error("--good and --bad are the same commit, {0}")]
    Same(String),
    #[error(
        "--good {good} is no ancestor of --bad {bad}; {}",
        base.as_ref().map_or("they have no common ancestor".to_owned(), |base| {
            format!("their common ancestor is {}: try --good {0}", base.short())
        })
    )]
    NotAncestor { good: String, bad: String, base: Option<Commit> },
    #[error("at --good {0} the trace {1}; name a commit at which it passes")]
    NotGood(String, TraceResult),
    #[error("at --bad {0} the trace {1}; name a commit at which it fails")]
    NotBad(String, TraceResult),
    #[error("the output cannot be written: {0}")]
    Output(#[from] io::Error),
}

pub fn bisect(args: &BisectArgs, out: &mut dyn Write, err: &mut dyn Write) -> io::Result<Exit> {
    let interrupt = ctrl_c::listen_and_clean_up();
    let found = find(args, &interrupt, out);
    if interrupt.is_set() {
        writeln!(err, "nudge: interrupted; the search's folder is removed")?;
        return Ok(Exit::Interrupted);
    }
    match found {
        Ok(exit) => Ok(exit),
        Err(BisectError::Output(error)) => Err(error),
        Err(error) => {
            writeln!(err, "nudge: {error}")?;
            Ok(Exit::Usage)
        }
    }
}

fn find(
    args: &BisectArgs,
    interrupt: &host::Interrupt,
    out: &mut dyn Write,
) -> Result<Exit, BisectError> {
    // A trace that cannot be read today cannot be read at any commit.
    open_trace(&args.trace)?;
    let trace = absolute(&args.trace)?;
    let repository = Repository::around(&env::current_dir()?, interrupt.clone())?;
    let (good, bad) = (repository.commit(&args.good)?, repository.commit(&args.bad)?);
    if good == bad {
        return Err(BisectError::Same(bad.short().to_owned()));
    }
    if !repository.is_ancestor(&good, &bad)? {
        let base = repository.merge_base(&good, &bad)?;
        return Err(BisectError::NotAncestor {
            good: args.good.clone(),
            bad: args.bad.clone(),
            base,
        });
    }
    let tree = WorkTree::new(&repository, &good)?;
    let target = args.target.as_deref().map(absolute).transpose()?;
    let builder = Builder {
        command: args.build.clone(),
        target: target.unwrap_or_else(|| tree.beside()),
        timeout: args.timeout,
        interrupt: interrupt.clone(),
    };
    let mut judge = |commit: &Commit, left: Option<usize>| -> Result<TraceResult, BisectError> {
        let subject = repository.subject(commit)?;
        let left = left.map(|left| format!("  ({left} commits left)")).unwrap_or_default();
        writeln!(out, "{}  {subject}{left}", commit.short())?;
        out.flush()?;
        tree.check_out(commit)?;
        let judged = builder.judge(&tree.path(), &trace)?;
        writeln!(out, "    {judged}")?;
        out.flush()?;
        Ok(judged)
    };
    match judge(&good, None)? {
        TraceResult::Passes => {}
        judged => return Err(BisectError::NotGood(args.good.clone(), judged)),
    }
    match judge(&bad, None)? {
        TraceResult::Fails(_) => {}
        judged => return Err(BisectError::NotBad(args.bad.clone(), judged)),
    }
    let between = |good: &[Commit], bad: &Commit| Ok(repository.between(good, bad)?);
    let found = search(good, bad, between, |commit, left| {
        Ok::<_, BisectError>(match judge(commit, Some(left))? {
            TraceResult::Passes => Verdict::Good,
            TraceResult::Fails(_) => Verdict::Bad,
            TraceResult::Skipped(_) => Verdict::Skip,
        })
    })?;
    tell(&found, &repository, &args.trace, out)
}

fn tell(
    found: &Found<Commit>,
    repository: &Repository,
    trace: &Path,
    out: &mut dyn Write,
) -> Result<Exit, BisectError> {
    match found {
        Found::First(commit) => {
            let subject = repository.subject(commit)?;
            writeln!(out, "FIRST BAD {}  {subject}", commit.short())?;
            writeln!(out, "    the commit: git show {}", commit.short())?;
            let trace: PathBuf = trace.to_owned();
            let trace = runner::quoted(&trace.display().to_string());
            writeln!(
                out,
                "    what it changed on the LCD, with it checked out: nudge replay {trace} --against git={}~1",
                commit.short()
            )?;
            Ok(Exit::Passed)
        }
        Found::OneOf(commits) => {
            writeln!(out, "ONE OF THESE is the first bad commit; the others could not be judged:")?;
            for commit in commits {
                writeln!(out, "    {}  {}", commit.short(), repository.subject(commit)?)?;
            }
            Ok(Exit::Failed)
        }
    }
}
