//! Sets the terminal up and restores it: raw mode, the alternate screen, the mouse, releases of
//! keys. The terminal is restored when [`Screen`] is dropped, when a thread panics, and during a
//! suspension.

use std::cell::Cell;
use std::io::{self, IsTerminal as _, Write};
use std::rc::Rc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Once, OnceLock};
use std::time::Duration;

use ratatui_core::layout::Rect;
use ratatui_core::terminal::Terminal;
use ratatui_crossterm::CrosstermBackend;
use ratatui_crossterm::crossterm::cursor::{Hide, Show};
use ratatui_crossterm::crossterm::event::{
    DisableBracketedPaste, DisableFocusChange, EnableBracketedPaste, EnableFocusChange,
    KeyboardEnhancementFlags, PopKeyboardEnhancementFlags, PushKeyboardEnhancementFlags,
};
use ratatui_crossterm::crossterm::terminal::{
    EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode, window_size,
};
use ratatui_crossterm::crossterm::{execute, queue};

use super::ask::{Answers, Environment, ask};
use super::error::{NoTerminal, TerminalError};
use super::line::Line;
use super::pixels;
use super::writer::Writer;

/// State of the terminal: 0, or [`TAKEN`] with more bits.
static STATE: AtomicU8 = AtomicU8::new(0);
const TAKEN: u8 = 1;
/// Bit: releases of keys are reported.
const KEYBOARD: u8 = 2;
/// Bit: kitty's pictures were shown.
const KITTY: u8 = 4;

/// Writer of the pictures. It is started once: there is one terminal.
static WRITER: OnceLock<Writer> = OnceLock::new();
/// Maximum time to wait for the writer before the terminal is restored.
const SETTLE_MAX: Duration = Duration::from_secs(2);

/// Output to the terminal, written as whole frames and counted.
#[derive(Debug)]
pub struct Out {
    writer: Writer,
    waiting: Vec<u8>,
    sent: Rc<Cell<u64>>,
    /// Whether the terminal was restored. Output that ratatui still sends at its end is then
    /// dropped, because ratatui panics if a write fails.
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
        let written = self.writer.put(&self.waiting);
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
    writer: Writer,
    over: Rc<Cell<bool>>,
}

/// Checks that there is a terminal.
///
/// # Errors
/// If a stream is no terminal; the error names it.
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
    /// Sets the terminal up and queries its capabilities.
    ///
    /// # Errors
    /// If the terminal cannot be set up; it is restored in that case.
    pub fn take(environment: &Environment) -> io::Result<Self> {
        give_back_on_panic();
        let answers = enter(None, environment).inspect_err(|_| give_back())?;
        let writer = match WRITER.get() {
            Some(writer) => writer.clone(),
            None => {
                let writer = Writer::start(Line).inspect_err(|_| give_back())?;
                WRITER.get_or_init(|| writer).clone()
            }
        };
        let (waiting, sent, over) = (Vec::new(), Rc::default(), Rc::default());
        let out = Out { writer: writer.clone(), waiting, sent, over };
        let (sent, over) = (Rc::clone(&out.sent), Rc::clone(&out.over));
        let cells = Terminal::new(CrosstermBackend::new(out)).inspect_err(|_| give_back())?;
        Ok(Self { cells, answers, sent, writer, over })
    }

    /// Sets the terminal up again after [`give_back`].
    ///
    /// # Errors
    /// If it cannot be set up.
    pub fn take_again(&mut self, environment: &Environment) -> io::Result<()> {
        enter(Some(self.answers), environment).map(drop)
    }

    /// Returns whether all pictures so far are written, so that another one can be drawn.
    pub fn is_idle(&self) -> bool {
        self.writer.is_idle()
    }

    /// Clears the terminal: the next picture is drawn from scratch. (`Terminal::clear` would
    /// query the cursor's place.)
    ///
    /// # Errors
    /// If the terminal is lost.
    pub fn clear(&mut self) -> io::Result<()> {
        let size = self.cells.size()?;
        self.cells.resize(Rect::new(0, 0, size.width, size.height))
    }

    /// Sends a picture in the terminal's own protocol.
    ///
    /// # Errors
    /// If the terminal is lost.
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

