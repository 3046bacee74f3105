//! `lookalike privatize --shuffle`: any number of rows, of every format, in bounded memory.

use crate::tables;

use crate::common::{Folder, TWO};
use arrow_array::{ArrayRef, Int64Array, RecordBatch, StringArray};
use parquet::basic::Compression;
use std::fmt::Write as _;
use std::sync::Arc;

const RUN: &str = "--profile user --value load --shuffle --seed 7 --force";

fn folder() -> Folder {
    let folder = Folder::new();
    folder.design_toml(TWO);
    folder
}

/// Records whose kept column `id` says which row each was: a number in no order that anyone would notice.
fn records(rows: usize) -> RecordBatch {
    let texts = |texts: [&'static str; 2]| {
        Arc::new(StringArray::from_iter_values((0..rows).map(|row| texts[row % 2]))) as ArrayRef
    };
    let ids = (0..rows as i64).map(|row| row * 7_919 % 1_000_003);
    let ids: ArrayRef = Arc::new(Int64Array::from_iter_values(ids));
    RecordBatch::try_from_iter([("user", texts(["ana", "bo"])), ("load", texts(["idle", "busy"])), ("id", ids)])
        .unwrap()
}

#[test]
fn the_same_rows_come_out_in_the_same_order_whatever_the_format_the_cuts_and_the_threads() {
    let folder = folder();
    let records = records(150_000);
    tables::parquet(&folder.path("whole.parquet"), &records, 150_000, Compression::SNAPPY);
    tables::parquet(&folder.path("cut.parquet"), &records, 7_777, Compression::SNAPPY);
    tables::arrow(&folder.path("whole.arrow"), &records, 150_000);
    tables::arrow_stream(&folder.path("cut.arrows"), &records, 1_234);
    tables::json_lines(&folder.path("whole.jsonl"), &records);
    folder.words(&format!("privatize m.json whole.parquet -o expected.parquet {RUN} --keep id --threads 1")).exits(0);
    let expected = tables::text(&folder.path("expected.parquet"));
    let plain = RUN.replace(" --shuffle", "");
    folder.words(&format!("privatize m.json whole.parquet -o plain.csv {plain} --keep id")).exits(0);
    let sorted = |text: &str| {
        let mut rows: Vec<String> = text.lines().map(str::to_owned).collect();
        rows.sort();
        rows
    };
    let plain = folder.read("plain.csv");
    assert!(expected != plain && sorted(&expected) == sorted(&plain), "the same rows, each with its own id");
    for to in ["parquet", "arrow", "arrows", "csv", "jsonl"] {
        let mut written = Vec::new();
        for from in ["whole.parquet", "cut.parquet", "whole.arrow", "cut.arrows"] {
            let run =
                folder.words(&format!("privatize m.json {from} -o out.{to} {RUN} --keep id --threads 2")).exits(0);
            assert!(!run.stderr.contains("restores"), "{}", run.stderr);
            assert!(tables::text(&folder.path(&format!("out.{to}"))) == expected, "{from} to {to}");
            written.push(std::fs::read(folder.path(&format!("out.{to}"))).unwrap());
        }
        assert!(written.iter().all(|bytes| *bytes == written[0]), "{to}: the input's cuts show in the output");
        // Kept columns of JSON lines are texts elsewhere: other bytes that say the same.
        folder.words(&format!("privatize m.json whole.jsonl -o lines.{to} {RUN} --keep id --threads 2")).exits(0);
        assert!(tables::text(&folder.path(&format!("lines.{to}"))) == expected, "JSON lines to {to}");
    }
    assert_eq!(tables::row_groups(&folder.path("out.parquet")), [150_000]);
    let batches: Vec<usize> = tables::read(&folder.path("out.arrow")).iter().map(|batch| batch.num_rows()).collect();
    assert_eq!(batches, [65_536, 65_536, 150_000 - 2 * 65_536]);
}

#[test]
fn a_kept_column_that_restores_the_order_is_warned_of_on_the_terminal() {
    let folder = folder();
    let rows: String = (0..300).fold("user,load,n,day\n".to_owned(), |mut text, row| {
        writeln!(text, "ana,idle,{row},{}", row % 7).unwrap();
        text
    });
    folder.write("data.csv", rows);
    let warning = "warning: the rows were sorted by the kept column \"n\", which restores the order that was shuffled \
                   (leave it out, or make it coarser)";
    let run = folder.words(&format!("privatize m.json data.csv -o out.csv {RUN} --keep n,day --quiet")).exits(0);
    assert_eq!(run.stderr.matches("restores").count(), 1);
    run.says(&[warning]);
    let run = folder.words(&format!("privatize m.json data.csv -o out.csv {RUN} --keep day")).exits(0);
    assert!(!run.stderr.contains("restores"), "{}", run.stderr);
}

