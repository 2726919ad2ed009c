//! Builds when a source was saved.

use std::path::{Path, PathBuf};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use crossbeam_channel::{Receiver, Sender, bounded, never, select, unbounded};
use host::{
    Interrupt,
    child::{self, ChildError, Ended, Limits},
};
use thiserror::Error;

use super::messages::{self, CompileError};
use super::sources::{Sources, WatchError};

/// How long no source is saved until the build begins: an editor saves several at once.
const REST: Duration = Duration::from_millis(100);
/// Bytes that a build may say on standard output.
const BYTES_MAX: usize = 256 << 20;
/// Lines of its error stream that are kept if it names no error.
const LINES_MAX: usize = 40;

/// How a build goes.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The folder of the sources, in which the command runs.
    pub folder: PathBuf,
    /// What a shell runs.
    pub command: String,
    /// Where cargo builds; `None`: where it always does.
    pub target: Option<PathBuf>,
    /// What was built if the command does not say so.
    pub product: Option<PathBuf>,
    /// Where compilers write temporary files, some of which are called sources: a hidden folder, which is not watched. `None`:
    /// where they always do.
    pub temporary: Option<PathBuf>,
}

/// What becomes of the builds.
#[derive(Debug)]
pub enum Progress {
    /// One has begun; one that was under way is given up.
    Begins,
    /// There is a file.
    Built(PathBuf),
    /// There is none.
    Failed(NotBuilt),
}

/// Why there is none.
#[derive(Debug, Error)]
pub enum NotBuilt {
    /// The compiler refuses.
    #[error("{}", headline(.0))]
    Refused(Vec<CompileError>),
    /// The command fails and names no error of a compiler: the end of its error stream.
    #[error("{}", .0.iter().find(|line| line.starts_with("error")).or(.0.last()).map_or("it does not say why", String::as_str))]
    Said(Vec<String>),
    /// The command succeeds, and there is no file.
    #[error(
        "the build names no file: it writes neither cargo's messages (`--message-format=json`) nor a line \
         with the file's path"
    )]
    NoFile,
    /// It cannot run.
    #[error("the build: {0}")]
    Child(#[from] ChildError),
}

fn headline(errors: &[CompileError]) -> String {
    let Some(first) = errors.first() else { return String::new() };
    let place = first.place.as_ref().map(|place| format!("{place}: ")).unwrap_or_default();
    let more = match errors.len() {
        0 | 1 => String::new(),
        count => format!(" (and {} more)", count - 1),
    };
    format!("{place}{}{more}", first.message)
}

impl NotBuilt {
    /// Everything that was said, line by line.
    pub fn lines(&self) -> Vec<String> {
        match self {
            Self::Refused(errors) => errors.iter().flat_map(|error| error.lines.clone()).collect(),
            Self::Said(lines) => lines.clone(),
            Self::NoFile | Self::Child(_) => vec![self.to_string()],
        }
    }
}

/// A thread that builds. Dropped, it gives up a build that is under way.
#[derive(Debug)]
pub struct Builder {
    progress: Receiver<Progress>,
    stop: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Builder {
    /// Builds now, and whenever a source is saved.
    ///
    /// # Errors
    /// If the folder cannot be watched.
    pub fn start(plan: Plan) -> Result<Self, WatchError> {
        let sources = Sources::watch(&plan.folder, plan.target.clone())?;
        let (sender, progress) = unbounded();
        let (stop, stopped) = bounded(0);
        let thread = thread::Builder::new()
            .name("build".into())
            .spawn(move || keep_building(&plan, &sources, &sender, &stopped))
            .map_err(WatchError::Thread)?;
        Ok(Self { progress, stop: Some(stop), thread: Some(thread) })
    }

    /// What has happened since the last call, one after another.
    pub fn progress(&self) -> Option<Progress> {
        self.progress.try_recv().ok()
    }
}

impl Drop for Builder {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            // If it has panicked, nothing builds any more.
            let _ = thread.join();
        }
    }
}

