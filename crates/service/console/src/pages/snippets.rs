//! A request as code: curl, Python, TypeScript. Texts from the form are always data in the code.

use serde_json::Value;

#[derive(Debug, Clone)]
pub(crate) struct Snippets {
    pub curl: String,
    pub python: String,
    pub typescript: String,
}

impl Snippets {
    pub(crate) fn new(base_url: &str, body: &Value) -> Self {
        let json = serde_json::to_string_pretty(body).unwrap_or_default();
        Self {
            curl: curl(base_url, &json),
            python: python(base_url, body),
            typescript: typescript(base_url, &json),
        }
    }
}

fn curl(base_url: &str, json: &str) -> String {
    // Inside single quotes, a single quote must end the quotation, be escaped, and begin a new quotation.
    let quoted = json.replace('\'', r"'\''");
    format!(
        "curl {base_url}/generations \\\n  -H \"Authorization: Bearer $ATELIER_API_KEY\" \\\n  \
         -H \"Content-Type: application/json\" \\\n  -d '{quoted}'\n"
    )
}

fn python(base_url: &str, body: &Value) -> String {
    format!(
        "import json, os, urllib.request\n\n\
         def call(path, body=None):\n    \
             request = urllib.request.Request(\n        \
                 \"{base_url}\" + path,\n        \
                 data=json.dumps(body).encode() if body else None,\n        \
                 headers={{\n            \
                     \"Authorization\": \"Bearer \" + os.environ[\"ATELIER_API_KEY\"],\n            \
                     \"Content-Type\": \"application/json\",\n        \
                 }},\n    \
             )\n    \
             with urllib.request.urlopen(request) as response:\n        \
                 return json.load(response)[\"data\"]\n\n\
         job = call(\"/generations\", {})\n\
         while job[\"status\"] == \"processing\":\n    \
             job = call(f\"/generations/{{job['id']}}?wait=60\")\n\
         print(job.get(\"output\") or job[\"error\"])\n",
        python_value(body, 0)
    )
}

fn typescript(base_url: &str, json: &str) -> String {
    format!(
        "async function call(path: string, body?: unknown) {{\n  \
           const response = await fetch(\"{base_url}\" + path, {{\n    \
             method: body ? \"POST\" : \"GET\",\n    \
             headers: {{\n      \
               Authorization: `Bearer ${{process.env.ATELIER_API_KEY}}`,\n      \
               \"Content-Type\": \"application/json\",\n    \
             }},\n    \
             body: body && JSON.stringify(body),\n  \
           }});\n  \
           if (!response.ok) throw new Error(await response.text());\n  \
           return (await response.json()).data;\n\
         }}\n\n\
         let job = await call(\"/generations\", {json});\n\
         while (job.status === \"processing\") job = await call(`/generations/${{job.id}}?wait=60`);\n\
         console.log(job.output ?? job.error);\n"
    )
}

/// A JSON value as Python source. Strings are written alike in both.
fn python_value(value: &Value, depth: usize) -> String {
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
                .map(|item| format!("{indent}{},\n", python_value(item, depth + 1)));
            format!("[\n{}{close}]", lines.collect::<String>())
        }
        Value::Object(members) => {
            let lines = members.iter().map(|(name, member)| {
                format!(
                    "{indent}{}: {},\n",
                    Value::from(name.as_str()),
                    python_value(member, depth + 1)
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
    fn a_quote_in_a_prompt_does_not_end_the_quotation_of_the_shell() {
        let snippets = Snippets::new("http://x", &json!({ "prompt": "it's; rm -rf / #" }));
        assert!(
            snippets.curl.contains(r"it'\''s; rm -rf / #"),
            "{}",
            snippets.curl
        );
    }

    #[test]
    fn python_has_its_own_names_for_true_and_nothing() {
        let text = python_value(&json!({ "a": true, "b": null, "c": ["x", 1.5] }), 0);
        assert_eq!(
            text,
            "{\n    \"a\": True,\n    \"b\": None,\n    \"c\": [\n        \"x\",\n        1.5,\n    ],\n}"
        );
    }
}
