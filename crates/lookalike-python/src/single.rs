//! One value, without the way of columns.

use crate::error::Answer;
use crate::list;
use crate::release::fresh_key;
use arrow_schema::DataType;
use lookalike::certify::Certified;
use lookalike::model::{Mechanism, Oracle};
use lookalike::sample::{OracleSampler, Sampler};
use lookalike_engine::records::{Encoder, LabelArrays, category_encoder, profile_encoder, value_encoder};
use lookalike_engine::{NoiseTables, NoisyNumber};
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::{PyFloat, PyInt, PyList, PyString};

/// What a call with one value needs, made once for a mechanism.
///
/// There is no randomness in it: each call takes a key of its own from the operating system, so that a copy of the process has
/// nothing that it could use a second time.
pub struct Single {
    profile: Option<Encoder>,
    value: Encoder,
    /// What is released for texts, and for whole numbers: the same objects that lists get.
    texts: Vec<Py<PyAny>>,
    numbers: Vec<Py<PyAny>>,
}

impl Single {
    pub fn new(py: Python<'_>, mechanism: &Mechanism) -> Answer<Self> {
        let names: Vec<String> = mechanism.outputs().names().iter().map(str::to_owned).collect();
        let labels = |data_type| list::objects(py, LabelArrays::new(&names, &data_type).labels());
        Ok(Single {
            profile: profile_encoder(mechanism)?,
            value: value_encoder(mechanism, None)?.0,
            texts: labels(DataType::Utf8)?,
            numbers: labels(DataType::Int64)?,
        })
    }

    /// What is released for a value, with a profile where profiles have channels of their own; each is a text, a whole number or
    /// a list of one. None for anything else, and for what has no code: the way of columns takes it, or says what is wrong.
    pub fn release(
        &self,
        sampler: &Sampler,
        profile: Option<&Bound<'_, PyAny>>,
        value: &Bound<'_, PyAny>,
    ) -> Answer<Option<Py<PyAny>>> {
        let py = value.py();
        let Some((item, is_list)) = only(value)? else { return Ok(None) };
        let profiles = match (&self.profile, profile) {
            (None, None) => None,
            (Some(encoder), Some(profile)) => match only(profile)? {
                Some((profile, same)) if same == is_list => match code(encoder, &profile)? {
                    Some(code) => Some([code]),
                    None => return Ok(None),
                },
                _ => return Ok(None),
            },
            _ => return Ok(None),
        };
        let Some(code) = code(&self.value, &item)? else { return Ok(None) };
        let mut released = [0];
        sampler.privatize(&fresh_key()?, 0, profiles.as_ref().map(|codes| &codes[..]), &[code], &mut released)?;
        let labels = if item.is_exact_instance_of::<PyString>() { &self.texts } else { &self.numbers };
        let label = labels[released[0] as usize].clone_ref(py);
        Ok(Some(if is_list { PyList::new(py, [label])?.into_py_any(py)? } else { label }))
    }
}

/// The same for reports, which are texts.
pub struct SingleReport {
    value: Encoder,
    sampler: OracleSampler,
    oracle: Oracle,
}

impl SingleReport {
    pub fn new(certified: &Certified<Oracle>) -> Answer<Self> {
        let oracle = certified.mechanism().clone();
        let value = category_encoder(oracle.categories())?;
        Ok(SingleReport { value, sampler: OracleSampler::new(certified), oracle })
    }

    /// The report on a value, or a list of one; see [`Single::release`].
    pub fn release(&self, value: &Bound<'_, PyAny>) -> Answer<Option<Py<PyAny>>> {
        let py = value.py();
        let Some((item, is_list)) = only(value)? else { return Ok(None) };
        let Some(code) = code(&self.value, &item)? else { return Ok(None) };
        let reports = self.sampler.privatize(&fresh_key()?, 0, &[code])?;
        let text = reports.iter().map(|report| self.oracle.text(report)).collect::<String>().into_py_any(py)?;
        Ok(Some(if is_list { PyList::new(py, [text])?.into_py_any(py)? } else { text }))
    }
}

/// A number with noise, or a list of one; none for what the way of columns takes.
pub fn with_noise(tables: &NoiseTables, value: &Bound<'_, PyAny>) -> Answer<Option<Py<PyAny>>> {
    let py = value.py();
    let Some((item, is_list)) = only(value)? else { return Ok(None) };
    let noisy = if item.is_exact_instance_of::<PyInt>() {
        // A longer number has no short way.
        let Ok(number) = item.extract::<i64>() else { return Ok(None) };
        tables.whole(&fresh_key()?, number)?
    } else if let Ok(number) = item.cast_exact::<PyFloat>() {
        if !number.value().is_finite() {
            return Ok(None);
        }
        tables.real(&fresh_key()?, number.value())?
    } else {
        return Ok(None);
    };
    let object = match noisy {
        NoisyNumber::Whole(number) => number.into_py_any(py)?,
        NoisyNumber::Real(number) => number.into_py_any(py)?,
    };
    Ok(Some(if is_list { PyList::new(py, [object])?.into_py_any(py)? } else { object }))
}

/// A text or a number, or the only item of a list if it is one, and whether it was in a list.
///
/// Types that look like these, such as booleans and the scalars of numpy, go by the way of columns, which knows them.
fn only<'py>(object: &Bound<'py, PyAny>) -> Answer<Option<(Bound<'py, PyAny>, bool)>> {
    let found = match object.cast_exact::<PyList>() {
        Ok(list) if list.len() == 1 => (list.get_item(0)?, true),
        Ok(_) => return Ok(None),
        Err(_) => (object.clone(), false),
    };
    let item = &found.0;
    let is_plain = item.is_exact_instance_of::<PyString>()
        || item.is_exact_instance_of::<PyInt>()
        || item.is_exact_instance_of::<PyFloat>();
    Ok(is_plain.then_some(found))
}

/// Whether something may go the short way.
pub fn is_one(object: &Bound<'_, PyAny>) -> Answer<bool> {
    Ok(only(object)?.is_some())
}

/// The code of a text or a whole number by its digits, as in a column.
fn code(encoder: &Encoder, item: &Bound<'_, PyAny>) -> Answer<Option<u32>> {
    if let Ok(text) = item.cast_exact::<PyString>() {
        return Ok(encoder.encode(&text.to_cow()?));
    }
    if !item.is_exact_instance_of::<PyInt>() {
        return Ok(None);
    }
    Ok(item.extract::<i64>().ok().and_then(|number| encoder.encode(&number.to_string())))
}
