//! The pins: output, input, pulls, overrides, interrupts. External: GPIO 3 is connected to GPIO 2,
//! GPIO 5 to a button to ground that is pressed whenever GPIO 4 is high, and no other pin is
//! connected.
#![no_std]
#![no_main]

use embedded_hal::digital::{InputPin, OutputPin, PinState, StatefulOutputPin};
use on_target::{Board, Shared, Verdict, holds, same, unmask};
use rp2040_hal::gpio::bank0::{Gpio2, Gpio3, Gpio4, Gpio5};
use rp2040_hal::gpio::{
    DynPullType, FunctionSioInput, FunctionSioOutput, InputOverride, Interrupt,
    OutputDriveStrength, OutputEnableOverride, OutputOverride, OutputSlewRate, Pin, PinGroup,
    PullDown, PullNone, PullUp,
};
use rp2040_hal::pac::{self, interrupt};
use rp2040_hal::timer::Timer;

type Button = Pin<Gpio5, FunctionSioInput, PullUp>;

/// The button, and the number of times that it was pressed and released.
static BUTTON: Shared<(Button, u32, u32)> = Shared::new();

#[rp2040_hal::entry]
fn main() -> ! {
    let mut board = Board::take();
    let mut report = on_target::report!(board);
    let timer = board.timer;
    let mut out = board.pins.gpio2.into_push_pull_output();
    let mut input = board.pins.gpio3.into_floating_input();
    report.record("a level goes out and comes back in", wire(&mut out, &mut input, &timer));
    report.record("overrides turn levels round", overrides(&mut out, &mut input, &timer));
    report.record("pads keep what they are set to", pad(&mut out));

    let mut finger = board.pins.gpio4.into_push_pull_output_in_state(PinState::Low);
    let button = board.pins.gpio5.into_pull_up_input();
    let (button, verdict) = edges(button, &mut finger, &timer);
    report.record("edges interrupt", verdict);
    report.record("a level interrupts while it lasts", level(button, &mut finger, &timer));

    let mut lone = board.pins.gpio6.into_pull_up_input();
    let verdict = holds("pulled up", lone.is_high() == Ok(true));
    let mut lone = lone.into_pull_down_input();
    let verdict = verdict.and(holds("pulled down", lone.is_low() == Ok(true)));
    let mut lone = lone.into_pull_type::<DynPullType>();
    lone.set_pull_type(DynPullType::Up);
    let verdict = verdict.and(holds("pulled up again", lone.is_high() == Ok(true)));
    report.record("pulls decide where nothing drives", verdict);

    let readable = board.pins.gpio7.into_push_pull_output_in_state(PinState::High);
    let verdict = holds("high", readable.as_input().is_high() == Ok(true));
    report.record("an output reads itself", verdict);

    let group = PinGroup::new().add_pin(board.pins.gpio20.into_push_pull_output());
    let group = group.add_pin(board.pins.gpio22.into_push_pull_output());
    report.record("a group of pins moves at once", {
        let mut group = group.add_pin(board.pins.gpio21.into_push_pull_output());
        group.set_u32(0b101 << 20);
        let first = same("the group", group.read(), 0b101u32 << 20);
        group.toggle();
        first.and(same("the group turned", group.read(), 0b010u32 << 20))
    });
    report.end()
}

fn wire(
    out: &mut Pin<Gpio2, FunctionSioOutput, PullDown>,
    input: &mut Pin<Gpio3, FunctionSioInput, PullNone>,
    timer: &Timer,
) -> Verdict {
    for high in [true, false, true, true, false] {
        holds("setting", out.set_state(PinState::from(high)).is_ok())?;
        wait(timer, 30);
        holds("what was set", out.is_set_high() == Ok(high))?;
        holds("what comes in", input.is_high() == Ok(high))?;
    }
    holds("turning", out.toggle().is_ok())?;
    wait(timer, 30);
    holds("turned", input.is_high() == Ok(true))
}

