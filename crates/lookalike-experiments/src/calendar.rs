//! Days and times of day as numbers.

/// The days since 1 March of the year 0; `None` for what is no date.
///
/// With the year beginning in March a leap day is its last, and the months have 31, 30, 31, 30, 31 days over and over.
pub(crate) fn day(year: &str, month: &str, day: &str) -> Option<i64> {
    let [year, month, day] = [number(year)?, number(month)?, number(day)?];
    if !(1..=12).contains(&month) || !(1..=31).contains(&day) {
        return None;
    }
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    Some(365 * year + year / 4 - year / 100 + year / 400 + (153 * month + 2) / 5 + day - 1)
}

/// Hours, minutes and seconds of `HH:MM:SS`; `None` for what is no time of day.
pub(crate) fn time(text: &str) -> Option<[i64; 3]> {
    let parts: Vec<i64> = text.split(':').map(number).collect::<Option<_>>()?;
    let parts: [i64; 3] = parts.try_into().ok()?;
    (parts[0] < 24 && parts[1] < 60 && parts[2] < 60).then_some(parts)
}

/// A number of up to four digits.
fn number(text: &str) -> Option<i64> {
    let is_number = (1..=4).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    if is_number { text.parse().ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_follow_each_other() {
        let days = [
            ("2011", "12", "31"),
            ("2012", "01", "01"),
            ("2012", "02", "28"),
            ("2012", "02", "29"),
            ("2012", "03", "01"),
        ];
        let days: Vec<i64> = days.into_iter().map(|(y, m, d)| day(y, m, d).unwrap()).collect();
        assert_eq!(days.windows(2).map(|pair| pair[1] - pair[0]).collect::<Vec<_>>(), [1, 58, 1, 1]);
        assert_eq!(day("2100", "3", "1").unwrap() - day("2100", "2", "28").unwrap(), 1);
        assert_eq!(
            [day("2011", "13", "1"), day("2011", "1", "0"), day("", "1", "1"), day("2011", "+1", "1")],
            [None; 4]
        );
    }

    #[test]
    fn times_of_day() {
        assert_eq!(time("23:05:59"), Some([23, 5, 59]));
        assert_eq!([time("24:00:00"), time("1:2"), time("1:2:3:4"), time("a:b:c"), time("01:60:00")], [None; 5]);
    }
}
