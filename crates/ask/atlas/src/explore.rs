//! The search: breadth first by presses, then through games that are played to their end, then
//! breadth first again from the screens that these reached. Two searches of one world have equal
//! results, for any number of threads.
//!
//! A place in the search is a screen and its circumstances. The effect of a press may depend on
//! state that the screen does not show, so each screen is tried in every phase of a game, and in a
//! few of the circumstances of each phase. This module does not know the firmware: a [`World`]
//! returns what is shown.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::hash::Hash;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use host::{Interrupt, jobs};
use insight::Step;
use virtual_time::Nanos;

/// Number of different circumstances in which a screen is tried in each phase of a game.
const CIRCUMSTANCES_MAX: usize = 2;
/// Number of visits whose results are in memory at once.
const CHUNK: usize = 256;
/// Maximum number of visits for shortening the path to one screen of a played game.
const SHORTENING_MAX: usize = 80;

/// A system that can be explored by presses.
pub trait World: Sync {
    /// A screen. Equal screens are one node of the map.
    type Screen: Clone + Eq + Hash + Send + Sync;
    /// Reason why nothing can be shown.
    type Error: Send;

    /// State for pressing in this world; each thread has its own. It may cache earlier paths if
    /// that does not change the results.
    type Walker<'w>
    where
        Self: 'w;

    /// Creates a walker without a cached path.
    fn walker(&self) -> Self::Walker<'_>;

    /// Presses `path` in a new world. Returns the screens from step `from` on, and the screen at
    /// rest.
    ///
    /// # Errors
    /// If nothing can be shown.
    fn visit(
        &self,
        walker: &mut Self::Walker<'_>,
        path: &[Step],
        from: usize,
    ) -> Result<Visit<Self::Screen>, Self::Error>;

    /// Returns the steps to try on a screen.
    fn steps(&self, screen: &Self::Screen) -> Vec<Step>;

    /// Returns long series of presses to try on a screen in that phase.
    fn games(&self, screen: &Self::Screen, phase: &str) -> Vec<Vec<Step>>;
}

/// Result of visiting a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Visit<S> {
    /// Each screen in order, with the index of the step in which it appeared.
    pub seen: Vec<(usize, S)>,
    /// Screen at the end, after all animations.
    pub rest: Option<S>,
    /// Phase of the game. Each screen is tried in every phase.
    pub phase: String,
    /// Other circumstances. Each screen is tried in only a few of them.
    pub stored: String,
    /// Virtual time that has passed.
    pub time: Nanos,
    /// Description of the fault, if one occurred.
    pub fault: Option<String>,
}

/// The visits of some paths, in order; `None` for paths after an interruption.
type Visits<W> = Vec<Option<Visit<<W as World>::Screen>>>;

/// Limits after which a search ends even if something new is left to try.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// Maximum number of screens.
    pub screens: usize,
    /// Maximum virtual time, summed over all visits.
    pub time: Nanos,
    /// Number of threads, at least 1. It does not influence the result.
    pub jobs: usize,
}

/// Reason why a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Every press was tried on every screen.
    Everything,
    /// The maximum number of screens was found.
    Screens,
    /// The virtual time was used up.
    Time,
    /// The search was interrupted, so its result is not reproducible.
    Interrupted,
}

/// A screen in the search's result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundScreen<S> {
    pub screen: S,
    /// Shortest known series of steps to the screen.
    pub path: Vec<Step>,
    /// Screen on which the last step of this path was taken; `None` for the first screen and for
    /// one found in a game.
    pub parent: Option<usize>,
    /// Whether the screen stays; others disappear by themselves.
    pub at_rest: bool,
    /// Whether presses were tried on the screen.
    pub tried: bool,
    /// Whether the screen was found in a randomly played game, whose path was then shortened. Fewer
    /// presses may suffice.
    pub played: bool,
}

/// Result of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found<S> {
    /// Screens in the order in which they were found, shortest path first. The first is the screen
    /// after power-on.
    pub screens: Vec<FoundScreen<S>>,
    /// Steps that lead from one screen to another. `None` means that the other screen follows by
    /// itself.
    pub ways: BTreeMap<(usize, usize), BTreeSet<Option<Step>>>,
    /// Faults, each with the steps that led to its first occurrence.
    pub faults: BTreeMap<String, Vec<Step>>,
    /// Number of visits.
    pub visits: u64,
    /// Number of steps of all visits.
    pub steps: u64,
    /// Virtual time of all visits.
    pub time: Nanos,
    pub end: End,
}

