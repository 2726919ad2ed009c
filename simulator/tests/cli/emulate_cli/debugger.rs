//! A minimal debugger: sends packets of GDB's remote protocol and reads the answers.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::Duration;

/// Time limit for an answer.
const PATIENCE: Duration = Duration::from_secs(60);

pub struct Debugger {
    nudge: Child,
    connection: TcpStream,
    address: String,
}

impl Debugger {
    /// Starts `nudge emulate` with these arguments and `--gdb`, and connects.
    pub fn new(folder: &Path, arguments: &str) -> Self {
        let mut nudge = crate::command::nudge()
            .arg("emulate")
            .args(arguments.split_whitespace())
            .args(["--gdb", "127.0.0.1:0"])
            .current_dir(folder)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(nudge.stderr.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.trim().rsplit(' ').next().unwrap().to_owned();
        let connection = TcpStream::connect(&address).unwrap();
        connection.set_read_timeout(Some(PATIENCE)).unwrap();
        let mut debugger = Self { nudge, connection, address };
        debugger.ask("qSupported:swbreak+;hwbreak+;vContSupported+");
        debugger
    }

    /// Sends a packet and returns the answer.
    #[track_caller]
    pub fn ask(&mut self, packet: &str) -> String {
        let sum = packet.bytes().fold(0u8, u8::wrapping_add);
        write!(self.connection, "${packet}#{sum:02x}").unwrap();
        self.answer()
    }

    /// Sends the interrupt byte, like Ctrl-C in GDB.
    #[track_caller]
    pub fn interrupt(&mut self) -> String {
        self.connection.write_all(&[3]).unwrap();
        self.answer()
    }

    /// Sends a packet without waiting for the answer.
    pub fn tell(&mut self, packet: &str) {
        let sum = packet.bytes().fold(0u8, u8::wrapping_add);
        write!(self.connection, "${packet}#{sum:02x}").unwrap();
    }

    #[track_caller]
    fn answer(&mut self) -> String {
        let mut byte = || {
            let mut byte = [0];
            self.connection.read_exact(&mut byte).expect("an answer");
            char::from(byte[0])
        };
        while byte() != '$' {}
        let mut text = String::new();
        loop {
            match byte() {
                '#' => break,
                // Run-length encoding: the next character is the repeat count plus 29.
                '*' => {
                    let count = u32::from(byte()) - 29;
                    let last = text.chars().last().unwrap();
                    text.extend((0..count).map(|_| last));
                }
                other => text.push(other),
            }
        }
        byte();
        byte();
        self.connection.write_all(b"+").unwrap();
        text
    }

    /// Returns the output of GDB's `monitor COMMAND`.
    #[track_caller]
    pub fn monitor(&mut self, command: &str) -> String {
        let digits: String = command.bytes().map(|byte| format!("{byte:02x}")).collect();
        let mut answer = self.ask(&format!("qRcmd,{digits}"));
        let mut said = vec![];
        while answer != "OK" {
            let text = answer.strip_prefix('O').unwrap_or_else(|| panic!("no text: {answer}"));
            let byte = |at: usize| u8::from_str_radix(&text[at..at + 2], 16).unwrap();
            said.extend((0..text.len()).step_by(2).map(byte));
            answer = self.answer();
        }
        String::from_utf8(said).unwrap()
    }

    /// Returns the program counter.
    #[track_caller]
    pub fn pc(&mut self) -> u32 {
        self.register(15)
    }

    /// Returns a register, R0 to R15.
    #[track_caller]
    pub fn register(&mut self, number: usize) -> u32 {
        let registers = self.ask("g");
        swapped(&registers[number * 8..][..8])
    }

    /// Connects again to the same `nudge`, like another debugger.
    #[track_caller]
    pub fn attach_again(&mut self) {
        self.connection = TcpStream::connect(&self.address).unwrap();
        self.connection.set_read_timeout(Some(PATIENCE)).unwrap();
        self.ask("qSupported:swbreak+;hwbreak+;vContSupported+");
    }

    /// Sends these bytes unchanged and returns the next answer.
    #[track_caller]
    pub fn send(&mut self, bytes: &[u8]) -> String {
        self.connection.write_all(bytes).unwrap();
        self.answer()
    }

    /// Ends the program; returns the standard output of `nudge`.
    #[track_caller]
    pub fn kill(mut self) -> String {
        self.tell("k");
        let mut text = String::new();
        self.nudge.stdout.take().unwrap().read_to_string(&mut text).unwrap();
        text
    }

    /// Returns the word at an address.
    #[track_caller]
    pub fn word(&mut self, address: u32) -> u32 {
        swapped(&self.ask(&format!("m{address:x},4")))
    }
}

impl Drop for Debugger {
    fn drop(&mut self) {
        let _ = self.nudge.kill();
        let _ = self.nudge.wait();
    }
}

/// Parses a word of eight digits, least significant byte first.
#[track_caller]
fn swapped(digits: &str) -> u32 {
    u32::from_str_radix(digits, 16).unwrap_or_else(|_| panic!("no word: {digits}")).swap_bytes()
}
