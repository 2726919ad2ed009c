use super::wire::{MAX_ANSWERS, MAX_SENT};
use super::*;

/// Creates a controller with frames of `bits` bits at 62.5 Mbit/s, the fastest from 125 MHz: 16 ns
/// a bit.
fn spi(bits: u32) -> Spi {
    let mut spi = Spi::default();
    spi.set_clock(Some(125_000_000), 0);
    for (offset, value) in [(SSPCR0, bits - 1), (SSPCPSR, 2), (SSPCR1, SSPCR1_SSE)] {
        assert_eq!(spi.write(offset, value, 0), Some(()));
    }
    spi
}

fn word(start_ns: u64, ns: u64, word: u16, bits: u8) -> SpiWord {
    SpiWord { start_ns, ns, word, received: 0, bits }
}

/// Checks that a frame with these registers and this clock ends after `frame_ns`.
#[track_caller]
fn check(hz: u64, cr0: u32, prescale: u32, frame_ns: u64) {
    let mut spi = Spi::default();
    spi.set_clock(Some(hz), 0);
    for (offset, value) in
        [(SSPCR0, cr0), (SSPCPSR, prescale), (SSPCR1, SSPCR1_SSE), (SSPDR, 0xFFFF)]
    {
        assert_eq!(spi.write(offset, value, 1_000), Some(()));
    }
    assert_eq!(spi.take_sent(1_000 + frame_ns - 1), [], "too early");
    let bits = (cr0 & 15) as u8 + 1;
    assert_eq!(
        spi.take_sent(1_000 + frame_ns),
        [word(1_000, 1_000 + frame_ns, 0xFFFF >> (16 - bits), bits)]
    );
}

#[test]
fn a_frame_takes_its_bits_times_the_divided_clock() {
    check(125_000_000, 7, 2, 128);
    check(125_000_000, 15, 2, 256);
    check(125_000_000, 7 | 4 << 8, 2, 640);
    check(125_000_000, 3 | 255 << 8, 254, 2_080_768);
    check(133_000_000, 7, 2, 120);
    // Polarity and phase move no frame.
    check(125_000_000, 7 | 3 << 6, 2, 128);
}

#[test]
fn frames_follow_each_other_without_a_pause_and_without_rounding() {
    let mut spi = Spi::default();
    spi.set_clock(Some(133_000_000), 0);
    for (offset, value) in [(SSPCR0, 7), (SSPCPSR, 2), (SSPCR1, SSPCR1_SSE)] {
        spi.write(offset, value, 0);
    }
    // One more than the FIFO can hold: the first goes to the wire immediately.
    for byte in 0..9 {
        spi.write(SSPDR, byte, 0);
    }
    for (n, sent) in (1..).zip(spi.take_sent(10_000)) {
        assert_eq!(sent.ns, n * 16 * NS / 133_000_000, "frame {n}");
    }
}

#[test]
fn a_stream_of_seconds_stays_exact() {
    let mut spi = spi(16);
    spi.write(SSPCPSR, 254, 0);
    spi.write(SSPCR0, 15 | 255 << 8, 0);
    let frame = 16 * 254 * 256 * 8;
    let mut last = 0;
    for n in 0..400 {
        let ns = n * frame;
        spi.write(SSPDR, n as u32, ns);
        last = spi.take_sent(ns).last().map_or(last, |sent| sent.ns);
        assert_eq!(last, ns);
    }
}

#[test]
fn the_status_reports_the_fifo_levels() {
    let mut spi = spi(8);
    assert_eq!(spi.read(SSPSR, 0), Some(SSPSR_TFE | SSPSR_TNF));
    for byte in 0..10 {
        spi.write(SSPDR, byte, 0);
    }
    assert_eq!(spi.read(SSPSR, 0), Some(SSPSR_BSY));
    // The tenth was lost; the answers of the ninth and of the eight before did not all fit.
    assert_eq!(spi.read(SSPSR, 10_000), Some(SSPSR_TFE | SSPSR_TNF | SSPSR_RNE | SSPSR_RFF));
    assert_eq!(spi.take_sent(10_000).len(), 9);
    assert_eq!(spi.read(SSPRIS, 10_000).map(|raw| raw & SSPRIS_RORRIS), Some(SSPRIS_RORRIS));
    spi.write(SSPICR, SSPRIS_RORRIS, 10_000);
    assert_eq!(spi.read(SSPRIS, 10_000).map(|raw| raw & SSPRIS_RORRIS), Some(0));
}

#[test]
fn answers_come_in_their_order_and_then_the_idle_level() {
    let mut spi = spi(8);
    assert!(spi.answer(0x1A5) && spi.answer(0x5A));
    for byte in [1, 2, 3] {
        spi.write(SSPDR, byte, 0);
    }
    let read = [0; 4].map(|_| spi.read(SSPDR, 10_000));
    assert_eq!(read, [Some(0xA5), Some(0x5A), Some(0), Some(0)]);
    spi.set_idle_level(true);
    spi.write(SSPDR, 4, 20_000);
    assert_eq!(spi.read(SSPDR, 30_000), Some(0xFF));
}

#[test]
fn a_loop_back_reads_what_it_sends() {
    let mut spi = spi(12);
    spi.write(SSPCR1, SSPCR1_SSE | SSPCR1_LBM, 0);
    spi.write(SSPDR, 0xFABC, 0);
    assert_eq!(spi.read(SSPDR, 10_000), Some(0xABC));
}

