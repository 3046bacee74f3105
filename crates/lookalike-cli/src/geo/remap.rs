//! `lookalike geo remap`.

use super::file::PlacesFile;
use super::loss::LossName;
use super::prior::PriorFile;
use crate::Answer;
use crate::certify::proved;
use crate::design::{check_output, nearest, write};
use crate::streams::is_stdout;
use crate::terminal::Terminal;
use lookalike::geo::{expected_loss, remap};
use lookalike_engine::note_input;
use lookalike_formats::{MechanismFile, Result};
use serde_json::json;
use std::path::PathBuf;

/// Replace each released cell by the best one for a prior: the promise stays, the error shrinks
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  lookalike geo remap cells.json -o better.json
  lookalike geo remap cells.json --prior seen.csv --loss squared -o better.json

What is done with a release costs no privacy: the new file claims what the old one did and is proved again. The prior is
public; taken from private places it would tell of them.")]
pub struct Remap {
    /// The mechanism file
    mechanism: PathBuf,
    #[command(flatten)]
    prior: PriorFile,
    /// What a wrong cell costs: euclidean, squared, or within:200m for 1 beyond that distance
    #[arg(long, value_name = "NAME", default_value = "euclidean")]
    loss: LossName,
    /// The mechanism file to write; - for standard output
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl Remap {
    pub fn run(self, terminal: &Terminal) -> Result<Answer> {
        const REFUSAL: &str = "nothing written";
        note_input(&self.mechanism);
        check_output(self.output.as_deref(), terminal)?;
        let read = PlacesFile::read_cells(&self.mechanism, ("remap", REFUSAL), terminal)?;
        let Some((file, grid)) = read else { return Ok(Answer::No) };
        let (prior, loss) = (self.prior.over(&grid, terminal)?, self.loss.of(grid.cells())?);
        let remapped = remap(&file.mechanism, &prior, &loss)?;
        let [before, after] =
            [&file.mechanism, &remapped.mechanism].map(|mechanism| expected_loss(mechanism, &prior, &loss));
        let [before, after] = [nearest(&before?), nearest(&after?)];
        let moved = remapped.map.iter().enumerate().filter(|(at, to)| *at != **to as usize).count();
        let Some(certified) = proved(remapped.mechanism, REFUSAL, terminal)? else { return Ok(Answer::No) };
        let objective = json!({
            "name": self.loss.to_string(), "value": after, "before": before, "prior": self.prior.text(),
        });
        let name = format!("{}-remapped", file.name.as_deref().unwrap_or("geo"));
        let better = MechanismFile {
            places: Some(grid),
            objective: Some(objective),
            ..MechanismFile::of_certified(&name, &certified)
        };
        if let Some(path) = &self.output {
            write(&better, path, terminal)?;
        }
        let text = || {
            let [before, after] = [before, after].map(|value| self.loss.value(value));
            let outputs = remapped.map.len();
            let mut text = format!(
                "{}: {before} before, {after} after, with {}.\n{moved} of {outputs} outputs are replaced; the promise is as \
                 before, certified.\n",
                self.loss.title(),
                self.prior.words()
            );
            match &self.output {
                Some(path) if is_stdout(path) => {}
                Some(path) => text += &format!("Wrote {}.\n", path.display()),
                None => text += "Nothing written: give -o FILE to keep the mechanism.\n",
            }
            text
        };
        if self.output.as_deref().is_some_and(is_stdout) {
            terminal.note(text().trim_end());
            return Ok(Answer::Yes);
        }
        let output = self.output.as_ref().map(|path| path.display().to_string());
        let object = json!({
            "mechanism": better.name, "loss": self.loss.to_string(), "before": before, "after": after, "replaced": moved,
            "outputs": remapped.map.len(), "certificate": better.certificate, "output": output,
        });
        terminal.answer(object, text)?;
        Ok(Answer::Yes)
    }
}
