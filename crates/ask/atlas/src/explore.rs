//! The search: breadth first by presses, then games that are played to their end, then breadth first again
//! from where they led. Two searches of one world are equal, whatever number of threads they have.
//!
//! A place in the search is a screen and its circumstances. What a screen leads to may depend on what is not
//! seen on it, so each screen is tried in every phase of a game, and in a few of the circumstances of each.
//! It knows no firmware: a [`World`] says what is shown.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::hash::Hash;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use host::{Interrupt, jobs};
use virtual_time::Nanos;

use super::step::Step;

/// In so many different circumstances a screen is tried in each phase of a game.
const SHELVES_MAX: usize = 2;
/// Visits whose results are in memory at once.
const CHUNK: usize = 256;
/// Visits that shorten the way to one screen of a played game.
const SHORTENING_MAX: usize = 80;

/// What presses lead to.
pub trait World: Sync {
    /// What is shown. Equal screens are one place on the map.
    type Screen: Clone + Eq + Hash + Send + Sync;
    /// Why nothing can be shown.
    type Error: Send;

    /// What presses in this world; each thread has its own. It may remember where it was, if what it shows
    /// does not depend on that.
    type Walker<'w>
    where
        Self: 'w;

    /// One that was nowhere yet.
    fn walker(&self) -> Self::Walker<'_>;

    /// Presses `path` in a world that is new, and reports what was shown from step `from` on, and at rest.
    ///
    /// # Errors
    /// If nothing can be shown.
    fn visit(
        &self,
        walker: &mut Self::Walker<'_>,
        path: &[Step],
        from: usize,
    ) -> Result<Visit<Self::Screen>, Self::Error>;

    /// What is worth a try on a screen.
    fn steps(&self, screen: &Self::Screen) -> Vec<Step>;

    /// Long series of presses that are worth a try on a screen in that phase.
    fn games(&self, screen: &Self::Screen, phase: &str) -> Vec<Vec<Step>>;
}

/// What was shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Visit<S> {
    /// Each screen, in order, with the step in which it came.
    pub seen: Vec<(usize, S)>,
    /// What is shown in the end.
    pub rest: Option<S>,
    /// The phase of the game; each screen is tried in every one.
    pub phase: String,
    /// Other circumstances; each screen is tried in few of them.
    pub shelf: String,
    /// Virtual time that has passed.
    pub time: Nanos,
    /// What went wrong.
    pub fault: Option<String>,
}

/// The visits of some paths, in their order; `None` behind an interruption.
type Visits<W> = Vec<Option<Visit<<W as World>::Screen>>>;

/// When a search ends, if nothing new is left before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// Screens.
    pub screens: usize,
    /// Virtual time of all visits together.
    pub time: Nanos,
    /// Threads; at least 1. They do not change what is found.
    pub jobs: usize,
}

/// Why a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Every press was tried on every screen.
    Everything,
    /// So many screens were found as were asked for.
    Screens,
    /// The virtual time was used up.
    Time,
    /// Interrupted: what was found is not the same in another search.
    Interrupted,
}

/// A screen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundScreen<S> {
    /// What is shown.
    pub screen: S,
    /// The fewest steps that led to it.
    pub path: Vec<Step>,
    /// The screen on which the last step of this way was taken; `None` for the first, and in a game.
    pub parent: Option<usize>,
    /// It stays; others pass by themselves.
    pub at_rest: bool,
    /// Presses were tried on it.
    pub tried: bool,
    /// Found in a game that was played at random, and shortened: there may be fewer presses.
    pub played: bool,
}

/// What a search has found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found<S> {
    /// In the order in which they were found, shortest way first; the first is what power-on shows.
    pub screens: Vec<FoundScreen<S>>,
    /// Which step leads from a screen to another; `None`: it comes by itself.
    pub ways: BTreeMap<(usize, usize), BTreeSet<Option<Step>>>,
    /// What went wrong, with the steps that led to it; each kind of fault once.
    pub faults: BTreeMap<String, Vec<Step>>,
    /// Visits.
    pub visits: u64,
    /// Steps of all visits.
    pub steps: u64,
    /// Virtual time of all visits.
    pub time: Nanos,
    /// Why it ended.
    pub end: End,
}

/// How far a search is.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// Screens so far.
    pub screens: usize,
    /// Visits so far.
    pub visits: u64,
    /// Presses of the ways that are tried now.
    pub presses: usize,
}

