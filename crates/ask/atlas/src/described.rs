//! The world of a described board: any program, whose screens are its pictures.
//!
//! Two pictures that differ in a pixel are two screens. The steps to try are those of the board file:
//! a tap and a hold of each button, a detent of each encoder in both directions, both positions of
//! each switch, both ends and the middle of each potentiometer. This module does not know the search.

use std::collections::BTreeMap;

use boards::described::DescribedBoard;
use embedded_graphics::geometry::Size;
use hal_mock::{Machine, VirtualBoard, setup::SetupError};
use host::Interrupt;
use ili9341_model::Frame;
use insight::{Screen, Step};
use reading::golden::encode_png;
use reading::text::{Reader, ScreenText};
use trace::{Action, ControlKind, FrameCheck, HeaderEntry, Share, Trace};
use virtual_time::{Instant, Nanos};

use super::drawn::{Atlas, Portrait, file_stem, mark};
use super::explore::{Found, Visit, World, in_parallel};
use super::step::{Way, trace_that_expects};
use super::walker::{go_on, violation};

/// Time from one press to the next. A picture at the end of it is a screen; what is shown in between
/// is not.
pub const PACE: Nanos = Nanos::from_secs(1);
/// Time before a press at which a machine is copied. A slice of the chip has at most 4 ms.
const COPY_BEFORE: Nanos = Nanos::from_millis(100);
/// Maximum number of copies of the machine on a path, of about a megabyte each.
const COPIES_MAX: usize = 8;

const _: () = assert!(COPY_BEFORE.0 < PACE.0);

/// A described board, at its first power-on.
pub struct Described<'a> {
    board: &'a DescribedBoard,
    /// Reader for a board without a font, which reads nothing there.
    reader: &'a Reader,
    steps: Vec<Step>,
}

/// Presses paths on machines of a described board. The common beginning with the previous path is not
/// pressed again.
pub struct DescribedWalker {
    path: Vec<Step>,
    /// Copies of the machine on the path, each after this number of presses.
    kept: Vec<(usize, Box<dyn Machine>)>,
}

/// A trace to a screen, and its goldens with their names.
pub struct Illustrated {
    pub name: String,
    pub trace: Trace,
    pub goldens: Vec<(String, Vec<u8>)>,
}

impl<'a> Described<'a> {
    /// Creates the world of a board. `reader` is the reader of replays.
    pub fn new(board: &'a DescribedBoard, reader: &'a Reader) -> Self {
        let parts = board.parts();
        let buttons = parts.buttons.all().iter();
        let mut steps: Vec<Step> =
            buttons.flat_map(|button| [Step::Tap(*button), Step::Hold(*button)]).collect();
        for control in parts.controls.all() {
            match control.kind() {
                ControlKind::Encoder => {
                    steps.extend([1, -1].map(|by| Step::Turn(*control, by)));
                }
                ControlKind::Switch => {
                    steps.extend([true, false].map(|is_on| Step::Switch(*control, is_on)));
                }
                ControlKind::Potentiometer => {
                    let places = [0, 5_000, 10_000].map(Share::from_ten_thousandths);
                    steps.extend(places.map(|share| Step::Set(*control, share)));
                }
                // A joystick returns to its middle; its pushes are no places where it stays. Where a
                // screen can be touched is not known.
                ControlKind::Joystick | ControlKind::Touch(_) => {}
            }
        }
        Self { board, reader, steps }
    }

