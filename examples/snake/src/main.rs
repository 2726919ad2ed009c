//! A game of snake on a handheld: `cargo run --package snake -- run` opens its window.

mod game;
mod screen;

use std::process::ExitCode;

use embassy_futures::select::{Either, select, select_array};
use embassy_time::{Duration, Timer};
use embedded_hal::pwm::SetDutyCycle as _;
use embedded_hal_async::digital::Wait as _;
use nudge::{Buzzer, InputPin, Pins};

use game::{Direction, Event, Snake};
use screen::Screen;

/// Time in which the snake moves by a cell.
const STEP: Duration = Duration::from_millis(160);

fn main() -> ExitCode {
    nudge::main(nudge::board!("snake.board.toml"), nudge::executor(play))
}

/// The buttons that turn the snake, and the one that begins a game.
struct Buttons {
    arrows: [InputPin; 4],
    start: InputPin,
}

async fn play(pins: Pins) {
    let mut screen = Screen::new(&pins);
    let arrows = ["UP", "DOWN", "LEFT", "RIGHT"].map(|name| pins.button(name));
    let mut buttons = Buttons { arrows, start: pins.button("A") };
    let mut buzzer = pins.buzzer();
    let mut random = pins.entropy();
    loop {
        screen.title();
        let _ = buttons.start.wait_for_falling_edge().await;
        let mut snake = Snake::new(|| random.next_u32());
        screen.field(&snake);
        loop {
            if let Some(direction) = buttons.turned(STEP).await {
                snake.turn(direction);
            }
            match snake.step(|| random.next_u32()) {
                Event::Moved { left } => screen.moved(&snake, left),
                Event::Ate => {
                    screen.ate(&snake);
                    beep(&mut buzzer, 1_760, Duration::from_millis(30)).await;
                }
                Event::Bit => break,
            }
        }
        screen.over(&snake);
        beep(&mut buzzer, 220, Duration::from_millis(400)).await;
        let _ = buttons.start.wait_for_falling_edge().await;
    }
}

impl Buttons {
    /// Returns the last direction that was pressed within `time`.
    async fn turned(&mut self, time: Duration) -> Option<Direction> {
        let mut turned = None;
        let mut end = Timer::after(time);
        loop {
            let presses = self.arrows.each_mut().map(|arrow| arrow.wait_for_falling_edge());
            match select(&mut end, select_array(presses)).await {
                Either::First(()) => return turned,
                Either::Second((_, arrow)) => turned = Some(Direction::ALL[arrow]),
            }
        }
    }
}

async fn beep(buzzer: &mut Buzzer, hertz: u32, time: Duration) {
    buzzer.set_frequency(hertz);
    let _ = buzzer.set_duty_cycle_percent(50);
    Timer::after(time).await;
    let _ = buzzer.set_duty_cycle_fully_off();
}
