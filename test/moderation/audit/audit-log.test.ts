import { describe, expect, it } from "vitest";
import { createAuditLog, createAuthorBook } from "../../../src/moderation/audit/index.ts";
import type { AuditEntry, QueuedComment } from "../../../src/store/index.ts";
import { guild, openFor, otherGuild } from "../../store/setup.ts";

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

async function filled() {
  const { moderation } = await openFor();
  const log = createAuditLog(moderation);
  await log.write(guild, base);
  await log.write(guild, { ...base, at: base.at + 5, act: "rejected", by: bob, commentId: "c2" });
  await log.write(guild, { ...base, at: base.at + 9, act: "held", by: rule, authorName: "Ömer" });
  await log.write(otherGuild, { ...base, at: base.at + 20 });
  return log;
}

describe("createAuditLog", () => {
  it("tells a guild's entries, the newest first", async () => {
    const log = await filled();

    const entries = await log.of(guild).entries();

    expect(entries.map(({ act }) => act)).toEqual(["held", "rejected", "approved"]);
    expect(entries[0]?.id).toMatch(/^1800000000009-[0-9a-f]{8}$/);
  });

  it.each([
    [{ userId: bob.userId }, ["rejected"]],
    [{ act: "held" }, ["held"]],
    [{ author: "posy l" }, ["rejected", "approved"]],
    [{ author: "ÖMER" }, ["held"]],
    [{ author: "ucposy" }, ["held", "rejected", "approved"]],
    [{ since: base.at + 5 }, ["held", "rejected"]],
    [{ until: base.at + 5 }, ["rejected", "approved"]],
    [{ userId: ann.userId, act: "rejected" }, []],
    [{ userId: undefined, act: undefined }, ["held", "rejected", "approved"]],
  ] as const)("keeps to what is asked for: %j", async (filter, acts) => {
    const log = await filled();

    expect((await log.of(guild).entries(filter)).map(({ act }) => act)).toEqual(acts);
  });

  it("finds an entry by its id, and nothing by what is none", async () => {
    const log = await filled();
    const [newest] = await log.of(guild).entries();

    expect(await log.of(guild).entry(newest?.id ?? "")).toEqual(newest);
    expect(await log.of(guild).entry("1800000000009-00000000")).toBeUndefined();
    expect(await log.of(guild).entry("../x")).toBeUndefined();
    expect(await log.of(otherGuild).entry(newest?.id ?? "")).toBeUndefined();
  });

  it("keeps the same once, and what differs in who, what or about which comment apart", async () => {
    const { moderation } = await openFor();
    const log = createAuditLog(moderation);

    for (const more of [{}, {}, { by: bob }, { act: "failed" as const }, { commentId: "c9" }]) {
      await log.write(guild, { ...base, ...more });
    }

    expect(await log.of(guild).entries()).toHaveLength(4);
  });
});

describe("createAuthorBook", () => {
  it("counts by author, and what several write at once adds up", async () => {
    const { moderation } = await openFor();
    const book = createAuthorBook(moderation, () => 77);
    const by = (authorId?: string) => ({ ...(authorId && { authorId }) }) as QueuedComment;

    await book.seen(guild, [by("a"), by("b"), by("a"), by()]);
    await Promise.all(Array.from({ length: 20 }, () => book.decided(guild, "a", "approved")));
    await book.decided(guild, "b", "rejected");
    await book.decided(guild, undefined, "rejected");

    expect(await book.read(guild, "a")).toEqual({ seen: 2, approved: 20, rejected: 0, lastAt: 77 });
    expect(await book.read(guild, "b")).toEqual({ seen: 1, approved: 0, rejected: 1, lastAt: 77 });
    expect(await book.read(otherGuild, "a")).toBeUndefined();
  });
});
