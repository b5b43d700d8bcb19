import { expect, it } from "vitest";
import type { RuleList } from "../../../src/moderation/index.ts";
import { guildId, onEachDatabase, otherGuildId, start } from "./setup.ts";

const list = (id: string, from: RuleList["from"]): RuleList => ({
  id,
  name: "List",
  from,
  version: "v",
  counts: { words: 1, links: 0, authors: 0 },
  skipped: 0,
  checkedAt: start,
  changedAt: start,
  addedBy: "1",
  addedAt: start,
});

onEachDatabase((open) => {
  it("finds lists of all servers by where they come from, and removes them with their contents", async () => {
    const { lists } = (await open()).records;
    const from = { url: "https://lists.example/a" };
    await lists.change(guildId, ["a"], () => list("a", from));
    await lists.change(otherGuildId, ["b"], () => list("b", from));
    await lists.change(otherGuildId, ["c"], () => list("c", { shareId: "s" }));
    await lists.putContent(guildId, "a", { words: ["x"], links: [], authors: [] });

    const found = await lists.ofSource(from);
    await lists.remove(guildId, "a");

    expect(found.map(({ guildId, list }) => [guildId, list.id]).sort()).toEqual([
      [guildId, "a"],
      [otherGuildId, "b"],
    ]);
    expect(await lists.content(guildId, "a")).toBeUndefined();
    expect(await lists.all(guildId)).toEqual([]);
    expect(await lists.all(otherGuildId)).toHaveLength(2);
  });

  it("finds a share by its code alone, of which it stores a hash", async () => {
    const { records, database } = await open();
    const share = { id: "s1", name: "Ours", addedBy: "1", addedAt: start };
    await records.shares.put(guildId, share, "the code");

    const rows = await database.db.selectFrom("rule_shares").selectAll().execute();

    expect(await records.shares.byCode("the code")).toEqual({ guildId, share });
    expect(await records.shares.byCode("s1")).toBeUndefined();
    expect(await records.shares.byId("s1")).toMatchObject({ guildId });
    expect(JSON.stringify(rows)).not.toContain("the code");
    await records.shares.remove(guildId);
    expect(await records.shares.ofServer(guildId)).toBeUndefined();
  });

  it("finds where else authors were hidden, the newest decision first, and comments by their status", async () => {
    const { records, hold } = await open();
    const by = { userId: "1", userName: "Ann" };
    const entry = { by, act: "banned", from: "card", answer: "done", commentId: "c" } as const;
    for (const [at, source] of ["UCa", "UCb", "UChere"].entries())
      await records.audit.add(guildId, {
        ...entry,
        id: `000000000000${at}-00000000`,
        at,
        source,
        authorId: "UCx",
      });
    const { watchId } = await hold(1);
    await hold(2, { status: "held" });

    const hidden = await records.audit.hiddenElsewhere(guildId, ["UCx", "UCy"], "UChere");
    const page = { watchId, status: "held", limit: 10 } as const;

    expect(hidden).toEqual(new Map([["UCx", { source: "UCb", at: 1 }]]));
    expect(await records.comments.readInStatus(guildId, page)).toHaveLength(1);
  });
});
