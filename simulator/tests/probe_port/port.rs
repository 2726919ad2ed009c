//! A serial port whose cable can be disconnected: a pseudo-terminal with a permanent name.

use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{Mode, OFlags, fcntl_getfl, fcntl_setfl, open};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{OptionalActions, tcgetattr, tcsetattr};

/// Both ends. The host's end is also open here, so that reading does not fail when a host closes
/// the port.
struct Ends {
    ours: OwnedFd,
    _theirs: OwnedFd,
}

/// A port with a name, and the connected pseudo-terminal, if any.
pub struct Port {
    name: PathBuf,
    ends: Option<Ends>,
}

impl Port {
    /// Creates a connected port with the name `name`.
    pub fn new(name: &Path) -> Self {
        let mut port = Self { name: name.to_owned(), ends: None };
        port.plug();
        port
    }

    pub fn plug(&mut self) {
        // Close-on-exec: a host that inherited an end would keep a disconnected cable open.
        let ours = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC).unwrap();
        grantpt(&ours).unwrap();
        unlockpt(&ours).unwrap();
        let path = ptsname(&ours, vec![]).unwrap();
        let path = PathBuf::from(path.to_str().unwrap());
        let theirs =
            open(&path, OFlags::RDWR | OFlags::NOCTTY | OFlags::CLOEXEC, Mode::empty()).unwrap();
        let mut settings = tcgetattr(&theirs).unwrap();
        settings.make_raw();
        tcsetattr(&theirs, OptionalActions::Now, &settings).unwrap();
        fcntl_setfl(&ours, fcntl_getfl(&ours).unwrap() | OFlags::NONBLOCK).unwrap();
        std::os::unix::fs::symlink(path, &self.name).unwrap();
        self.ends = Some(Ends { ours, _theirs: theirs });
    }

    pub fn pull(&mut self) {
        std::fs::remove_file(&self.name).unwrap();
        self.ends = None;
    }

    /// Returns the bytes that the host has written, after at most `wait`.
    pub fn read(&mut self, wait: Duration) -> Vec<u8> {
        let Some(Ends { ours, .. }) = &self.ends else {
            host::clock::wait(wait);
            return Vec::new();
        };
        let wait = Timespec { tv_sec: 0, tv_nsec: wait.subsec_nanos().into() };
        let mut bytes = vec![0; 4096];
        let is_there = poll(&mut [PollFd::new(ours, PollFlags::IN)], Some(&wait)).unwrap_or(0) > 0;
        let read = if is_there { rustix::io::read(ours, &mut bytes).unwrap_or(0) } else { 0 };
        bytes.truncate(read);
        bytes
    }

    /// Writes as many of `bytes` as there is room for; returns their number. Without a cable all
    /// bytes are lost.
    pub fn write(&mut self, bytes: &[u8]) -> usize {
        match &self.ends {
            Some(ends) => rustix::io::write(&ends.ours, bytes).unwrap_or(0),
            None => bytes.len(),
        }
    }
}
