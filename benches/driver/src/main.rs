//! Times the library in memory and prints one JSON object; `benches/run.py` runs it beside its peers.
//!
//! ```text
//! lookalike-bench sample   --size D --profiles K --form rows|keep --records N --seed S --threads T --repetitions R
//! lookalike-bench instance --size D --profiles K --form rows|keep --records N --seed S --folder DIR
//! lookalike-bench device   --size D --profiles K --form rows|keep --records N --seed S --repetitions R
//! lookalike-bench audit    --size D --profiles K --form rows|keep --records N --seed S --threads T --repetitions R
//! lookalike-bench words    --records N --repetitions R
//! lookalike-bench csv      --input FILE --output FILE --column NAME
//! lookalike-bench design   --folder DIR --categories D --epsilon E --objective NAME --mechanism NAME --gap G --repetitions R
//! lookalike-bench designs  --name TEXT --every N --most ENTRIES --solver default|interior-point|clarabel
//! lookalike-bench counts   --n N --alpha A --properties CODES --loss NAME --repetitions R
//! lookalike-bench epsilon  --n N --alpha A --matrix FILE
//! lookalike-bench noise    --input FILE --output FILE --epsilon E --seed S --threads T --repetitions R
//! lookalike-bench quilts   --states K --reach W --stay S --pull Q --start stationary|first --length T --epsilon E --a-star A --repetitions R
//! lookalike-bench geo-planar  --input FILE --output FILE --epsilon E --latitude D --longitude D --half-width M --seed S --threads T --repetitions R
//! lookalike-bench geo-optimal --side N --epsilon E --dilation D --repetitions R
//! ```
//!
//! `sample` times [`Sampler::privatize`]; `device` times [`lookalike_device::Table::privatize`], a call a value; `audit` times a whole
//! audit of N draws over every pair; `instance` writes the same records and channels for peers; `words` times the
//! bare key stream that `sample` draws from; `csv` reads and writes a file with the `csv` crate and nothing else;
//! `design` times a design of an instance that `benches/peers/design_instance.py` wrote,
//! with its repair and certification; `designs` does so for the set of `lookalike_instances`, a line each; `counts` times the design of a mechanism over counts, certified; `epsilon` proves
//! how private a peer's matrix over counts is; `noise` times [`lookalike::sample::NoiseSampler::add`]; `quilts` times
//! [`lookalike::pufferfish::exact`]; `geo-planar` times [`lookalike::sample::ReleasePlaces::release`]; `geo-optimal` times
//! [`lookalike::geo::optimal`] with its certification.

mod counts;
mod design;
mod device;
mod geo;
mod instance;
mod noise;
mod problem;
mod pufferfish;

use chacha20::cipher::{KeyIvInit, StreamCipher};
use chacha20::rand_core::{Rng, SeedableRng};
use chacha20::{ChaCha12, ChaCha12Rng, Key, Nonce};
use instance::{Instance, agrees};
use lookalike::audit;
use lookalike::sample::{RandomKey, Rehearsal, Sampler};
use std::collections::HashMap;
use std::hint::black_box;
use std::path::Path;
use std::str::FromStr;
use std::time::Instant;

/// Anything that can go wrong; the text is all that is wanted of it.
type Failure = Box<dyn std::error::Error>;

const MODES: &str = "sample, device, audit, instance, words, csv, design, designs, counts, epsilon, noise, quilts, geo-planar \
                     or geo-optimal";

/// The bytes that the sampler draws at a time for the form `rows`: 512 words.
const BUFFER: usize = 4096;

fn main() -> Result<(), Failure> {
    let mut words = std::env::args().skip(1);
    let mode = words.next().ok_or_else(|| format!("no mode, expected {MODES}"))?;
    let flags = Flags::parse(words)?;
    match mode.as_str() {
        "sample" => sample(&flags),
        "device" => device::run(&flags),
        "audit" => attack(&flags),
        "instance" => instance(&flags)?.write(Path::new(flags.text("folder")?)),
        "words" => key_stream(flags.number("records")?, flags.number("repetitions")?),
        "csv" => copy_csv(flags.text("input")?, flags.text("output")?, flags.text("column")?),
        "design" => design::run(&flags),
        "designs" => design::sweep(&flags),
        "counts" => counts::run(&flags),
        "epsilon" => counts::true_epsilon(&flags),
        "noise" => noise::run(&flags),
        "quilts" => pufferfish::run(&flags),
        "geo-planar" => geo::planar(&flags),
        "geo-optimal" => geo::best(&flags),
        other => Err(format!("mode {other:?}, expected {MODES}").into()),
    }
}

fn instance(flags: &Flags) -> Result<Instance, Failure> {
    Ok(Instance {
        size: flags.number("size")?,
        profiles: flags.number("profiles")?,
        keep: flags.text("form")? == "keep",
        records: flags.number("records")?,
        seed: flags.number("seed")?,
    })
}

