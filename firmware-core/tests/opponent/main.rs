//! lab
#[path = "../naive/mod.rs"]
#[expect(dead_code, reason = "perft is for the rules' own test")]
mod naive;
mod solver;

use firmware_core::opponent::{Level, Thinker, Thought};
use firmware_core::rules::*;
use naive::{Game, System};
use solver::Solver;

fn position(game: &Game) -> Position {
    let stones = game.stones.map(|stones| u8::try_from(stones).expect("a small board"));
    let direction = if game.clockwise { Direction::Clockwise } else { Direction::CounterClockwise };
    Position { direction, ..Position::of(stones, Player::BOTH[game.turn]) }
}

#[test]
#[ignore]
fn lab_exact() {
    let most: usize = std::env::var("STONES").ok().map_or(10, |s| s.parse().unwrap());
    let step: usize = std::env::var("STEP").ok().map_or(1, |s| s.parse().unwrap());
    for (system, rules) in [
        (System::Board, &board::RULES),
        (System::Family, &family::RULES),
        (System::TopBottom, &top_bottom::RULES),
    ] {
        let mut solver = Solver::new(system, most);
        let t = std::time::Instant::now();
        for n in 0..solver.positions() {
            let g = solver.position(n, 0);
            solver.value(&g);
        }
        println!("{system:?} solved {} in {:?}", solver.positions(), t.elapsed());
        let t = std::time::Instant::now();
        let mut thinker = Thinker::new();
        let mut worst = 0;
        let mut wrong = 0;
        let mut sum = 0u64;
        let mut count = 0u64;
        let mut hist = [0u64; 24];
        for turn in [0] {
            for n in (0..solver.positions()).step_by(step) {
                let g = solver.position(n, turn);
                if g.is_over() {
                    continue;
                }
                let p = position(&g);
                thinker.begin(rules, &p, Level::Advanced, n as u64);
                let cup = loop {
                    match thinker.think() {
                        Some(Thought::Decided(c)) => break c,
                        Some(_) => {}
                        None => panic!(),
                    }
                };
                let v = solver.value(&g);
                if solver.value_of(&g, cup.place()) != v {
                    wrong += 1;
                    if wrong < 5 {
                        println!("wrong {g:?} {cup:?} nodes {}", thinker.nodes());
                    }
                }
                count += 1;
                sum += thinker.nodes() as u64;
                hist[(32 - thinker.nodes().leading_zeros()) as usize] += 1;
                if thinker.nodes() > worst {
                    worst = thinker.nodes();
                    println!("worst {worst} {:?}", p.stones);
                }
            }
        }
        println!(
            "{system:?} worst {worst} wrong {wrong} avg {} of {count} {:?} {:?}/node",
            sum / count,
            t.elapsed(),
            t.elapsed() / (sum.max(1) as u32)
        );
        println!("{hist:?}");
    }
}

mod matches;
use matches::*;

#[test]
#[ignore]
fn lab_matches() {
    let games: u32 = std::env::var("GAMES").ok().map_or(200, |s| s.parse().unwrap());
    let which = std::env::var("WHICH").unwrap_or("nia".into());
    const BI: Ruleset = Ruleset { bidirectional: true, ..wari::RULES };
    const W3: Ruleset = Ruleset { stones_a_cup: 3, ..wari::RULES };
    const W5: Ruleset = Ruleset { stones_a_cup: 5, ..wari::RULES };
    let mut list = vec![
        ("board", board::RULES),
        ("family", family::RULES),
        ("top-bottom", top_bottom::RULES),
        ("wari", wari::RULES),
        ("wari bi", BI),
    ];
    if which.contains('5') {
        list.push(("wari 3", W3));
        list.push(("wari 5", W5));
        list.push(("wari 3 bi", Ruleset { bidirectional: true, ..W3 }));
        list.push(("wari 5 bi", Ruleset { bidirectional: true, ..W5 }));
    }
    for (name, rules) in list {
        let mut go = |label: &str, a, b| {
            let t = std::time::Instant::now();
            let s = play_match(&rules, a, b, games, 1000);
            println!(
                "{name:10} {label}: {}/{}/{} ({:.0}%) abandoned {} moves {} nodes/move {} slices/move {} depth {:.1} {:?}",
                s.wins,
                s.draws,
                s.losses,
                s.wins as f32 * 100. / games as f32,
                s.abandoned,
                s.moves,
                s.nodes / s.moves,
                s.slices / s.moves,
                s.depth as f32 / s.moves as f32,
                t.elapsed()
            );
        };
        let l = |l| Who::Level(l);
        if which.contains('n') {
            go("N-R", l(Level::Novice), Who::Random);
        }
        if which.contains('i') {
            go("I-N", l(Level::Intermediate), l(Level::Novice));
        }
        if which.contains('a') {
            go("A-I", l(Level::Advanced), l(Level::Intermediate));
        }
        if which.contains('r') {
            go("A-R", l(Level::Advanced), Who::Random);
        }
    }
}
