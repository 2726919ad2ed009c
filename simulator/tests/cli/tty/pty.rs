//! A simulated user at a terminal: a pseudo-terminal with the command in it, the content of the
//! screen, and keys.

#![expect(clippy::disallowed_methods, reason = "a person waits for what comes")]

use std::fs;
use std::os::fd::OwnedFd;
use std::os::unix::process::ExitStatusExt as _;
use std::path::Path;
use std::process::Child;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{Mode, OFlags, open};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Termios, Winsize, tcgetattr, tcsetwinsize};
use vt100::Parser;

use crate::command::{NUDGE, through};

/// Time limit for an expected change, in steps of [`STEP`].
const STEPS: usize = 3_000;
const STEP: Duration = Duration::from_millis(10);

/// A terminal of a given size with a command in it.
pub struct Tty {
    child: Child,
    ours: Arc<OwnedFd>,
    theirs: Option<OwnedFd>,
    shown: Arc<Mutex<Shown>>,
    /// Set when the terminal's window is closed.
    closed: Arc<AtomicBool>,
    reader: Option<JoinHandle<()>>,
    before: Termios,
}

/// The output of the command so far.
struct Shown {
    parser: Parser,
    bytes: Vec<u8>,
}

/// The properties of a terminal.
#[derive(Clone, Copy)]
pub struct Kind {
    pub size: (u16, u16),
    pub variables: &'static [(&'static str, &'static str)],
    /// The answers to the query of its attributes; empty for a terminal that never answers.
    pub answers: &'static str,
    /// Bytes a second that the line carries; 0 for a line without a limit.
    pub bytes_per_second: usize,
    /// Size of a cell in pixels, as the operating system reports it; 0 for none.
    pub cell: (u16, u16),
}

impl Tty {
    /// Starts `nudge` with `arguments` in `folder`.
    pub fn nudge(folder: &Path, arguments: &str, kind: Kind) -> Self {
        let words: Vec<&str> = arguments.split_whitespace().collect();
        Self::start(folder, &[&[NUDGE], words.as_slice()].concat(), kind)
    }

    /// Starts a command with this terminal as its controlling terminal.
    pub fn start(folder: &Path, words: &[&str], kind: Kind) -> Self {
        // Close-on-exec, so that no other test's command keeps the terminal open.
        let ours = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC).unwrap();
        grantpt(&ours).unwrap();
        unlockpt(&ours).unwrap();
        let path = ptsname(&ours, vec![]).unwrap();
        let theirs =
            open(&*path, OFlags::RDWR | OFlags::NOCTTY | OFlags::CLOEXEC, Mode::empty()).unwrap();
        let before = tcgetattr(&theirs).unwrap();
        let (columns, rows) = kind.size;
        let size = Winsize {
            ws_xpixel: columns * kind.cell.0,
            ws_ypixel: rows * kind.cell.1,
            ..winsize(columns, rows)
        };
        tcsetwinsize(&ours, size).unwrap();
        let end = || theirs.try_clone().unwrap();
        let child = through("setsid")
            .arg("--ctty")
            .args(words)
            .env_remove("DISPLAY")
            .env_remove("WAYLAND_DISPLAY")
            .env_remove("SDL_VIDEODRIVER")
            .env_remove("TMUX")
            .env("XDG_DATA_HOME", folder)
            .env("TERM", "xterm-256color")
            .env("COLORTERM", "truecolor")
            .envs(kind.variables.iter().copied())
            .current_dir(folder)
            .stdin(end())
            .stdout(end())
            .stderr(end())
            .spawn()
            .unwrap();
        let ours = Arc::new(ours);
        let shown = Shown { parser: Parser::new(rows, columns, 0), bytes: Vec::new() };
        let shown = Arc::new(Mutex::new(shown));
        let closed = Arc::new(AtomicBool::new(false));
        let reader = {
            let (ours, shown, closed) =
                (Arc::clone(&ours), Arc::clone(&shown), Arc::clone(&closed));
            thread::spawn(move || read(&ours, &shown, &closed, kind))
        };
        Self { child, ours, theirs: Some(theirs), shown, closed, reader: Some(reader), before }
    }

    /// Types `keys`, encoded as the terminal sends them.
    pub fn type_in(&self, keys: &str) {
        assert_eq!(rustix::io::write(&*self.ours, keys.as_bytes()), Ok(keys.len()));
    }

    /// Changes the size of the terminal.
    pub fn resize(&self, columns: u16, rows: u16) {
        tcsetwinsize(&*self.ours, winsize(columns, rows)).unwrap();
        let mut shown = self.shown.lock().unwrap();
        // Output at the top left is also visible in a larger screen; this parser supports no size
        // below 2 × 2.
        shown.parser.screen_mut().set_size(rows.max(24), columns.max(80));
    }

    /// Waits until `is_there` returns a value for the screen, and returns it.
    #[track_caller]
    pub fn wait<T>(&self, what: &str, is_there: impl Fn(&vt100::Screen) -> Option<T>) -> T {
        for _ in 0..STEPS {
            if let Some(found) = is_there(self.shown.lock().unwrap().parser.screen()) {
                return found;
            }
            thread::sleep(STEP);
        }
        panic!("{what} does not come:\n{}", self.text());
    }

    /// Waits until the screen contains these words.
    #[track_caller]
    pub fn wait_for(&self, words: &str) {
        self.wait(words, |screen| screen.contents().contains(words).then_some(()));
    }

    /// Returns the text of the screen.
    pub fn text(&self) -> String {
        self.shown.lock().unwrap().parser.screen().contents()
    }

    /// Returns all bytes that were sent to the terminal.
    pub fn bytes(&self) -> Vec<u8> {
        self.shown.lock().unwrap().bytes.clone()
    }

    /// Returns the process of the command.
    pub fn process(&self) -> rustix::process::Pid {
        rustix::process::Pid::from_child(&self.child)
    }

    /// Closes the terminal's window.
    pub fn close(&mut self) {
        self.theirs = None;
        self.closed.store(true, Ordering::Relaxed);
        let _ = self.reader.take().unwrap().join();
        self.ours =
            Arc::new(open("/dev/null", OFlags::RDWR | OFlags::CLOEXEC, Mode::empty()).unwrap());
    }

    /// Waits until the command has ended; returns its exit code, or the negative number of a
    /// signal.
    #[track_caller]
    pub fn code(&mut self) -> i32 {
        for _ in 0..STEPS {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status.code().unwrap_or(-status.signal().unwrap_or(0));
            }
            thread::sleep(STEP);
        }
        panic!("it does not end:\n{}", self.text());
    }

    /// Checks that the terminal is in the same state as before the command.
    #[track_caller]
    pub fn check_given_back(&self) {
        let theirs = self.theirs.as_ref().unwrap();
        let now = tcgetattr(theirs).unwrap();
        assert_eq!(now.local_modes, self.before.local_modes);
        assert_eq!(now.input_modes, self.before.input_modes);
        assert_eq!(now.output_modes, self.before.output_modes);
        self.wait("the first screen", |screen| {
            let mouse = screen.mouse_protocol_mode() != vt100::MouseProtocolMode::None;
            (!screen.alternate_screen() && !screen.hide_cursor() && !mouse).then_some(())
        });
    }
}

