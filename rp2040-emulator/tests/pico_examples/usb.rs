//! USB devices on TinyUSB, as bundled with the SDK, and the host at the other end of the cable.

use rp2040_emulator::chip::{Chip, Halt};
use rp2040_emulator::usb_host::{Event, Host};

use super::images;

const MS: u64 = 1_000_000;

/// An example that runs, with a host at its USB connector.
struct Bench {
    chip: Chip,
    ms: u64,
}

impl Bench {
    fn new(name: &str) -> Self {
        let mut chip = images::loaded("pico_examples", name, &[]);
        chip.power_on().expect("it boots");
        chip.attach_usb(Host::new().with_closed_ports());
        Self { chip, ms: 0 }
    }

    fn host(&mut self) -> &mut Host {
        self.chip.usb_host_mut().expect("it is attached")
    }

    /// Runs millisecond by millisecond until `look` returns a value, for five seconds at most.
    #[track_caller]
    fn until<T>(&mut self, what: &str, mut look: impl FnMut(&mut Host) -> Option<T>) -> T {
        for _ in 0..5_000 {
            if let Some(found) = look(self.host()) {
                return found;
            }
            self.ms += 1;
            assert_eq!(self.chip.run(self.ms * MS), Halt::Time, "{:?}", self.chip.fault());
        }
        let events = self.host().take_events();
        panic!("no {what} until {} ms; {events:?}", self.ms);
    }

    /// Returns the reports of the device from now on, until `enough` returns true for them.
    #[track_caller]
    fn reports(&mut self, enough: impl Fn(&[Vec<u8>]) -> bool) -> Vec<Vec<u8>> {
        let mut reports = vec![];
        self.until("report", |host| {
            reports.extend(host.reports(0).into_iter().map(|packet| packet.bytes));
            enough(&reports).then_some(())
        });
        reports
    }

    #[track_caller]
    fn event(&mut self, expected: Event) {
        let events =
            self.until("event", |host| Some(host.take_events()).filter(|it| !it.is_empty()));
        assert_eq!(events, [expected]);
    }
}

#[test]
fn a_tinyusb_hid_device_sends_the_reports_of_all_its_functions() {
    let mut bench = Bench::new("dev_hid_composite");
    bench.event(Event::Configured);
    let device = bench.host().device().expect("it is configured").clone();
    assert_eq!((device.descriptor.vendor, device.descriptor.product), (0xCAFE, 0x4004));
    assert_eq!(device.strings[1].as_deref(), Some("TinyUSB Device"));
    assert_eq!(bench.host().hids().len(), 1);
    // It sends nothing until the button is pressed.
    bench.chip.press_bootsel(true);
    let pressed: [&[u8]; 4] = [
        &[1, 0, 0, 4, 0, 0, 0, 0, 0],
        &[2, 0, 5, 5, 0, 0],
        &[3, 0xEA, 0],
        &[4, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0],
    ];
    let reports = bench.reports(|reports| reports.len() >= pressed.len());
    assert_eq!(reports[..pressed.len()], pressed);
    bench.chip.press_bootsel(false);
    bench.reports(|reports| reports.iter().any(|report| report[..] == [1, 0, 0, 0, 0, 0, 0, 0, 0]));
    images::all_is_modelled(&bench.chip);
}

#[test]
fn two_ports_answer_after_the_cable_is_pulled_during_an_echo() {
    let mut bench = Bench::new("dev_multi_cdc");
    for plugged in [1, 2, 3] {
        bench.event(Event::Configured);
        assert_eq!(bench.host().ports(), 2);
        // While port 0 is open, the program sleeps for five seconds at a time.
        bench.host().open_port(1, true);
        assert_eq!(bench.host().send(1, b"seeds"), 5);
        let mut answer = vec![];
        let mut looks = 0;
        bench.until("answer", |host| {
            answer.extend(host.receive(1));
            looks += 1;
            // Pulled the first time while the answer is on its way, and afterwards after it.
            (plugged == 1 && looks == 2 || answer == b"OK\r\n").then_some(())
        });
        bench.host().plug(false);
        bench.event(Event::Disconnected);
        assert_eq!((bench.host().ports(), bench.host().send(1, b"lost")), (0, 0));
        bench.host().plug(true);
    }
    images::all_is_modelled(&bench.chip);
}
