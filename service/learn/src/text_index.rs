//! A closed list of texts as an **open-addressing hash table**: an observation looks up hundreds of them.

use xxhash_rust::xxh3::xxh3_64;

/// The sentinel for free slots.
const NOT_LISTED: u32 = u32::MAX;

/// A closed list of texts.
#[derive(Clone, Debug)]
pub(crate) struct TextIndex {
    listed: Box<[Box<str>]>,
    /// The index of each text, by hash. At least half of the slots are free; a text whose slot is taken is in the next
    /// free one.
    slots: Box<[u32]>,
}

impl TextIndex {
    pub(crate) fn new(texts: &[String]) -> Self {
        let size = (2 * texts.len()).next_power_of_two();
        let mut slots = vec![NOT_LISTED; size].into_boxed_slice();
        for (index, text) in (0..).zip(texts) {
            let mut slot = slot_of(text.as_bytes(), size);
            while slots[slot] != NOT_LISTED {
                slot = (slot + 1) % size;
            }
            slots[slot] = index;
        }
        let listed = texts.iter().map(|text| text.as_str().into());
        Self {
            listed: listed.collect(),
            slots,
        }
    }

    /// Returns the index of a text in the list.
    #[inline]
    pub(crate) fn index_of(&self, text: &[u8]) -> Option<u32> {
        let size = self.slots.len();
        let mut slot = slot_of(text, size);
        loop {
            let index = *self.slots.get(slot)?;
            // A free slot contains an index beyond the list, which ends the search.
            if self.listed.get(index as usize)?.as_bytes() == text {
                return Some(index);
            }
            slot = (slot + 1) % size;
        }
    }

    /// Returns whether the text is at this index of the list.
    #[inline]
    pub(crate) fn is_at_index(&self, index: u32, text: &[u8]) -> bool {
        let listed = self.listed.get(index as usize);
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
            let texts = TextIndex::new(&names);
            for (index, name) in (0..).zip(&names) {
                assert_eq!(texts.index_of(name.as_bytes()), Some(index));
                assert!(texts.is_at_index(index, name.as_bytes()));
                assert!(!texts.is_at_index(index + 1, name.as_bytes()));
            }
            for other in ["", "t", "t1000", "u0"] {
                assert_eq!(texts.index_of(other.as_bytes()), None);
            }
        }
    }
}
