//! Frequency oracles.

use crate::audit::{Attacked, DrawTexts, Subject};
use crate::estimate::{ReadBack, ReportReader};
use crate::figures::at_most;
use crate::mechanism::{AccountRows, Accounted, Composing, ProofInWords};
use crate::release::{OracleReports, Releasable, Released};
use lookalike::account::loss::compose_oracle;
use lookalike::audit::Text;
use lookalike::certify::{Certified, OracleCertificate, OracleProof};
use lookalike::estimate::Trust;
use lookalike::model::Oracle;
use lookalike::sample::{OracleSampler, RandomKey};
use lookalike_formats::Result;

impl Accounted for Oracle {
    fn rows(proved: &Certified<Self>, asked: &Composing<'_>) -> Result<AccountRows> {
        asked.composed(Vec::new(), |releases| compose_oracle(proved.mechanism(), releases))
    }
}

impl ProofInWords for Oracle {
    fn proof_text(&self, certificate: &OracleCertificate) -> String {
        let how = match certificate.proof() {
            OracleProof::ExactLaw(reports) => {
                format!("by the whole law, {reports} reports compared for every category")
            }
            OracleProof::ClosedForm => "by the closed form of the largest ratio".to_owned(),
        };
        format!(
            "Certified: any two categories within epsilon {}, {how}.\nTrue epsilon {} of {} claimed.\n",
            certificate.claimed(),
            certificate.achieved().map_or("infinite".to_owned(), |interval| at_most(&interval)),
            certificate.claimed(),
        )
    }
}

impl Released for Oracle {
    fn releasable<'a>(certified: &'a Certified<Self>) -> Result<Box<dyn Releasable + 'a>> {
        Ok(Box::new(OracleReports(certified)))
    }
}

impl ReadBack for Oracle {
    fn reader(&self, trust: Option<Trust>, _in_cohorts: bool) -> Result<ReportReader<'_>> {
        ReportReader::support(self, trust)
    }
}

impl Attacked for Oracle {
    fn subject(certified: Certified<Self>) -> Result<Subject> {
        let sampler = OracleSampler::new(&certified);
        let oracle = certified.mechanism();
        let (epsilon, secrets) = (oracle.epsilon().clone(), oracle.categories().names().iter().map(str::to_owned));
        Ok(Subject::of_texts(epsilon, secrets.collect(), Reports { sampler, oracle: oracle.clone() }))
    }
}

/// The reports of an oracle, as texts.
struct Reports {
    sampler: OracleSampler,
    oracle: Oracle,
}

impl DrawTexts for Reports {
    fn draw(&self, key: &RandomKey, first: u64, secrets: &[u32], outputs: &mut [Text]) -> lookalike::Result<()> {
        let most = self.sampler.rows_at_once();
        let parts = secrets.chunks(most).zip(outputs.chunks_mut(most));
        for (first, (secrets, outputs)) in (first..).step_by(most).zip(parts) {
            let reports = self.sampler.privatize(key, first, secrets)?;
            for (output, report) in outputs.iter_mut().zip(reports.iter()) {
                *output = Text::new(&self.oracle.text(report));
            }
        }
        Ok(())
    }
}
