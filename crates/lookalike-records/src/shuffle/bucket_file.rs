//! The file in which rows wait for their bucket's turn.

use std::fs::File;
use std::io::{self, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use chacha20::cipher::{KeyIvInit, StreamCipher};
use chacha20::{ChaCha20, Key, Nonce};
use lookalike::sample::RowOrder;

use crate::files::{os_random, scratch_file};
use lookalike_formats::{Error, Result};

/// Blocks of bytes, each of one bucket, in a temporary file that nobody else can read.
///
/// The file has no name: it is gone with the process, however that ends. Its mode is 0600. All of it is encrypted by
/// ChaCha20 under a key that is drawn for this file and is in memory only; the number of a block is its nonce and a block
/// is written once, so no part of the key stream is used twice. Each block knows the one before it of its bucket, so what
/// is in memory does not grow with the file.
pub struct BucketFile {
    file: Mutex<File>,
    directory: PathBuf,
    key: Key,
    end: u64,
    blocks: u64,
    last: Vec<Option<Place>>,
}

/// Where a block is.
#[derive(Debug, Clone, Copy)]
pub struct Place {
    block: u64,
    start: u64,
    length: u64,
}

/// Bytes of a place in front of a block.
const HEAD: usize = 24;

impl BucketFile {
    /// An empty file in this directory.
    ///
    /// # Errors
    /// A directory in which no file can be created, and a system without random numbers.
    pub fn create(directory: &Path) -> Result<Self> {
        let key = os_random("nothing is written to disk")?;
        let file = scratch_file(directory).map_err(|error| refused("cannot create", directory, error))?;
        Ok(BucketFile {
            file: Mutex::new(file),
            directory: directory.to_path_buf(),
            key: Key::from(key),
            end: 0,
            blocks: 0,
            last: vec![None; RowOrder::BUCKETS],
        })
    }

    /// Room for a block: what is to be written is appended to it.
    pub fn block() -> Vec<u8> {
        vec![0; HEAD]
    }

    /// Adds a block to those of a bucket.
    ///
    /// # Errors
    /// When the disk is full, or refuses otherwise.
    pub fn append(&mut self, bucket: u8, mut block: Vec<u8>) -> Result<()> {
        let last = &mut self.last[usize::from(bucket)];
        block[..HEAD].copy_from_slice(&Place::bytes(*last));
        let place = Place { block: self.blocks, start: self.end, length: block.len() as u64 };
        cipher(&self.key, place.block).apply_keystream(&mut block);
        let file = self.file.get_mut().unwrap_or_else(std::sync::PoisonError::into_inner);
        let written = file.seek(SeekFrom::Start(place.start)).and_then(|_| file.write_all(&block));
        written.map_err(|error| refused("cannot write to", &self.directory, error))?;
        *last = Some(place);
        self.blocks += 1;
        self.end += place.length;
        Ok(())
    }

    /// Where the blocks of a bucket are, in the order in which they were appended.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn places(&self, bucket: u8) -> Result<Vec<Place>> {
        let (mut places, mut next) = (Vec::new(), self.last[usize::from(bucket)]);
        while let Some(place) = next {
            places.push(place);
            let mut head = [0; HEAD];
            self.read_at(place, &mut head)?;
            next = Place::from_bytes(&head);
        }
        places.reverse();
        Ok(places)
    }

    /// What was appended as the block at this place.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn read(&self, place: Place) -> Result<Vec<u8>> {
        let mut block = vec![0; place.length as usize];
        self.read_at(place, &mut block)?;
        block.drain(..HEAD);
        Ok(block)
    }

    fn read_at(&self, place: Place, bytes: &mut [u8]) -> Result<()> {
        let mut read = || -> io::Result<()> {
            let mut file = self.file.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            file.seek(SeekFrom::Start(place.start))?;
            file.read_exact(bytes)
        };
        read().map_err(|error| refused("cannot read from", &self.directory, error))?;
        cipher(&self.key, place.block).apply_keystream(bytes);
        Ok(())
    }
}

impl Place {
    /// A length of 0, which no block has, stands for none.
    fn bytes(place: Option<Place>) -> [u8; HEAD] {
        let place = place.unwrap_or(Place { block: 0, start: 0, length: 0 });
        let mut bytes = [0; HEAD];
        let numbers = [place.block, place.start, place.length];
        bytes.as_chunks_mut().0.iter_mut().zip(numbers).for_each(|(bytes, number)| *bytes = number.to_le_bytes());
        bytes
    }

    fn from_bytes(bytes: &[u8; HEAD]) -> Option<Place> {
        let number = |at: usize| u64::from_le_bytes(bytes.as_chunks().0[at]);
        (number(2) > 0).then(|| Place { block: number(0), start: number(1), length: number(2) })
    }
}

