//! The USB host of `nudge emulate`: connects the program's serial ports to standard output or to
//! pseudo-terminals.

use std::io::{self, Write};
use std::time::Duration;

use escape::terminal::TextWriter;
use rp2040_emulator::chip::Chip;
use rp2040_emulator::usb_host::{Device, Event, Host};
use rp2040_tools::line::Line;
use rp2040_tools::pty::Pty;

use crate::cli::Usb;
use crate::environment::on_github;

/// Maximum number of bytes that wait for the program; further bytes stay in the pseudo-terminal.
const PENDING_BYTES_MAX: usize = 4096;
/// Maximum number of messages about devices. A program can connect and disconnect for ever.
const LINES_MAX: u32 = 16;
/// Maximum number of warnings about a device.
const WARNINGS_MAX: usize = 4;

/// The host's connections to the outside.
pub struct UsbPorts {
    mode: Usb,
    /// With `--pty`, one pseudo-terminal for each port, in the order of the ports.
    terminals: Option<Vec<Pty>>,
    lines: u32,
    /// Number of bytes of port 0 that were not shown because a UART is the console.
    hidden: u64,
}

impl UsbPorts {
    /// Connects a host to `chip`; does nothing with `--usb off`.
    pub fn connect(mode: Usb, pty: bool, chip: &mut Chip) -> Option<Self> {
        if mode == Usb::Off {
            return None;
        }
        // A port is opened only when something is connected to its other end.
        chip.attach_usb(Host::new().with_closed_ports());
        Some(Self { mode, terminals: pty.then(Vec::new), lines: 0, hidden: 0 })
    }

    /// Returns whether `--input` goes to USB only, not to the UART.
    pub fn takes_input(&self) -> bool {
        self.mode == Usb::Console && self.terminals.is_none()
    }

    /// Returns the number of bytes of port 0 that were not shown.
    pub fn hidden(&self) -> u64 {
        self.hidden
    }

    /// Returns the number of bytes that pseudo-terminals have lost.
    pub fn lost(&self) -> u64 {
        self.terminals.iter().flatten().map(Pty::lost).sum()
    }

    /// Exchanges bytes with the device, and returns those for the console. `uart` is set if the
    /// UART has sent something; `line` is the input that waits for the program.
    pub fn exchange(
        &mut self,
        chip: &mut Chip,
        uart: bool,
        line: &mut Line,
    ) -> io::Result<Vec<u8>> {
        // The usual case: the program does not use USB.
        if chip.usb_host().is_none_or(Host::is_idle) {
            return Ok(Vec::new());
        }
        let Some(host) = chip.usb_host_mut() else { return Ok(Vec::new()) };
        for event in host.take_events() {
            self.lines += 1;
            let mut stderr = io::stderr();
            // The device's names come from the program, so they may contain control characters.
            let mut err = TextWriter::new(&mut stderr, on_github());
            match event {
                _ if self.lines > LINES_MAX => {}
                Event::Configured => {
                    if let Some(device) = host.device() {
                        writeln!(err, "nudge: USB device {}", described(device))?;
                        for warning in device.configuration.warnings.iter().take(WARNINGS_MAX) {
                            writeln!(err, "nudge: a warning of the USB device: {warning}")?;
                        }
                    }
                }
                Event::Disconnected => writeln!(err, "nudge: the USB device is gone")?,
                Event::Failed(error) => writeln!(err, "nudge: the USB device fails: {error}")?,
            }
        }
        match &mut self.terminals {
            Some(terminals) => exchange_with_terminals(host, terminals).map(|()| Vec::new()),
            None => {
                let console = self.mode == Usb::Console || !uart;
                host.open_port(0, true);
                let bytes = host.receive(0);
                if !console {
                    self.hidden += bytes.len() as u64;
                    return Ok(Vec::new());
                }
                if host.ports() > 0 {
                    let room = PENDING_BYTES_MAX.saturating_sub(host.waiting(0));
                    host.send(0, &line.take(room));
                }
                Ok(bytes)
            }
        }
    }
}

/// Exchanges bytes with the pseudo-terminals, and opens one for each new port.
fn exchange_with_terminals(host: &mut Host, terminals: &mut Vec<Pty>) -> io::Result<()> {
    while terminals.len() < host.ports() {
        let pty = Pty::open_port()?;
        let mut err = io::stderr();
        writeln!(err, "nudge: USB serial port {} is {}", terminals.len(), pty.path())?;
        terminals.push(pty);
    }
    for (port, pty) in terminals.iter_mut().enumerate().take(host.ports()) {
        let open = pty.is_open()?;
        host.open_port(port, open);
        if open {
            let room = PENDING_BYTES_MAX.saturating_sub(host.waiting(port));
            host.send(port, &pty.read(room, Duration::ZERO)?);
            pty.write(&host.receive(port))?;
        }
    }
    Ok(())
}

fn described(device: &Device) -> String {
    let [_, product, _] = &device.strings;
    let numbers = [device.descriptor.vendor, device.descriptor.product];
    let [vendor, number] = numbers.map(|number| format!("{number:04x}"));
    let mut text = format!("{vendor}:{number}");
    if let Some(product) = product {
        text += &format!(" \"{product}\"");
    }
    let counted = |count: usize, one: &str, several: &str| match count {
        0 => None,
        1 => Some(format!("one {one}")),
        count => Some(format!("{count} {several}")),
    };
    let functions = [
        counted(device.serials.len(), "serial port", "serial ports"),
        counted(device.hids.len(), "human interface device", "human interface devices"),
    ];
    let functions: Vec<String> = functions.into_iter().flatten().collect();
    if !functions.is_empty() {
        text += &format!(" with {}", functions.join(" and "));
    }
    text
}