#[cfg(target_os = "linux")]
mod on_linux {
    use super::*;
    use std::io::Write;
    use std::os::unix::fs::MetadataExt;
    use std::process::{Child, Stdio};
    use std::time::{Duration, Instant};

    /// Rows with a kept text of a hundred bytes.
    fn wide(rows: usize) -> String {
        let text = "x".repeat(100);
        (0..rows).fold("user,load,text\n".to_owned(), |mut all, row| {
            writeln!(all, "ana,idle,{text}{}", row * 7_919 % 1_000_003).unwrap();
            all
        })
    }

    /// The most memory that the process has had.
    fn peak(child: &Child) -> Option<u64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).ok()?;
        let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
        line.split_whitespace().nth(1)?.parse::<u64>().ok().map(|kilobytes| kilobytes << 10)
    }

    #[test]
    fn memory_does_not_grow_with_the_rows() {
        let folder = folder();
        let peaks = [500_000, 3_000_000].map(|rows| {
            folder.write("data.csv", wide(rows));
            let line = format!("privatize m.json data.csv -o out.csv {RUN} --keep text --threads 1");
            let mut child = folder.command(line.split(' ')).stderr(Stdio::null()).spawn().unwrap();
            let mut most = 0;
            while child.try_wait().unwrap().is_none() {
                most = most.max(peak(&child).unwrap_or(0));
                std::thread::sleep(Duration::from_millis(2));
            }
            assert!(child.wait().unwrap().success());
            assert_eq!(
                std::fs::read(folder.path("out.csv")).unwrap().iter().filter(|byte| **byte == b'\n').count(),
                rows + 1
            );
            most
        });
        // 3,000,000 rows have more than 300 MB of texts.
        assert!(peaks[1] < 200 << 20 && peaks[1] < 2 * peaks[0], "{peaks:?}");
    }

    /// A run that has written rows to disk, and waits for more.
    fn spilled(folder: &Folder) -> (Child, std::process::ChildStdin) {
        std::fs::create_dir(folder.path("scratch")).unwrap();
        let line = "privatize m.json - -o out.csv --profile user --value load --shuffle --keep text";
        let mut command = folder.command(line.split(' '));
        command.env("TMPDIR", folder.path("scratch")).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        stdin.write_all(wide(500_000).as_bytes()).unwrap();
        (child, stdin)
    }

    #[test]
    fn rows_wait_in_a_file_without_a_name_and_a_killed_run_leaves_nothing() {
        let folder = folder();
        let (mut child, stdin) = spilled(&folder);
        let (scratch, late) = (folder.path("scratch"), Instant::now() + Duration::from_secs(60));
        let found = loop {
            let files = std::fs::read_dir(format!("/proc/{}/fd", child.id())).unwrap();
            let mut files = files.filter_map(|file| file.ok().map(|file| file.path()));
            let found = files.find(|file| std::fs::read_link(file).is_ok_and(|target| target.starts_with(&scratch)));
            if let Some(found) = found.filter(|found| std::fs::metadata(found).is_ok_and(|found| found.len() > 0)) {
                break found;
            }
            assert!(Instant::now() < late, "nothing was written to disk");
            std::thread::sleep(Duration::from_millis(5));
        };
        let metadata = std::fs::metadata(&found).unwrap();
        assert_eq!((metadata.mode() & 0o777, metadata.nlink()), (0o600, 0), "owner-only and without a name");
        let bytes = std::fs::read(&found).unwrap();
        assert!(!tables::contains(&bytes, "xxxxxxxx"), "rows can be read on disk");
        child.kill().unwrap();
        child.wait().unwrap();
        drop(stdin);
        assert_eq!(std::fs::read_dir(&scratch).unwrap().count(), 0);
        assert_eq!(folder.names(), ["m.json", "scratch", "spec.toml"]);
    }

    #[test]
    fn without_room_for_rows_that_wait_nothing_is_released() {
        let folder = folder();
        folder.write("data.csv", wide(500_000));
        let line = format!("privatize m.json data.csv -o out.csv {RUN} --keep text");
        let output = folder.command(line.split(' ')).env("TMPDIR", "/no/such/directory").output().unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        let expected = "error: cannot create a temporary file for rows to be shuffled in \"/no/such/directory\" (TMPDIR \
                        names another directory): ";
        assert!(output.status.code() == Some(2) && error.starts_with(expected), "{error}");
        assert_eq!(folder.names(), ["data.csv", "m.json", "spec.toml"]);
        // A few rows need no room on disk.
        folder.write("data.csv", wide(1_000));
        assert!(folder.command(line.split(' ')).env("TMPDIR", "/no/such/directory").status().unwrap().success());
    }
}
