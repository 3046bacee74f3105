//! Compression of Parquet pages.

use std::io::{self, Write};

use parquet::basic::{self, GzipLevel, ZstdLevel};

use lookalike_formats::records::Compression;

/// The compression as Parquet names it; LZ4 is the variant that all readers agree on.
pub(crate) fn parquet_compression(compression: Compression) -> basic::Compression {
    match compression {
        Compression::None => basic::Compression::UNCOMPRESSED,
        Compression::Snappy => basic::Compression::SNAPPY,
        Compression::Gzip => basic::Compression::GZIP(GzipLevel::default()),
        Compression::Zstd => basic::Compression::ZSTD(ZstdLevel::default()),
        Compression::Lz4 => basic::Compression::LZ4_RAW,
    }
}

/// The bytes of a page, compressed. The Parquet crate has this too, but only for columns that it encodes itself.
pub(crate) fn compress(compression: Compression, bytes: Vec<u8>) -> io::Result<Vec<u8>> {
    match compression {
        Compression::None => Ok(bytes),
        Compression::Snappy => snap::raw::Encoder::new().compress_vec(&bytes).map_err(io::Error::other),
        Compression::Gzip => {
            let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
            encoder.write_all(&bytes)?;
            encoder.finish()
        }
        #[cfg(feature = "zstd")]
        Compression::Zstd => zstd::bulk::compress(&bytes, ZstdLevel::default().compression_level()),
        #[cfg(not(feature = "zstd"))]
        Compression::Zstd => Err(io::Error::new(io::ErrorKind::Unsupported, "this build of Lookalike has no zstd")),
        Compression::Lz4 => Ok(lz4_flex::block::compress(&bytes)),
    }
}
