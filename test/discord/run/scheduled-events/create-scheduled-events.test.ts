import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createTimerClock } from "../../../../src/clock.ts";
import { createOnceRest } from "../../../../src/discord/access/expressions/create.ts";
import { createScheduledEvents } from "../../../../src/discord/run/scheduled-events/create-scheduled-events.ts";
import { createRequestLimit } from "../../../../src/discord/wire/request-limit.ts";
import { createHttp, type Http } from "../../../../src/http/index.ts";
import { createLog, createSecrets } from "../../../../src/log.ts";
import { LostError, whileOwned } from "../../../../src/ownership.ts";
import { type Platform, startPlatform } from "../../../../src/sandbox/platform/index.ts";
import type { ScheduledEvent, ScheduledEvents } from "../../../../src/scheduled-events.ts";
import { tinyPng } from "../../../sandbox/platform/tiny-png.ts";
import { checkExchange } from "../../../support/discord-spec.ts";
import { send } from "../../../support/raw-bot.ts";
import { serve } from "../../../support/server.ts";

const minute = 60_000;
const url = "https://www.youtube.com/watch?v=dQw4w9WgXcQ";
const createEvents = 1n << 44n;
const manageEvents = 1n << 33n;

describe("createScheduledEvents", () => {
  let platform: Platform;
  let http: Http;
  let clock: number;
  let events: ScheduledEvents;

  beforeEach(async () => {
    clock = Date.parse("2026-01-01T12:00:00Z");
    platform = await startPlatform({ now: () => clock });
    http = createHttp({ random: () => 0 });
    events = createScheduledEvents(deps());
  });
  afterEach(async () => {
    await http.close();
    await platform.close();
  });

  function deps() {
    const limit = createRequestLimit({ perSecond: () => 1_000, clock: createTimerClock(Date.now) });
    const makeRequest = limit.send();
    const rest = createOnceRest({ api: `${platform.url}/api`, version: "10", makeRequest });
    rest.setToken(platform.token);
    const log = createLog({ level: "error", secrets: createSecrets(), write: () => undefined });
    const services = { http, log, now: () => clock, random: () => 0 };
    return { rest, botId: platform.applicationId, services };
  }

  const stream = (changes: Partial<ScheduledEvent> = {}): ScheduledEvent => ({
    name: "A stream",
    description: "Words",
    url,
    startsAt: clock + 10 * minute,
    endsAt: clock + 70 * minute,
    state: "scheduled",
    ...changes,
  });
  const make = (changes?: Partial<ScheduledEvent>) =>
    events.create(platform.guildId, stream(changes));
  const change = (id: string, changes: Partial<ScheduledEvent>) =>
    events.change(platform.guildId, id, stream(changes));
  const path = () => `/guilds/${platform.guildId}/scheduled-events`;

  interface Read {
    readonly [field: string]: unknown;
  }
  const read = async (id = "") => (await send(platform, "GET", `${path()}/${id}`)).json as Read;
  const list = async () => (await send(platform, "GET", path())).json as readonly Read[];
  const iso = (at: number) => new Date(at).toISOString();

  it("makes events as specified, and finds its own by their address", async () => {
    const violations: Promise<readonly string[]>[] = [];
    platform.onExchange((exchange) => violations.push(checkExchange(exchange)));

    const id = await make();
    const found = await events.find(platform.guildId, url);
    const other = await events.find(platform.guildId, `${url}x`);

    expect(await read(id)).toMatchObject({
      name: "A stream",
      description: "Words",
      entity_metadata: { location: url },
      entity_type: 3,
      scheduled_start_time: iso(clock + 10 * minute),
      scheduled_end_time: iso(clock + 70 * minute),
      status: 1,
    });
    expect([found, other]).toEqual([id, undefined]);
    expect((await Promise.all(violations)).flat()).toEqual([]);
  });

  it.each([
    ["a name that is too long", { name: "x".repeat(101) }, { name: `${"x".repeat(99)}…` }],
    ["a name of several lines", { name: " a\n b " }, { name: "a b" }],
    ["a name that is blank", { name: " \u200b" }, { name: "—" }],
    [
      "a long description",
      { description: "x".repeat(1_001) },
      { description: `${"x".repeat(999)}…` },
    ],
    ["no description", { description: " " }, { description: null }],
  ])("puts %s right", async (_, changes, expected) => {
    expect(await read(await make(changes))).toMatchObject(expected);
  });

  it.each([
    ["a start that has passed", { startsAt: -5 }, [0.5, 70]],
    ["an active one", { startsAt: -5, state: "active" as const }, [0.5, 70]],
    ["an end before the start", { endsAt: 5 }, [10, 11]],
    ["a start in decades", { startsAt: 20e6, endsAt: 21e6 }, [525_600, 1_051_200]],
  ])("puts times right: %s", async (_, minutes, [start = 0, end = 0]) => {
    const times = { startsAt: 10, endsAt: 70, ...minutes };

    const id = await make({
      ...minutes,
      startsAt: clock + times.startsAt * minute,
      endsAt: clock + times.endsAt * minute,
    });

    expect(await read(id)).toMatchObject({
      scheduled_start_time: iso(clock + start * minute),
      scheduled_end_time: iso(clock + end * minute),
    });
  });

  it.each([
    ["scheduled", "scheduled", 1, []],
    ["scheduled", "active", 2, [2]],
    ["scheduled", "over", 3, [2, 3]],
    ["scheduled", "cancelled", 4, [4]],
    ["active", "scheduled", 2, []],
    ["active", "active", 2, []],
    ["active", "over", 3, [3]],
    ["active", "cancelled", 3, [3]],
    ["over", "active", 3, []],
    ["cancelled", "over", 4, []],
  ] as const)("takes one that is %s to %s", async (from, to, status, expected) => {
    const id = await make();
    await change(id, { state: from });
    const sent: unknown[] = [];
    platform.onExchange(({ method, requestBody }) => {
      if (method === "PATCH") sent.push((requestBody as Read).status);
    });

    await change(id, { state: to });

    expect(await read(id)).toMatchObject({ status });
    expect(sent).toEqual(expected);
  });

  it("begins one that should have begun", async () => {
    const id = await make();

    await change(id, { startsAt: clock - 1 });

    expect(await read(id)).toMatchObject({ status: 2 });
  });

  it("sends only what differs, and nothing where nothing does", async () => {
    const id = await make();
    const sent: unknown[] = [];
    platform.onExchange(({ method, requestBody }) => {
      if (method === "PATCH") sent.push(requestBody);
    });

    await change(id, {});
    await change(id, { startsAt: clock + 20 * minute, description: undefined });
    clock += 25 * minute;
    await change(id, { state: "active", startsAt: clock, endsAt: clock + 90 * minute });

    expect(sent).toEqual([
      { description: null, scheduled_start_time: iso(clock - 5 * minute) },
      { description: "Words", scheduled_end_time: iso(clock + 90 * minute) },
    ]);
  });

  it("leaves alone the start of one that begins in the moment it is changed", async () => {
    const id = await make();
    const stop = platform.onExchange(() => {
      clock += 10 * minute;
      stop();
    });

    await change(id, { name: "new", startsAt: clock + 30 * minute });

    expect(await read(id)).toMatchObject({ name: "new", status: 2 });
  });

  it("says what Discord refuses", async () => {
    const id = await make();
    const held = (bits: bigint) => platform.setBotPermissions(bits);

    await send(platform, "DELETE", `${path()}/${id}`);
    await expect(change(id, {})).rejects.toMatchObject({ code: "discord_event_gone" });
    held(manageEvents);
    await expect(make()).rejects.toMatchObject({
      kind: "access",
      code: "discord_events_forbidden",
    });
    held(createEvents);
    platform.limitRequests(false);
    await Promise.all(Array.from({ length: 100 }, () => make()));
    await expect(make()).rejects.toMatchObject({ kind: "limit", code: "discord_events_full" });
    const [first] = await list();
    platform.faults.add({
      method: "PATCH",
      path: /scheduled-events/,
      kind: "answer",
      status: 400,
      body: JSON.stringify({ code: 50_035, message: "Invalid Form Body", errors: {} }),
      headers: { "content-type": "application/json" },
      times: 1,
    });
    const renamed = change(String(first?.id), { name: "new" });
    await expect(renamed).rejects.toMatchObject({ kind: "input", code: "discord_event_refused" });
  });

  it.each([
    ["cut before it arrived", { kind: "cut-before" }, 0],
    ["cut after it arrived", { kind: "cut-after" }, 1],
    ["answered with 500", { kind: "answer", status: 500 }, 0],
  ] as const)("makes no second one after a request that was %s", async (_, fault, count) => {
    platform.faults.add({ method: "POST", path: /scheduled-events/, ...fault, times: 1 });

    await expect(make()).rejects.toMatchObject({ outcome: "unknown" });

    expect(await list()).toHaveLength(count);
    expect((await events.find(platform.guildId, url)) !== undefined).toBe(count === 1);
  });

  it.each([
    ["a minute and more", "90", "discord_limit"],
    ["some seconds", "9", "discord_down"],
  ])("says when to make one where Discord asks for %s", async (_, seconds, code) => {
    const headers = { "retry-after": seconds };
    const limited = { kind: "answer", status: 429, headers, times: 1 } as const;
    platform.faults.add({ method: "POST", path: /scheduled-events/, ...limited });

    await expect(make()).rejects.toMatchObject({ code, outcome: "nothing" });

    expect(await list()).toEqual([]);
  });

  it("repeats a change whose answer is lost", async () => {
    const id = await make();
    platform.faults.add({ method: "PATCH", path: /scheduled-events/, kind: "cut-after", times: 1 });

    await change(id, { state: "over" });

    expect(await read(id)).toMatchObject({ status: 3 });
  });

  it("makes nothing in a process that has lost the work", async () => {
    await expect(
      whileOwned(
        async () => false,
        () => make(),
      ),
    ).rejects.toThrow(LostError);
    expect(await list()).toEqual([]);
  });

  describe("covers", () => {
    let body: Uint8Array;
    let pictures: Awaited<ReturnType<typeof serve>>;
    let pictureUrl: string;

    beforeEach(async () => {
      body = tinyPng;
      pictures = await serve((_, response) => response.end(body));
      pictureUrl = `${pictures.url}/cover.jpg`;
    });
    afterEach(() => pictures.close());

    it("sends a picture once, and again when it changes", async () => {
      const sent: boolean[] = [];
      platform.onExchange(({ method, requestBody }) => {
        if (method !== "GET") sent.push("image" in (requestBody as Read));
      });

      const id = await make({ pictureUrl });
      await change(id, { pictureUrl, name: "new" });
      body = Uint8Array.from([...tinyPng, 0]);
      await change(id, { pictureUrl, name: "new" });

      expect(sent).toEqual([true, false, true]);
      expect(await read(id)).toMatchObject({ image: expect.any(String) });
    });

    it.each([
      ["a page", () => Buffer.from("<html>")],
      ["a picture of a kind that Discord does not take", () => Buffer.from("RIFF1234WEBPVP8 ")],
      ["a file that is too large", () => Buffer.alloc(2 * 1_024 * 1_024 + 1, tinyPng)],
      ["a picture that Discord refuses", () => Buffer.from([0xff, 0xd8, 0xff])],
    ])("does without %s", async (_, made) => {
      body = made();

      expect(await read(await make({ pictureUrl }))).toMatchObject({ image: null });
    });

    it("does without a host that does not answer", async () => {
      const id = await make({ pictureUrl: "http://127.0.0.1:1/cover.jpg" });

      expect(await read(id)).toMatchObject({ image: null });
    });
  });
});
