//! A link to a probe through a serial port, with the wall clock.
//!
//! A call never waits longer than the caller allows: the port is opened so that neither reading nor
//! writing blocks.

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::time::Duration;

use host::clock::Stopwatch;
use probe::{Cut, Link};
use probe_protocol::UART_BAUD;
use serial2::SerialPort;

use crate::find::find;
use crate::lock::Lock;

/// Longest time that a write waits for room on the line.
const WRITE_WAIT: Duration = Duration::from_millis(2);
/// Interval between attempts to open a port that was unplugged.
const OPEN_EVERY: Duration = Duration::from_millis(20);

/// A reason why a port cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum PortError {
    /// There is no such file or device.
    #[error("{}: no such port; plug the probe in, or name another port", .0.display())]
    Missing(PathBuf),
    /// Another program is using it.
    #[error("{}: another program has this port; end that one", .0.display())]
    Busy(PathBuf),
    /// The user has no permission to open it.
    #[error(
        "{}: this user may not open the port; on Linux join the group of serial ports \
         (`sudo usermod -a -G dialout $USER`) and log in again", .0.display()
    )]
    Denied(PathBuf),
    /// The file is not a serial port.
    #[error("{}: this is no serial port: {source}", path.display())]
    NoPort { path: PathBuf, source: io::Error },
}

impl PortError {
    fn of(path: &Path, source: io::Error) -> Self {
        let path = path.to_owned();
        match source.kind() {
            ErrorKind::NotFound => Self::Missing(path),
            ErrorKind::ResourceBusy | ErrorKind::WouldBlock => Self::Busy(path),
            ErrorKind::PermissionDenied => Self::Denied(path),
            _ => Self::NoPort { path, source },
        }
    }
}

/// An open port that no other program uses. Fields drop in order, so the lock is released last.
struct Open {
    port: SerialPort,
    _lock: Lock,
}

/// A link to a probe through a serial port.
pub struct SerialLink {
    path: PathBuf,
    /// Serial number of the USB device. Its path may be different when it is plugged in again.
    number: Option<String>,
    open: Option<Open>,
    clock: Stopwatch,
    /// Factor by which this clock is slowed: one second at the other end takes `slower` seconds
    /// here.
    slower: u32,
}

impl SerialLink {
    /// Opens the port at `path`: a device file, or on Windows a name such as `COM3`.
    ///
    /// # Errors
    /// Returns an error if the port cannot be opened.
    pub fn open(path: &Path) -> Result<Self, PortError> {
        let open = open(path).map_err(|error| PortError::of(path, error))?;
        let here = path.canonicalize();
        let found = find().into_iter().find(|found| {
            let there = found.path.canonicalize();
            found.path == path || here.as_ref().is_ok_and(|here| there.is_ok_and(|it| it == *here))
        });
        let number = found.and_then(|found| found.serial);
        let clock = Stopwatch::start();
        Ok(Self { path: path.to_owned(), number, open: Some(open), clock, slower: 1 })
    }

    /// Slows the link's clock for an emulated probe that takes `slower` times as long as a real
    /// one.
    #[must_use]
    pub fn slowed(self, slower: u32) -> Self {
        Self { slower: slower.max(1), ..self }
    }

    /// Returns the current path of the port.
    fn path_now(&self) -> PathBuf {
        let moved = self.number.as_ref().and_then(|number| {
            find().into_iter().find(|found| found.serial.as_ref() == Some(number))
        });
        moved.map_or_else(|| self.path.clone(), |found| found.path)
    }

    fn cut(&mut self, why: &io::Error) -> Cut {
        // If the device file stayed open, the system would give the device another name when it
        // comes back.
        self.open = None;
        Cut(format!("{}: {why}", self.path.display()))
    }

    fn port(&mut self) -> Result<&mut SerialPort, Cut> {
        match &mut self.open {
            Some(open) => Ok(&mut open.port),
            None => Err(Cut(format!("{}: it is not plugged in", self.path.display()))),
        }
    }
}

fn open(path: &Path) -> io::Result<Open> {
    let lock = Lock::take(path)?;
    let mut port = SerialPort::open(path, |mut settings: serial2::Settings| {
        settings.set_raw();
        // A USB serial port ignores the rate.
        settings.set_baud_rate(UART_BAUD)?;
        Ok(settings)
    })?;
    port.set_write_timeout(WRITE_WAIT)?;
    // Pseudo-terminals have no DTR line.
    let _ = port.set_dtr(true);
    let _ = port.discard_buffers();
    Ok(Open { port, _lock: lock })
}

/// Returns whether the error only means that there was nothing to read or no room to write.
fn is_nothing(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::TimedOut | ErrorKind::WouldBlock | ErrorKind::Interrupted)
}

impl Link for SerialLink {
    fn now(&mut self) -> Duration {
        self.clock.elapsed() / self.slower
    }

    fn write(&mut self, bytes: &[u8]) -> Result<usize, Cut> {
        match self.port()?.write(bytes) {
            Ok(written) => Ok(written),
            Err(error) if is_nothing(&error) => Ok(0),
            Err(error) => Err(self.cut(&error)),
        }
    }

    fn read(&mut self, into: &mut [u8], wait: Duration) -> Result<usize, Cut> {
        let wait = wait * self.slower;
        let port = self.port()?;
        let read = port.set_read_timeout(wait).and_then(|()| port.read(into));
        match read {
            // A terminal whose other end is closed reads end of file.
            Ok(0) if !into.is_empty() => Err(self.cut(&ErrorKind::UnexpectedEof.into())),
            Ok(read) => Ok(read),
            Err(error) if is_nothing(&error) => Ok(0),
            Err(error) => Err(self.cut(&error)),
        }
    }

    fn reconnect(&mut self, wait: Duration) -> Result<(), Cut> {
        self.open = None;
        match open(&self.path_now()) {
            Ok(open) => {
                self.open = Some(open);
                Ok(())
            }
            Err(error) => {
                let cut = self.cut(&error);
                host::clock::wait(wait.max(OPEN_EVERY));
                Err(cut)
            }
        }
    }
}
