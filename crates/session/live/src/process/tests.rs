//! Each end unpacks the messages that the other packs, and refuses invalid ones.

use std::io::{BufReader, sink, stdin};
use std::path::PathBuf;
use std::process::{Command as Program, Stdio};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use hal_mock::{
    MachineError,
    board::{ConsoleLine, Position, Tone},
    log::Log,
};
use host::clock::{Speed, Stopwatch};
use ili9341_model::{Frame, Region};
use reading::text::Reader;
use trace::{
    Action, BoardParts, Button, Buttons, ControlKind, Controls, Displays, HeaderEntry, LedKind,
    LedState, Leds, Movement, Share,
};
use virtual_time::{Instant, Nanos};

use super::child::{Machines, serve};
use super::message::{Answer, Begin, End, Known, Order, Packed, read_line, write_line};
use crate::branches::{Branch, Course};
use crate::input_log::InputLog;
use crate::marks::{Mark, Marks};
use crate::message::{Chord, Command, Handover, Notice, SessionEnd, Status, Update};
use crate::part_readings::{ControlReading, PartReadings};
use crate::process_error::{MessageError, VERSION};
use crate::start::MachineFactory;

fn input_log() -> InputLog {
    let at = Instant::from_millis;
    let events = vec![
        (at(0), Action::PowerOn),
        (at(500), Action::Press(Button::B1)),
        (at(620), Action::Release(Button::B1)),
        (at(700), Action::Type("set game wari".to_owned())),
        (at(900), Action::PowerOff),
    ];
    InputLog { events, end: at(1_000) }
}

fn handover() -> Handover {
    Handover {
        input_log: input_log(),
        waiting: vec![
            (Instant::from_millis(1_100), Action::PowerOn),
            (Instant::from_millis(1_200), Action::Press(Button::T6)),
            (Instant::from_millis(1_300), Action::Type("say \"x\\\"".to_owned())),
        ],
        paused: true,
        shown_at: Some(Instant(7)),
        branches: vec![Course { number: 1, input_log: input_log() }],
        branch: 2,
        held: Button::LCD_BOARD.into_iter().filter(|it| it.index() % 2 == 1).collect(),
        stopped: Some(MachineError::new(Instant(8), "it fell")),
        unrecorded: true,
    }
}

fn update(frame: &Arc<Frame>, now: u64) -> Update {
    let mut marks = Marks::default();
    marks.add(Instant(now), Mark::Press);
    Update {
        now: Instant(now),
        is_clock: now == 2,
        frame: Arc::clone(frame),
        status: Status {
            frames: now,
            paused: true,
            powered: true,
            off: false,
            speed: Speed::MIN,
            pace: Speed::REAL,
            recording_failed: Some("the disk is full".into()),
            broken: Some(MachineError::new(Instant(3), "it fell")),
            debugged: false,
            shown_at: Some(Instant(2)),
        },
        tones: vec![Tone { at: Instant(5), hz: Some(440) }, Tone { at: Instant(6), hz: None }],
        flash: Some(Arc::new(vec![1, 2, b'\n', 3])),
        marks: Arc::new(marks),
        presses: Arc::new(vec![
            (Instant(3), Action::Press(Button::B3)),
            (Instant(now), Action::PowerOff),
        ]),
        branches: Arc::new(vec![Branch {
            number: 1,
            at: Instant(now),
            first: "press B3".into(),
            presses: 2,
            end: Instant(9),
        }]),
        console: Arc::new(console(&["a\tb", "ü"], now as usize)),
        hertz: Some(440),
        closed: Button::LCD_BOARD.into_iter().collect(),
        parts: Arc::default(),
        frame_bytes: 9,
        notices: vec![
            Notice::Kept(2, "a.branches".into()),
            Notice::WentTo(1),
            Notice::NoPast("no".into()),
        ],
        input_log: Some(Arc::new(input_log())),
    }
}

/// Returns a log of some lines and then `count` others, which differ for an odd and an even `count`.
fn console(lines: &[&str], count: usize) -> Log<ConsoleLine> {
    let mut log = Log::default();
    let texts = lines.iter().map(|line| (*line).to_owned());
    let others = (0..count).map(|nth| format!("{} {nth}", count % 2));
    for (at, text) in texts.chain(others).enumerate() {
        log.push(ConsoleLine { at: Instant(at as u64), text });
    }
    log
}

/// Sends an update and returns the one that arrives at the other end.
fn carried(packed: Packed, known: &mut Known) -> Result<Update, MessageError> {
    let mut bytes = Vec::new();
    write_line(&mut bytes, &packed.answer).unwrap();
    bytes.extend_from_slice(&packed.bytes);
    let mut from = &bytes[..];
    let Some(Answer::Update(news)) = read_line(&mut from)? else { panic!("another answer") };
    let update = known.unpack(*news, &mut from)?;
    assert!(from.is_empty(), "{} bytes are left", from.len());
    Ok(update)
}

