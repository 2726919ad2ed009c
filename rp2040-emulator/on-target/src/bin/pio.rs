//! PIO0 and PIO1, with programs that the pio crate assembles: pins, FIFOs, flags, interrupts, the
//! DMA.
//!
//! External: pin 10 follows pin 9, and the test compares the outputs on the other pins with the
//! expected waveforms.
#![no_std]
#![no_main]

use cortex_m::singleton;
use embedded_hal::digital::OutputPin;
use on_target::{Board, Shared, Verdict, between, holds, same, unmask};
use pio::{
    Assembler, InSource, Instruction, InstructionOperands, IrqIndexMode, JmpCondition,
    MovDestination, MovOperation, MovSource, OutDestination, SetDestination, SideSet, WaitSource,
};
use rp2040_hal::dma::{CH0, CH1, Channel, DMAExt, single_buffer};
use rp2040_hal::gpio::{FunctionPio0, FunctionPio1, FunctionSioOutput, Pin, PinId, PullDown};
use rp2040_hal::pac::{self, PIO0, PIO1, interrupt};
use rp2040_hal::pio::{
    Buffers, InstalledProgram, PIO, PIOBuilder, PIOExt, PinDir, PinState, PioIRQ, Rx, SM0, SM1,
    SM2, SM3, ShiftDirection, Tx, UninitStateMachine,
};
use rp2040_hal::timer::Timer;

/// A program of at most the PIO's 32 instructions.
type Source = Assembler<32>;
type Free<P, SM> = UninitStateMachine<(P, SM)>;
type Words = Rx<(PIO1, SM2)>;

/// Output pins; `rp2040-emulator/tests/on_target` has the same numbers.
const SQUARE: u8 = 2;
const UART: u8 = 3;
const SPI_CLOCK: u8 = 4;
const SPI_DATA: u8 = 5;
const LIGHTS: u8 = 6;
const PAIR: [u8; 2] = [7, 8];
/// Input pin.
const INPUT: u8 = 10;

/// Divider from 125 MHz to 8 MHz: 15 and 160/256.
const EIGHT_MHZ: (u16, u8) = (15, 160);

/// The PIO for the first handler, and how many times that has run.
static FLAGS: Shared<(PIO<PIO1>, u32)> = Shared::new();
/// The FIFO for the other handler, and the word that it has read.
static WORDS: Shared<(Words, Option<u32>)> = Shared::new();

#[rp2040_hal::entry]
fn main() -> ! {
    let mut board = Board::take();
    let mut report = on_target::report!(board);
    let timer = board.timer;
    let (mut pio, sm0, sm1, sm2, sm3) = board.rest.PIO0.split(&mut board.resets);
    let _of_pio_0 = (
        board.pins.gpio2.into_function::<FunctionPio0>(),
        board.pins.gpio3.into_function::<FunctionPio0>(),
        board.pins.gpio4.into_function::<FunctionPio0>(),
        board.pins.gpio5.into_function::<FunctionPio0>(),
        board.pins.gpio6.into_function::<FunctionPio0>(),
    );
    report.record("a pin goes up and down", square(&mut pio, sm0, &timer));
    report.record("a UART sends", uart(&mut pio, sm1, &timer));
    report.record("an SPI sends and receives", spi(&mut pio, sm2));
    report.record("lights get their colours", lights(&mut pio, sm3, &timer));

    let (mut pio, sm0, sm1, sm2, sm3) = board.rest.PIO1.split(&mut board.resets);
    let _of_pio_1 = (
        board.pins.gpio7.into_function::<FunctionPio1>(),
        board.pins.gpio8.into_function::<FunctionPio1>(),
    );
    report.record("two machines begin together", together(&mut pio, sm0, sm1, &timer));
    let (sm3, verdict) = fifos(&mut pio, sm3);
    report.record("FIFOs fill, join and empty", verdict);
    let output = board.pins.gpio9.into_push_pull_output();
    let _input = board.pins.gpio10.into_pull_down_input();
    let (sm3, verdict) = input(&mut pio, sm3, output, &timer);
    report.record("a machine waits for a pin", verdict);
    let (sm3, verdict) = forced(&mut pio, sm3);
    report.record("instructions are forced on a machine", verdict);
    let dma = board.rest.DMA.split(&mut board.resets);
    report.record("the DMA feeds and fetches", by_dma(&mut pio, sm3, (dma.ch0, dma.ch1)));
    report.record("flags and words interrupt", interrupts(pio, sm2, &timer));
    report.end()
}

