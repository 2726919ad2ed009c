//! The PWM's slices: counting, also on input B, wrapping, interrupts, outputs. The test only
//! observes: the level of the input is set by its pin's override.
#![no_std]
#![no_main]

use embedded_hal::pwm::SetDutyCycle;
use on_target::{Board, Shared, Verdict, between, holds, same, unmask};
use rp2040_hal::gpio::bank0::Gpio13;
use rp2040_hal::gpio::{FunctionPwm, InputOverride, Pin, PullDown};
use rp2040_hal::pac::{self, interrupt};
use rp2040_hal::pwm::{
    CountFallingEdge, CountRisingEdge, FreeRunning, InputHighRunning, Pwm1, Pwm3, Pwm4, Pwm6,
    Slice, Slices,
};
use rp2040_hal::timer::Timer;

/// The slice that interrupts, and how many times it has.
static WRAPS: Shared<(Slice<Pwm1, FreeRunning>, u32)> = Shared::new();

#[rp2040_hal::entry]
fn main() -> ! {
    let mut board = Board::take();
    let mut report = on_target::report!(board);
    let timer = board.timer;
    let mut slices = Slices::new(board.rest.PWM, &mut board.resets);

    report.record("a counter counts to its top", counts(&mut slices.pwm3, &timer));
    report.record("a phase is moved by one", phase(&mut slices.pwm3));
    report.record("a wrap is seen and cleared", wraps(&mut slices.pwm3, &timer));
    report.record("phase-correct counts up and down", correct(&mut slices.pwm4, &timer));
    // Slices 2 and 5 start in the same cycle.
    slices.pwm2.set_top(999);
    slices.pwm5.set_top(999);
    slices.enable_simultaneous(1 << 2 | 1 << 5);
    let (one, other) = (slices.pwm2.get_counter(), slices.pwm5.get_counter());
    let apart = (other + 1_000 - one) % 1_000;
    report.record("slices begin together", between("cycles apart", apart, 1u16, 20u16));

    report.record("wraps interrupt", interrupts(slices.pwm1, &timer));

    let input = board.pins.gpio13.into_function();
    report.record("an input is counted", counts_input(slices.pwm6, input, &timer));

    // 1 kHz with a duty of a quarter on GPIO 14, three quarters on GPIO 15.
    let mut buzzer = slices.pwm7;
    buzzer.set_div_int(125);
    buzzer.set_top(999);
    buzzer.channel_a.output_to(board.pins.gpio14);
    buzzer.channel_b.output_to(board.pins.gpio15);
    let verdict = same("the whole", buzzer.channel_a.max_duty_cycle(), 1_000u16)
        .and(holds("a quarter", buzzer.channel_a.set_duty_cycle_percent(25).is_ok()))
        .and(holds("another", buzzer.channel_b.set_duty_cycle(250).is_ok()));
    buzzer.channel_b.set_inverted();
    buzzer.enable();
    wait(&timer, 10_000);
    report.record("outputs are waves", verdict);
    report.end()
}

/// Counts one step a microsecond, with a wrap every 500.
fn counts(slice: &mut Slice<Pwm3, FreeRunning>, timer: &Timer) -> Verdict {
    slice.default_config();
    slice.set_div_int(125);
    slice.set_div_frac(0);
    slice.set_top(499);
    same("the top", slice.get_top(), 499u16)?;
    slice.set_counter(100);
    same("the counter", slice.get_counter(), 100u16)?;
    wait(timer, 10);
    same("it stands still", slice.get_counter(), 100u16)?;
    slice.enable();
    wait(timer, 100);
    between("after a while", slice.get_counter(), 198u16, 206u16)?;
    wait(timer, 500);
    between("after a turn", slice.get_counter(), 198u16, 212u16)?;
    slice.set_div_int(62);
    slice.set_div_frac(8);
    slice.set_counter(0);
    wait(timer, 100);
    between("twice as fast", slice.get_counter(), 199u16, 208u16)?;
    slice.disable();
    let stopped = slice.get_counter();
    wait(timer, 10);
    same("stopped", slice.get_counter(), stopped)
}

