//! `nudge run --gdb`: joins the GDB server, the emulated chip and the session.

use std::net::{SocketAddr, TcpListener};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use boards::pico::ChipDebugger;
use boards::{Board, BoardFactory};
use rp2040_emulator::chip::{Chip, Halt};
use rp2040_emulator::program::Program;
use rp2040_tools::gdb::SessionServer;

/// Reason why no debugger can connect to a session.
#[derive(Debug, thiserror::Error)]
pub enum GdbError {
    #[error(
        "`--gdb` debugs the program of an emulated chip, and `{0}` is none; add `--board pico`, or \
         `--board pico=FILE` with the program's ELF file"
    )]
    NoChip(Board),
    #[error("no debugger can connect to {address}: {error}")]
    Listen {
        address: String,
        #[source]
        error: std::io::Error,
    },
}

/// A debugger of a session on an emulated chip.
pub struct SessionDebugger {
    server: Mutex<SessionServer>,
    /// Whether the chip that runs is the session's.
    is_engaged: AtomicBool,
    is_stopped: AtomicBool,
}

impl SessionDebugger {
    /// Listens at `address` for debuggers of the program that `factory` runs. Returns the debugger,
    /// the program, and the address.
    ///
    /// # Errors
    /// If the board runs no program, or the address cannot be used.
    pub fn listen(
        address: &str,
        board: &Board,
        factory: &BoardFactory,
    ) -> Result<(Arc<Self>, Arc<Program>, SocketAddr), GdbError> {
        let program = factory.program().ok_or_else(|| GdbError::NoChip(board.clone()))?;
        let listening = listener(address).and_then(|listener| {
            let local = listener.local_addr()?;
            Ok((SessionServer::new(listener, Arc::clone(program))?, local))
        });
        let (server, local) =
            listening.map_err(|error| GdbError::Listen { address: address.to_owned(), error })?;
        let debugger = Self {
            server: Mutex::new(server),
            is_engaged: AtomicBool::new(false),
            is_stopped: AtomicBool::new(false),
        };
        Ok((Arc::new(debugger), Arc::clone(program), local))
    }
}

/// Listens at an address. As in GDB, one without a host is this computer.
pub fn listener(address: &str) -> std::io::Result<TcpListener> {
    let full =
        if address.starts_with(':') { format!("127.0.0.1{address}") } else { address.into() };
    TcpListener::bind(full)
}

impl ChipDebugger for SessionDebugger {
    fn run(&self, chip: &mut Chip, until_ns: u64) -> Halt {
        if !self.is_engaged.load(Ordering::Relaxed) {
            return chip.run(until_ns);
        }
        let mut server = self.server.lock().unwrap_or_else(PoisonError::into_inner);
        let halt = server.run(chip, until_ns);
        self.is_stopped.store(server.is_stopped(), Ordering::Relaxed);
        halt
    }

    fn is_stopped(&self) -> bool {
        self.is_engaged.load(Ordering::Relaxed) && self.is_stopped.load(Ordering::Relaxed)
    }
}

impl live::Debugger for SessionDebugger {
    fn engage(&self, on: bool) {
        self.is_engaged.store(on, Ordering::Relaxed);
    }

    fn is_stopped(&self) -> bool {
        self.is_stopped.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};
    use std::net::TcpStream;
    use std::path::Path;
    use std::time::Duration;

    use host::clock::Stopwatch;
    use live::{Command, Live, Setup, Update, spawn};

    use super::*;
    use crate::board_factory::board_factory;

    /// Time limit of a wait.
    const PATIENCE: Duration = Duration::from_secs(60);

