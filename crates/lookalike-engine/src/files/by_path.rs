//! Reading by path, and saving: what the formats make of the text of a file.

use lookalike_formats::pufferfish::{ChainFile, FrameworkFile};
use lookalike_formats::{
    AnyFile, AnyMechanism, Error, LONGEST_TABLE, MechanismFile, MechanismKind, Plan, Result, Spec, Stated,
};
use lookalike_records::{AtomicFile, Folder, read_text, read_text_up_to};
use std::path::Path;

/// What is read from a file.
pub trait ReadFile: Sized {
    /// Reads the file at a path; `-` is standard input. What is TOML or JSON is JSON where its name ends in `.json`, and tables
    /// that it names are looked for beside it.
    ///
    /// # Errors
    /// A file that cannot be read, or content that is not valid; the error says where.
    fn read(path: &Path) -> Result<Self>;
}

/// What is saved in a file.
pub trait SaveFile {
    /// Writes the file in one step, see [`AtomicFile`], without all of its text in memory.
    ///
    /// # Errors
    /// Those of [`AtomicFile::create`] and [`AtomicFile::commit`].
    fn save(&self, path: &Path, replace: bool) -> Result<()>;
}

/// The value of a text, as JSON or as TOML, with the folder of its file.
type Reader<T> = fn(&str, &Path) -> Result<T>;

fn by_name<T>(path: &Path, from_json: Reader<T>, from_toml: Reader<T>) -> Result<T> {
    let text = read_text(path)?;
    let json = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("json"));
    let read = if json { from_json } else { from_toml };
    read(&text, path.parent().unwrap_or(Path::new(""))).map_err(|error| error.in_file(path))
}

impl ReadFile for Spec {
    fn read(path: &Path) -> Result<Spec> {
        let from_toml = |text: &str, folder: &Path| Spec::from_toml(text, &Folder(folder));
        by_name(path, |text, folder| Spec::from_json(text, &Folder(folder)), from_toml)
    }
}

impl ReadFile for Plan {
    /// Reads what a plan says beside its spec, which is a [`Spec`] in the same file.
    fn read(path: &Path) -> Result<Plan> {
        by_name(path, Plan::from_json, Plan::from_toml)
    }
}

impl ReadFile for ChainFile {
    fn read(path: &Path) -> Result<ChainFile> {
        by_name(path, |text, _| ChainFile::from_json(text), |text, _| ChainFile::from_toml(text))
    }
}

impl ReadFile for FrameworkFile {
    fn read(path: &Path) -> Result<FrameworkFile> {
        let from_toml = |text: &str, folder: &Path| FrameworkFile::from_toml(text, &Folder(folder));
        by_name(path, |text, folder| FrameworkFile::from_json(text, &Folder(folder)), from_toml)
    }
}

impl ReadFile for Stated {
    fn read(path: &Path) -> Result<Stated> {
        Stated::from_json(&read_text_up_to(path, LONGEST_TABLE)?).map_err(|error| error.in_file(path))
    }
}

impl ReadFile for AnyMechanism {
    /// Noise of version 1, which does not say its secrets, is refused: only [`Stated`] takes it.
    fn read(path: &Path) -> Result<AnyMechanism> {
        Stated::read(path)?.yes().map_err(|error| error.in_file(path))
    }
}

impl ReadFile for MechanismFile {
    /// Reads the file of a finite mechanism; [`AnyMechanism`] reads every kind.
    fn read(path: &Path) -> Result<MechanismFile> {
        AnyMechanism::read(path)?.finite().map_err(|error| error.in_file(path))
    }
}

impl<M: MechanismKind> SaveFile for MechanismFile<M> {
    fn save(&self, path: &Path, replace: bool) -> Result<()> {
        let file: &dyn AnyFile = self;
        file.save(path, replace)
    }
}

impl SaveFile for dyn AnyFile + '_ {
    fn save(&self, path: &Path, replace: bool) -> Result<()> {
        let mut file = AtomicFile::create(path, replace)?;
        self.write(&mut file).map_err(|error| Error::system("cannot write", error).in_file(path))?;
        file.commit()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SPEC: &str = "categories = ['no', 'yes']\nepsilon = 1\n[profiles]\nana = 0.1\nbo = 0.2\n[graph]\n";
    const NONE: &str = "cannot read: No such file or directory (os error 2)";

    /// A folder with these files.
    fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        files.iter().for_each(|(name, text)| std::fs::write(folder.path().join(name), text).unwrap());
        folder
    }

    #[test]
    fn json_is_told_by_the_name_of_the_file() {
        let toml = format!("{SPEC}shape = 'chain'");
        let json = r#"{"epsilon": 1, "categories": ["no", "yes"], "profiles": {"ana": 0.1, "bo": 0.2},
            "graph": {"shape": "chain"}}"#;
        let folder = folder(&[("one.json", json), ("two.JSON", json), ("three.toml", &toml), ("four", &toml)]);
        for name in ["one.json", "two.JSON", "three.toml", "four"] {
            let spec = Spec::read(&folder.path().join(name)).unwrap();
            assert_eq!(spec.problem.graph().names().iter().collect::<Vec<_>>(), ["ana", "bo"], "{name}");
        }
    }

    #[test]
    fn tables_are_looked_for_beside_the_spec() {
        let folder =
            folder(&[("edges.csv", "a,b\nana,bo\n"), ("spec.toml", &format!("{SPEC}edges_file = 'edges.csv'"))]);
        let spec = Spec::read(&folder.path().join("spec.toml")).unwrap();
        assert_eq!(spec.problem.graph().pairs(), 1);
        let nowhere = Folder(Path::new("nowhere"));
        let missing = Spec::from_toml(&format!("{SPEC}edges_file = 'none.csv'"), &nowhere).unwrap_err();
        assert_eq!(missing.to_string(), format!("graph: edges_file: nowhere/none.csv: {NONE}"));
        assert!(missing.is_system());
    }

    #[test]
    fn specs_that_cannot_be_read() {
        let error = |path: &Path| Spec::read(path).map(|_| ()).unwrap_err().to_string();
        assert_eq!(error(Path::new("none.toml")), format!("none.toml: {NONE}"));
        let folder = tempfile::tempdir().unwrap();
        let (path, bytes) = (folder.path().join("spec.toml"), b"epsilon = \"\xff\"");
        std::fs::write(&path, bytes).unwrap();
        assert_eq!(error(&path), format!("{}: byte 11 is not UTF-8 text", path.display()));
        std::fs::write(&path, "").unwrap();
        assert_eq!(error(&path), format!("{}: epsilon is missing (for example epsilon = 0.5)", path.display()));
    }

    #[test]
    fn mechanisms_that_cannot_be_read_and_one_that_comes_back() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("m.json");
        let message = |path: &Path| MechanismFile::read(path).map(|_| ()).unwrap_err().to_string();
        assert_eq!(message(&path), format!("{}: {NONE}", path.display()));
        std::fs::write(&path, "{}").unwrap();
        assert_eq!(message(&path), format!("{}: format is missing", path.display()));
        let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("../lookalike-device/vectors/rows.json");
        let file = MechanismFile::read(&example).unwrap();
        assert!(file.save(&path, false).is_err(), "there is a file already");
        file.save(&path, true).unwrap();
        assert_eq!(MechanismFile::read(&path).unwrap().to_json(), file.to_json());
    }
}
