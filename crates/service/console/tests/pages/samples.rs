//! The pages' presentation of the models: samples and voices.

use atelier_catalog::Catalog;
use axum::{
    body::Body,
    http::{Request, StatusCode, header},
};

use crate::visit::Visit;

/// The first address of a sample in a page, of a file whose name ends like this.
fn address(page: &str, end: &str) -> String {
    let addresses = page.split("src=\"/account/samples/").skip(1);
    let mut addresses = addresses.map(|rest| rest.split('"').next().unwrap());
    let found = addresses.find(|address| address.ends_with(end));
    format!(
        "/account/samples/{}",
        found.unwrap_or_else(|| panic!("no {end} in {page}"))
    )
}

#[tokio::test]
async fn every_model_shows_its_sample_in_the_list_and_on_its_page() {
    let mut visit = Visit::new("https://atelier.example");
    visit.join().await;
    let (mut list, mut next) = (String::new(), Some("/account/playground".to_owned()));
    while let Some(path) = next {
        let page = visit.get(&path).await.text;
        let rest = page.split("<li hx-get=\"").nth(1);
        let more = rest.map(|rest| rest.split('"').next().unwrap().replace("&#38;", "&"));
        list.push_str(&page);
        next = more;
    }
    let catalog = Catalog::builtin().unwrap();
    for model in catalog.iter() {
        let slug = &model.slug;
        let kind = if model.model_type.as_str() == "audio" {
            "mp3"
        } else {
            "webp"
        };
        let file = address(&list, &format!("/{slug}.{kind}"));
        let page = visit.get(&format!("/account/playground/{slug}")).await;
        assert!(
            page.text.contains(&format!("src=\"{file}\"")),
            "{slug}: {}",
            page.text
        );
        // Texts of the catalog are plain, and a price names its unit. Only the request as code has backticks.
        let texts = page.text.split("id=\"code-title\"").next().unwrap();
        assert!(!texts.contains('`'), "{slug}: {texts}");
        assert!(!texts.contains("per 1<"), "{slug}: {texts}");
        // The engine of this test is not the one that made the samples.
        assert!(
            page.text.contains("Here, something else serves this model."),
            "{slug}"
        );
    }
    assert_eq!(list.matches("draft sample").count(), catalog.iter().len());
    assert!(
        list.contains(
            "alt=\"a lighthouse by the sea at sunset\" width=\"320\" height=\"240\" loading=\"lazy\""
        )
    );
    assert!(list.contains("preload=\"none\" aria-label=\"A sample of "));
}

#[tokio::test]
async fn prices_name_their_unit_and_what_it_costs_at_least() {
    let mut visit = Visit::new("https://atelier.example");
    visit.join().await;
    for (slug, price) in [
        ("image-gen-4", "from 4 credits per image"),
        ("music-gen", "from 12 credits per job"),
        ("tts-v3", "10 credits per 1,000 characters"),
        ("piper", "1 credit per 1,000 characters"),
    ] {
        let page = visit.get(&format!("/account/playground/{slug}")).await.text;
        assert!(page.contains(&format!(">{price}<")), "{slug}: {page}");
    }
}

#[tokio::test]
async fn an_example_fills_the_form_and_tasks_are_found() {
    let mut visit = Visit::new("https://atelier.example");
    visit.join().await;
    for (slug, words) in [
        (
            "tts-v3",
            "The harbour is quiet tonight. A small light moves across the water.",
        ),
        (
            "flux-1-dev",
            "a red sailing boat on a lake, mountains behind it, watercolor",
        ),
    ] {
        let path = format!("/account/playground/{slug}?sample=true");
        let plain = visit.get(&format!("/account/playground/{slug}")).await.text;
        assert!(plain.contains(&format!("<a href=\"{path}\">Fill the form with this example</a>")));
        let filled = visit.get(&path).await.text;
        let field = |page: &str| page.matches(&format!(">{words}</textarea>")).count();
        assert_eq!((field(&plain), field(&filled)), (0, 1), "{filled}");
    }
    let found = visit.get("/account/playground?q=TEXT-TO-SPEECH").await.text;
    assert!(found.contains("href=\"/account/playground/tts-v3\""), "{found}");
    // The sample of a picture tool does not offer its values as a request.
    let tool = visit.get("/account/playground/relight").await.text;
    assert!(!tool.contains("Fill the form"), "{tool}");
}