#[test]
fn updates_arrive_unchanged_and_only_differences_are_sent() {
    let (mut sender, mut receiver) =
        (Known::new(BoardParts::lcd_board()), Known::new(BoardParts::lcd_board()));
    let mut frame = Arc::new(Frame::filled(320, 240, 0x0012_3456));
    for now in 1..4 {
        let sent = update(&frame, now);
        let packed = sender.pack(sent.clone()).unwrap();
        let count = packed.bytes.len();
        let got = carried(packed, &mut receiver).unwrap();
        assert!(got.frame == sent.frame, "update {now}");
        assert_eq!(format!("{:?}", got.status), format!("{:?}", sent.status));
        assert_eq!((got.now, got.tones, got.flash), (sent.now, sent.tones, sent.flash));
        assert_eq!((got.marks, got.is_clock), (sent.marks, sent.is_clock));
        assert_eq!(got.console, sent.console);
        assert_eq!((got.hertz, got.closed, got.frame_bytes), (sent.hertz, sent.closed, 9));
        assert_eq!((got.notices, got.input_log), (sent.notices, sent.input_log));
        if now > 1 {
            assert!(count < 40, "{count} bytes for two pixels and a flash of four");
        }
        let pixels = Arc::make_mut(&mut frame).pixels_mut();
        pixels[5 * 320 + 7] = now as u32;
        pixels[6 * 320 + 8] = 0x00FF_FFFF - now as u32;
    }
}

#[test]
fn every_command_arrives_as_it_is() {
    let commands = [
        Command::Press(Button::B1),
        Command::Release(Button::Reset),
        Command::Chord(Chord { held: Button::Reset, pressed: Button::T6 }),
        Command::Type("say \"x\"".to_owned()),
        Command::Pause(true),
        Command::SingleFrame,
        Command::PowerCycle,
        Command::Speed(Speed::MAX),
        Command::Back(Nanos(3)),
        Command::Forward(Nanos(4)),
        Command::StepFrame(true),
        Command::Look(Instant(5)),
        Command::Now,
        Command::InputLog,
        Command::HandOver,
        Command::TakeOver(Arc::new(handover())),
        Command::Quit,
    ];
    for command in commands {
        let mut bytes = Vec::new();
        write_line(&mut bytes, &Order::of(&command).unwrap()).unwrap();
        let order: Order = read_line(&mut &bytes[..]).unwrap().unwrap();
        assert_eq!(order.command(&BoardParts::lcd_board()).unwrap(), command);
    }
}

#[test]
fn an_end_arrives_as_it_is() {
    let ended = || SessionEnd {
        at: Instant(77),
        frame: Frame::filled(320, 240, 5),
        flash: vec![9; 100],
        flash_changed: true,
        violations: 2,
        machine_error: Some(MachineError::new(Instant(3), "it fell")),
        recording_error: Some(std::io::Error::other("full")),
        handover: Some(handover()),
    };
    let Packed { answer, bytes } = End::pack(ended()).unwrap();
    let Answer::Ended(end) = answer else { panic!("another answer") };
    assert_eq!(
        format!("{:?}", end.unpack(&BoardParts::lcd_board(), &mut &bytes[..]).unwrap())
            .replace("Custom", ""),
        format!("{:?}", ended()).replace("Custom", "")
    );
}

/// A board of a board file: its own buttons, a knob, an LED, and two displays of other sizes.
fn described() -> BoardParts {
    let region = |width, height| Region { x: 0, y: 0, width, height };
    BoardParts {
        buttons: Buttons::new(["UP", "OK"]).unwrap(),
        controls: Controls::new([(ControlKind::Encoder, "KNOB")]).unwrap(),
        leds: Leds::new([(LedKind::Plain, "LAMP")]).unwrap(),
        panel: region(128, 64),
        displays: Displays::new([("TOP", region(128, 64)), ("LOW", region(16, 8))]).unwrap(),
    }
}

