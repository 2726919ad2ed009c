//! Runs both firmwares on emulated chips. `nudge probe emulate` and `nudge replay` are two programs
//! connected by a pseudo-terminal, which a proxy disturbs.

use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use probe::Link as _;
use probe_port::SerialLink;

use super::port::Port;
use super::{board, ended, replay, trace};
use crate::command;

/// Factor by which the probe is slower than a real one: a whole screen takes this machine a few
/// seconds.
const SLOWER: &str = "4";
/// The proxy flips a bit in one of this many bytes.
const ONE_IN: u64 = 20_000;

/// A running `nudge probe emulate`, and the terminal that it serves.
struct Emulated {
    child: Child,
    port: PathBuf,
}

impl Emulated {
    /// Starts it with these faults of its wires.
    fn start(faults: &[&str]) -> Self {
        let mut command = command::nudge();
        command.args(["probe", "emulate", "--slower", SLOWER]).stdout(Stdio::piped());
        command.args(faults.iter().flat_map(|fault| ["--wire", fault]));
        let mut child = command.spawn().unwrap();
        let mut said = BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        said.read_line(&mut line).unwrap();
        Self { child, port: PathBuf::from(line.trim()) }
    }
}

impl Drop for Emulated {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn slow_replay(port: &Path) -> Command {
    let mut command = replay(&board(port), &trace("together"));
    command.env("NUDGE_PROBE_SLOWER", SLOWER);
    command
}

/// A proxy at the port `name`, connected to the terminal at `to`. It flips bits in both directions.
struct Proxy {
    ends: Arc<AtomicBool>,
    changed: Arc<AtomicU64>,
    thread: Option<JoinHandle<()>>,
}

impl Proxy {
    fn new(name: &Path, to: &Path) -> Self {
        let (ends, changed) = (Arc::<AtomicBool>::default(), Arc::<AtomicU64>::default());
        let mut host = Port::new(name);
        let mut probe = SerialLink::open(to).unwrap();
        let (stop, count) = (Arc::clone(&ends), Arc::clone(&changed));
        let thread = std::thread::spawn(move || {
            let mut passed = 0;
            let mut disturb = |bytes: &mut [u8]| {
                for byte in bytes {
                    passed += 1;
                    if passed % ONE_IN == 0 {
                        let nth = count.fetch_add(1, Ordering::Relaxed);
                        *byte ^= 1 << (nth % 8);
                    }
                }
            };
            let (mut buffer, mut there, mut back) = (vec![0; 4096], Vec::new(), Vec::new());
            while !stop.load(Ordering::Relaxed) {
                let mut heard = host.read(Duration::from_micros(200));
                disturb(&mut heard);
                there.extend(heard);
                let written = probe.write(&there).unwrap();
                there.drain(..written);
                let read = probe.read(&mut buffer, Duration::from_micros(200)).unwrap();
                disturb(&mut buffer[..read]);
                back.extend_from_slice(&buffer[..read]);
                let written = host.write(&back);
                back.drain(..written);
            }
        });
        Self { ends, changed, thread: Some(thread) }
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.ends.store(true, Ordering::Relaxed);
        let _ = self.thread.take().map(JoinHandle::join);
    }
}

#[test]
fn a_trace_passes_on_both_firmwares_even_with_flipped_bits() {
    let emulated = Emulated::start(&[]);
    let (code, said) = ended(&slow_replay(&emulated.port).output().unwrap());
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("1 passed"), "{said}");
    let folder = tempfile::tempdir().unwrap();
    let name = folder.path().join("proxy");
    let proxy = Proxy::new(&name, &emulated.port);
    let (code, said) = ended(&slow_replay(&name).output().unwrap());
    assert!(proxy.changed.load(Ordering::Relaxed) > 0, "nothing was disturbed");
    // A repeated packet may come too late, which is a valid reason.
    let is_late = said.contains("was not carried out: it reached the probe after its time");
    assert!(code == Some(0) || code == Some(3) && is_late, "{code:?}: {said}");
}

#[test]
fn the_doctor_names_the_faults_that_the_emulated_wires_were_given() {
    let doctor = |faults: &[&str], said: &[&str]| {
        let emulated = Emulated::start(faults);
        let mut command = command::nudge();
        command.args(["probe", "doctor"]).arg(&emulated.port).env("NUDGE_PROBE_SLOWER", SLOWER);
        let (code, out) = ended(&command.output().unwrap());
        assert_eq!(code, Some(1), "{faults:?}: {out}");
        assert!(said.iter().all(|said| out.contains(said)), "{faults:?}: {out}");
    };
    doctor(&["cut=lcd-dc"], &["LCD DC (GP20) stays"]);
    doctor(
        &["cut=b3", "swap=t1,reset"],
        &["presses of B3 (GP4): its wire is off", "T1 (GP8) and RESET (GP14) are exchanged"],
    );
}
