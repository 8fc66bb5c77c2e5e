//! The slugs that a mistyped one may mean.

/// The most that a message names.
const MOST: usize = 3;

/// Those of these slugs that are similar to this one or contain it, in backticks and joined by "or", the most similar
/// first; `None` if there is none.
pub fn similar<'a>(slug: &str, slugs: impl Iterator<Item = &'a str>) -> Option<String> {
    let mut likely: Vec<_> = slugs
        .map(|known| (strsim::jaro_winkler(known, slug), known))
        .filter(|(likeness, known)| *likeness > 0.75 || (!slug.is_empty() && known.contains(slug)))
        .collect();
    likely.sort_by(|a, b| b.0.total_cmp(&a.0));
    let named: Vec<_> = likely
        .iter()
        .take(MOST)
        .map(|(_, known)| format!("`{known}`"))
        .collect();
    (!named.is_empty()).then(|| named.join(" or "))
}

/// What a message says after a name that nothing has: the similar ones, or only a colon.
pub fn did_you_mean<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> String {
    similar(name, known).map_or_else(|| ":".to_owned(), |similar| format!("; did you mean {similar}?"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SLUGS: [&str; 4] = ["image-gen-4", "upscale", "video-gen-1-0", "z-image-turbo"];

    #[test]
    fn a_mistyped_slug_leads_to_similar_ones_and_to_those_that_contain_it() {
        let similar = |slug| similar(slug, SLUGS.into_iter());
        assert_eq!(similar("image-gen4").unwrap(), "`image-gen-4`");
        assert_eq!(similar("turbo").unwrap(), "`z-image-turbo`");
        assert_eq!(similar("qqq"), None);
        assert_eq!(similar(""), None);
    }
}
