use std::{fs, io::Write, path::Path};

use tempfile::tempdir;

use super::*;

fn names_in(directory: &Path) -> Vec<String> {
    let entries = fs::read_dir(directory).unwrap();
    entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

/// Both ways to make a file.
const WAYS: [fn(&Path, bool) -> AtomicFile; 2] =
    [|path, replace| AtomicFile::create(path, replace).unwrap(), with_a_hidden_name];

/// An `AtomicFile` as it is where files without a name do not exist.
fn with_a_hidden_name(path: &Path, replace: bool) -> AtomicFile {
    let (staged, permissions) = Staged::named(path).unwrap();
    let staged = BufWriter::new(staged);
    AtomicFile { path: path.to_path_buf(), target: path.to_path_buf(), replace, permissions, staged }
}

fn unplaced(error: &Error, path: &Path) -> String {
    error.to_string().strip_prefix(&format!("{}: ", path.display())).expect("the path comes first").to_owned()
}

#[test]
fn a_committed_file_holds_all_bytes_and_leaves_nothing_else() {
    let directory = tempdir().unwrap();
    let path = directory.path().join("out.csv");
    let bytes = vec![b'x'; 300_000];
    write_atomically(&path, false, &bytes).unwrap();
    assert_eq!(fs::read(&path).unwrap(), bytes);
    assert_eq!(names_in(directory.path()), ["out.csv"]);
}

#[test]
fn nothing_is_at_the_name_before_the_commit_and_nothing_at_all_without_one() {
    let directory = tempdir().unwrap();
    let path = directory.path().join("out.csv");
    for make in WAYS {
        let mut file = make(&path, false);
        file.write_all(&[b'x'; 300_000]).unwrap();
        file.flush().unwrap();
        assert!(!path.exists());
        drop(file);
        assert!(names_in(directory.path()).is_empty());
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_file_in_the_making_has_no_name_that_a_killed_process_could_leave() {
    let directory = tempdir().unwrap();
    let mut file = AtomicFile::create(&directory.path().join("out.csv"), false).unwrap();
    file.write_all(&[b'x'; 300_000]).unwrap();
    if matches!(file.staged.get_ref(), Staged::Unnamed(_)) {
        assert!(names_in(directory.path()).is_empty());
    }
}

#[test]
fn a_replaced_file_stays_as_it_was_until_the_commit() {
    let directory = tempdir().unwrap();
    let path = directory.path().join("out.csv");
    fs::write(&path, "old").unwrap();
    for make in WAYS {
        fs::write(&path, "old").unwrap();
        let mut dropped = make(&path, true);
        dropped.write_all(b"never").unwrap();
        drop(dropped);
        let mut file = make(&path, true);
        file.write_all(b"new and longer").unwrap();
        file.flush().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"old");
        file.commit().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new and longer");
        assert_eq!(names_in(directory.path()), ["out.csv"]);
    }
}

#[test]
fn an_existing_file_is_refused_at_the_start() {
    let directory = tempdir().unwrap();
    let path = directory.path().join("out.csv");
    fs::write(&path, "old").unwrap();
    let error = AtomicFile::create(&path, false).unwrap_err();
    assert_eq!(unplaced(&error, &path), "exists already (pass `force` to replace it)");
    assert!(!error.is_system());
}

#[test]
fn a_file_that_appeared_meanwhile_is_refused_at_the_commit() {
    let directory = tempdir().unwrap();
    let path = directory.path().join("out.csv");
    for make in WAYS {
        let mut file = make(&path, false);
        file.write_all(b"new").unwrap();
        fs::write(&path, "theirs").unwrap();
        let error = file.commit().unwrap_err();
        assert_eq!(unplaced(&error, &path), "exists already (pass `force` to replace it)");
        assert_eq!(fs::read(&path).unwrap(), b"theirs");
        assert_eq!(names_in(directory.path()), ["out.csv"]);
        fs::remove_file(&path).unwrap();
    }
}

#[test]
fn a_directory_or_a_missing_parent_is_a_clear_error() {
    let directory = tempdir().unwrap();
    let error = AtomicFile::create(directory.path(), true).unwrap_err();
    assert_eq!(unplaced(&error, directory.path()), "is a directory, expected the name of a file");

    let path = directory.path().join("missing").join("out.csv");
    let error = AtomicFile::create(&path, true).unwrap_err();
    let missing = directory.path().join("missing");
    assert_eq!(unplaced(&error, &path), format!("directory \"{}\" does not exist", missing.display()));

    fs::write(&missing, "").unwrap();
    let error = AtomicFile::create(&path, true).unwrap_err();
    assert_eq!(unplaced(&error, &path), format!("\"{}\" is not a directory", missing.display()));

    let error = AtomicFile::create(Path::new(""), true).unwrap_err();
    assert_eq!(error.to_string(), ": no file name, expected the name of a file");
}

#[cfg(unix)]
#[test]
fn a_new_file_has_the_permissions_of_any_other_and_a_replacement_those_of_the_old_one() {
    use std::os::unix::fs::PermissionsExt;
    let directory = tempdir().unwrap();
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o7777;
    let ordinary = directory.path().join("ordinary");
    fs::write(&ordinary, "").unwrap();

    let path = directory.path().join("out.csv");
    write_atomically(&path, false, b"new").unwrap();
    assert_eq!(mode(&path), mode(&ordinary));

    let hidden = directory.path().join("hidden.csv");
    with_a_hidden_name(&hidden, false).commit().unwrap();
    assert_eq!(mode(&hidden), mode(&ordinary));

    fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
    write_atomically(&path, true, b"newer").unwrap();
    assert_eq!(mode(&path), 0o640);
}

#[cfg(unix)]
#[test]
fn a_file_in_the_making_is_its_owner_s_alone() {
    use std::os::unix::fs::PermissionsExt;
    let directory = tempdir().unwrap();
    let path = directory.path().join("out.csv");
    fs::write(&path, "old").unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o666)).unwrap();
    for make in WAYS {
        let mut file = make(&path, true);
        file.write_all(b"new").unwrap();
        file.flush().unwrap();
        assert_eq!(file.staged.get_ref().file().metadata().unwrap().permissions().mode() & 0o777, 0o600);
    }
    // And for good, where it is to be.
    write_for_owner(&path, true, b"newer").unwrap();
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
}

