//! Common programs, cycle by cycle: WS2812, SPI, UART (datasheet section 3.6).

use super::*;

pub(super) const WS2812: &[&str] = &[
    ".side_set 1",
    ".wrap_target",
    "bit:",
    "out x, 1 side 0 [2]",
    "jmp !x zero side 1 [1]",
    "jmp bit side 1 [4]",
    "zero:",
    "nop side 0 [4]",
    ".wrap",
];

pub(super) const SPI: &[&str] = &[".side_set 1", "out pins, 1 side 0 [1]", "in pins, 1 side 1 [1]"];

pub(super) const UART_TX: &[&str] = &[
    ".side_set 1 opt",
    "pull side 1 [7]",
    "set x, 7 side 0 [7]",
    "bit:",
    "out pins, 1",
    "jmp x-- bit [6]",
];

pub(super) const UART_RX: &[&str] =
    &["wait 0 pin 0", "set x, 7 [10]", "bit:", "in pins, 1", "jmp x-- bit [6]"];

#[test]
fn a_ws2812_gets_long_and_short_pulses() {
    let program = assemble(0, WS2812);
    let mut lab = Lab::new(&program).with_pins(&program, side_pins(16));
    lab.write(SHIFTCTRL, 1 << 18 | AUTOPULL | thresholds(0, 24));
    // 125 MHz / 15.625 = 8 MHz: ten ticks a bit.
    lab.write(CLKDIV, 15 << 16 | 160 << 8);
    let color = 0b1010_0000_1111_0000_0000_0001;
    lab.write(TXF0, color << 8);
    lab.write(CTRL, 1 | 1 << 8);
    lab.run_to(10_000);
    let edges: Vec<u64> = lab.board.history.iter().map(|(cycle, _)| *cycle).collect();
    assert_eq!(edges.len(), 48);
    // A tick to fill the register, three low; then each bit has ten ticks of 15.625 cycles.
    let tick = |n: u64| n * 4000 / 256 + 1;
    for bit in 0..24 {
        let high = if color >> (23 - bit) & 1 != 0 { 7 } else { 2 };
        let rise = 4 + 10 * bit;
        assert_eq!(edges[2 * bit as usize], tick(rise), "bit {bit}");
        assert_eq!(edges[2 * bit as usize + 1], tick(rise + high), "bit {bit}");
    }
    assert!(lab.pios.is_quiet(), "waits for the next colour");
}

#[test]
fn an_spi_sends_on_the_falling_and_reads_on_the_rising_edge() {
    let program = assemble(0, SPI);
    let pins = out_pins(3, 1) | set_pins(3, 1) | in_pins(3) | side_pins(2);
    for (divider, bypass, received) in [(4, 0, 0xA6), (1, 1 << 3, 0xA6), (1, 0, 0x53)] {
        let mut lab = Lab::new(&program).with_pins(&program, pins);
        lab.write(SHIFTCTRL, AUTOPUSH | AUTOPULL | thresholds(8, 8));
        lab.write(INPUT_SYNC_BYPASS, bypass);
        lab.force(0xE081); // set pindirs, 1: what goes out comes in
        lab.write(CLKDIV, divider << 16);
        lab.write(TXF0, 0xA6 << 24);
        let began = lab.pios.cycle;
        lab.write(CTRL, 1 | 1 << 8);
        lab.run_to(began + 200);
        // Without divider and with both flip-flops, each bit is sampled one bit too late.
        assert_eq!(lab.read(RXF0), received, "divider {divider}, bypass {bypass}");
        if divider == 1 {
            let seen = began + 1..began + 36;
            assert_eq!(lab.wave(3, seen.clone()), "_####____####________########______");
            assert_eq!(lab.wave(2, seen), "___##__##__##__##__##__##__##__##__");
        }
    }
}

#[test]
fn a_uart_sends_text_to_another() {
    let transmit = assemble(0, UART_TX);
    let receive = assemble(8, UART_RX);
    let mut lab = Lab::new(&transmit);
    let pins = out_pins(11, 1) | set_pins(11, 1) | side_pins(11);
    lab.configure(0, &transmit, pins, 0);
    for (n, word) in receive.code.iter().enumerate() {
        lab.write(INSTR_MEM0 + 4 * (8 + n as u32), (*word).into());
    }
    lab.configure(1, &receive, in_pins(11), 0);
    lab.write(SHIFTCTRL + NEXT, RIGHT | AUTOPUSH | thresholds(8, 0));
    lab.write(INSTR + NEXT, 8);
    lab.force(0xE001); // set pins, 1
    lab.force(0xE081); // set pindirs, 1
    let began = lab.pios.cycle + 5;
    lab.run_to(began);
    for byte in *b"Hi" {
        lab.write(TXF0, byte.into());
    }
    lab.write(CTRL, 0b11);
    let bits = |byte: u8| {
        let bits = (0..8).map(|bit| if byte >> bit & 1 != 0 { "########" } else { "________" });
        ["########", "________"].into_iter().chain(bits).collect::<String>()
    };
    lab.run_to(began + 200);
    let expected = format!("#{}{}", bits(b'H'), bits(b'i'));
    assert_eq!(lab.wave(11, began..began + 161), expected);
    let received = [RXF0 + 4; 2].map(|fifo| lab.read(fifo) >> 24);
    assert_eq!(received, [u32::from(b'H'), u32::from(b'i')]);
    lab.run_to(began + 210);
    assert!(lab.pios.is_quiet(), "both wait");
}
