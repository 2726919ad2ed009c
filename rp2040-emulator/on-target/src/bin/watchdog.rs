//! The watchdog: a program that feeds it continues, one that does not is reset, and the scratch
//! registers retain their values. The program runs three times. Needs no external device.
#![no_std]
#![no_main]

use on_target::{Board, Verdict, between, holds, same};
use rp2040_hal::Watchdog;
use rp2040_hal::fugit::ExtU32;
use rp2040_hal::timer::Timer;
use rp2040_hal::watchdog::ScratchRegister::{Scratch0, Scratch1, Scratch2, Scratch7};

/// Value of scratch 0 once the program has run.
const MAGIC: u32 = 0x0DDB_A11C;

#[rp2040_hal::entry]
fn main() -> ! {
    let mut board = Board::take();
    let mut report = on_target::report!(board);
    let mut watchdog = board.watchdog;
    let timer = board.timer;
    let run =
        if watchdog.read_scratch(Scratch0) == MAGIC { watchdog.read_scratch(Scratch1) } else { 0 };
    watchdog.write_scratch(Scratch0, MAGIC);
    watchdog.write_scratch(Scratch1, run + 1);
    match run {
        0 => {
            report.record("fed, it waits", fed(&mut watchdog, &timer));
            watchdog.write_scratch(Scratch7, 7);
            watchdog.start(2_000u32.micros());
            note(&mut watchdog, &timer);
        }
        1 => {
            report.record(
                "scratch registers remember",
                same("scratch 7", watchdog.read_scratch(Scratch7), 7u32),
            );
            report.record(
                "a reset begins anew",
                between("the timer", timer.get_counter_low(), 0u32, 60_000u32),
            );
            // The time of the reset: 2 ms, less the time to read the timer.
            report.record(
                "unfed, it bites in time",
                between("the time", watchdog.read_scratch(Scratch2), 1_990u32, 2_001u32),
            );
            wait(&timer, 3_000);
            report.record("a reset lets it rest", Ok(()));
            // A reset requested by the core.
            while report.uart.uart_is_busy() {}
            cortex_m::peripheral::SCB::sys_reset();
        }
        _ => {
            report.record("a core that asks is reset", same("the run", run, 2u32));
            watchdog.start(100_000u32.micros());
            watchdog.disable();
            wait(&timer, 150_000);
            report.record("switched off, it rests", holds("here", true));
            report.end();
        }
    }
}

fn fed(watchdog: &mut Watchdog, timer: &Timer) -> Verdict {
    watchdog.pause_on_debug(true);
    watchdog.start(3_000u32.micros());
    for _ in 0..10 {
        wait(timer, 2_500);
        watchdog.feed();
    }
    watchdog.disable();
    Ok(())
}

/// Records the time from the start to the reset.
fn note(watchdog: &mut Watchdog, timer: &Timer) -> ! {
    let start = timer.get_counter_low();
    loop {
        watchdog.write_scratch(Scratch2, timer.get_counter_low().wrapping_sub(start));
    }
}

fn wait(timer: &Timer, us: u32) {
    let start = timer.get_counter_low();
    while timer.get_counter_low().wrapping_sub(start) < us {}
}
