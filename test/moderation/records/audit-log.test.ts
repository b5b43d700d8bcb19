import { describe, expect, it } from "vitest";
import { recordChange } from "../../../src/moderation/audit.ts";
import type { AuditEntry, AuditFilter } from "../../../src/moderation/index.ts";
import { guildId, onEachDatabase, otherGuildId, type Stage } from "./setup.ts";

const ann = { userId: "300000000000000001", userName: "Ann" };
const bob = { userId: "300000000000000002", userName: "Bob" };
const rule = { ruleId: "0a0a0a0a", ruleName: "Links" };

const base: Omit<AuditEntry, "id"> = {
  at: 1_800_000_000_000,
  by: ann,
  act: "approved",
  from: "card",
  answer: "done",
  source: "UCown",
  commentId: "c1",
  authorId: "UCposy",
  authorName: "Posy Larkin",
};

function put(stage: Stage, guildId: string, change: Partial<AuditEntry>): Promise<boolean> {
  return recordChange(stage, guildId, (record) => record({ ...base, ...change }));
}

async function fill(stage: Stage): Promise<void> {
  const write = (change: Partial<AuditEntry>) => put(stage, guildId, change);
  await write({});
  await write({ at: base.at + 5, act: "rejected", by: bob, commentId: "c2" });
  await write({ at: base.at + 9, act: "held", by: rule, authorName: "Ömer" });
  await put(stage, otherGuildId, { at: base.at + 20 });
}

const acts = (entries: readonly AuditEntry[]) => entries.map(({ act }) => act);

onEachDatabase((open) => {
  it("lists a server's entries, the newest first", async () => {
    const stage = await open();
    const { records } = stage;
    await fill(stage);

    const { entries } = await records.audit.page(guildId, {}, { limit: 10 });

    expect(acts(entries)).toEqual(["held", "rejected", "approved"]);
    expect(entries[0]?.id).toMatch(/^1800000000009-[0-9a-f]{8}$/);
  });

  it.each<readonly [AuditFilter, readonly string[]]>([
    [{ actorId: bob.userId }, ["rejected"]],
    [{ actorId: rule.ruleId }, ["held"]],
    [{ acts: ["held"] }, ["held"]],
    [{ acts: ["held", "approved"] }, ["held", "approved"]],
    [{ author: "posy l" }, ["rejected", "approved"]],
    [{ author: "ÖMER" }, ["held"]],
    [{ author: "ucposy" }, ["held", "rejected", "approved"]],
    [{ author: "100%" }, []],
    [{ since: base.at + 5 }, ["held", "rejected"]],
    [{ until: base.at + 5 }, ["rejected", "approved"]],
    [{ actorId: ann.userId, acts: ["rejected"] }, []],
    [{ actorId: undefined, acts: undefined }, ["held", "rejected", "approved"]],
  ])("keeps to what is asked for: %j", async (filter, wanted) => {
    const stage = await open();
    const { records } = stage;
    await fill(stage);

    expect(acts((await records.audit.page(guildId, filter, { limit: 10 })).entries)).toEqual(
      wanted,
    );
    expect(await records.audit.count(guildId, filter, 10)).toEqual({
      count: wanted.length,
      isMore: false,
    });
  });

  it("keeps the same once, and what differs in who, what or about which comment apart", async () => {
    const stage = await open();
    const added: boolean[] = [];

    for (const more of [{}, {}, { by: bob }, { act: "failed" as const }, { commentId: "c9" }]) {
      added.push(await put(stage, guildId, more));
    }

    expect(added).toEqual([true, false, true, true, true]);
    expect((await stage.records.audit.page(guildId, {}, { limit: 10 })).entries).toHaveLength(4);
  });

  it("lists what happened to one comment, the newest first", async () => {
    const stage = await open();
    const { records } = stage;
    await fill(stage);

    expect(acts(await records.audit.ofComment(guildId, "c1"))).toEqual(["held", "approved"]);
    expect(await records.audit.ofComment(otherGuildId, "c2")).toEqual([]);
  });

  describe("of many entries", () => {
    const most = 12_000;

    /** Every thousandth entry is by Bob; every fifth of those is about Nia. */
    async function many() {
      const stage = await open();
      const { database } = stage;
      const server_id = await database.servers.need(guildId);
      await database.transaction(async () => {
        for (let from = 0; from < most; from += 500) {
          const values = Array.from({ length: 500 }, (_, n) => rowOf(server_id, from + n));
          await database.db.insertInto("audit_log").values(values).execute();
        }
      });
      return stage;
    }

    it("goes back and forth in pages, each entry once", async () => {
      const { records } = await many();
      const filter = { actorId: bob.userId };
      const limit = 5;

      const first = await records.audit.page(guildId, filter, { limit });
      const before = first.entries.at(-1)?.id;
      const second = await records.audit.page(guildId, filter, { before, limit });
      const last = await records.audit.page(guildId, filter, {
        before: second.entries.at(-1)?.id,
        limit,
      });
      const back = await records.audit.page(guildId, filter, {
        after: second.entries[0]?.id,
        limit,
      });

      const all = [first, second, last].flatMap(({ entries }) => entries.map(({ at }) => at));
      expect(all).toEqual(Array.from({ length: 12 }, (_, n) => base.at + (11 - n) * 1_000));
      expect([first, second, last].map(({ hasMore }) => hasMore)).toEqual([true, true, false]);
      expect(back.entries).toEqual(first.entries);
    });

    it("finds what no index answers, however far back it is", async () => {
      const { records } = await many();

      const { entries, hasMore } = await records.audit.page(
        guildId,
        { author: "nia" },
        { limit: 9 },
      );

      expect(entries.map(({ at }) => at - base.at)).toEqual([10_000, 5_000, 0]);
      expect(hasMore).toBe(false);
    });

    it("counts no further than it was asked to", async () => {
      const { records } = await many();

      expect(await records.audit.count(guildId, {}, 1_000)).toEqual({ count: 1_000, isMore: true });
      expect(await records.audit.count(guildId, { author: "nia" }, 2)).toEqual({
        count: 2,
        isMore: true,
      });
    });
  });
});

function rowOf(server_id: number, n: number) {
  const at = base.at + n;
  const id = `${at}-00000000`;
  const by = n % 1_000 === 0 ? bob : ann;
  const authorName = n % 5_000 === 0 ? "Nia Calder" : base.authorName;
  const entry: AuditEntry = { ...base, id, at, by, ...(authorName && { authorName }) };
  return {
    server_id,
    id,
    at,
    act: base.act,
    actor_id: by.userId,
    comment_id: base.commentId,
    author_id: base.authorId ?? null,
    author_name: authorName?.toLowerCase() ?? null,
    has_text: 1,
    data: JSON.stringify(entry),
  };
}
