//! The window's picture as SDL textures: the board with the panel in it, the footer below, the
//! pane beside it, and the list of keys over everything. It fits into a window of any size.

mod parts;
mod textures;

use std::sync::Arc;

use ili9341_model::{Frame, Region, ViewingAngle, seen_through};
use reading::golden::{Mismatch, compare};
use sdl2::EventPump;
use sdl2::pixels::{Color, PixelFormatEnum};
use sdl2::rect::Rect;
use sdl2::render::{Canvas, TextureCreator};
use sdl2::video::{Window, WindowContext};

use super::arrangement::{Arrangement, Shown};
use super::error::SdlError;
use super::list::List;
use crate::face::{
    self, BoardFace, Footer, FooterView, Labels, Layout, PaneView, Theme, View, both, help, list,
    pane, report,
};
use live::Both;
use parts::{Parts, rect_of};
use textures::{fill, fill_part, texture_of};

/// Overlay that covers the whole window.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Over {
    /// The list of keys: its title, and its rows.
    Keys(String, Vec<(String, String)>),
    /// A list to choose from: its rows, and the chosen one.
    List(List, Vec<[String; 3]>, usize),
    /// The frames of two firmwares.
    Both(Box<Both>),
    /// A title, and lines of text.
    Report(String, Vec<String>),
}

/// Name of SDL's software renderer, which draws into memory.
const SOFTWARE: &str = "software";

/// Draws the window and caches its textures.
pub(super) struct Screen<'a> {
    canvas: Canvas<Window>,
    textures: &'a TextureCreator<WindowContext>,
    /// The board whose face is shown.
    board: BoardFace,
    labels: Labels,
    theme: Theme,
    shown: Shown,
    over: Option<Over>,
    /// Content of the pane, which is redrawn when it changes.
    pane_view: Option<PaneView>,
    frame: Arc<Frame>,
    /// Colour curve for the viewing angle of the LCD; `None` for a view along its axis.
    curve: Option<Box<[u8; 256]>>,
    parts: Parts<'a>,
    needs_redraw: bool,
    /// Areas of the window that have changed since it was last drawn.
    changed: Vec<Rect>,
}

impl<'a> Screen<'a> {
    pub(super) fn new(
        canvas: Canvas<Window>,
        textures: &'a TextureCreator<WindowContext>,
        labels: Labels,
        board: BoardFace,
        theme: Theme,
        shown: Shown,
    ) -> Result<Self, SdlError> {
        let size = canvas.output_size()?;
        let (width, height) = board.panel_size();
        let frame = Arc::new(Frame::filled(width as usize, height as usize, 0));
        let parts = Parts::new(textures, size, &board, &labels, theme, shown)?;
        let mut screen = Self {
            canvas,
            textures,
            board,
            labels,
            theme,
            shown,
            over: None,
            pane_view: None,
            frame,
            curve: None,
            parts,
            needs_redraw: true,
            changed: Vec::new(),
        };
        screen.refresh()?;
        Ok(screen)
    }

    pub(super) fn window(&mut self) -> &mut Window {
        self.canvas.window_mut()
    }

    /// Sets the title of the window, if it has changed.
    pub(super) fn set_title(&mut self, title: &str) {
        if self.canvas.window().title() == title {
            return;
        }
        // A title with a NUL byte is not shown. The name of a file cannot have one either.
        let _ = self.canvas.window_mut().set_title(title);
    }

    /// Returns which parts are shown besides the panel.
    pub(super) fn shown(&self) -> Shown {
        self.shown
    }

    pub(super) fn theme(&self) -> Theme {
        self.theme
    }

    /// Shows other parts, or uses another theme.
    pub(super) fn arrange(&mut self, shown: Shown, theme: Theme) -> Result<(), SdlError> {
        (self.shown, self.theme) = (shown, theme);
        self.rebuild()
    }

    /// Replaces the names of the keys on the caps.
    pub(super) fn set_labels(&mut self, labels: Labels) -> Result<(), SdlError> {
        self.labels = labels;
        self.rebuild()
    }