fn sample(flags: &Flags) -> Result<(), Failure> {
    let instance = instance(flags)?;
    let certified = instance.certified()?;
    let sampler = Sampler::new(&certified);
    let (profiles, values) = instance.records();
    let mut outputs = vec![0; values.len()];
    let key = RandomKey::from_seed(instance.seed);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(flags.number("threads")?).build()?;
    let run = |outputs: &mut [u32]| pool.install(|| sampler.privatize(&key, 0, Some(&profiles), &values, outputs));
    run(&mut outputs)?;
    if !agrees(certified.mechanism(), &profiles, &values, &outputs) {
        return Err("released values do not follow the law of their channels".into());
    }
    let times = timed(flags.number("repetitions")?, || run(&mut outputs))?;
    report(instance.records, times);
    Ok(())
}

/// A whole audit: choosing, testing and the limits.
fn attack(flags: &Flags) -> Result<(), Failure> {
    let instance = instance(flags)?;
    let certified = instance.certified()?;
    let rehearsal = Rehearsal::new(&certified);
    let labels: Vec<&str> = certified.mechanism().outputs().names().iter().collect();
    let source = audit::draws(&labels, |run, first, secrets: &[u32], outputs: &mut [u32]| {
        rehearsal.draw(&RandomKey::from_seed(instance.seed + run as u64), first, secrets, outputs)
    });
    let secrets = 0..instance.profiles as u32;
    let others = |one: u32| (0..one).map(move |other| audit::Pair { secrets: [other, one], claimed: Some(1000.0) });
    let pairs: Vec<audit::Pair> = secrets.flat_map(others).collect();
    let options = audit::Options { draws: instance.records as u64, ..audit::Options::default() };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(flags.number("threads")?).build()?;
    let times = timed(flags.number("repetitions")?, || {
        let audit = pool.install(|| audit::audit(&pairs, &source, &options))?;
        match audit.worst().bound > 0.0 {
            true => Ok(()),
            false => Err(Failure::from("the audit of different laws found no difference")),
        }
    })?;
    report(instance.records, times);
    Ok(())
}

/// The bare cipher over one small buffer, after a check against the crate's own generator.
fn key_stream(words: usize, repetitions: usize) -> Result<(), Failure> {
    let fresh = || ChaCha12::new(&Key::from([7; 32]), &Nonce::from([0; 12]));
    let (mut buffer, mut expected) = ([0; BUFFER], [0; BUFFER]);
    fresh().apply_keystream(&mut buffer);
    ChaCha12Rng::from_seed([7; 32]).fill_bytes(&mut expected);
    if buffer != expected {
        return Err("the cipher and the generator of the crate give different words".into());
    }
    let buffers = words.div_ceil(BUFFER / 8);
    let times = timed(repetitions, || {
        let mut cipher = fresh();
        for _ in 0..buffers {
            cipher.apply_keystream(black_box(&mut buffer));
        }
        Ok::<(), Failure>(())
    })?;
    report(buffers * BUFFER / 8, times);
    Ok(())
}

/// Reads every field of every record and writes one column, which is what `privatize` reads and writes.
fn copy_csv(input: &str, output: &str, column: &str) -> Result<(), Failure> {
    let start = Instant::now();
    let mut reader = csv::Reader::from_path(input)?;
    let mut writer = csv::Writer::from_path(output)?;
    let place = reader.headers()?.iter().position(|name| name == column).ok_or("no such column")?;
    writer.write_record([column])?;
    let mut record = csv::ByteRecord::new();
    let mut records = 0;
    while reader.read_byte_record(&mut record)? {
        writer.write_record([&record[place]])?;
        records += 1;
    }
    writer.flush()?;
    report(records, vec![start.elapsed().as_secs_f64()]);
    Ok(())
}

/// The seconds that each repetition took, shortest first.
fn timed<E>(repetitions: usize, mut run: impl FnMut() -> Result<(), E>) -> Result<Vec<f64>, E> {
    let mut times = Vec::new();
    for _ in 0..repetitions.max(1) {
        let start = Instant::now();
        run()?;
        times.push(start.elapsed().as_secs_f64());
    }
    times.sort_by(f64::total_cmp);
    Ok(times)
}

fn report(records: usize, times: Vec<f64>) {
    let (best, median) = (times[0], times[times.len() / 2]);
    println!("{{\"records\": {records}, \"seconds\": {best:e}, \"median_seconds\": {median:e}}}");
}

/// `--name value` pairs.
struct Flags(HashMap<String, String>);

impl Flags {
    fn parse(mut words: impl Iterator<Item = String>) -> Result<Self, Failure> {
        let mut flags = HashMap::new();
        while let Some(flag) = words.next() {
            let name = flag.strip_prefix("--").ok_or_else(|| format!("{flag:?}, expected a flag"))?;
            let value = words.next().ok_or_else(|| format!("{flag} without a value"))?;
            flags.insert(name.to_owned(), value);
        }
        Ok(Flags(flags))
    }

    fn text(&self, name: &str) -> Result<&str, Failure> {
        Ok(self.0.get(name).ok_or_else(|| format!("--{name} is missing"))?)
    }

    fn number<T: FromStr<Err: std::error::Error + 'static>>(&self, name: &str) -> Result<T, Failure> {
        self.text(name)?.parse().map_err(|error| format!("--{name}: {error}").into())
    }
}
