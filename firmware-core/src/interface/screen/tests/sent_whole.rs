//! Damage that is sent without a comparison gives the same windows, in the same order, as a
//! comparison.

use super::*;

/// A view that hides everything but its pixels: all damage is compared with the previous picture.
#[derive(Clone, Copy, PartialEq)]
struct Compared(View);

impl Picture for Compared {
    type Element = Element;

    fn damage(&self, shown: Option<&Self>, size: Size, mut report: impl FnMut(Damage)) {
        self.0.damage(shown.map(|shown| &shown.0), size, |damage| {
            report(match damage {
                Damage::Redraw(..) => damage,
                Damage::Fill(area, _) => Damage::Redraw(area, Element::Whole),
                Damage::Replace(area, element) => Damage::Redraw(area, element),
            });
        });
    }

    fn draw<D: TextTarget>(
        &self,
        element: Element,
        size: Size,
        target: &mut D,
    ) -> Result<(), D::Error> {
        Picture::draw(&self.0, element, size, target)
    }
}

/// A panel that shows one view after another.
pub(super) struct Shown<V> {
    presenter: Presenter<Box<Canvas<Element>>, V>,
    pub(super) paper: Paper,
}

impl<V: Picture<Element = Element>> Shown<V> {
    pub(super) fn new() -> Self {
        Self { presenter: Presenter::new(Box::new(Canvas::new())), paper: Paper::new(PANEL) }
    }

    /// Returns the windows that showing `view` takes.
    pub(super) fn show(&mut self, view: V) -> Vec<Rectangle> {
        self.paper.windows.clear();
        let budget = || Budget::new(BUDGET);
        while !self.presenter.step(&view, PANEL, &mut self.paper, &mut budget()).unwrap() {}
        core::mem::take(&mut self.paper.windows)
    }
}

/// Returns the possible looks of each place: every rim, with and without a plate behind its label.
fn looks(view: BoardView, place: usize) -> Vec<BoardView> {
    let lights = [None, Some(Light::Sowing), Some(Light::Event), Some(Light::Advice)];
    let mut looks = Vec::new();
    for (light, ended) in
        lights.into_iter().flat_map(|light| [false, true].map(|ended| (light, ended)))
    {
        let mut look = view;
        look.lit = light.map(|light| (light, Places::NONE.with(place)));
        look.ended = ended.then_some(place as u8);
        looks.push(look);
    }
    looks
}

#[test]
fn damage_sent_without_comparison_gives_the_same_windows() {
    let mut uncompared = 0;
    for (system, place) in
        SYSTEMS.iter().flat_map(|system| (0..PLACES).map(move |place| (system, place)))
    {
        let mut view = board_view([4; PLACES], Message::Turn(Player::Bottom));
        view.style = system.style();
        let looks = looks(view, place);
        let (mut panel, mut compared) = (Shown::new(), Shown::new());
        for (shown, next) in looks.iter().flat_map(|one| looks.iter().map(move |two| (one, two))) {
            let [shown, next] = [shown, next].map(|view| View::Board(*view));
            next.damage(Some(&shown), PANEL, |damage| {
                uncompared += usize::from(!matches!(damage, Damage::Redraw(..)));
            });
            for view in [shown, next] {
                let sent = panel.show(view);
                assert_eq!(sent, compared.show(Compared(view)), "{}: {view:?}", system.name);
            }
        }
    }
    assert!(uncompared > 0);
}
