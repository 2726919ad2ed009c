//! Two endpoints and a line between them that loses, doubles and changes bytes.

use probe_protocol::endpoint::RESEND_US;
use probe_protocol::frame::{self, Control, Header, Kind, ON_LINE};
use probe_protocol::{
    Endpoint, Event, Messages, Observation, Order, PROTOCOL, Packed, ProbeTime, Refusal, SendError,
    Task, Welcome, Wire,
};
use proptest::prelude::*;
use virtual_time::Random;

const WINDOW: usize = 8;
type End = Endpoint<WINDOW>;

/// Error rates of a line.
#[derive(Clone, Copy, Debug, Default)]
struct Line {
    /// Bytes lost, and below doubled and changed, of every 10,000.
    lost: u64,
    doubled: u64,
    changed: u64,
}

impl Line {
    fn carry(self, bytes: &[u8], random: &mut Random) -> Vec<u8> {
        let mut out = Vec::new();
        for byte in bytes {
            let at = random.below(10_000);
            if at < self.lost {
                continue;
            }
            if at < self.lost + self.changed {
                out.push(byte ^ (1 << random.below(8)));
                continue;
            }
            out.push(*byte);
            if at < self.lost + self.changed + self.doubled {
                out.push(*byte);
            }
        }
        out
    }
}

/// Returns everything that `end` sends, after the line's errors.
fn say(end: &mut End, line: Line, random: &mut Random, now: u64) -> Vec<u8> {
    let mut all = Vec::new();
    loop {
        let bytes = end.output(now).to_vec();
        if bytes.is_empty() {
            return line.carry(&all, random);
        }
        end.consume(bytes.len());
        all.extend(bytes);
    }
}

/// Passes bytes to `end` and collects the numbers of the tasks that arrive.
fn hear(end: &mut End, bytes: &[u8], now: u64, heard: &mut Vec<u32>) {
    let mut rest = bytes;
    while !rest.is_empty() {
        let (taken, event) = end.receive(rest, now);
        if let Some(event) = event {
            for order in event.messages::<Order<'_>>() {
                let Order::At { number, .. } = order else { panic!("{order:?} was never sent") };
                heard.push(number);
            }
        }
        rest = &rest[taken..];
    }
}

fn task(number: u32) -> Order<'static> {
    Order::At { number, at: ProbeTime(u64::from(number)), task: Task::Press(3) }
}

/// Sends `count` messages each way. Returns what arrived, and whether a side lost the line, which
/// stops the exchange.
fn exchange(count: u32, line: Line, seed: u64) -> ([Vec<u32>; 2], bool) {
    let mut random = Random::new(seed);
    let (mut ends, mut heard) = ([End::new(), End::new()], [Vec::new(), Vec::new()]);
    ends.iter_mut().for_each(|end| end.open(7, 0));
    let mut sent = [0, 0];
    let mut now = 0;
    while heard.iter().any(|heard| heard.len() < count as usize) && now < 60_000_000 {
        now += 500;
        for from in 0..2 {
            while sent[from] < count && ends[from].send(&task(sent[from])).is_ok() {
                sent[from] += 1;
            }
            let bytes = say(&mut ends[from], line, &mut random, now);
            hear(&mut ends[1 - from], &bytes, now, &mut heard[1 - from]);
        }
        if ends.iter().any(End::is_lost) {
            return (heard, true);
        }
    }
    (heard, false)
}

#[test]
fn a_disturbed_line_delivers_every_message_once_and_in_order() {
    for seed in 0..60 {
        let line = Line { lost: seed % 7, doubled: seed % 5, changed: seed % 11 };
        let (heard, lost) = exchange(300, line, seed);
        assert!(!lost, "{line:?}, seed {seed}");
        for heard in heard {
            assert!(heard.iter().copied().eq(0..300), "{line:?}, seed {seed}: {heard:?}");
        }
    }
}

#[test]
fn a_line_that_damages_every_frame_is_reported_lost() {
    let (heard, lost) = exchange(300, Line { lost: 3000, doubled: 0, changed: 0 }, 1);
    assert!(lost);
    for heard in heard {
        assert!(heard.iter().copied().eq(0..heard.len() as u32));
    }
}

