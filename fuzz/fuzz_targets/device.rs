//! Any bytes as the table of a device, with the digest that they need: refused, or every row adds up and every draw exists.
#![no_main]

use libfuzzer_sys::fuzz_target;
use lookalike_device::{TOTAL, Table, sha256};

fuzz_target!(|bytes: &[u8]| {
    // As they are; and with a digest, beyond which nothing random would get.
    assert!(Table::read(bytes).is_err() || bytes.ends_with(&sha256(&bytes[..bytes.len() - 32])));
    let sealed = [bytes, &sha256(bytes)].concat();
    let Ok(table) = Table::read(&sealed) else { return };
    for value in 0..table.inputs().min(8) {
        let weights = (0..table.outputs().min(64)).filter_map(|output| table.drawn_weight(value, output));
        assert!(table.outputs() > 64 || weights.sum::<u64>() == TOTAL, "every row adds up");
        for word in [0, u64::MAX, 1 << 63, u64::MAX / 3, u64::from_le_bytes(sha256(bytes)[..8].try_into().unwrap())] {
            let released = table.draw(value, &[word, word][..table.words_a_value()]).expect("a known value");
            assert!(released < table.outputs(), "every draw exists");
        }
    }
    assert!(table.draw(table.inputs(), &[]).is_err());
});