#[cfg(unix)]
#[test]
fn a_symbolic_link_to_nothing_is_refused_and_stays() {
    let directory = tempdir().unwrap();
    let link = directory.path().join("link.csv");
    std::os::unix::fs::symlink("nothing.csv", &link).unwrap();
    for replace in [false, true] {
        let error = write_atomically(&link, replace, b"new").unwrap_err();
        let expected = "is a symbolic link to nothing (remove it, or name the file that it should lead to)";
        assert_eq!(unplaced(&error, &link), expected);
    }
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(names_in(directory.path()), ["link.csv"]);
}

/// The name has the number of its file, and a file that somebody else calls so has another.
#[cfg(unix)]
#[test]
fn what_a_killed_process_left_is_gone_with_the_next_file_and_nothing_else_is() {
    let directory = tempdir().unwrap();
    let at = |name: &str| directory.path().join(name);
    fs::write(at(".lookalike-out.csv"), "theirs").unwrap();
    for make in WAYS {
        fs::write(at("out.csv"), "old").unwrap();
        fs::write(at("half"), "half").unwrap();
        let number = std::os::unix::fs::MetadataExt::ino(&fs::metadata(at("half")).unwrap());
        fs::rename(at("half"), at(&format!(".lookalike-out.csv-{number}"))).unwrap();
        make(&at("out.csv"), true).commit().unwrap();
        let mut names = names_in(directory.path());
        names.sort();
        assert_eq!(names, [".lookalike-out.csv", "out.csv"]);
        assert_eq!(fs::read(at(".lookalike-out.csv")).unwrap(), b"theirs");
    }
}

#[cfg(unix)]
#[test]
fn a_symbolic_link_stays_and_its_target_is_replaced() {
    let directory = tempdir().unwrap();
    let (target, link) = (directory.path().join("target.csv"), directory.path().join("link.csv"));
    fs::write(&target, "old").unwrap();
    std::os::unix::fs::symlink(&target, &link).unwrap();
    assert!(AtomicFile::create(&link, false).is_err());
    write_atomically(&link, true, b"new").unwrap();
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(fs::read(&target).unwrap(), b"new");
}

#[test]
fn a_reader_never_sees_a_partial_file() {
    let directory = tempdir().unwrap();
    let path = directory.path().join("out.csv");
    let whole = |letter: u8| vec![letter; 200_000];
    write_atomically(&path, false, &whole(b'a')).unwrap();
    std::thread::scope(|scope| {
        let writer = scope.spawn(|| {
            for letter in b'b'..=b'z' {
                write_atomically(&path, true, &whole(letter)).unwrap();
            }
        });
        while !writer.is_finished() {
            let seen = fs::read(&path).unwrap();
            assert_eq!(seen, whole(seen[0]));
        }
    });
    assert_eq!(fs::read(&path).unwrap(), whole(b'z'));
}

#[cfg(target_os = "linux")]
#[test]
fn a_pipe_or_device_is_written_through() {
    use rustix::fs::{CWD, FileType, Mode, mknodat};
    write_atomically(Path::new("/dev/null"), false, b"gone").unwrap();

    let directory = tempdir().unwrap();
    let path = directory.path().join("pipe");
    mknodat(CWD, &path, FileType::Fifo, Mode::from_raw_mode(0o600), 0).unwrap();
    std::thread::scope(|scope| {
        let reader = scope.spawn(|| fs::read(&path).unwrap());
        write_atomically(&path, false, b"through").unwrap();
        assert_eq!(reader.join().unwrap(), b"through");
    });
}

#[test]
fn a_name_without_a_directory_means_the_current_one() {
    assert_eq!(directory_of(Path::new("out.csv")), Path::new("."));
    assert_eq!(directory_of(Path::new("a/out.csv")), Path::new("a"));
}