/// A screen in its circumstances, waiting to be tried.
struct Place {
    screen: usize,
    path: Vec<Step>,
    phase: String,
}

struct Search<'a, W: World> {
    world: &'a W,
    budget: Budget,
    interrupt: &'a Interrupt,
    found: Found<W::Screen>,
    index: HashMap<W::Screen, usize>,
    /// The circumstances in which a screen was or will be tried.
    shelves: HashMap<(usize, String), BTreeSet<String>>,
    /// By the length of the way.
    waiting: BTreeMap<usize, Vec<Place>>,
    /// Where games begin: a screen and a phase of it.
    beginnings: Vec<Place>,
}

/// Explores `world`. `on_progress` is called on this thread.
///
/// # Errors
/// The world's, if nothing can be shown.
pub fn explore<W: World>(
    world: &W,
    budget: Budget,
    interrupt: &Interrupt,
    on_progress: &mut dyn FnMut(Progress),
) -> Result<Found<W::Screen>, W::Error> {
    let found = Found {
        screens: Vec::new(),
        ways: BTreeMap::new(),
        faults: BTreeMap::new(),
        visits: 0,
        steps: 0,
        time: Nanos::ZERO,
        end: End::Everything,
    };
    let mut search = Search {
        world,
        budget,
        interrupt,
        found,
        index: HashMap::new(),
        shelves: HashMap::new(),
        waiting: BTreeMap::new(),
        beginnings: Vec::new(),
    };
    let first = world.visit(&mut world.walker(), &[], 0)?;
    search.add(None, &[], &first);
    search.breadth_first(on_progress)?;
    search.play(on_progress)?;
    search.breadth_first(on_progress)?;
    if interrupt.is_set() {
        search.found.end = End::Interrupted;
    }
    Ok(search.found)
}