impl Drop for Tty {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        self.closed.store(true, Ordering::Relaxed);
        if let Some(reader) = self.reader.take() {
            let _ = reader.join();
        }
    }
}

fn winsize(columns: u16, rows: u16) -> Winsize {
    Winsize { ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 }
}

/// Shows the output, and answers queries.
fn read(ours: &OwnedFd, shown: &Mutex<Shown>, closed: &AtomicBool, kind: Kind) {
    let Kind { answers, bytes_per_second, .. } = kind;
    let step = Timespec::try_from(STEP).unwrap();
    // A slow line carries its bytes of a step at a time.
    let at_once = match bytes_per_second {
        0 => 1 << 16,
        limit => (limit * STEP.as_millis() as usize / 1_000).max(1),
    };
    let mut bytes = vec![0; at_once];
    while !closed.load(Ordering::Relaxed) {
        let mut fds = [PollFd::new(ours, PollFlags::IN)];
        if !matches!(poll(&mut fds, Some(&step)), Ok(1..)) {
            continue;
        }
        let Ok(count @ 1..) = rustix::io::read(ours, &mut bytes) else {
            thread::sleep(STEP);
            continue;
        };
        if bytes_per_second > 0 {
            thread::sleep(STEP);
        }
        let mut shown = shown.lock().unwrap();
        shown.parser.process(&bytes[..count]);
        let asked = |bytes: &[u8]| bytes.windows(3).any(|word| word == b"\x1b[c");
        let is_first = !asked(&shown.bytes);
        shown.bytes.extend_from_slice(&bytes[..count]);
        if is_first && asked(&shown.bytes) {
            let _ = rustix::io::write(ours, answers.as_bytes());
        }
    }
}

/// Waits for `millis` milliseconds, as a user does between two keys.
pub fn rest(millis: u64) {
    thread::sleep(Duration::from_millis(millis));
}

/// Returns the child processes of a process.
pub fn children_of(process: rustix::process::Pid) -> Vec<rustix::process::Pid> {
    let number = process.as_raw_nonzero();
    let listed = fs::read_to_string(format!("/proc/{number}/task/{number}/children"));
    let listed = listed.unwrap_or_default();
    let numbers = listed.split_whitespace().filter_map(|word| word.parse().ok());
    numbers.filter_map(rustix::process::Pid::from_raw).collect()
}

/// Returns whether a process is stopped.
pub fn is_stopped(process: rustix::process::Pid) -> bool {
    let stat = fs::read_to_string(format!("/proc/{}/stat", process.as_raw_nonzero()));
    stat.is_ok_and(|stat| stat.rsplit(')').next().is_some_and(|rest| rest.starts_with(" T")))
}