#[tokio::test]
async fn samples_are_cached_forever_and_sounds_are_served_in_parts() {
    let mut visit = Visit::new("https://atelier.example");
    visit.join().await;
    let page = visit.get("/account/playground/tts-v3").await.text;
    assert_eq!(page.matches("/voice-").count(), 21, "{page}");
    assert!(page.contains("aria-label=\"Wren says: Hello, this is how I sound.\""));
    let voice = address(&page, "/voice-wren.mp3");
    let all = visit.get(&voice).await;
    assert_eq!(
        (
            all.status,
            all.header(header::CONTENT_TYPE),
            all.header(header::CACHE_CONTROL)
        ),
        (
            StatusCode::OK,
            "audio/mpeg",
            "public, max-age=31536000, immutable"
        )
    );
    let part = |range| Request::get(voice.as_str()).header(header::RANGE, range);
    let some = visit.send(part("bytes=2-5"), Body::empty()).await;
    assert_eq!(some.status, StatusCode::PARTIAL_CONTENT);
    assert!(some.header(header::CONTENT_RANGE).starts_with("bytes 2-5/"));
    assert_eq!(some.header(header::CONTENT_LENGTH), "4");
    let rest = visit.send(part("bytes=0-"), Body::empty()).await;
    assert_eq!((rest.status, rest.text), (StatusCode::PARTIAL_CONTENT, all.text));
    let wrong = visit.send(part("bytes=9999999-"), Body::empty()).await;
    assert_eq!(wrong.status, StatusCode::OK);
    let other = visit.get("/account/samples/000000000000/voice-wren.mp3").await;
    assert_eq!(other.header(header::CACHE_CONTROL), "no-store");
    let none = visit.get("/account/samples/000000000000/nothing.mp3").await;
    assert_eq!(none.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn the_page_of_a_model_says_its_licence_its_limits_and_every_price() {
    let mut visit = Visit::new("https://atelier.example");
    visit.join().await;
    let page = visit.get("/account/playground/veo-3-1").await.text;
    let about = page.split("id=\"about-title\"").nth(1).unwrap();
    let about = about.split("</section>").next().unwrap();
    for part in [
        "<dt>Time</dt><dd>ends after 20 min at the latest</dd>",
        "<th scope=\"col\">Sound</th><th scope=\"col\">Resolution</th>",
        "<th scope=\"col\" class=\"number\">Credits per second</th>",
        "<dt>Reference images</dt><dd>PNG, JPG, WEBP, GIF; up to 3 files</dd>",
        "<tr><td>no</td><td>720p</td><td class=\"number\">20</td></tr>",
        "<tr><td>yes</td><td>1080p</td><td class=\"number\">37.5</td></tr>",
    ] {
        assert!(about.contains(part), "{part}: {about}");
    }
    let page = visit.get("/account/playground/f5-tts").await.text;
    assert!(
        page.contains("<dt>Licence</dt><dd>CC-BY-NC-4.0; commercial use: no"),
        "{page}"
    );
    let page = visit.get("/account/playground/video-fast-2").await.text;
    assert!(page.contains("each file at most 30 MiB"), "{page}");
}

#[tokio::test]
async fn anybody_reads_the_fields_rules_and_prices_of_each_model_in_the_documentation() {
    let mut visit = Visit::new("https://atelier.example");
    let list = visit.get("/docs/models").await.text;
    assert_eq!(
        list.matches("<li><p><a href=\"/docs/models/").count(),
        92,
        "{list}"
    );
    assert!(
        list.contains("<h2>Image</h2>") && list.contains("<h2>Tool</h2>"),
        "{list}"
    );
    let page = visit.get("/docs/models/image-gen-4").await.text;
    for part in [
        "<code>prompt</code> <span class=\"faint\">required</span>",
        "One of <code>1K</code>, <code>2K</code>, <code>4K</code>. Default: <code>2K</code>.",
        "&#34;model&#34;: &#34;image-gen-4&#34;",
        "<tr><td>4K</td><td class=\"number\">12</td></tr>",
    ] {
        assert!(page.contains(part), "{part}: {page}");
    }
    assert!(visit.get("/docs").await.text.contains("href=\"/docs/models\""));
    let unknown = visit.get("/docs/models/nothing").await;
    assert_eq!(unknown.status, StatusCode::NOT_FOUND);
}
