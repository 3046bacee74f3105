//! Numbers of entries, as people write and read them.

use std::collections::BTreeSet;

/// Entries on the command line: `3`, `3..5` (both ends belong to it), or several of these between commas.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entries(pub BTreeSet<u64>);

/// More are not withdrawn in one go: a slip of the keyboard should not fill the memory.
const MOST: u64 = 1_000_000;

impl std::str::FromStr for Entries {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || "expected numbers of entries, such as 3, 3..5 or 3,7..9".to_owned();
        let mut entries = BTreeSet::new();
        for part in text.split(',') {
            let (first, last) = part.split_once("..").unwrap_or((part, part));
            let number = |text: &str| text.trim().parse::<u64>().map_err(|_| wrong());
            let (first, last) = (number(first)?, number(last)?);
            if first == 0 || last < first || last - first >= MOST {
                return Err(wrong());
            }
            entries.extend(first..=last);
        }
        Ok(Entries(entries))
    }
}

/// Entries in words: `entry 3`, or `entries 3 to 5, 9`.
pub fn entries_text(entries: &BTreeSet<u64>) -> String {
    let mut ranges: Vec<(u64, u64)> = Vec::new();
    for &entry in entries {
        match ranges.last_mut().filter(|(_, last)| last + 1 == entry) {
            Some((_, last)) => *last = entry,
            None => ranges.push((entry, entry)),
        }
    }
    let range = |(first, last): &(u64, u64)| match first == last {
        true => first.to_string(),
        false => format!("{first} to {last}"),
    };
    let noun = if entries.len() == 1 { "entry" } else { "entries" };
    format!("{noun} {}", ranges.iter().map(range).collect::<Vec<_>>().join(", "))
}

/// What was done to entries: `entry 3 was`, or `entries 3 to 5 were`.
pub fn entries_were(entries: &BTreeSet<u64>) -> String {
    format!("{} {}", entries_text(entries), if entries.len() == 1 { "was" } else { "were" })
}

/// Where a run is written down, behind what it did; nothing where it wrote nothing.
pub fn entries_in(entries: &BTreeSet<u64>) -> String {
    if entries.is_empty() { String::new() } else { format!(" ({})", entries_text(entries)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_read_and_shown() {
        let read = |text: &str| text.parse::<Entries>().map(|entries| entries_text(&entries.0));
        for (text, shown) in
            [("3", "entry 3"), ("3..5", "entries 3 to 5"), ("9, 3..4,5", "entries 3 to 5, 9"), ("1..1", "entry 1")]
        {
            assert_eq!(read(text).unwrap(), shown, "{text}");
        }
        assert_eq!(entries_were(&BTreeSet::from([4])), "entry 4 was");
        assert_eq!(entries_were(&BTreeSet::from([4, 5])), "entries 4 to 5 were");
        for wrong in ["", "0", "5..3", "-1", "3-5", "1..9999999999", "x", "3,"] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }
}
