//! The protocol between the service and a host: one JSON value per line, in UTF-8, in both directions.

use atelier_protocol::{Error, Request, Response};
use serde::{Deserialize, Serialize};

use super::limits::Limits;

/// The longest line that a host accepts. A request body is at most 1 MiB, but escaping can make it longer.
pub(super) const MAX_ORDER: usize = 16 << 20;
/// The longest line that the service accepts from a host. It contains metadata and file names only.
pub(super) const MAX_REPORT: usize = 1 << 20;

/// A message from the service to a host.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Order<R = Request> {
    /// Always the first message.
    Limits(Limits),
    Run(R),
}

/// A message from a host to the service: any number of `Progress`, then one of the others.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Report {
    /// How much is done, from 0 to 1.
    Progress(f64),
    Done(Response),
    Failed(Error),
    /// The engine panicked. The state of the host is unknown.
    Panicked {},
}

/// A value as a line, including the line break.
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
        let expected = concat!(
            r#"{"run":{"task":"image","params":{"prompt":"two\nlines"},"inputs":[],"#,
            r#""seed":18446744073709551615,"out":"out"}}"#
        );
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
