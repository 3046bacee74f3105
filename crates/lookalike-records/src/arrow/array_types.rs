//! Which Arrow types can be categories, and how types are named in errors.

use arrow_schema::DataType;

/// Whether the values are texts.
pub(crate) fn is_text(data_type: &DataType) -> bool {
    matches!(data_type, DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View)
}

/// Says what is wrong with a type of a column that is matched with names, put into bins, or part of a joint category.
pub(crate) fn check(data_type: &DataType, bins: bool, joint: bool) -> Result<(), String> {
    let single = match data_type {
        DataType::Dictionary(_, value) if !matches!(**value, DataType::Dictionary(..)) => value,
        other => other,
    };
    let fraction = matches!(
        single,
        DataType::Float32
            | DataType::Float64
            | DataType::Decimal32(..)
            | DataType::Decimal64(..)
            | DataType::Decimal128(..)
    );
    let fits = match single {
        // Every row of it is an error, but there may be no row.
        DataType::Null => true,
        _ if is_text(single) || single.is_integer() => true,
        DataType::Boolean => !bins,
        _ => fraction && bins && !joint,
    };
    if fits {
        return Ok(());
    }
    let expected = match (bins, fraction) {
        (true, _) => "text or numbers for bins",
        (false, true) => "text, whole numbers or booleans (numbers with a fraction need bins in the spec)",
        (false, false) => "text, whole numbers or booleans",
    };
    Err(format!("the type is {}, expected {expected}", name(data_type)))
}

/// The name of a type. Types of fields within are left out: their names are not ours to show.
pub fn name(data_type: &DataType) -> String {
    match data_type {
        DataType::List(_) | DataType::LargeList(_) | DataType::ListView(_) | DataType::LargeListView(_) => {
            "List".into()
        }
        DataType::FixedSizeList(..) => "FixedSizeList".into(),
        DataType::Struct(_) => "Struct".into(),
        DataType::Map(..) => "Map".into(),
        DataType::Union(..) => "Union".into(),
        DataType::RunEndEncoded(..) => "RunEndEncoded".into(),
        DataType::Dictionary(key, value) => format!("Dictionary({}, {})", name(key), name(value)),
        DataType::Timestamp(unit, _) => format!("Timestamp({unit})"),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_that_cannot_be_categories_are_named() {
        let error = |data_type: DataType, bins, joint| check(&data_type, bins, joint).unwrap_err();
        assert_eq!(
            error(DataType::Date32, false, false),
            "the type is Date32, expected text, whole numbers or booleans"
        );
        assert_eq!(
            error(DataType::Float64, false, false),
            "the type is Float64, expected text, whole numbers or booleans (numbers with a fraction need bins in the spec)"
        );
        assert_eq!(error(DataType::Boolean, true, false), "the type is Boolean, expected text or numbers for bins");
        assert_eq!(
            error(DataType::Dictionary(Box::new(DataType::Int8), Box::new(DataType::Binary)), false, false),
            "the type is Dictionary(Int8, Binary), expected text, whole numbers or booleans"
        );
        assert_eq!(error(DataType::Float32, true, true), "the type is Float32, expected text or numbers for bins");
        for (data_type, bins) in [
            (DataType::Float32, true),
            (DataType::Decimal128(10, 2), true),
            (DataType::Int64, true),
            (DataType::UInt8, false),
            (DataType::Boolean, false),
            (DataType::Utf8View, true),
            (DataType::Dictionary(Box::new(DataType::UInt64), Box::new(DataType::LargeUtf8)), false),
            (DataType::Null, false),
        ] {
            check(&data_type, bins, false).unwrap();
        }
    }
}
