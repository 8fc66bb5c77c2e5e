//! Numbers in English words.

const ONES: [&str; 20] = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
];
const TENS: [&str; 10] = [
    "", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety",
];
const THOUSANDS: [&str; 5] = ["", "thousand", "million", "billion", "trillion"];

/// 1984 → "one thousand nine hundred eighty four". Numbers of more than fifteen digits are read digit by digit.
pub(super) fn cardinal(digits: &str) -> String {
    let Some(number) = digits
        .parse::<u64>()
        .ok()
        .filter(|number| *number < 1_000_000_000_000_000)
    else {
        return one_by_one(digits);
    };
    if number == 0 {
        return ONES[0].to_owned();
    }
    let mut words = Vec::new();
    for power in (0..THOUSANDS.len()).rev() {
        let group = (number / 1_000_u64.pow(power as u32) % 1_000) as usize;
        if group == 0 {
            continue;
        }
        below_thousand(group, &mut words);
        if power > 0 {
            words.push(THOUSANDS[power]);
        }
    }
    words.join(" ")
}

fn below_thousand(number: usize, words: &mut Vec<&'static str>) {
    if number >= 100 {
        words.extend([ONES[number / 100], "hundred"]);
    }
    let rest = number % 100;
    if rest >= 20 {
        words.push(TENS[rest / 10]);
    }
    match rest {
        0 => {}
        1..20 => words.push(ONES[rest]),
        _ if !rest.is_multiple_of(10) => words.push(ONES[rest % 10]),
        _ => {}
    }
}

/// 21 → "twenty first".
pub(super) fn ordinal(digits: &str) -> String {
    let cardinal = cardinal(digits);
    let (head, last) = cardinal
        .rsplit_once(' ')
        .map_or(("", cardinal.as_str()), |(head, last)| (head, last));
    let last = match last {
        "one" => "first".to_owned(),
        "two" => "second".to_owned(),
        "three" => "third".to_owned(),
        "five" => "fifth".to_owned(),
        "eight" => "eighth".to_owned(),
        "nine" => "ninth".to_owned(),
        "twelve" => "twelfth".to_owned(),
        tens if tens.ends_with('y') => format!("{}ieth", tens.trim_end_matches('y')),
        other => format!("{other}th"),
    };
    if head.is_empty() {
        last
    } else {
        format!("{head} {last}")
    }
}

/// 1984 → "nineteen eighty four", 2005 → "two thousand five".
pub(super) fn year(digits: &str) -> String {
    let number: u32 = digits.parse().unwrap_or_default();
    let (century, rest) = (number / 100, number % 100);
    if digits.len() != 4 || number % 1_000 < 10 {
        return cardinal(digits);
    }
    let century = cardinal(&century.to_string());
    match rest {
        0 => format!("{century} hundred"),
        1..10 => format!("{century} oh {}", ONES[rest as usize]),
        _ => format!("{century} {}", cardinal(&rest.to_string())),
    }
}

/// 007 → "zero zero seven".
pub(super) fn one_by_one(digits: &str) -> String {
    let words: Vec<&str> = digits
        .chars()
        .filter_map(|digit| digit.to_digit(10))
        .map(|digit| ONES[digit as usize])
        .collect();
    words.join(" ")
}

/// 3.14 → "three point one four", 1,200 → "one thousand two hundred", 007 → digits. Returns `None` if the text is not
/// a number.
pub(super) fn decimal(text: &str) -> Option<String> {
    let (sign, rest) = match text.strip_prefix(['-', '\u{2212}']) {
        Some(rest) => ("minus ", rest),
        None => ("", text.strip_prefix('+').unwrap_or(text)),
    };
    let (whole, fraction) = match rest.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (rest, None),
    };
    let plain = ungrouped(whole)?;
    let whole = match plain.as_str() {
        "" => "zero".to_owned(),
        zeros if zeros.len() > 1 && zeros.starts_with('0') => one_by_one(zeros),
        digits => cardinal(digits),
    };
    match fraction {
        None if plain.is_empty() => None,
        None => Some(format!("{sign}{whole}")),
        Some(fraction) if is_digits(fraction) => {
            Some(format!("{sign}{whole} point {}", one_by_one(fraction)))
        }
        Some(_) => None,
    }
}

/// "1,234,567" without its commas, which must be at the thousands.
pub(super) fn ungrouped(text: &str) -> Option<String> {
    if text.is_empty() || is_digits(text) {
        return Some(text.to_owned());
    }
    let mut groups = text.split(',');
    let first = groups.next()?;
    let good =
        is_digits(first) && first.len() <= 3 && groups.all(|group| group.len() == 3 && is_digits(group));
    good.then(|| text.replace(',', ""))
}

pub(super) fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_as_people_say_them() {
        for (digits, said) in [
            ("0", "zero"),
            ("13", "thirteen"),
            ("80", "eighty"),
            ("105", "one hundred five"),
            ("1000000", "one million"),
            ("2300017", "two million three hundred thousand seventeen"),
        ] {
            assert_eq!(cardinal(digits), said);
        }
        for (digits, said) in [
            ("1", "first"),
            ("12", "twelfth"),
            ("30", "thirtieth"),
            ("42", "forty second"),
        ] {
            assert_eq!(ordinal(digits), said);
        }
        for (digits, said) in [
            ("1984", "nineteen eighty four"),
            ("1900", "nineteen hundred"),
            ("1905", "nineteen oh five"),
            ("2000", "two thousand"),
            ("2008", "two thousand eight"),
            ("2024", "twenty twenty four"),
        ] {
            assert_eq!(year(digits), said);
        }
        for (text, said) in [
            ("3.14", Some("three point one four")),
            ("-5", Some("minus five")),
            ("1,200", Some("one thousand two hundred")),
            ("007", Some("zero zero seven")),
            (".5", Some("zero point five")),
            ("1,20", None),
            ("1.2.3", None),
            ("", None),
            ("-", None),
        ] {
            assert_eq!(decimal(text).as_deref(), said, "{text}");
        }
    }
}
