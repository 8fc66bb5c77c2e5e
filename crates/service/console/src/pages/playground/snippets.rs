//! A request as code: curl, Python, TypeScript. Texts from the form are data in it, whatever they hold.

use serde_json::Value;

#[derive(Debug, Clone)]
pub(super) struct Snippets {
    pub curl: String,
    pub python: String,
    pub typescript: String,
}

impl Snippets {
    pub(super) fn new(base_url: &str, body: &Value) -> Self {
        let json = serde_json::to_string_pretty(body).unwrap_or_default();
        // A single quote ends the shell's quotation, stands for itself, and begins it anew.
        let quoted = json.replace('\'', r"'\''");
        let curl = format!(
            "curl {base_url}/generations \\\n  -H \"Authorization: Bearer $ATELIER_API_KEY\" \\\n  \
             -H \"Content-Type: application/json\" \\\n  -d '{quoted}'\n"
        );
        let python = format!(
            "import json, os, urllib.request\n\n\
             def call(path, body=None):\n    \
                 request = urllib.request.Request(\n        \
                     \"{base_url}\" + path,\n        \
                     data=json.dumps(body).encode() if body else None,\n        \
                     headers={{\"Authorization\": \"Bearer \" + os.environ[\"ATELIER_API_KEY\"], \"Content-Type\": \"application/json\"}},\n    \
                 )\n    \
                 with urllib.request.urlopen(request) as answer:\n        \
                     return json.load(answer)[\"data\"]\n\n\
             job = call(\"/generations\", {})\n\
             while job[\"status\"] == \"processing\":\n    \
                 job = call(f\"/generations/{{job['id']}}?wait=60\")\n\
             print(job.get(\"output\") or job[\"error\"])\n",
            python(body, 0)
        );
        let typescript = format!(
            "async function call(path: string, body?: unknown) {{\n  \
               const answer = await fetch(\"{base_url}\" + path, {{\n    \
                 method: body ? \"POST\" : \"GET\",\n    \
                 headers: {{ Authorization: `Bearer ${{process.env.ATELIER_API_KEY}}`, \"Content-Type\": \"application/json\" }},\n    \
                 body: body && JSON.stringify(body),\n  \
               }});\n  \
               if (!answer.ok) throw new Error(await answer.text());\n  \
               return (await answer.json()).data;\n\
             }}\n\n\
             let job = await call(\"/generations\", {json});\n\
             while (job.status === \"processing\") job = await call(`/generations/${{job.id}}?wait=60`);\n\
             console.log(job.output ?? job.error);\n"
        );
        Self {
            curl,
            python,
            typescript,
        }
    }
}

/// A JSON value as Python writes it. JSON's strings are Python's too.
fn python(value: &Value, depth: usize) -> String {
    let indent = "    ".repeat(depth + 1);
    let close = "    ".repeat(depth);
    match value {
        Value::Null => "None".to_owned(),
        Value::Bool(true) => "True".to_owned(),
        Value::Bool(false) => "False".to_owned(),
        Value::Array(items) if items.is_empty() => "[]".to_owned(),
        Value::Object(members) if members.is_empty() => "{}".to_owned(),
        Value::Array(items) => {
            let lines = items
                .iter()
                .map(|item| format!("{indent}{},\n", python(item, depth + 1)));
            format!("[\n{}{close}]", lines.collect::<String>())
        }
        Value::Object(members) => {
            let lines = members.iter().map(|(name, member)| {
                format!(
                    "{indent}{}: {},\n",
                    Value::from(name.as_str()),
                    python(member, depth + 1)
                )
            });
            format!("{{\n{}{close}}}", lines.collect::<String>())
        }
        scalar => scalar.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_quote_in_a_prompt_does_not_end_the_shells_quotation() {
        let snippets = Snippets::new("http://x", &json!({ "prompt": "it's; rm -rf / #" }));
        assert!(
            snippets.curl.contains(r"it'\''s; rm -rf / #"),
            "{}",
            snippets.curl
        );
    }

    #[test]
    fn python_has_its_own_names_for_true_and_nothing() {
        let text = python(&json!({ "a": true, "b": null, "c": ["x", 1.5] }), 0);
        assert_eq!(
            text,
            "{\n    \"a\": True,\n    \"b\": None,\n    \"c\": [\n        \"x\",\n        1.5,\n    ],\n}"
        );
    }
}
