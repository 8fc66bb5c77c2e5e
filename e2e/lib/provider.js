// A certified OpenID provider, whose people may have any login and are in the groups that a test names. Programs
// register themselves, and get access tokens for the resource that they name.

import { Provider } from "oidc-provider";

/** Starts it at this port for a service at this origin. */
export async function startProvider(port, { origin, id, secret, groups }) {
  const provider = new Provider(`http://127.0.0.1:${port}`, {
    clients: [
      {
        client_id: id,
        client_secret: secret,
        redirect_uris: [`${origin}/account/sign-in/oidc/callback`],
        grant_types: ["authorization_code"],
        response_types: ["code"],
      },
    ],
    claims: { openid: ["sub"], email: ["email", "email_verified"], groups: ["groups"] },
    scopes: ["openid", "email", "groups"],
    pkce: { required: () => true },
    features: {
      registration: { enabled: true },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: (_, resource) => ({ scope: "", audience: resource, accessTokenFormat: "jwt" }),
      },
    },
    findAccount: (_, name) => ({
      accountId: name,
      claims: () => ({ sub: name, email: `${name}@example.com`, email_verified: true, groups }),
    }),
  });
  const server = await new Promise((resolve) => {
    const listening = provider.listen(port, "127.0.0.1", () => resolve(listening));
  });
  return {
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
