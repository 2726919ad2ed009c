//! Tests of sets of tiles: their members and neighbours.

use crate::{Frame, TILE, Tiles};

/// Returns the members of a set, tile by tile.
fn each(tiles: &Tiles, width: usize, height: usize) -> Vec<(usize, usize)> {
    let places = (0..height.div_ceil(TILE))
        .flat_map(|row| (0..width.div_ceil(TILE)).map(move |column| (column, row)));
    places.filter(|(column, row)| tiles.holds(column * TILE, row * TILE)).collect()
}

#[test]
fn grown_adds_the_tiles_within_the_distance() {
    // The picture has 9 by 8 tiles; the last ones are cut off.
    let then = Frame::filled(70, 60, 0);
    for (x, y) in [(0, 0), (69, 59), (40, 20)] {
        let mut now = then.clone();
        now.pixels_mut()[y * 70 + x] = 1;
        let changed = Tiles::changed(&then, &now).unwrap();
        assert_eq!(each(&changed, 70, 60), [(x / TILE, y / TILE)]);
        for (width, height) in [(0, 0), (6, 10), (8, 8), (9, 17), (700, 1)] {
            let grown = each(&changed.grown(width, height), 70, 60);
            let near = |column: usize, row: usize| {
                (x / TILE).abs_diff(column) <= width.div_ceil(TILE)
                    && (y / TILE).abs_diff(row) <= height.div_ceil(TILE)
            };
            let all = (0..8).flat_map(|row| (0..9).map(move |column| (column, row)));
            let expected: Vec<_> = all.filter(|(column, row)| near(*column, *row)).collect();
            assert_eq!(grown, expected, "{x},{y} by {width},{height}");
        }
    }
    assert!(Tiles::changed(&then, &then).is_some_and(|tiles| tiles.is_empty()));
    assert!(Tiles::changed(&then, &Frame::filled(60, 70, 0)).is_none());
}

#[test]
fn a_tile_is_met_by_any_pixel_in_it() {
    let mut tiles = Tiles::none(320, 240).unwrap();
    tiles.choose(16..17, 9..24);
    assert_eq!(each(&tiles, 320, 240), [(2, 1), (2, 2)]);
    for (columns, rows, meets) in [
        (0..16, 0..240, false),
        (0..17, 0..9, true),
        (23..24, 23..24, true),
        (24..320, 0..240, false),
        (0..320, 24..240, false),
        (0..320, 0..8, false),
    ] {
        assert_eq!(tiles.meets(columns.clone(), rows.clone()), meets, "{columns:?} {rows:?}");
    }
}

#[test]
fn runs_are_adjacent_tiles() {
    let mut tiles = Tiles::none(512, 16).unwrap();
    for (columns, rows) in [(0..9, 0..1), (24..25, 0..1), (504..512, 0..16)] {
        tiles.choose(columns, rows);
    }
    let runs: Vec<_> = tiles.runs().collect();
    assert_eq!(runs, [(0, 0..2), (0, 3..4), (0, 63..64), (1, 63..64)]);
    let all = Tiles::all(512, 16).unwrap();
    assert_eq!(all.runs().collect::<Vec<_>>(), [(0, 0..64), (1, 0..64)]);
    assert_eq!((all.count(), tiles.count()), (128, 5));
}

#[test]
fn long_rows_and_pictures_without_pixels() {
    assert_eq!(Tiles::none(513, 8), None);
    assert_eq!(Tiles::all(513, 8), None);
    let long = Frame::filled(513, 1, 0);
    assert_eq!(Tiles::changed(&long, &long), None);
    for (width, height) in [(0, 0), (0, 9), (9, 0)] {
        let frame = Frame::filled(width, height, 0);
        assert!(Tiles::changed(&frame, &frame).is_some_and(|tiles| tiles.is_empty()));
        assert!(Tiles::all(width, height).is_some_and(|tiles| tiles.is_empty()));
    }
}
