import { describe, expect, it } from "vitest";
import { NetworkError } from "../../src/errors.ts";
import { retryAfterMs } from "../../src/http/index.ts";
import { answering, cut, failureOf, fakeTime, openHttp as http, serve } from "./server.ts";

describe("backOff", () => {
  it("waits with full jitter below a ceiling that doubles up to ten seconds", async () => {
    const time = fakeTime();
    const { backOff } = http({ ...time, random: () => 1 });

    for (let misses = 1; misses < 10; misses++) await backOff("upload", misses);

    expect(time.waits).toEqual([500, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000, 10_000, 10_000]);
  });

  it("is at least as long as the service asked for", async () => {
    const time = fakeTime();
    const { backOff } = http({ ...time, random: () => 0 });

    await backOff("upload", 1, { retryAfterMs: 90_000 });

    expect(time.waits).toEqual([90_000]);
  });

  it("answers false without a wait when the class's tries are used up", async () => {
    const time = fakeTime();
    const { backOff } = http(time);

    expect(await backOff("upload", 9)).toBe(true);
    expect(await backOff("upload", 10)).toBe(false);
    expect(await backOff("create", 4)).toBe(false);
    expect(time.waits).toHaveLength(1);
  });

  it("answers false without a wait that would be too long", async () => {
    const time = fakeTime();
    const { backOff } = http(time);

    expect(await backOff("upload", 1, { retryAfterMs: 5_000, withinMs: 5_000 })).toBe(false);
    expect(await backOff("upload", 1, { retryAfterMs: 30 * 60_000 })).toBe(false);
    expect(time.waits).toEqual([]);
  });

  it("rejects with the signal's reason before and during the wait", async () => {
    const reason = new Error("enough");
    const { backOff } = http({ random: () => 1 });
    const abort = new AbortController();
    setTimeout(() => abort.abort(reason), 20);

    await expect(backOff("upload", 1, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    await expect(backOff("upload", 1, { signal: abort.signal })).rejects.toBe(reason);
  });
});

describe("request", () => {
  it.each([answering(503), answering(429), cut])(
    "is sent as often as the caller says",
    async (answer) => {
      const server = await serve(answer);
      const { request } = http(fakeTime());

      await request({ method: "PUT", url: server.url, retry: "set", tries: 1 }).catch(() => {});

      expect(server.received).toHaveLength(1);
    },
  );

  it("is given up after as much silence as the caller bears", async () => {
    const server = await serve(() => {});
    const { request } = http({});

    const call = request({ method: "POST", url: server.url, retry: "create", silenceMs: 1 });

    expect((await failureOf(call, NetworkError)).code).toBe("timeout");
  });

  it("says how often it left when it brought no answer", async () => {
    const server = await serve(cut);

    const error = await failureOf(
      http(fakeTime()).request({ method: "GET", url: server.url, retry: "read" }),
      NetworkError,
    );

    expect(error.facts.attempts).toBe(11);
  });

  it("says that an answer follows an attempt that may have been carried out", async () => {
    const server = await serve((received, response, count) =>
      (count % 2 === 1 ? cut : answering(404))(received, response, count),
    );
    const throttled = await serve((received, response, count) =>
      answering(count === 1 ? 429 : 404)(received, response, count),
    );
    const { request } = http(fakeTime());

    const after = await request({ method: "DELETE", url: server.url, retry: "delete" });
    const alone = await request({ method: "DELETE", url: throttled.url, retry: "delete" });

    expect([after.attempts, after.maybeDone]).toEqual([2, true]);
    expect([alone.attempts, alone.maybeDone]).toEqual([2, undefined]);
  });

  it("ends an attempt at headers beyond all reason", async () => {
    const server = await serve((_received, response) => {
      response.writeHead(200, { "x-absurd": "a".repeat(200_000) }).end("{}");
    });

    const error = await failureOf(
      http(fakeTime()).request({ method: "POST", url: server.url, retry: "create" }),
      NetworkError,
    );

    expect([error.code, error.outcome]).toEqual(["cut", "unknown"]);
  });
});

describe("retryAfterMs", () => {
  const now = Date.UTC(2026, 0, 1);

  it.each([
    ["7", 7_000],
    [" 1.5 ", 1_500],
    ["0", 0],
    ["Thu, 01 Jan 2026 00:00:09 GMT", 9_000],
    ["Wed, 31 Dec 2025 23:00:00 GMT", 0],
  ])("reads %j", (header, ms) => {
    expect(retryAfterMs(header, now)).toBe(ms);
  });

  it.each([undefined, "", "soon", "-5", "soon 5", "12,5", "99:99:99"])(
    "takes %j for nothing said",
    (header) => {
      expect(retryAfterMs(header, now)).toBeUndefined();
    },
  );
});
