//! A debugger's connection that passes on only complete packets.
//!
//! `gdbstub` ends the session at a packet whose checksum is wrong, that is longer than its buffer,
//! or that it cannot read. The protocol has answers to all three (GDB manual, E.1): `-` requests
//! the packet again, and an error refuses it. Acknowledgements of the debugger are removed, because
//! TCP loses nothing.

use std::collections::VecDeque;
use std::io::{self, ErrorKind};
use std::net::TcpStream;

use gdbstub::conn::{Connection, ConnectionExt};

/// Longest packet: the size of `gdbstub`'s buffer.
const PACKET_MAX: usize = 4096;
/// Byte of a Ctrl-C, which is sent outside of packets.
const INTERRUPT: u8 = 3;
/// Answer to a packet that cannot be interpreted.
pub const REFUSAL: &[u8] = b"$E01#a6";

/// A connection to a debugger.
#[derive(Debug)]
pub struct Packets {
    stream: TcpStream,
    /// Received bytes of a packet, from its `$` on; empty between two packets.
    partial: Vec<u8>,
    /// Complete packets and interrupts that have not been read.
    whole: VecDeque<u8>,
}

/// Handling of a complete packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Packet {
    Whole,
    WrongSum,
    TooLong,
}

impl Packets {
    pub fn new(stream: TcpStream) -> Self {
        Self { stream, partial: Vec::new(), whole: VecDeque::new() }
    }

    /// Takes received bytes. A complete but invalid packet is answered at once.
    fn take(&mut self, bytes: &[u8]) -> io::Result<()> {
        for byte in bytes {
            match take_byte(&mut self.partial, *byte) {
                None if self.partial.is_empty() && *byte == INTERRUPT => {
                    self.whole.push_back(INTERRUPT);
                }
                None => {}
                Some(Packet::Whole) => self.whole.extend(self.partial.drain(..)),
                Some(Packet::WrongSum) => {
                    self.partial.clear();
                    self.answer(b"-")?;
                }
                Some(Packet::TooLong) => {
                    self.partial.clear();
                    self.answer(b"+")?;
                    self.answer(REFUSAL)?;
                }
            }
        }
        Ok(())
    }

    fn answer(&mut self, bytes: &[u8]) -> io::Result<()> {
        io::Write::write_all(&mut self.stream, bytes)
    }

    /// Receives the bytes that have arrived, or waits for some. Returns false if none have.
    fn receive(&mut self, wait: bool) -> io::Result<bool> {
        self.stream.set_nonblocking(!wait)?;
        let mut bytes = [0; 1024];
        let result = io::Read::read(&mut self.stream, &mut bytes);
        self.stream.set_nonblocking(false)?;
        match result {
            Ok(0) => Err(ErrorKind::UnexpectedEof.into()),
            Ok(count) => self.take(&bytes[..count]).map(|()| true),
            Err(error) if error.kind() == ErrorKind::Interrupted => Ok(true),
            Err(error) if !wait && error.kind() == ErrorKind::WouldBlock => Ok(false),
            Err(error) => Err(error),
        }
    }
}

/// Adds a byte to a packet. Returns the handling of the packet when it is complete. Outside of a
/// packet only `$` is added.
fn take_byte(partial: &mut Vec<u8>, byte: u8) -> Option<Packet> {
    if partial.is_empty() && byte != b'$' {
        return None;
    }
    // Only the beginning and the last bytes of a packet that is too long are stored.
    if partial.len() > PACKET_MAX {
        partial.remove(PACKET_MAX - 3);
    }
    partial.push(byte);
    let body = partial.len().checked_sub(3).filter(|end| *end > 0 && partial[*end] == b'#')?;
    if partial.len() > PACKET_MAX {
        return Some(Packet::TooLong);
    }
    let sum = partial[1..body].iter().fold(0u8, |sum, byte| sum.wrapping_add(*byte));
    let digits = std::str::from_utf8(&partial[body + 1..]).ok();
    let wanted = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok());
    Some(if wanted == Some(sum) { Packet::Whole } else { Packet::WrongSum })
}

impl Connection for Packets {
    type Error = io::Error;

    fn write(&mut self, byte: u8) -> io::Result<()> {
        self.answer(&[byte])
    }

    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.answer(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        io::Write::flush(&mut self.stream)
    }

    fn on_session_start(&mut self) -> io::Result<()> {
        self.stream.set_nodelay(true)
    }
}

impl ConnectionExt for Packets {
    fn read(&mut self) -> io::Result<u8> {
        loop {
            if let Some(byte) = self.whole.pop_front() {
                return Ok(byte);
            }
            self.receive(true)?;
        }
    }

    fn peek(&mut self) -> io::Result<Option<u8>> {
        if self.whole.is_empty() {
            self.receive(false)?;
        }
        Ok(self.whole.front().copied())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the handling of each packet in `bytes`.
    fn packets(bytes: &[u8]) -> Vec<Packet> {
        let mut partial = Vec::new();
        let take = |byte: &u8| {
            let packet = take_byte(&mut partial, *byte);
            if packet.is_some() {
                partial.clear();
            }
            packet
        };
        bytes.iter().filter_map(take).collect()
    }

    #[test]
    fn only_a_complete_packet_is_accepted() {
        assert_eq!(packets(b"+$g#67"), [Packet::Whole]);
        assert_eq!(
            packets(b"#00$g#68-$g#zz$g#67"),
            [Packet::WrongSum, Packet::WrongSum, Packet::Whole]
        );
        assert_eq!(packets(b"$#00"), [Packet::Whole]);
        assert_eq!(packets(b"$g#6"), []);
    }

    #[test]
    fn a_packet_longer_than_the_buffer_is_refused() {
        for (length, expected) in [(PACKET_MAX - 4, Packet::Whole), (PACKET_MAX, Packet::TooLong)] {
            let sum = vec![b'a'; length].iter().fold(0u8, |sum, byte| sum.wrapping_add(*byte));
            let packet = format!("${}#{sum:02x}$g#67", "a".repeat(length));
            assert_eq!(packets(packet.as_bytes()), [expected, Packet::Whole], "{length}");
        }
        assert_eq!(packets(&[b"$" as &[u8], &[b'a'; 100_000], b"#00"].concat()), [Packet::TooLong]);
    }
}
