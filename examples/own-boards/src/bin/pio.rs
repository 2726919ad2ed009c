//! A square on an ST7789 of 240x240 pixels, which gets 12 bits a pixel at 62.5 MHz from a PIO state
//! machine that a DMA channel feeds. A picture begins when TE rises. LEFT and RIGHT move the square,
//! GO lets it run across the screen, a picture each step.
#![no_std]
#![no_main]

use core::fmt::Write as _;

use cortex_m::peripheral::NVIC;
use embedded_hal::delay::DelayNs as _;
use embedded_hal::digital::{InputPin, OutputPin};
use own_boards::{Board, Button};
use pio::pio_asm;
use rp2040_hal::clocks::Clock as _;
use rp2040_hal::dma::{DMAExt as _, SingleChannel as _, single_buffer};
use rp2040_hal::fugit::RateExtU32 as _;
use rp2040_hal::gpio::{FunctionPio0, FunctionUart};
use rp2040_hal::pac;
use rp2040_hal::pio::{Buffers, PIOExt as _, PinDir, ShiftDirection};
use rp2040_hal::uart::{DataBits, StopBits, UartConfig, UartPeripheral};

const SIDE: usize = 240;
/// Words of a picture: two pixels each, the first one in the upper half.
const WORDS: usize = SIDE * SIDE / 2;
/// Side of the square, and the distance that it moves at once.
const SQUARE: usize = 40;
const STEP: usize = 8;
const GROUND: u32 = 0x124;
const COLOUR: u32 = 0xFA0;
const SCK: u8 = 6;
const MOSI: u8 = 7;

/// The display's bus as the program moves it, for commands.
struct Hand<C, D, S, R> {
    clock: C,
    data: D,
    select: S,
    dc: R,
}

impl<C: OutputPin, D: OutputPin, S: OutputPin, R: OutputPin> Hand<C, D, S, R> {
    fn byte(&mut self, byte: u8) {
        for bit in (0..8).rev() {
            let _ = self.data.set_state((byte >> bit & 1 != 0).into());
            let _ = self.clock.set_high();
            let _ = self.clock.set_low();
        }
    }

    fn command(&mut self, code: u8, arguments: &[u8]) {
        let _ = self.dc.set_low();
        let _ = self.select.set_low();
        self.byte(code);
        let _ = self.dc.set_high();
        for argument in arguments {
            self.byte(*argument);
        }
        let _ = self.select.set_high();
    }
}

/// Draws the square into the picture, or deletes it.
fn fill(picture: &mut [u32; WORDS], x: usize, colour: u32) {
    let (first, last) = (x / 2, (x + SQUARE) / 2);
    for row in picture.chunks_exact_mut(SIDE / 2).skip(100).take(SQUARE) {
        row[first..last].fill(colour << 16 | colour);
    }
}