/// Counts edges of the input, and cycles while it is high.
fn counts_input(
    slice: Slice<Pwm6, FreeRunning>,
    mut input: Pin<Gpio13, FunctionPwm, PullDown>,
    timer: &Timer,
) -> Verdict {
    let mut pulses = |count: u32| {
        for _ in 0..count {
            input.set_input_override(InputOverride::AlwaysHigh);
            input.set_input_override(InputOverride::AlwaysLow);
        }
    };
    let mut slice = slice.into_mode::<CountRisingEdge>();
    slice.default_config();
    slice.enable();
    pulses(7);
    same("rising edges", slice.get_counter(), 7u16)?;
    slice.disable();
    pulses(3);
    same("none while it is off", slice.get_counter(), 7u16)?;
    let mut slice = slice.into_mode::<CountFallingEdge>();
    slice.set_div_int(2);
    slice.set_counter(0);
    slice.enable();
    pulses(9);
    same("every second falling edge", slice.get_counter(), 4u16)?;
    slice.disable();
    let mut slice = slice.into_mode::<InputHighRunning>();
    slice.set_div_int(125);
    slice.set_counter(0);
    slice.enable();
    wait(timer, 100);
    same("nothing while it is low", slice.get_counter(), 0u16)?;
    input.set_input_override(InputOverride::AlwaysHigh);
    wait(timer, 100);
    input.set_input_override(InputOverride::AlwaysLow);
    let counted = slice.get_counter();
    between("microseconds while it is high", counted, 99u16, 104u16)?;
    wait(timer, 100);
    same("it stands still again", slice.get_counter(), counted)
}

/// Checks PH_ADV and PH_RET while the slice runs slowly.
fn phase(slice: &mut Slice<Pwm3, FreeRunning>) -> Verdict {
    slice.set_div_int(255);
    slice.set_div_frac(0);
    slice.set_top(0xFFFF);
    slice.set_counter(1_000);
    slice.enable();
    let before = slice.get_counter();
    slice.advance_phase();
    slice.advance_phase();
    slice.advance_phase();
    between("three on", slice.get_counter(), before + 3, before + 6)?;
    let before = slice.get_counter();
    slice.set_counter(1_000);
    slice.retard_phase();
    holds("before", before >= 1_000)?;
    between("one back", slice.get_counter(), 999u16, 1_001u16)?;
    slice.disable();
    Ok(())
}

fn wraps(slice: &mut Slice<Pwm3, FreeRunning>, timer: &Timer) -> Verdict {
    slice.set_div_int(125);
    slice.set_top(99);
    slice.set_counter(0);
    slice.clear_interrupt();
    holds("not yet", !slice.has_overflown())?;
    slice.enable();
    wait(timer, 50);
    holds("half way", !slice.has_overflown())?;
    wait(timer, 60);
    holds("wrapped", slice.has_overflown())?;
    slice.clear_interrupt();
    holds("cleared", !slice.has_overflown())?;
    slice.disable();
    Ok(())
}

fn correct(slice: &mut Slice<Pwm4, FreeRunning>, timer: &Timer) -> Verdict {
    slice.set_ph_correct();
    slice.set_div_int(125);
    slice.set_top(999);
    slice.enable();
    wait(timer, 600);
    between("on its way up", slice.get_counter(), 598u16, 606u16)?;
    wait(timer, 800);
    between("on its way down", slice.get_counter(), 585u16, 602u16)?;
    holds("not wrapped", !slice.has_overflown())?;
    wait(timer, 700);
    holds("wrapped", slice.has_overflown())
}

fn interrupts(mut slice: Slice<Pwm1, FreeRunning>, timer: &Timer) -> Verdict {
    slice.set_div_int(125);
    slice.set_top(99);
    slice.enable_interrupt();
    WRAPS.put((slice, 0));
    unmask(pac::Interrupt::PWM_IRQ_WRAP);
    WRAPS.with(|(slice, _)| slice.enable());
    wait(timer, 1_050);
    pac::NVIC::mask(pac::Interrupt::PWM_IRQ_WRAP);
    let Some((mut slice, count)) = WRAPS.take() else { unreachable!("it was put there") };
    slice.disable();
    slice.disable_interrupt();
    same("interrupts", count, 10u32)?;
    slice.clear_interrupt();
    slice.enable_interrupt();
    slice.force_interrupt();
    holds("forced", pac::NVIC::is_pending(pac::Interrupt::PWM_IRQ_WRAP))?;
    slice.clear_force_interrupt();
    slice.disable_interrupt();
    Ok(())
}

fn wait(timer: &Timer, us: u32) {
    let start = timer.get_counter_low();
    while timer.get_counter_low().wrapping_sub(start) < us {}
}

#[interrupt]
fn PWM_IRQ_WRAP() {
    WRAPS.with(|(slice, count)| {
        slice.clear_interrupt();
        *count += 1;
    });
}