    /// Presses `path` on a new board. Returns the machine, and the fault if the program could not
    /// continue or broke a rule of its display.
    fn walk(
        &self,
        walker: &mut DescribedWalker,
        path: &[Step],
    ) -> Result<(Box<dyn Machine>, Option<String>), SetupError> {
        let way = Way::paced(path, PACE);
        let common = walker.path.iter().zip(path).take_while(|(one, other)| one == other).count();
        walker.kept.retain(|(presses, _)| *presses <= common && *presses < path.len());
        walker.path = path.to_vec();
        let copied = walker.kept.last();
        let copied = copied.and_then(|(presses, machine)| Some((machine.fork()?, presses + 1)));
        let (mut machine, begun) = match copied {
            Some(copied) => copied,
            None => (self.board.machine(&Trace::default(), None)?, 0),
        };
        for presses in begun..path.len() {
            let begin = way.begin(presses + 1);
            let eve = Instant::START.saturating_add(Nanos(begin.since_start().0 - COPY_BEFORE.0));
            let fault = go_on(&mut *machine, self.reader, way.piece(presses), eve);
            if fault.is_some() {
                return Ok((machine, fault));
            }
            // The press must be set before the machine passes its time.
            if machine.board().now() < begin
                && let Some(copy) = machine.fork()
            {
                if walker.kept.len() == COPIES_MAX {
                    walker.kept.remove(0);
                }
                walker.kept.push((presses, copy));
            }
        }
        let fault = go_on(&mut *machine, self.reader, way.piece(path.len()), way.end());
        let fault = fault.or_else(|| violation(machine.board()));
        Ok((machine, fault))
    }

    /// Returns the text on the displays, as far as the fonts of the board file read it.
    fn text(&self, board: &VirtualBoard, pictures: &[Frame]) -> Option<ScreenText> {
        let reader = board.text_reader()?;
        pictures.first().map(|picture| reader.read(picture))
    }

    /// Returns the screen of a board.
    fn screen(&self, board: &VirtualBoard) -> Screen {
        let pictures = pictures(board);
        let line = self.text(board, &pictures).as_ref().and_then(mark);
        let name = line.map_or_else(String::new, |line| format!("{line} "));
        let text = format!("{name}{:016x}", digest(&pictures));
        Screen { system: "", kind: "picture".to_owned(), text }
    }

    /// Pictures every screen that was `found`.
    ///
    /// # Errors
    /// If no machine can be built.
    pub fn atlas(
        &self,
        found: Found<Screen>,
        jobs: usize,
        interrupt: &Interrupt,
    ) -> Result<Atlas, SetupError> {
        let walker = || self.walker();
        let portraits = in_parallel(jobs, found.screens.len(), interrupt, walker, |walker, nth| {
            let screen = &found.screens[nth];
            let (machine, _) = self.walk(walker, &screen.path)?;
            let board = machine.board();
            if self.screen(board) != screen.screen {
                return Ok(None);
            }
            let pictures = pictures(board);
            let text = self.text(board, &pictures);
            let lines = text
                .iter()
                .flat_map(|text| text.to_string().lines().map(str::to_owned).collect::<Vec<_>>());
            Ok(Some(Portrait {
                png: encode_png(&stacked(&pictures)),
                others: Vec::new(),
                text: lines.collect(),
                mark: text.as_ref().and_then(mark),
                flaws: Vec::new(),
                lowest: Vec::new(),
                same: false,
                traces: Vec::new(),
            }))
        });
        let portraits = portraits.into_iter().map(|portrait| portrait.unwrap_or(Ok(None)));
        let portraits = portraits.collect::<Result<_, SetupError>>()?;
        let panels = self.board.parts().displays.all().iter().map(|display| display.panel());
        let panel = panels.fold(Size::zero(), |size, panel| {
            let (width, height) = (u32::from(panel.width), u32::from(panel.height));
            Size::new(size.width.max(width), size.height + height)
        });
        Ok(Atlas {
            panel,
            is_drawn_twice: false,
            found,
            portraits,
            sizes: Vec::new(),
            beyond: BTreeMap::new(),
            traces: 0,
            left_out: Vec::new(),
        })
    }

