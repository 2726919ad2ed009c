//! Speed of the computer opponent: Advanced answers from a few moves into a game, on one core, with
//! exactly the code that runs on the board.
//!
//! `cargo bench -p benches --bench opponent`; in the results one `elem` is one node, a
//! sowing. docs/budgets.md lists the time of a node on the board.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group};
use firmware_core::opponent::{Level, Scratch, Thinker, Thought, Variety};
use firmware_core::rules::{Cup, Player, Position, Ruleset, board, family, top_bottom, wari};

const BIDIRECTIONAL: Ruleset = Ruleset { bidirectional: true, ..wari::RULES };

const SYSTEMS: [(&str, &Ruleset); 5] = [
    ("board", &board::RULES),
    ("family", &family::RULES),
    ("wari", &wari::RULES),
    ("wari bidirectional", &BIDIRECTIONAL),
    ("top-bottom", &top_bottom::RULES),
];

/// Number of sowings before the answer, each of the cup with the most stones.
const OPENING: usize = 6;

fn position(rules: &Ruleset) -> Position {
    let mut position = rules.start(Player::Bottom);
    for _ in 0..OPENING {
        let fullest = Cup::of(position.turn).max_by_key(|cup| position.in_cup(*cup));
        position = rules.play(&position, fullest.expect("six cups")).expect("a legal move").0;
    }
    position
}

/// Returns the number of nodes of one answer.
fn answer(
    thinker: &mut Thinker,
    scratch: &mut Scratch,
    rules: &Ruleset,
    position: &Position,
) -> u64 {
    thinker.begin(scratch, rules, position, Level::Advanced, 1, Variety::Opening);
    while let Some(Thought::Considering(_)) = thinker.think(scratch) {}
    thinker.nodes().into()
}

fn benchmarks(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("an Advanced answer");
    let (mut thinker, mut scratch) = (Thinker::new(), Box::new(Scratch::new()));
    println!("{} bytes of memory", size_of::<Thinker>() + size_of::<Scratch>());
    for (name, rules) in SYSTEMS {
        let position = position(rules);
        let nodes = answer(&mut thinker, &mut scratch, rules, &position);
        println!("{name}: {nodes} nodes");
        group.throughput(Throughput::Elements(nodes));
        group.bench_function(name, |bencher| {
            bencher.iter(|| answer(&mut thinker, &mut scratch, rules, black_box(&position)));
        });
    }
    group.finish();
}

criterion_group!(benches, benchmarks);

fn main() {
    benches();
    Criterion::default().configure_from_args().final_summary();
}
