//! `--pty`: a pseudo-terminal whose other end a terminal program opens like a serial port.
//!
//! [`Pty::path`] is that end. Bytes go through as they are, without echo, and nobody waits: what is
//! written while nobody reads stays until the system's buffer is full (4 KiB on Linux), and is then
//! lost and counted, as on a wire to nowhere. Unix only.

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
        /// Held open, so that its settings stay and reading waits while no other program has it.
        _theirs: OwnedFd,
        path: String,
        lost: u64,
    }

    impl Pty {
        /// A new one.
        ///
        /// # Errors
        /// The system has none left, or does not allow it.
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
            Ok(Self { ours, _theirs: theirs, path, lost: 0 })
        }

        /// The end for a terminal program.
        pub fn path(&self) -> &str {
            &self.path
        }

        /// Bytes that found no room.
        pub fn lost(&self) -> u64 {
            self.lost
        }

        /// Sends `bytes`, as many as there is room for.
        ///
        /// # Errors
        /// Those of the system.
        pub fn write(&mut self, mut bytes: &[u8]) -> io::Result<()> {
            while !bytes.is_empty() {
                match rustix::io::write(&self.ours, bytes) {
                    Ok(written) => bytes = &bytes[written..],
                    Err(Errno::INTR) => {}
                    Err(Errno::AGAIN) => {
                        self.lost += bytes.len() as u64;
                        break;
                    }
                    Err(error) => return Err(error.into()),
                }
            }
            Ok(())
        }

        /// What has come in, `most` bytes of it, once something has or `patience` is over.
        ///
        /// # Errors
        /// Those of the system.
        pub fn read(&mut self, most: usize, patience: Duration) -> io::Result<Vec<u8>> {
            let patience = Timespec {
                tv_sec: patience.as_secs().try_into().unwrap_or(i64::MAX),
                tv_nsec: patience.subsec_nanos().into(),
            };
            let mut waited = [PollFd::new(&self.ours, PollFlags::IN)];
            // With no room there is nothing to wait for but the time.
            let waited = if most == 0 { &mut [][..] } else { &mut waited[..] };
            match poll(waited, Some(&patience)) {
                // A signal: whoever sent it wants to be heard first.
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
                Err(Errno::AGAIN | Errno::INTR) => Ok(vec![]),
                Err(error) => Err(error.into()),
            }
        }
    }
}

#[cfg(not(unix))]
mod elsewhere {
    use std::io;
    use std::time::Duration;

    /// There is none on this system.
    #[derive(Debug)]
    pub enum Pty {}

    impl Pty {
        /// A new one.
        ///
        /// # Errors
        /// Always.
        pub fn open() -> io::Result<Self> {
            Err(io::Error::new(io::ErrorKind::Unsupported, "this system has no pseudo-terminals"))
        }

        /// The end for a terminal program.
        pub fn path(&self) -> &str {
            match *self {}
        }

        /// Bytes that found no room.
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

        /// What has come in.
        ///
        /// # Errors
        /// Never.
        pub fn read(&mut self, _: usize, _: Duration) -> io::Result<Vec<u8>> {
            match *self {}
        }
    }
}
