//! Speed of the rules: every game to depth ten from the start of each system, on one core, with
//! exactly the code that runs on the board.
//!
//! `cargo bench -p benches --bench perft`; in the results one `elem` is one move played.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group};
use firmware_core::rules::{Player, Ruleset, board, family, perft, top_bottom, wari};

/// Depth in plies; every sowing is one.
const DEPTH: u32 = 10;

const BIDIRECTIONAL: Ruleset = Ruleset { bidirectional: true, ..wari::RULES };

/// Each way to play, with its number of leaves at [`DEPTH`].
const SYSTEMS: [(&str, &Ruleset, u64); 5] = [
    ("board", &board::RULES, 13_519_608),
    ("family", &family::RULES, 13_394_139),
    ("wari", &wari::RULES, 18_137_964),
    ("wari bidirectional", &BIDIRECTIONAL, 18_103_177),
    ("top-bottom", &top_bottom::RULES, 13_394_139),
];

fn benchmarks(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group(format!("perft to depth {DEPTH}"));
    group.sample_size(10);
    for (name, rules, leaves) in SYSTEMS {
        let count = perft(rules, &rules.start(Player::Bottom), DEPTH);
        assert_eq!(count.leaves, leaves, "{name}");
        println!("{name}: {leaves} leaves, {} moves played", count.moves);
        group.throughput(Throughput::Elements(count.moves));
        group.bench_function(name, |bencher| {
            bencher.iter(|| perft(black_box(rules), &rules.start(Player::Bottom), DEPTH));
        });
    }
    group.finish();
}

criterion_group!(benches, benchmarks);

fn main() {
    benches();
    Criterion::default().configure_from_args().final_summary();
}
