//! A selected debug port: how it is woken, selected and powered up, and its errors.

use probe_protocol::swd::{Register, SwdEnd};

use super::batch::Batch;
use super::error::SwdError;
use super::link::{BatchResult, SwdLink};

/// TARGETSEL of core 0's port (RP2040 datasheet 2.3.4.1).
const TARGETSEL_CORE_0: u32 = 0x0100_2927;
/// DPIDR of an RP2040 (RP2040 datasheet 2.3.4).
const DPIDR_RP2040: u32 = 0x0BC1_2477;

// Debug port, ADIv5.2 B2.2.
const DPIDR: Register = Register::dp(0x0);
const ABORT: Register = Register::dp(0x0);
const CTRL_STAT: Register = Register::dp(0x4);
const SELECT: Register = Register::dp(0x8);
pub(super) const RDBUFF: Register = Register::dp(0xC);
const TARGETSEL: Register = Register::dp(0xC);
// Access port, ADIv5.2 C2.6.
const CSW: Register = Register::ap(0x0);
pub(super) const TAR: Register = Register::ap(0x4);
pub(super) const DRW: Register = Register::ap(0xC);

/// ABORT: clears every sticky flag (ADIv5.2 B2.2.1).
const ABORT_CLEAR: u32 = 0x1E;
/// CTRL/STAT: requests power for the debug domain and the system (ADIv5.2 B2.2.2).
const POWER_UP: u32 = 0x5000_0000;
const POWERED_UP: u32 = 0xA000_0000;
/// CSW: a privileged data access by the debugger, words, with increment (ADIv5.2 C2.6.4).
const CSW_WORDS: u32 = 0x2300_0012;

/// The selection alert in the order on the wire (ADIv5.2 B5.3.4).
const ALERT: u128 = 0x19BC_0EA2_E3DD_AFE9_8685_2D95_6209_F392;
/// Activation code of the serial wire protocol.
const ACTIVATE_SWD: u8 = 0x1A;
/// High bits of a line reset; the port needs 50 (ADIv5.2 B4.3.3).
const RESET_BITS: u8 = 64;
/// Number of times that a port is selected before it counts as silent.
const ATTEMPTS: u32 = 3;

/// The debug port of core 0 of the board's chip.
pub struct DebugPort<'l> {
    link: &'l mut dyn SwdLink,
}

impl<'l> DebugPort<'l> {
    /// Wakes the port, selects it and powers the debug domain up. No core is halted.
    ///
    /// # Errors
    /// Returns an error if no RP2040 answers.
    pub fn connect(link: &'l mut dyn SwdLink) -> Result<Self, SwdError> {
        let mut port = Self { link };
        port.reconnect()?;
        Ok(port)
    }

    /// As [`connect`](Self::connect), after a reset of the chip.
    pub(super) fn reconnect(&mut self) -> Result<(), SwdError> {
        let mut attempt = 1;
        loop {
            match self.select() {
                Err(SwdError::NoAnswer | SwdError::Garbled | SwdError::Busy)
                    if attempt < ATTEMPTS =>
                {
                    attempt += 1;
                }
                ended => return ended,
            }
        }
    }

    fn select(&mut self) -> Result<(), SwdError> {
        let mut batch = Batch::new();
        batch.sequence(8, &[0xFF]);
        batch.sequence(128, &ALERT.to_le_bytes());
        batch.sequence(4, &[0]);
        batch.sequence(8, &[ACTIVATE_SWD]);
        batch.sequence(RESET_BITS, &[0xFF; RESET_BITS as usize / 8]);
        batch.sequence(8, &[0]);
        // No port drives the acknowledgement of TARGETSEL, so it is a sequence: the request, five
        // bits, the value and its parity (ADIv5.2 B4.3.4).
        let value = u64::from(TARGETSEL_CORE_0);
        let parity = u64::from(TARGETSEL_CORE_0.count_ones() & 1);
        let bits = u64::from(TARGETSEL.request(false)) | 0x1F << 8 | value << 13 | parity << 45;
        batch.sequence(46, &bits.to_le_bytes()[..6]);
        batch.read(DPIDR, 1);
        let found = self.run(&batch)?;
        match found[..] {
            [DPIDR_RP2040] => {}
            [other] => return Err(SwdError::OtherChip(other)),
            _ => return Err(SwdError::Garbled),
        }
        let mut batch = Batch::new();
        batch.write(ABORT, &[ABORT_CLEAR]);
        batch.write(SELECT, &[0]);
        batch.write(CTRL_STAT, &[POWER_UP]);
        batch.read(CTRL_STAT, 1);
        let status = self.run(&batch)?.first().copied().unwrap_or(0);
        if status & POWERED_UP != POWERED_UP {
            return Err(SwdError::NotPoweredUp(status));
        }
        let mut batch = Batch::new();
        batch.write(CSW, &[CSW_WORDS]);
        self.run(&batch).map(drop)
    }

    /// Returns the current time of the link, in nanoseconds.
    pub(super) fn now_ns(&mut self) -> u64 {
        self.link.now_ns()
    }

    /// Executes a batch whose accesses begin at `address`, and returns the words that it read. An
    /// error on the chip's bus is cleared.
    pub(super) fn run_at(&mut self, batch: &Batch, address: u32) -> Result<Vec<u32>, SwdError> {
        match self.run(batch) {
            Err(SwdError::Bus(_)) => {
                let mut clear = Batch::new();
                clear.write(ABORT, &[ABORT_CLEAR]);
                self.run(&clear)?;
                Err(SwdError::Bus(address))
            }
            ended => ended,
        }
    }

    fn run(&mut self, batch: &Batch) -> Result<Vec<u32>, SwdError> {
        let BatchResult { end, transfers, words } = self.link.execute(batch.bytes())?;
        match end {
            SwdEnd::Done => Ok(words),
            SwdEnd::Wait => Err(SwdError::Busy),
            SwdEnd::Fault => Err(SwdError::Bus(0)),
            // A port that has answered once is connected.
            SwdEnd::NoAck if transfers == 0 => Err(SwdError::NoAnswer),
            SwdEnd::NoAck | SwdEnd::Parity => Err(SwdError::Garbled),
            SwdEnd::NotABatch => Err(crate::error::ProbeError::UnknownMessage.into()),
            SwdEnd::NoPower => Err(SwdError::NoPower),
        }
    }
}
