//! An atlas: the result of a search, with a picture of each screen, its flaws, and the traces that
//! show it. This module does not know HTML.

use core::fmt;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

use embedded_graphics::geometry::Size;
use hal_mock::setup::SetupError;
use host::Interrupt;
use ili9341_model::Frame;
use insight::{Fault, Screen};
use reading::{golden::encode_png, text::ScreenText};
use trace::{Action, Trace};

use super::appearance::{self, Unreadable};
use super::explore::{Found, World as _, in_parallel};
use super::factory::Factory;
use super::step::{STEP, trace_to};
use super::trace_screens::TraceScreens;
use super::ways::without_way_back;
use legibility::vision::Vision;

/// A flaw of a screen.
#[derive(Clone, Debug, PartialEq)]
pub enum Flaw {
    /// No press that was tried leads back to a game.
    NoWayBack,
    /// Text that is hard to read on the LCD.
    Unreadable(Unreadable),
    /// The screens of the firmware fail on a panel of this size.
    NotDrawn(Size),
    /// A part does not fit on the LCD, or on another panel of this size. Parts are given by name.
    Misfit(Option<Size>, Fault<String>),
}

impl Flaw {
    /// Returns the kind of the flaw in one word.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::NoWayBack => "no-way-back",
            Self::Unreadable(Unreadable::Faint { .. }) => "contrast",
            Self::Unreadable(Unreadable::Small { .. }) => "small",
            Self::Unreadable(Unreadable::Covered { .. })
            | Self::Misfit(_, Fault::Overlap(..) | Fault::Bare) => "overlap",
            Self::NotDrawn(_) | Self::Misfit(_, Fault::Clipped { .. } | Fault::OtherBoard(_)) => {
                "clipped"
            }
        }
    }
}

impl fmt::Display for Flaw {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoWayBack => write!(out, "no press leads back to a game"),
            Self::Unreadable(Unreadable::Faint { text, vision, found, least }) => {
                write!(out, "\"{text}\" has a contrast of {found:.1}, below {least}")?;
                match vision {
                    Vision::Normal => Ok(()),
                    vision => write!(out, ", in {}", vision.name()),
                }
            }
            Self::Unreadable(Unreadable::Small { text, capitals }) => {
                write!(out, "\"{text}\" has capitals of {capitals} px")
            }
            Self::Unreadable(Unreadable::Covered { text, colours }) => {
                write!(out, "something lies on \"{text}\": it has {colours} colours")
            }
            Self::NotDrawn(Size { width, height }) => {
                write!(out, "it cannot be drawn on {width}×{height}: the firmware's screens fail")
            }
            Self::Misfit(size, fault) => {
                match fault {
                    Fault::Clipped { part, text } => {
                        write!(out, "\"{text}\" does not fit into its place, {part}")
                    }
                    Fault::OtherBoard(part) => write!(out, "{part} lies beside the panel"),
                    Fault::Overlap(one, other) => write!(out, "{one} and {other} overlap"),
                    Fault::Bare => write!(out, "some pixels are not drawn"),
                }?;
                match size {
                    None => Ok(()),
                    Some(Size { width, height }) => write!(out, ", on {width}×{height}"),
                }
            }
        }
    }
}

/// A screen with its pictures and flaws.
#[derive(Clone, Debug, PartialEq)]
pub struct Portrait {
    /// Picture on the LCD, as PNG.
    pub png: Vec<u8>,
    /// Picture on each other panel, as PNG, drawn by the firmware's screens without a driver.
    pub others: Vec<Vec<u8>>,
    /// Text of the screen, one element per row of the panel.
    pub text: Vec<String>,
    /// Line of text by which a trace recognises the screen; `None` without text.
    pub mark: Option<String>,
    /// Flaws of the screen.
    pub flaws: Vec<Flaw>,
    /// Text with the lowest contrast for each kind of vision.
    pub lowest: Vec<(Vision, f64, String)>,
    /// Whether the picture drawn without a driver has the same pixels as the LCD.
    pub same: bool,
    /// Names of the traces that show the screen.
    pub traces: Vec<String>,
}

/// The found screens and their appearance.
#[derive(Clone, Debug)]
pub struct Atlas {
    /// Size of the pictures.
    pub panel: Size,
    /// Whether the screens were also drawn without driver and LCD, by the firmware's own screens.
    pub is_drawn_twice: bool,
    /// Result of the search.
    pub found: Found<Screen>,
    /// Portrait of each screen; `None` if a second run did not show it.
    pub portraits: Vec<Option<Portrait>>,
    /// Sizes of the other panels.
    pub sizes: Vec<Size>,
    /// Screens that only traces show, with the traces' names.
    pub beyond: BTreeMap<Screen, Vec<String>>,
    /// Number of traces that were replayed; 0 if none was given.
    pub traces: usize,
    /// Traces that could not be replayed, with the reasons.
    pub left_out: Vec<(String, String)>,
}