#[test]
fn fifos_interrupt_at_their_halves() {
    let mut spi = spi(8);
    spi.write(SSPIMSC, SSPRIS_TXRIS, 0);
    assert!(spi.interrupt(), "half empty from the beginning");
    for byte in 0..9 {
        spi.write(SSPDR, byte, 0);
    }
    assert!(!spi.interrupt());
    // Eight wait; after the fourth frame five have left the FIFO or are leaving it.
    while !spi.interrupt() {
        spi.advance(spi.next(true));
    }
    assert_eq!(spi.take_sent(0).len(), 4);
    spi.write(SSPIMSC, SSPRIS_RXRIS, 4 * 128);
    assert!(spi.interrupt(), "four have come in");
    spi.read(SSPDR, 4 * 128);
    assert!(!spi.interrupt());
}

#[test]
fn an_unread_word_times_out_after_32_bits() {
    let mut spi = spi(8);
    spi.write(SSPIMSC, SSPRIS_RTRIS, 0);
    spi.write(SSPDR, 1, 0);
    spi.advance(128);
    assert_eq!(spi.next(true), 128 + 32 * 16);
    spi.advance(128 + 32 * 16);
    assert!(spi.interrupt());
    assert_eq!(spi.next(true), u64::MAX);
    spi.read(SSPDR, 10_000);
    assert!(!spi.interrupt());
}

#[test]
fn dma_requests_are_active_for_room_and_for_words() {
    let mut spi = spi(8);
    assert_eq!(spi.requests(), (false, false));
    spi.write(SSPDMACR, 3, 0);
    assert_eq!(spi.requests(), (true, false));
    for byte in 0..9 {
        spi.write(SSPDR, byte, 0);
    }
    assert_eq!(spi.requests(), (false, false));
    assert_eq!(spi.next(true), 128);
    assert!(!spi.is_quiet(true));
    // While no channel is busy, no request matters.
    assert_eq!(spi.next(false), u64::MAX);
    assert!(spi.is_quiet(false));
    spi.advance(128);
    assert_eq!(spi.requests(), (true, true));
}

#[test]
fn a_change_of_the_clock_stretches_the_rest_of_the_frame() {
    let mut spi = spi(8);
    spi.write(SSPDR, 1, 0);
    spi.set_clock(Some(62_500_000), 64); // half of it is over
    assert_eq!(spi.take_sent(1_000), [word(0, 64 + 128, 1, 8)]);
    spi.write(SSPDR, 2, 1_000);
    spi.set_clock(None, 1_000);
    assert_eq!(spi.take_sent(1_000_000), []);
    spi.set_clock(Some(125_000_000), 2_000_000);
    assert_eq!(spi.take_sent(3_000_000), [word(1_000, 2_000_128, 2, 8)]);
}

#[test]
fn a_frame_that_has_begun_keeps_its_size() {
    let mut spi = spi(8);
    spi.write(SSPDR, 1, 0);
    spi.write(SSPDR, 0x1234, 0);
    spi.write(SSPCR0, 15, 100);
    assert_eq!(spi.take_sent(10_000), [word(0, 128, 1, 8), word(128, 384, 0x1234, 16)]);
}

#[test]
fn without_its_enable_words_wait() {
    let mut spi = spi(8);
    spi.write(SSPCR1, 0, 0);
    spi.write(SSPDR, 7, 0);
    assert_eq!(spi.read(SSPSR, 1_000).map(|status| status & SSPSR_BSY), Some(SSPSR_BSY));
    assert_eq!(spi.write(SSPCR1, SSPCR1_SSE, 1_000), Some(()));
    assert_eq!(spi.take_sent(10_000), [word(1_000, 1_128, 7, 8)]);
}

#[test]
fn unsupported_modes_are_reported_and_transfer_nothing() {
    for (cr0, cr1) in [(7, SSPCR1_SSE | SSPCR1_MS), (7 | 1 << 4, SSPCR1_SSE), (2, SSPCR1_SSE)] {
        let mut spi = Spi::default();
        spi.set_clock(Some(125_000_000), 0);
        spi.write(SSPCPSR, 2, 0);
        assert_eq!(spi.write(SSPCR0, cr0, 0), Some(()));
        assert_eq!(spi.write(SSPCR1, cr1, 0), None);
        spi.write(SSPDR, 1, 0);
        assert_eq!(spi.take_sent(1_000_000), []);
    }
}

#[test]
fn words_beyond_the_capacity_are_dropped_and_counted() {
    let mut spi = spi(8);
    for n in 0..MAX_SENT as u64 + 3 {
        spi.write(SSPDR, n as u32, n * 128);
    }
    spi.advance(u64::MAX - 1);
    assert_eq!(spi.dropped(), 3);
    assert_eq!(spi.take_sent(u64::MAX - 1).len(), MAX_SENT);
    let accepted = (0..=MAX_ANSWERS).filter(|_| spi.answer(0)).count();
    assert_eq!(accepted, MAX_ANSWERS);
}

#[test]
fn a_reset_retains_sent_words() {
    let mut spi = spi(8);
    spi.write(SSPDR, 1, 0);
    spi.write(SSPDR, 2, 0);
    spi.advance(128);
    let mut spi = spi.after_reset();
    assert_eq!(spi.read(SSPCR0, 128), Some(0));
    assert_eq!(spi.take_sent(1_000), [word(0, 128, 1, 8)]);
    for (offset, value) in [(SSPCR0, 7), (SSPCPSR, 2), (SSPCR1, SSPCR1_SSE), (SSPDR, 3)] {
        spi.write(offset, value, 2_000);
    }
    assert_eq!(spi.take_sent(3_000), [word(2_000, 2_128, 3, 8)]);
}