    /// Shows an overlay, or removes it.
    pub(super) fn set_over(&mut self, over: Option<Over>) -> Result<(), SdlError> {
        if self.over == over {
            return Ok(());
        }
        self.over = over;
        self.rebuild()
    }

    /// Returns the overlay that covers the window.
    pub(super) fn over(&self) -> Option<&Over> {
        self.over.as_ref()
    }

    /// Handles a possible change of the window's size.
    pub(super) fn resized(&mut self) -> Result<(), SdlError> {
        let size = self.canvas.output_size()?;
        if size == self.parts.arrangement.size { Ok(()) } else { self.rebuild() }
    }

    fn rebuild(&mut self) -> Result<(), SdlError> {
        let size = self.canvas.output_size()?;
        let Self { textures, board, labels, theme, shown, .. } = self;
        self.parts = Parts::new(textures, size, board, labels, *theme, *shown)?;
        self.refresh()
    }

    /// Draws the parts that a new size needs.
    fn refresh(&mut self) -> Result<(), SdlError> {
        self.needs_redraw = true;
        let frame = Arc::clone(&self.frame);
        self.set_whole_frame(frame);
        if let Some(over) = &self.over {
            let (width, height) = self.parts.arrangement.size;
            let size = (width.max(1), height.max(1));
            let picture = match over {
                Over::Keys(title, rows) => help(size, self.theme, title, rows),
                Over::List(which, rows, chosen) => {
                    list(size, self.theme, which.title(), rows, *chosen)
                }
                Over::Both(shown) => both(size, self.theme, shown),
                Over::Report(title, lines) => report(size, self.theme, title, lines),
            };
            self.parts.over = Some(texture_of(self.textures, &picture)?);
        }
        if let Some(view) = self.pane_view.take() {
            self.set_pane(view)?;
        }
        Ok(())
    }

    /// Redraws the window after it was covered or hidden.
    pub(super) fn expose(&mut self) {
        self.needs_redraw = true;
    }

    /// Draws everything again after the textures were lost.
    pub(super) fn redraw(&mut self) -> Result<(), SdlError> {
        self.rebuild()
    }

    /// Shows a new frame of the panel.
    pub(super) fn set_frame(&mut self, frame: Arc<Frame>) {
        let part = region_between(&self.frame, &frame);
        if let Some(part) = part
            && self.parts.has_whole_pixels()
        {
            let touched = self.parts.panel_part(part);
            self.show_on_panel(&frame, Some(part), touched);
            self.frame = frame;
        } else if part.is_some() {
            self.set_whole_frame(frame);
        } else {
            self.frame = frame;
        }
    }

    /// Shows a frame of the panel completely, because none of it is shown yet.
    fn set_whole_frame(&mut self, frame: Arc<Frame>) {
        let glass = self.parts.arrangement.glass;
        self.show_on_panel(&frame, None, glass);
        self.frame = frame;
    }

    /// Writes `part` of `frame`, or all of it, into the panel's texture. This changes the area
    /// `touched` of the window.
    fn show_on_panel(&mut self, frame: &Frame, part: Option<Region>, touched: Rect) {
        let coloured = self.board.glass().coloured(frame);
        let picture = coloured.as_ref().unwrap_or(frame);
        let seen = self.curve.as_ref().map(|curve| seen_through(picture, curve));
        let picture = seen.as_ref().unwrap_or(picture);
        // The board has one panel, so a frame of another size cannot occur.
        let filled = match part {
            Some(part) => fill_part(&mut self.parts.panel, picture, rect_of(part)),
            None => fill(&mut self.parts.panel, picture),
        };
        if filled.is_ok() {
            self.touch(touched);
        }
    }

    /// Sets the angle from which the LCD is seen. Captures show it from its axis.
    pub(super) fn look_from(&mut self, angle: ViewingAngle) {
        self.curve = (angle != ViewingAngle::default()).then(|| Box::new(angle.curve()));
        let frame = Arc::clone(&self.frame);
        self.set_whole_frame(frame);
    }

