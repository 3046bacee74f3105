//! A ledger whose bytes were changed, and any bytes as one: opened, told about and verified, or refused with a message.
#![no_main]

use libfuzzer_sys::fuzz_target;
use lookalike::account::Declared;
use lookalike::exact::Rational;
use lookalike::model::Noise;
use lookalike_engine::ledger::{
    ChargeRequest, IdColumns, Ledger, LedgerBudgets, LedgerKey, LedgerRelease, OverBudget, SubjectNames, verify,
};
use lookalike_engine::records::{Columns, CsvOptions, CsvSource};
use lookalike_formats::{AnyMechanism, MechanismFile};
use lookalike_fuzz::{folder, names, told};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// A ledger as it was made, and the place where changed ones are looked at.
struct Made {
    bytes: Vec<u8>,
    path: PathBuf,
}

/// Where the header of the file has the last byte of the ledger's version.
const VERSION: usize = 63;

#[allow(clippy::disallowed_methods, reason = "no input of a command")]
fn made() -> &'static Made {
    static MADE: OnceLock<Made> = OnceLock::new();
    MADE.get_or_init(|| {
        let folder = tempfile::tempdir_in(folder()).expect("room for a folder").keep();
        let path = folder.join("ledger");
        let budgets = LedgerBudgets::default();
        Ledger::create(&path, &LedgerKey::path_beside(&path), &budgets, SubjectNames::default()).expect("a new ledger");
        charge(&mut Ledger::open(&path, None).expect("a ledger")).expect("charges");
        Made { bytes: std::fs::read(&path).expect("its bytes"), path }
    })
}

/// Charges a release to two subjects, to one of them often.
fn charge(ledger: &mut Ledger) -> lookalike_formats::Result<()> {
    let noise = Noise::for_epsilon("1".parse()?, Rational::from_integer(1.into()), 0)?;
    let mechanism = AnyMechanism::Noise(Box::new(MechanismFile::of(noise)));
    let request = ChargeRequest {
        release: LedgerRelease::of(&mechanism, &names(&["load"]))?,
        declared: Declared::default(),
        budget: None,
        over: OverBudget::default(),
    };
    let rows: String = (0..100).map(|row| format!("{},{row}\n", if row == 7 { "bo" } else { "ana" })).collect();
    let ids = IdColumns::of_memory("who".into(), "which".into(), ledger);
    let columns = Columns { keep: ids.beside(&[]), ..Columns::default() };
    let input = Box::new(std::io::Cursor::new(format!("who,which\n{rows}")));
    let source = CsvSource::open(input, &CsvOptions::default(), &columns, None, None, None)?;
    ledger.record_rows(Box::new(source), &ids, &request, true, None).map(drop)
}

fuzz_target!(|input: &[u8]| {
    let made = made();
    let Some((&options, rest)) = input.split_first() else { return };
    let mut made_bytes = made.bytes.clone();
    if options & 2 == 2 {
        // A ledger of version 1 has no stamps, so that changes come to what reads entries and charges.
        made_bytes[VERSION] = 1;
    }
    let bytes = if options & 1 == 1 { rest.to_vec() } else { changed(&made_bytes, rest) };
    clear(&made.path);
    std::fs::write(&made.path, &bytes).expect("room for the file");
    let status = told(Ledger::open(&made.path, None)).map(|mut ledger| {
        told(ledger.head());
        told(ledger.subject_status("ana"));
        told(ledger.status()).is_some()
    });
    let whole = told(verify(&made.path, None)).is_some_and(|answer| answer.is_ok());
    if bytes == made_bytes {
        assert!(whole && status == Some(true), "a ledger that was left alone is whole");
    }
});

/// Changes at places: four bytes say where, and one says how.
fn changed(bytes: &[u8], changes: &[u8]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for change in changes.chunks_exact(5) {
        let place = u32::from_le_bytes([change[0], change[1], change[2], change[3]]) as usize % bytes.len();
        bytes[place] ^= change[4];
    }
    bytes
}

/// Removes what SQLite keeps beside a file.
fn clear(path: &Path) {
    for ending in ["-wal", "-shm", "-journal"] {
        let mut name = path.as_os_str().to_owned();
        name.push(ending);
        let _ = std::fs::remove_file(name);
    }
}
