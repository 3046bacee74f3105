//! People like those of UCI Adult, who do not exist.

use std::fmt::Write;

/// So many lines of a file like `adult.data`, with its empty last line.
pub fn people(count: u32) -> String {
    let mut text = String::new();
    for at in 0..count {
        // Any mixture will do, as long as neighbours differ.
        let mixed = at.wrapping_mul(2_654_435_761) >> 16;
        let age = 17 + mixed % 40;
        let sex = if mixed.is_multiple_of(3) { "Female" } else { "Male" };
        let income = if mixed.is_multiple_of(5) { ">50K" } else { "<=50K" };
        writeln!(text, "{age}, Private, {at}, HS-grad, 9, Divorced, ?, Unmarried, White, {sex}, 0, 0, 40, ?, {income}")
            .unwrap();
    }
    text + "\n"
}
