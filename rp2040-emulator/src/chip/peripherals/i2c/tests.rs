use super::registers::*;
use super::*;

const READ: u32 = IC_DATA_CMD_CMD;
const STOP: u32 = IC_DATA_CMD_STOP;
const RESTART: u32 = IC_DATA_CMD_RESTART;
/// IC_CON of a master at fast speed that may restart, and is not a target.
const FAST_MASTER: u32 = 0x65;
const SECOND: u64 = 1_000_000_000;

/// An EEPROM of sixteen bytes: the first byte written is the address at which reading or writing
/// continues.
#[derive(Clone, Debug, Default)]
struct Eeprom {
    address: u16,
    bytes: [u8; 16],
    place: Option<usize>,
    /// Events with their nanosecond.
    log: std::sync::Arc<std::sync::Mutex<Vec<(u64, String)>>>,
}

impl Eeprom {
    fn note(&self, ns: u64, what: String) {
        self.log.lock().unwrap().push((ns, what));
    }
}

impl I2cTarget for Eeprom {
    fn start(&mut self, ns: u64, address: u16, reading: bool) -> bool {
        let mine = address == self.address;
        if mine {
            self.place = self.place.filter(|_| reading);
            self.note(ns, if reading { "read" } else { "write" }.into());
        }
        mine
    }

    fn write(&mut self, ns: u64, byte: u8) -> bool {
        self.note(ns, format!("{byte:02x}"));
        match self.place {
            None => self.place = Some(usize::from(byte)),
            Some(place) if place < 16 => {
                self.bytes[place] = byte;
                self.place = Some(place + 1);
            }
            Some(_) => return false,
        }
        true
    }

    fn read(&mut self, _: u64) -> u8 {
        let place = self.place.unwrap_or_default();
        self.place = Some(place + 1);
        self.bytes[place % 16]
    }

    fn stop(&mut self, ns: u64) {
        self.note(ns, "stop".into());
    }

    fn boxed_clone(&self) -> Box<dyn I2cTarget> {
        Box::new(self.clone())
    }
}

/// Returns a master with an EEPROM at 0x50, and the EEPROM's log.
fn master() -> (I2c, impl Fn() -> Vec<(u64, String)>) {
    let mut i2c = I2c::default();
    let eeprom = Eeprom { address: 0x50, ..Eeprom::default() };
    let log = eeprom.log.clone();
    i2c.attach(Box::new(eeprom), 0);
    i2c.set_clock(125_000_000, 0);
    // As the SDK sets 400 kbit/s, without the cycles that filter and edges add.
    for (offset, value) in
        [(IC_CON, FAST_MASTER), (IC_TAR, 0x50), (IC_FS_SCL_HCNT, 117 - 8), (IC_FS_SCL_LCNT, 187)]
    {
        i2c.write(offset, value, 0);
    }
    i2c.write(IC_FS_SPKLEN, 1, 0);
    i2c.write(IC_INTR_MASK, 0, 0);
    i2c.write(IC_ENABLE, 1, 0);
    (i2c, move || log.lock().unwrap().clone())
}

fn command(i2c: &mut I2c, ns: u64, commands: &[u32]) {
    for word in commands {
        i2c.write(IC_DATA_CMD, *word, ns);
    }
}

#[test]
fn bytes_go_out_at_the_speed_of_the_counts() {
    let (mut i2c, log) = master();
    // High 109 + 1 + 7, low 188: 305 cycles.
    let bit = 305 * 8;
    command(&mut i2c, 1000, &[3, 0xAB, 0xCD | STOP]);
    assert_eq!(i2c.read(IC_STATUS, 1000), Some(0x23));
    i2c.advance(SECOND);
    let expected = [(10, "write"), (19, "03"), (28, "ab"), (37, "cd"), (38, "stop")];
    let expected = expected.map(|(bits, what)| (1000 + bits * bit, what.to_string()));
    assert_eq!(log(), expected);
    assert_eq!(i2c.read(IC_STATUS, SECOND), Some(6));
}

