import { auth } from "@googleapis/youtube";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { OAuthServer } from "../../../src/sandbox/oauth/index.ts";
import { prefix, redirectUri, sentTo, start } from "./support.ts";

let server: OAuthServer;

beforeEach(async () => {
  ({ server } = await start({ now: Date.now }));
});

afterEach(() => server.close());

function createClient() {
  return new auth.OAuth2({
    clientId: server.clientId,
    clientSecret: server.clientSecret,
    redirectUri,
    endpoints: {
      oauth2AuthBaseUrl: server.authorizeUrl,
      oauth2TokenUrl: server.tokenUrl,
      oauth2RevokeUrl: server.revokeUrl,
      tokenInfoUrl: server.tokenInfoUrl,
    },
  });
}

type Client = ReturnType<typeof createClient>;

async function connect(client: Client) {
  const { codeVerifier, codeChallenge = "" } = await client.generateCodeVerifierAsync();
  const url = client.generateAuthUrl({
    access_type: "offline",
    prompt: "consent",
    include_granted_scopes: true,
    scope: [`${prefix}youtube.force-ssl`, `${prefix}youtube.upload`],
    state: "a state",
    code_challenge: codeChallenge,
    // The package does not export its list of methods; S256 is one of them.
    code_challenge_method: "S256" as never,
  });
  const { searchParams } = await sentTo(url);
  const code = searchParams.get("code") ?? "";
  const { tokens } = await client.getToken({ code, codeVerifier });
  client.setCredentials(tokens);
  return { code, codeVerifier, tokens };
}

describe("Google's own authorisation client", () => {
  it("gets tokens for a code and its verifier", async () => {
    const client = createClient();
    const { tokens } = await connect(client);

    expect(server.identify(tokens.access_token ?? "")?.channelId).toBe("UCstudio");
    expect(tokens).toMatchObject({ token_type: "Bearer", refresh_token: expect.any(String) });
    expect(tokens.expiry_date).toBeGreaterThan(Date.now() + 3_500_000);
  });

  it("understands the refusal of a used code", async () => {
    const client = createClient();
    const { code, codeVerifier } = await connect(client);

    await expect(client.getToken({ code, codeVerifier })).rejects.toMatchObject({
      message: "invalid_grant",
      status: 400,
    });
  });

  it("refreshes, and keeps the refresh token", async () => {
    const client = createClient();
    const { tokens } = await connect(client);
    server.expireAll();
    const { credentials } = await client.refreshAccessToken();

    expect(credentials.refresh_token).toBe(tokens.refresh_token);
    expect(server.identify(credentials.access_token ?? "")?.scopes).toHaveLength(2);
  });

  it("reads what a token is good for", async () => {
    const client = createClient();
    const { tokens } = await connect(client);
    const info = await client.getTokenInfo(tokens.access_token ?? "");

    expect(info.scopes).toEqual([`${prefix}youtube.force-ssl`, `${prefix}youtube.upload`]);
    expect(info.aud).toBe(server.clientId);
  });

  it("revokes, and is refused afterwards", async () => {
    const client = createClient();
    const { tokens } = await connect(client);
    const { status } = await client.revokeToken(tokens.refresh_token ?? "");

    expect(status).toBe(200);
    expect(server.identify(tokens.access_token ?? "")).toBeUndefined();
    await expect(client.refreshAccessToken()).rejects.toMatchObject({ message: "invalid_grant" });
  });
});
