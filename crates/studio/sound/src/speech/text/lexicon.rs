//! Abbreviations and signs, and what they stand for.

/// The spoken form of an abbreviation, in lower case and without its full stop. `dotted` says whether one followed.
pub(super) fn abbreviation(word: &str, dotted: bool) -> Option<&'static str> {
    let always = match word {
        "mr" => "mister",
        "mrs" => "missis",
        "ms" => "miz",
        "dr" => "doctor",
        "prof" => "professor",
        "jr" => "junior",
        "sr" => "senior",
        "vs" => "versus",
        "etc" => "et cetera",
        "e.g" | "eg" => "for example",
        "i.e" => "that is",
        "a.m" => "eigh em",
        "p.m" => "pea em",
        "approx" => "approximately",
        "dept" => "department",
        "govt" => "government",
        _ => "",
    };
    if !always.is_empty() {
        return Some(always);
    }
    let with_dot = match word {
        "st" => "saint",
        "no" => "number",
        "fig" => "figure",
        "gen" => "general",
        "sgt" => "sergeant",
        "capt" => "captain",
        "inc" => "incorporated",
        "ltd" => "limited",
        "corp" => "corporation",
        "ave" => "avenue",
        "blvd" => "boulevard",
        "rd" => "road",
        "vol" => "volume",
        "jan" => "january",
        "feb" => "february",
        "aug" => "august",
        "sept" | "sep" => "september",
        "oct" => "october",
        "nov" => "november",
        "dec" => "december",
        _ => return None,
    };
    dotted.then_some(with_dot)
}

/// The name of a unit after a number: singular and plural.
pub(super) fn unit(text: &str) -> Option<(&'static str, &'static str)> {
    Some(match text {
        "%" => ("percent", "percent"),
        "km" => ("kilometer", "kilometers"),
        "m" => ("meter", "meters"),
        "cm" => ("centimeter", "centimeters"),
        "mm" => ("millimeter", "millimeters"),
        "mi" => ("mile", "miles"),
        "ft" => ("foot", "feet"),
        "kg" => ("kilogram", "kilograms"),
        "g" => ("gram", "grams"),
        "mg" => ("milligram", "milligrams"),
        "lb" | "lbs" => ("pound", "pounds"),
        "oz" => ("ounce", "ounces"),
        "l" | "L" => ("liter", "liters"),
        "ml" => ("milliliter", "milliliters"),
        "s" | "sec" => ("second", "seconds"),
        "ms" => ("millisecond", "milliseconds"),
        "min" => ("minute", "minutes"),
        "h" | "hr" | "hrs" => ("hour", "hours"),
        "km/h" | "kph" => ("kilometer per hour", "kilometers per hour"),
        "mph" => ("mile per hour", "miles per hour"),
        "m/s" => ("meter per second", "meters per second"),
        "Hz" => ("hertz", "hertz"),
        "kHz" => ("kilohertz", "kilohertz"),
        "MHz" => ("megahertz", "megahertz"),
        "GHz" => ("gigahertz", "gigahertz"),
        "kB" | "KB" => ("kilobyte", "kilobytes"),
        "MB" => ("megabyte", "megabytes"),
        "GB" => ("gigabyte", "gigabytes"),
        "TB" => ("terabyte", "terabytes"),
        "W" => ("watt", "watts"),
        "kW" => ("kilowatt", "kilowatts"),
        "V" => ("volt", "volts"),
        "\u{b0}" => ("degree", "degrees"),
        "\u{b0}C" => ("degree celsius", "degrees celsius"),
        "\u{b0}F" => ("degree fahrenheit", "degrees fahrenheit"),
        _ => return None,
    })
}

/// The name of a currency sign: singular, plural, and its hundredth.
pub(super) fn currency(sign: char) -> Option<(&'static str, &'static str, &'static str)> {
    Some(match sign {
        '$' => ("dollar", "dollars", "cents"),
        '\u{20ac}' => ("euro", "euros", "cents"),
        '\u{a3}' => ("pound", "pounds", "pence"),
        '\u{a5}' => ("yen", "yen", "sen"),
        '\u{20b9}' => ("rupee", "rupees", "paise"),
        _ => return None,
    })
}

/// A power of ten after a number: "$5 million", "3bn".
pub(super) fn magnitude(word: &str) -> Option<&'static str> {
    Some(match word {
        "k" | "K" | "thousand" => "thousand",
        "m" | "M" | "million" => "million",
        "bn" | "B" | "billion" => "billion",
        "tn" | "T" | "trillion" => "trillion",
        _ => return None,
    })
}

/// The spoken name of a sign.
pub(super) fn sign(letter: char) -> Option<&'static str> {
    Some(match letter {
        '&' => "and",
        '@' => "at",
        '%' => "percent",
        '+' => "plus",
        '=' => "equals",
        '#' => "hash",
        '$' => "dollar",
        '\u{20ac}' => "euro",
        '\u{a3}' => "pound",
        '\u{a7}' => "section",
        '\u{b0}' => "degrees",
        '\u{d7}' => "times",
        '\u{f7}' => "divided by",
        '\u{a9}' => "copyright",
        _ => return None,
    })
}

/// The month of a number 1 to 12.
pub(super) fn month(number: &str) -> Option<&'static str> {
    const MONTHS: [&str; 12] = [
        "january",
        "february",
        "march",
        "april",
        "may",
        "june",
        "july",
        "august",
        "september",
        "october",
        "november",
        "december",
    ];
    let index = number.parse::<usize>().ok()?.checked_sub(1)?;
    MONTHS.get(index).copied()
}

pub(super) fn is_month(word: &str) -> bool {
    matches!(
        word,
        "january"
            | "february"
            | "march"
            | "april"
            | "may"
            | "june"
            | "july"
            | "august"
            | "september"
            | "october"
            | "november"
            | "december"
    )
}