#[test]
fn waiting_messages_share_a_frame_and_a_full_window_is_an_error() {
    let mut end = End::new();
    assert_eq!(end.send(&task(0)), Err(SendError::Closed));
    end.open(1, 0);
    let mut sent = 0;
    while end.send(&task(sent)).is_ok() {
        sent += 1;
    }
    assert_eq!(end.send(&task(sent)), Err(SendError::Full));
    assert!(sent as usize > WINDOW * 50, "{sent} messages in {WINDOW} frames");
    let mut other = End::new();
    other.open(1, 0);
    let mut heard = Vec::new();
    hear(&mut other, &say(&mut end, Line::default(), &mut Random::new(0), 0), 0, &mut heard);
    assert!(heard.into_iter().eq(0..sent));
    assert_eq!(other.statistics().taken as usize, WINDOW);
}

#[test]
fn unacknowledged_frames_are_resent_a_limited_number_of_times() {
    let mut end = End::new();
    end.open(1, 0);
    end.send(&task(0)).unwrap();
    let (mut frames, mut now) = (0, 0);
    while now < 10_000_000 {
        frames += u32::from(!say(&mut end, Line::default(), &mut Random::new(0), now).is_empty());
        now += RESEND_US / 2;
    }
    assert!(end.is_lost());
    assert_eq!(frames, 1 + probe_protocol::endpoint::RESENDS + 1);
}

#[test]
fn frames_of_another_session_are_ignored() {
    let (mut old, mut new) = (End::new(), End::new());
    old.open(1, 0);
    new.open(2, 0);
    old.send(&task(0)).unwrap();
    let mut heard = Vec::new();
    hear(&mut new, &say(&mut old, Line::default(), &mut Random::new(0), 0), 0, &mut heard);
    assert!(heard.is_empty());
    assert_eq!((new.statistics().foreign, new.statistics().taken), (1, 0));
}

#[test]
fn greetings_report_version_and_session() {
    let (mut host, mut probe) = (End::new(), End::new());
    let mut random = Random::new(0);
    host.hello(0xDEAD_BEEF);
    let bytes = say(&mut host, Line::default(), &mut random, 0);
    let (_, event) = probe.receive(&bytes, 0);
    assert_eq!(event, Some(Event::Hello { protocol: PROTOCOL, session: 0xDEAD_BEEF }));
    let who = Welcome {
        build: "a build of forty bytes, as long as one is",
        serial: "E6605838834F2A2E",
        now: ProbeTime(u64::MAX),
        powered: true,
    };
    probe.welcome(0xDEAD_BEEF, &who);
    let bytes = say(&mut probe, Line::default(), &mut random, 0);
    let (_, event) = host.receive(&bytes, 0);
    let welcome = Some(who);
    assert_eq!(event, Some(Event::Welcome { protocol: PROTOCOL, session: 0xDEAD_BEEF, welcome }));

    // In a greeting of another version only the version is read.
    probe.greet(Control::Welcome, 3, 0x0102, Some(&who));
    let bytes = say(&mut probe, Line::default(), &mut random, 0);
    let (_, event) = host.receive(&bytes, 0);
    assert_eq!(event, Some(Event::Welcome { protocol: 0x0102, session: 3, welcome: None }));
    probe.busy(9);
    let bytes = say(&mut probe, Line::default(), &mut random, 0);
    assert_eq!(host.receive(&bytes, 0).1, Some(Event::Busy { session: 9 }));
}

#[test]
fn a_session_resumes_after_the_line_is_cut() {
    let (mut host, mut probe) = (End::new(), End::new());
    host.open(1, 0);
    probe.open(1, 0);
    host.send(&task(0)).unwrap();
    // Half a frame has arrived.
    let bytes = host.output(0)[..9].to_vec();
    host.consume(9);
    let mut heard = Vec::new();
    hear(&mut probe, &bytes, 0, &mut heard);
    host.reset_line();
    probe.reset_line();
    host.send(&task(1)).unwrap();
    let bytes = say(&mut host, Line::default(), &mut Random::new(0), 100);
    hear(&mut probe, &bytes, 100, &mut heard);
    assert_eq!(heard, [0, 1]);
}

