//! Tests of reports: all of them are listed once, and each is what it reads and writes.

use super::*;
use crate::model::{Categories, TOTAL};

fn oracle(size: u32, encoding: Encoding) -> Oracle {
    let categories = Categories::new((0..size).map(|x| format!("c{x}"))).unwrap();
    Oracle::new(categories, "ln(3)".parse().unwrap(), encoding).unwrap()
}

fn oracles() -> [Oracle; 5] {
    [
        oracle(5, Encoding::Unary { one: TOTAL, other: 0 }),
        oracle(7, Encoding::Hash { buckets: 3, keep: TOTAL }),
        oracle(6, Encoding::Hadamard { plus: TOTAL }),
        oracle(6, Encoding::Subset { size: 3, include: TOTAL }),
        oracle(6, Encoding::Subset { size: 1, include: TOTAL }),
    ]
}

#[test]
fn all_reports_are_different_and_come_back_from_their_text() {
    for (oracle, count) in oracles().iter().zip([32, 81, 8, 20, 6]) {
        let all = oracle.all_reports(100).unwrap();
        assert_eq!((all.len(), oracle.count_of_reports()), (count, Some(count as u64)));
        let texts: Vec<String> = all.iter().map(|report| oracle.text(report)).collect();
        let distinct: std::collections::BTreeSet<&String> = texts.iter().collect();
        assert_eq!(distinct.len(), count);
        assert_eq!(texts.iter().map(String::len).max(), Some(oracle.longest_text()));
        let mut read = oracle.no_reports();
        texts.iter().for_each(|text| oracle.read(text, &mut read).unwrap());
        assert_eq!(read, all);
        assert!(all.iter().all(|report| oracle.releases(report)));
    }
}

#[test]
fn texts_look_as_stated() {
    let texts = oracles().map(|oracle| {
        let all = oracle.all_reports(100).unwrap();
        oracle.text(all.get(5))
    });
    assert_eq!(texts, ["10100", "1:2", "5", "0;2;4", "5"]);
}

#[test]
fn what_is_no_report_is_refused_with_what_was_expected() {
    let [unary, hash, hadamard, subset, _] = oracles();
    let refused = |oracle: &Oracle, text: &str| {
        let mut reports = oracle.no_reports();
        let error = oracle.read(text, &mut reports).unwrap_err().to_string();
        assert!(reports.is_empty());
        error
    };
    assert_eq!(refused(&unary, "0110"), "not a report of this oracle, expected 5 digits 0 and 1");
    for text in ["", "01102", "011011", "0110x", "é1101", &"1".repeat(100)] {
        refused(&unary, text);
    }
    for text in ["27:0", "3:3", "3", "3:1:1", "+3:1", "03:1", "-1:0", ""] {
        refused(&hash, text);
    }
    for text in ["8", "1;2", "", "-1", "4294967301"] {
        refused(&hadamard, text);
    }
    for text in ["0;1", "0;1;6", "0;1;1", "2;1;0", "0;1;2;3", "0;1;", ""] {
        refused(&subset, text);
    }
    assert_eq!(
        refused(&subset, "0;2;1"),
        "not a report of this oracle, expected 3 increasing whole numbers below 6, with a semicolon between them"
    );
}

#[test]
fn many_reports_are_counted_and_not_listed() {
    let large = oracle(60, Encoding::Subset { size: 20, include: TOTAL });
    assert_eq!(large.count_of_reports(), Some(4_191_844_505_805_495));
    assert_eq!(large.all_reports(1_000).unwrap_err().to_string(), "more than 1000 different reports");
    assert_eq!(oracle(100, Encoding::Unary { one: TOTAL, other: 0 }).count_of_reports(), None);
    assert_eq!(oracle(1_000, Encoding::Subset { size: 500, include: TOTAL }).count_of_reports(), None);
}

#[test]
fn bits_beyond_the_last_category_are_no_report() {
    let unary = oracle(65, Encoding::Unary { one: TOTAL, other: 0 });
    assert!(unary.releases(Report { words: &[u64::MAX, 1], codes: &[] }));
    assert!(!unary.releases(Report { words: &[u64::MAX, 2], codes: &[] }));
    assert!(!unary.releases(Report { words: &[0], codes: &[] }));
    let full = oracle(64, Encoding::Unary { one: TOTAL, other: 0 });
    assert!(full.releases(Report { words: &[u64::MAX], codes: &[] }));
}