    /// Returns the shortest presses to each screen as a trace that expects its pictures. `board` names
    /// the board file in the header of the traces.
    ///
    /// # Errors
    /// If no machine can be built.
    pub fn to_traces(&self, atlas: &Atlas, board: &str) -> Result<Vec<Illustrated>, SetupError> {
        let header = [HeaderEntry::new(trace::BOARD_KEY, board)];
        let displays = self.board.parts().displays.clone();
        let (mut walker, mut traces) = (self.walker(), Vec::new());
        for (nth, found) in atlas.found.screens.iter().enumerate() {
            if atlas.portraits.get(nth).is_none_or(Option::is_none) {
                continue;
            }
            let (machine, _) = self.walk(&mut walker, &found.path)?;
            let (mut expected, mut goldens) = (Vec::new(), Vec::new());
            for (display, picture) in displays.all().iter().zip(pictures(machine.board())) {
                let name = format!("screen-{}", display.index());
                let check = FrameCheck {
                    display: (display.index() > 0).then_some(*display),
                    ..FrameCheck::from(name.as_str())
                };
                expected.push(Action::ExpectFrame(check));
                goldens.push((name, encode_png(&picture)));
            }
            let presses: Vec<String> = found.path.iter().map(ToString::to_string).collect();
            let presses = if presses.is_empty() { "power on".into() } else { presses.join(", ") };
            let comments = vec![format!("The presses: {presses}.")];
            let trace = trace_that_expects(&header, &found.path, PACE, expected, comments);
            traces.push(Illustrated { name: file_stem(nth, &found.screen), trace, goldens });
        }
        Ok(traces)
    }
}

impl World for Described<'_> {
    type Screen = Screen;
    type Error = SetupError;
    type Walker<'w>
        = DescribedWalker
    where
        Self: 'w;

    fn walker(&self) -> DescribedWalker {
        DescribedWalker { path: Vec::new(), kept: Vec::new() }
    }

    fn visit(
        &self,
        walker: &mut DescribedWalker,
        path: &[Step],
        _from: usize,
    ) -> Result<Visit<Screen>, SetupError> {
        let (machine, fault) = self.walk(walker, path)?;
        let screen = self.screen(machine.board());
        let time = Way::paced(path, PACE).end().since_start();
        Ok(Visit {
            seen: vec![(path.len().saturating_sub(1), screen.clone())],
            // A program that cannot continue has no screen on which a press could be tried.
            rest: fault.is_none().then_some(screen),
            phase: String::new(),
            stored: String::new(),
            time,
            fault,
        })
    }

    fn steps(&self, _: &Screen) -> Vec<Step> {
        self.steps.clone()
    }

    fn games(&self, _: &Screen, _: &str) -> Vec<Vec<Step>> {
        Vec::new()
    }
}

/// Returns the pictures of all displays.
fn pictures(board: &VirtualBoard) -> Vec<Frame> {
    let now = board.now();
    (0..board.display_count()).map(|number| board.at_display(number).frame_at(now)).collect()
}

/// Returns the pictures below each other.
fn stacked(pictures: &[Frame]) -> Frame {
    let width = pictures.iter().map(Frame::width).max().unwrap_or(1);
    let height = pictures.iter().map(Frame::height).sum();
    let mut all = Frame::filled(width, height, 0);
    let mut rows = all.pixels_mut().chunks_exact_mut(width);
    for picture in pictures {
        for (row, target) in picture.pixels().chunks_exact(picture.width()).zip(&mut rows) {
            target[..row.len()].copy_from_slice(row);
        }
    }
    all
}

/// Returns the FNV-1a hash of pictures.
fn digest(pictures: &[Frame]) -> u64 {
    let pixels = pictures.iter().flat_map(|picture| picture.pixels());
    pixels.fold(0xCBF2_9CE4_8422_2325, |hash, pixel| {
        (hash ^ u64::from(*pixel)).wrapping_mul(0x0000_0100_0000_01B3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_of_several_displays_are_below_each_other() {
        let frames = [Frame::filled(1, 1, 1), Frame::filled(2, 1, 2)];
        let all = stacked(&frames);
        assert_eq!((all.width(), all.height(), all.pixels()), (2, 2, &[1, 0, 2, 2][..]));
        assert_ne!(digest(&frames), digest(&frames[..1]));
        assert_ne!(digest(&[Frame::filled(1, 1, 1)]), digest(&[Frame::filled(1, 1, 2)]));
    }
}
