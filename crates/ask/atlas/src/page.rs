//! The atlas as one HTML page: a map, a gallery, a list of findings, and each screen in detail. It works over
//! `file://`, loads nothing, and needs no network.
//!
//! The page's script receives everything as JSON and inserts it as text, so no text of the LCD or
//! of a file's name is interpreted as HTML. This module does not know the firmware: screens are
//! pictures and words.

mod json;

use super::drawn::{Atlas, Portrait};
use super::explore::{End, FoundScreen};
use insight::Screen;
use json::{array, base64, number, object, text};
use legibility::vision::Vision;

const STYLE: &str = include_str!("page/atlas.css");
const SCRIPT: &str = include_str!("page/atlas.js");
const BODY: &str = include_str!("page/atlas.html");

/// Returns the page of `atlas`. `made_by` has lines on the program, its firmware and its command
/// line.
pub fn page(atlas: &Atlas, made_by: &[String]) -> String {
    let count = atlas.found.screens.len();
    format!(
        "<!doctype html>\n<html lang=en>\n<head>\n<meta charset=utf-8>\n\
         <meta name=viewport content=\"width=device-width, initial-scale=1\">\n\
         <meta http-equiv=Content-Security-Policy content=\"default-src 'none'; img-src data:; \
         style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n\
         <meta name=color-scheme content=\"light dark\">\n\
         <title>nudge atlas: {count} screens</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n\
         {}{BODY}<script type=\"application/json\" id=data>{}</script>\n\
         <script>\n{SCRIPT}</script>\n</body>\n</html>\n",
        filters(),
        data(atlas, made_by)
    )
}

/// Returns an SVG filter for each kind of vision, with the matrix that the measurement uses.
/// Filters work on linear RGB by default (Filter Effects 1, color-interpolation-filters).
fn filters() -> String {
    let mut svg = "<svg width=0 height=0 class=away aria-hidden=true>".to_owned();
    for vision in Vision::ALL {
        let Some(matrix) = vision.matrix() else { continue };
        let row = |row: [f64; 3]| format!("{} {} {} 0 0", row[0], row[1], row[2]);
        let rows = matrix.map(row).join(" ");
        svg += &format!(
            "<filter id=eye-{}><feColorMatrix values=\"{rows} 0 0 0 1 0\"/></filter>",
            vision.name()
        );
    }
    svg + "</svg>\n"
}

fn data(atlas: &Atlas, made_by: &[String]) -> String {
    let found = &atlas.found;
    let end = match found.end {
        End::Everything => "every press was tried on every screen",
        End::Screens => "as many screens were found as were asked for; there are more",
        End::Time => "the virtual time was used up; there may be more screens",
        End::Interrupted => "it was interrupted; there may be more screens",
    };
    let same = atlas.portraits.iter().flatten().filter(|portrait| portrait.same).count();
    let sizes = atlas.sizes.iter().map(|size| text(&format!("{}×{}", size.width, size.height)));
    let faults = found.faults.iter().map(|(fault, path)| {
        let presses = array(path.iter().map(|step| text(&step.to_string())));
        object([("what", text(fault)), ("presses", presses)])
    });
    let beyond = atlas.beyond.iter().map(|(screen, traces)| {
        let traces = array(traces.iter().take(TRACES_MAX).map(|name| text(name)));
        let mut members = named(screen);
        members.push(("traces", traces));
        object(members)
    });
    let lowest = atlas.lowest().into_iter().map(|(vision, contrast, line, nth)| {
        let contrast = text(&format!("{contrast:.1}"));
        array([text(vision.name()), contrast, text(&line), number(nth as u64)])
    });
    let left_out = atlas.left_out.iter().map(|(name, why)| text(&format!("{name}: {why}")));
    let screens = found.screens.iter().zip(&atlas.portraits).enumerate();
    let screens =
        screens.map(|(nth, (screen, portrait))| one(atlas, nth, screen, portrait.as_ref()));
    object([
        ("madeBy", array(made_by.iter().map(|line| text(line)))),
        ("panel", text(&format!("{}×{}", atlas.panel.width, atlas.panel.height))),
        ("sizes", array(sizes)),
        ("end", text(end)),
        ("visits", number(found.visits)),
        ("presses", number(found.steps)),
        ("seconds", number(found.time.0 / 1_000_000_000)),
        ("same", if atlas.is_drawn_twice { number(same as u64) } else { "null".to_owned() }),
        ("traces", number(atlas.traces as u64)),
        ("lowest", array(lowest)),
        ("leftOut", array(left_out)),
        ("faults", array(faults)),
        ("beyond", array(beyond)),
        ("screens", array(screens)),
    ])
}

/// Maximum number of trace names shown beside a screen.
const TRACES_MAX: usize = 6;

fn named(screen: &Screen) -> Vec<(&'static str, String)> {
    vec![
        ("system", text(screen.system)),
        ("kind", text(&screen.kind)),
        ("title", text(&screen.text)),
    ]
}

fn one(
    atlas: &Atlas,
    nth: usize,
    found: &FoundScreen<Screen>,
    portrait: Option<&Portrait>,
) -> String {
    let mut members = named(&found.screen);
    let presses = found.path.iter().map(|step| text(&step.to_string()));
    members.push(("presses", array(presses)));
    members.push(("parent", found.parent.map_or("null".into(), |nth| number(nth as u64))));
    let marks = [("rest", found.at_rest), ("tried", found.tried), ("played", found.played)];
    members.extend(marks.map(|(name, is)| (name, is.to_string())));
    let ways = atlas.found.ways.range((nth, 0)..(nth + 1, 0)).map(|((_, to), steps)| {
        let steps = steps.iter().map(|step| match step {
            Some(step) => text(&step.to_string()),
            None => text("by itself"),
        });
        array([number(*to as u64), array(steps)])
    });
    members.push(("ways", array(ways)));
    if let Some(portrait) = portrait {
        members.push(("png", base64(&portrait.png)));
        members.push(("others", array(portrait.others.iter().map(|png| base64(png)))));
        members.push(("text", array(portrait.text.iter().map(|line| text(line)))));
        let flaws =
            portrait.flaws.iter().map(|flaw| array([text(flaw.kind()), text(&flaw.to_string())]));
        members.push(("flaws", array(flaws)));
        members.push(("seenBy", number(portrait.traces.len() as u64)));
        let names = portrait.traces.iter().take(TRACES_MAX).map(|name| text(name));
        members.push(("traces", array(names)));
    }
    object(members)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_has_no_links_to_other_sites() {
        for part in [STYLE, SCRIPT, BODY] {
            // The SVG namespace is not a link.
            let part = part.replace("http://www.w3.org/2000/svg", "");
            assert!(
                !part.contains("http") && !part.contains("@import") && !part.contains("url(\"")
            );
        }
    }
}
