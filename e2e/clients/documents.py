"""Runs what README.md and docs/ say, against the running service: commands, requests, code, configurations, policies.

Commands that need the internet, another machine or the rights of an administrator are not run: they must be commands of
the shell, and those of atelier must exist with their options.

Usage: documents.py
"""

import hashlib
import hmac
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import tomllib

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
ORIGIN = os.environ["CLIENT_ORIGIN"]
PROGRAM = os.environ["CLIENT_PROGRAM"]
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)

# Documents that snippets.py runs, except for configurations.
ELSEWHERE = ["docs/mcp.md"]
# Shell that is run. The rest is only read.
RUN = {
    "docs/keys.md",
    "docs/openai.md",
    "docs/policy.md",
    "docs/provenance.md",
    "docs/tour.md",
}
# Lines that are run of documents whose other lines are only read.
RUN_LINES = [
    "atelier models list",
    "atelier models show",
    "atelier workers create-token",
    "atelier backup",
    "atelier restore",
]
# The server runs already, with another folder.
IS_RUNNING = re.compile(r"^\S*atelier serve &$", re.MULTILINE)
# Files that configurations name, and the settings that theirs need beside them.
FILES = ["/run/secrets/oidc", "/etc/atelier/chain.pem", "/etc/atelier/sign"]
NEEDS = {
    "docs/mcp.md": 'issuer = "https://id.example.com"\nclient_id = "atelier"\n',
    "docs/routes.md": '[engines.gpu1]\nkind = "http"\nprofile = "cog"\nurl = "http://10.0.0.5:5000"\n',
}
# A part of a model's file in the catalog.
PARTS = ["docs/openai.md"]


class Place:
    """The folder in which the blocks are run, and what the last answers said."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.last = {}
        self.environment = {
            **os.environ,
            "ATELIER_DATA": os.environ["CLIENT_DATA"],
            "REPLICATE_API_TOKEN": "unused",
            "PATH": f"{self.folder}:{os.environ['PATH']}",
        }
        (self.folder / "atelier").symlink_to(PROGRAM)
        self.commands = re.findall(r"^  ([a-z]+) ", self.atelier("--help")[1], re.MULTILINE)
        for name in ["harbour.png", "photo.jpg", "picture.jpg"]:
            shutil.copy(os.environ["CLIENT_PICTURE"], self.folder / name)
        for name in FILES:
            (self.folder / pathlib.Path(name).name).write_text("unused")

    def replaced(self, text):
        """The text, about this service instead of the reader's."""
        text = IS_RUNNING.sub(":", text).replace("./target/release/atelier", "atelier")
        for name in FILES:
            text = text.replace(name, str(self.folder / pathlib.Path(name).name))
        text = text.replace("/mnt/backups/atelier", str(self.folder / "backup"))
        text = text.replace("/var/lib/atelier-restored", str(self.folder / "restored"))
        text = text.replace("http://127.0.0.1:8080/media/….jpg", self.last.get("url", ""))
        text = text.replace("https://media.example.com", ORIGIN).replace("http://127.0.0.1:8080", ORIGIN)
        text = text.replace("01a1…", self.last.get("id", "")).replace("atl_…", os.environ["CLIENT_KEY"])
        return re.sub(r"\bID\b", self.last.get("id", ""), text)

    def shell(self, text):
        """Runs shell, and keeps the ids and addresses that it prints."""
        # The exports of a block are kept for the blocks after it.
        text = f"{self.replaced(text)}\nexport -p > exported\n"
        ran = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", f"[ ! -f exported ] || . ./exported\n{text}"],
            cwd=self.folder, env=self.environment, capture_output=True, text=True,
        )
        if ran.returncode:
            sys.exit(f"{text}\n{ran.stdout}{ran.stderr}")
        for line in ran.stdout.splitlines():
            for name, pattern in [("id", r'^id +(\S+)|"id": ?"([^"]+)"'), ("url", r'"url": ?"([^"]+)"')]:
                found = re.search(pattern, line)
                if found:
                    self.last[name] = next(filter(None, found.groups()))
            if '"error"' in line:
                sys.exit(f"{text}\n{line}")

    def atelier(self, *arguments):
        command = [PROGRAM, *arguments]
        ran = subprocess.run(command, cwd=self.folder, env=self.environment, capture_output=True, text=True)
        return ran.returncode, ran.stdout + ran.stderr


def commands(text):
    """The commands of a block, each with its continued lines."""
    found, open_lines = [], []
    for line in text.splitlines():
        if not open_lines and (not line.strip() or line.startswith("#")):
            continue
        open_lines.append(line)
        try:
            # Quotes must be closed; comments may have apostrophes.
            shlex.split("\n".join(open_lines), comments=True)
        except ValueError:
            continue
        if not line.endswith("\\"):
            found.append("\n".join(open_lines))
            open_lines = []
    assert not open_lines, open_lines
    return found


