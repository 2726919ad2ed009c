use super::*;

/// Creates a UART at 115,200 baud from 125 MHz, 8N1, FIFOs enabled.
fn uart() -> Uart {
    let mut uart = Uart::new();
    uart.set_clock(Some(125_000_000));
    for (offset, value) in [(UARTIBRD, 67), (UARTFBRD, 52), (UARTLCR_H, 0x70), (UARTCR, 0x301)] {
        assert_eq!(uart.write(offset, value, 0), Some(()));
    }
    uart
}

/// Duration of a frame of ten bits: 16 * 10 * (67 + 52/64) / 125 MHz.
const FRAME_NS: u64 = 86_800;

#[test]
fn bytes_leave_one_frame_after_the_other() {
    let mut uart = uart();
    for byte in *b"Hi" {
        uart.write(UARTDR, byte.into(), 1_000);
    }
    assert_eq!(uart.next(), 1_000 + FRAME_NS);
    uart.advance(1_000_000);
    let sent = [(1_000 + FRAME_NS, b'H'), (1_000 + 2 * FRAME_NS, b'i')];
    assert_eq!(uart.take_sent(), sent);
    assert_eq!(uart.read(UARTFR, 1_000_000).map(|flags| flags & UARTFR_BUSY), Some(0));
}

#[test]
fn a_full_fifo_sets_its_flag_and_loses_further_bytes() {
    let mut uart = uart();
    for byte in 0..40 {
        uart.write(UARTDR, byte, 0);
    }
    // One byte is on the wire, 32 wait.
    assert_eq!(uart.read(UARTFR, 0).map(|flags| flags & UARTFR_TXFF), Some(UARTFR_TXFF));
    uart.advance(100 * FRAME_NS);
    assert_eq!(uart.take_sent().len(), 33);
}

#[test]
fn received_bytes_interrupt_at_their_level_or_after_a_pause() {
    let mut uart = uart();
    uart.write(UARTIFLS, 0, 0); // an eighth: four bytes
    uart.write(UARTIMSC, UARTRIS_RXRIS | UARTRIS_RTRIS, 0);
    uart.arrive(1, 0);
    assert!(!uart.interrupt());
    uart.advance(uart.next());
    assert!(uart.interrupt(), "the pause");
    assert_eq!(uart.read(UARTDR, 1_000_000), Some(1));
    assert!(!uart.interrupt());
    for byte in 2..6 {
        uart.arrive(byte, 1_000_000);
    }
    assert!(uart.interrupt(), "the level");
}

#[test]
fn the_first_byte_after_an_overrun_has_the_overrun_flag() {
    let mut uart = uart();
    for byte in 0..34 {
        uart.arrive(byte, 0);
    }
    assert_eq!(uart.read(UARTRIS, 0).map(|raised| raised & UARTRIS_OERIS), Some(UARTRIS_OERIS));
    let kept: Vec<u32> = (0..32).filter_map(|_| uart.read(UARTDR, 0)).collect();
    assert_eq!(kept, (0..32).collect::<Vec<u32>>());
    uart.arrive(40, 0);
    uart.arrive(41, 0);
    assert_eq!(uart.read(UARTDR, 0), Some(40 | u32::from(UARTDR_OE)));
    assert_eq!(uart.read(UARTDR, 0), Some(41));
    assert_eq!(uart.read(UARTRSR, 0), Some(UARTRSR_OE), "until it is cleared");
    uart.write(UARTRSR, 0, 0);
    assert_eq!(uart.read(UARTRSR, 0), Some(0));
}

#[test]
fn a_byte_would_arrive_in_a_frame_unless_it_would_be_lost() {
    let mut uart = uart();
    assert_eq!(uart.arrival_ns(), Some(FRAME_NS));
    for byte in 0..32 {
        uart.arrive(byte, 0);
    }
    assert_eq!(uart.arrival_ns(), None, "the FIFO is full");
    uart.read(UARTDR, 0);
    assert_eq!(uart.arrival_ns(), Some(FRAME_NS));
    uart.write(UARTCR, UARTCR_UARTEN | UARTCR_TXE, 0);
    assert_eq!(uart.arrival_ns(), None, "the receiver is off");
}

#[test]
fn a_drained_uart_is_empty() {
    let mut uart = uart();
    for byte in *b"the end" {
        uart.write(UARTDR, byte.into(), 0);
    }
    uart.drain();
    let sent: Vec<_> = uart.take_sent().into_iter().map(|(_, byte)| byte).collect();
    assert_eq!(sent, b"the end");
}

#[test]
fn without_a_clock_nothing_leaves() {
    let mut uart = uart();
    uart.set_clock(None);
    assert_eq!(uart.arrival_ns(), None);
    uart.write(UARTDR, 7, 0);
    assert_eq!(uart.next(), u64::MAX);
}

