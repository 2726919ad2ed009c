//! Tests of the host with simulated devices: correct ones, ones with wrong descriptors, and ones
//! with random behaviour.

mod fuzz;
mod gadget;

use super::*;
use gadget::{Bench, Gadget};

/// Time that suffices for the debounce, the reset and the enumeration.
const ENUMERATED_NS: u64 = 200_000_000;

#[test]
fn a_device_with_two_serial_ports_is_enumerated_and_echoes() {
    let mut bench = Bench::new(Gadget::two_ports(), Host::new());
    bench.run(ENUMERATED_NS);
    assert_eq!(bench.host().take_events(), [Event::Configured]);
    let device = bench.host().device().expect("it is configured").clone();
    assert_eq!((device.descriptor.vendor, device.descriptor.product), (0x1209, 0x0001));
    assert_eq!(device.strings[1].as_deref(), Some("Gadget"));
    assert_eq!((bench.host().ports(), bench.gadget.address, bench.gadget.configured), (2, 1, true));
    let text: Vec<u8> = (0..200).collect();
    assert_eq!(bench.host().send(1, &text), 200);
    bench.run(ENUMERATED_NS + 20_000_000);
    assert_eq!(bench.host().receive(1), text);
    assert_eq!(bench.host().receive(0), []);
    assert_eq!(bench.gadget.dtr, [true, true]);
}

/// Uses endpoints as a tool with libusb does.
#[test]
fn vendor_endpoints_are_opened_read_and_written() {
    let mut bench = Bench::new(Gadget::vendor(), Host::new());
    bench.run(ENUMERATED_NS);
    assert_eq!(bench.host().take_events(), [Event::Configured]);
    assert_eq!((bench.host().ports(), bench.host().hids().len()), (0, 0));
    assert_eq!(bench.host().write_endpoint(0x03, b"closed"), 0);
    assert!(!bench.host().open_endpoint(0x05), "there is none");
    assert!([0x83, 0x03, 0x84].map(|address| bench.host().open_endpoint(address)) == [true; 3]);
    let text: Vec<u8> = (0..150).collect();
    assert_eq!(bench.host().write_endpoint(0x03, &text), 150);
    let own = Setup { request_type: 0xC0, request: 1, value: 0, index: 0x1234, length: 2 };
    assert_eq!(bench.host().control(own, vec![]), Some(0));
    bench.wake();
    bench.run(2 * ENUMERATED_NS);
    let packets = bench.host().read_endpoint(0x83);
    assert_eq!(packets.iter().map(|it| it.bytes.len()).max(), Some(64));
    assert_eq!(packets.into_iter().flat_map(|it| it.bytes).collect::<Vec<_>>(), text);
    assert_eq!(bench.host().read_endpoint(0x84), []);
    assert_eq!(bench.host().take_results()[0].result, Ok(vec![0x34, 0x12]));
    assert_eq!(bench.host().endpoint_error(0x83), None);
}

#[test]
fn enumeration_follows_the_times_of_the_standard() {
    let mut bench = Bench::new(Gadget::two_ports(), Host::new());
    bench.run(ENUMERATED_NS);
    // The second reset follows the first answer.
    let [begin, end, again, last] = bench.gadget.resets[..] else { panic!("two resets") };
    assert_eq!(begin, (100_000_000, true), "the debounce");
    assert!((110_000_000..110_000_010).contains(&end.0), "{end:?}");
    let first = bench.gadget.frames.first().expect("frames").0;
    assert!((end.0..end.0 + 10).contains(&first), "{first}");
    let setup = bench.gadget.first_setup_ns;
    assert!((end.0 + 10_000_000..end.0 + 10_200_000).contains(&setup), "the recovery: {setup}");
    assert!((setup..setup + 1_000_000).contains(&again.0) && last.0 > again.0 + 9_999_999);
    // Frames begin a millisecond apart, and their numbers are consecutive.
    let after = bench.gadget.frames.iter().position(|(ns, _)| *ns >= last.0).expect("frames");
    assert!(bench.gadget.frames.len() > after + 20);
    for pair in bench.gadget.frames[after..].windows(2) {
        let [(early, number), (late, next)] = pair else { unreachable!("two frames") };
        assert_eq!((late - early, *next), (1_000_000, number + 1));
    }
}

