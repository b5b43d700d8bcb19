import * as oauth from "oauth4webapi";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { OAuthServer } from "../../../src/sandbox/oauth/index.ts";
import {
  authorizeUrl,
  prefix,
  redirectUri,
  refresh,
  sentTo,
  start,
  studio,
  tokensFor,
} from "./support.ts";

let server: OAuthServer;

beforeEach(async () => {
  ({ server } = await start({ now: Date.now }));
});

afterEach(() => server.close());

const scope = `openid email ${prefix}youtube.readonly`;
const insecure = { [oauth.allowInsecureRequests]: true };

/** Signs in with another client's library, starting from the discovery document. */
async function signIn() {
  const client = { client_id: server.clientId };
  const issuer = new URL(server.url);
  const found = await oauth.discoveryRequest(issuer, insecure);
  const as = await oauth.processDiscoveryResponse(issuer, found);
  const [state, nonce] = [oauth.generateRandomState(), oauth.generateRandomNonce()];
  const url = await sentTo(authorizeUrl(server, { scope, state, nonce }));
  const params = oauth.validateAuthResponse(as, client, url, state);
  const secret = oauth.ClientSecretPost(server.clientSecret);
  const response = await oauth.authorizationCodeGrantRequest(
    ...([as, client, secret, params, redirectUri, oauth.nopkce] as const),
    insecure,
  );
  const tokens = await oauth.processAuthorizationCodeResponse(as, client, response, {
    expectedNonce: nonce,
    requireIdToken: true,
  });
  await oauth.validateApplicationLevelSignature(as, response, insecure);
  return { as, client, tokens };
}

describe("an identity token", () => {
  it("satisfies another library, signature and nonce included, and names the account", async () => {
    const { as, client, tokens } = await signIn();
    const claims = oauth.getValidatedIdTokenClaims(tokens);
    const answer = await oauth.userInfoRequest(as, client, tokens.access_token, insecure);
    const identity = await oauth.processUserInfoResponse(as, client, studio.id, answer);

    expect(claims).toMatchObject({
      iss: server.url,
      sub: studio.id,
      aud: server.clientId,
      email: studio.email,
      email_verified: true,
    });
    expect(identity).toEqual({ sub: studio.id, email: studio.email, email_verified: true });
    expect(tokens.scope).toBe(`openid ${prefix}userinfo.email ${prefix}youtube.readonly`);
  });

  it("comes with a refresh too, and never to who did not ask for it", async () => {
    const asked = await tokensFor(server, { scope });
    const renewed = await refresh(server, asked.refresh_token);
    const unasked = await tokensFor(server, { prompt: "consent" });

    expect(renewed.body).toHaveProperty("id_token");
    expect(unasked).not.toHaveProperty("id_token");
  });

  it("leaves the token as good for the channel as it was asked for", async () => {
    const { access_token } = await tokensFor(server, { scope });

    expect(server.identify(access_token)).toEqual({
      channelId: studio.channelId,
      scopes: ["openid", "email", "youtube.readonly"],
    });
  });
});

describe("user and token information", () => {
  it("show the address to those who may know it, and to nobody else", async () => {
    const signedIn = await tokensFor(server, { scope });
    const other = await tokensFor(server, { prompt: "consent" });
    const about = async ({ access_token }: typeof other) =>
      (await fetch(`${server.tokenInfoUrl}?access_token=${access_token}`)).json();
    const refused = await fetch(`${server.url}/v1/userinfo`, {
      headers: { Authorization: `Bearer ${other.access_token}` },
    });

    expect(await about(signedIn)).toMatchObject({
      sub: studio.id,
      email: studio.email,
      email_verified: "true",
    });
    expect(await about(other)).not.toHaveProperty("email");
    expect(refused.status).toBe(401);
  });
});
