//! Checks the text on the LCD: that a text is shown or is not, for how long it was shown, and which
//! other text is near to it.

use super::Run;
use crate::replay::failure::{FailureCause, NearText};
use crate::replay::nearest::nearest;
use reading::text::ScreenText;
use trace::{Place, RegionText, SHOWN_TOLERANCE, TextCheck};
use virtual_time::{Instant, Nanos};

impl Run<'_> {
    pub(super) fn expect_text(&mut self, place: Place, at: Instant, check: &TextCheck) {
        let wanted = &check.wanted;
        let cause = match check.shown_for {
            Some(shown_for) => self.shown_for(at, wanted, shown_for),
            None => (!shows(self.read(at), wanted)).then(|| {
                let near = near(self.read(at), wanted);
                FailureCause::TextMissing { wanted: wanted.clone(), near }
            }),
        };
        if let Some(cause) = cause {
            self.fail_with_text(place, at, cause);
        }
    }

    pub(super) fn expect_no_text(&mut self, place: Place, at: Instant, wanted: &RegionText) {
        if shows(self.read(at), wanted) {
            let cause = FailureCause::TextShown { wanted: wanted.clone() };
            self.fail_with_text(place, at, cause);
        }
    }

    /// Returns the failure if the time for which `wanted` was shown is not `expected`.
    fn shown_for(
        &mut self,
        at: Instant,
        wanted: &RegionText,
        expected: Nanos,
    ) -> Option<FailureCause> {
        let last = self.state.watch.showing(wanted).and_then(|showing| showing.last_as_of(at));
        self.state.watch.finish_text_check(wanted);
        let wanted = wanted.clone();
        let Some(span) = last else {
            let near = near(self.read(at), &wanted);
            return Some(FailureCause::TextNeverShown { wanted, expected, near });
        };
        // While a frame is being drawn, it is unknown whether the text is shown.
        let [lasted, drawn_for] = span.lengths(at);
        let (shortest, longest) = (lasted.min(drawn_for), lasted.max(drawn_for));
        let holds = shortest.saturating_sub(SHOWN_TOLERANCE) <= expected
            && expected <= longest.saturating_add(SHOWN_TOLERANCE);
        let (from, until) = (span.from.complete, span.until.map(|frame| frame.complete));
        (!holds).then_some(FailureCause::TextShownFor {
            wanted,
            expected,
            lasted,
            drawn_for,
            from,
            until,
        })
    }

    /// Returns the text on the LCD at `at` that is nearest to `text`.
    pub(super) fn near_text(&mut self, at: Instant, text: &str) -> Option<NearText> {
        near(self.read(at), &RegionText::from(text))
    }
}

/// Returns whether `wanted` is on `screen`, in its region.
pub(super) fn shows(screen: &ScreenText, wanted: &RegionText) -> bool {
    match wanted.region {
        None => screen.contains(&wanted.text),
        Some(region) => screen.within(region).contains(&wanted.text),
    }
}

/// Returns where else `wanted` is shown, or which nearest text its region has instead.
fn near(screen: &ScreenText, wanted: &RegionText) -> Option<NearText> {
    let within = wanted.region.map(|region| screen.within(region));
    if within.is_some()
        && let Some(place) = screen.find(&wanted.text)
    {
        return Some(NearText::Elsewhere(place));
    }
    let readings = within.as_ref().unwrap_or(screen).readings();
    nearest(&wanted.text, readings.iter().map(String::as_str))
        .map(|(_, near)| NearText::Differs(near))
}