#[test]
fn the_divisors_are_effective_after_a_write_to_the_line_control() {
    let mut uart = uart();
    uart.write(UARTIBRD, 2 * 67, 0);
    uart.write(UARTFBRD, 2 * 52 - 64, 0);
    assert_eq!(uart.read(UARTFBRD, 0), Some(40));
    assert_eq!(uart.arrival_ns(), Some(FRAME_NS));
    uart.write(UARTDR, 7, 0);
    uart.write(UARTLCR_H, 0x70, 0);
    assert_eq!(uart.next(), FRAME_NS, "the byte on the wire keeps its rate");
    assert!(uart.arrival_ns().is_some_and(|ns| ns > FRAME_NS));
    for (integer, fraction) in [(0, 5), (0xFFFF, 1)] {
        uart.write(UARTIBRD, integer, 0);
        uart.write(UARTFBRD, fraction, 0);
        uart.write(UARTLCR_H, 0x70, 0);
        assert_eq!(uart.arrival_ns(), None, "there is no such rate");
    }
}

#[test]
fn a_disabled_transmitter_completes_its_byte() {
    for disabled in [UARTCR_UARTEN | UARTCR_RXE, UARTCR_TXE | UARTCR_RXE] {
        let mut uart = uart();
        for byte in *b"ab" {
            uart.write(UARTDR, byte.into(), 0);
        }
        uart.write(UARTCR, disabled, FRAME_NS / 2);
        uart.advance(5 * FRAME_NS);
        assert_eq!(uart.take_sent(), [(FRAME_NS, b'a')]);
        uart.write(UARTCR, 0x301, 5 * FRAME_NS);
        uart.advance(7 * FRAME_NS);
        assert_eq!(uart.take_sent(), [(6 * FRAME_NS, b'b')]);
    }
}

#[test]
fn a_break_holds_the_transmitter_after_its_byte() {
    let mut uart = uart();
    for byte in *b"ab" {
        uart.write(UARTDR, byte.into(), 0);
    }
    uart.write(UARTLCR_H, 0x71, FRAME_NS / 2);
    let last = FRAME_NS - 1;
    uart.advance(last);
    assert!(uart.transmits(last).0, "the stop bit");
    uart.advance(3 * FRAME_NS);
    assert_eq!(uart.take_sent().len(), 1);
    assert_eq!(uart.transmits(3 * FRAME_NS), (false, u64::MAX));
    uart.write(UARTLCR_H, 0x70, 3 * FRAME_NS);
    uart.advance(5 * FRAME_NS);
    assert_eq!(uart.take_sent(), [(4 * FRAME_NS, b'b')]);
    assert!(uart.transmits(5 * FRAME_NS).0);
}

#[test]
fn bytes_have_the_word_length_of_the_line_control() {
    let mut uart = uart();
    uart.write(UARTLCR_H, 0x10, 0);
    uart.write(UARTDR, 0xFF, 0);
    uart.arrive(0xFF, 0);
    uart.advance(FRAME_NS);
    let sent: Vec<_> = uart.take_sent().into_iter().map(|(_, byte)| byte).collect();
    assert_eq!((sent, uart.read(UARTDR, FRAME_NS)), (vec![0x1F], Some(0x1F)));
}

#[test]
fn without_its_enable_bit_the_fifos_are_flushed() {
    let mut uart = uart();
    for byte in 0..4 {
        uart.write(UARTDR, byte, 0);
        uart.arrive(byte as u8, 0);
    }
    uart.write(UARTLCR_H, 0x60, 0);
    uart.write(UARTLCR_H, 0x70, 0);
    uart.advance(9 * FRAME_NS);
    assert_eq!(uart.take_sent().len(), 1, "the byte on the wire");
    let empty = UARTFR_RXFE | UARTFR_TXFE;
    assert_eq!(uart.read(UARTFR, 9 * FRAME_NS), Some(empty));
}

#[test]
fn the_receive_timeout_interrupts_once() {
    let mut uart = uart();
    uart.write(UARTIMSC, UARTRIS_RTRIS, 0);
    uart.arrive(1, 0);
    uart.arrive(2, 0);
    let timeout = uart.next();
    uart.advance(timeout);
    assert!(uart.interrupt());
    uart.write(UARTICR, UARTRIS_RTRIS, timeout);
    uart.advance(2 * timeout);
    assert!(!uart.interrupt(), "no bit has changed since");
    assert_eq!(uart.read(UARTDR, 2 * timeout), Some(1));
    uart.advance(4 * timeout);
    assert!(uart.interrupt(), "the rest waits since the read");
}