/// Outputs a wave that is high for three microseconds and low for two.
fn square(pio: &mut PIO<PIO0>, sm: Free<PIO0, SM0>, timer: &Timer) -> Verdict {
    let mut source = Source::new();
    source.set_with_delay(SetDestination::PINS, 1, 2);
    source.set_with_delay(SetDestination::PINS, 0, 1);
    let program = install(pio, source);
    let place = u32::from(program.offset());
    let builder = PIOBuilder::from_installed_program(program).set_pins(SQUARE, 1);
    let (mut sm, _, _) = builder.clock_divisor_fixed_point(125, 0).build(sm);
    sm.set_pindirs([(SQUARE, PinDir::Output)]);
    let sm = sm.start();
    wait(timer, 100);
    between("where it is", sm.instruction_address(), place, place + 1)?;
    let mut sm = sm.stop();
    let stays = sm.instruction_address();
    wait(timer, 10);
    same("where it stands still", sm.instruction_address(), stays)?;
    sm.set_pins([(SQUARE, PinState::Low)]);
    Ok(())
}

/// Sends eight bits at a million bits a second, as a UART does.
fn uart(pio: &mut PIO<PIO0>, sm: Free<PIO0, SM1>, timer: &Timer) -> Verdict {
    let mut source = Source::new_with_side_set(SideSet::new(true, 1, false));
    let mut bit = source.label();
    source.pull_with_delay_and_side_set(false, true, 7, 1);
    source.set_with_delay_and_side_set(SetDestination::X, 7, 7, 0);
    source.bind(&mut bit);
    source.out(OutDestination::PINS, 1);
    source.jmp_with_delay(JmpCondition::XDecNonZero, &mut bit, 6);
    let program = install(pio, source);
    let builder = PIOBuilder::from_installed_program(program)
        .out_pins(UART, 1)
        .side_set_pin_base(UART)
        .out_shift_direction(ShiftDirection::Right)
        .clock_divisor_fixed_point(EIGHT_MHZ.0, EIGHT_MHZ.1);
    let (mut sm, _, mut tx) = builder.build(sm);
    sm.set_pins([(UART, PinState::High)]);
    sm.set_pindirs([(UART, PinDir::Output)]);
    let _sm = sm.start();
    wait(timer, 10);
    let before = timer.get_counter_low();
    for byte in *b"eight bits" {
        while !tx.write(byte.into()) {}
    }
    tx.clear_stalled_flag();
    while !tx.has_stalled() {}
    holds("nothing left", tx.is_empty())?;
    between("the time", timer.get_counter_low().wrapping_sub(before), 99u32, 102u32)
}

/// Transfers in SPI mode 0 at a million bits a second; the data pin is its own input.
fn spi(pio: &mut PIO<PIO0>, sm: Free<PIO0, SM2>) -> Verdict {
    let mut source = Source::new_with_side_set(SideSet::new(false, 1, false));
    source.out_with_delay_and_side_set(OutDestination::PINS, 1, 1, 0);
    source.r#in_with_delay_and_side_set(InSource::PINS, 1, 1, 1);
    let program = install(pio, source);
    let builder = PIOBuilder::from_installed_program(program)
        .out_pins(SPI_DATA, 1)
        .in_pin_base(SPI_DATA)
        .side_set_pin_base(SPI_CLOCK)
        .out_shift_direction(ShiftDirection::Left)
        .in_shift_direction(ShiftDirection::Left)
        .autopull(true)
        .pull_threshold(8)
        .autopush(true)
        .push_threshold(8)
        .clock_divisor_fixed_point(31, 64);
    let (mut sm, mut rx, mut tx) = builder.build(sm);
    sm.set_pindirs([(SPI_CLOCK, PinDir::Output), (SPI_DATA, PinDir::Output)]);
    let _sm = sm.start();
    for byte in *b"both ways" {
        holds("writing", tx.write_u8_replicated(byte))?;
        let answer = loop {
            if let Some(answer) = rx.read() {
                break answer;
            }
        };
        same("the answer", answer, byte)?;
    }
    Ok(())
}

