import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createTimerClock } from "../../../../src/clock.ts";
import {
  type CreateExpressions,
  createExpressions,
  createOnceRest,
} from "../../../../src/discord/access/expressions/create.ts";
import { mayMakeExpressions } from "../../../../src/discord/access/roles/member-access.ts";
import { createRequestLimit } from "../../../../src/discord/wire/request-limit.ts";
import { LostError, whileOwned } from "../../../../src/ownership.ts";
import { type Platform, startPlatform } from "../../../../src/sandbox/platform/index.ts";
import { tinyPng } from "../../../sandbox/platform/tiny-png.ts";
import { send } from "../../../support/raw-bot.ts";
import { serve } from "../../../support/server.ts";

describe("making emoji and stickers", () => {
  let platform: Platform;
  let clock: number;
  let create: CreateExpressions;

  beforeEach(async () => {
    clock = Date.now();
    platform = await startPlatform({ now: () => clock });
    const limit = createRequestLimit({ perSecond: () => 50, clock: createTimerClock(Date.now) });
    const makeRequest = limit.send();
    const rest = createOnceRest({ api: `${platform.url}/api`, version: "10", makeRequest });
    rest.setToken(platform.token);
    const botId = platform.applicationId;
    create = createExpressions({ rest, botId, now: () => clock, settleMs: 10 });
  });
  afterEach(() => platform.close());

  const where = () => ({ guildId: platform.guildId, reason: "Asked for by robin (1)" });
  const emoji = (name = "cat") => create.emoji({ name, data: tinyPng }, where());
  const sticker = (name = "A cat") =>
    create.sticker({ name, description: "", tags: "cat", data: tinyPng }, where());
  const there = async (what: "emojis" | "stickers") => {
    const { json } = await send(platform, "GET", `/guilds/${platform.guildId}/${what}`);
    return json as readonly { id: string; name: string }[];
  };
  const posts = /(?:emojis|stickers)$/u;

  it("answers what was made", async () => {
    const made = [await emoji(), await sticker()];

    expect([...(await there("emojis")), ...(await there("stickers"))]).toMatchObject(made);
    expect(made.map(({ name }) => name)).toEqual(["cat", "A cat"]);
  });

  it.each([
    ["an emoji", "emojis", emoji],
    ["a sticker", "stickers", sticker],
  ] as const)("finds %s whose answer was cut, and makes no second", async (_, what, make) => {
    platform.faults.add({ method: "POST", path: posts, kind: "cut-after", times: 1 });

    const made = await make();

    expect((await there(what)).map(({ id }) => id)).toEqual([made.id]);
  });

  it.each([
    ["was cut before it arrived", { kind: "cut-before" }],
    ["was answered with 503", { kind: "answer", status: 503 }],
  ] as const)("sends again what %s, once", async (_, fault) => {
    platform.faults.add({ method: "POST", path: posts, ...fault, times: 1 });

    const made = await emoji();

    expect(await there("emojis")).toMatchObject([made]);
  });

  it("makes nothing in a process that has lost the work", async () => {
    const lost = whileOwned(async () => false, emoji);

    await expect(lost).rejects.toThrow(LostError);
    expect(await there("emojis")).toEqual([]);
  });

  it("takes no earlier one of the same name for the one that was lost", async () => {
    const first = await emoji();
    platform.faults.add({ method: "POST", path: posts, kind: "cut-before", times: 1 });

    const second = await emoji();

    expect(second.id).not.toBe(first.id);
    expect(await there("emojis")).toHaveLength(2);
  });

  it("takes none that was there long before", async () => {
    await send(platform, "POST", `/guilds/${platform.guildId}/emojis`, {
      body: {
        name: "cat",
        image: `data:image/png;base64,${Buffer.from(tinyPng).toString("base64")}`,
      },
    });
    clock += 120_000;
    platform.faults.add({ method: "POST", path: posts, kind: "cut-before", times: 1 });

    const made = await emoji();

    expect((await there("emojis"))[1]).toMatchObject(made);
  });

  it("says that it is not certain when the list can't be had either", async () => {
    platform.faults.add({ method: "POST", path: posts, kind: "cut-after", times: 1 });
    platform.faults.add({ method: "GET", path: posts, kind: "answer", status: 500, times: 1 });

    await expect(emoji()).rejects.toMatchObject({ code: "discord_lost", outcome: "unknown" });
    expect(await there("emojis")).toHaveLength(1);
  });

  it("gives up after the second 5xx, and says so", async () => {
    platform.faults.add({ method: "POST", path: posts, kind: "answer", status: 503, times: 2 });

    await expect(emoji()).rejects.toMatchObject({ code: "discord_down", outcome: "unknown" });
    expect(await there("emojis")).toEqual([]);
  });

  it("waits no hour for a bucket that is empty, but says when it fills", async () => {
    platform.faults.add({
      method: "POST",
      path: posts,
      kind: "answer",
      status: 429,
      headers: { "content-type": "application/json", "retry-after": "1800" },
      body: JSON.stringify({ message: "x", retry_after: 1800, global: false }),
      times: 1,
    });

    const refused = await emoji().catch((error: unknown) => error);

    expect(refused).toMatchObject({ code: "expression_rate", outcome: "nothing" });
    const { retryAt } = refused as { retryAt: Date };
    expect(retryAt.getTime() - clock).toBeGreaterThanOrEqual(1_800_000);
    expect(retryAt.getTime() - clock).toBeLessThan(1_802_000);
  });

  it("distinguishes a missing permission, a full server and a refused name", async () => {
    platform.setBotPermissions(0n);
    await expect(emoji()).rejects.toMatchObject({ code: "expression_permission" });
    platform.setBotPermissions(1n << 43n);
    await expect(emoji("my cat")).rejects.toMatchObject({
      code: "expression_refused",
      facts: { place: "name" },
    });
    for (let count = 0; count < 5; count += 1) await sticker();
    await expect(sticker()).rejects.toMatchObject({ code: "sticker_slots", outcome: "nothing" });
  });
});

