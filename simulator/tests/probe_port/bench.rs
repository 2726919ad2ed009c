//! A software probe connected to a port, in real time, with `native` as its board.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

use firmware_board::header;
use firmware_board::native::Native;
use hal_mock::BoardConfig;
use host::clock::Stopwatch;
use probe::Link as _;
use probe::software::{Flaws, SoftwareProbe, WireFlaw};
use probe_protocol::Wire;
use runner::open_trace;
use trace::Button;
use virtual_time::Nanos;

use super::port::Port;

/// Each change of the pressed buttons, with the time since the test began.
pub type Seen = Arc<Mutex<Vec<(Duration, Vec<Button>)>>>;

/// The state of the port, shared between the test and the probe's thread.
#[derive(Default)]
struct Shared {
    ends: AtomicBool,
    /// Set if the cable is not connected.
    pulled: AtomicBool,
    /// Set if the probe has restarted into its boot loader.
    in_boot_loader: AtomicBool,
    /// This wire breaks when exactly these buttons are pressed.
    breaks: Mutex<Option<(Vec<Button>, Wire)>>,
}

/// A software probe on its own thread.
pub struct Bench {
    pub port: PathBuf,
    /// Each change of the pressed buttons.
    pub buttons: Seen,
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

impl Bench {
    /// Connects the board that the header of `trace` describes to the port `name`.
    pub fn new(name: &Path, trace: &Path, flaws: Flaws) -> Self {
        let shared = Arc::new(Shared::default());
        let buttons = Seen::default();
        let (trace, path) = (trace.to_owned(), name.to_owned());
        let mut port = Port::new(name);
        let (of_thread, seen) = (Arc::clone(&shared), Arc::clone(&buttons));
        let thread = std::thread::spawn(move || {
            let trace = open_trace(&trace).unwrap();
            let config = header::board(&trace, None).unwrap();
            // The probe's pins replace the contacts, so there is no bounce.
            let config = BoardConfig { bounce: Nanos::ZERO, ..config };
            let mut probe = SoftwareProbe::new(Box::new(Native::new(config)), flaws);
            run(&mut probe, &mut port, &of_thread, &seen);
        });
        Self { port: path, buttons, shared, thread: Some(thread) }
    }

    /// Makes `wire` break when `buttons` are pressed.
    pub fn break_when_down(&self, buttons: &[Button], wire: Wire) {
        *self.shared.breaks.lock().unwrap() = Some((buttons.to_vec(), wire));
    }

    /// Disconnects the cable, or connects it again.
    pub fn pull(&self, pulled: bool) {
        self.shared.pulled.store(pulled, Ordering::Relaxed);
    }

    /// Waits until the probe has restarted into its boot loader.
    #[track_caller]
    pub fn until_in_boot_loader(&self, most: Duration) {
        let begun = Stopwatch::start();
        while !self.shared.in_boot_loader.load(Ordering::Relaxed) {
            assert!(begun.elapsed() < most, "it has not restarted");
            host::clock::wait(Duration::from_millis(2));
        }
    }

    /// Waits until the pressed buttons are `wanted`; returns the time that this took, at most
    /// `most`.
    #[track_caller]
    pub fn until_down(&self, wanted: &[Button], most: Duration) -> Duration {
        let begun = Stopwatch::start();
        loop {
            let down = self.buttons.lock().unwrap().last().map(|(_, down)| down.clone());
            if down.unwrap_or_default() == wanted {
                return begun.elapsed();
            }
            assert!(begun.elapsed() < most, "{:?}", self.buttons.lock().unwrap());
            host::clock::wait(Duration::from_millis(2));
        }
    }
}

impl Drop for Bench {
    fn drop(&mut self) {
        self.shared.ends.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take()
            && thread.join().is_err()
            && !std::thread::panicking()
        {
            panic!("the probe in software has panicked");
        }
    }
}

/// Runs the probe with its clock at wall time.
fn run(probe: &mut SoftwareProbe, port: &mut Port, shared: &Shared, seen: &Seen) {
    let begun = Stopwatch::start();
    let (mut said, mut is_plugged) = (Vec::new(), true);
    let mut buffer = vec![0; 4096];
    let board = probe.bench();
    while !shared.ends.load(Ordering::Relaxed) {
        let pulled = shared.pulled.load(Ordering::Relaxed);
        if pulled == is_plugged {
            is_plugged = !pulled;
            if is_plugged {
                // Bytes on the line are lost.
                said.clear();
                port.plug();
                probe.reconnect(Duration::ZERO).unwrap();
            } else {
                port.pull();
            }
        }
        let heard = port.read(Duration::from_micros(500));
        probe.write(&heard).unwrap();
        let elapsed = begun.elapsed();
        while probe.now() < elapsed {
            let left = elapsed.saturating_sub(probe.now());
            let read = probe.read(&mut buffer, left).unwrap();
            said.extend_from_slice(&buffer[..read]);
        }
        let written = port.write(&said);
        said.drain(..written);
        shared.in_boot_loader.store(board.is_in_boot_loader(), Ordering::Relaxed);
        let down = board.buttons_down();
        let is_now = |(buttons, _): &mut (Vec<Button>, Wire)| *buttons == down;
        if let Some((_, wire)) = shared.breaks.lock().unwrap().take_if(is_now) {
            probe.break_wire(WireFlaw::Stuck(wire, false));
        }
        let mut seen = seen.lock().unwrap();
        if seen.last().is_none_or(|(_, last)| *last != down) {
            seen.push((elapsed, down));
        }
    }
}
