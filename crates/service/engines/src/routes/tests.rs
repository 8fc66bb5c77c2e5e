use async_trait::async_trait;
use atelier_domain::Failure;

use super::*;
use crate::{Context, EchoEngine, Job, Made};

/// An engine that serves one task.
#[derive(Debug)]
struct Only(&'static str, &'static str);

#[async_trait]
impl Engine for Only {
    fn name(&self) -> &str {
        self.0
    }

    fn serves(&self, task: &str, _kind: MediaKind) -> bool {
        task == self.1
    }

    fn concurrency(&self) -> usize {
        1
    }

    async fn run(&self, _job: Job, _context: Context) -> Result<Made, Failure> {
        Ok(Made::default())
    }
}

fn route(model: &str, engine: &str) -> Route {
    Route {
        model: model.to_owned(),
        engine: engine.to_owned(),
        target: None,
        workflow: None,
        body: None,
    }
}

fn routes(configured: Vec<Route>) -> Result<Routes, RouteError> {
    Routes::new(
        vec![Arc::new(Only("draft", "image")), Arc::new(EchoEngine)],
        configured,
    )
}

fn targets(configured: Vec<Route>, slug: &str, catalog_routes: &[(&str, &str)]) -> Vec<(String, String)> {
    let targets = routes(configured)
        .unwrap()
        .for_model(slug, MediaKind::Image, catalog_routes);
    targets
        .into_iter()
        .map(|target| (target.engine.name().to_owned(), target.task))
        .collect()
}

fn target(engine: &str, task: &str) -> (String, String) {
    (engine.to_owned(), task.to_owned())
}

#[test]
fn a_model_goes_to_the_route_in_its_catalog_file() {
    assert_eq!(
        targets(vec![], "image-gen-4", &[("draft", "image")]),
        [target("draft", "image")]
    );
}

#[test]
fn an_engine_that_is_missing_or_cannot_serve_is_skipped() {
    let catalog_routes = [
        ("gpu", "image"),
        ("draft", "video"),
        ("draft", "image"),
        ("echo", "image"),
    ];
    assert_eq!(
        targets(vec![], "m", &catalog_routes),
        [target("draft", "image"), target("echo", "image")]
    );
    assert_eq!(targets(vec![], "m", &[("draft", "video")]), []);
    assert_eq!(targets(vec![], "m", &[]), []);
}

#[test]
fn an_operators_route_replaces_the_catalogs_and_keeps_its_task() {
    let configured = vec![route("image-*", "echo")];
    assert_eq!(
        targets(configured.clone(), "image-gen-4", &[("draft", "image")]),
        [target("echo", "image")]
    );
    assert_eq!(
        targets(configured, "video-gen-1-0", &[("draft", "image")]),
        [target("draft", "image")]
    );
}

#[test]
fn an_operators_route_to_an_engine_that_cannot_serve_is_not_replaced() {
    assert_eq!(targets(vec![route("m", "draft")], "m", &[("echo", "video")]), []);
}

#[test]
fn weights_on_this_machine_serve_before_the_catalogs_routes_and_behind_an_operators() {
    let weights = |name: &str| Serving {
        model: Some("m".to_owned()),
        task: "image".to_owned(),
        engine: "gpu".to_owned(),
        body: None,
        weights: Arc::new(Weights {
            name: name.to_owned(),
            title: name.to_owned(),
            license: "MIT".to_owned(),
            license_url: None,
            without_effect: Vec::new(),
        }),
    };
    let engines: Vec<Arc<dyn Engine>> =
        vec![Arc::new(Only("draft", "image")), Arc::new(Only("gpu", "image"))];
    let routes = Routes::new(engines.clone(), vec![]).unwrap();
    let shared = routes.clone();
    shared.set_weights(vec![weights("isnet"), weights("u2net")]);
    let found = routes.for_model("m", MediaKind::Image, &[("draft", "image")]);
    let found: Vec<_> = found
        .iter()
        .map(|target| (target.engine.name(), target.options.target.as_deref()))
        .collect();
    assert_eq!(found, [("gpu", Some("isnet")), ("draft", None)]);
    let other = routes.for_model("other", MediaKind::Image, &[("draft", "image")]);
    assert_eq!(other.len(), 1, "weights serve the models that they name alone");

    let routed = Routes::new(engines, vec![route("m", "draft")]).unwrap();
    routed.set_weights(vec![weights("isnet")]);
    let found = routed.for_model("m", MediaKind::Image, &[("draft", "image")]);
    assert_eq!((found.len(), found[0].engine.name()), (1, "draft"));
    let to_weights = Route {
        target: Some("isnet".to_owned()),
        ..route("other", "gpu")
    };
    let routed = Routes::new(routes.engines(), vec![to_weights]).unwrap();
    routed.set_weights(vec![weights("isnet")]);
    let found = routed.for_model("other", MediaKind::Image, &[("draft", "image")]);
    let named = found[0]
        .options
        .weights
        .as_ref()
        .map(|weights| weights.name.as_str());
    assert_eq!(named, Some("isnet"), "a route to weights names them");

    shared.set_weights(vec![]);
    let found = routes.for_model("m", MediaKind::Image, &[("draft", "image")]);
    assert_eq!(
        (found.len(), found[0].engine.name()),
        (1, "draft"),
        "removed weights"
    );
}

#[test]
fn a_model_without_routes_can_be_routed_and_its_task_is_its_kind() {
    assert_eq!(
        targets(vec![route("*", "echo")], "m", &[]),
        [target("echo", "image")]
    );
}

#[test]
fn several_matching_routes_are_several_targets_in_their_order() {
    let configured = vec![
        route("image-gen-4", "echo"),
        route("*", "draft"),
        route("image-*", "echo"),
    ];
    let expected = [target("echo", "image"), target("draft", "image")];
    assert_eq!(
        targets(configured, "image-gen-4", &[("draft", "image")]),
        expected
    );
}

#[test]
fn a_route_to_an_unknown_engine_is_refused_with_the_known_ones() {
    let error = routes(vec![route("image-gen-4", "drfat")]).unwrap_err();
    let expected = "the route of `image-gen-4` names the unknown engine `drfat`; known engines: draft, echo";
    assert_eq!(error.to_string(), expected);
    assert_eq!(
        routes(vec![route("", "echo")]).unwrap_err(),
        RouteError::NoModel {
            engine: "echo".to_owned()
        }
    );
}

#[test]
fn two_engines_of_one_name_are_refused() {
    let error = Routes::new(vec![Arc::new(EchoEngine), Arc::new(EchoEngine)], vec![]).unwrap_err();
    assert_eq!(error, RouteError::TwoOfOneName("echo".to_owned()));
}

#[test]
fn a_star_stands_for_any_text() {
    let table = [
        ("image-gen-4", "image-gen-4", true),
        ("image-gen", "image-gen-4", false),
        ("gen-4", "image-gen-4", false),
        ("*", "", true),
        ("*", "anything", true),
        ("image-*", "image-gen-4", true),
        ("image-*", "image", false),
        ("*-gen-*", "image-gen-4", true),
        ("*-gen-*", "image-gen", false),
        ("a*a", "a", false),
        ("a*a", "aa", true),
        ("a*b*c", "axbxbxc", true),
        ("a*b*c", "acb", false),
        ("**4", "image-gen-4", true),
    ];
    for (pattern, slug, expected) in table {
        assert_eq!(matches(pattern, slug), expected, "{pattern} on {slug}");
    }
}
