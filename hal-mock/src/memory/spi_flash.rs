//! An SPI flash chip with one data line in each direction: commands, busy times, a page buffer that
//! wraps, and erasing (Winbond W25Q16JV datasheet, revision H, chapters 7 and 8).
//!
//! A command that changes the chip is executed when chip select rises after whole bytes, if it
//! follows a Write Enable and the chip is not busy. While it is busy only the status can be read.
//! An operation that loses its power is half done. Commands with two or four data lines, write
//! protection, suspending and the SFDP table do not exist.

use super::SpiPart;
use super::content::Content;

const PAGE: u64 = 256;
const KIB: u64 = 1 << 10;
const MS: u64 = 1_000_000;

/// Manufacturer of Winbond, and the type of the W25Q family (table 8.1.1).
const MANUFACTURER: u8 = 0xEF;
const MEMORY_TYPE: u8 = 0x40;
/// The unique number, which each chip has.
const UNIQUE: [u8; 8] = *b"nudge-01";

const BUSY: u8 = 1; // status register 1, 7.1.1
const WEL: u8 = 1 << 1; // status register 1, 7.1.2

// Typical times (AC characteristics, 9.6). That of the whole chip is 5 s for 2 MiB.
const PAGE_PROGRAM_NS: u64 = 400_000;
const STATUS_WRITE_NS: u64 = 10 * MS;
const SECTOR_ERASE_NS: u64 = 45 * MS;
const BLOCK_ERASE_32K_NS: u64 = 120 * MS;
const BLOCK_ERASE_64K_NS: u64 = 150 * MS;
const CHIP_ERASE_NS_PER_KIB: u64 = 5_000 * MS / 2_048;
const POWER_DOWN_NS: u64 = 3_000;
const RESET_NS: u64 = 30_000;

/// An SPI flash chip.
#[derive(Clone, Debug)]
pub struct SpiFlash {
    content: Content,
    /// The command, its address and number of received bytes since chip select fell.
    command: Option<u8>,
    address: u64,
    count: u64,
    /// Bytes of a page program, and the mask of the received ones.
    page: Box<[u8; PAGE as usize]>,
    filled: [bool; PAGE as usize],
    is_write_enabled: bool,
    is_reset_enabled: bool,
    /// Operation that changes the content, with the times of its start and its end.
    operation: Option<Operation>,
    /// Time until which the chip changes between power-down and standby, or resets.
    settles_ns: u64,
    is_down: bool,
    /// Time of the last event.
    now_ns: u64,
}

#[derive(Clone, Debug)]
struct Operation {
    start_ns: u64,
    end_ns: u64,
    change: Change,
}

#[derive(Clone, Debug)]
enum Change {
    /// A write of the status registers, which have no other bits.
    Status,
    /// Bits of a page are cleared.
    Program {
        address: u64,
        page: Box<[u8; PAGE as usize]>,
    },
    Erase {
        address: u64,
        bytes: u64,
    },
}

impl SpiFlash {
    /// Creates a chip that has got power.
    pub fn new(content: Content) -> Self {
        Self {
            content,
            command: None,
            address: 0,
            count: 0,
            page: Box::new([0xFF; PAGE as usize]),
            filled: [false; PAGE as usize],
            is_write_enabled: false,
            is_reset_enabled: false,
            operation: None,
            settles_ns: 0,
            is_down: false,
            now_ns: 0,
        }
    }

    /// Returns the content when the power fails at `ns`. An unfinished operation has changed the
    /// share of its bytes that corresponds to its time.
    pub fn content_at(&self, ns: u64) -> Content {
        let mut content = self.content.clone();
        if let Some(operation) = &self.operation {
            let lasts = operation.end_ns.saturating_sub(operation.start_ns).max(1);
            let passed = ns.saturating_sub(operation.start_ns).min(lasts);
            apply(&mut content, &operation.change, passed, lasts);
        }
        content
    }

    /// Ends the operation whose time is over.
    fn advance(&mut self, ns: u64) {
        self.now_ns = ns;
        if let Some(operation) = self.operation.take_if(|operation| operation.end_ns <= ns) {
            apply(&mut self.content, &operation.change, 1, 1);
            self.is_write_enabled = false;
        }
    }

    fn status(&self) -> u8 {
        let busy = if self.operation.is_some() { BUSY } else { 0 };
        busy | if self.is_write_enabled { WEL } else { 0 }
    }

    /// Returns the code of the size in identifications: the power of two.
    fn size_code(&self) -> u8 {
        self.content.size().max(1).ilog2() as u8
    }

    /// Returns whether the chip executes this command now.
    fn accepts(&self, command: u8) -> bool {
        match command {
            _ if self.now_ns < self.settles_ns => false,
            0xAB => self.operation.is_none(),
            _ if self.is_down => false,
            0x05 | 0x35 | 0x15 => true,
            _ => self.operation.is_none(),
        }
    }