describe("what is sent", () => {
  it("names who asked in the audit log, and types the sticker's file", async () => {
    const seen: { reason: string | undefined; body: string }[] = [];
    const server = await serve((request, response) => {
      let body = "";
      request.setEncoding("latin1").on("data", (part) => {
        body += part;
      });
      request.on("end", () => {
        const reason = request.headers["x-audit-log-reason"];
        seen.push({ reason: reason === undefined ? undefined : `${reason}`, body });
        response.writeHead(201, { "content-type": "application/json" });
        response.end(JSON.stringify({ id: "1", name: "cat" }));
      });
    });
    const rest = createOnceRest({ api: server.url, version: "10" }).setToken("x");
    const create = createExpressions({ rest, botId: "9", now: () => 0 });

    await create.sticker(
      { name: "A cat", description: "", tags: "cat", data: tinyPng },
      { guildId: "1", reason: "Asked for by 林 (1)" },
    );
    await server.close();

    expect(decodeURIComponent(seen[0]?.reason ?? "")).toBe("Asked for by 林 (1)");
    expect(seen[0]?.body).toMatch(/name="description"\r\n\r\n\r\n/u);
    expect(seen[0]?.body).toMatch(
      /name="file"; filename="sticker.png"\r\nContent-Type: image\/png/u,
    );
  });
});

describe("mayMakeExpressions", () => {
  it.each([
    ["to create them", 1n << 43n, true],
    ["of an administrator", 1n << 3n, true],
    ["to manage them alone", 1n << 30n, false],
    ["to manage the server alone", 1n << 5n, false],
  ])("knows the permission %s", (_, bits, may) => {
    expect(mayMakeExpressions(bits)).toBe(may);
  });
});