/// Sends to WS2812 lights: a bit takes ten eighths of a microsecond, of which a zero is high for
/// two and a one for seven.
fn lights(pio: &mut PIO<PIO0>, sm: Free<PIO0, SM3>, timer: &Timer) -> Verdict {
    let mut source = Source::new_with_side_set(SideSet::new(false, 1, false));
    let (mut bit, mut zero) = (source.label(), source.label());
    source.bind(&mut bit);
    source.out_with_delay_and_side_set(OutDestination::X, 1, 2, 0);
    source.jmp_with_delay_and_side_set(JmpCondition::XIsZero, &mut zero, 1, 1);
    source.jmp_with_delay_and_side_set(JmpCondition::Always, &mut bit, 4, 1);
    source.bind(&mut zero);
    source.nop_with_delay_and_side_set(4, 0);
    let program = install(pio, source);
    let builder = PIOBuilder::from_installed_program(program)
        .side_set_pin_base(LIGHTS)
        .out_shift_direction(ShiftDirection::Left)
        .autopull(true)
        .pull_threshold(24)
        .buffers(Buffers::OnlyTx)
        .clock_divisor_fixed_point(EIGHT_MHZ.0, EIGHT_MHZ.1);
    let (mut sm, _, mut tx) = builder.build(sm);
    sm.set_pindirs([(LIGHTS, PinDir::Output)]);
    let _sm = sm.start();
    for colour in [0xFF_0000u32, 0x00_A5C3, 0x80_0001] {
        holds("writing", tx.write(colour << 8))?;
    }
    wait(timer, 100);
    holds("nothing left", tx.is_empty())
}

fn together(
    pio: &mut PIO<PIO1>,
    sm0: Free<PIO1, SM0>,
    sm1: Free<PIO1, SM1>,
    timer: &Timer,
) -> Verdict {
    let mut programs = PAIR.map(|pin| {
        let mut source = Source::new();
        source.set_with_delay(SetDestination::PINS, 1, 3);
        source.set(SetDestination::PINS, 0);
        let builder = PIOBuilder::from_installed_program(install(pio, source));
        Some(builder.set_pins(pin, 1).clock_divisor_fixed_point(7, 128))
    });
    let (Some(first), Some(second)) = (programs[0].take(), programs[1].take()) else {
        unreachable!("there are two")
    };
    let (mut sm0, _, _) = first.build(sm0);
    let (mut sm1, _, _) = second.build(sm1);
    sm0.set_pindirs([(PAIR[0], PinDir::Output)]);
    sm1.set_pindirs([(PAIR[1], PinDir::Output)]);
    let group = sm0.with(sm1).sync().start();
    wait(timer, 50);
    let _group = group.stop();
    Ok(())
}

/// Returns a program that sends each word back with its bits reversed.
fn reverse() -> Source {
    let mut source = Source::new();
    source.pull(false, true);
    source.mov(MovDestination::ISR, MovOperation::BitReverse, MovSource::OSR);
    source.push(false, true);
    source
}

