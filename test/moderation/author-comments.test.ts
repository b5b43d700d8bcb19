import { afterAll, expect, it } from "vitest";
import { historyBeside, readAuthorComments } from "../../src/moderation/author-comments.ts";
import type { AuthorComment, ItemRef } from "../../src/moderation/index.ts";
import { onEach } from "../support/databases/each-kind.ts";
import { ann, guildId, openRig, type Rig, watchOf } from "./decide/rig.ts";

const minute = 60_000;

/** The author's other comments, as the case file lists them. */
async function othersOf({ records, item }: Rig, ref: ItemRef) {
  const { comment } = await item(ref);
  const { id: exceptId, authorId = "" } = comment;
  return readAuthorComments(records, guildId, { authorId, exceptId });
}

const states = (all: readonly AuthorComment[]) =>
  all.map(({ item, entry }) => item?.status ?? entry?.act).sort();

async function historyOf({ records, item }: Rig, ref: ItemRef) {
  const held = await item(ref);
  const counts = await records.authors.read(guildId, held.comment.authorId ?? "");
  const { seen, approved, rejected } = historyBeside(held, counts) ?? {};
  return { seen, approved, rejected };
}

onEach((kind) => {
  afterAll(() => kind().stop());

  const open = async (count: number) => {
    const rig = await openRig((await kind().fresh()).url);
    const { decider } = rig.process();
    const refs = await rig.fill(count);
    const { authorId } = (await rig.item(refs[0])).comment;
    await rig.records.authors.add(guildId, authorId, { seen: count });
    const decide = async (ref: ItemRef, what: "approve" | "reject" | "hold", from = "card") => {
      const request = { items: [ref], kind: what, by: ann, from: from as "card" | "log" };
      await decider.decide(request);
      await rig.clock.pass(minute);
    };
    return { rig, refs, decider, decide };
  };

  it("lists what waits, what is decided and what is public, without the comment itself", async () => {
    const { rig, refs, decide } = await open(5);
    const [own, approved, rejected, waiting, shown] = refs;
    await decide(approved, "approve");
    await decide(rejected, "reject");
    await rig.change(shown, {
      comment: { ...(await rig.item(shown)).comment, state: "published" },
    });

    const others = await othersOf(rig, own);

    expect(states(others)).toEqual(["approved", "open", "open", "rejected"]);
    expect(states(await othersOf(rig, waiting))).toEqual(["approved", "open", "open", "rejected"]);
  });

  it("lists a comment of two watches once, and what only the log still knows", async () => {
    const { rig, refs, decide } = await open(3);
    const [own, twice, old] = refs;
    const other = watchOf("e".repeat(16), rig.watch.source);
    await rig.records.watches.change(guildId, other.id, () => other);
    await decide(old, "reject");
    await rig.putAlso(twice, other);
    await rig.database.db.deleteFrom("held_comments").where("id", "=", old.itemId).execute();

    expect(states(await othersOf(rig, own))).toEqual(["open", "rejected"]);
  });

  it("counts the others alike before and after a decision about the comment", async () => {
    const { rig, refs, decide } = await open(3);
    const [own, other] = refs;

    const before = await historyOf(rig, own);
    await decide(own, "reject");
    const after = await historyOf(rig, own);

    expect(before).toEqual({ seen: 2, approved: 0, rejected: 0 });
    expect(after).toEqual(before);
    expect(await historyOf(rig, other)).toEqual({ seen: 2, approved: 0, rejected: 1 });
  });

  it("counts an approval no longer that was taken back, or replaced by a command", async () => {
    const { rig, refs, decider, decide } = await open(3);
    const [own, revised, replaced] = refs;
    await decide(revised, "approve");
    await decide(replaced, "approve");
    const approved = await historyOf(rig, own);

    await decide(revised, "hold", "log");
    const { comment, source } = await rig.item(replaced);
    const about = { commentId: comment.id, source, authorId: comment.authorId };
    await decider.recordDirectDecisions([
      { ...about, kind: "reject", by: ann, from: "command", answer: "done" },
    ]);

    expect(approved).toEqual({ seen: 2, approved: 2, rejected: 0 });
    expect(await historyOf(rig, own)).toEqual({ seen: 2, approved: 0, rejected: 1 });
  });
});
