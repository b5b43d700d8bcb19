import { describe, expect, it, onTestFinished } from "vitest";
import { type BotError, ConnectError, NetworkError, ServiceError } from "../../src/errors.ts";
import { createHttp } from "../../src/http/index.ts";
import { createTokenVerifier } from "../../src/oauth/index.ts";
import { failureOf } from "../http/server.ts";
import { start } from "../sandbox/oauth/support.ts";
import { seed, seeded } from "../support/random.ts";
import { shownBy } from "./links-stage.ts";
import { expectFailure, refuse, studioId } from "./stage.ts";

async function stage(changes: { clientId?: string; clientSecret?: string } = {}) {
  const { server, advance } = await start();
  const time = Date.UTC(2026, 10, 21, 12);
  const http = createHttp({
    now: () => time,
    random: seeded(seed),
    sleep: async (ms) => advance(ms),
  });
  onTestFinished(async () => {
    await Promise.all([http.close(), server.close()]);
  });
  const secrets: string[] = [];
  const { tokenUrl, clientId, clientSecret } = server;
  const verifier = createTokenVerifier({
    http,
    tokenUrl,
    clientId,
    clientSecret,
    now: () => time,
    ...changes,
    onSecret: (secret) => void secrets.push(secret),
    onTyped: (secret) => void secrets.push(secret),
  });
  const minted = server.mint({ channelId: studioId, scopes: ["youtube.readonly"] });
  return { server, verifier, secrets, time, ...minted };
}

describe("createTokenVerifier", () => {
  it("says what a refresh token is good for, with a token to read the channel with", async () => {
    const { verifier, refreshToken, server, secrets, time } = await stage();

    const { accessToken, scopes, endsAt } = await verifier.proveRefreshToken(`  ${refreshToken}\n`);

    expect(server.identify(accessToken)).toMatchObject({ channelId: studioId });
    expect(scopes).toEqual(["youtube.readonly"]);
    expect(endsAt).toBeGreaterThan(time);
    expect(secrets).toEqual([refreshToken, accessToken]);
  });

  it("asks about the scopes when a refresh does not name them", async () => {
    const { verifier, refreshToken, accessToken, server } = await stage();
    server.faults.add({ ...refuse(200, { access_token: accessToken }), path: /^\/token$/ });

    expect(await verifier.proveRefreshToken(refreshToken)).toMatchObject({
      accessToken,
      scopes: ["youtube.readonly"],
    });
  });

  it("says what an access token is good for, and until when", async () => {
    const { verifier, accessToken, secrets, expiresAt } = await stage();

    const proof = await verifier.proveAccessToken(accessToken);

    expect(proof).toMatchObject({ accessToken, scopes: ["youtube.readonly"] });
    expect(Math.abs(proof.endsAt - expiresAt)).toBeLessThan(1_001);
    expect(secrets).toEqual([accessToken]);
  });

  it.each(["", "nonsense", "two words", "a\nb", "ünï", "x".repeat(5_000)])(
    "accepts no %j",
    async (text) => {
      const { verifier } = await stage();

      for (const [what, proof] of [
        ["refresh", verifier.proveRefreshToken(text)],
        ["access", verifier.proveAccessToken(text)],
      ] as const) {
        const error = await failureOf(proof, ConnectError);
        expect(error).toMatchObject({ code: "token_not_accepted", facts: { what } });
        if (text.length > 5) expect(shownBy(error)).not.toContain(text);
      }
    },
  );

  it("accepts neither kind in place of the other", async () => {
    const { verifier, accessToken, refreshToken } = await stage();

    for (const proof of [
      verifier.proveRefreshToken(accessToken),
      verifier.proveAccessToken(refreshToken),
    ]) {
      await expectFailure(proof, ConnectError, "token_not_accepted");
    }
  });

  it("accepts no refresh token of another client", async () => {
    const { verifier, server, refreshToken } = await stage({
      clientId: "other",
      clientSecret: "x",
    });
    server.register({ id: "other", secret: "x", name: "Other", redirectUris: [] });

    await expectFailure(
      verifier.proveRefreshToken(refreshToken),
      ConnectError,
      "token_not_accepted",
    );
  });

  it("says when the bot's own registration is what is wrong", async () => {
    const { verifier, refreshToken } = await stage({ clientSecret: "wrong" });

    await expectFailure(
      verifier.proveRefreshToken(refreshToken),
      ConnectError,
      "oauth_client_refused",
    );
  });

  it.each([
    ["500", refuse(500, {}, 99), ServiceError, "service_unavailable"],
    ["a web page", refuse(200, "<html>", 99), ServiceError, "web_page_answer"],
    ["a web page with 400", refuse(400, "<html>", 99), ServiceError, "web_page_answer"],
    ["cuts", { kind: "cut-before" }, NetworkError, "cut"],
  ] as const)("does not blame the token for %s", async (_, fault, kind, code) => {
    const { verifier, server, refreshToken, accessToken } = await stage();
    server.faults.add(fault);

    for (const proof of [
      verifier.proveRefreshToken(refreshToken),
      verifier.proveAccessToken(accessToken),
    ]) {
      const error: BotError = await failureOf<BotError>(proof, kind);
      expect(error.code).toBe(code);
      expect(shownBy(error)).not.toContain(refreshToken);
      expect(shownBy(error)).not.toContain(accessToken);
    }
  });
});
