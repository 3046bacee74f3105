//! What stands at the end of each page.

/// How large a page is, in bytes.
pub(crate) const PAGE: usize = 4096;
/// How many bytes of it are the stamp: a count, and a hash.
pub(crate) const STAMP: usize = 16;
/// How many bytes SQLite uses.
const USED: usize = PAGE - STAMP;

/// In the number of the first page: a write has begun after that one, and is not complete.
const BEGUN: u64 = 1 << 63;

/// What the end of a page says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stamp {
    /// The page is what was written, by the write of this number.
    Of(u64),
    /// Zeros only: a page that has no content yet. SQLite takes none for a page of a table.
    Blank,
    /// The page is not what was written, or was written by another program.
    Wrong,
}

/// Stamps a page.
///
/// All pages that are written together carry the number of that write. The first page is written last, and marked before all
/// others ([`put_begun`]): so a write that was cut off is known from the first page, which everybody reads, and a page with a
/// larger number than the first one's belongs to it.
pub(crate) fn put(page: &mut [u8; PAGE], number: u64, write: u64) {
    page[USED..USED + 8].copy_from_slice(&write.to_le_bytes());
    let hash = hash(page, number);
    page[USED + 8..].copy_from_slice(&hash);
}

/// Stamps the first page as that of a file in which the write after this one has begun.
pub(crate) fn put_begun(first: &mut [u8; PAGE], write: u64) {
    put(first, 1, write | BEGUN);
}

/// The number of the last complete write, and whether one has begun after it, from the number in the first page.
pub(crate) fn complete_and_begun(write: u64) -> (u64, bool) {
    (write & !BEGUN, write & BEGUN != 0)
}

/// Reads the stamp of a page, by its number from 1 on.
pub(crate) fn read(page: &[u8; PAGE], number: u64) -> Stamp {
    if page[USED + 8..] == hash(page, number) {
        return Stamp::Of(write_of(page[USED..].try_into().expect("as long as a stamp")));
    }
    if page.iter().all(|&byte| byte == 0) { Stamp::Blank } else { Stamp::Wrong }
}

/// The number of the write in a stamp.
pub(crate) fn write_of(stamp: &[u8; STAMP]) -> u64 {
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
    fn the_first_page_says_whether_a_write_has_begun() {
        let mut page = [1; PAGE];
        for (begun, stamped) in
            [(true, put_begun as fn(&mut [u8; PAGE], u64)), (false, |page, write| put(page, 1, write))]
        {
            stamped(&mut page, 41);
            let Stamp::Of(write) = read(&page, 1) else { panic!("a stamp") };
            assert_eq!(complete_and_begun(write), (41, begun));
        }
    }

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