#[test]
fn a_repeated_start_switches_to_reading() {
    let (mut i2c, log) = master();
    command(&mut i2c, 0, &[2, 0x11, 0x22, 0x33 | STOP]);
    command(&mut i2c, 0, &[3, READ | RESTART, READ | STOP]);
    i2c.advance(SECOND);
    assert_eq!(i2c.read(IC_RXFLR, SECOND), Some(2));
    // The first byte after the address is marked.
    assert_eq!([IC_DATA_CMD; 2].map(|data| i2c.read(data, SECOND)), [Some(0x822), Some(0x33)]);
    let words: Vec<_> = log().into_iter().map(|(_, what)| what).collect();
    let expected = ["write", "02", "11", "22", "33", "stop", "write", "03", "read", "stop"];
    assert_eq!(words, expected);
    // Restart, start, stop, activity; empty again.
    assert_eq!(
        i2c.read(IC_RAW_INTR_STAT, SECOND),
        Some(1 << 12 | 1 << 10 | 1 << 9 | 1 << 8 | 1 << 4)
    );
    assert_eq!(i2c.read(IC_CLR_INTR, SECOND), Some(1));
    assert_eq!(i2c.read(IC_RAW_INTR_STAT, SECOND), Some(1 << 12 | 1 << 4));
    assert_eq!(i2c.read(IC_CLR_RESTART_DET, SECOND), Some(1));
    assert_eq!(i2c.read(IC_RAW_INTR_STAT, SECOND), Some(1 << 4));
}

#[test]
fn an_unacknowledged_address_aborts_until_cleared() {
    let (mut i2c, log) = master();
    i2c.write(IC_ENABLE, 0, 0);
    i2c.write(IC_TAR, 0x33, 0);
    i2c.write(IC_ENABLE, 1, 0);
    i2c.write(IC_INTR_MASK, 1 << 6, 0);
    command(&mut i2c, 0, &[1, 2, 3 | STOP]);
    assert!(i2c.next() < SECOND);
    i2c.advance(SECOND);
    assert!(i2c.interrupt());
    // Two commands were flushed; further ones are discarded.
    assert_eq!(i2c.read(IC_TX_ABRT_SOURCE, SECOND), Some(2 << 23 | 1));
    command(&mut i2c, SECOND, &[4]);
    assert_eq!(i2c.read(IC_TXFLR, SECOND), Some(0));
    assert_eq!(i2c.read(IC_CLR_TX_ABRT, SECOND), Some(1));
    assert_eq!(
        [i2c.read(IC_TX_ABRT_SOURCE, SECOND), i2c.read(IC_STATUS, SECOND)],
        [Some(0), Some(6)]
    );
    assert!(!i2c.interrupt() && log().is_empty());
}

#[test]
fn an_unacknowledged_byte_aborts_with_a_stop() {
    let (mut i2c, log) = master();
    command(&mut i2c, 0, &[15, 1, 2, 3 | STOP]);
    i2c.advance(SECOND);
    assert_eq!(i2c.read(IC_TX_ABRT_SOURCE, SECOND), Some(1 << 23 | 1 << 3));
    assert_eq!(log().last().unwrap().1, "stop");
}

#[test]
fn without_a_stop_the_bus_is_held() {
    let (mut i2c, log) = master();
    command(&mut i2c, 0, &[0, 1]);
    i2c.advance(SECOND);
    assert_eq!(i2c.read(IC_STATUS, SECOND), Some(0x27), "still active");
    command(&mut i2c, SECOND, &[2 | STOP]);
    i2c.advance(2 * SECOND);
    assert_eq!(log().len(), 5);
    // Sixteen wait after the one that is on the wires.
    command(&mut i2c, 2 * SECOND, &[0; 18]);
    assert_eq!(i2c.read(IC_TXFLR, 2 * SECOND), Some(16));
    assert_eq!(i2c.read(IC_RAW_INTR_STAT, 2 * SECOND).unwrap() & 1 << 3, 1 << 3);
    i2c.read(IC_DATA_CMD, 2 * SECOND);
    assert_eq!(i2c.read(IC_RAW_INTR_STAT, 2 * SECOND).unwrap() & 1, 1, "there was nothing to read");
}

#[test]
fn requests_follow_their_levels() {
    let (mut i2c, _) = master();
    i2c.write(IC_DMA_CR, 3, 0);
    i2c.write(IC_DMA_TDLR, 1, 0);
    i2c.write(IC_DMA_RDLR, 1, 0);
    assert_eq!(i2c.requests(), (true, false));
    command(&mut i2c, 0, &[READ, READ, READ, READ | STOP]);
    assert_eq!(i2c.requests(), (false, false));
    i2c.advance(SECOND);
    assert_eq!(i2c.requests(), (true, true));
}

