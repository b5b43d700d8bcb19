import { describe, expect, it, onTestFinished } from "vitest";
import { createHttp } from "../../src/http/index.ts";
import { createRevoker, type RevokerOptions } from "../../src/oauth/index.ts";
import type { Fault } from "../../src/sandbox/faults.ts";
import { openStore } from "../../src/store/index.ts";
import { start } from "../sandbox/oauth/support.ts";
import { seed, seeded } from "../support/random.ts";
import { bakeryId, guild, otherGuild, refuse, studioId } from "./stage.ts";

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

async function stage(changes: Partial<RevokerOptions> = {}) {
  const { server, advance: advanceServer } = await start();
  let time = Date.UTC(2026, 10, 21, 12);
  const now = () => time;
  const advance = (ms: number) => {
    // Clocks count whole milliseconds.
    time += Math.ceil(ms);
    advanceServer(Math.ceil(ms));
  };
  const http = createHttp({ now, random: seeded(seed), sleep: async (ms) => advance(ms) });
  const store = await openStore({
    url: "sqlite::memory:",
    keys: [{ id: "k1", key: new Uint8Array(32).fill(1) }],
    now,
  });
  const failures: unknown[] = [];
  const make = () =>
    createRevoker({
      ...{ revocations: store.revocations, credentials: store.credentials },
      ...{ guilds: store.guilds, leases: store.leases, http, now, revokeUrl: server.revokeUrl },
      onFailure: (error) => failures.push(error),
      ...changes,
    });
  const revoker = make();
  onTestFinished(async () => {
    await revoker.close();
    await Promise.all([http.close(), store.close(), server.close()]);
  });
  const { refreshToken: token } = server.mint({ channelId: studioId });
  const link = (guildId: string, channelId = studioId, more: object = {}) =>
    store.credentials.write(guildId, {
      ...{ kind: "channel", channelId, secret: "s", addedBy: "333333333333333333", addedAt: 0 },
      ...more,
    });
  const rows = () => store.revocations.all();
  return { server, store, revoker, make, token, link, rows, failures, advance, now };
}