#[test]
fn a_closed_port_has_no_dtr_and_is_not_read() {
    let mut bench = Bench::new(Gadget::two_ports(), Host::new().with_closed_ports());
    bench.run(ENUMERATED_NS);
    assert_eq!(bench.gadget.dtr, [false, false]);
    bench.host().open_port(1, true);
    bench.host().send(1, b"open");
    bench.host().send(0, b"closed");
    bench.run(ENUMERATED_NS + 10_000_000);
    assert_eq!(bench.gadget.dtr, [false, true]);
    assert_eq!(bench.host().receive(1), b"open");
    assert_eq!(bench.host().receive(0), b"", "no program has it open");
    bench.host().open_port(1, false);
    bench.run(ENUMERATED_NS + 20_000_000);
    assert_eq!(bench.gadget.dtr, [false, false]);
}

#[test]
fn bytes_wait_until_a_slow_device_has_dtr() {
    for naks in [1, 2, 3, 7] {
        let mut bench = Bench::new(Gadget::two_ports(), Host::new().with_closed_ports());
        (bench.gadget.naks, bench.gadget.refuses_control_only) = (naks, true);
        bench.run(2 * ENUMERATED_NS);
        bench.host().set_line_coding(1, LineCoding { baud: 9_600, ..LineCoding::default() });
        bench.host().open_port(1, true);
        bench.host().send(1, b"early");
        bench.wake();
        bench.run(3 * ENUMERATED_NS);
        assert_eq!((bench.gadget.early, bench.host().receive(1)), (0, b"early".to_vec()), "{naks}");
    }
}

#[test]
fn a_caller_that_takes_nothing_stops_the_device() {
    let mut bench = Bench::new(Gadget::two_ports(), Host::new());
    bench.gadget.chatters = true;
    bench.run(3_000_000_000);
    let bytes = bench.host().receive(0).len();
    assert!((PIPE_BYTES..PIPE_BYTES + 64).contains(&bytes), "{bytes}");
}

#[test]
fn a_device_that_is_not_ready_loses_nothing() {
    let mut bench = Bench::new(Gadget::two_ports(), Host::new());
    bench.gadget.naks = 7;
    bench.run(2 * ENUMERATED_NS);
    assert_eq!(bench.host().take_events(), [Event::Configured]);
    let text = vec![b'x'; 1000];
    bench.host().send(0, &text);
    bench.run(3 * ENUMERATED_NS);
    assert_eq!(bench.host().receive(0), text);
}

/// Returns the times between the transactions of an endpoint in nanoseconds, sorted, because a
/// frame, another endpoint or the end of a frame may lengthen some of them.
fn pauses(asked: &[(u64, u8)], endpoint: u8) -> Vec<u64> {
    let times: Vec<u64> =
        asked.iter().filter(|(_, asked)| *asked == endpoint).map(|(ns, _)| *ns).collect();
    let mut pauses: Vec<u64> = times.windows(2).map(|pair| pair[1] - pair[0]).collect();
    pauses.sort_unstable();
    pauses
}

/// Checks that most of `pauses` end `wait_ns` after the end of a refused transaction of some
/// microseconds, and none earlier.
#[track_caller]
fn asks_again_after(pauses: &[u64], wait_ns: u64) {
    let (first, middle) = (pauses[0], pauses[pauses.len() / 2]);
    assert!(first > wait_ns, "{pauses:?}");
    assert!(middle < wait_ns + 16_000, "{pauses:?}");
}

#[test]
fn an_idle_endpoint_is_polled_again_after_a_frame() {
    let mut bench = Bench::new(Gadget::two_ports(), Host::new());
    bench.run(ENUMERATED_NS);
    bench.gadget.asked.clear();
    bench.run(2 * ENUMERATED_NS);
    // No data has moved on the first port: 200 frames.
    let pauses = pauses(&bench.gadget.asked, 0x83);
    assert!((190..=200).contains(&pauses.len()), "{}", pauses.len());
    asks_again_after(&pauses, 1_000_000);
}

#[test]
fn an_endpoint_in_use_is_polled_again_after_20_us() {
    let mut bench = Bench::new(Gadget::two_ports(), Host::new());
    bench.run(ENUMERATED_NS);
    // Each transaction is refused 10 times: the endpoint is never without data for a millisecond.
    (bench.gadget.naks, bench.gadget.chatters) = (10, true);
    bench.run(ENUMERATED_NS + 10_000_000);
    bench.gadget.asked.clear();
    bench.run(ENUMERATED_NS + 40_000_000);
    let reading = pauses(&bench.gadget.asked, 0x83);
    assert!(reading.len() > 500, "{}", reading.len());
    asks_again_after(&reading, 20_000);
    // A packet to the device takes 45 us by itself.
    let mut bench = Bench::new(Gadget::two_ports(), Host::new());
    bench.run(ENUMERATED_NS);
    bench.gadget.naks = 10;
    bench.host().send(0, &[b'x'; 4096]);
    bench.run(ENUMERATED_NS + 20_000_000);
    let answered = bench.host().receive(0).len();
    assert!((64..4096).contains(&answered), "{answered}");
    let writing = pauses(&bench.gadget.asked, 0x03);
    let middle = writing[writing.len() / 2];
    assert!((64_000..84_000).contains(&middle), "{writing:?}");
    // A millisecond after its last data, the endpoint no longer counts as in use.
    bench.gadget.naks = 0;
    bench.run(2 * ENUMERATED_NS);
    bench.gadget.asked.clear();
    bench.run(3 * ENUMERATED_NS);
    asks_again_after(&pauses(&bench.gadget.asked, 0x83), 1_000_000);
}

