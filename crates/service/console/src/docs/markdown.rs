//! Renders our own Markdown as HTML, with anchors for headings and tables that scroll on small screens.

use std::fmt::Write as _;

use pulldown_cmark::{CowStr, Event, HeadingLevel, Options, Parser, Tag, TagEnd, html::push_html};

pub(super) fn html(markdown: &str) -> String {
    let events: Vec<Event<'_>> = Parser::new_ext(markdown, Options::ENABLE_TABLES).collect();
    let mut shaped = Vec::with_capacity(events.len() + 16);
    for (index, event) in events.iter().enumerate() {
        match event {
            Event::Start(Tag::Heading {
                level,
                classes,
                attrs,
                ..
            }) if *level != HeadingLevel::H1 => {
                shaped.push(Event::Start(Tag::Heading {
                    level: *level,
                    id: Some(CowStr::from(anchor(&events[index + 1..]))),
                    classes: classes.clone(),
                    attrs: attrs.clone(),
                }));
            }
            Event::Start(Tag::Table(_)) => {
                shaped.push(Event::Html(CowStr::from(
                    r#"<div class="table-frame" tabindex="0" role="group" aria-label="Table">"#,
                )));
                shaped.push(event.clone());
            }
            Event::End(TagEnd::Table) => {
                shaped.push(event.clone());
                shaped.push(Event::Html(CowStr::from("</div>")));
            }
            other => shaped.push(other.clone()),
        }
    }
    let mut html = String::with_capacity(markdown.len() * 2);
    push_html(&mut html, shaped.into_iter());
    with_copy_buttons(&html)
}

/// Code with a button that copies it. Wide code can be scrolled by keyboard.
fn with_copy_buttons(html: &str) -> String {
    let mut parts = html.split("<pre><code");
    let mut shaped = parts.next().unwrap_or_default().to_owned();
    for (index, part) in parts.enumerate() {
        let _ = write!(
            shaped,
            "<div class=\"code\"><button type=\"button\" class=\"button small copy js-only\" \
             data-copy=\"code-{index}\">Copy</button><pre tabindex=\"0\"><code id=\"code-{index}\"{}",
            part.replacen("</pre>", "</pre></div>", 1)
        );
    }
    shaped
}

/// The heading's words in lower case, joined by hyphens.
fn anchor(rest: &[Event<'_>]) -> String {
    let words = rest
        .iter()
        .take_while(|event| !matches!(event, Event::End(TagEnd::Heading(_))))
        .filter_map(|event| match event {
            Event::Text(text) | Event::Code(text) => Some(text.to_string()),
            _ => None,
        })
        .collect::<String>()
        .to_lowercase();
    let parts: Vec<&str> = words
        .split(|letter: char| !letter.is_alphanumeric())
        .filter(|part| !part.is_empty())
        .collect();
    parts.join("-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_have_anchors_and_code_is_escaped() {
        let html = html("# T\n\n## Verify the signature\n\n```\n<b>&\n```\n");
        assert!(html.contains(r#"<h2 id="verify-the-signature">"#), "{html}");
        assert!(html.contains("&lt;b&gt;&amp;"), "{html}");
    }

    #[test]
    fn each_block_of_code_has_its_own_copy_button() {
        let html = html("```sh\nls\n```\n\ntext `code`\n\n```\npwd\n```\n");
        for (id, code) in [("code-0", "ls"), ("code-1", "pwd")] {
            let block = html
                .split(&format!("data-copy=\"{id}\">Copy</button>"))
                .nth(1)
                .unwrap();
            let block = block.split("</pre></div>").next().unwrap();
            assert!(
                block.contains(&format!("id=\"{id}\"")) && block.contains(code),
                "{block}"
            );
        }
        assert_eq!(html.matches("data-copy").count(), 2, "{html}");
    }
}