fn fifos(pio: &mut PIO<PIO1>, sm: Free<PIO1, SM3>) -> (Free<PIO1, SM3>, Verdict) {
    let builder = PIOBuilder::from_installed_program(install(pio, reverse()));
    let (sm, mut rx, mut tx) = builder.build(sm);
    let taken = (1..=20).take_while(|word| tx.write(*word)).count() as u32;
    let stopped = same("what a machine that stands still takes", taken, 4u32)
        .and(holds("full", tx.is_full()))
        .and(holds("no answer", rx.is_empty() && rx.read().is_none()));
    let sm = sm.start();
    let running = (1..=4u32).try_for_each(|word| answers(&mut rx, word));
    // Four answers wait, the state machine holds one, four words wait.
    let taken = (5..=20).take_while(|word| written(&mut tx, *word)).count() as u32;
    let waiting = same("what a machine with an unread FIFO takes", taken, 9u32)
        .and(holds("full of answers", rx.is_full()))
        .and((5..=13u32).try_for_each(|word| answers(&mut rx, word)))
        .and(holds("no more", rx.is_empty() && tx.is_empty()));
    let (sm, program) = sm.stop().uninit(rx, tx);
    let builder = PIOBuilder::from_installed_program(program).buffers(Buffers::OnlyTx);
    let (mut sm, rx, mut tx) = builder.build(sm);
    let taken = (1..=20).take_while(|word| tx.write(*word)).count() as u32;
    let joined = same("what both FIFOs together take", taken, 8u32);
    sm.drain_tx_fifo();
    let drained = holds("drained", tx.is_empty());
    let cleared = holds("writing", tx.write(0)).and_then(|()| {
        sm.clear_fifos();
        holds("cleared", tx.is_empty())
    });
    let (sm, program) = sm.uninit(rx, tx);
    pio.uninstall(program);
    (sm, stopped.and(running).and(waiting).and(joined).and(drained).and(cleared))
}

/// Returns whether the word is accepted after a few attempts.
fn written(tx: &mut Tx<(PIO1, SM3)>, word: u32) -> bool {
    (0..100).any(|_| tx.write(word))
}

/// Checks that the next answer is `word` with its bits reversed.
fn answers(rx: &mut Rx<(PIO1, SM3)>, word: u32) -> Verdict {
    match (0..100).find_map(|_| rx.read()) {
        Some(answer) => same("an answer", answer, word.reverse_bits()),
        None => holds("there is an answer", false),
    }
}

/// Checks a program that reports when its pin is high, and when it is low again.
fn input<I: PinId>(
    pio: &mut PIO<PIO1>,
    sm: Free<PIO1, SM3>,
    mut output: Pin<I, FunctionSioOutput, PullDown>,
    timer: &Timer,
) -> (Free<PIO1, SM3>, Verdict) {
    let mut source = Source::new();
    for level in [1, 0] {
        source.wait(level, WaitSource::PIN, 0, false);
        source.set(SetDestination::X, 20 + level);
        source.r#in(InSource::X, 32);
        source.push(false, true);
    }
    let builder = PIOBuilder::from_installed_program(install(pio, source));
    let (sm, mut rx, tx) = builder.in_pin_base(INPUT).build(sm);
    let sm = sm.start();
    let mut verdict = Ok(());
    for level in [true, false, true] {
        verdict = verdict.and(holds("nothing yet", rx.is_empty()));
        let Ok(()) = output.set_state(level.into());
        wait(timer, 30);
        verdict = verdict.and_then(|()| {
            same("what it tells", rx.read().unwrap_or_default(), 20 + u32::from(level))
        });
    }
    let (sm, program) = sm.uninit(rx, tx);
    pio.uninstall(program);
    (sm, verdict)
}

fn forced(pio: &mut PIO<PIO1>, sm: Free<PIO1, SM3>) -> (Free<PIO1, SM3>, Verdict) {
    let (mut sm, mut rx, tx) =
        PIOBuilder::from_installed_program(install(pio, reverse())).build(sm);
    for operands in [
        InstructionOperands::SET { destination: SetDestination::Y, data: 21 },
        InstructionOperands::MOV {
            destination: MovDestination::ISR,
            op: MovOperation::Invert,
            source: MovSource::Y,
        },
        InstructionOperands::PUSH { if_full: false, block: false },
    ] {
        sm.exec_instruction(Instruction { operands, delay: 0, side_set: None });
    }
    let pushed = same("what it has pushed", rx.read().unwrap_or_default(), !21u32);
    sm.exec_instruction(Instruction {
        operands: InstructionOperands::PULL { if_empty: false, block: true },
        delay: 0,
        side_set: None,
    });
    let stalls = holds("it waits for a word", sm.stalled());
    let (sm, program) = sm.uninit(rx, tx);
    pio.uninstall(program);
    (sm, pushed.and(stalls))
}