#[test]
fn a_refused_control_transaction_is_retried_after_50_us() {
    let mut bench = Bench::new(Gadget::two_ports(), Host::new());
    (bench.gadget.naks, bench.gadget.refuses_control_only) = (u32::MAX, true);
    // From the first request at 120 ms on.
    bench.run(ENUMERATED_NS);
    let pauses = pauses(&bench.gadget.asked, 0x80);
    assert!(pauses.len() > 1_000, "{}", pauses.len());
    asks_again_after(&pauses, 50_000);
}

#[test]
fn a_device_that_is_never_ready_is_an_error() {
    let mut bench = Bench::new(Gadget::two_ports(), Host::new());
    bench.gadget.naks = u32::MAX;
    bench.run(20_000_000_000);
    let events = bench.host().take_events();
    let [Event::Failed(error)] = events.as_slice() else { panic!("{events:?}") };
    assert_eq!(
        error.to_string(),
        "the first request for the device descriptor failed: the device was not ready for 5 s"
    );
}

#[test]
fn a_pulled_cable_is_reported_and_a_new_one_enumerates() {
    let mut bench = Bench::new(Gadget::two_ports(), Host::new());
    bench.run(ENUMERATED_NS);
    bench.host().plug(false);
    bench.wake();
    bench.run(ENUMERATED_NS + 5_000_000);
    assert_eq!(bench.host().take_events(), [Event::Configured, Event::Disconnected]);
    assert_eq!((bench.host().ports(), bench.host().send(0, b"lost")), (0, 0));
    let frames = bench.gadget.frames.len();
    bench.run(2 * ENUMERATED_NS);
    assert_eq!(bench.gadget.frames.len(), frames, "no frames without a cable");
    bench.host().plug(true);
    bench.wake();
    bench.run(4 * ENUMERATED_NS);
    assert_eq!(bench.host().take_events(), [Event::Configured]);
}

#[test]
fn a_suspended_bus_has_no_frames_until_either_side_wakes_it() {
    let mut bench = Bench::new(Gadget::two_ports(), Host::new());
    bench.run(ENUMERATED_NS);
    for by_device in [false, true] {
        bench.host().suspend();
        bench.wake();
        let frames = bench.gadget.frames.len();
        let begin = bench.now;
        bench.run(begin + 50_000_000);
        assert_eq!(bench.gadget.frames.len(), frames);
        assert!(bench.host().is_suspended());
        if by_device {
            bench.gadget.wants_wakeup = true;
        } else {
            bench.host().resume();
        }
        bench.wake();
        bench.run(begin + 100_000_000);
        assert!(bench.gadget.frames.len() > frames, "by the device: {by_device}");
        assert!(!bench.host().is_suspended());
    }
    assert_eq!(bench.gadget.resumes, 2);
}

#[test]
fn a_stalled_pipe_is_cleared_and_resumes() {
    let mut bench = Bench::new(Gadget::two_ports(), Host::new());
    bench.run(ENUMERATED_NS);
    bench.gadget.halted = true;
    bench.host().send(0, b"after the halt");
    bench.run(2 * ENUMERATED_NS);
    assert_eq!(bench.host().receive(0), b"after the halt");
    assert!(!bench.gadget.halted, "the host clears it");
}

#[test]
fn requests_of_the_caller_have_their_results() {
    let mut bench = Bench::new(Gadget::two_ports(), Host::new());
    bench.run(ENUMERATED_NS);
    let device = Setup { request_type: 0x80, request: 6, value: 0x100, index: 0, length: 18 };
    let unknown = Setup { request_type: 0xC0, request: 99, value: 0, index: 0, length: 4 };
    let ids = [device, unknown].map(|setup| bench.host().control(setup, vec![]));
    assert_eq!(ids, [Some(0), Some(1)]);
    bench.run(ENUMERATED_NS + 10_000_000);
    let results = bench.host().take_results();
    assert_eq!(results[0].result.as_ref().map(Vec::len), Ok(18));
    assert_eq!(results[1], ControlResult { id: 1, result: Err(TransferError::Stalled) });
}

