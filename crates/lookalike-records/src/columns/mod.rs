//! Records as codes: batches, where they come from and go to, what they are read as, and what draws for them.

mod batch;
mod batch_mechanism;
mod bins;
mod coding;
mod column_names;
mod counts;
mod csv_column;
mod encode;
mod encoders;
mod fault;
mod growing;
mod json_members;
mod record_id;
mod schema;
mod short_batches;
mod stream;
mod weight;

pub use batch::Batch;
pub(crate) use batch::Group;
pub use batch_mechanism::BatchMechanism;
pub use bins::Bins;
pub(crate) use coding::Coding;
pub use column_names::{ColumnNames, NamesOf};
pub use counts::CountLabels;
pub(crate) use csv_column::{Coded, Header};
pub use encode::{Encode, Encoder, Labels};
pub use encoders::{category_encoder, profile_encoder, value_encoder};
pub use fault::at_field;
pub use growing::GrowingLabels;
pub(crate) use json_members::{Kind, Members, NotAnObject, Token};
pub use record_id::{Id, NameRecords, RecordId};
pub use schema::RecordSchema;
pub(crate) use schema::{plain, plain_type};
pub use short_batches::ShortBatches;
pub use stream::{RecordSink, RecordSource};
pub(crate) use weight::weight;