#[test]
fn as_a_target_it_is_written_and_read_by_others() {
    let mut i2c = I2c::default();
    i2c.write(IC_CON, 0, 0);
    i2c.write(IC_SAR, 0x17, 0);
    i2c.write(IC_ENABLE, 1, 0);
    assert!(!i2c.call(0x18, false));
    assert!(i2c.call(0x17, false) && i2c.take_byte(0x42));
    i2c.end_call();
    assert_eq!(i2c.read(IC_DATA_CMD, 0), Some(0x842));
    assert!(i2c.call(0x17, true));
    assert_eq!(i2c.read(IC_RAW_INTR_STAT, 0).unwrap() & 1 << 5, 1 << 5);
    assert_eq!(i2c.give_byte(), None, "the clock is stretched");
    i2c.read(IC_CLR_RD_REQ, 0);
    command(&mut i2c, 0, &[0x99]);
    assert_eq!(i2c.give_byte(), Some(0x99));
    i2c.end_call();
    assert_eq!(i2c.read(IC_RAW_INTR_STAT, 0).unwrap() & 1 << 7, 1 << 7);
}

#[test]
fn a_target_addressed_again_without_a_stop_sees_a_restart() {
    const IC_RAW_INTR_STAT_RESTART_DET: u32 = 1 << 12;
    let mut i2c = I2c::default();
    i2c.write(IC_CON, 0, 0);
    i2c.write(IC_SAR, 0x17, 0);
    i2c.write(IC_ENABLE, 1, 0);
    let repeated =
        |i2c: &mut I2c| i2c.read(IC_RAW_INTR_STAT, 0).unwrap() & IC_RAW_INTR_STAT_RESTART_DET != 0;
    assert!(i2c.call(0x17, false) && !repeated(&mut i2c));
    i2c.end_call();
    assert!(i2c.call(0x17, false) && !repeated(&mut i2c));
    assert!(i2c.call(0x17, true) && repeated(&mut i2c));
}

#[test]
fn disabling_clears_interrupts_but_not_an_abort() {
    let (mut i2c, _) = master();
    command(&mut i2c, 0, &[0, 1 | STOP]);
    i2c.advance(SECOND);
    assert_eq!(i2c.read(IC_RAW_INTR_STAT, SECOND).unwrap() & 1 << 9, 1 << 9, "a stop");
    i2c.write(IC_ENABLE, 0, SECOND);
    assert_eq!(i2c.read(IC_RAW_INTR_STAT, SECOND), Some(0));
    i2c.write(IC_TAR, 0x7F, SECOND);
    i2c.write(IC_ENABLE, 1, SECOND);
    command(&mut i2c, SECOND, &[STOP]);
    i2c.advance(2 * SECOND);
    i2c.write(IC_ENABLE, 0, 2 * SECOND);
    assert_eq!(i2c.read(IC_RAW_INTR_STAT, 2 * SECOND), Some(1 << 6));
}

#[test]
fn a_clone_has_devices_of_its_own() {
    let (mut one, _) = master();
    let mut other = one.clone();
    command(&mut one, 0, &[0, 0x77 | STOP]);
    one.advance(SECOND);
    for i2c in [&mut one, &mut other] {
        command(i2c, SECOND, &[0, READ | RESTART | STOP]);
        i2c.advance(2 * SECOND);
    }
    assert_eq!(one.read(IC_DATA_CMD, 2 * SECOND).unwrap() & 0xFF, 0x77);
    assert_eq!(other.read(IC_DATA_CMD, 2 * SECOND).unwrap() & 0xFF, 0);
}

#[test]
fn the_acknowledgement_of_general_calls_has_one_bit() {
    let mut i2c = I2c::default();
    i2c.write(IC_ACK_GENERAL_CALL, 0xFF, 0);
    assert_eq!(i2c.read(IC_ACK_GENERAL_CALL, 0), Some(1));
}

#[test]
fn tx_empty_ctrl_delays_empty_until_the_last_command_is_sent() {
    let mut i2c = I2c::default();
    i2c.set_clock(125_000_000, 0);
    for (offset, value) in [
        (IC_CON, FAST_MASTER | IC_CON_TX_EMPTY_CTRL),
        (IC_TAR, 0x21),
        (IC_ENABLE, 1),
        (IC_DATA_CMD, 7 | STOP),
    ] {
        i2c.write(offset, value, 0);
    }
    let mut raw = |ns| i2c.read(IC_RAW_INTR_STAT, ns).unwrap();
    let seen = IC_RAW_INTR_STAT_TX_EMPTY | IC_RAW_INTR_STAT_TX_ABRT;
    assert_eq!(raw(1_000) & seen, 0, "the address is on its way");
    // No target answers: the SDK reads the reason as soon as it sees TX_EMPTY.
    let after = (1..1_000).map(|us| raw(us * 1_000) & seen).find(|seen| *seen != 0);
    assert_eq!(after, Some(seen));
    assert_eq!(i2c.read(IC_TX_ABRT_SOURCE, SECOND).unwrap() & 1, 1);
}