/// Returns the result for a configuration modified by `change`.
fn lie(change: impl Fn(&mut Vec<u8>)) -> Result<Configuration, DescriptorError> {
    let mut bytes = gadget::configuration();
    assert_eq!(Configuration::parse(&bytes).map(|it| it.warnings), Ok(vec![]));
    change(&mut bytes);
    Configuration::parse(&bytes)
}

/// Checks the warning for a modified configuration, and the number of its serial ports.
#[track_caller]
fn mended(change: impl Fn(&mut Vec<u8>), text: &str, ports: usize) {
    let found = lie(change).expect("a real host uses it");
    let warnings: Vec<_> = found.warnings.iter().map(ToString::to_string).collect();
    assert_eq!(warnings.first().map(String::as_str), Some(text), "{warnings:#?}");
    assert_eq!(found.serial_functions().len(), ports, "{warnings:#?}");
}

/// The cases are those of drivers/usb/core/config.c of Linux.
#[test]
fn what_a_real_host_mends_is_a_warning() {
    mended(|it| it[2] += 1, "the configuration descriptor has 131 bytes, not 132", 2);
    mended(|it| it[4] = 9, "the configuration has 4 interfaces and says 9", 2);
    mended(|it| it[4] = 3, "the configuration has 4 interfaces and says 3", 2);
    let cut = "the descriptor at byte 9 of the configuration has 0 bytes of 122";
    mended(|it| it[9] = 0, cut, 0);
    let cut = "the descriptor at byte 9 of the configuration has 200 bytes of 122";
    mended(|it| it[9] = 200, cut, 0);
    mended(|it| it[17 + 4] = 2, "interface 0 has 1 endpoints and says 2", 2);
    mended(|it| it[17 + 4] = 0, "interface 0 has 1 endpoints and says 0", 2);
    let lone = "the endpoint at byte 40 of the configuration belongs to no interface";
    mended(|it| it[17 + 1] = 0x0B, lone, 1);
    mended(|it| it[40 + 2] = 0x80, "interface 0 cannot have endpoint 0x80", 2);
    mended(|it| it[40 + 2] = 0xF1, "interface 0 cannot have endpoint 0xf1", 2);
    // That of the data interface is left out, because another one has its address.
    mended(|it| it[40 + 2] = 0x83, "interface 1 cannot have endpoint 0x83", 1);
    mended(|it| it[40 + 4] = 65, "endpoint 0x81 has packets of 65 bytes", 2);
    mended(|it| it[40 + 4] = 0, "endpoint 0x81 has packets of 0 bytes", 2);
    mended(|it| it[40 + 6] = 0, "endpoint 0x81 is polled every 0 ms", 2);
    let no_data = "the serial port of interface 0 has no data interface with two bulk endpoints";
    mended(|it| it[35 + 4] = 7, no_data, 1);
    let twice = |it: &mut Vec<u8>| {
        it.extend([9, 4, 3, 0, 0, 0x0A, 0, 0, 0]);
        it[2] += 9;
    };
    mended(twice, "interface 3 has setting 0 twice", 2);
    let excess = |it: &mut Vec<u8>| {
        it.extend([1]);
        it[2] += 1;
    };
    mended(excess, "the descriptor at byte 131 of the configuration has 1 bytes of 1", 2);
    let short = |it: &mut Vec<u8>| {
        it.extend([8, 4, 4, 0, 0, 0xFF, 0, 0]);
        it[2] += 8;
    };
    let text = "the interface descriptor at byte 131 of the configuration has 8 bytes";
    mended(short, text, 2);
    let size = lie(|it| it[40 + 4] = 65).unwrap().endpoint(0x81).map(|it| it.max_packet);
    assert_eq!(size, Some(64));
}

#[test]
fn what_no_host_can_use_is_an_error() {
    let text = |change: fn(&mut Vec<u8>)| lie(change).expect_err("no configuration").to_string();
    assert_eq!(text(|it| it.truncate(8)), "the configuration descriptor has 8 bytes, not 9");
    assert_eq!(text(|it| it[1] = 7), "the configuration descriptor has type 7, not 2");
    let mut device = gadget::DEVICE;
    device[7] = 9;
    let error = DeviceDescriptor::parse(&device).expect_err("a lie");
    assert_eq!(error.to_string(), "endpoint 0 has packets of 9 bytes, not of 8, 16, 32 or 64");
    device = gadget::DEVICE;
    device[17] = 0;
    assert_eq!(DeviceDescriptor::parse(&device), Err(DescriptorError::NoConfiguration));
}
