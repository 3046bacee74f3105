//! Where a ledger may be made, copied and written anew: links, modes, names that are taken, and what killed processes left.

use super::*;
use crate::facts::LedgerKey;
use crate::store::beside;
use std::fs;
use std::path::Path;

/// A ledger with a charge.
fn charged() -> Fixture {
    let fixture = Fixture::with_total("1");
    charge_one(&fixture.path, "mon", &[Decision::Charged]);
    fixture
}

#[track_caller]
fn charge_one(path: &Path, day: &str, expected: &[Decision]) {
    let mut ledger = Ledger::open(path, None).unwrap();
    let request = request(release("m", Secrets::Points, "1/2"), false);
    assert_eq!(charge(&mut ledger, &request, &[("one", day)], 1).unwrap(), expected);
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<_> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

fn create(path: &Path) -> Result<Head> {
    Ledger::create(path, &LedgerKey::path_beside(path), &LedgerBudgets::default(), SubjectNames::Normalized)
}

#[cfg(unix)]
fn mode(path: &Path) -> u32 {
    std::os::unix::fs::PermissionsExt::mode(&fs::metadata(path).unwrap().permissions()) & 0o777
}

#[test]
#[cfg(unix)]
fn a_ledger_that_is_migrated_through_a_link_is_still_one_ledger() {
    let fixture = charged();
    let elsewhere = tempfile::tempdir().unwrap();
    let link = elsewhere.path().join("a.ledger");
    std::os::unix::fs::symlink(&fixture.path, &link).unwrap();
    fs::copy(beside(&fixture.path, ".key"), beside(&link, ".key")).unwrap();
    let made = Ledger::migrate(&link, None).unwrap();
    assert_eq!(made.kept.parent(), fixture.path.canonicalize().unwrap().parent());
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink() && names(elsewhere.path()).len() == 2);
    charge_one(&link, "tue", &[Decision::Over]);
    charge_one(&fixture.path, "wed", &[Decision::Over]);
    assert_eq!(Ledger::open(&link, None).unwrap().head().unwrap(), fixture.whole().head);
    // What lies beside the file counts, not what lies beside the link.
    fs::write(beside(&fixture.path, "-journal"), "something").unwrap();
    assert!(Ledger::open(&link, None).err().unwrap().to_string().contains("-journal"));
}

#[test]
#[cfg(unix)]
fn neither_a_copy_nor_a_migration_lets_others_read_what_they_could_not() {
    use std::os::unix::fs::PermissionsExt;
    let fixture = charged();
    for allowed in [0o600, 0o640] {
        fs::set_permissions(&fixture.path, fs::Permissions::from_mode(allowed)).unwrap();
        let copy = beside(&fixture.path, ".copy");
        fixture.open().backup(&copy).unwrap();
        assert_eq!(mode(&copy) & !allowed, 0);
        let made = Ledger::migrate(&fixture.path, None).unwrap();
        assert_eq!((mode(&fixture.path), mode(&made.kept)), (allowed, allowed));
        fs::remove_file(copy).unwrap();
        fs::remove_file(made.kept).unwrap();
    }
}

#[test]
fn no_ledger_is_made_in_the_place_of_a_journal() {
    let fixture = charged();
    for end in ["-wal", "-shm", "-journal", ".key"] {
        let place = beside(&fixture.path, end);
        let _ = fs::remove_file(&place);
        let other = charged();
        for error in [create(&place).unwrap_err(), other.open().backup(&place).unwrap_err()] {
            assert!(error.to_string().contains("this is a ledger, its key or its journal"), "{error}");
        }
        let apart = beside(&other.path, ".second");
        let made = Ledger::create(&apart, &place, &LedgerBudgets::default(), SubjectNames::Normalized);
        assert!(made.unwrap_err().to_string().contains("this is a ledger, its key or its journal"));
        assert!(!place.exists() && !apart.exists(), "{end}");
    }
    // A copy would take what lies beside its place for its journal.
    let fixture = charged();
    let copy = beside(&fixture.path, ".copy");
    fs::write(beside(&copy, "-wal"), "").unwrap();
    assert!(fixture.open().backup(&copy).unwrap_err().to_string().contains("move it away") && !copy.exists());
}

#[test]
#[cfg(unix)]
fn a_link_to_nothing_is_refused_and_stays() {
    let fixture = charged();
    let (link, aim) = (beside(&fixture.path, ".link"), beside(&fixture.path, ".aim"));
    std::os::unix::fs::symlink(&aim, &link).unwrap();
    for error in [create(&link).unwrap_err(), fixture.open().backup(&link).unwrap_err()] {
        assert!(error.to_string().contains(".link: is a symbolic link to nothing"), "{error}");
    }
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink() && !aim.exists());
}

/// What earlier releases left when they were killed between two names, and what this one leaves.
#[test]
fn a_migration_goes_on_where_a_killed_one_was() {
    let fixture = charged();
    let kept = beside(&fixture.path, ".version-2");
    let head = fixture.whole().head;
    #[cfg(unix)]
    {
        fs::hard_link(&fixture.path, &kept).unwrap();
        assert!(Ledger::open(&fixture.path, None).is_err());
        Ledger::migrate(&fixture.path, Some(&head)).unwrap();
        charge_one(&fixture.path, "tue", &[Decision::Over]);
        assert_eq!(verify(&kept, None).unwrap().unwrap().head, head);
        fs::remove_file(&kept).unwrap();
    }
    // The old file was kept, and the new one not yet in its place.
    fs::copy(&fixture.path, &kept).unwrap();
    let head = fixture.whole().head;
    let made = Ledger::migrate(&fixture.path, Some(&head)).unwrap();
    assert_eq!(verify(&made.kept, None).unwrap().unwrap().head, head);
    // This one is of another state.
    let error = Ledger::migrate(&fixture.path, None).unwrap_err().to_string();
    assert!(error.contains(".version-2: this file is in the way"), "{error}");
    assert_eq!(verify(&kept, None).unwrap().unwrap().head, head);
    // SQLite may leave an empty journal.
    let mut names = names(fixture.path.parent().unwrap());
    names.retain(|name| name != "a.ledger-wal");
    assert_eq!(names, ["a.ledger", "a.ledger.key", "a.ledger.version-2"]);
}

/// An output that charges the ledger itself before it takes a byte.
struct Charges<'a>(&'a Path, Vec<u8>);

impl std::io::Write for Charges<'_> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        if self.1.is_empty() {
            charge_one(self.0, "tue", &[Decision::Over]);
        }
        self.1.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn whoever_reads_an_export_slowly_keeps_nobody_from_charging() {
    let fixture = charged();
    let mut out = Charges(&fixture.path, Vec::new());
    assert_eq!(fixture.open().export(&mut out, true).unwrap(), 3);
    let text = String::from_utf8(out.1).unwrap();
    assert_eq!(text.lines().count(), 3, "the entries of one moment: {text}");
    assert_eq!(fixture.whole().entries, 4);
}
