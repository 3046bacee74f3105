//! Which names are the same.

use super::key::LedgerKey;
use lookalike_formats::{Error, Result};
use lookalike_records::Id;
use std::borrow::Cow;
use unicode_normalization::{UnicodeNormalization, is_nfc_quick};

/// How the names of subjects and observations are compared. Fixed when a ledger is made, and part of its first entry.
///
/// A person who is written in two ways would have two budgets: `é` as one character and as two, a blank behind the name.
/// Two people whose names differ in what is not compared share a budget, which costs answers and no privacy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SubjectNames {
    /// Byte for byte, as ledgers of version 1 do.
    AsWritten,
    /// In Unicode's normal form C and without blanks around them.
    #[default]
    Normalized,
    /// Also without regard to upper and lower case, for subjects: letters that have the same upper-case form are the same.
    FoldedCase,
}

const WRITTEN: [(SubjectNames, Option<&str>); 3] = [
    (SubjectNames::AsWritten, None),
    (SubjectNames::Normalized, Some("normalized")),
    (SubjectNames::FoldedCase, Some("folded case")),
];

impl SubjectNames {
    /// What the first entry of a ledger says.
    pub(crate) fn written(self) -> Option<&'static str> {
        WRITTEN.iter().find(|(names, _)| *names == self).expect("all are written").1
    }

    pub(crate) fn read(text: Option<&str>) -> Result<SubjectNames> {
        let found = WRITTEN.iter().find(|(_, written)| *written == text);
        found.map(|(names, _)| *names).ok_or_else(|| {
            Error::input("entry 1 compares names in a way that is not known (a newer release may read this ledger)")
        })
    }

    /// A name without what is not compared.
    fn normalized(self, name: &str) -> Cow<'_, str> {
        if self == SubjectNames::AsWritten {
            return Cow::Borrowed(name);
        }
        let name = name.trim();
        match is_nfc_quick(name.chars()) {
            unicode_normalization::IsNormalized::Yes => Cow::Borrowed(name),
            _ => Cow::Owned(name.nfc().collect()),
        }
    }

    /// The name of a subject in a ledger; `None` where nothing is left of it.
    pub(crate) fn known_subject(self, key: &LedgerKey, name: &str) -> Option<Id> {
        let name = self.normalized(name);
        let name = if self == SubjectNames::FoldedCase { Cow::Owned(folded(&name)) } else { name };
        (!name.is_empty()).then(|| key.subject(name.as_bytes()))
    }

    /// The name of an observation of a subject in a ledger; `None` where nothing is left of it. Case is kept.
    pub(crate) fn known_observation(self, key: &LedgerKey, subject: &Id, name: &str) -> Option<Id> {
        let name = self.normalized(name);
        (!name.is_empty()).then(|| key.observation(subject, name.as_bytes()))
    }
}

/// A name without regard to case. By way of upper case, so that ß and SS, or the two small sigmas, come out the same; and from
/// lower case, since some capitals have another upper-case form than their small letter.
fn folded(name: &str) -> String {
    name.chars().flat_map(char::to_lowercase).flat_map(char::to_uppercase).flat_map(char::to_lowercase).nfc().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key() -> LedgerKey {
        LedgerKey::create(&tempfile::tempdir().unwrap().path().join("key")).unwrap()
    }

    #[test]
    fn names_that_look_the_same_are_the_same() {
        let key = key();
        let same = [
            ("José", "Jose\u{301}"),
            (" ana\t", "ana"),
            ("\u{a0}ana", "ana\u{2003}"),
            ("한", "\u{1112}\u{1161}\u{11ab}"),
        ];
        let by_case = [
            ("ana", "ANA"),
            ("Straße", "STRASSE"),
            ("ΟΔΟΣ", "οδος"),
            ("Éva", "e\u{301}VA"),
            ("ẞ", "ss"),
            ("ana", " Ana "),
        ];
        let known = |names: SubjectNames, name: &str| names.known_subject(&key, name).unwrap();
        for (one, other) in same {
            assert_ne!(known(SubjectNames::AsWritten, one), known(SubjectNames::AsWritten, other), "{one}");
            for names in [SubjectNames::Normalized, SubjectNames::FoldedCase] {
                assert_eq!(known(names, one), known(names, other), "{one}");
                let subject = known(names, "x");
                let observation = |name| names.known_observation(&key, &subject, name).unwrap();
                assert_eq!(observation(one), observation(other), "{one}");
            }
        }
        for (one, other) in by_case {
            assert_ne!(known(SubjectNames::Normalized, one), known(SubjectNames::Normalized, other), "{one}");
            assert_eq!(known(SubjectNames::FoldedCase, one), known(SubjectNames::FoldedCase, other), "{one}");
        }
        let subject = known(SubjectNames::FoldedCase, "x");
        let observation = |name| SubjectNames::FoldedCase.known_observation(&key, &subject, name).unwrap();
        assert_ne!(observation("a1"), observation("A1"), "names of observations keep their case");
        // Blanks and marks within a name are part of it.
        assert_ne!(known(SubjectNames::FoldedCase, "a na"), known(SubjectNames::FoldedCase, "ana"));
        assert_ne!(known(SubjectNames::FoldedCase, "Jose"), known(SubjectNames::FoldedCase, "José"));
    }

    #[test]
    fn a_name_of_blanks_is_none_and_folding_twice_changes_nothing() {
        let key = key();
        assert!(SubjectNames::Normalized.known_subject(&key, " \t").is_none());
        assert!(SubjectNames::AsWritten.known_subject(&key, " \t").is_some());
        assert!(SubjectNames::AsWritten.known_subject(&key, "").is_none());
        for character in (0..=0x10_ffff_u32).filter_map(char::from_u32) {
            let once = folded(&character.to_string());
            assert_eq!(folded(&once), once, "{character:?}");
        }
    }
}