    /// Marks `part` of the window as changed.
    fn touch(&mut self, part: Rect) {
        // The list has one entry for each area that can change.
        if !self.changed.contains(&part) {
            self.changed.push(part);
        }
    }

    /// Returns the frame that is shown.
    pub(super) fn frame(&self) -> &Arc<Frame> {
        &self.frame
    }

    /// Returns the content of the pane.
    pub(super) fn pane(&self) -> Option<&PaneView> {
        self.pane_view.as_ref()
    }

    /// Sets the content of the pane.
    pub(super) fn set_pane(&mut self, view: PaneView) -> Result<(), SdlError> {
        let changed = self.pane_view.as_ref() != Some(&view);
        if let Some(place) = self.parts.arrangement.pane
            && changed
        {
            let size = (place.width(), place.height());
            let picture = pane(size, self.parts.arrangement.unit, self.theme, &view);
            match &mut self.parts.beside {
                Some(texture) => fill(texture, &picture)?,
                beside => *beside = Some(texture_of(self.textures, &picture)?),
            }
            self.touch(place);
        }
        self.pane_view = Some(view);
        Ok(())
    }

    /// Converts a point of the window to one of its pixels.
    fn pixel(&self, x: i32, y: i32) -> (i32, i32) {
        let (points, pixels) = (self.canvas.window().size(), self.parts.arrangement.size);
        let scaled = |at: i32, points: u32, pixels: u32| {
            (i64::from(at) * i64::from(pixels) / i64::from(points.max(1))) as i32
        };
        (scaled(x, points.0, pixels.0), scaled(y, points.1, pixels.1))
    }

    /// Returns the number of window pixels for each of the panel's.
    pub(super) fn pixel_scale(&self) -> f32 {
        self.parts.arrangement.glass.width() as f32 / self.board.panel_size().0 as f32
    }

    /// Returns the board whose face is shown.
    pub(super) fn face(&self) -> &BoardFace {
        &self.board
    }

    /// Returns the window's size in pixels.
    pub(super) fn pixels(&self) -> (u32, u32) {
        self.parts.arrangement.size
    }

    /// Returns the number of window pixels for each point of the window.
    pub(super) fn pixels_per_point(&self) -> f32 {
        self.pixels().1 as f32 / self.canvas.window().size().1.max(1) as f32
    }

    /// Converts a row of the window's points to one of its pixels.
    pub(super) fn pixel_row(&self, y: i32) -> i32 {
        self.pixel(0, y).1
    }

    /// Converts a point of the window to a pixel of the board's picture, and returns that with its
    /// layout; `None` while the board is not shown.
    pub(super) fn on_board(&self, x: i32, y: i32) -> Option<((i32, i32), &Layout)> {
        let place = self.parts.arrangement.board?;
        let (x, y) = self.pixel(x, y);
        Some(((x - place.x(), y - place.y()), self.parts.face.layout()))
    }

    /// Returns whether a point of the window is on the pane.
    pub(super) fn is_on_pane(&self, x: i32, y: i32) -> bool {
        let at = self.pixel(x, y);
        self.parts.arrangement.pane.is_some_and(|place| place.contains_point(at))
    }

    /// Returns the column of the strip at a point of the window, and whether the point is on the
    /// strip.
    pub(super) fn on_strip(&self, x: i32, y: i32) -> Option<(i32, bool)> {
        let place = self.parts.arrangement.footer?;
        let (x, y) = self.pixel(x, y);
        let (x, y) = (x - place.x(), y - place.y());
        Some((x, self.parts.footer.strip().contains(x, y)))
    }

    pub(super) fn footer(&self) -> &Footer {
        &self.parts.footer
    }

