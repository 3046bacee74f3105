//! The command draws the pinned vectors of `lookalike-device`, and exports its tables to the byte.

use crate::common::Folder;
use std::path::{Path, PathBuf};

fn vectors(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../lookalike-device/vectors").join(name)
}

#[test]
fn the_command_draws_and_exports_as_pinned() {
    for name in ["rows", "keep"] {
        let folder = Folder::new();
        for ending in ["json", "csv"] {
            std::fs::copy(vectors(&format!("{name}.{ending}")), folder.path(&format!("v.{ending}"))).unwrap();
        }
        folder.words("privatize v.json v.csv --profile profile --value value --seed 7 -o out.csv").exits(0);
        let records = folder.read("v.csv");
        let pinned: Vec<&str> = records.lines().skip(1).map(|line| line.rsplit(',').next().unwrap()).collect();
        assert_eq!(folder.read("out.csv").lines().skip(1).collect::<Vec<_>>(), pinned, "{name}");
        folder.words("export v.json --profile bo -o bo.table").exits(0);
        let pinned = std::fs::read(vectors(&format!("{name}.table"))).unwrap();
        assert!(std::fs::read(folder.path("bo.table")).unwrap() == pinned, "{name}");
    }
}
