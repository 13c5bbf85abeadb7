//! A closed list of texts as an **open-addressing hash table**: an observation looks up hundreds of them.

use xxhash_rust::xxh3::xxh3_64;

/// A mark for free slots.
const NOWHERE: u32 = u32::MAX;

/// A closed list of texts.
#[derive(Clone, Debug)]
pub(crate) struct Texts {
    listed: Box<[Box<str>]>,
    /// The place of each text, by hash. At least half of the slots are free; a text whose slot is taken is in the next
    /// free one.
    slots: Box<[u32]>,
}

impl Texts {
    pub(crate) fn new(texts: &[String]) -> Self {
        let size = (2 * texts.len()).next_power_of_two();
        let mut slots = vec![NOWHERE; size].into_boxed_slice();
        for (place, text) in (0..).zip(texts) {
            let mut slot = slot_of(text.as_bytes(), size);
            while slots[slot] != NOWHERE {
                slot = (slot + 1) % size;
            }
            slots[slot] = place;
        }
        let listed = texts.iter().map(|text| text.as_str().into());
        Self {
            listed: listed.collect(),
            slots,
        }
    }

    /// Returns the place of a text in the list.
    #[inline]
    pub(crate) fn place(&self, text: &[u8]) -> Option<u32> {
        let size = self.slots.len();
        let mut slot = slot_of(text, size);
        loop {
            let place = *self.slots.get(slot)?;
            // A free slot contains a place beyond the list, which ends the search.
            if self.listed.get(place as usize)?.as_bytes() == text {
                return Some(place);
            }
            slot = (slot + 1) % size;
        }
    }

    /// Returns whether the text is at this place of the list.
    #[inline]
    pub(crate) fn is_at(&self, place: u32, text: &[u8]) -> bool {
        let listed = self.listed.get(place as usize);
        listed.is_some_and(|listed| listed.as_bytes() == text)
    }
}

fn slot_of(text: &[u8], size: usize) -> usize {
    // The size is a power of two, so the mask selects a slot.
    usize::try_from(xxh3_64(text) & (size as u64 - 1)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_text_is_found_where_it_is_listed_and_no_other() {
        for count in [0, 1, 2, 3, 113, 1_000] {
            let names: Vec<String> = (0..count).map(|number| format!("t{number}")).collect();
            let texts = Texts::new(&names);
            for (place, name) in (0..).zip(&names) {
                assert_eq!(texts.place(name.as_bytes()), Some(place));
                assert!(texts.is_at(place, name.as_bytes()));
                assert!(!texts.is_at(place + 1, name.as_bytes()));
            }
            for other in ["", "t", "t1000", "u0"] {
                assert_eq!(texts.place(other.as_bytes()), None);
            }
        }
    }
}
