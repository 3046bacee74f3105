//! JSON as people like to read it: lists of plain values on one line, everything else indented.

use serde_json::Value;

/// The text of a value, with a line feed at the end. The same value gives the same bytes.
///
/// # Example
/// ```
/// let value = serde_json::json!({"name": "ana", "row": [1, 2], "rows": [[1, 2], [3, 4]]});
/// let text = "{\n  \"name\": \"ana\",\n  \"row\": [1, 2],\n  \"rows\": [\n    [1, 2],\n    [3, 4]\n  ]\n}\n";
/// assert_eq!(lookalike_formats::json_text(&value), text);
/// ```
pub fn json_text(value: &Value) -> String {
    indented(value, 0) + "\n"
}

/// The text of a value that begins after `depth` levels of indentation.
pub(crate) fn indented(value: &Value, depth: usize) -> String {
    let mut text = String::new();
    write(value, depth, &mut text);
    text
}

fn write(value: &Value, depth: usize, text: &mut String) {
    match value {
        Value::Array(items) if items.iter().all(is_plain) => {
            let plain: Vec<String> = items.iter().map(Value::to_string).collect();
            *text += &format!("[{}]", plain.join(", "));
        }
        Value::Array(items) => {
            block(text, depth, ('[', ']'), items.iter(), |item, text| write(item, depth + 1, text));
        }
        Value::Object(entries) if entries.is_empty() => text.push_str("{}"),
        Value::Object(entries) => block(text, depth, ('{', '}'), entries.iter(), |(key, value), text| {
            *text += &format!("{}: ", Value::from(key.as_str()));
            write(value, depth + 1, text);
        }),
        plain => *text += &plain.to_string(),
    }
}

fn is_plain(value: &Value) -> bool {
    !matches!(value, Value::Array(_) | Value::Object(_))
}

fn block<T>(
    text: &mut String,
    depth: usize,
    (open, close): (char, char),
    items: impl Iterator<Item = T>,
    mut write_item: impl FnMut(T, &mut String),
) {
    text.push(open);
    for (at, item) in items.enumerate() {
        text.push_str(if at == 0 { "\n" } else { ",\n" });
        *text += &"  ".repeat(depth + 1);
        write_item(item, text);
    }
    text.push('\n');
    *text += &"  ".repeat(depth);
    text.push(close);
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_text_reads_back_as_the_value() {
        let value =
            json!({"a": {}, "b": [], "c": [[]], "d": {"e": [{"f": null}], "g\"": "h\n"}, "i": 0.1, "j": u64::MAX});
        assert_eq!(serde_json::from_str::<Value>(&json_text(&value)).unwrap(), value);
    }
}