    /// Returns the number of bytes of the address and of dummies after a command.
    fn shape(command: u8) -> (u64, u64) {
        match command {
            0x02 | 0x03 | 0x20 | 0x52 | 0xD8 | 0x90 => (3, 0),
            0x0B => (3, 1),
            0x4B => (0, 4),
            0xAB => (0, 3),
            _ => (0, 0),
        }
    }

    /// Starts an operation that needs a Write Enable.
    fn begin(&mut self, ns: u64, lasts_ns: u64, change: Change) {
        if self.is_write_enabled {
            let end_ns = ns.saturating_add(lasts_ns);
            self.operation = Some(Operation { start_ns: ns, end_ns, change });
        }
    }

    fn erase(&mut self, ns: u64, bytes: u64, lasts_ns: u64) {
        // The address bits below the size have no effect (8.2.13).
        let address = self.address % self.content.size().max(1) / bytes * bytes;
        self.begin(ns, lasts_ns, Change::Erase { address, bytes });
    }

    /// Executes the command that ends at `ns`.
    fn execute(&mut self, ns: u64, command: u8) {
        let (addresses, _) = Self::shape(command);
        let has_address = self.count == addresses;
        let can_reset = std::mem::take(&mut self.is_reset_enabled);
        match command {
            0x06 => self.is_write_enabled = true,
            0x04 => self.is_write_enabled = false,
            0x01 | 0x11 | 0x31 if self.count > 0 => {
                self.begin(ns, STATUS_WRITE_NS, Change::Status);
            }
            0x02 if self.count > addresses => {
                let mut page = self.page.clone();
                for (byte, is_filled) in page.iter_mut().zip(&self.filled) {
                    if !is_filled {
                        *byte = 0xFF;
                    }
                }
                let size = self.content.size().max(1);
                let address = self.address % size / PAGE * PAGE;
                self.begin(ns, PAGE_PROGRAM_NS, Change::Program { address, page });
            }
            0x20 if has_address => self.erase(ns, 4 * KIB, SECTOR_ERASE_NS),
            0x52 if has_address => self.erase(ns, 32 * KIB, BLOCK_ERASE_32K_NS),
            0xD8 if has_address => self.erase(ns, 64 * KIB, BLOCK_ERASE_64K_NS),
            0xC7 | 0x60 if has_address => {
                let bytes = self.content.size();
                let lasts_ns = (bytes / KIB).saturating_mul(CHIP_ERASE_NS_PER_KIB);
                self.begin(ns, lasts_ns, Change::Erase { address: 0, bytes });
            }
            0xB9 if has_address => {
                self.is_down = true;
                self.settles_ns = ns.saturating_add(POWER_DOWN_NS);
            }
            0xAB if std::mem::take(&mut self.is_down) => {
                self.settles_ns = ns.saturating_add(POWER_DOWN_NS);
            }
            0x66 => self.is_reset_enabled = true,
            0x99 if can_reset => {
                self.is_write_enabled = false;
                self.settles_ns = ns.saturating_add(RESET_NS);
            }
            _ => {}
        }
    }
}

impl SpiPart for SpiFlash {
    fn select(&mut self, ns: u64) {
        self.advance(ns);
        self.command = None;
    }

    fn deselect(&mut self, ns: u64, is_whole: bool) {
        self.advance(ns);
        let Some(command) = self.command.take().filter(|_| is_whole) else { return };
        self.execute(ns, command);
    }

    fn next_output(&mut self, ns: u64) -> Option<u8> {
        self.advance(ns);
        let command = self.command?;
        let (addresses, dummies) = Self::shape(command);
        let at = self.count.checked_sub(addresses + dummies)?;
        let code = self.size_code();
        Some(match command {
            0x03 | 0x0B => {
                let size = self.content.size().max(1);
                self.content.byte((self.address + at) % size)
            }
            0x05 => self.status(),
            0x35 | 0x15 => 0,
            0x9F => [MANUFACTURER, MEMORY_TYPE, code].get(at as usize).copied().unwrap_or(0),
            0x90 => match (at + self.address) % 2 {
                0 => MANUFACTURER,
                _ => code.wrapping_sub(1),
            },
            0xAB => code.wrapping_sub(1),
            0x4B => UNIQUE[(at % 8) as usize],
            _ => return None,
        })
    }

    fn receive(&mut self, ns: u64, byte: u8) {
        self.advance(ns);
        let Some(command) = self.command else {
            if self.accepts(byte) {
                self.command = Some(byte);
                (self.address, self.count) = (0, 0);
                self.filled = [false; PAGE as usize];
            } else {
                // Bytes until chip select rises are no commands.
                self.command = Some(0);
                self.count = 0;
            }
            return;
        };
        let (addresses, _) = Self::shape(command);
        if self.count < addresses {
            self.address = self.address << 8 | u64::from(byte);
        } else if command == 0x02 {
            // The address wraps within the page; the last 256 bytes count (8.2.12).
            let at = ((self.address % PAGE + self.count - addresses) % PAGE) as usize;
            (self.page[at], self.filled[at]) = (byte, true);
        }
        self.count += 1;
    }
}

