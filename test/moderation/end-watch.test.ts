import { describe, expect, it } from "vitest";
import { ServiceError } from "../../src/errors.ts";
import type { CardMessage } from "../../src/moderation/records/index.ts";
import { channelClosed } from "./support/recorded-messages.ts";
import { ann, channelId, firstRef, guildId, hour, minute, openProcess } from "./support/rig.ts";

const elsewhere = "333333333333333333";

describe("a watch that ends", () => {
  it("takes the buttons off its messages, and removes its records an hour later", async () => {
    const { rig, server, watch } = await openProcess();
    rig.hold("A kestrel waits");
    const { id } = await watch({ digestFrom: 0 });
    await rig.clock.pass(minute);
    const count = await server.watches.countMessages(id);

    await server.watches.remove(id);
    await rig.clock.pass(minute);

    const closed = rig.discord.messages.map(({ closedBy }) => closedBy);
    const kept = await rig.records.watches.readEnded(guildId, id);
    await rig.clock.pass(hour);
    expect(count).toBe(1);
    expect(closed).toEqual(["watch-closed"]);
    expect(await server.watches.all()).toEqual([]);
    expect(kept?.ended).toBeDefined();
    expect(await rig.items()).toEqual([]);
  });

  it("deletes its messages if people want that, as long as it knows them", async () => {
    const { rig, server, watch } = await openProcess();
    for (let n = 0; n < 8; n += 1) rig.hold(`Held ${n}`);
    const { id } = await watch();
    await rig.clock.pass(minute);
    await server.watches.remove(id);
    await rig.clock.pass(minute);

    const answers = [await server.watches.deleteMessages(id)];
    await rig.clock.pass(minute);
    answers.push(await server.watches.deleteMessages(id));

    expect(answers).toEqual([true, false]);
    expect(rig.discord.messages).toEqual([]);
    expect(await rig.items()).toEqual([]);
  });

  it("deletes the other messages where Discord refuses one for a reason of its own", async () => {
    const { rig, server, watch } = await openProcess();
    for (let n = 0; n < 5; n += 1) rig.hold(`Held ${n}`);
    const { id } = await watch({ digestFrom: 0 });
    await rig.clock.pass(minute);
    await server.watches.remove(id);
    await server.watches.deleteMessages(id);
    const [first] = rig.discord.messages;
    const { remove } = rig.discord;
    Object.assign(rig.discord, {
      remove: async (place: Parameters<typeof remove>[0]) => {
        if (place.messageId !== first?.messageId) return remove(place);
        throw new ServiceError("400, 50999", { code: "discord_refused" });
      },
    });

    await rig.clock.pass(minute);
    const left = rig.discord.messages.map(({ messageId }) => messageId);
    Object.assign(rig.discord, { remove });
    await rig.clock.pass(2 * minute);

    expect(left).toEqual([first?.messageId]);
    expect(rig.discord.messages).toEqual([]);
    expect(await rig.items()).toEqual([]);
  });

  it("tries again for an hour where its channel is closed to the bot", async () => {
    const { rig, server, watch } = await openProcess();
    rig.hold("A kestrel waits");
    const { id } = await watch({ digestFrom: 0 });
    await rig.clock.pass(minute);
    await server.watches.remove(id);
    await server.watches.deleteMessages(id);
    rig.discord.before = () => {
      throw channelClosed();
    };
    await rig.clock.pass(10 * minute);
    const before = rig.discord.messages.length;

    rig.discord.before = () => undefined;
    await rig.clock.pass(2 * minute);

    expect(before).toBe(1);
    expect(rig.discord.messages).toEqual([]);
    expect(await rig.items()).toEqual([]);
  });

  it.each([
    { deletes: false, closedBy: ["watch-closed"] },
    { deletes: true, closedBy: [] },
  ])(
    "takes care of a message that arrives after its end: $deletes",
    async ({ deletes, closedBy }) => {
      const { rig, server, watch } = await openProcess();
      rig.hold("A kestrel waits");
      const { id } = await watch({ digestFrom: 0 });
      await rig.clock.pass(minute);
      const ref = await firstRef(rig);
      let posted: CardMessage | undefined;
      const setCard = (change: (card: CardMessage) => CardMessage) =>
        rig.records.comments.changeSilently(guildId, ref, (held) => ({
          ...held,
          card: change(held.card),
        }));
      await setCard((card) => {
        posted = card;
        return { state: "sending", handle: card.handle, since: card.since };
      });
      await server.watches.remove(id);
      if (deletes) await server.watches.deleteMessages(id);
      await rig.clock.pass(1_000);

      await setCard((card) => posted ?? card);
      await rig.clock.pass(minute);

      expect(rig.discord.messages.map((message) => message.closedBy)).toEqual(closedBy);
    },
  );

  it("sends what was decided before", async () => {
    const { rig, server, watch } = await openProcess();
    rig.hold("A kestrel waits");
    const { id } = await watch({ digestFrom: 0 });
    await rig.clock.pass(minute);
    const ref = await firstRef(rig);
    await server.queue.decide({ items: [ref], kind: "approve", by: ann, from: "card" });

    await server.watches.remove(id);
    await rig.clock.pass(minute);

    const [entry] = (await server.audit.page({}, { limit: 10 })).entries;
    expect(entry).toMatchObject({ act: "approved", answer: "done" });
  });

  it("leaves what was decided in a review to whoever finishes it, or undoes it", async () => {
    const { rig, server, watch } = await openProcess();
    rig.hold("A kestrel waits");
    const { id } = await watch({ digestFrom: 0 });
    await rig.clock.pass(minute);
    const ref = await firstRef(rig);
    const dueAt = rig.database.now() + 10 * minute;
    await server.queue.decide({ items: [ref], kind: "reject", by: ann, from: "review", dueAt });

    await server.watches.remove(id);
    await rig.clock.pass(minute);
    const unsent = await server.queue.unsent(dueAt);
    const batch = await server.queue.hasten({ userId: ann.userId, dueAt });
    const undone = await server.queue.undoBatch({ userId: ann.userId, dueAt: batch.dueAt }, ann);

    expect(unsent.count).toBe(1);
    expect([...batch.counts]).toEqual([["reject", 1]]);
    expect(undone).toBe(1);
  });

  it("hands its waiting comments over where it moves, with what is known about them", async () => {
    const { rig, server, watch } = await openProcess();
    rig.hold("A kestrel waits");
    const before = await watch({ digestFrom: 0, paceMs: 5 * minute });
    await rig.clock.pass(minute);
    await server.queue.claim(await firstRef(rig), { by: ann });

    const moved = await server.watches.move(before.id, { channelId: elsewhere }, ann.userId);
    await rig.clock.pass(minute);

    const shown = rig.discord.messages.map(({ message, closedBy }) => [
      message.channelId,
      closedBy,
    ]);
    const items = await server.queue.items(moved?.id ?? "", [(await firstRef(rig)).itemId]);
    expect(moved).toMatchObject({ channelId: elsewhere, paceMs: 5 * minute });
    expect(await server.watches.all()).toEqual([moved]);
    expect(items[0]?.assigned?.by).toEqual(ann);
    expect(shown).toEqual([
      [channelId, "watch-closed"],
      [elsewhere, undefined],
    ]);
  });
});

describe("two watches of one linked channel", () => {
  it("have one entry for a comment: it is next in one of them, and in none once it is decided or snoozed", async () => {
    const { rig, server, watch } = await openProcess();
    rig.hold("A kestrel waits");
    rig.hold("An owl waits");
    const first = await watch();
    const second = await watch({ channelId: elsewhere });
    await rig.clock.pass(2 * minute);

    const left = async () => [
      (await server.queue.next(first.id)).left,
      (await server.queue.next(second.id, undefined, [first.id])).left,
      (await server.queue.next(second.id)).left,
    ];
    const before = await left();
    const { item } = await server.queue.next(first.id);
    const ref = { watchId: first.id, itemId: item?.id ?? "" };
    await server.queue.decide({ items: [ref], kind: "approve", by: ann, from: "card" });
    const after = await left();
    const history = item && (await server.queue.history(item));

    expect(before).toEqual([2, 0, 2]);
    expect(after).toEqual([1, 0, 1]);
    // The comment itself does not count among the author's earlier ones.
    expect(history?.seen).toBe(1);
  });
});
