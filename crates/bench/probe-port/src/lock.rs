//! One program at a time has a port: an advisory lock on it, as minicom, picocom and others take.

use std::io;
use std::path::Path;

/// A lock, until it is dropped.
#[derive(Debug)]
pub(crate) struct Lock {
    #[cfg(unix)]
    _file: std::os::fd::OwnedFd,
}

#[cfg(unix)]
impl Lock {
    /// Takes the lock of the port at `path`.
    ///
    /// # Errors
    /// [`io::ErrorKind::WouldBlock`] if another program has it, or what the system says.
    pub(crate) fn take(path: &Path) -> io::Result<Self> {
        use rustix::fs::{FlockOperation, Mode, OFlags, flock, open};

        let flags = OFlags::RDWR | OFlags::NOCTTY | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let file = open(path, flags, Mode::empty())?;
        flock(&file, FlockOperation::NonBlockingLockExclusive)?;
        Ok(Self { _file: file })
    }
}

#[cfg(not(unix))]
impl Lock {
    /// Nothing: Windows opens a port for one program only.
    ///
    /// # Errors
    /// Never.
    pub(crate) fn take(_: &Path) -> io::Result<Self> {
        Ok(Self {})
    }
}
