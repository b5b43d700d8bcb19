import { describe, expect, it } from "vitest";
import {
  createJobs,
  type Job,
  type JobHandler,
  type NewJob,
  type QueueOptions,
} from "../../src/jobs/index.ts";
import { createRevoker, type RevokerDeps, revocationJob } from "../../src/oauth/index.ts";
import type { InjectedFault } from "../../src/sandbox/faults.ts";
import { revocationsOf } from "./links-stage.ts";
import { bakeryId, guild, openService, otherGuild, refuse, studioId } from "./stage.ts";

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** A store that makes a job for every consent to be revoked, and a revoker whose jobs the test does by hand. */
async function stage(changes: Partial<RevokerDeps> = {}) {
  const put: NewJob[] = [];
  const { server, http, store, now, advance } = await openService({
    onRevocation: async (revocation) => void put.push(revocationJob(revocation)),
  });
  const logged: unknown[] = [];
  let work: JobHandler | undefined;
  let options: QueueOptions | undefined;
  createRevoker({
    revocations: store.revocations,
    credentials: store.credentials,
    http,
    now,
    revokeUrl: server.revokeUrl,
    log: { error: (...line) => void logged.push(line) },
    jobs: {
      handle: (_, chosen, handler) => {
        work = handler;
        options = chosen;
      },
    },
    ...changes,
  });
  /** Does the job with this id; returns when it is due again. */
  const run = (id: string) =>
    work?.({ key: id, signal: new AbortController().signal } as unknown as Job);
  const { refreshToken: token } = server.mint({ channelId: studioId });
  const link = (guildId: string, channelId = studioId, more: object = {}) =>
    store.credentials.write(guildId, {
      kind: "channel",
      channelId,
      secret: "s",
      addedBy: "333333333333333333",
      addedAt: 0,
      ...more,
    });
  const rows = () => revocationsOf(store);
  return {
    server,
    store,
    put,
    run,
    token,
    link,
    rows,
    logged,
    advance,
    now,
    options: () => options,
  };
}