fn by_dma(
    pio: &mut PIO<PIO1>,
    sm: Free<PIO1, SM3>,
    (ch0, ch1): (Channel<CH0>, Channel<CH1>),
) -> Verdict {
    let from = singleton!(: [u32; 40] = core::array::from_fn(|n| n as u32 * 0x0123_4567));
    let to = singleton!(: [u32; 40] = [0; 40]);
    let (Some(from), Some(to)) = (from, to) else { unreachable!("this runs once") };
    let (sm, rx, tx) = PIOBuilder::from_installed_program(install(pio, reverse())).build(sm);
    let _sm = sm.start();
    let fetch = single_buffer::Config::new(ch0, rx, to).start();
    let feed = single_buffer::Config::new(ch1, from, tx).start();
    let (_, from, _) = feed.wait();
    let (_, _, to) = fetch.wait();
    from.iter()
        .zip(to)
        .try_for_each(|(word, answer)| same("an answer", *answer, word.reverse_bits()))
}

/// Raises a flag three times for the first handler, which clears it; then sends a word to the
/// other.
fn interrupts(mut pio: PIO<PIO1>, sm: Free<PIO1, SM2>, timer: &Timer) -> Verdict {
    let mut source = Source::new();
    let (mut again, mut end) = (source.label(), source.label());
    source.set(SetDestination::X, 2);
    source.bind(&mut again);
    source.irq(false, true, 0, IrqIndexMode::DIRECT);
    source.jmp(JmpCondition::XDecNonZero, &mut again);
    source.r#in(InSource::X, 32);
    source.push(false, true);
    source.bind(&mut end);
    source.jmp(JmpCondition::Always, &mut end);
    let builder = PIOBuilder::from_installed_program(install(&mut pio, source));
    let (sm, rx, _) = builder.build(sm);
    pio.irq0().enable_sm_interrupt(0);
    rx.enable_rx_not_empty_interrupt(PioIRQ::Irq1);
    FLAGS.put((pio, 0));
    WORDS.put((rx, None));
    unmask(pac::Interrupt::PIO1_IRQ_0);
    unmask(pac::Interrupt::PIO1_IRQ_1);
    let sm = sm.start();
    wait(timer, 50);
    pac::NVIC::mask(pac::Interrupt::PIO1_IRQ_0);
    pac::NVIC::mask(pac::Interrupt::PIO1_IRQ_1);
    let _sm = sm.stop();
    let (Some((pio, flags)), Some((rx, word))) = (FLAGS.take(), WORDS.take()) else {
        unreachable!("they were put there")
    };
    same("flags", flags, 3u32)?;
    same("flags that stand", pio.get_irq_raw(), 0u8)?;
    same("the word", word.unwrap_or_default(), u32::MAX)?;
    pio.force_irq(1 << 3);
    same("a flag that is forced", pio.get_irq_raw(), 8u8)?;
    holds("it is no machine's that listens", !pio.irq0().state().sm3() && pio.irq0().raw().sm3())?;
    holds("nothing received", rx.is_empty())
}

fn install<P: PIOExt>(pio: &mut PIO<P>, source: Source) -> InstalledProgram<P> {
    let Ok(program) = pio.install(&source.assemble_program()) else {
        unreachable!("there is room for it")
    };
    program
}

fn wait(timer: &Timer, us: u32) {
    let start = timer.get_counter_low();
    while timer.get_counter_low().wrapping_sub(start) < us {}
}

#[interrupt]
fn PIO1_IRQ_0() {
    FLAGS.with(|(pio, count)| {
        pio.clear_irq(1);
        *count += 1;
    });
}

#[interrupt]
fn PIO1_IRQ_1() {
    WORDS.with(|(rx, word)| *word = rx.read());
}
