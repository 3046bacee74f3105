//! What stands at the end of each page.

/// How large a page is, in bytes.
pub(in super::super) const PAGE: usize = 4096;
/// How many bytes of it are the stamp: a count, and a hash.
pub(super) const STAMP: usize = 16;
/// How many bytes SQLite uses.
const USED: usize = PAGE - STAMP;

/// What the end of a page says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stamp {
    /// The page is what was written, by the write of this number.
    Of(u64),
    /// Zeros only: a page that has no content yet. SQLite takes none for a page of a table.
    Blank,
    /// The page is not what was written, or was written by another program.
    Wrong,
}

/// Stamps a page.
///
/// All pages that are written together carry the number of that write. The first page is written last: a page with a
/// larger number than the first one's belongs to a write that was cut off.
pub(super) fn put(page: &mut [u8; PAGE], number: u64, write: u64) {
    page[USED..USED + 8].copy_from_slice(&write.to_le_bytes());
    let hash = hash(page, number);
    page[USED + 8..].copy_from_slice(&hash);
}

/// Reads the stamp of a page, by its number from 1 on.
pub(super) fn read(page: &[u8; PAGE], number: u64) -> Stamp {
    if page[USED + 8..] == hash(page, number) {
        return Stamp::Of(write_of(page[USED..].try_into().expect("as long as a stamp")));
    }
    if page.iter().all(|&byte| byte == 0) { Stamp::Blank } else { Stamp::Wrong }
}

/// The number of the write in a stamp.
pub(super) fn write_of(stamp: &[u8; STAMP]) -> u64 {
    u64::from_le_bytes(stamp[..8].try_into().expect("eight bytes"))
}

/// Covers the content, the number of the write, and where the page lies: one that was written to another place is wrong.
fn hash(page: &[u8; PAGE], number: u64) -> [u8; 8] {
    let mut hasher = blake3::Hasher::new_derive_key("lookalike ledger page 1");
    hasher.update(&number.to_le_bytes()).update(&page[..USED + 8]);
    let mut hash = [0; 8];
    hash.copy_from_slice(&hasher.finalize().as_bytes()[..8]);
    hash
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_bit_of_a_page_its_place_and_its_write_are_covered() {
        let mut page = [0; PAGE];
        assert_eq!(read(&page, 7), Stamp::Blank);
        page.iter_mut().enumerate().for_each(|(at, byte)| *byte = at as u8);
        assert_eq!(read(&page, 7), Stamp::Wrong);
        put(&mut page, 7, 3);
        assert_eq!((read(&page, 7), read(&page, 8)), (Stamp::Of(3), Stamp::Wrong));
        assert!(page[..USED].iter().enumerate().all(|(at, &byte)| byte == at as u8), "only the stamp is written");
        for bit in 0..8 * PAGE {
            page[bit / 8] ^= 1 << (bit % 8);
            assert_eq!(read(&page, 7), Stamp::Wrong, "bit {bit}");
            page[bit / 8] ^= 1 << (bit % 8);
        }
    }
}