impl<W: World> Search<'_, W> {
    /// Whether the budget is used up; notes it.
    fn is_over(&mut self) -> bool {
        let found = &mut self.found;
        if found.screens.len() >= self.budget.screens {
            found.end = End::Screens;
        } else if found.time >= self.budget.time {
            found.end = End::Time;
        }
        found.end != End::Everything || self.interrupt.is_set()
    }

    /// Tries every step on every place that waits, the shortest ways first.
    fn breadth_first(&mut self, on_progress: &mut dyn FnMut(Progress)) -> Result<(), W::Error> {
        while let Some((presses, places)) = self.waiting.pop_first() {
            let mut tries: Vec<(usize, Vec<Step>)> = Vec::new();
            for (nth, place) in places.iter().enumerate() {
                for step in self.world.steps(&self.found.screens[place.screen].screen) {
                    tries.push((nth, [&place.path[..], &[step]].concat()));
                }
            }
            for (number, chunk) in tries.chunks(CHUNK).enumerate() {
                if self.is_over() {
                    return Ok(());
                }
                let paths: Vec<(&[Step], usize)> =
                    chunk.iter().map(|(_, path)| (&path[..], path.len() - 1)).collect();
                for (at, ((nth, path), visit)) in
                    chunk.iter().zip(self.visit_all(&paths)?).enumerate()
                {
                    // An interrupted chunk is left where it is.
                    let Some(visit) = visit else { return Ok(()) };
                    let from = places[*nth].screen;
                    let next = tries.get(number * CHUNK + at + 1);
                    // All of its steps, or the screen could lead where it was not seen to.
                    self.found.screens[from].tried |= next.is_none_or(|(next, _)| next != nth);
                    self.add(Some(from), path, &visit);
                }
                let (screens, visits) = (self.found.screens.len(), self.found.visits);
                on_progress(Progress { screens, visits, presses: presses + 1 });
            }
        }
        Ok(())
    }

    /// Plays games from where games begin, and shortens the ways to what is new in them.
    fn play(&mut self, on_progress: &mut dyn FnMut(Progress)) -> Result<(), W::Error> {
        let mut games: Vec<(usize, usize, Vec<Step>)> = Vec::new();
        for place in std::mem::take(&mut self.beginnings) {
            let screen = &self.found.screens[place.screen].screen;
            for game in self.world.games(screen, &place.phase) {
                let from = place.path.len();
                games.push((place.screen, from, [place.path.clone(), game].concat()));
            }
        }
        for chunk in games.chunks(CHUNK / 8) {
            if self.is_over() {
                return Ok(());
            }
            let paths: Vec<(&[Step], usize)> =
                chunk.iter().map(|(_, from, path)| (&path[..], *from)).collect();
            let visits = self.visit_all(&paths)?;
            // The shortest way to each new screen of this chunk.
            let mut new: Vec<(W::Screen, usize, Vec<Step>)> = Vec::new();
            for ((_, from, path), visit) in chunk.iter().zip(&visits) {
                let Some(visit) = visit else { return Ok(()) };
                for (step, screen) in &visit.seen {
                    let way = &path[..(step + 1).min(path.len())];
                    match new.iter_mut().find(|(other, ..)| other == screen) {
                        _ if self.index.contains_key(screen) => {}
                        Some((_, known_from, known)) if way.len() < known.len() => {
                            (*known_from, *known) = (*from, way.to_vec());
                        }
                        Some(_) => {}
                        None => new.push((screen.clone(), *from, way.to_vec())),
                    }
                }
            }
            let short = self.shortened(&new)?;
            let mut walker = self.world.walker();
            for ((screen, ..), path) in new.iter().zip(short) {
                let Some(path) = path else { return Ok(()) };
                let from = path.len().saturating_sub(1);
                let visit = self.world.visit(&mut walker, &path, from)?;
                self.found.visits += 1;
                self.found.steps += path.len() as u64;
                let before = self.found.screens.len();
                self.add(None, &path, &visit);
                for screen in &mut self.found.screens[before..] {
                    screen.played = true;
                }
                debug_assert!(self.index.contains_key(screen));
            }
            // How the screens of the games follow each other.
            for ((begin, ..), visit) in chunk.iter().zip(&visits) {
                let Some(visit) = visit else { return Ok(()) };
                let mut at = *begin;
                for (_, screen) in &visit.seen {
                    let Some(to) = self.index.get(screen).copied() else { continue };
                    if to != at {
                        self.found.ways.entry((at, to)).or_insert_with(|| [None].into());
                    }
                    at = to;
                }
            }
            let (screens, visits) = (self.found.screens.len(), self.found.visits);
            on_progress(Progress { screens, visits, presses: 0 });
        }
        Ok(())
    }

    /// The ways without the presses of the games that they do not need.
    fn shortened(
        &mut self,
        new: &[(W::Screen, usize, Vec<Step>)],
    ) -> Result<Vec<Option<Vec<Step>>>, W::Error> {
        let world = self.world;
        let results = self.in_parallel(new.len(), |walker, nth| {
            let (screen, from, path) = &new[nth];
            let mut path = path.clone();
            let (mut visits, mut steps) = (0, 0);
            let mut size = (path.len() - from).div_ceil(2).max(1);
            loop {
                let mut at = path.len().saturating_sub(1);
                // The last press stays: the screen comes in it.
                while at > *from && visits < SHORTENING_MAX {
                    let first = at.saturating_sub(size).max(*from);
                    let mut fewer = path.clone();
                    fewer.drain(first..at);
                    (visits, steps) = (visits + 1, steps + fewer.len());
                    let visit = world.visit(walker, &fewer, fewer.len() - 1)?;
                    if visit.seen.iter().any(|(_, seen)| seen == screen) {
                        path = fewer;
                    }
                    at = first;
                }
                if size == 1 || visits >= SHORTENING_MAX {
                    return Ok((path, visits, steps));
                }
                size = size.div_ceil(2);
            }
        })?;
        let mut paths = Vec::new();
        for result in results {
            paths.push(result.map(|(path, visits, steps)| {
                self.found.visits += visits as u64;
                self.found.steps += steps as u64;
                path
            }));
        }
        Ok(paths)
    }

    /// Visits all of `paths`, each from its step on, in their order; `None` behind an interruption.
    fn visit_all(&mut self, paths: &[(&[Step], usize)]) -> Result<Visits<W>, W::Error> {
        let world = self.world;
        // One thread tries all steps of a place: up to there its walker presses once.
        let place = |(path, from): &(&[Step], usize)| path[..*from].to_vec();
        let is_try = |(path, from): &(&[Step], usize)| from + 1 == path.len();
        let groups: Vec<&[(&[Step], usize)]> = paths
            .chunk_by(|one, next| is_try(one) && is_try(next) && place(one) == place(next))
            .collect();
        let visited = self.in_parallel(groups.len(), |walker, nth| {
            let visits = groups[nth].iter().map(|(path, from)| world.visit(walker, path, *from));
            visits.collect::<Result<Vec<_>, _>>()
        })?;
        let visits: Visits<W> = groups
            .iter()
            .zip(visited)
            .flat_map(|(group, visits)| match visits {
                Some(visits) => visits.into_iter().map(Some).collect(),
                None => group.iter().map(|_| None).collect::<Vec<_>>(),
            })
            .collect();
        for ((path, _), visit) in paths.iter().zip(&visits) {
            let Some(visit) = visit else { continue };
            self.found.visits += 1;
            self.found.steps += path.len() as u64;
            self.found.time = self.found.time.saturating_add(visit.time);
        }
        Ok(visits)
    }

    /// `work` for each of `count` numbers, on all threads, each with a walker; the results in order.
    fn in_parallel<T: Send>(
        &self,
        count: usize,
        work: impl Fn(&mut W::Walker<'_>, usize) -> Result<T, W::Error> + Sync,
    ) -> Result<Vec<Option<T>>, W::Error> {
        let walker = || self.world.walker();
        let results = in_parallel(self.budget.jobs, count, self.interrupt, walker, work);
        results.into_iter().map(Option::transpose).collect()
    }

    /// Adds what a visit of `path`, whose last step was tried on the screen `from`, has shown.
    fn add(&mut self, from: Option<usize>, path: &[Step], visit: &Visit<W::Screen>) {
        if let Some(fault) = &visit.fault {
            self.found.faults.entry(fault.clone()).or_insert_with(|| path.to_vec());
        }
        let step = path.last().copied();
        let mut before = None;
        for (_, screen) in &visit.seen {
            let to = self.screen(screen, from, path);
            if let Some(before) = before.filter(|before| *before != to) {
                self.found.ways.entry((before, to)).or_default().insert(None);
            }
            if let Some(from) = from.filter(|from| *from != to) {
                self.found.ways.entry((from, to)).or_default().insert(step);
            }
            before = Some(to);
        }
        let Some(rest) = &visit.rest else { return };
        let rest = self.screen(rest, from, path);
        self.found.screens[rest].at_rest = true;
        let Visit { phase, shelf, .. } = visit;
        let shelves = self.shelves.entry((rest, phase.clone())).or_default();
        let is_first = shelves.is_empty();
        if shelves.len() < SHELVES_MAX && shelves.insert(shelf.clone()) {
            let place = || Place { screen: rest, path: path.to_vec(), phase: phase.clone() };
            self.waiting.entry(path.len()).or_default().push(place());
            let screen = &self.found.screens[rest].screen;
            if is_first && !self.world.games(screen, phase).is_empty() {
                self.beginnings.push(place());
            }
        }
    }

    /// The number of `screen`, to which `path` leads from `parent` if it is new.
    fn screen(&mut self, screen: &W::Screen, parent: Option<usize>, path: &[Step]) -> usize {
        if let Some(known) = self.index.get(screen) {
            return *known;
        }
        let number = self.found.screens.len();
        self.index.insert(screen.clone(), number);
        self.found.screens.push(FoundScreen {
            screen: screen.clone(),
            path: path.to_vec(),
            parent,
            at_rest: false,
            tried: false,
            played: false,
        });
        number
    }
}

/// `work` for each of `count` numbers on so many threads, each with a state from `begin`; the results in order,
/// `None` behind an interruption.
pub(super) fn in_parallel<S, T: Send>(
    threads: usize,
    count: usize,
    interrupt: &Interrupt,
    begin: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, usize) -> T + Sync,
) -> Vec<Option<T>> {
    let results: Vec<Mutex<Option<T>>> = (0..count).map(|_| Mutex::new(None)).collect();
    let next = AtomicUsize::new(0);
    let run = || {
        let mut state = begin();
        while !interrupt.is_set() {
            let nth = next.fetch_add(1, Ordering::Relaxed);
            let Some(slot) = results.get(nth) else { break };
            let result = work(&mut state, nth);
            *slot.lock().unwrap_or_else(PoisonError::into_inner) = Some(result);
        }
    };
    let spawned =
        std::thread::scope(|scope| jobs::spawn(scope, threads.max(1), || || run()).map(drop));
    if spawned.is_err() {
        // Not even one thread: this one works.
        run();
    }
    let unlock = |slot: Mutex<Option<T>>| slot.into_inner().unwrap_or_else(PoisonError::into_inner);
    results.into_iter().map(unlock).collect()
}
