//! Texts in pictures: how wide they are at most, and how they are made to fit.

/// The size of all texts but titles, in units of a picture.
pub(super) const SIZE: f64 = 13.0;
/// The size of titles.
pub(super) const TITLE_SIZE: f64 = 15.0;
/// From one line of text to the next.
pub(super) const LINE: f64 = 18.0;

/// An upper estimate of the width of a text: fonts differ, and the reader's is not known.
pub(super) fn width(text: &str, size: f64) -> f64 {
    text.chars().map(ems).sum::<f64>() * size
}

fn ems(character: char) -> f64 {
    match character {
        'i' | 'j' | 'l' | '.' | ',' | ':' | ';' | '|' | '!' | '\'' | ' ' => 0.36,
        'f' | 't' | 'r' | '(' | ')' | '[' | ']' | '/' | '-' | '\u{2026}' => 0.48,
        'm' | 'w' | 'M' | 'W' | '@' | '%' | '\u{2014}' => 1.0,
        'A'..='Z' | '&' | '#' | '+' | '<' | '=' | '>' | '~' => 0.78,
        ' '..='~' => 0.63,
        // Marks that stand on the letter before them.
        '\u{300}'..='\u{36f}' => 0.0,
        '\u{80}'..='\u{10ff}' => 0.85,
        _ => 1.2,
    }
}

/// The character, or a stand-in for one that no HTML or SVG file may hold.
pub(crate) fn allowed(character: char) -> char {
    if character.is_control() || matches!(character, '\u{fffe}' | '\u{ffff}') { '\u{fffd}' } else { character }
}

/// A name as it may stand in a picture.
pub(super) fn clean(text: &str) -> String {
    text.chars().map(allowed).collect()
}

/// The text, or as much of its beginning as fits with an ellipsis.
pub(super) fn shorten(text: &str, most: f64, size: f64) -> String {
    let text = clean(text);
    if width(&text, size) <= most {
        return text;
    }
    let mut kept = String::new();
    let mut used = width("…", size);
    for character in text.chars() {
        used += ems(character) * size;
        if used > most {
            break;
        }
        kept.push(character);
    }
    kept + "…"
}

/// The text in at most `lines` lines, broken at blanks; the last one is shortened.
pub(super) fn wrap(text: &str, most: f64, size: f64, lines: usize) -> Vec<String> {
    let mut wrapped: Vec<String> = Vec::new();
    for word in clean(text).split_whitespace() {
        match wrapped.last_mut() {
            Some(line) if width(line, size) + width(" ", size) + width(word, size) <= most => {
                *line += " ";
                *line += word;
            }
            _ => wrapped.push(word.to_owned()),
        }
    }
    if wrapped.len() > lines {
        let rest = wrapped.split_off(lines - 1).join(" ");
        wrapped.push(rest);
    }
    wrapped.iter().map(|line| shorten(line, most, size)).collect()
}

/// A coordinate with at most two decimals.
pub(super) fn coordinate(value: f64) -> String {
    let text = format!("{value:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

/// A value for people: three significant digits, and an exponent where there would be many zeros.
pub(super) fn figure(value: f64) -> String {
    if value == 0.0 || !value.is_finite() {
        return if value == 0.0 { "0".to_owned() } else { value.to_string() };
    }
    // Below this a value is the last bits of floats, which differ from processor to processor.
    if value.abs() < 1e-9 {
        return "< 1e-9".to_owned();
    }
    let magnitude = value.abs().log10().floor();
    if !(-4.0..6.0).contains(&magnitude) {
        return format!("{value:.2e}");
    }
    let text = format!("{value:.*}", (2.0 - magnitude).max(0.0) as usize);
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shortened_texts_fit_and_texts_that_fit_stay() {
        assert_eq!(shorten("idle", 100.0, SIZE), "idle");
        for text in ["a very long name of a profile", "Ω".repeat(50).as_str(), "漢字".repeat(20).as_str()] {
            let short = shorten(text, 60.0, SIZE);
            assert!(short.ends_with('…') && width(&short, SIZE) <= 60.0, "{short}");
        }
        assert_eq!(shorten("a\u{1}b\nc", 100.0, SIZE), "a\u{fffd}b\u{fffd}c");
    }

    #[test]
    fn wrapped_texts_keep_their_words_while_there_is_room() {
        let text = "the error of each profile beside that of local differential privacy";
        let lines = wrap(text, 200.0, SIZE, 9);
        assert!(lines.len() > 1 && lines.iter().all(|line| width(line, SIZE) <= 200.0));
        assert_eq!(lines.join(" "), text);
        let cut = wrap(text, 200.0, SIZE, 2);
        assert!(cut.len() == 2 && cut[1].ends_with('…') && width(&cut[1], SIZE) <= 200.0);
        assert!(wrap("", 200.0, SIZE, 2).is_empty());
    }

    #[test]
    fn numbers_are_short() {
        assert_eq!([0.0, -0.001, 1.005, 12.345, 7.0].map(coordinate), ["0", "0", "1", "12.35", "7"].map(String::from));
        let shown = [0.0, 0.5, 0.123456, 12345.6, 0.00012, 1e-8, 1e-14, 2e7, -0.25].map(figure);
        assert_eq!(
            shown,
            ["0", "0.5", "0.123", "12346", "0.00012", "1.00e-8", "< 1e-9", "2.00e7", "-0.25"].map(String::from)
        );
    }
}
