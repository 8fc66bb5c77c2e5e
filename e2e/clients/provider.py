"""An OpenID provider on loopback that lets in whoever `POST /person` has named, without asking.

It registers clients, checks PKCE and redirect addresses, and signs ID tokens and access tokens with ES256. An access
token is for the `resource` of its request (RFC 8707).

Usage: provider.py PORT
"""

import base64
import hashlib
import http.server
import json
import sys
import time
import urllib.parse
import uuid

import jwt
from cryptography.hazmat.primitives.asymmetric import ec

PORT = int(sys.argv[1])
ISSUER = f"http://127.0.0.1:{PORT}"
KEY = ec.generate_private_key(ec.SECP256R1())
PUBLIC = json.loads(jwt.algorithms.ECAlgorithm.to_jwk(KEY.public_key())) | {"kid": "one", "use": "sig", "alg": "ES256"}
# The redirect addresses of each client; of the service's own, any.
clients = {"atelier": None}
codes = {}
person = {}

METADATA = {
    "issuer": ISSUER,
    "authorization_endpoint": f"{ISSUER}/authorize",
    "token_endpoint": f"{ISSUER}/token",
    "registration_endpoint": f"{ISSUER}/register",
    "jwks_uri": f"{ISSUER}/jwks",
    "response_types_supported": ["code"],
    "subject_types_supported": ["public"],
    "id_token_signing_alg_values_supported": ["ES256"],
    "code_challenge_methods_supported": ["S256"],
    "token_endpoint_auth_methods_supported": ["none"],
    "scopes_supported": ["openid", "email", "profile"],
}


def signed(claims, kind):
    now = int(time.time())
    claims = {"iss": ISSUER, "iat": now, "exp": now + 300} | claims
    return jwt.encode(claims, KEY, algorithm="ES256", headers={"kid": "one", "typ": kind})


def authorize(asked):
    redirect, client = asked["redirect_uri"], asked["client_id"]
    if client not in clients or clients[client] is not None and redirect not in clients[client]:
        return 400, {"error": "invalid_request"}, None
    code = uuid.uuid4().hex
    codes[code] = asked | {"person": dict(person)}
    back = {"code": code} | {name: value for name, value in asked.items() if name == "state"}
    return 302, {}, f"{redirect}?{urllib.parse.urlencode(back)}"


def exchange(asked):
    begun = codes.pop(asked["code"], None)
    digest = hashlib.sha256(asked["code_verifier"].encode()).digest()
    challenge = base64.urlsafe_b64encode(digest).decode().rstrip("=")
    same = begun and all(begun.get(name) == asked.get(name) for name in ("client_id", "redirect_uri", "resource"))
    if not same or begun["code_challenge"] != challenge:
        return 400, {"error": "invalid_grant"}
    who, client = begun["person"], begun["client_id"]
    answer = {"token_type": "Bearer", "expires_in": 300, "scope": begun.get("scope", "")}
    audience = begun.get("resource", client)
    answer["access_token"] = signed({"sub": who["sub"], "aud": audience, "client_id": client}, "at+jwt")
    if "openid" in begun.get("scope", "").split():
        answer["id_token"] = signed(who | {"aud": client, "nonce": begun.get("nonce")}, "JWT")
    return 200, answer


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def answer(self, status, value, location=None):
        body = json.dumps(value).encode()
        self.send_response(status)
        if location:
            self.send_header("Location", location)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        url = urllib.parse.urlsplit(self.path)
        if url.path == "/.well-known/openid-configuration":
            return self.answer(200, METADATA)
        if url.path == "/jwks":
            return self.answer(200, {"keys": [PUBLIC]})
        if url.path == "/authorize":
            return self.answer(*authorize(dict(urllib.parse.parse_qsl(url.query))))
        return self.answer(404, {})

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        if self.path == "/token":
            return self.answer(*exchange(dict(urllib.parse.parse_qsl(body))))
        asked = json.loads(body)
        if self.path == "/person":
            person.clear()
            person.update(asked)
            return self.answer(200, {})
        if self.path == "/register":
            client = uuid.uuid4().hex
            clients[client] = asked["redirect_uris"]
            return self.answer(201, asked | {"client_id": client, "token_endpoint_auth_method": "none"})
        return self.answer(404, {})


http.server.ThreadingHTTPServer(("127.0.0.1", PORT), Handler).serve_forever()
