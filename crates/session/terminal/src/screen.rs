//! Takes the terminal and gives it back: raw mode, the other screen, the mouse, releases of keys. It is given
//! back when [`Screen`] is dropped, when a thread panics, and for the time of a suspension.

use std::cell::Cell;
use std::io::{self, IsTerminal as _, Write};
use std::rc::Rc;
use std::sync::Once;
use std::sync::atomic::{AtomicU8, Ordering};

use ratatui_core::layout::Rect;
use ratatui_core::terminal::Terminal;
use ratatui_crossterm::CrosstermBackend;
use ratatui_crossterm::crossterm::cursor::{Hide, Show};
use ratatui_crossterm::crossterm::event::{
    DisableFocusChange, EnableFocusChange, KeyboardEnhancementFlags, PopKeyboardEnhancementFlags,
    PushKeyboardEnhancementFlags,
};
use ratatui_crossterm::crossterm::terminal::{
    EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use ratatui_crossterm::crossterm::{execute, queue};

use super::ask::{Answers, Environment, ask};
use super::error::{NoTerminal, TerminalError};
use super::line::Line;
use super::pixels;

/// State of the terminal: 0, or [`TAKEN`] with more bits.
static STATE: AtomicU8 = AtomicU8::new(0);
const TAKEN: u8 = 1;
/// Releases of keys are reported.
const KEYBOARD: u8 = 2;
/// Kitty's pictures were shown.
const KITTY: u8 = 4;

/// Bytes for the terminal, handed over whole frame by whole frame, and counted.
#[derive(Debug, Default)]
pub struct Out {
    waiting: Vec<u8>,
    sent: Rc<Cell<u64>>,
    /// The terminal was given back: what ratatui still sends at its end is dropped, because it panics where that
    /// fails.
    over: Rc<Cell<bool>>,
}

impl Write for Out {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.waiting.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.over.get() {
            self.waiting.clear();
            return Ok(());
        }
        let mut out = Line;
        let written = out.write_all(&self.waiting).and_then(|()| out.flush());
        self.sent.set(self.sent.get() + self.waiting.len() as u64);
        self.waiting.clear();
        written
    }
}

/// The terminal, while it shows the board.
pub struct Screen {
    pub cells: Terminal<CrosstermBackend<Out>>,
    /// Capabilities of the terminal.
    pub answers: Answers,
    /// Number of bytes that were sent.
    pub sent: Rc<Cell<u64>>,
    over: Rc<Cell<bool>>,
}

/// Checks that there is a terminal.
///
/// # Errors
/// The stream that is no terminal.
pub fn check(environment: &Environment) -> Result<(), TerminalError> {
    let missing = if !io::stdin().is_terminal() {
        NoTerminal::Input
    } else if !io::stdout().is_terminal() {
        NoTerminal::Output
    } else if environment.term == "dumb" {
        NoTerminal::Dumb
    } else {
        return Ok(());
    };
    Err(TerminalError::NoTerminal(missing))
}

impl Screen {
    /// Takes the terminal, and queries its capabilities.
    ///
    /// # Errors
    /// If it cannot be set up; it is given back then.
    pub fn take(environment: &Environment) -> io::Result<Self> {
        give_back_on_panic();
        let answers = enter(None, environment).inspect_err(|_| give_back())?;
        let out = Out::default();
        let (sent, over) = (Rc::clone(&out.sent), Rc::clone(&out.over));
        let cells = Terminal::new(CrosstermBackend::new(out)).inspect_err(|_| give_back())?;
        Ok(Self { cells, answers, sent, over })
    }

    /// Takes the terminal again after [`give_back`].
    ///
    /// # Errors
    /// If it cannot be set up.
    pub fn take_again(&mut self, environment: &Environment) -> io::Result<()> {
        enter(Some(self.answers), environment).map(drop)
    }

    /// Clears the terminal: the next picture is drawn from scratch. (`Terminal::clear` would
    /// query the cursor's place.)
    ///
    /// # Errors
    /// If the terminal is gone.
    pub fn clear(&mut self) -> io::Result<()> {
        let size = self.cells.size()?;
        self.cells.resize(Rect::new(0, 0, size.width, size.height))
    }