    /// Starts a session with a debugger; returns it and the debugger's address.
    fn session() -> (Live, SocketAddr) {
        let path = Path::new(env!("CARGO_MANIFEST_DIR"));
        let path = path.join("../rp2040-emulator/tests/embassy/usb_embassy.elf");
        let board = Board::Pico(Some(path));
        let factory = board_factory(&board).unwrap();
        let (debugger, _, local) =
            SessionDebugger::listen("127.0.0.1:0", &board, &factory).unwrap();
        let chip = Arc::clone(&debugger);
        let session = boards::session::Session::default();
        let machine = move || session.debugged_machine(&factory, Arc::clone(&chip) as Arc<_>);
        let debugger = Some(debugger as Arc<dyn live::Debugger>);
        (spawn(machine, Setup { debugger, ..Setup::default() }).unwrap(), local)
    }

    /// Waits for an update.
    #[track_caller]
    fn update(live: &Live, wanted: impl Fn(&Update) -> bool) -> Update {
        let clock = Stopwatch::start();
        while clock.elapsed() < PATIENCE {
            match live.update().unwrap() {
                Some(update) if wanted(&update) => return update,
                _ => std::thread::park_timeout(Duration::from_millis(5)),
            }
        }
        panic!("no such update");
    }

    fn send(gdb: &mut TcpStream, body: &str) {
        let sum = body.bytes().fold(0_u8, |sum, byte| sum.wrapping_add(byte));
        gdb.write_all(format!("${body}#{sum:02x}").as_bytes()).unwrap();
    }

    /// Returns the body of the next packet.
    fn answer(gdb: &mut TcpStream) -> String {
        let mut bytes = Vec::new();
        let mut byte = [0];
        while !bytes.ends_with(b"#") {
            gdb.read_exact(&mut byte).unwrap();
            bytes.push(byte[0]);
        }
        gdb.read_exact(&mut [0; 2]).unwrap();
        let text = String::from_utf8_lossy(&bytes).into_owned();
        gdb.write_all(b"+").unwrap();
        text.trim_start_matches(['+', '$']).trim_end_matches('#').to_owned()
    }

    #[test]
    fn a_session_stops_with_its_debugger_and_continues_with_it() {
        let (mut live, address) = session();
        update(&live, |update| !update.status.debugged);
        let mut gdb = TcpStream::connect(address).unwrap();
        gdb.set_read_timeout(Some(PATIENCE)).unwrap();
        let stopped = update(&live, |update| update.status.debugged).now;
        send(&mut gdb, "?");
        assert!(answer(&mut gdb).starts_with(['T', 'S']));
        send(&mut gdb, "g");
        let registers = answer(&mut gdb);
        assert!(!registers.is_empty() && !registers.starts_with('E'), "{registers}");
        send(&mut gdb, "vCont;s:p1.1");
        assert!(answer(&mut gdb).starts_with('T'));
        send(&mut gdb, "g");
        assert_ne!(answer(&mut gdb), registers);
        send(&mut gdb, "m20000000,4");
        assert!(!answer(&mut gdb).starts_with('E'));
        // A pause of the user does not keep the debugger from an answer.
        live.send(Command::Pause(true)).unwrap();
        send(&mut gdb, "m20000000,4");
        assert!(!answer(&mut gdb).starts_with('E'));
        live.send(Command::Pause(false)).unwrap();
        send(&mut gdb, "vCont;c");
        let later = stopped.saturating_add(virtual_time::Nanos::from_secs(1));
        update(&live, |update| !update.status.debugged && update.now > later);
        gdb.write_all(&[3]).unwrap();
        assert!(answer(&mut gdb).starts_with("T02"));
        update(&live, |update| update.status.debugged);
        drop(gdb);
        update(&live, |update| !update.status.debugged);
        // Another debugger may connect, and a `kill` leaves the session alone.
        let mut gdb = TcpStream::connect(address).unwrap();
        update(&live, |update| update.status.debugged);
        send(&mut gdb, "k");
        update(&live, |update| !update.status.debugged);
        live.quit().unwrap();
    }

    #[test]
    fn a_board_without_a_chip_has_no_debugger() {
        let native = Board::default();
        let factory = board_factory(&native).unwrap();
        let error = SessionDebugger::listen(":0", &native, &factory).map(drop).unwrap_err();
        assert!(error.to_string().contains("add `--board pico`"), "{error}");
    }
}
