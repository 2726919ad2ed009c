//! Builds when a source file was saved.

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
use super::progress;
use super::sources::{SourceWatcher, WatchError};

/// Time without a saved source before a build begins: an editor saves several files at once. A later one
/// restarts the build.
const QUIET_TIME: Duration = Duration::from_millis(20);
/// Maximum size of a build's standard output in bytes.
const BYTES_MAX: usize = 256 << 20;
/// Maximum number of lines of standard error that are stored if they contain no error of a
/// compiler.
const LINES_MAX: usize = 40;

/// The settings of a build.
#[derive(Clone, Debug)]
pub struct BuildSettings {
    /// The folder of the sources, in which the command runs.
    pub folder: PathBuf,
    /// The build command, run by a shell; without one the product is used as it is, and sources are
    /// not watched.
    pub command: Option<String>,
    /// Files that are watched besides the sources.
    pub files: Vec<PathBuf>,
    /// Environment variable that is set for the command.
    pub variable: Option<&'static str>,
    /// Cargo's target folder; `None` is cargo's default.
    pub target: Option<PathBuf>,
    /// Path of the built file if the command's output does not name it.
    pub product: Option<PathBuf>,
    /// Folder for the compilers' temporary files, some of which have extensions of sources. It is a
    /// hidden folder, which is not watched. `None` is the system's default.
    pub temporary: Option<PathBuf>,
}

/// An event of the builds.
#[derive(Debug)]
pub enum BuildEvent {
    /// A build has begun; the one before, if it was running, was cancelled.
    Started,
    /// Number of units of the build that are compiled, and of all.
    Progress(u32, u32),
    /// A build has written this file.
    Built(PathBuf),
    Failed(BuildError),
}

/// The reason why a build wrote no file.
#[derive(Debug, Error)]
pub enum BuildError {
    /// The compiler reported errors.
    #[error("{}", headline(.0))]
    CompileErrors(Vec<CompileError>),
    /// The command failed without an error of a compiler; the last lines of its standard error.
    #[error("{}", .0.iter().find(|line| line.starts_with("error")).or(.0.last()).map_or("it does not say why", String::as_str))]
    CommandFailed(Vec<String>),
    /// The command succeeded, and its output names no file.
    #[error(
        "the build names no file: it writes neither cargo's messages (`--message-format=json`) nor a line \
         with the file's path"
    )]
    NoFile,
    /// The command could not run to its end.
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

impl BuildError {
    /// Returns the complete message, line by line.
    pub fn lines(&self) -> Vec<String> {
        match self {
            Self::CompileErrors(errors) => {
                errors.iter().flat_map(|error| error.lines.clone()).collect()
            }
            Self::CommandFailed(lines) => lines.clone(),
            Self::NoFile | Self::Child(_) => vec![self.to_string()],
        }
    }
}

/// A thread that builds. Dropping it cancels a running build.
#[derive(Debug)]
pub struct Builder {
    progress: Receiver<BuildEvent>,
    stop: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Builder {
    /// Starts a build at once, and another one whenever a source is saved.
    ///
    /// # Errors
    /// If the folder cannot be watched.
    pub fn start(plan: BuildSettings) -> Result<Self, WatchError> {
        let folder = plan.command.as_ref().map(|_| plan.folder.as_path());
        let sources = SourceWatcher::watch(folder, &plan.files, plan.target.clone())?;
        let (sender, progress) = unbounded();
        let (stop, stopped) = bounded(0);
        let thread = thread::Builder::new()
            .name("build".into())
            .spawn(move || build_loop(&plan, &sources, &sender, &stopped))
            .map_err(WatchError::Thread)?;
        Ok(Self { progress, stop: Some(stop), thread: Some(thread) })
    }

    /// Returns the next event, if there is one.
    pub fn progress(&self) -> Option<BuildEvent> {
        self.progress.try_recv().ok()
    }
}

impl Drop for Builder {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            // A panic of the thread needs no handling: no build runs any more.
            let _ = thread.join();
        }
    }
}

