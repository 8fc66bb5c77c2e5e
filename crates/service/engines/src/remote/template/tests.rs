//! How templates are filled in.

use serde_json::json;

use super::*;

struct Params(Value);

impl Source for Params {
    fn field(&self, name: &str) -> Option<Value> {
        self.0.get(name).cloned()
    }

    fn names(&self) -> Vec<String> {
        self.0
            .as_object()
            .unwrap()
            .keys()
            .filter(|name| !name.starts_with('$'))
            .cloned()
            .collect()
    }

    fn is_chosen(&self, name: &str) -> bool {
        self.0
            .get("$defaults")
            .is_none_or(|defaults| !defaults.as_array().unwrap().contains(&name.into()))
    }

    fn file(&self, name: &str, index: usize, form: As) -> Option<Value> {
        let count = self.0.get(name)?.as_array().map_or(1, Vec::len);
        (index < count && name.contains("_url")).then(|| format!("{form:?} {name} {index}").into())
    }
}

fn filled(template: &str, params: Value) -> Value {
    toml::from_str::<Template>(template)
        .unwrap()
        .fill(&Params(params))
}

#[test]
fn missing_fields_are_left_out_with_the_tables_that_contain_only_them() {
    let template = "model = 'x'\ninput.text = {from = 'prompt'}\ninput.n = {from = ['count', 'n']}\n\
                    extra.seed = {from = 'seed'}";
    assert_eq!(
        filled(template, json!({"prompt": "a boat", "n": 2})),
        json!({"model": "x", "input": {"text": "a boat", "n": 2}})
    );
}

#[test]
fn values_are_mapped_scaled_formatted_and_defaulted() {
    let template = "size = {from = 'size', map = {'1:1' = 'square'}, default = 'auto'}\n\
                    box = {format = '{$width}x{$height}'}\nname = {format = '{size} of {n}', from = 'size'}\n\
                    ms = {from = 'seconds', times = 1000}\nt = {from = 'n', text = true}";
    assert_eq!(
        filled(
            template,
            json!({"size": "1:1", "$width": 1024, "$height": 512, "seconds": 1.5, "n": 3})
        ),
        json!({"size": "square", "box": "1024x512", "name": "1:1 of 3", "ms": 1500, "t": "3"})
    );
    assert_eq!(
        filled(template, json!({"size": "16:9", "$width": 1})),
        json!({"size": "16:9", "name": "16:9"})
    );
    assert_eq!(filled(template, json!({})), json!({"size": "auto"}));
}

#[test]
fn numbers_are_rounded_to_a_step_and_a_factor_may_be_a_field() {
    let template = "frames = {from = 'duration', times = 16, step = 4, plus = 1}\nside = {from = '$width', step = 16}\n\
                    wide = {from = '$width', times = 'factor'}";
    assert_eq!(
        filled(template, json!({"duration": 5, "$width": 1365, "factor": 2})),
        json!({"frames": 81, "side": 1360, "wide": 2730})
    );
    assert_eq!(
        filled(template, json!({"duration": 1.4, "$width": 16})),
        json!({"frames": 25, "side": 16})
    );
}

#[test]
fn a_native_value_is_sent_unless_the_client_chose_another() {
    let template = "steps = {from = ['steps', 'speed'], native = 8, most = 20}";
    assert_eq!(filled(template, json!({})), json!({"steps": 8}));
    assert_eq!(
        filled(template, json!({"steps": 50, "$defaults": ["steps"]})),
        json!({"steps": 8})
    );
    assert_eq!(
        filled(template, json!({"steps": 12, "$defaults": ["speed"]})),
        json!({"steps": 12})
    );
    assert_eq!(filled(template, json!({"steps": 50})), json!({"steps": 20}));
}

#[test]
fn files_are_sent_one_by_one_or_as_a_list() {
    let template = "first = {from = 'image_urls', as = 'data', at = 0}\n\
                    second = {from = 'image_urls', as = 'upload', at = 1}\n\
                    all = {from = 'image_urls', as = 'base64'}\nvideo = {from = 'video_url', as = 'data'}\n\
                    plain = {from = 'image_urls', at = 0}";
    assert_eq!(
        filled(template, json!({"image_urls": ["u"], "video_url": "v"})),
        json!({
            "first": "Data image_urls 0", "all": ["Base64 image_urls 0"], "video": "Data video_url 0", "plain": "u",
        })
    );
    assert_eq!(filled(template, json!({})), json!({}));
}

#[test]
fn a_star_stands_for_every_field_that_is_not_named() {
    let template = "input.image = {from = 'image_urls', at = 0}\ninput.'*' = {as = 'data'}";
    assert_eq!(
        filled(
            template,
            json!({"image_urls": ["u"], "mask_url": "m", "steps": 4, "$seed": 1})
        ),
        json!({"input": {"image": "u", "mask_url": "Data mask_url 0", "steps": 4}})
    );
}

#[test]
fn a_dropped_field_is_not_part_of_the_star() {
    let template = "input.'*' = {as = 'data'}\ninput.n = {drop = true}";
    assert_eq!(
        filled(template, json!({"n": 2, "steps": 4})),
        json!({"input": {"steps": 4}})
    );
}

#[test]
fn an_overlay_adds_replaces_and_removes() {
    let read = |text| toml::from_str::<Template>(text).unwrap();
    let base = read("input.a = {from = 'a'}\ninput.b = 1\nc = 2");
    let over = read("input.a = {from = 'z'}\ninput.b = {drop = true}\ninput.d = 4");
    let filled = base.overlaid(&over).fill(&Params(json!({"a": 1, "z": 26})));
    assert_eq!(filled, json!({"input": {"a": 26, "d": 4}, "c": 2}));
    assert!(over.names("z") && !over.names("a"));
    assert!(read("a = {format = 'x-{$callback}'}").names("$callback"));
}

#[test]
fn an_unknown_name_in_braces_yields_no_text() {
    let known = |name: &str| (name == "id").then(|| "7".to_owned());
    assert_eq!(expand("/a/{id}/b", &known).as_deref(), Some("/a/7/b"));
    assert_eq!(expand("/a/{other}", &known), None);
    assert_eq!(expand("/a/{id", &known), None);
}

#[test]
fn alternatives_depend_on_other_fields_and_missing_values_are_replaced() {
    let template = "about = {first = [{from = 'style', when = {custom = true}}, {from = 'prompt'}]}\n\
                    form = {from = 'form', nearest = {flac = 'wav'}, map = {wav = 'wav16'}}";
    let asked = |custom: bool| json!({"style": "folk", "prompt": "snow", "custom": custom, "form": "flac"});
    assert_eq!(
        filled(template, asked(true)),
        json!({"about": "folk", "form": "wav16"})
    );
    assert_eq!(
        filled(template, asked(false)),
        json!({"about": "snow", "form": "wav16"})
    );
    assert_eq!(
        filled(template, json!({"style": "folk", "form": "mp3"})),
        json!({"form": "mp3"})
    );
}