#[rp2040_hal::entry]
fn main() -> ! {
    let Board { clocks, mut timer, pins, mut resets, uart0, pio0, dma, .. } = Board::take();
    let wires = (pins.gpio0.into_function::<FunctionUart>(), pins.gpio1.into_function());
    let config = UartConfig::new(115_200.Hz(), DataBits::Eight, None, StopBits::One);
    let clock = clocks.peripheral_clock.freq();
    let Ok(mut console) = UartPeripheral::new(uart0, wires, &mut resets).enable(config, clock)
    else {
        panic!("no such rate")
    };

    let mut hand = Hand {
        clock: pins.gpio6.into_push_pull_output(),
        data: pins.gpio7.into_push_pull_output(),
        select: pins.gpio5.into_push_pull_output(),
        dc: pins.gpio9.into_push_pull_output(),
    };
    let _ = hand.select.set_high();
    let mut reset = pins.gpio4.into_push_pull_output();
    let _ = reset.set_low();
    timer.delay_us(50);
    let _ = reset.set_high();
    timer.delay_ms(125);
    hand.command(0x11, &[]); // SLPOUT
    timer.delay_ms(125);
    hand.command(0x36, &[0x00]); // MADCTL
    hand.command(0x3A, &[0x53]); // COLMOD: 12 bits
    hand.command(0x21, &[]); // INVON
    hand.command(0x35, &[0x00]); // TEON
    hand.command(0x2A, &[0, 0, 0, 239]); // CASET
    hand.command(0x2B, &[0, 0, 0, 239]); // RASET
    // Before DISPON the memory has to be written.
    hand.command(0x2C, &[]); // RAMWR
    let _ = hand.select.set_low();
    for _ in 0..WORDS {
        for byte in (GROUND << 12 | GROUND).to_be_bytes().iter().skip(1) {
            hand.byte(*byte);
        }
    }
    let _ = hand.select.set_high();
    hand.command(0x29, &[]); // DISPON
    hand.command(0x2C, &[]);
    // Pixels follow, picture after picture: the address counter returns to the first one.
    let Hand { clock, data, mut select, .. } = hand;
    let _ = select.set_low();
    let _sck = clock.into_function::<FunctionPio0>();
    let _mosi = data.into_function::<FunctionPio0>();

    let program = pio_asm!(
        ".side_set 1 opt",
        ".wrap_target",
        "  pull",
        "  out null, 4",
        "  set x, 11",
        "first:",
        "  out pins, 1     side 0",
        "  jmp x-- first   side 1",
        "  out null, 4",
        "  set x, 11",
        "second:",
        "  out pins, 1     side 0",
        "  jmp x-- second  side 1",
        ".wrap",
    );
    let (mut pio, machine, ..) = pio0.split(&mut resets);
    let Ok(installed) = pio.install(&program.program) else { panic!("the program has room") };
    let (mut machine, _, sender) = rp2040_hal::pio::PIOBuilder::from_installed_program(installed)
        .out_pins(MOSI, 1)
        .side_set_pin_base(SCK)
        .out_shift_direction(ShiftDirection::Left)
        .buffers(Buffers::OnlyTx)
        .clock_divisor_fixed_point(1, 0)
        .build(machine);
    machine.set_pindirs([(SCK, PinDir::Output), (MOSI, PinDir::Output)]);
    let _machine = machine.start();

    let mut channel = dma.split(&mut resets).ch0;
    channel.enable_irq0();
    // The interrupt only ends the wait.
    cortex_m::interrupt::disable();
    #[expect(unsafe_code, reason = "no handler runs while interrupts are disabled")]
    // SAFETY: there is no critical section that this could break.
    unsafe {
        NVIC::unmask(pac::Interrupt::DMA_IRQ_0);
    }

    let mut te = pins.gpio8.into_floating_input();
    let mut left = Button::new(pins.gpio22.into_pull_up_input(), false);
    let mut right = Button::new(pins.gpio21.into_pull_up_input(), false);
    let mut go = Button::new(pins.gpio18.into_pull_up_input(), false);
    let Some(mut picture) = cortex_m::singleton!(: [u32; WORDS] = [0; WORDS]) else {
        unreachable!("main runs once")
    };
    picture.fill(GROUND << 16 | GROUND);
    let (mut x, mut sender, mut steps) = (100, sender, 0_usize);
    fill(picture, x, COLOUR);
    let mut is_new = true;
    loop {
        if is_new {
            while te.is_high().unwrap_or(false) {}
            while te.is_low().unwrap_or(false) {}
            let mut transfer = single_buffer::Config::new(channel, picture, sender).start();
            while !transfer.check_irq0() {
                cortex_m::asm::wfi();
            }
            NVIC::unpend(pac::Interrupt::DMA_IRQ_0);
            (channel, picture, sender) = transfer.wait();
            if steps == 0 {
                let _ = writeln!(console, "x={x}\r");
            }
        } else {
            timer.delay_ms(5);
        }
        let before = x;
        if left.is_pressed() {
            x = x.saturating_sub(STEP);
        }
        if right.is_pressed() {
            x = (x + STEP).min(SIDE - SQUARE);
        }
        if go.is_pressed() {
            steps = 60;
        }
        if steps > 0 {
            steps -= 1;
            x = if x + STEP > SIDE - SQUARE { 0 } else { x + STEP };
        }
        is_new = x != before;
        if is_new {
            fill(picture, before, GROUND);
            fill(picture, x, COLOUR);
        }
    }
}