def options_exist(place, command):
    """Each option of a command of atelier is one that its help lists."""
    words = shlex.split(command, comments=True)
    # The last of its names: a container may have it too.
    at = max((at for at, word in enumerate(words) if pathlib.Path(word).name == "atelier"), default=None)
    if at is None or at + 1 == len(words) or words[at + 1] not in place.commands:
        return
    path = words[at + 1 : at + 2]
    if len(words) > at + 2 and place.atelier(*path, words[at + 2], "--help")[0] == 0:
        path.append(words[at + 2])
    _, text = place.atelier(*path, "--help")
    known = re.findall(r"(?:^|[\s,])(--?[a-zA-Z][a-z-]*)", text)
    unknown = [word for word in words[at:] if word.startswith("-") and word.split("=")[0] not in known]
    assert not unknown, f"{command}: {unknown}"


def shell(place, name, text):
    """Runs a block of shell, or checks it."""
    subprocess.run(["bash", "-n"], input=text, text=True, check=True)
    if name in RUN:
        # One by one, because each may need what the one before said.
        for command in commands(text):
            place.shell(command)
        return "ran"
    ran = 0
    for command in commands(text):
        if any(command.startswith(line) for line in RUN_LINES):
            place.shell(command)
            ran += 1
        else:
            options_exist(place, command)
    return "ran" if ran else "read"


def verifiers(place, blocks):
    """The functions that verify a webhook say the same in each language."""
    secret, body = "whsec_example", b'{"event":"generation.completed"}'
    good = "sha256=" + hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()
    scope = {}
    exec(blocks["python"], scope)
    cases = [(good, True), (good[:-1] + "x", False), ("", False)]
    for signature, expected in cases:
        assert scope["verify"](secret, body, {"X-Service-Signature": signature}) == expected
    signatures = json.dumps([signature for signature, _ in cases])
    call = f"for (const one of {signatures}) console.log(verify({secret!r}, Buffer.from({body.decode()!r}), one));"
    (place.folder / "verify.ts").write_text(f"{blocks['ts']}\n{call}\n")
    imports = '"crypto/hmac"\n"crypto/sha256"\n"encoding/hex"\n"fmt"'
    say = f'fmt.Println(Verify("{secret}", []byte(`{body.decode()}`), one))'
    call = f"for _, one := range []string{{{signatures[1:-1]}}} {{ {say} }}"
    (place.folder / "verify.go").write_text(
        f"package main\nimport (\n{imports}\n)\n{blocks['go']}\nfunc main() {{ {call} }}\n"
    )
    for command in [[HERE / "node_modules/.bin/bun", "verify.ts"], ["go", "run", "verify.go"]]:
        ran = subprocess.run(command, cwd=place.folder, check=True, capture_output=True, text=True)
        assert ran.stdout.split() == ["true", "false", "false"], (command, ran.stdout)


def configurations(place, name, text):
    """All configurations of a document, as one file."""
    # The commands of the page on policy read it under this name: policy.toml.
    file = place.folder / pathlib.Path(name).with_suffix(".toml").name
    text = place.replaced(text)
    if name in PARTS:
        tomllib.loads(text)
        return
    needed = NEEDS.get(name, "")
    # The addition is a table of its own, or the rest of the file's only table.
    file.write_text(needed + text if needed.startswith("[") else text + needed)
    check = ["policy", "check"] if name == "docs/policy.md" else ["engines", "list", "--config"]
    code, said = place.atelier(*check, str(file), "--data", str(place.folder / "unused"))
    assert code == 0, f"{name}: {said}"


def values(name, text):
    """One JSON value, or one in each line."""
    try:
        found = [json.loads(text)]
    except ValueError:
        found = [json.loads(line) for line in text.splitlines()]
    assert found, name


def document(place, name, counts):
    blocks = BLOCK.findall((ROOT / name).read_text())
    tables = "".join(text for language, text in blocks if language == "toml")
    if tables:
        configurations(place, name, tables)
        counts["configuration"] += 1
    if name in ELSEWHERE:
        return
    by_language = dict(blocks)
    if "go" in by_language:
        verifiers(place, by_language)
        counts["ran"] += 3
    for language, text in blocks:
        if language == "sh":
            counts[shell(place, name, text)] += 1
        elif language == "json":
            values(name, text)
            counts["value"] += 1
        elif language == "python" and "go" not in by_language:
            command = [sys.executable, "-c", text]
            openai = {"OPENAI_BASE_URL": f"{ORIGIN}/v1", "OPENAI_API_KEY": os.environ["CLIENT_KEY"]}
            environment = {**place.environment, **openai}
            subprocess.run(command, cwd=place.folder, env=environment, check=True, capture_output=True)
            counts["ran"] += 1
        else:
            assert language in ("toml", "text", "python", "ts", "go"), f"{name}: nothing checks `{language}`"


def main():
    # The tour creates the account that others change.
    rest = sorted(str(file.relative_to(ROOT)) for file in (ROOT / "docs").rglob("*.md"))
    rest.remove("docs/tour.md")
    names = ["README.md", "workers/diffusers/README.md", "docs/tour.md", *rest]
    counts = dict.fromkeys(["ran", "read", "configuration", "value"], 0)
    with tempfile.TemporaryDirectory() as folder:
        place = Place(folder)
        for name in names:
            document(place, name, counts)
    print(", ".join(f"{count} {what}" for what, count in counts.items()))


if __name__ == "__main__":
    main()