    /// Sends a picture in the terminal's own protocol.
    ///
    /// # Errors
    /// If the terminal is gone.
    pub fn send(&mut self, sequence: &str) -> io::Result<()> {
        if sequence.contains("\x1b_G") {
            STATE.fetch_or(KITTY, Ordering::Relaxed);
        }
        let out = self.cells.backend_mut();
        out.write_all(sequence.as_bytes())?;
        Write::flush(out)
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        self.over.set(true);
        give_back();
    }
}

/// Takes the terminal. The queries are sent on the other screen: what an old terminal prints of
/// them is cleared with it.
fn enter(known: Option<Answers>, environment: &Environment) -> io::Result<Answers> {
    enable_raw_mode()?;
    STATE.fetch_or(TAKEN, Ordering::Relaxed);
    let mut out = Line;
    execute!(out, EnterAlternateScreen, Hide)?;
    let answers = known.unwrap_or_else(|| ask(environment));
    if answers.keyboard {
        STATE.fetch_or(KEYBOARD, Ordering::Relaxed);
        let flags = KeyboardEnhancementFlags::DISAMBIGUATE_ESCAPE_CODES
            | KeyboardEnhancementFlags::REPORT_EVENT_TYPES
            | KeyboardEnhancementFlags::REPORT_ALL_KEYS_AS_ESCAPE_CODES;
        queue!(out, PushKeyboardEnhancementFlags(flags))?;
    }
    report_mouse(&mut out, true)?;
    execute!(out, EnableFocusChange)?;
    Ok(answers)
}

/// Gives the terminal back, once; a terminal that is gone takes nothing.
pub fn give_back() {
    let state = STATE.swap(0, Ordering::Relaxed);
    if state & TAKEN == 0 {
        return;
    }
    let mut out = Line;
    let _ = queue!(out, DisableFocusChange);
    let _ = report_mouse(&mut out, false);
    if state & KEYBOARD != 0 {
        let _ = queue!(out, PopKeyboardEnhancementFlags);
    }
    if state & KITTY != 0 {
        let _ = out.write_all(pixels::kitty_away().as_bytes());
    }
    let _ = execute!(out, LeaveAlternateScreen, Show);
    let _ = disable_raw_mode();
}

/// Lets the terminal report the mouse's buttons, and not each of its movements, or no longer.
#[cfg(unix)]
fn report_mouse(out: &mut impl Write, on: bool) -> io::Result<()> {
    let switch = if on { 'h' } else { 'l' };
    write!(out, "\x1b[?1000{switch}\x1b[?1006{switch}")
}

/// The same by the console's own mode.
#[cfg(not(unix))]
fn report_mouse(out: &mut impl Write, on: bool) -> io::Result<()> {
    use ratatui_crossterm::crossterm::event::{DisableMouseCapture, EnableMouseCapture};

    if on { queue!(out, EnableMouseCapture) } else { queue!(out, DisableMouseCapture) }
}

/// From now on a panic, on any thread, gives the terminal back before it says what it is.
fn give_back_on_panic() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            give_back();
            before(panic);
        }));
    });
}

/// Whether the terminal has hung up: its window is closed, its line is cut.
#[cfg(unix)]
pub fn has_hung_up() -> bool {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};

    let input = io::stdin();
    let mut fds = [PollFd::new(&input, PollFlags::IN)];
    let now = Timespec { tv_sec: 0, tv_nsec: 0 };
    let hung_up = PollFlags::HUP | PollFlags::ERR | PollFlags::NVAL;
    matches!(poll(&mut fds, Some(&now)), Ok(1..)) && fds[0].revents().intersects(hung_up)
}

/// A console of Windows ends the process when it is closed.
#[cfg(not(unix))]
pub fn has_hung_up() -> bool {
    false
}

/// Stops this process, and those that were started with it, until it is continued.
#[cfg(unix)]
pub fn stop() {
    use rustix::process::{Signal, kill_current_process_group};

    // A shell waits for the whole group, in which `make` may be.
    let _ = kill_current_process_group(Signal::TSTP);
    let _ = signal_hook::low_level::emulate_default_handler(signal_hook::consts::SIGTSTP);
}

/// Whether there is a shell that continues this process: a process that leads its session has none.
#[cfg(unix)]
pub fn can_stop() -> bool {
    use rustix::process::{getpid, getsid};

    getsid(None).is_ok_and(|leader| leader != getpid())
}

/// Windows stops no process.
#[cfg(not(unix))]
pub fn can_stop() -> bool {
    false
}

/// Windows stops no process.
#[cfg(not(unix))]
pub fn stop() {}
