//! Draws of a program that answers line by line.

use super::lines::Lines;
use super::process::{Hung, Process, Stopper, words};
use lookalike::Error;
use lookalike::Sentence;
use lookalike::audit::{Collect, Run, Schedule, Source, Text};
use lookalike::model::Names;
use lookalike_formats::Result;
use std::collections::HashMap;
use std::ffi::OsString;
use std::time::Duration;

/// A mechanism behind a program: one secret per line on its standard input, one output per line on its standard output.
///
/// It is started once a run, so twice in an audit, and never once a draw. All secrets are written and the input is
/// closed, whether answers come or not, so a program may buffer its output as it likes. A line ends with `\n` or
/// `\r\n`, is UTF-8 and has at most 4,096 bytes. The program's standard error is that of this process; its exit status
/// does not matter once it has answered all.
///
/// # Errors
/// Of a run, by the words of the command and the line: a program that cannot be started, ends before it has answered
/// all, prints more than it was asked for or something that is no text, or hangs. It is killed and waited for in each
/// case. What it started in its own process group is killed with it, also when all went well.
///
/// # Example
/// ```
/// use lookalike::{audit::{Options, Pair, audit}, model::Names};
/// use lookalike_engine::audit::Program;
/// let secrets = Names::new("secret", ["no", "yes"])?;
/// // cat gives every secret away.
/// let program = Program::new(vec!["cat".into()], secrets, std::time::Duration::from_secs(30))?;
/// let pairs = [Pair { secrets: [0, 1], claimed: Some(1.0) }];
/// let found = audit(&pairs, &program, &Options { draws: 4_000, ..Options::default() })?;
/// assert!(found.worst().is_evidence());
/// # Ok::<(), lookalike_formats::Error>(())
/// ```
#[derive(Debug)]
pub struct Program {
    command: Vec<OsString>,
    secrets: Names,
    /// The outputs that may occur, where they are known.
    outputs: Option<HashMap<String, Text>>,
    timeout: Duration,
    stopper: Stopper,
}

impl Program {
    /// The program of these words, which answers for these secrets. It hangs if it takes nothing and gives nothing for
    /// the timeout.
    ///
    /// # Errors
    /// No words, or a secret that is no line.
    pub fn new(command: Vec<OsString>, secrets: Names, timeout: Duration) -> Result<Self> {
        if command.is_empty() {
            return Err(lookalike_formats::Error::input("no program, expected its name"));
        }
        if let Some(name) = secrets.iter().find(|name| name.contains(['\n', '\r'])) {
            let message = format!("secret {name:?} has a line break, and a program is told one secret per line");
            return Err(lookalike_formats::Error::input(message));
        }
        Ok(Program { command, secrets, outputs: None, timeout, stopper: Stopper::default() })
    }

    /// The same program; an output that is none of these is an error.
    #[must_use]
    pub fn with_outputs(mut self, outputs: &Names) -> Self {
        self.outputs = Some(outputs.iter().map(|name| (name.to_owned(), Text::new(name))).collect());
        self
    }

    /// What ends it from another thread.
    pub fn stopper(&self) -> Stopper {
        self.stopper.clone()
    }

    /// The words of the command, cut where they are many.
    fn name(&self) -> String {
        const LONGEST: usize = 60;
        let words: Vec<_> = self.command.iter().map(|word| word.to_string_lossy()).collect();
        let line = words.join(" ").replace(['\n', '\r'], " ");
        match line.char_indices().nth(LONGEST) {
            Some((end, _)) => format!("{}…", &line[..end]),
            None => line,
        }
    }

    /// The lines of secrets of a schedule, some at a time.
    fn input(&self, schedule: &Schedule) -> impl Iterator<Item = Vec<u8>> + Send + 'static {
        const AT_ONCE: u64 = 1 << 12;
        let (schedule, names) = (schedule.clone(), self.secrets.clone());
        (0..schedule.len()).step_by(AT_ONCE as usize).map(move |first| {
            let mut secrets = vec![0; AT_ONCE.min(schedule.len() - first) as usize];
            schedule.fill(first, &mut secrets);
            secrets.into_iter().flat_map(|secret| [names.name(secret).as_bytes(), b"\n"]).flatten().copied().collect()
        })
    }

    fn converse<C: Collect<Text>>(&self, schedule: &Schedule, mut collector: C) -> lookalike::Result<C> {
        let mut process = Process::start(&self.command, self.input(schedule), self.timeout, &self.stopper)?;
        let mut answers =
            Answers { outputs: self.outputs.as_ref(), secrets: schedule.iter(), all: schedule.len(), done: 0 };
        let mut lines = Lines::default();
        loop {
            let before = answers.done;
            let Some(piece) = process.piece().map_err(|hung| self.hung(&hung, &process, &answers))? else { break };
            lines.feed(&piece, |line| answers.see(line, &mut collector))?;
            collector.progress(answers.done - before);
        }
        let before = answers.done;
        lines.finish(|line| answers.see(line, &mut collector))?;
        collector.progress(answers.done - before);
        let status = process.status();
        if answers.done < answers.all {
            let ended = status.map_or_else(|| "closed its output".to_owned(), words);
            return Err(Error::failed(format!(
                "{ended} after {}, expected a line for each secret until its input ends",
                answers.words()
            )));
        }
        Ok(collector)
    }

    fn hung<I>(&self, _: &Hung, process: &Process, answers: &Answers<'_, I>) -> Error {
        let (seconds, so_far) = (self.timeout.as_secs_f64(), answers.words());
        if !process.has_ended() && answers.done < answers.all {
            return Error::failed(format!("hangs: it neither read nor printed for {seconds} s after {so_far}"))
                .hint(Sentence::new().option("timeout").text(" allows it more"));
        }
        Error::failed(if process.has_ended() {
            format!(
                "ended after {so_far}, and its output is held open by something it started, which printed nothing for \
                 {seconds} s (what it starts must end with it)"
            )
        } else {
            format!("does not end: {so_far}, and it still runs {seconds} s after its input ended (it must end then)")
        })
    }
}

/// The answers so far.
struct Answers<'a, I> {
    outputs: Option<&'a HashMap<String, Text>>,
    secrets: I,
    all: u64,
    done: u64,
}

impl<I: Iterator<Item = u32>> Answers<'_, I> {
    fn see(&mut self, line: &str, collector: &mut impl Collect<Text>) -> lookalike::Result<()> {
        let Some(secret) = self.secrets.next() else {
            let all = self.all;
            return Err(Error::failed(format!(
                "more lines than the {all} secrets, expected one for each (is something printed beside the outputs?)"
            )));
        };
        match self.outputs {
            None => collector.see(secret, self.done, &Text::new(line)),
            Some(outputs) => {
                let text = outputs.get(line).ok_or_else(|| {
                    Error::failed(format!("the output is none of the mechanism's {} outputs", outputs.len()))
                })?;
                collector.see(secret, self.done, text);
            }
        }
        self.done += 1;
        Ok(())
    }
}

impl<I> Answers<'_, I> {
    fn words(&self) -> String {
        format!("{} of {} outputs", self.done, self.all)
    }
}

impl Source for Program {
    type Output = Text;

    fn run<C: Collect<Text>>(&self, _: Run, schedule: &Schedule, new: &(dyn Fn() -> C + Sync)) -> lookalike::Result<C> {
        self.converse(schedule, new()).map_err(|error| error.at(self.name()))
    }
}

#[cfg(all(test, unix))]
#[path = "program_tests.rs"]
mod tests;
