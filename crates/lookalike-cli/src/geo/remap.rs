//! `lookalike geo remap`.

use super::file::read_cells;
use super::loss;
use super::prior::PriorFile;
use crate::Answer;
use crate::certify::refuted;
use crate::design::{check_output, write};
use crate::outcome::{answer, kept_text};
use crate::terminal::Terminal;
use lookalike_engine::geo::{CellLoss, CellsRemap, CellsRemapped};
use lookalike_engine::note_input;
use lookalike_formats::Result;
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
    loss: CellLoss,
    /// The mechanism file to write; - for standard output
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl Remap {
    pub fn run(self, terminal: &Terminal) -> Result<Answer> {
        const REFUSAL: &str = "nothing written";
        note_input(&self.mechanism);
        check_output(self.output.as_deref(), terminal)?;
        let read = read_cells(&self.mechanism, ("remap", REFUSAL), terminal)?;
        let Some((file, grid)) = read else { return Ok(Answer::No) };
        let request = CellsRemap {
            mechanism: &file.mechanism,
            name: file.name.as_deref(),
            prior: self.prior.over(&grid, terminal)?,
            grid,
            prior_from: self.prior.text(),
            loss: self.loss.clone(),
        };
        let remapped = match request.run()? {
            Ok(remapped) => remapped,
            Err(found) => return refuted(&found, REFUSAL, terminal),
        };
        if let Some(path) = &self.output {
            write(&remapped.file(), path, terminal)?;
        }
        answer(&remapped.facts(), self.output.as_deref(), || self.text(&remapped), terminal)?;
        Ok(Answer::Yes)
    }

    fn text(&self, remapped: &CellsRemapped) -> String {
        let [before, after] = [remapped.before, remapped.after].map(|value| loss::value(&self.loss, value));
        let (replaced, outputs) = (remapped.replaced(), remapped.map.len());
        let text = format!(
            "{}: {before} before, {after} after, with {}.\n{replaced} of {outputs} outputs are replaced; the promise is as \
             before, certified.\n",
            loss::title(&self.loss),
            self.prior.words()
        );
        text + &kept_text(self.output.as_deref())
    }
}
