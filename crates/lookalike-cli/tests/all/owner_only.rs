//! Files that tell of private data are their owner's alone.
#![cfg(unix)]

use crate::common::{Folder, TWO, records};
use std::os::unix::fs::PermissionsExt;

fn mode(folder: &Folder, name: &str) -> u32 {
    std::fs::metadata(folder.path(name)).unwrap().permissions().mode() & 0o777
}

#[test]
fn limits_and_device_tables_are_for_their_owner() {
    let folder = Folder::new();
    folder.design_toml(TWO);
    folder.write("data.csv", records(400));
    let fit =
        "fit data.csv --profile user --value load --categories idle,busy --complete -o fitted.toml --limits limits.csv";
    folder.words(fit).exits(0);
    folder.words("export m.json --profile ana -o ana.table").exits(0);
    folder.words("export m.json --profile ana -o ana.json").exits(0);
    for name in ["limits.csv", "ana.table", "ana.json"] {
        assert_eq!(mode(&folder, name), 0o600, "{name}");
    }
    // What is public has the mode of any new file.
    let usual = mode(&folder, "data.csv");
    assert_eq!((mode(&folder, "fitted.toml"), mode(&folder, "m.json")), (usual, usual));
    // A file that others could read is replaced by one that they cannot.
    std::fs::set_permissions(folder.path("limits.csv"), PermissionsExt::from_mode(0o644)).unwrap();
    folder.words(&format!("{fit} --force")).exits(0);
    assert_eq!(mode(&folder, "limits.csv"), 0o600);
}

#[test]
fn the_limits_of_a_run_are_for_its_owner() {
    let folder = Folder::new();
    folder.write("data.csv", records(400));
    folder.write("past.csv", records(400));
    folder.write(
        "plan.toml",
        "epsilon = 1\n[fit]\nrecords = 'past.csv'\nprofile = 'user'\nvalue = 'load'\ncategories = ['idle', 'busy']\n\
         complete = true\n[data]\nrecords = 'data.csv'\nprofile = 'user'\nvalue = 'load'\n",
    );
    folder.words("run plan.toml").exits(0);
    assert_eq!(mode(&folder, "out/limits.csv"), 0o600);
}
