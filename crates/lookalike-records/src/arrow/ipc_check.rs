//! Arrow IPC with sizes that can be believed.
//!
//! The decoder allocates whatever a message claims to be long, and a process that is refused memory ends at once. So
//! the claims of a file are held against its length, and those of a stream against the bytes that really come.

use std::{
    fmt,
    io::{self, Cursor, ErrorKind, Read, Seek, SeekFrom},
};

use arrow_ipc::{Block, Message, RecordBatch, root_as_footer, root_as_message};

/// The most bytes that one compressed buffer may become.
const LARGEST_BUFFER: i64 = 1 << 32;
/// The most bytes that the compressed buffers of one message may become together, unless they are honestly large: at least
/// a [`MOST_TIMES`]th of that.
const LARGEST_UNPACKED: u64 = 1 << 30;
/// How many times as long as it is a large message may become.
const MOST_TIMES: u64 = 64;
/// The most bytes of the description of a message.
const LARGEST_METADATA: u64 = 1 << 28;

/// Fails unless every block that the footer of a file names lies in it, and its buffers in the block.
pub(crate) fn check_file(file: &mut (impl Read + Seek)) -> io::Result<()> {
    let length = file.seek(SeekFrom::End(0))?;
    let trailer = read_at(file, length.checked_sub(10).ok_or_else(wrong)?, 10, length)?;
    let footer_length = arrow_ipc::reader::read_footer_length(trailer.try_into().map_err(|_| wrong())?);
    let footer_length = footer_length.map_err(|_| wrong())? as u64;
    let start = (length - 10).checked_sub(footer_length).ok_or_else(wrong)?;
    let footer = read_at(file, start, footer_length, length)?;
    let footer = root_as_footer(&footer).map_err(|_| wrong())?;
    let blocks = footer.dictionaries().into_iter().chain(footer.recordBatches()).flatten();
    blocks.into_iter().try_for_each(|block| check_block(file, length, block))?;
    file.rewind()
}

fn check_block(file: &mut (impl Read + Seek), length: u64, block: &Block) -> io::Result<()> {
    let number = |number: i64| u64::try_from(number).map_err(|_| wrong());
    let (start, described) = (number(block.offset())?, number(block.metaDataLength().into())?);
    let body = start.checked_add(described).ok_or_else(wrong)?;
    let end = body.checked_add(number(block.bodyLength())?).filter(|end| *end <= length).ok_or_else(wrong)?;
    let bytes = read_at(file, start, described, length)?;
    let flat = match bytes.strip_prefix(&CONTINUES) {
        Some(rest) => rest.get(4..),
        None => bytes.get(4..),
    };
    let message = root_as_message(flat.ok_or_else(wrong)?).map_err(|_| wrong())?;
    check_message(&message, end - body, |offset| {
        let prefix = read_at(file, body + offset, 8, length)?;
        Ok(i64::from_le_bytes(prefix.try_into().map_err(|_| wrong())?))
    })
}

fn read_at(file: &mut (impl Read + Seek), start: u64, count: u64, length: u64) -> io::Result<Vec<u8>> {
    if start.checked_add(count).is_none_or(|end| end > length) {
        return Err(wrong());
    }
    file.seek(SeekFrom::Start(start))?;
    let mut bytes = vec![0; usize::try_from(count).map_err(|_| wrong())?];
    file.read_exact(&mut bytes)?;
    Ok(bytes)
}

/// Fails unless the buffers of a message lie in its body of so many bytes, and become no longer than believable.
fn check_message(
    message: &Message<'_>,
    body: u64,
    mut uncompressed: impl FnMut(u64) -> io::Result<i64>,
) -> io::Result<()> {
    let dictionary = message.header_as_dictionary_batch().and_then(|dictionary| dictionary.data());
    let Some(batch): Option<RecordBatch<'_>> = message.header_as_record_batch().or(dictionary) else {
        return Ok(());
    };
    let mut unpacked = 0u64;
    for buffer in batch.buffers().into_iter().flatten() {
        let (offset, length) = (u64::try_from(buffer.offset()), u64::try_from(buffer.length()));
        let (offset, length) = (offset.map_err(|_| wrong())?, length.map_err(|_| wrong())?);
        if offset.checked_add(length).is_none_or(|end| end > body) {
            return Err(wrong());
        }
        // In front of a compressed buffer stands its length before compression; -1 says that it is not compressed.
        if batch.compression().is_some() && length >= 8 {
            let becomes = Some(uncompressed(offset)?).filter(|length| (-1..=LARGEST_BUFFER).contains(length));
            unpacked += becomes.ok_or_else(wrong)?.max(0).unsigned_abs();
        }
    }
    if unpacked > LARGEST_UNPACKED.max(body.saturating_mul(MOST_TIMES)) {
        return Err(io::Error::other(Oversized));
    }
    Ok(())
}

