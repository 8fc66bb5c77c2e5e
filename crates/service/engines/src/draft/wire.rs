//! What the service and a host say to each other: one JSON value a line, UTF-8, in both directions.

use atelier_protocol::{Error, Request, Response};
use serde::{Deserialize, Serialize};

use super::limits::Limits;

/// The longest line a host takes. A request body is at most 1 MiB, and escaping can make it longer.
pub(super) const MAX_ORDER: usize = 16 << 20;
/// The longest line the service takes from a host: metadata and file names, nothing large.
pub(super) const MAX_REPORT: usize = 1 << 20;

/// Service to host.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Order<R = Request> {
    /// Always first.
    Limits(Limits),
    Run(R),
}

/// Host to service. Any number of `Progress`, then one of the others.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Report {
    /// How much is done, 0 to 1.
    Progress(f64),
    Done(Response),
    Failed(Error),
    /// The request ran into a fault of the engine. What it left behind in the host is unknown.
    Panicked {},
}

/// One value as a line, its end included.
pub(super) fn line(value: &impl Serialize) -> serde_json::Result<Vec<u8>> {
    let mut line = serde_json::to_vec(value)?;
    line.push(b'\n');
    Ok(line)
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;

    fn text(value: &impl Serialize) -> String {
        String::from_utf8(line(value).unwrap()).unwrap()
    }

    #[test]
    fn each_message_is_one_line_with_its_name() {
        let limits = Limits {
            memory_bytes: 1,
            output_bytes: 2,
        };
        let request = Request {
            task: "image".to_owned(),
            params: serde_json::from_str(r#"{"prompt":"two\nlines"}"#).unwrap(),
            inputs: vec![],
            seed: u64::MAX,
            out: PathBuf::from("out"),
        };
        let expected = r#"{"run":{"task":"image","params":{"prompt":"two\nlines"},"inputs":[],"seed":18446744073709551615,"out":"out"}}"#;
        assert_eq!(
            text(&Order::<&Request>::Limits(limits)),
            "{\"limits\":{\"memory_bytes\":1,\"output_bytes\":2}}\n"
        );
        assert_eq!(text(&Order::Run(&request)), format!("{expected}\n"));
        assert_eq!(text(&Report::Progress(0.4)), "{\"progress\":0.4}\n");
        assert_eq!(
            text(&Report::Done(Response::default())),
            "{\"done\":{\"files\":[],\"metadata\":{}}}\n"
        );
        let failed = Report::Failed(Error::InvalidInput("no".to_owned()));
        assert_eq!(
            text(&failed),
            "{\"failed\":{\"kind\":\"invalid_input\",\"message\":\"no\"}}\n"
        );
        assert_eq!(text(&Report::Panicked {}), "{\"panicked\":{}}\n");
    }
}
