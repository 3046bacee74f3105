//! Channels between categories.

use crate::audit::{Attacked, Subject};
use crate::estimate::{ReadBack, ReportReader};
use crate::figures::{at_most, count};
use crate::mechanism::{AccountRows, Accounted, Composing, ProofInWords};
use crate::release::{Channels, Releasable, Released};
use lookalike::Sentence;
use lookalike::account::loss::compose;
use lookalike::certify::{Achieved, Certificate, Certified};
use lookalike::estimate::Trust;
use lookalike::model::Mechanism;
use lookalike_formats::{Error, MechanismFile, Result};

impl Accounted for Mechanism {
    fn rows(proved: &Certified<Self>, asked: &Composing<'_>) -> Result<AccountRows> {
        let names = proved.mechanism().graph().names().iter().map(str::to_owned).collect();
        asked.composed(names, |releases| compose(proved.mechanism(), releases))
    }
}

impl ProofInWords for Mechanism {
    fn proof_text(&self, certificate: &Certificate) -> String {
        let worst = certificate.worst();
        let names = worst.secrets().map(|secret| self.graph().names().name(secret));
        let achieved = match worst.achieved() {
            Achieved::Infinite => "infinite".to_owned(),
            Achieved::Within(interval) => at_most(&interval),
        };
        format!(
            "Certified: {} of {} within {}{}.\nTightest: {:?} against {:?} at output {:?}, true epsilon {achieved} of {} \
             claimed.\n",
            count(certificate.pairs(), "pair"),
            self.secrets().word(),
            if self.graph().epsilons().len() == 1 {
                format!("epsilon {}", worst.claimed())
            } else {
                "their own epsilon".to_owned()
            },
            if self.limits().is_empty() { "" } else { ", for every law within the limits of the profiles" },
            names[0],
            names[1],
            self.outputs().names().name(worst.output()),
            worst.claimed(),
        )
    }
}

impl Released for Mechanism {
    fn check_column(file: &MechanismFile) -> Result<()> {
        match file.places {
            None => Ok(()),
            Some(_) => Err(Error::input(
                Sentence::from("this mechanism is between the cells of a grid of places: ")
                    .verb("lookalike geo privatize")
                    .text(" releases places by it"),
            )),
        }
    }

    fn releasable<'a>(certified: &'a Certified<Self>) -> Result<Box<dyn Releasable + 'a>> {
        Ok(Box::new(Channels::new(certified)))
    }
}

impl ReadBack for Mechanism {
    fn reader(&self, trust: Option<Trust>, in_cohorts: bool) -> Result<ReportReader<'_>> {
        ReportReader::channels(self, trust, in_cohorts)
    }
}

impl Attacked for Mechanism {
    fn subject(certified: Certified<Self>) -> Result<Subject> {
        Ok(Subject::channels(certified))
    }
}
