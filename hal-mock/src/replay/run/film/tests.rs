use embedded_hal::digital::OutputPin as _;
use embedded_hal::spi::SpiDevice as _;
use proptest::collection::vec;
use proptest::prelude::*;

use super::*;
use crate::BoardConfig;
use reading::golden::GoldenError;
use trace::{FrameCheck, parse};

/// A step of the test, on a board and its film.
#[derive(Clone, Copy, Debug)]
enum Step {
    /// Fills a rectangle with one colour and completes the frame.
    Draw {
        x: u16,
        y: u16,
        width: u16,
        height: u16,
        colour: u16,
    },
    /// Switches the backlight.
    Light(bool),
    /// Adds the frame of that many milliseconds ago, which counts from that many milliseconds
    /// later.
    Add(u64, u64),
    HandOn,
}

fn step() -> impl Strategy<Value = Step> {
    let sides = (0..300_u16, 0..220_u16, 1..20_u16, 1..20_u16, 0..3_u16);
    prop_oneof![
        4 => sides.prop_map(|(x, y, width, height, colour)| {
            Step::Draw { x, y, width, height, colour }
        }),
        1 => any::<bool>().prop_map(Step::Light),
        4 => (0..4_u64, 0..20_u64).prop_map(|(ago, later)| Step::Add(ago, later)),
        3 => Just(Step::HandOn),
    ]
}

fn send(board: &VirtualBoard, code: u8, arguments: &[u8]) {
    let Ok(()) = board.lcd_dc().set_low();
    board.lcd_spi().write(&[code]).unwrap();
    let Ok(()) = board.lcd_dc().set_high();
    board.lcd_spi().write(arguments).unwrap();
}

fn wait(board: &VirtualBoard, millis: u64) {
    board.advance_to(board.now().saturating_add(virtual_time::Nanos::from_millis(millis)));
}

fn board() -> VirtualBoard {
    let board = VirtualBoard::new(BoardConfig::default());
    board.power_on();
    wait(&board, 130);
    send(&board, 0x11, &[]);
    wait(&board, 130);
    send(&board, 0x3A, &[0x55]);
    send(&board, 0x36, &[0x28]);
    send(&board, 0x29, &[]);
    let Ok(()) = board.lcd_backlight().set_high();
    wait(&board, 10);
    board
}

fn draw(board: &VirtualBoard, step: Step) {
    match step {
        Step::Draw { x, y, width, height, colour } => {
            let edges = |first: u16, length: u16| {
                [first.to_be_bytes(), (first + length - 1).to_be_bytes()].concat()
            };
            send(board, 0x2A, &edges(x, width));
            send(board, 0x2B, &edges(y, height));
            let pixels = usize::from(width) * usize::from(height);
            send(board, 0x2C, &colour.wrapping_mul(0x7BEF).to_be_bytes().repeat(pixels));
        }
        Step::Light(on) => {
            let Ok(()) = board.lcd_backlight().set_state(on.into());
        }
        _ => {}
    }
    wait(board, 6);
}

/// A frame as it was passed on: its link, the frame, the previous frame, the event before it.
type Handed = (Link, Frame, Frame, String);

#[derive(Default)]
struct Kept(Vec<Handed>);

impl Goldens for Kept {
    fn check(&mut self, _: &FrameCheck, _: &Frame) -> Result<(), GoldenError> {
        Ok(())
    }

    fn watch(&mut self, name: &str, seen: &ChainFrame<'_>) {
        assert_eq!(name, "all");
        self.0.push((seen.link, seen.frame.clone(), seen.before.clone(), seen.after.to_owned()));
    }

    fn screenshot(&mut self, _: &str, _: &Frame) -> Result<(), GoldenError> {
        Ok(())
    }
}

/// The same film, implemented with whole frames.
struct Plain {
    shown: Frame,
    waiting: VecDeque<Handed>,
    handed: Vec<Handed>,
}

impl Plain {
    fn add(&mut self, frame: Frame, at: Instant, after: String) {
        let before = self.waiting.back().map_or(&self.shown, |(_, frame, ..)| frame).clone();
        if let Some(link) = Link::between(&before, &frame, at) {
            self.waiting.push_back((link, frame, before, after));
        }
    }

    fn next(&mut self, until: Instant) -> Option<Handed> {
        let is_due = self.waiting.front().is_some_and(|(link, ..)| link.at <= until);
        if is_due { self.waiting.pop_front() } else { None }
    }

    fn pass_on(&mut self, until: Instant) {
        while let Some(handed) = self.next(until) {
            self.shown = handed.1.clone();
            self.handed.push(handed);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn frames_are_handed_on_as_if_each_was_whole(steps in vec(step(), 1..40)) {
        let trace = parse("a.trace", "trace 1\n0ms power on\n1s expect frames all\n").unwrap();
        let mut film = FrameQueue::of(&trace, 0, false).unwrap();
        prop_assert!(FrameQueue::of(&trace, 0, true).is_none());
        let board = board();
        let mut kept = Kept::default();
        let (waiting, handed) = (VecDeque::new(), Vec::new());
        let mut plain = Plain { shown: Frame::filled(320, 240, 0), waiting, handed };
        for (number, step) in steps.into_iter().enumerate() {
            match step {
                Step::Draw { .. } | Step::Light(_) => draw(&board, step),
                Step::Add(ago, later) => {
                    let shift = virtual_time::Nanos::from_millis;
                    let complete = board.now().saturating_sub(shift(ago));
                    let at = board.now().saturating_add(shift(later));
                    film.add(&board, complete, at, number.to_string());
                    plain.add(board.frame_at(complete), at, number.to_string());
                }
                Step::HandOn => {
                    film.pass_on(board.now(), &mut kept);
                    plain.pass_on(board.now());
                }
            }
        }
        film.pass_on(Instant::NEVER, &mut kept);
        plain.pass_on(Instant::NEVER);
        prop_assert!(film.waiting.is_empty());
        prop_assert_eq!(kept.0.len(), plain.handed.len());
        for (is, expected) in kept.0.iter().zip(&plain.handed) {
            prop_assert_eq!(is.0, expected.0);
            prop_assert!(is.1 == expected.1, "another frame");
            prop_assert!(is.2 == expected.2, "another frame before");
            prop_assert_eq!(&is.3, &expected.3);
        }
    }
}
