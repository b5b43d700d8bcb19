import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { BotError, LimitError } from "../../../src/errors.ts";
import { createHttp, type Http } from "../../../src/http/index.ts";
import { videoErrorFor as failureOfResponse } from "../../../src/video/failures/failure.ts";
import { createVideoClient, methods } from "../../../src/video/index.ts";
import {
  type Answering,
  answering,
  failureOf,
  fakeTime,
  startServer,
  type TestServer,
} from "../../http/server.ts";

const time = fakeTime();
let answer: Answering;
let server: TestServer;
let http: Http;

beforeAll(async () => {
  server = await startServer((...args) => answer(...args));
  http = createHttp({ ...time, random: () => 0.5 });
});

beforeEach(() => {
  server.received.length = 0;
});

afterAll(async () => {
  await http.close();
  await server.close();
});

function bodyOf(status: number, reason: string, more: Record<string, unknown> = {}): object {
  const { message = "Told.", details, ...rest } = more;
  return {
    error: { code: status, message, errors: [{ domain: "d", reason, message, ...rest }], details },
  };
}

async function failWith(
  status: number,
  body: string | object,
  options: { headers?: Record<string, string>; key?: string; token?: string } = {},
): Promise<BotError> {
  answer = answering(status, body, options.headers);
  const { key, token } = options;
  const video = createVideoClient({
    baseUrl: server.url,
    http,
    now: time.now,
    ...(key !== undefined && { key }),
    ...(key === undefined && { token: token ?? "t" }),
  });
  return failureOf(video.call("search.list", { part: ["snippet"] }), BotError);
}