impl Atlas {
    /// Draws every screen that was `found` on the LCD and on panels of other `sizes`, and records
    /// its flaws.
    ///
    /// # Errors
    /// If no machine can be built.
    pub fn draw(
        factory: &Factory<'_>,
        found: Found<Screen>,
        sizes: &[Size],
        witnesses: TraceScreens,
        jobs: usize,
        interrupt: &Interrupt,
    ) -> Result<Self, SetupError> {
        let stuck = without_way_back(&found, |screen| factory.screens().is_home(screen));
        let (screens, panel) = (factory.screens(), factory.screens().panel());
        let TraceScreens { seen: mut beyond, replayed, left_out } = witnesses;
        let walker = || factory.walker();
        let portraits = in_parallel(jobs, found.screens.len(), interrupt, walker, |walker, nth| {
            let screen = &found.screens[nth];
            let portrayed = factory.portray(walker, &screen.path, &screen.screen)?;
            let Some((view, frame)) = portrayed else { return Ok(None) };
            let reader = factory.eye.reader();
            let text = reader.read(&frame);
            let size = Size::new(frame.width() as u32, frame.height() as u32);
            let faint = screens.faint_areas(&*view, size);
            let mut flaws = Vec::new();
            flaws.extend(stuck.contains(&nth).then_some(Flaw::NoWayBack));
            let unreadable = appearance::unreadable(&faint, &frame, &text, reader);
            flaws.extend(unreadable.into_iter().map(Flaw::Unreadable));
            let mut others = Vec::new();
            for size in std::iter::once(&panel).chain(sizes) {
                // The screens were made for one panel; on a much smaller one they may panic.
                let looked = catch_unwind(AssertUnwindSafe(|| {
                    (screens.drawn(&*view, *size), screens.faults(&*view, *size, reader))
                }));
                let Ok((drawn, faults)) = looked else {
                    flaws.push(Flaw::NotDrawn(*size));
                    others.push(Frame::filled(size.width as usize, size.height as usize, 0));
                    continue;
                };
                others.push(drawn);
                let other = (*size != panel).then_some(*size);
                flaws.extend(faults.into_iter().map(|fault| Flaw::Misfit(other, fault)));
            }
            Ok(Some(Portrait {
                same: others.first() == Some(&frame),
                png: encode_png(&frame),
                others: others.iter().skip(1).map(encode_png).collect(),
                lowest: appearance::lowest(&faint, &frame, &text, reader),
                mark: mark(&text),
                text: text.to_string().lines().map(str::to_owned).collect(),
                flaws,
                traces: beyond.get(&screen.screen).cloned().unwrap_or_default(),
            }))
        });
        let portraits = portraits.into_iter().map(|portrait| portrait.unwrap_or(Ok(None)));
        let portraits = portraits.collect::<Result<_, SetupError>>()?;
        for screen in &found.screens {
            beyond.remove(&screen.screen);
        }
        let sizes = sizes.to_vec();
        Ok(Self {
            panel,
            is_drawn_twice: true,
            found,
            portraits,
            sizes,
            beyond,
            traces: replayed,
            left_out,
        })
    }

    /// Returns the number of flaws of all screens.
    pub fn flaws(&self) -> usize {
        self.portraits.iter().flatten().map(|portrait| portrait.flaws.len()).sum()
    }

    /// Returns the text with the lowest contrast over all screens for each kind of vision, and the
    /// number of its screen.
    pub fn lowest(&self) -> Vec<(Vision, f64, String, usize)> {
        let portraits = || self.portraits.iter().enumerate();
        let all = || portraits().filter_map(|(nth, portrait)| Some((nth, portrait.as_ref()?)));
        let of = |vision| {
            let found = all().flat_map(|(nth, portrait)| {
                portrait.lowest.iter().map(move |lowest| (nth, lowest))
            });
            let found = found.filter(|(_, (other, ..))| *other == vision);
            // Of equally low contrasts, the first is used.
            let lowest = found.min_by(|(_, one), (_, other)| one.1.total_cmp(&other.1));
            lowest.map(|(nth, (vision, contrast, text))| (*vision, *contrast, text.clone(), nth))
        };
        Vision::ALL.into_iter().filter_map(of).collect()
    }

    /// Returns the numbers of the screens that no trace shows. Empty if no trace was replayed.
    pub fn unseen(&self) -> Vec<usize> {
        let unseen = |portrait: &Option<Portrait>| {
            portrait.as_ref().is_some_and(|portrait| portrait.traces.is_empty())
        };
        let numbers = 0..self.portraits.len();
        numbers.filter(|nth| self.traces > 0 && unseen(&self.portraits[*nth])).collect()
    }

    /// Returns the shortest presses to each screen as a trace, with its name.
    pub fn to_traces(&self, factory: &Factory<'_>) -> Vec<(String, Trace)> {
        let mut traces = Vec::new();
        for (nth, (found, portrait)) in self.found.screens.iter().zip(&self.portraits).enumerate() {
            let Some(portrait) = portrait else { continue };
            let expected = match &portrait.mark {
                Some(text) => Action::WaitText { text: text.clone(), display: None, within: STEP },
                None => Action::ExpectBacklight { on: false, display: None },
            };
            let presses: Vec<String> = found.path.iter().map(ToString::to_string).collect();
            let presses = if presses.is_empty() { "power on".into() } else { presses.join(", ") };
            let comments = vec![found.screen.to_string(), format!("The presses: {presses}.")];
            let trace = trace_to(factory.header(), &found.path, expected, comments);
            traces.push((file_stem(nth, &found.screen), trace));
        }
        traces
    }
}

/// Returns the most specific line of `text`: the longest.
pub(super) fn mark(text: &ScreenText) -> Option<String> {
    let lines = text.lines.iter().filter(|line| line.text.chars().any(char::is_alphanumeric));
    // Of equally long lines, the first is used.
    let longest = lines.rev().max_by_key(|line| line.text.chars().count())?;
    Some(longest.text.clone())
}

/// Returns a name such as `0042-board-menu-play-undo`: letters, digits and dashes.
pub(super) fn file_stem(nth: usize, screen: &Screen) -> String {
    let words = format!("{} {} {}", screen.system, screen.kind, screen.text).to_lowercase();
    let words = words.split(|letter: char| !letter.is_ascii_alphanumeric());
    let mut stem = format!("{nth:04}");
    for word in words.filter(|word| !word.is_empty()) {
        if stem.len() + word.len() > 48 {
            break;
        }
        stem.push('-');
        stem += word;
    }
    stem
}