/// The cipher of a block, which has fewer than the 2^38 bytes that a nonce is good for.
fn cipher(key: &Key, block: u64) -> ChaCha20 {
    let mut nonce = Nonce::default();
    nonce[4..].copy_from_slice(&block.to_le_bytes());
    ChaCha20::new(key, &nonce)
}

fn refused(what: &str, directory: &Path, error: io::Error) -> Error {
    let full = matches!(error.kind(), ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::FileTooLarge);
    let hint = if full { "it needs as much room as the released rows; " } else { "" };
    let what = format!(
        "{what} a temporary file for rows to be shuffled in \"{}\" ({hint}TMPDIR names another directory)",
        directory.display()
    );
    Error::system(what, error)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn appended(file: &mut BucketFile, bucket: u8, bytes: &[u8]) -> Result<()> {
        let mut block = BucketFile::block();
        block.extend_from_slice(bytes);
        file.append(bucket, block)
    }

    fn raw(file: &BucketFile) -> Vec<u8> {
        let (mut bytes, mut file) = (Vec::new(), file.file.lock().unwrap());
        file.seek(SeekFrom::Start(0)).unwrap();
        file.read_to_end(&mut bytes).unwrap();
        bytes
    }

    #[test]
    fn blocks_come_back_by_bucket_in_order() {
        let mut file = BucketFile::create(&std::env::temp_dir()).unwrap();
        for at in 0..600u32 {
            appended(&mut file, (at % 3) as u8, &at.to_le_bytes().repeat(at as usize % 50)).unwrap();
        }
        for bucket in 0..4u8 {
            let places = file.places(bucket).unwrap();
            let found: Vec<_> = places.iter().map(|&place| file.read(place).unwrap()).collect();
            let expected: Vec<_> = (0..600u32)
                .filter(|at| at % 3 == u32::from(bucket))
                .map(|at| at.to_le_bytes().repeat(at as usize % 50))
                .collect();
            assert_eq!(found, expected, "{bucket}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn the_file_has_no_name_and_is_its_owners_alone() {
        use std::os::unix::fs::MetadataExt;
        let directory = tempfile::tempdir().unwrap();
        let mut file = BucketFile::create(directory.path()).unwrap();
        appended(&mut file, 1, b"row").unwrap();
        assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 0);
        let metadata = file.file.lock().unwrap().metadata().unwrap();
        assert_eq!((metadata.mode() & 0o777, metadata.nlink(), metadata.len()), (0o600, 0, 24 + 3));
    }

    #[test]
    fn nothing_readable_is_on_disk_and_no_block_looks_like_another() {
        let mut file = BucketFile::create(&std::env::temp_dir()).unwrap();
        let text = b"SECRETMARKER".repeat(1000);
        (0..3).for_each(|_| appended(&mut file, 5, &text).unwrap());
        let bytes = raw(&file);
        assert!(!bytes.windows(12).any(|window| window == b"SECRETMARKER"));
        let blocks: Vec<&[u8]> = bytes.chunks(HEAD + text.len()).collect();
        assert!(blocks[0][HEAD..] != blocks[1][HEAD..] && blocks[1] != blocks[2], "a key stream was used twice");
        // All bytes are equally likely: a chi-square with 255 degrees of freedom; 380 is exceeded less than once in
        // a million runs, under a key that is new each time.
        let mut counts = [0u32; 256];
        bytes.iter().for_each(|&byte| counts[usize::from(byte)] += 1);
        let expected = bytes.len() as f64 / 256.0;
        let statistic: f64 = counts.iter().map(|&seen| (f64::from(seen) - expected).powi(2) / expected).sum();
        assert!(statistic < 380.0, "{statistic}");
        let mut other = BucketFile::create(&std::env::temp_dir()).unwrap();
        appended(&mut other, 5, &text).unwrap();
        assert_ne!(raw(&other)[..], *blocks[0], "two files have one key");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_full_disk_is_told_with_the_way_out() {
        let full = std::fs::OpenOptions::new().read(true).write(true).open("/dev/full").unwrap();
        let mut file = BucketFile { file: Mutex::new(full), ..BucketFile::create(&std::env::temp_dir()).unwrap() };
        file.directory = PathBuf::from("/scratch");
        let error = appended(&mut file, 0, b"row").unwrap_err();
        assert!(error.is_system());
        assert_eq!(
            error.to_string(),
            "cannot write to a temporary file for rows to be shuffled in \"/scratch\" (it needs as much room as the \
             released rows; TMPDIR names another directory): No space left on device (os error 28)"
        );
    }

    #[test]
    fn a_directory_that_is_not_there_is_named() {
        let error = BucketFile::create(Path::new("/no/such/directory")).err().unwrap().to_string();
        let expected =
            "cannot create a temporary file for rows to be shuffled in \"/no/such/directory\" (TMPDIR names another";
        assert!(error.starts_with(expected), "{error}");
    }
}