fn keep_building(
    plan: &Plan,
    sources: &Sources,
    sender: &Sender<Progress>,
    stopped: &Receiver<()>,
) {
    loop {
        if sender.send(Progress::Begins).is_err() {
            return;
        }
        let interrupt = Interrupt::default();
        let (done, built) = bounded(1);
        let building = {
            let (plan, interrupt) = (plan.clone(), interrupt.clone());
            thread::Builder::new().name("compile".into()).spawn(move || {
                let _ = done.send(build(&plan, interrupt));
            })
        };
        let mut outcome = match &building {
            Ok(_) => built,
            Err(_) => never(),
        };
        // Until a source is saved.
        loop {
            select! {
                recv(sources.saved()) -> saved => {
                    interrupt.set();
                    if saved.is_err() {
                        return;
                    }
                    break;
                }
                recv(stopped) -> _ => {
                    interrupt.set();
                    if let Ok(building) = building {
                        let _ = building.join();
                    }
                    return;
                }
                recv(outcome) -> result => {
                    outcome = never();
                    let progress = match result {
                        Ok(Ok(file)) => Progress::Built(file),
                        Ok(Err(why)) => Progress::Failed(why),
                        // The thread has panicked.
                        Err(_) => continue,
                    };
                    if sender.send(progress).is_err() {
                        return;
                    }
                }
            }
        }
        if let Ok(building) = building {
            let _ = building.join();
        }
        while sources.saved().recv_timeout(REST).is_ok() {}
    }
}

/// Builds once.
fn build(plan: &Plan, interrupt: Interrupt) -> Result<PathBuf, NotBuilt> {
    let mut command = child::shell(&plan.command);
    command.current_dir(&plan.folder);
    // It would put what is built into a folder of its own.
    command.env_remove("CARGO_BUILD_TARGET");
    if let Some(target) = &plan.target {
        command.env("CARGO_TARGET_DIR", target);
    }
    if let Some(temporary) = &plan.temporary {
        // The names of Unix and of Windows.
        for name in ["TMPDIR", "TMP", "TEMP"] {
            command.env(name, temporary);
        }
    }
    let Ended { status, out, err } =
        child::run(&mut command, &Limits { interrupt, time: None, bytes: BYTES_MAX })?;
    let said = messages::read(&out);
    if !status.success() {
        if !said.errors.is_empty() {
            return Err(NotBuilt::Refused(said.errors));
        }
        let lines: Vec<String> = err.lines().map(str::to_owned).collect();
        let from = lines.len().saturating_sub(LINES_MAX);
        return Err(NotBuilt::Said(lines[from..].to_vec()));
    }
    let named = || named_file(&plan.folder, &String::from_utf8_lossy(&out));
    said.executable.or_else(named).or_else(|| plan.product.clone()).ok_or(NotBuilt::NoFile)
}

/// The first line of a text that is the path of a file.
fn named_file(folder: &Path, text: &str) -> Option<PathBuf> {
    let paths = text.lines().map(str::trim).filter(|line| !line.is_empty());
    paths.map(|line| folder.join(line)).find(|path| path.is_file())
}

// Their builds are scripts.
#[cfg(unix)]
#[cfg(test)]
mod tests {

    use std::fs;

    use tempfile::TempDir;

    use super::*;

    fn plan(folder: &TempDir, command: &str) -> Plan {
        fs::write(folder.path().join("a.rs"), "").unwrap();
        let folder = folder.path().to_owned();
        Plan { folder, command: command.into(), target: None, product: None, temporary: None }
    }

    /// The next news, which comes before a minute has passed.
    #[track_caller]
    fn next(builder: &Builder) -> Progress {
        builder.progress.recv_timeout(Duration::from_secs(60)).unwrap()
    }

