import { afterAll, expect, it } from "vitest";
import type { Database } from "../../src/database/index.ts";
import {
  createGatewaySessions,
  createIdentifyTurn,
  type SavedGatewaySession,
} from "../../src/store/index.ts";
import { openFor } from "../database/open.ts";
import { onEach } from "../support/databases/each-kind.ts";

const none: ReadonlySet<number> = new Set();
const all: ReadonlySet<number> = new Set([0, 1]);

const session = (
  shardId: number,
  fields: Partial<SavedGatewaySession> = {},
): SavedGatewaySession => ({
  shardId,
  shardCount: 2,
  sessionId: `session-${shardId}`,
  resumeUrl: "wss://x",
  sequence: 1,
  ...fields,
});

onEach((kind) => {
  let now = 1_000_000;
  afterAll(() => kind().stop());

  async function processes() {
    const database = await openFor({ url: (await kind().fresh()).url, now: () => now });
    const open = (id: string) => createGatewaySessions(database, () => id);
    return { database, old: open("old"), next: open("new"), third: open("third") };
  }

  it("hands sessions that were given up to one process alone", async () => {
    const { old, next, third } = await processes();
    await old.save([session(0), session(1)], all);
    await old.release([session(0, { sequence: 7 })], none);

    const taken = await next.take(2, [0]);

    expect(taken).toEqual([session(0, { sequence: 7 })]);
    expect(await third.take(3, [0, 1])).toEqual([]);
  });

  it("forgets a session that is older than Discord keeps it", async () => {
    const { old, next } = await processes();
    await old.release([session(0)], all);
    now += 5 * 60_000 + 1;

    expect(await next.take(2, [0, 1])).toEqual([]);
  });

  it("keeps the session that another process began since", async () => {
    const { old, next, third } = await processes();
    await old.save([session(0)], all);
    await next.save([session(0, { sessionId: "newer" })], all);

    await old.release([session(0, { sequence: 9 })], none);
    await next.release([session(0, { sessionId: "newer", sequence: 2 })], none);

    expect(await third.take(2, [0])).toEqual([session(0, { sessionId: "newer", sequence: 2 })]);
  });

  /** Stores the job that shows that a process is alive, as long as the process holds its lock. */
  async function markAlive({ db }: Database, key: string, lockedBy: string): Promise<void> {
    const job = { queue: "processes", key, data: "{}", due_at: now, tries: 0 };
    const lock = { locked_by: lockedBy, locked_until: now + 15_000 };
    await db
      .insertInto("jobs")
      .values({ ...job, ...lock })
      .execute();
  }

  it("leaves a session to the process that has it, as long as that lives", async () => {
    const { database, old, next } = await processes();
    await old.save([session(0)], all);
    await markAlive(database, "old", "old");

    // SQLite has only one process, so the one before must have ended.
    const takenAtOnce = database.dialect === "sqlite" ? [session(0)] : [];
    expect(await next.take(2, [0])).toEqual(takenAtOnce);
    now += 15_001;

    expect(await next.take(2, [0])).toEqual([session(0)]);
  });

  it("takes the session of a dead process while another one goes on with its interactions", async () => {
    const { database, old, next } = await processes();
    await old.save([session(0)], all);
    await markAlive(database, "old", "third");

    expect(await next.take(2, [0])).toEqual([session(0)]);
  });

  it("goes on saving what a process had under an earlier id, and nothing that another one took", async () => {
    const { database, third: other } = await processes();
    let id = "before";
    const living = createGatewaySessions(database, () => id);
    await living.save([session(0), session(1)], all);
    await other.save([session(1, { sequence: 5 })], new Set([1]));

    id = "after";
    await living.release([session(0, { sequence: 8 }), session(1, { sequence: 9 })], none);
    await other.release([session(1, { sequence: 6 })], none);

    const taken = await other.take(2, [0, 1]);
    expect(taken?.toSorted((a, b) => a.shardId - b.shardId)).toEqual([
      session(0, { sequence: 8 }),
      session(1, { sequence: 6 }),
    ]);
  });

  it("lets one process in a bucket identify every five seconds", async () => {
    const { database } = await processes();
    const [first, second] = [createIdentifyTurn(database), createIdentifyTurn(database)];

    const answers = await Promise.all([first(0), second(0)]);
    const waitMs = Math.max(...answers);
    expect(answers.toSorted()).toEqual([0, waitMs]);
    expect(waitMs).toBeGreaterThan(5_000);
    expect(await second(1)).toBe(0);
    now += waitMs;

    expect(await second(0)).toBe(0);
    expect(await first(0)).toBe(waitMs);
  });
});