#[test]
fn a_described_board_is_carried_with_its_parts() {
    let parts = described();
    let [up, ok] = parts.buttons.all() else { panic!("two buttons") };
    let turn = Movement::Turn { by: -3, over: Some(Nanos::from_millis(5)) };
    let control = parts.controls.all()[0];
    let orders = [
        Command::Press(*ok),
        Command::Chord(Chord { held: *up, pressed: *ok }),
        Command::Move("KNOB".into(), turn),
    ];
    for command in orders {
        let mut line = Vec::new();
        write_line(&mut line, &Order::of(&command).unwrap()).unwrap();
        let order = read_line::<Order>(&mut &line[..]).unwrap().unwrap();
        assert_eq!(order.command(&parts).unwrap(), command);
    }
    let (mut sender, mut receiver) = (Known::new(described()), Known::new(described()));
    let reading = |edges, low: u32| PartReadings {
        leds: vec![("LAMP", vec![LedState::Level(Share::from_percent(30))])],
        controls: vec![ControlReading {
            control,
            position: Position::Edges(edges),
            rest: Position::Edges(0),
        }],
        displays: vec![("LOW", Arc::new(Frame::filled(16, 8, low)))],
    };
    let frames = [Frame::filled(128, 64, 7), Frame::filled(128, 64, 7), Frame::filled(64, 128, 9)];
    for (number, frame) in frames.into_iter().enumerate() {
        let frame = Arc::new(frame);
        let events = vec![
            (Instant::START, Action::PowerOn),
            (Instant::from_millis(3), Action::Press(*up)),
            (Instant::from_millis(4), Action::Move { control, movement: turn }),
        ];
        let sent = Update {
            parts: Arc::new(reading(number as i64, number as u32 + 1)),
            presses: Arc::new(events.clone()),
            input_log: Some(Arc::new(InputLog { events, end: Instant::from_millis(9) })),
            ..update(&frame, number as u64)
        };
        let expected = (Arc::clone(&sent.parts), sent.presses.clone(), sent.input_log.clone());
        let packed = sender.pack(sent).unwrap();
        let received = carried(packed, &mut receiver).unwrap();
        assert_eq!(received.frame, frame, "{number}");
        assert_eq!((received.parts, received.presses, received.input_log), expected);
    }
    let other = Update {
        parts: Arc::new(reading(9, 9)),
        ..update(&Arc::new(Frame::filled(64, 128, 9)), 4)
    };
    let packed = sender.pack(other).unwrap();
    let lcd_board = &mut Known::new(BoardParts::lcd_board());
    assert!(carried(packed, lcd_board).is_err(), "another board");
}

#[test]
fn rubbish_is_refused() {
    let refused = |line: &str| {
        let order = read_line::<Order>(&mut line.as_bytes());
        order
            .and_then(|order| {
                order.map(|order| order.command(&BoardParts::lcd_board())).transpose()
            })
            .is_err()
    };
    assert!(refused("rubbish\n") && refused("{\"press\":99}\n") && refused("{\"speed\":1}\n"));
    assert!(refused(
        "{\"take-over\":{\"done\":{\"trace\":\"x\",\"end\":1},\"waiting\":[],\"paused\":true,\"shown_at\":null}}\n"
    ));
    assert!(!refused("{\"press\":1}\n"));
    // The other end ended while it wrote the line.
    assert!(read_line::<Order>(&mut &b"{\"press\":1}"[..]).unwrap().is_none());
    let mut sender = Known::new(BoardParts::lcd_board());
    let frame = Arc::new(Frame::filled(320, 240, 1));
    let mut packed = sender.pack(update(&frame, 1)).unwrap();
    packed.bytes.truncate(100);
    assert!(carried(packed, &mut Known::new(BoardParts::lcd_board())).is_err());
}

/// Firmware that never comes out of its start.
struct Hanging;

impl Machines for Hanging {
    fn machine(&self, _: Vec<HeaderEntry>, _: Option<Vec<u8>>) -> MachineFactory {
        Box::new(|| {
            loop {
                thread::park();
            }
        })
    }

    fn parts(&self) -> BoardParts {
        BoardParts::lcd_board()
    }

    fn reader(&self) -> Reader {
        Reader::new(Vec::new())
    }
}

/// The child process of the next test. It does nothing when run by itself.
#[test]
#[ignore = "the process of another test"]
fn hanging_session() {
    let _ = serve(BufReader::new(stdin()), &mut sink(), &Hanging);
}

#[test]
fn firmware_that_hangs_at_its_start_ends_with_its_window() {
    let this = std::env::current_exe().unwrap();
    let name = "process::tests::hanging_session";
    let mut child = Program::new(this)
        .args([name, "--exact", "--ignored", "--nocapture"])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let begin = Begin {
        version: VERSION,
        header: Vec::new(),
        image: None,
        record: None,
        recorded: Vec::new(),
        captures: PathBuf::new(),
        speed: 1_000,
        before: None,
    };
    let mut input = child.stdin.take().unwrap();
    write_line(&mut input, &begin).unwrap();
    // The window's process ends.
    drop(input);
    let clock = Stopwatch::start();
    let ended = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break Some(status);
        }
        if clock.elapsed() > Duration::from_secs(20) {
            child.kill().unwrap();
            child.wait().unwrap();
            break None;
        }
        thread::yield_now();
    };
    assert_eq!(ended.and_then(|status| status.code()), Some(1), "it outlasts its window");
}
