import { expect, it } from "vitest";
import type { CommentCursor, HeldComment } from "../../../src/moderation/index.ts";
import { toItemRef } from "../../../src/moderation/records/index.ts";
import { seed, seeded } from "../../support/random.ts";
import { guildId, heldOf, onEachDatabase, otherGuildId, start } from "./setup.ts";

const watchId = "a".repeat(16);
const otherWatch = "b".repeat(16);
const by = { userId: "300000000000000001", userName: "Ann" };

const numbers = (comments: readonly HeldComment[]) =>
  comments.map(({ comment }) => Number(comment.id.split("-")[1]));

function decided(kind: "approve" | "reject", dueAt: number): Partial<HeldComment> {
  return { status: "pending", decision: { kind, by, from: "card", at: start, dueAt } };
}

onEachDatabase((open) => {
  it("counts a revision of what people see, and has it drawn soon", async () => {
    const { records, wanted, hold } = await open();
    const ref = toItemRef(await hold(1));

    const changed = await records.comments.change(guildId, ref, (held) => ({
      ...held,
      replied: { by, at: start },
    }));
    const same = await records.comments.change(guildId, ref, (held) => held);

    expect(changed).toMatchObject({ isChanged: true, comment: { revision: 2 } });
    expect(same).toMatchObject({ isChanged: false, comment: { revision: 2 } });
    expect(numbers(await records.comments.readStale(guildId, watchId, 10))).toEqual([1]);
    expect(wanted).toEqual([
      {
        queue: "moderation.announce",
        key: `${guildId}:${watchId}`,
        guildId,
        dueAt: start + 300,
      },
    ]);
  });

  it("notes what nobody sees without a revision", async () => {
    const { records, wanted, hold } = await open();
    const ref = toItemRef(await hold(1));

    const noted = await records.comments.changeSilently(guildId, ref, (held) => ({
      ...held,
      readAt: 7,
    }));

    expect(noted).toMatchObject({ revision: 1, readAt: 7 });
    expect(await records.comments.readStale(guildId, watchId, 10)).toEqual([]);
    expect(wanted).toEqual([]);
  });

  it("changes several or none, and asks once a watch for their drawing", async () => {
    const { records, wanted, hold } = await open();
    const refs = [toItemRef(await hold(1)), toItemRef(await hold(2)), toItemRef(heldOf(3))];
    const touch = (held: HeldComment) => ({ ...held, readAt: 7 });

    const changed = await records.comments.changeAll(
      guildId,
      refs.map((ref) => ({ ref, make: touch })),
    );
    const failing = records.comments.changeAll(guildId, [
      ...refs.map((ref) => ({ ref, make: touch })),
      {
        ref: refs[0] as (typeof refs)[number],
        make: () => {
          throw new RangeError("no");
        },
      },
    ]);

    await expect(failing).rejects.toThrow(RangeError);
    expect(numbers(changed)).toEqual([1, 2]);
    expect(wanted).toHaveLength(1);
    const ids = changed.map(({ id }) => id);
    const after = await records.comments.readAll(guildId, watchId, ids);
    expect(after.map(({ revision }) => revision)).toEqual([2, 2]);
  });

  it("adds up what many change at once", async () => {
    const { records, hold } = await open();
    const ref = toItemRef(await hold(1));

    await Promise.all(
      Array.from({ length: 20 }, () =>
        records.comments.change(guildId, ref, (held) => ({ ...held, readAt: held.readAt + 1 })),
      ),
    );

    expect(await records.comments.read(guildId, ref)).toMatchObject({
      revision: 21,
      readAt: start + 20,
    });
  });

  it("keeps who was first, and answers whether that is so", async () => {
    const { records, hold } = await open();
    const ref = toItemRef(await hold(1));

    const added = await records.comments.addAll(guildId, [{ ...heldOf(1), readAt: 9 }, heldOf(2)]);

    expect(added).toEqual(new Set([heldOf(2).id]));
    expect(await records.comments.read(guildId, ref)).toMatchObject({ readAt: start });
  });

  it("pages what waits from the oldest on, whatever is decided between two pages", async () => {
    const { records, hold } = await open();
    for (let n = 0; n < 9; n += 1) {
      // Two comments have the same time, so that the time alone does not say where a page ends.
      const { comment } = heldOf(n);
      await hold(n, { comment: { ...comment, publishedAt: start + Math.floor(n / 2) } });
    }
    await records.comments.changeSilently(guildId, toItemRef(heldOf(4)), (held) => ({
      ...held,
      status: "later",
      later: { by, until: start },
    }));
    const found: CommentCursor[] = [];

    for (let after: CommentCursor | undefined; ; after = found.at(-1)) {
      const page = await records.comments.readWaiting(guildId, {
        watchId,
        listedAs: ["heldForReview"],
        after,
        limit: 2,
      });
      if (page.length === 0) break;
      found.push(...page);
    }

    const ids = found.map(({ id }) => id);
    expect(ids.sort()).toEqual(Array.from({ length: 9 }, (_, n) => heldOf(n).id).sort());
    const times = found.map(({ publishedAt }) => publishedAt);
    expect(times).toEqual([...times].sort((one, other) => one - other));
    expect(await records.comments.countWaiting(guildId, watchId)).toEqual({
      count: 9,
      oldestAt: start,
    });
  });

  it("lists which cards are to be sent, and leaves out those that nobody waits for", async () => {
    const { records, hold } = await open();
    const card = (state: "due" | "sending" | "posted") => ({ ...heldOf(0).card, state });
    await hold(1, { card: card("due") });
    await hold(2, { card: card("sending"), status: "approved" });
    await hold(3, { card: card("posted") });
    await hold(4, { card: card("due"), status: "rejected" });
    await hold(5, { card: card("due"), digestId: "d".repeat(32) });
    await hold(6, { card: card("due"), watchId: otherWatch });

    expect(numbers(await records.comments.readCardsDue(guildId, { watchId, limit: 10 }))).toEqual([
      1, 2,
    ]);
    expect(numbers(await records.comments.readCardsDue(guildId, { watchId, limit: 1 }))).toEqual([
      1,
    ]);
  });

  it("lists what comes back when, the earliest first", async () => {
    const { records, hold } = await open();
    for (const n of [3, 1, 2]) {
      await hold(n, { status: "later", later: { by, until: start + n * 1_000 } });
    }

    const due = await records.comments.readSnoozed(guildId, watchId, {
      at: start + 2_000,
      limit: 9,
    });

    expect(numbers(due)).toEqual([1, 2]);
    expect(await records.comments.nextSnoozedAt(guildId, watchId)).toBe(start + 1_000);
    expect(await records.comments.nextSnoozedAt(guildId, otherWatch)).toBeUndefined();
  });

  it("lists what is to be sent for a linked channel, by kind, the earliest due first", async () => {
    const { records, hold } = await open();
    await hold(1, decided("approve", start + 30));
    await hold(2, decided("reject", start + 20));
    await hold(3, { ...decided("approve", start + 10), watchId: otherWatch });
    await hold(4, { ...decided("approve", start + 5), source: "UCother" });
    await hold(5, { ...decided("approve", start + 1), status: "sending" });
    const of = { source: "UCown", status: "pending", limit: 9 } as const;

    expect(
      numbers(await records.comments.readDecided(guildId, { ...of, kind: "approve" })),
    ).toEqual([3, 1]);
    expect(
      numbers(await records.comments.readDecided(guildId, { ...of, status: "sending" })),
    ).toEqual([5]);
    expect(
      await records.comments.readPendingDecisions(guildId, { source: "UCown", limit: 1 }),
    ).toEqual([
      { kind: "approve", dueAt: [start + 10] },
      { kind: "reject", dueAt: [start + 20] },
    ]);
  });

  it("finds the same comment in every watch of its server, and in no other server", async () => {
    const { records, hold } = await open();
    const { id } = await hold(1);
    await hold(1, { watchId: otherWatch });

    const found = await records.comments.readInAllWatches(guildId, id);

    expect(found.map((held) => held.watchId).sort()).toEqual([watchId, otherWatch]);
    expect(await records.comments.readInAllWatches(otherGuildId, id)).toEqual([]);
  });

  it("leaves out of a queue what any other watch of the linked channel has decided, ended ones too", async () => {
    const { records, hold } = await open();
    for (const n of [1, 2, 3]) await hold(n);
    const decision = { kind: "reject", by, from: "card", at: start, dueAt: start + 10 } as const;
    await hold(1, { watchId: otherWatch, status: "pending", decision });
    await hold(2, { watchId: otherWatch, status: "pending", decision, source: "UCanother" });

    const next = await records.comments.readNextOpen(guildId, { watchId, others: [], shown: [] });
    const shown = await records.comments.asShown(guildId, [heldOf(1), heldOf(2), heldOf(3)]);

    expect([next.item?.id, next.left]).toEqual([heldOf(2).id, 2]);
    expect((await records.comments.countWaiting(guildId, watchId)).count).toBe(2);
    expect(await records.comments.countUnsettled(guildId, otherWatch)).toBe(2);
    expect(shown.map(({ status }) => status)).toEqual(["pending", "open", "open"]);
  });

  it(`counts how often a text was said as one would by hand (seed ${seed})`, async () => {
    const { records, hold } = await open();
    const random = seeded(seed);
    const below = (most: number) => Math.floor(random() * most);
    const all: { readonly id: string; readonly likeness: string; readonly at: number }[] = [];
    for (let n = 0; n < 100; n += 1) {
      const { id, comment } = heldOf(n);
      const [likeness, at] = [`l${below(3)}`, start + below(1_000)];
      await hold(n, { likeness, comment: { ...comment, publishedAt: at } });
      // The same comment in another watch must not be counted twice.
      if (n % 10 === 0) {
        await hold(n, { likeness, watchId: otherWatch, comment: { ...comment, publishedAt: at } });
      }
      all.push({ id, likeness, at });
    }

    for (const { id, likeness, at } of all) {
      const [from, to] = [at - below(300), at + below(300)];
      const others = all.filter(
        (one) => one.id !== id && one.likeness === likeness && one.at >= from && one.at <= to,
      );
      const said = { likeness, exceptId: id, from, to };
      expect(await records.comments.countSameText(guildId, said)).toBe(others.length);
    }
  });

  it("refuses a comment of a watch that is gone, and takes all of it away", async () => {
    const { records, hold } = await open();
    const held = await hold(1);

    await records.watches.remove(guildId, watchId);

    expect(await records.comments.read(guildId, toItemRef(held))).toBeUndefined();
    const late = records.comments.addAll(guildId, [held]);
    await expect(late).rejects.toMatchObject({ code: "guild_erased" });
  });

  it("counts, for all servers, how many wait and how many are to be sent", async () => {
    const { records, hold } = await open();
    await hold(1);
    await hold(2, { status: "later", later: { by, until: start } });
    await hold(3, decided("approve", start));
    await hold(4, { status: "approved", endedAt: start });

    expect(await records.comments.load()).toEqual({ waiting: 2, running: 1 });
  });
});