fn build_loop(
    plan: &BuildSettings,
    sources: &SourceWatcher,
    sender: &Sender<BuildEvent>,
    stopped: &Receiver<()>,
) {
    loop {
        if sender.send(BuildEvent::Started).is_err() {
            return;
        }
        let interrupt = Interrupt::default();
        let (done, built) = bounded(1);
        let building = {
            let (plan, interrupt, sender) = (plan.clone(), interrupt.clone(), sender.clone());
            thread::Builder::new().name("compile".into()).spawn(move || {
                let mut last = None;
                let report = move |text: &[u8]| {
                    let found = progress::units(&String::from_utf8_lossy(text));
                    if let Some((done, all)) = found.filter(|found| last != Some(*found)) {
                        last = found;
                        // An error means that the window is closed.
                        let _ = sender.send(BuildEvent::Progress(done, all));
                    }
                };
                let _ = done.send(build(&plan, interrupt, report));
            })
        };
        let mut outcome = match &building {
            Ok(_) => built,
            Err(_) => never(),
        };
        // Wait until a source is saved.
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
                        Ok(Ok(file)) => BuildEvent::Built(file),
                        Ok(Err(why)) => BuildEvent::Failed(why),
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
        while sources.saved().recv_timeout(QUIET_TIME).is_ok() {}
    }
}

/// Executes one build and returns the path of the built file.
fn build(
    plan: &BuildSettings,
    interrupt: Interrupt,
    report: impl FnMut(&[u8]) + Send + 'static,
) -> Result<PathBuf, BuildError> {
    let Some(command) = &plan.command else {
        return plan.product.clone().ok_or(BuildError::NoFile);
    };
    let mut command = child::shell(command);
    command.current_dir(&plan.folder);
    // With this variable cargo would write to a subfolder with the target's name.
    command.env_remove("CARGO_BUILD_TARGET");
    // Cargo reports its progress without a terminal, too.
    command.env("CARGO_TERM_PROGRESS_WHEN", "always").env("CARGO_TERM_PROGRESS_WIDTH", "80");
    if let Some(variable) = plan.variable {
        command.env(variable, "1");
    }
    if let Some(target) = &plan.target {
        command.env("CARGO_TARGET_DIR", target);
    }
    if let Some(temporary) = &plan.temporary {
        // The names on Unix and on Windows.
        for name in ["TMPDIR", "TMP", "TEMP"] {
            command.env(name, temporary);
        }
    }
    let Ended { status, out, err } = child::run_observed(
        &mut command,
        &Limits { interrupt, time: None, bytes: BYTES_MAX },
        report,
    )?;
    let said = messages::read(&out);
    if !status.success() {
        if !said.errors.is_empty() {
            return Err(BuildError::CompileErrors(said.errors));
        }
        let lines = progress::other_lines(&err);
        let from = lines.len().saturating_sub(LINES_MAX);
        return Err(BuildError::CommandFailed(lines[from..].to_vec()));
    }
    let named = || named_file(&plan.folder, &String::from_utf8_lossy(&out));
    said.executable.or_else(named).or_else(|| plan.product.clone()).ok_or(BuildError::NoFile)
}

/// Returns the path in the first line of `text` that names an existing file.
fn named_file(folder: &Path, text: &str) -> Option<PathBuf> {
    let paths = text.lines().map(str::trim).filter(|line| !line.is_empty());
    paths.map(|line| folder.join(line)).find(|path| path.is_file())
}

// The builds of these tests are shell scripts.
#[cfg(unix)]
#[cfg(test)]
mod tests {

    use std::fs;

    use tempfile::TempDir;

    use super::*;

    fn plan(folder: &TempDir, command: &str) -> BuildSettings {
        fs::write(folder.path().join("a.rs"), "").unwrap();
        let folder = folder.path().to_owned();
        BuildSettings {
            folder,
            command: Some(command.into()),
            files: Vec::new(),
            variable: None,
            target: None,
            product: None,
            temporary: None,
        }
    }

    /// Waits for the next event, at most a minute.
    #[track_caller]
    fn next(builder: &Builder) -> BuildEvent {
        builder.progress.recv_timeout(Duration::from_secs(60)).unwrap()
    }

