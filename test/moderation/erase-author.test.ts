import { expect, it } from "vitest";
import { createAuthorErasure } from "../../src/moderation/erase-author.ts";
import { refreshComment } from "../../src/moderation/poll/store-comments.ts";
import type { AuditEntry, HeldComment, Watch } from "../../src/moderation/records/index.ts";
import { guildId, onEachDatabase, otherGuildId, start } from "./records/setup.ts";

const ada = `UC${"a".repeat(22)}`;
const bob = `UC${"b".repeat(22)}`;
const kim = { userId: "333333333333333333", userName: "Kim" };
const watch: Watch = {
  id: "a".repeat(16),
  channelId: "1".repeat(18),
  source: `UC${"s".repeat(22)}`,
  states: ["heldForReview"],
  paceMs: 60_000,
  digestFrom: 6,
  addedBy: kim.userId,
  addedAt: start,
};

function held(id: string, authorId: string, more: Partial<HeldComment> = {}): HeldComment {
  return {
    id,
    watchId: watch.id,
    source: watch.source,
    likeness: "x",
    seenAt: start,
    readAt: start,
    comment: {
      id: `Ug-${id}`,
      videoId: "v",
      text: `text of ${id}`,
      authorId,
      likes: 0,
      authorName: `name of ${id}`,
      publishedAt: start,
      updatedAt: start,
      state: "heldForReview",
    },
    status: "open",
    revision: 1,
    card: { state: "posted", handle: "h".repeat(22), since: start },
    ...more,
  };
}

function entry(id: string, authorId: string): AuditEntry {
  return {
    id: `${start}-${id}`,
    at: start,
    by: kim,
    act: "rejected",
    from: "card",
    answer: "done",
    source: watch.source,
    commentId: `Ug-${id}`,
    videoId: "v",
    authorId,
    seenAt: start,
    authorName: `name of ${id}`,
    text: `text of ${id}`,
    reason: { text: "spam", by: kim },
  };
}

onEachDatabase((openRecords) => {
  async function open() {
    const { records, database } = await openRecords();
    for (const one of [guildId, otherGuildId]) {
      await records.watches.change(one, watch.id, () => watch);
      await records.comments.addAll(one, [held("one", ada), held("two", bob)]);
      await records.authors.add(one, ada, { seen: 1 });
      await records.notes.add(one, {
        id: `${start}-0000000a`,
        authorId: ada,
        text: "x",
        by: kim,
        at: start,
      });
      await records.audit.add(one, entry("0000000a", ada));
      await records.audit.add(one, entry("0000000b", bob));
    }
    await records.rules.change(guildId, (book) => ({
      ...book,
      spared: { members: false, authors: [{ id: ada, name: "Ada" }, { id: bob }] },
    }));
    return {
      records,
      database,
      of: (id: string) => createAuthorErasure({ records, database }, id),
    };
  }

  const ref = { watchId: watch.id, itemId: "one" };
  const nothing = {
    comments: 0,
    unsent: 0,
    notes: 0,
    entries: 0,
    hasHistory: false,
    isSpared: false,
  };

  it("counts what there is, and erases it in that server alone", async () => {
    const { of } = await open();

    const before = await of(guildId).traces(ada);
    await of(guildId).erase(ada);

    const all = { comments: 1, unsent: 0, notes: 1, entries: 1, hasHistory: true };
    expect(before).toEqual({ ...all, isSpared: true });
    expect(await of(guildId).traces(ada)).toEqual(nothing);
    expect(await of(otherGuildId).traces(ada)).toEqual({ ...all, isSpared: false });
    expect(await of(guildId).traces(bob)).toMatchObject({
      comments: 1,
      entries: 1,
      isSpared: true,
    });
  });

  it("counts a comment of two watches once, and what is decided and not sent", async () => {
    const { records, of } = await open();
    const other = { ...watch, id: "b".repeat(16) };
    await records.watches.change(guildId, other.id, () => other);
    const decision = { kind: "reject", by: kim, from: "card", at: start, dueAt: start } as const;
    await records.comments.addAll(guildId, [
      held("one", ada, { watchId: other.id, status: "pending", decision }),
    ]);

    expect(await of(guildId).traces(ada)).toMatchObject({ comments: 1, unsent: 1 });
  });

  it("leaves who decided what, without the comment", async () => {
    const { records, of } = await open();

    await of(guildId).erase(ada);

    const { entries } = await records.audit.page(guildId, {}, { limit: 10 });
    const erased = entries.find(({ id }) => id.endsWith("a"));
    expect(erased).toEqual({
      id: `${start}-0000000a`,
      at: start,
      by: kim,
      act: "rejected",
      from: "card",
      answer: "done",
      source: watch.source,
      seenAt: start,
      commentId: "",
    });
    expect(
      (await records.audit.page(guildId, { author: "name of" }, { limit: 10 })).entries,
    ).toEqual([entry("0000000b", bob)]);
  });

  it("has the comment's card drawn empty, and keeps YouTube's list from filling it again", async () => {
    const { records, of } = await open();

    await of(guildId).erase(ada);

    const erased = (await records.comments.read(guildId, ref)) as HeldComment;
    const listed = { comment: held("one", ada).comment };
    expect(erased).toMatchObject({ status: "erased", needsDrawing: true, endedAt: start });
    expect(JSON.stringify(erased)).not.toMatch(/UCaaa|Ug-|text of|name of/u);
    expect(refreshComment(erased, listed, start + 90 * 86_400_000)).toBeUndefined();
  });

  it("takes the quoted comment out of replies to it", async () => {
    const { records, of } = await open();
    const reply = held("three", bob, { parent: { authorName: "Ada", text: "text of one" } });
    const comment = { ...reply.comment, parentId: "Ug-one" };
    await records.comments.addAll(guildId, [{ ...reply, comment }]);

    await of(guildId).erase(ada);

    const left = await records.comments.read(guildId, { watchId: watch.id, itemId: "three" });
    expect(left?.comment.text).toBe("text of three");
    expect(left).not.toHaveProperty("parent");
  });
});