describe("createRevoker", () => {
  it("has a job for each consent that is written down, half a minute later", async () => {
    const { store, put, token, now } = await stage();

    const id = await store.revocations.add(token, { channelId: studioId });
    const later = await store.revocations.add(token, { dueAt: now() + hour });

    expect(put).toEqual([
      { queue: "oauth.revoke", key: id, dueAt: now() + 30 * second },
      { queue: "oauth.revoke", key: later, dueAt: now() + hour },
    ]);
  });

  it("writes neither the row nor the job where the transaction fails", async () => {
    const { store, token, now } = await stage();
    const { database } = store;
    const jobs = createJobs({
      database,
      random: Math.random,
      clock: { now, after: () => () => undefined },
      log: { warn: () => undefined, error: () => undefined } as never,
    });

    const failing = database.transaction(async () => {
      await store.revocations.add(token);
      await jobs.put(revocationJob({ id: "a", dueAt: now() }));
      throw new Error("no");
    });

    await expect(failing).rejects.toThrow("no");
    expect(await revocationsOf(store)).toEqual([]);
    expect(await database.db.selectFrom("jobs").selectAll().execute()).toEqual([]);
  });

  it("ends a consent, and forgets the token", async () => {
    const { server, store, run, token, rows } = await stage();
    const id = await store.revocations.add(token, { channelId: studioId });

    expect(await run(id)).toBeUndefined();

    expect(server.knows(token)).toBe(false);
    expect(await rows()).toEqual([]);
    expect(await run(id)).toBeUndefined();
  });

  it("forgets a token that the service does not know any more", async () => {
    const { server, store, run, token, rows } = await stage();
    server.expire(token);
    const id = await store.revocations.add(token);

    expect(await run(id)).toBeUndefined();

    expect(await rows()).toEqual([]);
  });

  it.each([
    ["in another server", otherGuild, {}, true],
    ["in the same server anew", guild, {}, true],
    ["nowhere but in a broken link", otherGuild, { brokenAt: 1 }, false],
  ])(
    "ends nothing of a channel that is linked %s, and forgets the token",
    async (_, guildId, more, isKept) => {
      const { server, store, run, token, link, rows } = await stage();
      await link(guildId, studioId, more);
      await link(otherGuild, bakeryId);

      await run(await store.revocations.add(token, { channelId: studioId }));

      expect(server.knows(token)).toBe(isKept);
      expect(await rows()).toEqual([]);
    },
  );

  it.each([
    ["is confirmed", true],
    ["is never confirmed", false],
  ])("waits for a newer consent of the same channel, which then %s", async (_, isConfirmed) => {
    const { server, store, run, token, link, rows, advance, now } = await stage();
    const { refreshToken } = server.mint({ channelId: studioId });
    const id = await store.revocations.add(token, { channelId: studioId, dueAt: now() });
    const laterAt = now() + 11 * minute;
    const later = await store.revocations.add(refreshToken, {
      channelId: studioId,
      dueAt: laterAt,
    });
    const other = await store.revocations.add(server.mint({ channelId: bakeryId }).refreshToken, {
      channelId: bakeryId,
      dueAt: now(),
    });

    expect(await run(other)).toBeUndefined();
    expect(await run(id)).toBe(laterAt);
    expect(server.knows(refreshToken)).toBe(true);
    if (isConfirmed) {
      await link(guild);
      await store.revocations.remove(later);
    }
    advance(11 * minute);
    expect(await run(later)).toBeUndefined();
    expect(await run(id)).toBeUndefined();

    expect(server.knows(refreshToken)).toBe(isConfirmed);
    expect(await rows()).toEqual([]);
  });

  it.each<[string, InjectedFault]>([
    ["500", { kind: "answer", status: 500 }],
    ["a web page with 400", refuse(400, "<html>", 99)],
    ["a web page with 404", refuse(404, "<html>", 99)],
    ["429", refuse(429, {}, 99)],
    ["cuts", { kind: "cut-before" }],
  ])(
    "fails after %s, so that it is tried again, with an error that does not hold the token",
    async (_, fault) => {
      const { server, store, run, token, rows } = await stage();
      server.faults.add(fault);
      const id = await store.revocations.add(token);

      const error: unknown = await run(id)?.catch((cause: unknown) => cause);

      expect(error).toBeInstanceOf(Error);
      expect(`${error} ${Object(error).cause}`).not.toContain(token);
      expect(await rows()).toHaveLength(1);
      server.faults.clear();
      await run(id);
      expect(server.knows(token)).toBe(false);
      expect(await rows()).toEqual([]);
    },
  );

  it("is tried again after a minute, ever more seldom, and at most two hours later", async () => {
    const { options } = await stage();

    expect(options()?.waitMs).toEqual({ first: minute, longest: 2 * hour });
    expect(options()?.maxTries).toBeUndefined();
  });

  it("gives up after a day", async () => {
    const { server, store, run, token, rows, logged, advance } = await stage();
    server.faults.add({ kind: "answer", status: 500 });
    const id = await store.revocations.add(token);
    for (let n = 0; n < 15; n += 1) {
      await expect(run(id)).rejects.toThrow();
      expect(await rows()).toHaveLength(1);
      advance(1.5 * hour);
    }
    advance(2 * hour);

    expect(await run(id)).toBeUndefined();

    expect(await rows()).toEqual([]);
    expect(String(logged.at(-1))).toMatch(/forgotten/);
  });

  it("waits while it can't be read whether the channel is linked", async () => {
    const { store, server, token, run, link, rows } = await stage({
      credentials: {
        holdersOf: async () => {
          throw new Error("disk");
        },
      },
    });
    await link(otherGuild);
    const id = await store.revocations.add(token, { channelId: studioId });

    await expect(run(id)).rejects.toThrow("disk");

    expect(server.knows(token)).toBe(true);
    expect(await rows()).toHaveLength(1);
  });
});