describe("createRevoker", () => {
  it("ends a consent once it is due, and forgets the token", async () => {
    const { server, store, revoker, token, rows, advance, now } = await stage();
    await store.revocations.add(token, { channelId: studioId, dueAt: now() + minute });

    expect(await revoker.sweep()).toBe(0);
    expect(server.knows(token)).toBe(true);
    advance(minute);
    expect(await revoker.sweep()).toBe(1);

    expect(server.knows(token)).toBe(false);
    expect(await rows()).toEqual([]);
  });

  it("leaves half a minute to whoever removes the link after writing the token down", async () => {
    const { server, store, revoker, token, advance } = await stage();
    await store.revocations.add(token, { channelId: studioId });
    advance(29 * second);
    await revoker.sweep();
    expect(server.knows(token)).toBe(true);
    advance(second);

    await revoker.sweep();

    expect(server.knows(token)).toBe(false);
  });

  it("forgets a token that the service does not know any more", async () => {
    const { server, store, revoker, token, rows, failures, now } = await stage();
    server.expire(token);
    await store.revocations.add(token, { dueAt: now() });

    await revoker.sweep();

    expect(await rows()).toEqual([]);
    expect(failures).toEqual([]);
  });

  it.each([
    ["in another server", otherGuild, {}, true],
    ["in the same server anew", guild, {}, true],
    ["nowhere but in a broken link", otherGuild, { brokenAt: 1 }, false],
  ])(
    "ends nothing of a channel that is linked %s, and forgets the token",
    async (_, guildId, more, isKept) => {
      const { server, store, revoker, token, link, rows, now } = await stage();
      await link(guildId, studioId, more);
      await link(otherGuild, bakeryId);
      await store.revocations.add(token, { channelId: studioId, dueAt: now() });

      await revoker.sweep();

      expect(server.knows(token)).toBe(isKept);
      expect(await rows()).toEqual([]);
    },
  );

  it.each([
    ["is confirmed", true],
    ["is never confirmed", false],
  ])("waits for a newer consent of the same channel, which then %s", async (_, isConfirmed) => {
    const { server, store, revoker, token, link, rows, advance, now } = await stage();
    const { refreshToken } = server.mint({ channelId: studioId });
    await store.revocations.add(token, { channelId: studioId, dueAt: now() });
    const pending = { channelId: studioId, dueAt: now() + 11 * minute };
    const id = await store.revocations.add(refreshToken, pending);
    await store.revocations.add(server.mint({ channelId: bakeryId }).refreshToken, {
      ...{ channelId: bakeryId, dueAt: now() },
    });

    expect(await revoker.sweep()).toBe(1);
    expect(server.knows(refreshToken)).toBe(true);
    if (isConfirmed) {
      await link(guild);
      await store.revocations.remove(id);
    }
    advance(11 * minute);
    await revoker.sweep();

    expect(server.knows(refreshToken)).toBe(isConfirmed);
    expect(await rows()).toEqual([]);
  });

  it.each<[string, Fault]>([
    ["500", { kind: "answer", status: 500 }],
    ["a web page with 400", refuse(400, "<html>", 99)],
    ["a web page with 404", refuse(404, "<html>", 99)],
    ["429", refuse(429, {}, 99)],
    ["cuts", { kind: "cut-before" }],
  ])("tries again after %s, ever more seldom, and tells it without the token", async (_, fault) => {
    const { server, store, revoker, token, rows, failures, advance, now } = await stage();
    server.faults.add(fault);
    await store.revocations.add(token, { dueAt: now() });

    await revoker.sweep();
    await revoker.sweep();
    expect(failures).toHaveLength(1);
    advance(minute);
    await revoker.sweep();
    expect(failures).toHaveLength(2);
    advance(minute);
    await revoker.sweep();
    expect(failures).toHaveLength(2);
    expect(failures.map((error) => `${error} ${Object(error).cause}`).join()).not.toContain(token);
    server.faults.clear();
    advance(2 * minute);
    await revoker.sweep();

    expect(server.knows(token)).toBe(false);
    expect(await rows()).toEqual([]);
  });

  it("gives up after a day", async () => {
    const { server, store, revoker, token, rows, failures, advance, now } = await stage();
    server.faults.add({ kind: "answer", status: 500 });
    await store.revocations.add(token, { dueAt: now() });
    for (let n = 0; n < 15; n += 1) {
      await revoker.sweep();
      expect(await rows()).toHaveLength(1);
      advance(1.5 * hour);
    }
    advance(2 * hour);

    await revoker.sweep();

    expect(await rows()).toEqual([]);
    expect(String(failures.at(-1))).toMatch(/forgotten/);
  });

  it("waits while it can't be read whether the channel is linked", async () => {
    const { store, server, token, make, link, rows, now } = await stage({
      credentials: { channels: async () => ({ state: "failed", error: new Error("disk") }) },
    });
    await link(otherGuild);
    await store.revocations.add(token, { channelId: studioId, dueAt: now() });

    await make().sweep();

    expect(server.knows(token)).toBe(true);
    expect(await rows()).toHaveLength(1);
  });

  it("sends each token once from several processes", async () => {
    const { server, store, revoker, make, rows, now } = await stage();
    const tokens = Array.from({ length: 20 }, () => server.mint({ channelId: studioId }));
    for (const { refreshToken } of tokens) {
      await store.revocations.add(refreshToken, { dueAt: now() });
    }

    const done = await Promise.all([revoker.sweep(), make().sweep(), make().sweep()]);

    expect(done.sort((a, b) => a - b)).toEqual([0, 0, 20]);
    expect(await rows()).toEqual([]);
  });

  it("looks by itself when it is started and when it is woken", async () => {
    const { server, store, revoker, token, now } = await stage();
    await store.revocations.add(token, { dueAt: now() });
    revoker.start();
    await expect.poll(() => server.knows(token)).toBe(false);

    const { refreshToken } = server.mint({ channelId: studioId });
    await store.revocations.add(refreshToken, { dueAt: now() });
    revoker.wake();

    await expect.poll(() => server.knows(refreshToken)).toBe(false);
  });

  it("throws nothing when the store fails", async () => {
    const { store, revoker, failures } = await stage();
    await store.close();

    expect(await revoker.sweep()).toBe(0);
    expect(failures).toHaveLength(1);
  });
});
