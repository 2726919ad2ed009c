//! An advisory lock that lets one program at a time use a port, as minicom, picocom and others take
//! it.

use std::io;
use std::path::Path;

/// A lock that is held until it is dropped.
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
    /// Returns [`io::ErrorKind::WouldBlock`] if another program has the lock, or the system's
    /// error.
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
    /// Takes no lock: Windows opens a port for one program only.
    ///
    /// # Errors
    /// Never.
    pub(crate) fn take(_: &Path) -> io::Result<Self> {
        Ok(Self {})
    }
}
