//! `--pty`: a pseudo-terminal whose other end a terminal program opens like a serial port.
//!
//! [`Pty::path`] is that end. Bytes pass unchanged and without echo. Writing never blocks: while no
//! program reads, the system's buffer fills up (4 KiB on Linux); further bytes are dropped and
//! counted. Unix only.

#[cfg(unix)]
pub use self::unix::Pty;

#[cfg(not(unix))]
pub use self::elsewhere::Pty;

#[cfg(unix)]
mod unix {
    use std::io;
    use std::os::fd::OwnedFd;
    use std::time::Duration;

    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    use rustix::fs::{Mode, OFlags, fcntl_getfl, fcntl_setfl, open};
    use rustix::io::Errno;
    use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
    use rustix::termios::{OptionalActions, tcgetattr, tcsetattr};

    /// Both ends of a pseudo-terminal.
    #[derive(Debug)]
    pub struct Pty {
        ours: OwnedFd,
        /// Held open so that its settings persist, and so that reading waits while no other program
        /// has it open. `None` if [`Pty::is_open`] has to tell.
        _theirs: Option<OwnedFd>,
        path: String,
        lost: u64,
    }

    impl Pty {
        /// Opens a new pseudo-terminal.
        ///
        /// # Errors
        /// If the system has none left, or denies it.
        pub fn open() -> io::Result<Self> {
            let ours = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY)?;
            grantpt(&ours)?;
            unlockpt(&ours)?;
            let path = ptsname(&ours, vec![])?;
            let theirs = open(&*path, OFlags::RDWR | OFlags::NOCTTY, Mode::empty())?;
            let mut settings = tcgetattr(&theirs)?;
            settings.make_raw();
            tcsetattr(&theirs, OptionalActions::Now, &settings)?;
            fcntl_setfl(&ours, fcntl_getfl(&ours)? | OFlags::NONBLOCK)?;
            let path = path.to_string_lossy().into_owned();
            Ok(Self { ours, _theirs: Some(theirs), path, lost: 0 })
        }

        /// Opens a new pseudo-terminal that tells whether a program has opened its other end.
        ///
        /// # Errors
        /// If the system has none left, or denies it.
        pub fn open_port() -> io::Result<Self> {
            Ok(Self { _theirs: None, ..Self::open()? })
        }

        /// Whether a program has opened the other end.
        ///
        /// # Errors
        /// The system's errors.
        pub fn is_open(&self) -> io::Result<bool> {
            let mut ours = [PollFd::new(&self.ours, PollFlags::IN)];
            match poll(&mut ours, Some(&Timespec { tv_sec: 0, tv_nsec: 0 })) {
                Ok(_) | Err(Errno::INTR) => Ok(!ours[0].revents().contains(PollFlags::HUP)),
                Err(error) => Err(error.into()),
            }
        }

        /// The end for a terminal program.
        pub fn path(&self) -> &str {
            &self.path
        }

        /// Bytes that were dropped because the buffer was full.
        pub fn lost(&self) -> u64 {
            self.lost
        }

        /// Sends `bytes`, as many as there is room for.
        ///
        /// # Errors
        /// The system's errors.
        pub fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
            let sent = self.send(bytes)?;
            self.lost += (bytes.len() - sent) as u64;
            Ok(())
        }

        /// Sends the first of `bytes`: how many there was room for.
        ///
        /// # Errors
        /// The system's errors.
        pub fn send(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let mut sent = 0;
            while sent < bytes.len() {
                match rustix::io::write(&self.ours, &bytes[sent..]) {
                    Ok(written) => sent += written,
                    Err(Errno::INTR) => {}
                    Err(Errno::AGAIN) => break,
                    Err(error) => return Err(error.into()),
                }
            }
            Ok(sent)
        }

        /// Reads at most `most` bytes. Waits until there are some, for `patience` at most.
        ///
        /// # Errors
        /// The system's errors.
        pub fn read(&mut self, most: usize, patience: Duration) -> io::Result<Vec<u8>> {
            let patience = Timespec {
                tv_sec: patience.as_secs().try_into().unwrap_or(i64::MAX),
                tv_nsec: patience.subsec_nanos().into(),
            };
            let mut waited = [PollFd::new(&self.ours, PollFlags::IN)];
            // Without room for bytes only the time ends the wait.
            let waited = if most == 0 { &mut [][..] } else { &mut waited[..] };
            match poll(waited, Some(&patience)) {
                // A signal interrupted the wait: the caller looks at it first.
                Ok(0) | Err(Errno::INTR) => return Ok(vec![]),
                Ok(_) => {}
                Err(error) => return Err(error.into()),
            }
            let mut bytes = vec![0; most];
            match rustix::io::read(&self.ours, &mut bytes) {
                Ok(count) => {
                    bytes.truncate(count);
                    Ok(bytes)
                }
                // EIO: the other end was closed.
                Err(Errno::AGAIN | Errno::INTR | Errno::IO) => Ok(vec![]),
                Err(error) => Err(error.into()),
            }
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::fs::OpenOptions;
    use std::io::{Read, Write};
    use std::time::Duration;

    use super::Pty;

    #[test]
    fn a_port_tells_whether_it_is_open() {
        let mut pty = Pty::open_port().unwrap();
        assert!(!pty.is_open().unwrap());
        assert_eq!(pty.read(8, Duration::ZERO).unwrap(), b"");
        for _ in 0..2 {
            let mut theirs = OpenOptions::new().read(true).write(true).open(pty.path()).unwrap();
            assert!(pty.is_open().unwrap());
            // Raw, though nobody had it open in between.
            theirs.write_all(b"\rin\n").unwrap();
            assert_eq!(pty.read(8, Duration::from_secs(60)).unwrap(), b"\rin\n");
            pty.write(b"out").unwrap();
            let mut heard = [0; 3];
            theirs.read_exact(&mut heard).unwrap();
            assert_eq!(&heard, b"out");
            drop(theirs);
            assert!(!pty.is_open().unwrap());
        }
    }
}

#[cfg(not(unix))]
mod elsewhere {
    use std::io;
    use std::time::Duration;

    /// This system has no pseudo-terminals.
    #[derive(Debug)]
    pub enum Pty {}

    impl Pty {
        /// Opens a new pseudo-terminal.
        ///
        /// # Errors
        /// Always.
        pub fn open() -> io::Result<Self> {
            Err(io::Error::new(io::ErrorKind::Unsupported, "this system has no pseudo-terminals"))
        }

        /// Opens a new pseudo-terminal.
        ///
        /// # Errors
        /// Always.
        pub fn open_port() -> io::Result<Self> {
            Self::open()
        }

        /// Whether a program has opened the other end.
        ///
        /// # Errors
        /// Never.
        pub fn is_open(&self) -> io::Result<bool> {
            match *self {}
        }

        /// The end for a terminal program.
        pub fn path(&self) -> &str {
            match *self {}
        }

        /// Bytes that were dropped because the buffer was full.
        pub fn lost(&self) -> u64 {
            match *self {}
        }

        /// Sends bytes.
        ///
        /// # Errors
        /// Never.
        pub fn write(&mut self, _: &[u8]) -> io::Result<()> {
            match *self {}
        }

        /// Sends the first of some bytes.
        ///
        /// # Errors
        /// Never.
        pub fn send(&mut self, _: &[u8]) -> io::Result<usize> {
            match *self {}
        }

        /// What has come in.
        ///
        /// # Errors
        /// Never.
        pub fn read(&mut self, _: usize, _: Duration) -> io::Result<Vec<u8>> {
            match *self {}
        }
    }
}