/// Checks the overrides. The output is high when this function is called.
fn overrides(
    out: &mut Pin<Gpio2, FunctionSioOutput, PullDown>,
    input: &mut Pin<Gpio3, FunctionSioInput, PullNone>,
    timer: &Timer,
) -> Verdict {
    for (output, enable, seen, high) in [
        (OutputOverride::Invert, OutputEnableOverride::Normal, InputOverride::Normal, false),
        (OutputOverride::AlwaysLow, OutputEnableOverride::Normal, InputOverride::Invert, true),
        (OutputOverride::AlwaysHigh, OutputEnableOverride::Disable, InputOverride::Normal, false),
        (OutputOverride::DontInvert, OutputEnableOverride::Enable, InputOverride::Normal, true),
        (OutputOverride::DontInvert, OutputEnableOverride::Normal, InputOverride::AlwaysLow, false),
        (OutputOverride::DontInvert, OutputEnableOverride::Normal, InputOverride::Normal, true),
    ] {
        out.set_output_override(output);
        out.set_output_enable_override(enable);
        input.set_input_override(seen);
        wait(timer, 30);
        holds("the level", input.is_high() == Ok(high))?;
    }
    Ok(())
}

fn pad(out: &mut Pin<Gpio2, FunctionSioOutput, PullDown>) -> Verdict {
    holds("4 mA", matches!(out.get_drive_strength(), OutputDriveStrength::FourMilliAmps))?;
    out.set_drive_strength(OutputDriveStrength::TwelveMilliAmps);
    out.set_slew_rate(OutputSlewRate::Fast);
    out.set_schmitt_enabled(false);
    holds("12 mA", matches!(out.get_drive_strength(), OutputDriveStrength::TwelveMilliAmps))?;
    holds("fast", matches!(out.get_slew_rate(), OutputSlewRate::Fast))?;
    holds("Schmitt", !out.get_schmitt_enabled())?;
    out.set_sync_bypass(true);
    let bypassed = out.is_sync_bypass();
    out.set_sync_bypass(false);
    holds("the bypass", bypassed && !out.is_sync_bypass())
}

fn edges(
    mut button: Button,
    finger: &mut Pin<Gpio4, FunctionSioOutput, PullDown>,
    timer: &Timer,
) -> (Button, Verdict) {
    // Edges are latched without a read: the pull-up has caused one.
    button.clear_interrupt(Interrupt::EdgeHigh);
    button.set_interrupt_enabled(Interrupt::EdgeLow, true);
    button.set_interrupt_enabled(Interrupt::EdgeHigh, true);
    BUTTON.put((button, 0, 0));
    unmask(pac::Interrupt::IO_IRQ_BANK0);
    for _ in 0..3 {
        let _ = finger.set_high();
        wait(timer, 50);
        let _ = finger.set_low();
        wait(timer, 50);
    }
    let _ = finger.set_high();
    wait(timer, 50);
    pac::NVIC::mask(pac::Interrupt::IO_IRQ_BANK0);
    let Some((button, pressed, released)) = BUTTON.take() else { unreachable!("it was put there") };
    button.set_interrupt_enabled(Interrupt::EdgeLow, false);
    button.set_interrupt_enabled(Interrupt::EdgeHigh, false);
    (button, same("pressed", pressed, 4u32).and(same("released", released, 3u32)))
}

/// Checks interrupts by level. The button is pressed when this function is called.
fn level(
    mut button: Button,
    finger: &mut Pin<Gpio4, FunctionSioOutput, PullDown>,
    timer: &Timer,
) -> Verdict {
    holds("not enabled", !button.interrupt_status(Interrupt::LevelLow))?;
    button.set_interrupt_enabled(Interrupt::LevelLow, true);
    holds("pressed", button.interrupt_status(Interrupt::LevelLow))?;
    button.clear_interrupt(Interrupt::LevelLow);
    holds("nothing to clear", button.interrupt_status(Interrupt::LevelLow))?;
    let _ = finger.set_low();
    wait(timer, 50);
    holds("released", !button.interrupt_status(Interrupt::LevelLow))?;
    button.set_interrupt_forced(Interrupt::EdgeHigh, true);
    holds("forced", button.interrupt_status(Interrupt::EdgeHigh))?;
    button.set_interrupt_forced(Interrupt::EdgeHigh, false);
    Ok(())
}

fn wait(timer: &Timer, us: u32) {
    let start = timer.get_counter_low();
    while timer.get_counter_low().wrapping_sub(start) < us {}
}

#[interrupt]
fn IO_IRQ_BANK0() {
    BUTTON.with(|(button, pressed, released)| {
        if button.interrupt_status(Interrupt::EdgeLow) {
            button.clear_interrupt(Interrupt::EdgeLow);
            *pressed += 1;
        }
        if button.interrupt_status(Interrupt::EdgeHigh) {
            button.clear_interrupt(Interrupt::EdgeHigh);
            *released += 1;
        }
    });
}