/// What a message begins with since version 0.15 of the format.
const CONTINUES: [u8; 4] = [0xff; 4];

/// A stream that is handed on a message at a time, each when it is there as a whole and was checked.
pub(crate) struct Checked<R> {
    input: R,
    message: Cursor<Vec<u8>>,
}

impl<R: Read> Checked<R> {
    pub fn new(input: R) -> Self {
        Checked { input, message: Cursor::default() }
    }

    pub fn get_ref(&self) -> &R {
        &self.input
    }

    /// Takes the next message, or what is left of it.
    fn advance(&mut self) -> io::Result<()> {
        let mut bytes = std::mem::take(&mut self.message).into_inner();
        bytes.clear();
        self.take(4, &mut bytes)?;
        if bytes == CONTINUES {
            self.take(4, &mut bytes)?;
        }
        let start = bytes.len();
        let length = bytes.last_chunk().map_or(0, |length| i32::from_le_bytes(*length));
        // Less than a length is the end of the input, and no length that of the stream; the decoder knows.
        if start.is_multiple_of(4) && bytes != CONTINUES && length != 0 {
            let length = u64::try_from(length).ok().filter(|length| *length <= LARGEST_METADATA).ok_or_else(wrong)?;
            self.take(length, &mut bytes)?;
            let described = bytes.len();
            let message = root_as_message(&bytes[start..]).map_err(|_| wrong())?;
            let body = u64::try_from(message.bodyLength()).map_err(|_| wrong())?;
            if self.take(body, &mut bytes)? as u64 != body {
                return Err(wrong());
            }
            let (head, tail) = bytes.split_at(described);
            let message = root_as_message(&head[start..]).map_err(|_| wrong())?;
            check_message(&message, tail.len() as u64, |offset| {
                let prefix = tail.get(offset as usize..).and_then(|rest| rest.first_chunk());
                prefix.map(|prefix| i64::from_le_bytes(*prefix)).ok_or_else(wrong)
            })?;
        }
        self.message = Cursor::new(bytes);
        Ok(())
    }

    /// Takes as many bytes as there are, up to `count`: memory grows with what comes and not with what was claimed.
    fn take(&mut self, count: u64, bytes: &mut Vec<u8>) -> io::Result<usize> {
        self.input.by_ref().take(count).read_to_end(bytes)
    }
}

impl<R: Read> Read for Checked<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.message.position() == self.message.get_ref().len() as u64 {
            self.advance()?;
        }
        self.message.read(buffer)
    }
}

/// A record batch that is too large once it is unpacked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Oversized;

impl fmt::Display for Oversized {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "a record batch becomes more than {} MiB when it is unpacked, {MOST_TIMES} times as long as it is, expected \
             less (write the file in smaller batches, or without compression)",
            LARGEST_UNPACKED >> 20
        )
    }
}

impl std::error::Error for Oversized {}

fn wrong() -> io::Error {
    ErrorKind::InvalidData.into()
}

#[cfg(test)]
mod tests {
    use std::{io::Write, sync::Arc};

    use arrow_array::{ArrayRef, Int32Array, StringArray, types::Int8Type};
    use arrow_ipc::{
        CompressionType,
        reader::{FileReader, StreamReader},
        writer::{FileWriter, IpcWriteOptions, StreamWriter},
    };

    use super::super::arrow_error::decoded;
    use super::*;

    fn records() -> arrow_array::RecordBatch {
        let days = ["mon", "tue"].into_iter().cycle().take(100).collect::<arrow_array::DictionaryArray<Int8Type>>();
        let columns: [(&str, ArrayRef); 3] = [
            ("n", Arc::new(Int32Array::from_iter_values(0..100))),
            ("text", Arc::new(StringArray::from(vec!["abc"; 100]))),
            ("day", Arc::new(days)),
        ];
        arrow_array::RecordBatch::try_from_iter(columns).unwrap()
    }

