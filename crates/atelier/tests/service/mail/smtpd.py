"""A mail server on loopback (aiosmtpd), with the user ada and the password p@ss.

Usage: smtpd.py tls|starttls|plain CERTIFICATE KEY

Prints its port, then each message as a line of JSON.
"""

import asyncio
import json
import ssl
import sys

from aiosmtpd.smtp import SMTP, AuthResult

mode, certificate, key = sys.argv[1:]
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(certificate, key)


def say(value):
    print(json.dumps(value), flush=True)


class Handler:
    async def handle_DATA(self, server, session, envelope):
        say({
            "from": envelope.mail_from,
            "to": envelope.rcpt_tos,
            "encrypted": server.transport.get_extra_info("cipher") is not None,
            "login": session.auth_data and session.auth_data.decode(),
            "message": envelope.content.decode(),
        })
        return "250 OK"


def authenticate(server, session, envelope, mechanism, data):
    right = (data.login, data.password) == (b"ada", b"p@ss")
    return AuthResult(success=right, handled=False, auth_data=data.login)


def protocol():
    return SMTP(
        Handler(),
        hostname="localhost",
        tls_context=context if mode == "starttls" else None,
        require_starttls=mode == "starttls",
        auth_require_tls=mode == "starttls",
        authenticator=authenticate,
    )


async def serve():
    loop = asyncio.get_running_loop()
    server = await loop.create_server(protocol, "127.0.0.1", 0, ssl=context if mode == "tls" else None)
    say(server.sockets[0].getsockname()[1])
    await server.serve_forever()


asyncio.run(serve())