describe("failures of the service", () => {
  it.each([
    [400, "keyInvalid", "connect", "key_invalid"],
    [400, "keyExpired", "connect", "key_expired"],
    [403, "accessNotConfigured", "connect", "access_not_configured"],
    [403, "ipRefererBlocked", "connect", "key_restricted"],
    [401, "authError", "connect", "auth"],
    [401, "required", "connect", "auth"],
    [401, "youtubeSignupRequired", "connect", "no_channel"],
    [403, "authenticatedUserNotChannel", "connect", "no_channel"],
    [403, "insufficientPermissions", "connect", "insufficient_permissions"],
    [403, "commentsDisabled", "access", "comments_disabled"],
    [403, "forbidden", "access", "forbidden"],
    [403, "playlistForbidden", "access", "playlist_forbidden"],
    [403, "channelNotFound", "access", "acting_channel_not_found"],
    [404, "channelNotFound", "input", "channel_not_found"],
    [404, "somethingNewNotFound", "input", "something_new_not_found"],
    [404, "videoNotFound", "input", "video_not_found"],
    [404, "playlistItemNotFound", "input", "playlist_item_not_found"],
    [404, "notFound", "input", "not_found"],
    [400, "invalidParameter", "input", "invalid_parameter"],
    [400, "required", "input", "required"],
    [400, "inValidPosition", "input", "in_valid_position"],
    [400, "subscriptionDuplicate", "input", "subscription_duplicate"],
    [409, "videoAlreadyInPlaylist", "input", "video_already_in_playlist"],
    [400, "uploadLimitExceeded", "limit", "upload_limit_exceeded"],
    [429, "uploadRateLimitExceeded", "limit", "upload_rate_limit_exceeded"],
    [400, "neverHeardOf", "input", "never_heard_of"],
    [403, "neverHeardOf", "access", "never_heard_of"],
    [500, "internalError", "service", "service_unavailable"],
    [503, "notFound", "service", "service_unavailable"],
  ])("throws for %i %s a %s error %s", async (status, reason, kind, code) => {
    const error = await failWith(status, bodyOf(status, reason));

    expect([error.kind, error.code]).toEqual([kind, code]);
    expect(error.message).toContain(`search.list answered ${status}`);
  });

  it.each([
    [401, "connect", "auth"],
    [403, "access", "forbidden"],
    [404, "input", "not_found"],
    [400, "input", "invalid_parameter"],
    [302, "service", "unexpected_answer"],
    [502, "service", "service_unavailable"],
  ])("goes by status %i when the body is empty or odd", async (status, kind, code) => {
    for (const body of [
      "",
      "null",
      '{"error":"invalid"}',
      '{"error":{"errors":[]}}',
      '{"error":{"code":403,"errors":[{"reason":"comme',
      '{"error":{"errors":[{"reason":"<b>bad</b>","location":"<i>x</i>"}]}}',
    ]) {
      const error = await failWith(status, body);
      expect([error.kind, error.code]).toEqual([kind, code]);
    }
  });

  it("names the place of a bad parameter", async () => {
    const error = await failWith(
      400,
      bodyOf(400, "invalidParameter", { location: "part", locationType: "parameter" }),
    );

    expect(error.facts).toMatchObject({ location: "part", reason: "invalidParameter" });
  });

  it("reads the newer form of a refused key", async () => {
    const details = [
      { "@type": "type.googleapis.com/google.rpc.ErrorInfo", reason: "API_KEY_INVALID" },
    ];

    const error = await failWith(400, bodyOf(400, "badRequest", { details }));

    expect(error.code).toBe("key_invalid");
  });

  it("says that a channel must be linked when a key alone was not enough", async () => {
    const error = await failWith(401, bodyOf(401, "authorizationRequired"), { key: "k" });

    expect([error.kind, error.code]).toEqual(["connect", "token_missing"]);
  });

  it.each([
    [403, "quotaExceeded", "The request cannot be completed."],
    [403, "dailyLimitExceeded", ""],
    [
      429,
      "rateLimitExceeded",
      "Quota exceeded for quota metric 'Search Queries' and limit 'Search Queries per day'",
    ],
    [429, "quotaExceeded", ""],
    [403, "rateLimitExceeded", "Queries per day of this project are used up."],
  ])(
    "does not repeat %i %s, and says when the budget starts anew",
    async (status, reason, message) => {
      const error = await failWith(status, bodyOf(status, reason, { message }));

      expect(error).toBeInstanceOf(LimitError);
      expect(error.code).toBe("quota_exceeded");
      expect(error.facts.bucket).toBe("searches");
      // Shortly after 12:00 UTC on a winter's day.
      expect((error as LimitError).retryAt?.toISOString()).toBe("2026-01-16T08:00:00.000Z");
      expect(server.received).toHaveLength(1);
    },
  );

  it.each([
    [403, "rateLimitExceeded"],
    [403, "userRateLimitExceeded"],
    [429, "rateLimitExceeded"],
    [429, ""],
  ])("repeats %i %s with waits and then says it is busy", async (status, reason) => {
    const error = await failWith(status, bodyOf(status, reason));

    expect([error.kind, error.code]).toEqual(["limit", "rate_limited"]);
    expect(server.received).toHaveLength(4);
  });

  it("knows the end of the day by the details too", async () => {
    const details = [
      { reason: "RATE_LIMIT_EXCEEDED", metadata: { quota_limit: "SearchQueriesPerDayPerProject" } },
    ];

    const error = await failWith(429, bodyOf(429, "rateLimitExceeded", { details }));

    expect(error.code).toBe("quota_exceeded");
    expect(server.received).toHaveLength(1);
  });

  it("distinguishes too many reports from too many requests", async () => {
    const error = await failWith(400, bodyOf(400, "rateLimitExceeded"));

    expect([error.kind, error.code]).toEqual(["limit", "too_many_reports"]);
    expect(server.received).toHaveLength(1);
  });

  it.each([
    ["in seconds", "90"],
    ["as a date", "Thu, 15 Jan 2026 12:01:30 GMT"],
  ])("says when it is worth another try, given %s", async (_how, header) => {
    const startedAt = Date.UTC(2026, 0, 15, 12);
    const response = {
      status: 429,
      headers: { "retry-after": header },
      body: Buffer.from(JSON.stringify(bodyOf(429, "rateLimitExceeded"))),
    };

    const error = failureOfResponse(response, {
      method: "videos.list",
      methodSpec: methods["videos.list"],
      signedBy: "key",
      now: startedAt,
    });

    expect((error as LimitError).retryAt?.getTime()).toBe(startedAt + 90_000);
  });

  it("gives up at once when the wait would be too long", async () => {
    const error = await failWith(429, bodyOf(429, "rateLimitExceeded"), {
      headers: { "retry-after": "90" },
    });

    expect((error as LimitError).retryAt?.getTime()).toBe(time.now() + 90_000);
    expect(server.received).toHaveLength(1);
  });

  it.each([
    [400, { error: "invalid_grant", error_description: "Token <b>canary</b>." }, "invalid_grant"],
    [401, { error: "invalid_client", error_description: "canary" }, "oauth_client_refused"],
    [403, { error: "slow_down" }, "rate_limited"],
    [403, { error_code: "rate_limit_exceeded" }, "rate_limited"],
    [400, { error: "canary text" }, "invalid_parameter"],
    [400, { error: "constructor" }, "invalid_parameter"],
  ])("reads what OAuth says: %i %j", async (status, body, code) => {
    const error = await failWith(status, body);

    expect(error.code).toBe(code);
    // Free text is shown as YouTube's own words; it is never taken for a code.
    const { said: _, ...facts } = error.facts;
    expect(JSON.stringify([error.message, facts])).not.toContain("canary");
  });

  it.each([
    [401, 'Bearer realm="https://x/", error="invalid_token"', "", "auth"],
    [
      403,
      'Bearer realm="x", error="insufficient_scope", scope="y"',
      "",
      "insufficient_permissions",
    ],
    [403, 'Bearer error="insufficient_scope"', "forbidden", "insufficient_permissions"],
    [403, "Bearer realm=x", "forbidden", "forbidden"],
    [403, 'Bearer error="invalid_token"', "commentsDisabled", "comments_disabled"],
  ])("reads the challenge: %i %s %s", async (status, challenge, reason, code) => {
    const body = reason === "" ? "" : bodyOf(status, reason);

    const error = await failWith(status, body, { headers: { "www-authenticate": challenge } });

    expect(error.code).toBe(code);
  });

  it.each([400, 401, 403, 404, 410, 302])("calls a web page with %i what it is", async (status) => {
    const error = await failWith(status, "<!doctype html><title>Blocked</title>");

    expect([error.kind, error.code, error.outcome]).toEqual([
      "service",
      "web_page_answer",
      "nothing",
    ]);
  });

  it.each([
    [413, "too_large"],
    [502, "service_unavailable"],
  ])("goes by the status of a web page with %i", async (status, code) => {
    expect((await failWith(status, "<html>sorry</html>")).code).toBe(code);
  });

  it("brings the service's own words along for what nobody foresaw", async () => {
    const message = "Try https://x.example/?key=canary-key or\nask canary-key.";
    const body = bodyOf(403, "neverHeardOf", { message, location: "id" });

    const error = await failWith(403, body, { key: "canary-key" });

    expect(error.facts.said).toBe("Try x.example or ask [hidden]. (neverHeardOf, id)");
  });

  it("brings along what OAuth describes", async () => {
    const body = { error: "new_word", error_description: "The <b>client</b> is new." };

    expect((await failWith(400, body)).facts.said).toBe("The client is new.");
  });

  it("does not repeat a plain refusal", async () => {
    await failWith(403, bodyOf(403, "forbidden"));

    expect(server.received).toHaveLength(1);
  });

  it("leaves it open whether a write that met a 5xx was done", () => {
    const response = { status: 503, headers: {}, body: Buffer.alloc(0), attempts: 1 };
    const methodSpec = { ...methods["videos.list"], retry: "create" as const };

    const error = failureOfResponse(response, {
      method: "x.insert",
      methodSpec,
      signedBy: "token",
      now: 0,
    });

    expect(error.outcome).toBe("unknown");
  });

  it("keeps keys and tokens out of everything it throws", async () => {
    const odd = (secret: string) => ({
      message: `key=${secret} ${secret}`,
      location: `?key=${secret}&x=${secret}`,
    });
    const errors = [
      await failWith(400, bodyOf(400, "bad canary-key", odd("canary-key")), { key: "canary-key" }),
      await failWith(403, bodyOf(403, "forbidden", odd("canary-token")), { token: "canary-token" }),
      await failWith(500, "canary-key canary-token", { key: "canary-key" }),
    ];

    for (const error of errors) {
      const everything = [error.message, error.stack, JSON.stringify(error), String(error.cause)];
      expect(everything.join()).not.toMatch(/canary/);
    }
  });
});
