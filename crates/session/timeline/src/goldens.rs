//! Compares frames with goldens that the caller provides as bytes. A missing golden counts as
//! equal, and is reported as missing.

use std::cell::Cell;
use std::io::Cursor;
use std::rc::Rc;

use hal_mock::replay::{ChainFrame, Event, Goldens};
use ili9341_model::Frame;
use reading::golden::{
    GoldenError,
    chain::{Chain, ChainFormat, FrameHash, Link},
    compare_part, decode_png,
};
use trace::{BoardFault, FrameCheck, counted};
use virtual_time::Instant;

use crate::files::Files;

/// Goldens of one trace.
pub(crate) struct ProvidedGoldens<'a> {
    files: &'a Files,
    /// Folder of the goldens: the trace's name without its extension.
    folder: String,
    /// Frames of each chain that is not complete, in the format of its file.
    chains: Vec<(String, Chain)>,
    /// Whether a golden was missing in the line that is being executed.
    pub(crate) missing: Rc<Cell<bool>>,
    pub(crate) faults: Vec<(Instant, BoardFault)>,
}

impl<'a> ProvidedGoldens<'a> {
    /// Returns the goldens of the trace called `name`.
    pub(crate) fn new(files: &'a Files, name: &str) -> Self {
        let file = name.rsplit('/').next().unwrap_or(name);
        let folder = file.rsplit_once('.').map_or(file, |(stem, _)| stem).to_owned();
        Self { files, folder, chains: Vec::new(), missing: Rc::default(), faults: Vec::new() }
    }

    fn file(&self, name: &str, ending: &str) -> Option<&[u8]> {
        let found = self.files.get(&format!("{}/{name}.{ending}", self.folder));
        if found.is_none() {
            self.missing.set(true);
        }
        found.map(|bytes| &**bytes)
    }

    /// Returns the format of this chain's hashes. An error in its file is reported at the end of
    /// the chain.
    fn format(&self, name: &str) -> ChainFormat {
        let bytes = self.files.get(&format!("{}/{name}.frames", self.folder));
        let chain = bytes.and_then(|bytes| Chain::parse(str::from_utf8(bytes).ok()?).ok());
        chain.map(|chain| chain.format).unwrap_or_default()
    }
}

impl Goldens for ProvidedGoldens<'_> {
    fn check(&mut self, expected: &FrameCheck, actual: &Frame) -> Result<(), GoldenError> {
        let Some(bytes) = self.file(&expected.name, "png") else { return Ok(()) };
        let golden = decode_png(Cursor::new(bytes))
            .map_err(|fault| format!("{}.png: {fault}", expected.name))?;
        Ok(compare_part(actual, &golden, expected.shown(actual), &expected.rules)?)
    }

    fn watch(&mut self, name: &str, seen: &ChainFrame<'_>) {
        let place = self.chains.iter().position(|(known, _)| known == name);
        let place = place.unwrap_or_else(|| {
            let begun = Chain { format: self.format(name), links: Vec::new() };
            self.chains.push((name.to_owned(), begun));
            self.chains.len() - 1
        });
        let chain = &mut self.chains[place].1;
        let hash = chain.format.hash_of(&seen.link, seen.frame);
        chain.links.push(Link { hash, ..seen.link });
    }

    fn chain(&mut self, name: &str) -> Result<(), GoldenError> {
        let place = self.chains.iter().position(|(known, _)| known == name);
        let seen = place.map(|place| self.chains.remove(place).1).unwrap_or_default();
        let Some(bytes) = self.file(name, "frames") else { return Ok(()) };
        let text = str::from_utf8(bytes).map_err(|_| format!("{name}.frames is no text"))?;
        let chain = Chain::parse(text).map_err(|fault| format!("{name}.frames:{fault}"))?;
        let [seen, expected] = [seen, chain]
            .map(|chain| chain.links.iter().map(|link| link.hash).collect::<Vec<FrameHash>>());
        if seen == expected {
            return Ok(());
        }
        let same = seen.iter().zip(&expected).take_while(|(one, other)| one == other).count();
        let of = expected.len();
        Err(match (seen.get(same), expected.get(same)) {
            (Some(_), Some(_)) => format!("frame {} of {of} of the chain {name} differs", same + 1),
            (Some(_), None) => {
                format!("the chain {name} has {}, and one more came", counted(of, "frame"))
            }
            (None, _) => {
                format!("of {} of the chain {name} only {same} came", counted(of, "frame"))
            }
        }
        .into())
    }

    fn screenshot(&mut self, _: &str, _: &Frame) -> Result<(), GoldenError> {
        Ok(())
    }

    fn happened(&mut self, at: Instant, event: Event) {
        if let Event::Fault(fault) = event {
            self.faults.push((at, fault));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chain_of_either_format_is_compared() {
        let frames = [0, 7, 9].map(|colour| Frame::filled(320, 240, colour));
        let links: Vec<Link> = frames
            .windows(2)
            .filter_map(|pair| Link::between(&pair[0], &pair[1], Instant::START))
            .collect();
        for format in [ChainFormat::First, ChainFormat::Second] {
            let hashed = links
                .iter()
                .zip(&frames[1..])
                .map(|(link, frame)| Link { hash: format.hash_of(link, frame), ..*link });
            let chain = Chain { format, links: hashed.collect() };
            let mut files = Files::default();
            files.insert("game/all.frames", chain.to_string().into_bytes());
            let compared = |order: [usize; 2]| {
                let mut goldens = ProvidedGoldens::new(&files, "game.trace");
                for nth in order {
                    let (frame, before) = (&frames[nth + 1], &frames[nth]);
                    let seen = ChainFrame { link: links[nth], frame, before, after: "power on" };
                    goldens.watch("all", &seen);
                }
                goldens.chain("all").map_err(|error| error.to_string())
            };
            assert_eq!(compared([0, 1]), Ok(()), "{format:?}");
            let differs = Err("frame 2 of 2 of the chain all differs".to_owned());
            assert_eq!(compared([0, 0]), differs, "{format:?}");
        }
    }
}