/// Sets the terminal up. The queries are sent on the alternate screen, so that an old terminal
/// which prints them clears them with it.
fn enter(known: Option<Answers>, environment: &Environment) -> io::Result<Answers> {
    enable_raw_mode()?;
    STATE.fetch_or(TAKEN, Ordering::Relaxed);
    let mut out = Line;
    execute!(out, EnterAlternateScreen, Hide)?;
    let mut answers = known.unwrap_or_else(|| ask(environment));
    answers.cell = cell_size().or(answers.cell);
    if answers.keyboard {
        STATE.fetch_or(KEYBOARD, Ordering::Relaxed);
        let flags = KeyboardEnhancementFlags::DISAMBIGUATE_ESCAPE_CODES
            | KeyboardEnhancementFlags::REPORT_EVENT_TYPES
            | KeyboardEnhancementFlags::REPORT_ALL_KEYS_AS_ESCAPE_CODES;
        queue!(out, PushKeyboardEnhancementFlags(flags))?;
    }
    report_mouse(&mut out, true)?;
    execute!(out, EnableFocusChange, EnableBracketedPaste)?;
    Ok(answers)
}

/// Returns the width and height of a cell in pixels, as the operating system knows them
/// (TIOCGWINSZ). Many terminals report no pixels.
pub fn cell_size() -> Option<(u16, u16)> {
    let size = window_size().ok()?;
    let cell = (size.width.checked_div(size.columns)?, size.height.checked_div(size.rows)?);
    (cell.0 > 0 && cell.1 > 0).then_some(cell)
}

/// Restores the terminal, once. A lost terminal is ignored.
pub fn give_back() {
    let state = STATE.swap(0, Ordering::Relaxed);
    if state & TAKEN == 0 {
        return;
    }
    if let Some(writer) = WRITER.get() {
        writer.settle(SETTLE_MAX);
    }
    let mut out = Line;
    let _ = queue!(out, DisableFocusChange, DisableBracketedPaste);
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

/// Starts or stops reports of the mouse's buttons, and of its movements while one is held.
#[cfg(unix)]
fn report_mouse(out: &mut impl Write, on: bool) -> io::Result<()> {
    let switch = if on { 'h' } else { 'l' };
    write!(out, "\x1b[?1000{switch}\x1b[?1002{switch}\x1b[?1006{switch}")
}

/// Starts or stops reports of the mouse through the console's own mode.
#[cfg(not(unix))]
fn report_mouse(out: &mut impl Write, on: bool) -> io::Result<()> {
    use ratatui_crossterm::crossterm::event::{DisableMouseCapture, EnableMouseCapture};

    if on { queue!(out, EnableMouseCapture) } else { queue!(out, DisableMouseCapture) }
}

/// Makes a panic on any thread restore the terminal before its message is printed.
fn give_back_on_panic() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            // A panic of the firmware does not end the session.
            if !live::panic_is_contained() {
                give_back();
            }
            before(panic);
        }));
    });
}

/// Returns whether the terminal has hung up: its window is closed or its line is cut.
#[cfg(unix)]
pub fn has_hung_up() -> bool {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};

    let input = io::stdin();
    let mut fds = [PollFd::new(&input, PollFlags::IN)];
    let now = Timespec { tv_sec: 0, tv_nsec: 0 };
    let hung_up = PollFlags::HUP | PollFlags::ERR | PollFlags::NVAL;
    matches!(poll(&mut fds, Some(&now)), Ok(1..)) && fds[0].revents().intersects(hung_up)
}

/// A Windows console ends the process when it is closed.
#[cfg(not(unix))]
pub fn has_hung_up() -> bool {
    false
}

/// Suspends this process, and the processes that were started with it, until it is continued.
#[cfg(unix)]
pub fn stop() {
    use rustix::process::{Signal, kill_current_process_group};

    // A shell waits for the whole process group, which may contain `make`.
    let _ = kill_current_process_group(Signal::TSTP);
    let _ = signal_hook::low_level::emulate_default_handler(signal_hook::consts::SIGTSTP);
}

/// Returns whether there is a shell that continues this process. A session leader has none.
#[cfg(unix)]
pub fn can_stop() -> bool {
    use rustix::process::{getpid, getsid};

    getsid(None).is_ok_and(|leader| leader != getpid())
}

/// Windows suspends no process.
#[cfg(not(unix))]
pub fn can_stop() -> bool {
    false
}

/// Windows suspends no process.
#[cfg(not(unix))]
pub fn stop() {}
