//! `--pty`: a pseudo-terminal whose other end a terminal program opens like a serial port.
//!
//! [`Pty::path`] is that end. Bytes pass unchanged and without echo. Writing never blocks: while no
//! program reads, the system's buffer fills up (4 KiB on Linux); further bytes are dropped and
//! counted. Available on Unix only.

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

    /// The program's end of a pseudo-terminal, with its path for the other end.
    #[derive(Debug)]
    pub struct Pty {
        ours: OwnedFd,
        /// The other end, held open so that its settings persist and so that reading waits while no
        /// other program has it open. `None` if [`Pty::is_open`] must detect whether another
        /// program has.
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

        /// Opens a new pseudo-terminal on which [`Pty::is_open`] can be called.
        ///
        /// # Errors
        /// If the system has none left, or denies it.
        pub fn open_port() -> io::Result<Self> {
            Ok(Self { _theirs: None, ..Self::open()? })
        }

        /// Returns whether a program has opened the other end.
        ///
        /// # Errors
        /// The errors of the system.
        pub fn is_open(&self) -> io::Result<bool> {
            let mut ours = [PollFd::new(&self.ours, PollFlags::IN)];
            match poll(&mut ours, Some(&Timespec { tv_sec: 0, tv_nsec: 0 })) {
                Ok(_) | Err(Errno::INTR) => Ok(!ours[0].revents().contains(PollFlags::HUP)),
                Err(error) => Err(error.into()),
            }
        }

        /// Returns the path of the end for a terminal program.
        pub fn path(&self) -> &str {
            &self.path
        }

        /// Returns the number of bytes that were dropped because the buffer was full.
        pub fn lost(&self) -> u64 {
            self.lost
        }

        /// Sends as many of `bytes` as fit into the buffer; the others are dropped and counted.
        ///
        /// # Errors
        /// The errors of the system.
        pub fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
            let sent = self.send(bytes)?;
            self.lost += (bytes.len() - sent) as u64;
            Ok(())
        }

        /// Sends the first of `bytes`, as many as fit into the buffer, and returns their number.
        ///
        /// # Errors
        /// The errors of the system.
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

        /// Reads at most `most` bytes. Waits until there are some, for at most `patience`.
        ///
        /// # Errors
        /// The errors of the system.
        pub fn read(&mut self, most: usize, patience: Duration) -> io::Result<Vec<u8>> {
            let patience = Timespec {
                tv_sec: patience.as_secs().try_into().unwrap_or(i64::MAX),
                tv_nsec: patience.subsec_nanos().into(),
            };
            let mut waited = [PollFd::new(&self.ours, PollFlags::IN)];
            // Without room for bytes, only the timeout ends the wait.
            let waited = if most == 0 { &mut [][..] } else { &mut waited[..] };
            match poll(waited, Some(&patience)) {
                // A signal interrupted the wait: the caller must check it first.
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
                // EIO means that the other end was closed.
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
    fn a_port_detects_whether_it_is_open() {
        let mut pty = Pty::open_port().unwrap();
        assert!(!pty.is_open().unwrap());
        assert_eq!(pty.read(8, Duration::ZERO).unwrap(), b"");
        for _ in 0..2 {
            let mut theirs = OpenOptions::new().read(true).write(true).open(pty.path()).unwrap();
            assert!(pty.is_open().unwrap());
            // The terminal is still in raw mode, although no program had it open in between.
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

    /// Pseudo-terminals, which this system does not have.
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

        /// Returns whether a program has opened the other end.
        ///
        /// # Errors
        /// Never.
        pub fn is_open(&self) -> io::Result<bool> {
            match *self {}
        }

        /// Returns the path of the end for a terminal program.
        pub fn path(&self) -> &str {
            match *self {}
        }

        /// Returns the number of bytes that were dropped because the buffer was full.
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

        /// Returns received bytes.
        ///
        /// # Errors
        /// Never.
        pub fn read(&mut self, _: usize, _: Duration) -> io::Result<Vec<u8>> {
            match *self {}
        }
    }
}
