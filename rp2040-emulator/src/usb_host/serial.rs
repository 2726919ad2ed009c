//! Serial ports of a device (CDC PSTN 1.2, abstract control model): bytes, DTR and line coding.

use super::descriptors::SerialFunction;
use super::enumeration::Purpose;
use super::pipe::Pipe;
use super::{Host, Setup};

/// Request type of a class request to an interface.
const TO_INTERFACE: u8 = 0x21;
const SET_LINE_CODING: u8 = 0x20;
const SET_CONTROL_LINE_STATE: u8 = 0x22;
/// Bits of data terminal ready and request to send.
const DTR_RTS: u16 = 3;

/// Format of a serial port's bytes, which is sent to the device (PSTN 1.2 section 6.3.10).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineCoding {
    /// Bits per second.
    pub baud: u32,
    /// Stop bits: 0 is one, 1 is one and a half, 2 is two.
    pub stop_bits: u8,
    /// Parity: none, odd, even, mark, space are 0 to 4.
    pub parity: u8,
    /// Data bits: 5 to 8, or 16.
    pub data_bits: u8,
}

impl Default for LineCoding {
    /// Returns 115,200 baud, 8N1.
    fn default() -> Self {
        Self { baud: 115_200, stop_bits: 0, parity: 0, data_bits: 8 }
    }
}

/// A serial port of the configured device.
#[derive(Clone, Copy, Debug)]
pub(super) struct Port {
    control: u8,
    input: usize,
    output: usize,
}

impl Host {
    /// Returns the number of serial ports of the configured device.
    pub fn ports(&self) -> usize {
        self.ports.len()
    }

    /// Opens a serial port (DTR high) or closes it (DTR low). A closed port is not read.
    pub fn open_port(&mut self, port: usize, open: bool) {
        let Some(port) = self.ports.get(port).copied() else { return };
        if let Some(pipe) = self.pipes.get_mut(port.input)
            && pipe.open != open
        {
            pipe.open = open;
            self.set_lines(port, open);
        }
    }

    /// Sends the format of a serial port's bytes to the device.
    pub fn set_line_coding(&mut self, port: usize, coding: LineCoding) {
        if let Some(port) = self.ports.get(port).copied() {
            self.send_line_coding(port, coding);
        }
    }

    /// Queues bytes for a serial port and returns the number that fitted.
    pub fn send(&mut self, port: usize, bytes: &[u8]) -> usize {
        self.output(port).map_or(0, |pipe| pipe.send(bytes))
    }

    /// Returns the number of bytes that a serial port's device has not accepted yet.
    pub fn waiting(&mut self, port: usize) -> usize {
        self.output(port).map_or(0, |pipe| pipe.waiting())
    }

    /// Returns the bytes received from a serial port since the last call.
    pub fn receive(&mut self, port: usize) -> Vec<u8> {
        let input = self.ports.get(port).map(|port| port.input);
        let pipe = input.and_then(|input| self.pipes.get_mut(input));
        pipe.map_or_else(Vec::new, |pipe| {
            pipe.take().into_iter().flat_map(|packet| packet.bytes).collect()
        })
    }

    /// Returns whether the pipe of this number is the output of a serial port.
    pub(super) fn is_serial_output(&self, number: usize) -> bool {
        self.ports.iter().any(|port| port.output == number)
    }

    fn output(&mut self, port: usize) -> Option<&mut Pipe> {
        let output = self.ports.get(port)?.output;
        self.pipes.get_mut(output)
    }

    /// Adds a serial port for a function of the configured device.
    pub(super) fn add_port(&mut self, function: &SerialFunction) {
        if let Some(number) = function.notifications.and_then(|it| self.pipe(it)) {
            self.pipes[number].discards = true;
        }
        let (Some(input), Some(output)) = (self.pipe(function.input), self.pipe(function.output))
        else {
            return;
        };
        let port = Port { control: function.control, input, output };
        let open = self.opens_ports;
        self.pipes[input].open = open;
        self.ports.push(port);
        self.send_line_coding(port, LineCoding::default());
        if open {
            self.set_lines(port, true);
        }
    }

    fn set_lines(&mut self, port: Port, open: bool) {
        let setup = Setup {
            request_type: TO_INTERFACE,
            request: SET_CONTROL_LINE_STATE,
            value: if open { DTR_RTS } else { 0 },
            index: port.control.into(),
            length: 0,
        };
        self.request(Purpose::Class, setup, vec![]);
    }

    fn send_line_coding(&mut self, port: Port, coding: LineCoding) {
        let mut data = coding.baud.to_le_bytes().to_vec();
        data.extend([coding.stop_bits, coding.parity, coding.data_bits]);
        let setup = Setup {
            request_type: TO_INTERFACE,
            request: SET_LINE_CODING,
            value: 0,
            index: port.control.into(),
            length: 7,
        };
        self.request(Purpose::Class, setup, data);
    }
}