    #[test]
    fn a_saved_source_builds_and_a_failure_reports_why() {
        let folder = tempfile::tempdir().unwrap();
        let script =
            "if [ -s a.rs ]; then echo 'error: no good' >&2; echo last >&2; exit 1; fi; echo a.rs";
        let builder = Builder::start(plan(&folder, script)).unwrap();
        assert!(matches!(next(&builder), Progress::Begins));
        let Progress::Built(file) = next(&builder) else { panic!("it fails") };
        assert_eq!(file, folder.path().join("a.rs"));
        fs::write(folder.path().join("a.rs"), "wrong").unwrap();
        assert!(matches!(next(&builder), Progress::Begins));
        let Progress::Failed(why) = next(&builder) else { panic!("it is built") };
        assert_eq!(why.to_string(), "error: no good");
        assert_eq!(why.lines(), ["error: no good", "last"]);
    }

    #[test]
    fn an_endless_build_ends_with_the_next_save_and_at_the_end() {
        let folder = tempfile::tempdir().unwrap();
        let script =
            "echo $$ >>pids; [ -s a.rs ] || sleep 1000; [ -e b.rs ] && sleep 1000; echo a.rs";
        let builder = Builder::start(plan(&folder, script)).unwrap();
        assert!(matches!(next(&builder), Progress::Begins));
        let pids = || fs::read_to_string(folder.path().join("pids")).unwrap_or_default();
        while pids().lines().count() < 1 {
            thread::yield_now();
        }
        fs::write(folder.path().join("a.rs"), "x").unwrap();
        assert!(matches!(next(&builder), Progress::Begins));
        assert!(matches!(next(&builder), Progress::Built(_)));
        fs::write(folder.path().join("b.rs"), "x").unwrap();
        assert!(matches!(next(&builder), Progress::Begins));
        while pids().lines().count() < 3 {
            thread::yield_now();
        }
        drop(builder);
        for pid in pids().lines() {
            let alive = std::process::Command::new("kill").args(["-0", pid]).output().unwrap();
            assert!(!alive.status.success(), "{pid} still runs");
        }
    }

    #[test]
    fn files_that_a_build_writes_begin_no_other_build() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        // A target folder that is there without cargo's mark, and temporary files that are called sources.
        fs::create_dir(at("built")).unwrap();
        fs::create_dir(at(".nudge-watch-1")).unwrap();
        let script = "mkdir -p built/out; echo x >built/out/a.rs; mkdir -p \"$TMPDIR\"/cc; echo x >\"$TMPDIR\"/cc/b.c; \
                      echo x >\"$TMPDIR\"/c.rs; echo a.rs";
        let plan = Plan {
            target: Some(at("built")),
            temporary: Some(at(".nudge-watch-1")),
            ..plan(&folder, script)
        };
        let builder = Builder::start(plan).unwrap();
        assert!(matches!(next(&builder), Progress::Begins));
        assert!(matches!(next(&builder), Progress::Built(_)));
        assert!(at("built/out/a.rs").exists() && at(".nudge-watch-1/cc/b.c").exists());
        let more = builder.progress.recv_timeout(Duration::from_secs(1));
        assert!(more.is_err(), "{more:?}");
        fs::write(at("a.rs"), "saved").unwrap();
        assert!(matches!(next(&builder), Progress::Begins));
    }

    #[test]
    fn a_build_without_a_file_is_distinguished() {
        let folder = tempfile::tempdir().unwrap();
        let interrupt = Interrupt::default;
        let failed = |command: &str| build(&plan(&folder, command), interrupt()).unwrap_err();
        assert!(matches!(failed("echo nothing"), NotBuilt::NoFile));
        assert!(matches!(failed("exit 1"), NotBuilt::Said(lines) if lines.is_empty()));
        let named = Plan { product: Some("b.elf".into()), ..plan(&folder, "true") };
        assert_eq!(build(&named, interrupt()).unwrap(), Path::new("b.elf"));
    }
}
