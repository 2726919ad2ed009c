//! `nudge trace compare`.

use std::fmt::Write as _;

use super::TestFolder;

/// Returns a waveform of wires: name, first level, and the times in µs at which it toggles.
fn vcd(wires: &[(&str, bool, &[u64])], end: u64) -> String {
    let mut text = "$timescale 1 us $end\n".to_owned();
    let mut edges: Vec<(u64, String)> = Vec::new();
    for (place, (name, high, toggles)) in wires.iter().enumerate() {
        let id = char::from(b'!' + place as u8);
        let _ = writeln!(text, "$var wire 1 {id} {name} $end");
        edges.push((0, format!("{}{id}", u8::from(*high))));
        for (count, at) in toggles.iter().enumerate() {
            edges.push((*at, format!("{}{id}", u8::from(*high != (count % 2 == 0)))));
        }
    }
    edges.sort_by_key(|(at, _)| *at);
    text += "$enddefinitions $end\n";
    for (at, edge) in edges {
        let _ = writeln!(text, "#{at}\n{edge}");
    }
    text + &format!("#{end}\n")
}

/// Returns the toggles `shift` later, stretched by `ppm` parts per million.
fn moved(toggles: &[u64], shift: u64, ppm: u64) -> Vec<u64> {
    toggles.iter().map(|at| at + at * ppm / 1_000_000 + shift).collect()
}

#[track_caller]
fn check(real: &str, simulated: &str, options: &str, code: i32, said: &[&str]) {
    let sandbox = TestFolder::new();
    sandbox.put("real.vcd", real);
    sandbox.put("sim.vcd", simulated);
    let ended = sandbox.nudge(&format!("compare real.vcd sim.vcd {options}"));
    for said in said {
        ended.is(code, said);
    }
}

#[test]
fn a_capture_with_another_start_time_is_aligned() {
    let toggles = [1_000_000, 1_080_000, 2_000_000, 2_080_000, 5_000_000, 5_500_000];
    let sim = vcd(&[("B1", true, &toggles)], 9_000_000);
    let real = vcd(&[("B1", true, &moved(&toggles, 12_345_678, 0))], 30_000_000);
    check(&real, &sim, "", 0, &["matched   6 edges, at most 0 ms", "12.345678 s", "no difference"]);
}

#[test]
fn the_first_edge_that_differs_is_named_with_both_times() {
    let sim = vcd(&[("B1", true, &[1000, 2000, 90_000]), ("DC", true, &[50_000, 70_000])], 200_000);
    let real =
        vcd(&[("B1", true, &[1010, 2000, 90_000]), ("DC", true, &[53_000, 70_000])], 200_000);
    let said = [
        "DIFFERS   DC falls at 50 ms in sim.vcd",
        "expected at 50 ms in real.vcd",
        "53 ms, 3 ms off",
    ];
    check(&real, &sim, "", 1, &said);
    check(&real, &sim, "--tolerance 3ms", 0, &["no difference"]);
    check(&real, &sim, "--signals B1", 0, &["compared  B1\n"]);
}

#[test]
fn an_edge_too_many_or_too_few_is_a_difference() {
    let sim = vcd(&[("BUZZER", false, &[1000, 2000, 3000, 4000])], 90_000);
    let real = vcd(&[("BUZZER", false, &[1000, 2000, 3000, 4000, 30_000, 31_000])], 90_000);
    let said = ["DIFFERS   BUZZER rises at 30 ms in real.vcd", "does not move there any more"];
    check(&real, &sim, "--tolerance 100us", 1, &said);
    check(&sim, &real, "--tolerance 100us", 1, &["DIFFERS   BUZZER rises at 30 ms in sim.vcd"]);
}

#[test]
fn drifting_clocks_are_tolerated_on_request() {
    let toggles: Vec<u64> = (1..600).map(|count| count * 100_000).collect();
    let sim = vcd(&[("DC", true, &toggles)], 70_000_000);
    let real = vcd(&[("DC", true, &moved(&toggles, 0, 80))], 70_000_000);
    check(&real, &sim, "", 1, &["DIFFERS"]);
    check(&real, &sim, "--skew 100", 0, &["matched   599 edges", "no difference"]);
    check(&real, &sim, "--skew 50", 1, &["DIFFERS"]);
}

/// Without the drift most edges match at a later offset, at which the first edges do not match.
#[test]
fn captures_are_aligned_with_the_drift_of_their_clocks() {
    let mut toggles = vec![1_000_000, 31_000_000, 61_000_000];
    toggles.extend((0..20).map(|count| 91_000_000 + count * 10_000));
    let sim = vcd(&[("DC", true, &toggles)], 95_000_000);
    let real = vcd(&[("DC", true, &moved(&toggles, 0, 100))], 95_000_000);
    let said = ["aligned   100 us", "matched   23 edges", "no difference"];
    check(&real, &sim, "--skew 200 --tolerance 4ms", 0, &said);
}

#[test]
fn wires_in_one_capture_only_are_counted_but_not_compared() {
    let sim = vcd(&[("B1", true, &[100_000, 200_000, 700_000]), ("RST", true, &[1])], 800_000);
    let real = vcd(&[("B1", true, &[100_000, 200_000])], 400_000);
    check(&real, &sim, "", 0, &["not       RST (only in sim.vcd)", "outside   0 and 1 edges"]);
}

#[test]
fn bounce_of_the_real_contacts_is_ignored_on_request() {
    let sim = vcd(&[("B1", true, &[10_000, 90_000])], 200_000);
    let real = vcd(&[("B1", true, &[10_000, 10_300, 10_900, 90_000, 91_000, 91_500])], 200_000);
    check(&real, &sim, "--tolerance 100us", 1, &["DIFFERS"]);
    check(&real, &sim, "--tolerance 100us --debounce 5ms", 0, &["no difference"]);
}

#[test]
fn captures_without_common_wires_are_an_error() {
    let b1 = vcd(&[("B1", true, &[10])], 20);
    check(&b1, &vcd(&[("B2", true, &[10])], 20), "", 2, &["no wire in common with real.vcd"]);
    check(&b1, &vcd(&[("B1", true, &[])], 20), "", 2, &["nothing aligns them"]);
    check(&b1, &b1, "--signals CS", 2, &["real.vcd: has no CS"]);
    check(&b1, &b1, "--skew 100001", 2, &["--skew"]);
}

#[test]
fn a_byte_that_was_not_sent_is_named_with_its_command() {
    sampled!();
    let sandbox = TestFolder::new();
    let trace = |game: &str| format!("trace 1\ngame {game}\nseed 7\n\n0ms power on\n290ms end\n");
    sandbox.put("wari.trace", trace("wari"));
    sandbox.put("family.trace", trace("family"));
    for name in ["wari", "family"] {
        let words = format!("convert {name}.trace {name}.vcd --signals CS,SCK,MOSI,DC,RST");
        sandbox.nudge(&words).is(0, "wrote");
    }
    sandbox.nudge("compare wari.vcd wari.vcd --tolerance 10ns").is(0, "no difference");
    let differs = sandbox.nudge("compare wari.vcd family.vcd --tolerance 10ns");
    differs.is(1, "aligned   0 ms of").is(1, "DIFFERS").is(1, "SPI in wari.vcd").is(1, " of 2");
}
