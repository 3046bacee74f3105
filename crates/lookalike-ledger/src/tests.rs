//! The ledger against the rules of the library (`tests_decisions`), against whoever edits it (`tests_edits`), and
//! against what happens to files (`tests_files`) and where they lie (`tests_places`): what all use.

use crate::charges::{ChargeRequest, Ledger, OverBudget};
use crate::check::verify;
use crate::facts::{LedgerAnswer, LedgerBudgets, LedgerRelease, SubjectNames};
use crate::rules::Decision;
use crate::store::Head;
use lookalike::account::{Declared, Guarantee, Pairs, Secrets};
use lookalike::exact::EpsilonSum;
use lookalike::model::{Names, SecretGraph};
use lookalike_formats::Result;
use lookalike_records::RecordId;
use rusqlite::Connection;
use std::path::PathBuf;
use tempfile::TempDir;

#[path = "tests_clock.rs"]
mod clock;
#[path = "tests_decisions.rs"]
mod decisions;
#[path = "tests_edits.rs"]
mod edits;
#[path = "tests_files.rs"]
mod files;
#[path = "tests_places.rs"]
mod places;

fn sum(text: &str) -> EpsilonSum {
    text.parse().unwrap()
}

/// A ledger in a folder of its own.
struct Fixture {
    _folder: TempDir,
    path: PathBuf,
}

impl Fixture {
    fn new(budgets: &LedgerBudgets) -> Fixture {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.ledger");
        Ledger::create(&path, &crate::facts::LedgerKey::path_beside(&path), budgets, SubjectNames::Normalized).unwrap();
        Fixture { _folder: folder, path }
    }

    fn with_total(total: &str) -> Fixture {
        Fixture::new(&LedgerBudgets { total: Some(sum(total)), periodic: None })
    }

    fn open(&self) -> Ledger {
        Ledger::open(&self.path, None).unwrap()
    }

    /// Writes what it likes, as somebody would who stamps pages as a ledger does: what is checked beyond stamps.
    fn edit(&self, sql: &str) {
        Fixture::edit_by(&crate::store::open(&self.path).unwrap().0, sql);
    }

    /// Writes what it likes, as another program would.
    fn edit_without_stamps(&self, sql: &str) {
        Fixture::edit_by(&Connection::open(&self.path).unwrap(), sql);
    }

    fn edit_by(connection: &Connection, sql: &str) {
        let drop = "DROP TRIGGER IF EXISTS entry_changed; DROP TRIGGER IF EXISTS entry_removed; \
                    DROP TRIGGER IF EXISTS charge_changed; DROP TRIGGER IF EXISTS charge_removed;";
        connection.execute_batch(drop).unwrap();
        connection.execute_batch(sql).unwrap();
        connection.execute_batch(crate::store::TRIGGERS).unwrap();
    }

    #[track_caller]
    fn fault(&self, head: Option<&Head>) -> (Option<u64>, String) {
        let fault = verify(&self.path, head).unwrap().unwrap_err();
        (fault.entry, fault.what.to_string())
    }

    #[track_caller]
    fn whole(&self) -> crate::check::Verified {
        verify(&self.path, None).unwrap().unwrap()
    }
}

fn guarantee(secrets: Secrets, epsilon: &str) -> Guarantee {
    let mut builder = SecretGraph::builder(Names::new("secret", ["ana", "bo", "cleo"]).unwrap());
    builder.edge(0, 1, epsilon.parse().unwrap()).unwrap();
    builder.edge(1, 2, "ln(2)".parse().unwrap()).unwrap();
    Guarantee::new(secrets, Pairs::Graph(builder.build().unwrap())).unwrap()
}

fn release(name: &str, secrets: Secrets, epsilon: &str) -> LedgerRelease {
    let fingerprint = *blake3::hash(name.as_bytes()).as_bytes();
    LedgerRelease { name: name.to_owned(), fingerprint, guarantee: guarantee(secrets, epsilon) }
}

fn request(release: LedgerRelease, is_independent: bool) -> ChargeRequest {
    let declared = Declared { independent_observations: is_independent, ..Declared::default() };
    ChargeRequest { release, declared, budget: None, over: OverBudget::Constant }
}

fn id(ledger: &Ledger, subject: &str, observation: &str) -> RecordId {
    let subject = ledger.key.subject(subject.as_bytes());
    RecordId { subject, record: ledger.key.observation(&subject, observation.as_bytes()) }
}

/// Charges rows, each answered with `answer`, and gives their fates.
fn charge(ledger: &mut Ledger, request: &ChargeRequest, rows: &[(&str, &str)], answer: u32) -> Result<Vec<Decision>> {
    let ids: Vec<RecordId> = rows.iter().map(|(subject, observation)| id(ledger, subject, observation)).collect();
    let mut seen = Vec::new();
    ledger.charge(request, 0, &ids, |fates| {
        seen = fates.to_vec();
        Ok(fates.iter().map(|_| Some(LedgerAnswer::Code(answer))).collect())
    })?;
    Ok(seen)
}

const SUBJECTS: [&str; 3] = ["one", "two", "three"];
const EPSILONS: [&str; 2] = ["1/2", "ln(3)"];