    #[test]
    fn without_a_command_a_saved_product_is_used_as_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let [product, other] = ["pad.elf", "other.rs"].map(|name| folder.path().join(name));
        fs::write(&product, "1").unwrap();
        let mut plan = plan(&folder, "exit 1");
        (plan.command, plan.product) = (None, Some(product.clone()));
        plan.files = vec![product.clone()];
        let builder = Builder::start(plan).unwrap();
        let built = || {
            assert!(matches!(next(&builder), BuildEvent::Started));
            let BuildEvent::Built(file) = next(&builder) else { panic!("it fails") };
            assert_eq!(file, product);
        };
        built();
        // Another file in the folder is no reason, and a linker may replace the file.
        fs::write(&other, "fn main() {}").unwrap();
        fs::write(folder.path().join("new"), "2").unwrap();
        fs::rename(folder.path().join("new"), &product).unwrap();
        built();
        assert!(builder.progress().is_none());
    }

    #[test]
    fn a_saved_source_builds_and_a_failure_reports_why() {
        let folder = tempfile::tempdir().unwrap();
        let script =
            "if [ -s a.rs ]; then echo 'error: no good' >&2; echo last >&2; exit 1; fi; echo a.rs";
        let builder = Builder::start(plan(&folder, script)).unwrap();
        assert!(matches!(next(&builder), BuildEvent::Started));
        let BuildEvent::Built(file) = next(&builder) else { panic!("it fails") };
        assert_eq!(file, folder.path().join("a.rs"));
        fs::write(folder.path().join("a.rs"), "wrong").unwrap();
        assert!(matches!(next(&builder), BuildEvent::Started));
        let BuildEvent::Failed(why) = next(&builder) else { panic!("it is built") };
        assert_eq!(why.to_string(), "error: no good");
        assert_eq!(why.lines(), ["error: no good", "last"]);
    }

    #[test]
    fn the_progress_of_a_build_is_reported() {
        let folder = tempfile::tempdir().unwrap();
        let script = "printf '\\033[K    Building [==>      ] 12/345: libm, png\\r' >&2; echo a.rs";
        let builder = Builder::start(plan(&folder, script)).unwrap();
        assert!(matches!(next(&builder), BuildEvent::Started));
        assert!(matches!(next(&builder), BuildEvent::Progress(12, 345)));
        assert!(matches!(next(&builder), BuildEvent::Built(_)));
    }

    #[test]
    fn an_endless_build_ends_with_the_next_save_and_at_the_end() {
        let folder = tempfile::tempdir().unwrap();
        let script =
            "echo $$ >>pids; [ -s a.rs ] || sleep 1000; [ -e b.rs ] && sleep 1000; echo a.rs";
        let builder = Builder::start(plan(&folder, script)).unwrap();
        assert!(matches!(next(&builder), BuildEvent::Started));
        let pids = || fs::read_to_string(folder.path().join("pids")).unwrap_or_default();
        while pids().lines().count() < 1 {
            thread::yield_now();
        }
        fs::write(folder.path().join("a.rs"), "x").unwrap();
        assert!(matches!(next(&builder), BuildEvent::Started));
        assert!(matches!(next(&builder), BuildEvent::Built(_)));
        fs::write(folder.path().join("b.rs"), "x").unwrap();
        assert!(matches!(next(&builder), BuildEvent::Started));
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
        // A target folder without cargo's tag, and temporary files with extensions of sources.
        fs::create_dir(at("built")).unwrap();
        fs::create_dir(at(".nudge-watch-1")).unwrap();
        let script = "mkdir -p built/out; echo x >built/out/a.rs; mkdir -p \"$TMPDIR\"/cc; echo x >\"$TMPDIR\"/cc/b.c; \
                      echo x >\"$TMPDIR\"/c.rs; echo a.rs";
        let plan = BuildSettings {
            target: Some(at("built")),
            temporary: Some(at(".nudge-watch-1")),
            ..plan(&folder, script)
        };
        let builder = Builder::start(plan).unwrap();
        assert!(matches!(next(&builder), BuildEvent::Started));
        assert!(matches!(next(&builder), BuildEvent::Built(_)));
        assert!(at("built/out/a.rs").exists() && at(".nudge-watch-1/cc/b.c").exists());
        let more = builder.progress.recv_timeout(Duration::from_secs(1));
        assert!(more.is_err(), "{more:?}");
        fs::write(at("a.rs"), "saved").unwrap();
        assert!(matches!(next(&builder), BuildEvent::Started));
    }

    #[test]
    fn a_build_without_a_file_is_distinguished() {
        let folder = tempfile::tempdir().unwrap();
        let interrupt = Interrupt::default;
        let failed =
            |command: &str| build(&plan(&folder, command), interrupt(), |_| {}).unwrap_err();
        assert!(matches!(failed("echo nothing"), BuildError::NoFile));
        assert!(matches!(failed("exit 1"), BuildError::CommandFailed(lines) if lines.is_empty()));
        let named = BuildSettings { product: Some("b.elf".into()), ..plan(&folder, "true") };
        assert_eq!(build(&named, interrupt(), |_| {}).unwrap(), Path::new("b.elf"));
    }
}
