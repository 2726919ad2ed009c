//! Programs on rp2040-hal's own, unmodified API run in the emulator, and every line that they
//! report on UART0 is what it should be.
//!
//! `scripts/on-target.sh` builds them from `rp2040-emulator/on-target`, then
//! `cargo test -p rp2040-emulator --features on-target --test on_target` runs them.

mod board;

use board::check;
use rp2040_emulator::chip::Chip;

#[test]
fn uarts_send_receive_and_interrupt() {
    let mut begun = false;
    let outside = |chip: &mut Chip| {
        // UART0 listens from the report's beginning on, which the pin's function shows.
        if !begun && chip.function(1) == Some(2) && chip.function(8) == Some(2) {
            begun = true;
            for byte in *b"report" {
                chip.send(0, byte);
            }
        }
        for (_, byte) in chip.take_sent(1) {
            let count = if byte == b'!' { 40 } else { 1 };
            for _ in 0..count {
                chip.send(1, byte.to_ascii_uppercase());
            }
        }
    };
    check(
        "uart",
        outside,
        &[
            "polled bytes come back",
            "embedded-io reads and writes",
            "bytes take their time on the line",
            "the FIFO takes 32 bytes",
            "a full receiver tells of an overrun",
            "the receiver interrupts",
            "the transmitter interrupts",
            "split halves work",
            "UART0 receives",
        ],
    );
}

#[test]
fn spi_masters_exchange_frames_at_their_rates() {
    let mut answers = 1..=u16::MAX;
    let mut waiting: Option<u16> = None;
    let outside = |chip: &mut Chip| {
        chip.set_spi_idle_level(1, true);
        while let Some(word) = waiting.take().or_else(|| answers.next()) {
            if !chip.answer_spi(0, word) {
                waiting = Some(word);
                break;
            }
        }
        chip.take_spi_sent(0);
    };
    let mut run = check(
        "spi",
        outside,
        &[
            "a transfer reads what is answered",
            "frames follow one by one",
            "rates are those that it says",
            "frames of sixteen bits",
            "an input that nobody drives is as it is",
        ],
    );
    let (sent, dropped) = run.chip.take_spi_sent(1);
    assert_eq!((sent.len(), dropped), (5, 0));
}
