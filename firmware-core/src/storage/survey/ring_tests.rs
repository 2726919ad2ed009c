//! The ring of sectors: how a map that is written for long goes on, and which maps are not written to.

extern crate std;

use std::collections::HashMap;
use std::vec::Vec;

use super::*;
use crate::storage::chip::Chip;
use crate::storage::records;

const RING: usize = SECTORS as usize;

/// What the library does to the marks of its sectors, for two turns of the ring from each sector on: each state that
/// it leaves, and how it goes on from there. A sector is begun, then closed. When it begins the last blank one, the
/// oldest is still full: its records move, then it is erased.
fn states_of_the_library() -> HashMap<Vec<u8>, Next> {
    let mut known = HashMap::new();
    for first in 0..RING {
        let mut states = [State::Open; RING];
        let mut note = |states: &[State; RING], next| {
            known.insert(states.iter().map(|state| *state as u8).collect(), next);
        };
        note(&states, Next::Append);
        for turn in first..first + 2 * RING {
            let (now, oldest) = (turn % RING, (turn + 1) % RING);
            states[now] = State::Begun;
            if states[oldest] == State::Closed {
                note(&states, Next::Redo(now as u32));
                states[oldest] = State::Open;
            }
            note(&states, Next::Append);
            states[now] = State::Closed;
            // If none is begun, the library goes on in the blank sector that it meets first.
            if states.iter().position(|state| *state == State::Open) == Some(oldest) {
                note(&states, Next::Append);
            }
        }
    }
    known
}

const STATES: [State; 4] = [State::Open, State::Begun, State::Closed, State::Odd];

#[test]
fn a_map_goes_on_from_each_state_that_the_library_leaves_and_from_no_other() {
    let known = states_of_the_library();
    // Each of them, and each that differs from one in up to two sectors.
    for state in known.keys() {
        let legal: Vec<State> = state.iter().map(|state| STATES[usize::from(*state)]).collect();
        for (one, other) in (0..RING).flat_map(|one| (one..RING).map(move |other| (one, other))) {
            for (first, second) in STATES.iter().flat_map(|a| STATES.map(|b| (*a, b))) {
                let mut states = legal.clone();
                (states[one], states[other]) = (first, second);
                let key: Vec<u8> = states.iter().map(|state| *state as u8).collect();
                let expected = known.get(&key).copied().unwrap_or(Next::Unknown);
                let found = next(&states, &[true; RING]);
                assert!(found == expected, "{key:?}");
            }
        }
    }
}

#[test]
fn a_sector_that_is_open_and_not_blank_is_no_place_to_go_on() {
    for state in states_of_the_library().keys() {
        let states: Vec<State> = state.iter().map(|state| STATES[usize::from(*state)]).collect();
        for sector in 0..RING {
            let mut blank = [true; RING];
            blank[sector] = false;
            let before = next(&states, &[true; RING]);
            let found = next(&states, &blank);
            let expected = if states[sector] == State::Open { Next::Unknown } else { before };
            assert!(found == expected, "{state:?} with something in {sector}");
        }
    }
}

/// A record of `length` bytes that are not all the same.
fn record(length: usize, number: usize) -> Vec<u8> {
    (0..length).map(|byte| (byte * 7 + number) as u8).collect()
}

/// Saves records of both keys and of all lengths, and hands over the flash and the places after each.
fn save_many(count: usize, mut after: impl FnMut(&mut Chip, Option<Places>, usize)) {
    let (mut chip, mut places) = (Chip::factory_new(), None);
    for number in 0..count {
        let key = Key::ALL[number / 3 % Key::ALL.len()];
        let length = number * 13 % (CONTENT_BYTES - NUMBER_BYTES);
        assert!(records::save(&mut chip, &mut places, key, &record(length, number)).is_ok());
        after(&mut chip, places, number);
    }
}

fn look_at(chip: &mut Chip) -> Survey {
    survey(chip, None).expect("a flash in memory")
}

#[test]
fn a_map_that_only_saves_have_written_is_sound_and_its_places_are_known() {
    // Some thirty records fill a sector: three turns of the ring.
    let mut known = 0;
    save_many(1_500, |chip, places, number| {
        let survey = look_at(chip);
        assert!(survey.sound, "after {number} saves");
        assert!(!survey.is_old);
        let others = &chip.0[address(1) as usize..address(SECTORS) as usize];
        assert_eq!(survey.is_new, others.iter().all(|byte| *byte == 0xFF), "after {number} saves");
        if let Some(places) = places {
            known += 1;
            assert!(survey.places() == Some(places), "after {number} saves");
        }
    });
    // They are not known after a save that begins a sector.
    assert!(known > 1_300, "{known}");
}

#[test]
fn a_place_is_believed_only_as_long_as_the_record_lies_there() {
    let mut number = 0;
    save_many(40, |chip, places, _| {
        number += 1;
        let Some(places) = places else { return };
        for key in Key::ALL {
            let found = places.newest(chip, key).expect("a whole record");
            let newest = look_at(chip).newest[key as usize];
            assert_eq!(found.is_some(), newest.is_some());
            let (Some(found), Some(newest)) = (found, newest) else { continue };
            assert_eq!(found.record(), newest.record());
            assert_eq!(
                (found.sequence, found.sector, found.at),
                (newest.sequence, newest.sector, newest.at)
            );
            // Of the item each byte counts, its fill does not.
            let length = usize::from(newest.record.1);
            for byte in 0..HEADER + length {
                let at = newest.at as usize + byte;
                let kept = chip.0[at];
                chip.0[at] ^= 0x10;
                let read = places.newest(chip, key).err();
                assert_eq!(read, Some(StorageError::Damaged), "save {number}, byte {byte}");
                chip.0[at] = kept;
            }
        }
        for byte in 0..HEADER {
            let at = places.end as usize + byte;
            chip.0[at] = 0x7F;
            for key in Key::ALL {
                let read = places.newest(chip, key).err();
                assert_eq!(read, Some(StorageError::Damaged), "save {number}, behind the end");
            }
            chip.0[at] = 0xFF;
        }
    });
}

#[test]
fn a_sector_is_needed_if_a_newest_record_lies_in_it_and_nowhere_else() {
    save_many(400, |chip, _, number| {
        if number % 20 != 0 {
            return;
        }
        let newest = look_at(chip).newest;
        for sector in 0..SECTORS {
            let holds = newest.iter().flatten().any(|copy| copy.sector == sector);
            assert_eq!(is_needed(chip, sector).ok(), Some(holds), "sector {sector}, save {number}");
        }
    });
}

#[test]
fn a_known_place_tells_its_sector_and_whether_it_has_room() {
    let (mut full, mut beyond) = (0, 0);
    save_many(120, |chip, places, number| {
        let Some(places) = places else { return };
        for length in [0, 10, CONTENT_BYTES - NUMBER_BYTES] {
            let has_room = places.append(Key::Settings, 9, length).is_some();
            assert_eq!(places.have_room(length), has_room, "save {number}");
            full += usize::from(!has_room);
        }
        for key in Key::ALL {
            let found = places.newest(chip, key).expect("a whole record");
            let newest = look_at(chip).newest[key as usize];
            assert_eq!(found.map(|copy| copy.sector), newest.map(|copy| copy.sector));
            beyond += usize::from(newest.is_some_and(|copy| copy.sector > 0));
        }
    });
    assert!(full > 0 && beyond > 0, "{full} {beyond}");
}
