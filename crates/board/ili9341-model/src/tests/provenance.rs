//! Tests of the origin of a pixel, compared with a count of every pixel that was sent.

use super::*;
use crate::{Transfer, WATCHED_WRITES_MAX};
use virtual_time::Random;

/// A write as the test computes it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Sent {
    at: Instant,
    transfer: Transfer,
    first_byte: i64,
    bytes: Vec<u8>,
    cell: u32,
    columns: (u16, u16),
    pages: (u16, u16),
    position: (u16, u16),
    madctl: u8,
}

/// Sends `count` pixels through a window, in pieces of any length, and returns those written into
/// `cell`.
fn send_pieces(
    host: &mut Host,
    random: &mut Random,
    cell: (usize, usize),
    madctl: u8,
    (columns, pages): ((u16, u16), (u16, u16)),
    count: usize,
) -> Vec<Sent> {
    host.window(columns.0, columns.1, pages.0, pages.1);
    host.command(0x2C);
    let bytes: Vec<u8> = (0..count).flat_map(|n| pattern(n).to_be_bytes()).collect();
    let (mut sent, mut done) = (Vec::new(), 0);
    let (mut column, mut page) = (columns.0, pages.0);
    while done < bytes.len() {
        let length = (1 + random.below(97) as usize).min(bytes.len() - done);
        let start = host.now;
        host.bytes(&bytes[done..done + length]);
        let transfer = host.lcd.transfer;
        assert_eq!((transfer.start, transfer.end, transfer.bytes), (start, host.now, length));
        // A pixel belongs to the transfer of its second byte.
        for second in done..done + length {
            if second % 2 == 0 {
                continue;
            }
            if physical(madctl, column.into(), page.into()) == Some(cell) {
                let pixel = [bytes[second - 1], bytes[second]];
                sent.push(Sent {
                    at: start.saturating_add(Nanos(BYTE.0 * (second - done + 1) as u64)),
                    transfer,
                    first_byte: second as i64 - 1 - done as i64,
                    bytes: pixel.to_vec(),
                    cell: kept(u16::from_be_bytes(pixel)),
                    columns,
                    pages,
                    position: (column, page),
                    madctl,
                });
            }
            (column, page) = match (column == columns.1, page == pages.1) {
                (false, _) => (column + 1, page),
                (true, false) => (columns.0, page + 1),
                (true, true) => (columns.0, pages.0),
            };
        }
        done += length;
    }
    sent
}

/// Checks random windows, orientations and pieces; the watched cell is in the last window.
fn check(seed: u64) {
    let mut random = Random::new(seed);
    let mut host = Host::ready(0x28);
    let mut span = |end: u16| {
        let first = random.below(u64::from(end)) as u16;
        (first, first + random.below(u64::from((end - first).min(24))) as u16)
    };
    let window = (span(320), span(240));
    let cell = (usize::from(window.1.0), usize::from(window.0.1));
    assert!(host.lcd.watch_cell(cell.0, cell.1, Instant::NEVER));
    let mut expected = Vec::new();
    for _ in 0..1 + random.below(14) {
        let madctl = [0x28, 0xE8, 0x48, 0x88, 0x08, 0xA8][random.below(6) as usize];
        host.send(0x36, &[madctl]);
        // Position of the cell under this orientation, and a window around it.
        let (width, height) = if madctl & 0x20 == 0 { (240, 320) } else { (320, 240) };
        let places = (0..width).flat_map(|x| (0..height).map(move |y| (x, y)));
        let place = places.into_iter().find(|(x, y)| physical(madctl, *x, *y) == Some(cell));
        let (x, y) = place.unwrap();
        let mut around = |at: usize, end: usize| {
            let (before, after) = (random.below(9) as usize, random.below(9) as usize);
            (at.saturating_sub(before) as u16, (at + after).min(end - 1) as u16)
        };
        let window = (around(x, width), around(y, height));
        let area =
            usize::from(window.0.1 - window.0.0 + 1) * usize::from(window.1.1 - window.1.0 + 1);
        let count = 1 + random.below(2 * area as u64) as usize;
        expected.extend(send_pieces(&mut host, &mut random, cell, madctl, window, count));
    }
    let known: Vec<Sent> = host
        .lcd
        .watched_writes()
        .into_iter()
        .map(|write| Sent {
            at: write.at,
            transfer: write.transfer,
            first_byte: write.first_byte,
            bytes: write.bytes,
            cell: write.cell,
            columns: write.columns,
            pages: write.pages,
            position: write.position,
            madctl: write.madctl,
        })
        .collect();
    assert_eq!(host.lcd.watched_count(), expected.len() as u64, "seed {seed}");
    let kept = expected.len().saturating_sub(WATCHED_WRITES_MAX);
    assert_eq!(known, expected[kept..], "seed {seed}");
    if let Some(last) = known.last() {
        let (column, page) = cell;
        assert_eq!(host.lcd.memory_pixel(column, page), Some(last.cell), "seed {seed}");
    }
}

#[test]
fn the_last_writes_to_a_cell_are_known_to_the_byte() {
    for seed in 0..300 {
        check(seed);
    }
}

#[test]
fn previous_contents_are_known_until_power_makes_them_noise() {
    let mut host = Host::ready(0x28);
    host.lcd.watch_cell(5, 7, Instant::NEVER);
    host.window(7, 7, 5, 5);
    host.pixels(&[0xF800]);
    host.pixels(&[0x001F]);
    let writes = host.lcd.watched_writes();
    assert_eq!(writes.len(), 2);
    assert_eq!((writes[0].cell_before, writes[1].cell_before), (Some(0), Some(kept(0xF800))));
    assert_eq!(writes[1].opened.number, writes[1].transfer.number - 1);
    host.lcd.set_power(host.now, false);
    host.lcd.set_power(host.now, true);
    assert_eq!((host.lcd.watched_writes(), host.lcd.watched_count()), (Vec::new(), 0));
}

#[test]
fn writes_after_the_given_time_are_not_stored() {
    let mut host = Host::ready(0x28);
    host.window(7, 7, 5, 5);
    let over = host.now.saturating_add(Nanos(BYTE.0 * 3));
    host.lcd.watch_cell(5, 7, over);
    host.pixels(&[0xF800]);
    host.pixels(&[0x001F]);
    let writes = host.lcd.watched_writes();
    assert_eq!(writes.iter().map(|write| write.at).collect::<Vec<_>>(), [over]);
}

#[test]
fn cell_at_follows_scrolling_and_is_none_outside() {
    let mut host = Host::ready(0x28);
    assert_eq!(host.lcd.cell_at(100, 50), Some((50, 100)));
    assert_eq!((host.lcd.cell_at(320, 0), host.lcd.cell_at(0, 240)), (None, None));
    assert!(!host.lcd.watch_cell(240, 0, Instant::NEVER));
    host.send(0x33, &[0, 0, 0x01, 0x40, 0, 0]);
    host.send(0x37, &[0, 10]);
    assert_eq!(host.lcd.cell_at(100, 50), Some((50, 110)));
    assert_eq!(host.lcd.cell_at(315, 50), Some((50, 5)));
}