fn a_frame() -> Vec<u8> {
    let header = Header { kind: Kind::Data, session: 0x0100_0002, number: 3, awaited: 0x0400 };
    let mut line = [0; ON_LINE];
    let payload: Vec<u8> = (0..300).map(|index| (index % 7) as u8).collect();
    let length = frame::write(header, &payload, &mut line);
    line[1..length - 1].to_vec()
}

#[test]
fn every_changed_lost_or_doubled_byte_is_detected() {
    let whole = a_frame();
    assert!(frame::read(&mut whole.clone()).is_ok());
    let check = |mut damaged: Vec<u8>, what: &str, place: usize| {
        assert!(frame::read(&mut damaged).is_err(), "byte {place} {what}");
    };
    for place in 0..whole.len() {
        for bit in 0..8 {
            let mut damaged = whole.clone();
            damaged[place] ^= 1 << bit;
            check(damaged, "changed", place);
        }
        let mut lost = whole.clone();
        lost.remove(place);
        check(lost, "lost", place);
        let mut doubled = whole.clone();
        doubled.insert(place, whole[place]);
        check(doubled, "doubled", place);
    }
}

/// Generates fields for orders of every kind.
fn orders() -> impl Strategy<Value = (u32, u64, u8, Vec<u8>, bool)> {
    (
        any::<u32>(),
        any::<u64>(),
        any::<u8>(),
        prop::collection::vec(any::<u8>(), 0..64),
        any::<bool>(),
    )
}

fn round_trip_order(order: Order<'_>) {
    let mut buffer = [0; 128];
    let bytes = postcard::to_slice(&order, &mut buffer).unwrap();
    let mut messages = Messages::<Order<'_>>::of(bytes);
    assert_eq!(messages.next(), Some(order));
    assert_eq!(messages.next(), None);
    assert!(messages.whole());
}

fn round_trip(observation: Observation<'_>) {
    let mut buffer = [0; 128];
    let bytes = postcard::to_slice(&observation, &mut buffer).unwrap();
    let mut messages = Messages::<Observation<'_>>::of(bytes);
    assert_eq!(messages.next(), Some(observation));
    assert_eq!(messages.next(), None);
    assert!(messages.whole());
}

proptest! {
    #[test]
    fn any_message_goes_through((number, at, line, bytes, flag) in orders()) {
        let at = ProbeTime(at);
        for task in [Task::Press(line), Task::Release(line), Task::Power(flag), Task::Uart(&bytes)] {
            round_trip_order(Order::At { number, at, task });
        }
        for order in [Order::ReleaseAll, Order::ReadLevels, Order::BootLoader] {
            round_trip_order(order);
        }
        for wire in Wire::ALL {
            round_trip(Observation::Wire { at, wire, high: flag });
            round_trip(Observation::Overrun { at, wire });
        }
        for bytes in [Packed::Plain(&bytes), Packed::Repeated([line, 0], number)] {
            round_trip(Observation::Lcd { at, took: number, dc: flag, bytes });
        }
        for why in [Refusal::TooLate, Refusal::QueueFull, Refusal::NotPossible] {
            round_trip(Observation::Refused { number, now: at, why });
        }
        let word = number as u16;
        for observation in [
            Observation::Tone { at, periods: number, took: at.0 },
            Observation::Silence { at },
            Observation::Uart { at, bytes: &bytes },
            Observation::Power { at, on: flag },
            Observation::Mark { before: at, done: number },
            Observation::Released { at },
            Observation::Levels { at, high: word, moved: !word, lines: word },
        ] {
            round_trip(observation);
        }
    }

    #[test]
    fn any_stream_of_bytes_is_survived(chunks in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..700), 0..8)) {
        let mut end = End::new();
        end.open(0, 0);
        for chunk in chunks {
            let mut rest = &chunk[..];
            while !rest.is_empty() {
                let (taken, event) = end.receive(rest, 0);
                if let Some(event) = event {
                    let _ = event.messages::<Observation<'_>>().count();
                }
                prop_assert!(taken > 0);
                rest = &rest[taken..];
            }
            let said = end.output(0).len();
            end.consume(said);
        }
    }

    #[test]
    fn any_payload_is_survived(payload in prop::collection::vec(any::<u8>(), 0..480)) {
        let _ = Messages::<Observation<'_>>::of(&payload).count();
        let _ = Messages::<Order<'_>>::of(&payload).count();
    }
}