/// Progress of a search.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// Number of screens so far.
    pub screens: usize,
    /// Number of visits so far.
    pub visits: u64,
    /// Number of presses in the paths that are being tried.
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
    /// Circumstances in which a screen was or will be tried, by screen and phase.
    tried_circumstances: HashMap<(usize, String), BTreeSet<String>>,
    /// Places that wait to be tried, by the length of their paths.
    waiting: BTreeMap<usize, Vec<Place>>,
    /// Places from which games are played: a screen and a phase.
    beginnings: Vec<Place>,
}

/// Explores `world`. Calls `on_progress` on the calling thread.
///
/// # Errors
/// The world's error if nothing can be shown.
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
        tried_circumstances: HashMap::new(),
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
    /// Returns whether the budget is used up, and records the reason.
    fn is_over(&mut self) -> bool {
        let found = &mut self.found;
        if found.screens.len() >= self.budget.screens {
            found.end = End::Screens;
        } else if found.time >= self.budget.time {
            found.end = End::Time;
        }
        found.end != End::Everything || self.interrupt.is_set()
    }

    /// Tries every step at every waiting place, the shortest paths first.
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
                    // After an interruption the rest of the chunk is not evaluated.
                    let Some(visit) = visit else { return Ok(()) };
                    let from = places[*nth].screen;
                    let next = tries.get(number * CHUNK + at + 1);
                    // Set only after all steps of the screen were tried; otherwise it could lead to
                    // screens that the search has not seen.
                    self.found.screens[from].tried |= next.is_none_or(|(next, _)| next != nth);
                    self.add(Some(from), path, &visit);
                }
                let (screens, visits) = (self.found.screens.len(), self.found.visits);
                on_progress(Progress { screens, visits, presses: presses + 1 });
            }
        }
        Ok(())
    }

    /// Plays games from the places where they can begin, and shortens the paths to the new screens
    /// in them.
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
            // The shortest path to each new screen of this chunk.
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
            // Adds the transitions between the screens of the games.
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

    /// Removes the presses that are not needed from the paths to new screens.
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
                // The last press stays, because the screen appears in it.
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

    /// Visits all `paths`, each from its given step on. The results are in order, with `None` after
    /// an interruption.
    fn visit_all(&mut self, paths: &[(&[Step], usize)]) -> Result<Visits<W>, W::Error> {
        let world = self.world;
        // One thread tries all steps of a place, so its walker presses the common beginning only
        // once.
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

    /// Runs `work` for the numbers below `count` on all threads, each with a walker. Returns the
    /// results in order.
    fn in_parallel<T: Send>(
        &self,
        count: usize,
        work: impl Fn(&mut W::Walker<'_>, usize) -> Result<T, W::Error> + Sync,
    ) -> Result<Vec<Option<T>>, W::Error> {
        let walker = || self.world.walker();
        let results = in_parallel(self.budget.jobs, count, self.interrupt, walker, work);
        results.into_iter().map(Option::transpose).collect()
    }

    /// Adds the screens and transitions of a visit of `path`, whose last step was tried on the
    /// screen `from`.
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
        let Visit { phase, stored, .. } = visit;
        let stored_sets = self.tried_circumstances.entry((rest, phase.clone())).or_default();
        let is_first = stored_sets.is_empty();
        if stored_sets.len() < CIRCUMSTANCES_MAX && stored_sets.insert(stored.clone()) {
            let place = || Place { screen: rest, path: path.to_vec(), phase: phase.clone() };
            self.waiting.entry(path.len()).or_default().push(place());
            let screen = &self.found.screens[rest].screen;
            if is_first && !self.world.games(screen, phase).is_empty() {
                self.beginnings.push(place());
            }
        }
    }

    /// Returns the number of `screen`. If it is new, adds it with the `path` that leads to it from
    /// `parent`.
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

/// Runs `work` for the numbers below `count` on `threads` threads, each with a state from `begin`.
/// The results are in order, with `None` after an interruption.
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
        // Not even one thread could be spawned, so the work runs on this one.
        run();
    }
    let unlock = |slot: Mutex<Option<T>>| slot.into_inner().unwrap_or_else(PoisonError::into_inner);
    results.into_iter().map(unlock).collect()
}
