import { afterEach, describe, expect, it } from "vitest";
import { createQuota } from "../../../src/sandbox/video/quota.ts";
import { methods } from "../../../src/video/index.ts";
import { open, refused, type Stage, send } from "./writes.ts";

describe("createQuota", () => {
  it("refuses with quotaExceeded once the units are gone", () => {
    const quota = createQuota(Date.now);
    for (let i = 0; i < 10_000; i++) quota.spend(methods["videos.list"]);

    expect(() => quota.spend(methods["channels.list"])).toThrow(
      expect.objectContaining({
        status: 403,
        options: expect.objectContaining({ reason: "quotaExceeded", domain: "youtube.quota" }),
      }),
    );
    expect(quota.spent("searches")).toBe(0);
  });

  it("starts again at midnight in Los Angeles, in summer and in winter", () => {
    let now = Date.UTC(2026, 6, 1, 6, 59);
    const quota = createQuota(() => now);
    const spentAt = (time: number): number => {
      now = time;
      return quota.spent("units");
    };
    quota.spend(methods["videos.list"]);
    const summer = [spentAt(Date.UTC(2026, 6, 1, 6, 59)), spentAt(Date.UTC(2026, 6, 1, 7))];
    now = Date.UTC(2026, 11, 1, 7, 30);
    quota.spend(methods["videos.list"]);
    const winter = [spentAt(Date.UTC(2026, 11, 1, 7, 59)), spentAt(Date.UTC(2026, 11, 1, 8))];

    expect([summer, winter]).toEqual([
      [1, 0],
      [1, 0],
    ]);
  });
});

describe("resetsAt", () => {
  it.each([
    ["in summer", Date.UTC(2026, 6, 1, 12), Date.UTC(2026, 6, 2, 7)],
    ["on the day that winter time begins", Date.UTC(2026, 10, 1, 8), Date.UTC(2026, 10, 2, 8)],
    ["in the last minute", Date.UTC(2026, 11, 1, 7, 59), Date.UTC(2026, 11, 1, 8)],
  ])("is the next midnight in Los Angeles %s", (_, now, midnight) => {
    expect(createQuota(() => now).resetsAt()).toBe(midnight);
  });
});

describe("the daily budgets", () => {
  let server: Stage;
  afterEach(() => server.close());

  it("are charged for what is refused, and not for who is refused", async () => {
    server = await open();
    await server.put("/playlists?part=snippet", "{");
    const refusedBody = server.quota.spent("units");
    await send(server, "PUT", "/playlists", { token: undefined });
    await send(server, "GET", "/nothing");

    // One unit was spent to look up the other channel when the stand-in was opened.
    expect([refusedBody, server.quota.spent("units")]).toEqual([51, 51]);
  });

  it("belong to the key's project, or to the token's", async () => {
    server = await open({
      otherKeys: ["second-key"],
      identify: () => ({ channelId: "x", scopes: ["youtube"], project: "third" }),
    });
    const read = (query: Record<string, string>) =>
      send(server, "GET", "/i18nRegions", {
        query: { part: "snippet", ...query },
        token: undefined,
      });
    server.quota.exhaust("units", "second-key");
    const second = await fetch(`${server.url}/i18nRegions?part=snippet&key=second-key`);
    const first = await read({});
    await fetch(`${server.url}/i18nRegions?part=snippet&access_token=any`);

    expect(((await second.json()) as { error: object }).error).toMatchObject({
      code: 403,
      errors: [{ reason: "quotaExceeded" }],
    });
    expect(first.status).toBe(200);
    expect(server.quota.spent("units", "third")).toBe(1);
  });

  it("end uploads with a 429 that names the day, and nothing else", async () => {
    server = await open();
    server.quota.exhaust("uploads");
    const upload = await send(server, "POST", `${server.uploadUrl}/videos`, {
      query: { part: "id", uploadType: "media" },
      body: Buffer.from("x"),
      headers: { "Content-Type": "video/mp4" },
    });
    const reading = await server.get("/i18nRegions", { part: "snippet" });

    expect(refused(upload)).toEqual([429, "rateLimitExceeded"]);
    expect(upload.body.error.message).toContain("per day");
    expect(reading.status).toBe(200);
  });
});