    fn options(compression: Option<CompressionType>) -> IpcWriteOptions {
        IpcWriteOptions::default().try_with_compression(compression).unwrap()
    }

    const COMPRESSIONS: [Option<CompressionType>; 3] =
        [None, Some(CompressionType::LZ4_FRAME), Some(CompressionType::ZSTD)];

    fn stream(compression: Option<CompressionType>) -> Vec<u8> {
        let records = records();
        let writer = StreamWriter::try_new_with_options(Vec::new(), &records.schema(), options(compression));
        let mut writer = writer.unwrap();
        (0..3).for_each(|_| writer.write(&records).unwrap());
        writer.into_inner().unwrap()
    }

    /// The bytes with a huge number at every place in turn.
    fn exaggerated(bytes: &[u8]) -> impl Iterator<Item = Vec<u8>> {
        (0..bytes.len() - 8).step_by(4).map(|at| {
            let mut bytes = bytes.to_vec();
            bytes[at..at + 8].copy_from_slice(&(i64::MAX / 5).to_le_bytes());
            bytes
        })
    }

    #[test]
    fn a_right_stream_passes_as_it_is() {
        for compression in COMPRESSIONS {
            let (bytes, mut read) = (stream(compression), Vec::new());
            Checked::new(&bytes[..]).read_to_end(&mut read).unwrap();
            assert!(read == bytes);
        }
    }

    #[test]
    fn huge_claims_in_a_stream_are_errors() {
        for compression in COMPRESSIONS {
            let mut refused = 0;
            for bytes in exaggerated(&stream(compression)) {
                let read = decoded("a stream", || {
                    StreamReader::try_new(Checked::new(&bytes[..]), None)?.collect::<Result<Vec<_>, _>>()
                });
                refused += usize::from(read.is_err());
            }
            assert!(refused > 50, "{refused}");
        }
    }

    #[test]
    fn a_record_batch_that_unpacks_a_thousandfold_is_refused_with_its_reason() {
        // Three columns whose buffers claim 512 MiB each; 64 times the length of the message is less.
        let zeros: ArrayRef = Arc::new(Int32Array::from(vec![0; 1 << 10]));
        let records =
            arrow_array::RecordBatch::try_from_iter(["a", "b", "c"].map(|name| (name, zeros.clone()))).unwrap();
        let writer = StreamWriter::try_new_with_options(Vec::new(), &records.schema(), options(COMPRESSIONS[2]));
        let mut writer = writer.unwrap();
        writer.write(&records).unwrap();
        let bytes = writer.into_inner().unwrap();
        let honest = (4i64 << 10).to_le_bytes();
        let places: Vec<usize> = (0..bytes.len() - 8).filter(|&at| bytes[at..at + 8] == honest).collect();
        assert_eq!(places.len(), 3, "a length in front of each buffer");
        let read = |claim: i64| {
            let mut bytes = bytes.clone();
            places.iter().for_each(|&at| bytes[at..at + 8].copy_from_slice(&claim.to_le_bytes()));
            let read = decoded("a stream", || io::copy(&mut Checked::new(&bytes[..]), &mut io::sink()));
            read.map_err(|error| error.to_string())
        };
        assert!(read((1 << 30) / 3).is_ok());
        assert_eq!(read((1 << 30) / 3 + 1), Err(Oversized.to_string()));
    }

    #[test]
    fn huge_claims_in_a_file_are_errors() {
        for compression in COMPRESSIONS {
            let records = records();
            let writer = FileWriter::try_new_with_options(Vec::new(), &records.schema(), options(compression));
            let mut writer = writer.unwrap();
            writer.write(&records).unwrap();
            let mut refused = 0;
            for bytes in exaggerated(&writer.into_inner().unwrap()) {
                let mut file = tempfile::tempfile().unwrap();
                file.write_all(&bytes).unwrap();
                let read = decoded("a file", || check_file(&mut file)).and_then(|()| {
                    decoded("a file", || FileReader::try_new(&file, None)?.collect::<Result<Vec<_>, _>>())
                });
                refused += usize::from(read.is_err());
            }
            assert!(refused > 50, "{refused}");
        }
    }
}