/// Applies the share `passed / lasts` of a change.
fn apply(content: &mut Content, change: &Change, passed: u64, lasts: u64) {
    let part =
        |bytes: u64| (u128::from(bytes) * u128::from(passed) / u128::from(lasts.max(1))) as usize;
    match change {
        Change::Status => {}
        Change::Program { address, page } => {
            content.change(*address, part(PAGE), |at, byte| byte & page[at]);
        }
        Change::Erase { address, bytes } => content.change(*address, part(*bytes), |_, _| 0xFF),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use proptest::prelude::*;

    use super::*;

    /// A chip of 128 KiB whose image is `image`, and the time.
    struct Bench {
        flash: SpiFlash,
        ns: u64,
    }

    impl Bench {
        fn new(image: &[u8]) -> Self {
            let content = Content::new(Arc::from(image), 128 << 10, 0xFF);
            Self { flash: SpiFlash::new(content), ns: 0 }
        }

        /// Sends bytes in one selection, at 1 µs a byte, and returns those on MISO.
        fn send(&mut self, bytes: &[u8]) -> Vec<Option<u8>> {
            self.send_bits(bytes, true)
        }

        fn send_bits(&mut self, bytes: &[u8], is_whole: bool) -> Vec<Option<u8>> {
            self.flash.select(self.ns);
            let mut received = Vec::new();
            for byte in bytes {
                received.push(self.flash.next_output(self.ns));
                self.ns += 1_000;
                self.flash.receive(self.ns, *byte);
            }
            self.flash.deselect(self.ns, is_whole);
            received
        }

        /// Sends `command`, and returns `count` bytes that follow it.
        fn read(&mut self, command: &[u8], count: usize) -> Vec<u8> {
            let bytes = [command, &vec![0; count]].concat();
            let received = self.send(&bytes).split_off(command.len());
            received.into_iter().map(|byte| byte.unwrap_or(0xA5)).collect()
        }

        fn status(&mut self) -> u8 {
            self.read(&[0x05], 1)[0]
        }

        /// Enables writing, sends a command, and waits.
        fn change(&mut self, command: &[u8], wait_ns: u64) {
            self.send(&[0x06]);
            self.send(command);
            self.ns += wait_ns;
        }
    }

    #[test]
    fn the_chip_identifies_itself() {
        let mut bench = Bench::new(&[]);
        assert_eq!(bench.read(&[0x9F], 4), [0xEF, 0x40, 17, 0]);
        assert_eq!(bench.read(&[0x90, 0, 0, 0], 3), [0xEF, 16, 0xEF]);
        assert_eq!(bench.read(&[0xAB, 0, 0, 0], 2), [16, 16]);
        assert_eq!(bench.read(&[0x4B, 0, 0, 0, 0], 8), UNIQUE);
        // An unknown command leaves MISO open.
        assert_eq!(bench.send(&[0x77, 0, 0]), [None; 3]);
    }

    #[test]
    fn reads_continue_over_the_end() {
        let mut bench = Bench::new(&[1, 2, 3]);
        assert_eq!(bench.read(&[0x03, 0, 0, 1], 3), [2, 3, 0xFF]);
        assert_eq!(bench.read(&[0x0B, 1, 0xFF, 0xFF, 0], 2), [0xFF, 1]);
        assert_eq!(bench.read(&[0x03, 2, 0, 0], 1), [1], "beyond the size");
    }

    #[test]
    fn a_page_program_wraps_and_clears_bits() {
        let mut bench = Bench::new(&[0xF0; 512]);
        bench.change(&[0x02, 0, 1, 0xFE, 0x3C, 0x33, 0x0F], 1_000_000);
        assert_eq!(bench.read(&[0x03, 0, 1, 0xFE], 3), [0x30, 0x30, 0xFF]);
        assert_eq!(bench.read(&[0x03, 0, 1, 0], 2), [0x00, 0xF0]);
        assert_eq!(bench.read(&[0x03, 0, 0, 0xFF], 1), [0xF0], "the page before");
        // Of more than a page the last bytes count.
        let mut command = vec![0x02, 0, 0, 0];
        command.extend([0x00; 4]);
        command.extend([0xFF; 256]);
        bench.change(&command, 1_000_000);
        assert_eq!(bench.read(&[0x03, 0, 0, 0], 2), [0xF0; 2]);
    }

    #[test]
    fn nothing_changes_without_a_write_enable() {
        let mut bench = Bench::new(&[0; 16]);
        for command in [&[0x20, 0, 0, 0][..], &[0xC7], &[0x02, 0, 1, 0, 7]] {
            bench.send(command);
            assert_eq!(bench.status(), 0, "{command:x?}");
        }
        bench.send(&[0x06]);
        bench.send(&[0x04]);
        bench.send(&[0x20, 0, 0, 0]);
        assert_eq!((bench.status(), bench.read(&[0x03, 0, 0, 0], 1)), (0, vec![0]));
        // A command that is cut in the middle of a byte, or has more bytes.
        bench.send(&[0x06]);
        bench.send_bits(&[0x20, 0, 0, 0], false);
        bench.send(&[0x20, 0, 0, 0, 0]);
        assert_eq!(bench.status(), WEL);
    }

    #[test]
    fn the_chip_is_busy_for_the_typical_time() {
        let mut bench = Bench::new(&[0; 70 << 10]);
        bench.change(&[0x20, 0, 0x1F, 0xFF], 0);
        assert_eq!(bench.status(), BUSY | WEL);
        bench.send(&[0x06]);
        assert_eq!(bench.read(&[0x03, 0, 0x10, 0], 1), [0xA5], "busy");
        bench.ns += SECTOR_ERASE_NS;
        assert_eq!(bench.status(), 0);
        assert_eq!(bench.read(&[0x03, 0, 0x0F, 0xFF], 2), [0, 0xFF]);
        assert_eq!(bench.read(&[0x03, 0, 0x1F, 0xFF], 2), [0xFF, 0]);
        bench.change(&[0x52, 0, 0x90, 0], BLOCK_ERASE_32K_NS);
        assert_eq!(bench.read(&[0x03, 0, 0x7F, 0xFF], 2), [0, 0xFF]);
        bench.change(&[0xD8, 0, 0, 7], BLOCK_ERASE_64K_NS);
        assert_eq!(bench.read(&[0x03, 0, 0, 0], 1), [0xFF]);
        assert_eq!(bench.read(&[0x03, 1, 0, 0], 1), [0]);
        bench.change(&[0x60], 128 * CHIP_ERASE_NS_PER_KIB - 10_000);
        assert_eq!(bench.status(), BUSY | WEL);
        bench.ns += 10_000;
        assert_eq!(bench.read(&[0x03, 1, 0, 0], 1), [0xFF]);
    }

    #[test]
    fn a_chip_in_power_down_only_wakes_up() {
        let mut bench = Bench::new(&[7]);
        bench.send(&[0xB9]);
        bench.ns += POWER_DOWN_NS;
        assert_eq!(bench.read(&[0x03, 0, 0, 0], 1), [0xA5]);
        assert_eq!(bench.read(&[0x05], 1), [0xA5]);
        bench.send(&[0xAB]);
        assert_eq!(bench.read(&[0x9F], 1), [0xA5], "not awake yet");
        bench.ns += POWER_DOWN_NS;
        assert_eq!(bench.read(&[0x03, 0, 0, 0], 1), [7]);
        bench.send(&[0x06]);
        bench.send(&[0x66]);
        bench.send(&[0x99]);
        bench.ns += RESET_NS;
        assert_eq!(bench.status(), 0, "write enable is reset");
    }

    #[test]
    fn an_operation_that_loses_power_is_half_done() {
        let mut bench = Bench::new(&[0; 4_096]);
        bench.send(&[0x06]);
        bench.send(&[0x20, 0, 0, 0]);
        let content = bench.flash.content_at(bench.ns + SECTOR_ERASE_NS / 2);
        assert_eq!((content.byte(2_047), content.byte(2_048)), (0xFF, 0));
        let content = bench.flash.content_at(u64::MAX);
        assert_eq!(content.byte(4_095), 0xFF);
        assert_eq!(bench.flash.content_at(0).byte(0), 0);
    }

    proptest! {
        /// Selections with random bytes, whole or not, and times between them.
        #[test]
        fn random_bytes_never_change_the_size(
            selections in prop::collection::vec(
                (prop::collection::vec(
                    prop_oneof![
                        any::<u8>(),
                        prop::sample::select(&[0x02, 0x06, 0x20, 0x52, 0xD8, 0xC7, 0x03, 0x9F][..]),
                    ], 0..300), any::<bool>(), 0..2_000_000_000_u64), 0..12),
        ) {
            let mut bench = Bench::new(&[0x55; 1_000]);
            for (bytes, is_whole, wait) in selections {
                bench.send(&[0x06]);
                bench.send_bits(&bytes, is_whole);
                bench.ns += wait;
            }
            let content = bench.flash.content_at(bench.ns);
            prop_assert_eq!(content.size(), 128 << 10);
            prop_assert_eq!(content.byte(128 << 10), 0xFF);
        }
    }
}