    /// Shows a message over the lower edge of the window, if only the panel is shown.
    fn show_note(&mut self, message: Option<&str>) -> Result<(), SdlError> {
        let message = message.filter(|_| self.parts.arrangement.board.is_none());
        if self.parts.note.as_ref().map(|(text, ..)| text.as_str()) == message {
            return Ok(());
        }
        self.needs_redraw = true;
        let Arrangement { size, unit, pane, .. } = &self.parts.arrangement;
        let width = size.0.saturating_sub(pane.map_or(0, |pane| pane.width())).max(1);
        self.parts.note = match message {
            Some(text) => {
                let picture = face::note(width, *unit, self.theme, text);
                let height = (picture.height() as u32).min(size.1.max(1));
                let place = Rect::new(0, size.1.saturating_sub(height) as i32, width, height);
                Some((text.to_owned(), place, texture_of(self.textures, &picture)?))
            }
            None => None,
        };
        Ok(())
    }

    /// Draws the window if anything has changed.
    pub(super) fn show(
        &mut self,
        view: &View,
        footer: &FooterView,
        pump: &EventPump,
    ) -> Result<(), SdlError> {
        self.show_note(footer.message.as_deref())?;
        let parts = &mut self.parts;
        let arrangement = &parts.arrangement;
        let mut changed = std::mem::take(&mut self.changed);
        let mut touch = |place: Rect, part: face::Rect| {
            let (x, y) = (place.x() + part.left as i32, place.y() + part.top as i32);
            let part = Rect::new(x, y, part.width, part.height);
            changed.push(part);
        };
        if arrangement.is_nothing() {
            // A window without pixels shows nothing. It is drawn when it has some.
            return Ok(());
        }
        if let Some(place) = arrangement.board
            && parts.face.draw(view)
            && let Some(part) = parts.face.changed()
        {
            fill_part(&mut parts.board, parts.face.picture(), part)?;
            touch(place, part);
        }
        if let Some(place) = arrangement.footer
            && parts.footer.draw(footer)
            && let Some(part) = parts.footer.changed()
        {
            fill_part(&mut parts.below, parts.footer.picture(), part)?;
            touch(place, part);
        }
        let whole = std::mem::take(&mut self.needs_redraw);
        if !whole && changed.is_empty() {
            return Ok(());
        }
        // Only SDL's software renderer retains what was drawn before, and with it each pixel costs
        // time.
        let keeps = self.canvas.info().name == SOFTWARE;
        parts.enlarge(&mut self.canvas)?;
        if keeps && !whole {
            for part in &changed {
                self.canvas.set_clip_rect(*part);
                self.parts.copy_to(&mut self.canvas)?;
            }
            self.present_parts(&changed, pump)?;
        } else {
            let desk = self.theme.backdrop();
            let [_, red, green, blue] = desk.to_be_bytes();
            self.canvas.set_draw_color(Color::RGB(red, green, blue));
            self.canvas.set_clip_rect(None);
            self.canvas.clear();
            self.parts.copy_to(&mut self.canvas)?;
            self.canvas.present();
        }
        Ok(())
    }

    /// Presents only `parts` of what SDL's software renderer has drawn: at scale 3 the whole
    /// window is 7 MB.
    fn present_parts(&mut self, parts: &[Rect], pump: &EventPump) -> Result<(), SdlError> {
        self.canvas.set_clip_rect(None);
        // Drawing commands wait in a queue. Reading a pixel makes SDL execute them.
        self.canvas.read_pixels(Rect::new(0, 0, 1, 1), PixelFormatEnum::RGB888)?;
        // The renderer draws into this surface.
        let handed = self.canvas.window().surface(pump);
        if handed.and_then(|surface| surface.update_window_rects(parts)).is_err() {
            self.canvas.present();
        }
        Ok(())
    }
}

/// Returns the region in which two frames differ.
pub(super) fn region_between(before: &Frame, after: &Frame) -> Option<Region> {
    match compare(after, before) {
        Err(Mismatch::Pixels(difference)) => Some(difference.region()),
        _ => None,
    }
}
