import { describe, expect, it } from "vitest";
import { ConnectError } from "../../../src/errors.ts";
import {
  type CardFacts,
  forgetOldRecords,
  type WatchFailureFacts,
} from "../../../src/moderation/index.ts";
import { toItemRef } from "../../../src/moderation/records/index.ts";
import type { RecordedMessage } from "../support/recorded-messages.ts";
import { ann, guildId, hour, minute, openRig, type Rig } from "../support/rig.ts";

const all = ["heldForReview", "likelySpam", "published"] as const;
const byKey = { states: all, isRuledOnly: true, isKeyOnly: true } as const;
const spam = { kind: "words", words: ["prize"], isFolded: true } as const;
const rule = { name: "Prizes", test: spam, does: "act", decision: "reject" } as const;

/** A server with a key and a rule, but without a link. */
async function openKeyRig() {
  const rig = Object.assign(await openRig(), { isLinked: false, hasKey: true });
  const process = rig.process();
  await process.server.rules.add(rule, ann.userId);
  rig.asked.length = 0;
  const publish = (text: string) => rig.hold(text, { status: "published", author: text });
  return { rig, process, publish };
}

const itemOn = ({ message }: RecordedMessage) => (message.facts as CardFacts).item;
const textsOf = (rig: Rig) => rig.discord.of("held-card").map((one) => itemOn(one).comment.text);
const troublesOf = (rig: Rig) =>
  rig.discord.of("watch-trouble").map(({ message }) => message.facts as WatchFailureFacts);

describe("a watch whose channel is not linked", () => {
  it("shows what rules find in published comments, as suggestions, each once", async () => {
    const { rig, process, publish } = await openKeyRig();
    rig.hold("A held prize");
    const watch = await process.watch(byKey);
    publish("Lovely");
    publish("Win a prize");

    await rig.clock.pass(2 * minute);
    rig.process();
    await rig.clock.pass(2 * minute);

    expect(textsOf(rig)).toEqual(["Win a prize"]);
    expect(await rig.items()).toMatchObject([
      { advice: { ruleName: "Prizes", kind: "reject" }, status: "open" },
    ]);
    expect(rig.asked.some(({ query }) => query.has("moderationStatus"))).toBe(false);
    expect(rig.discord.of("watch-trouble")).toEqual([]);
    expect(await process.server.watches.status(watch.id)).toMatchObject({ isByKey: true });
  });

  it("costs a unit a poll, however many comments no rule finds", async () => {
    const { rig, process, publish } = await openKeyRig();
    await process.watch(byKey);
    for (let n = 0; n < 120; n += 1) publish(`Lovely ${n}`);
    await rig.clock.pass(11 * minute);
    const before = rig.asked.length;
    publish("Still lovely");

    await rig.clock.pass(5 * minute);

    expect(rig.asked.length - before).toBeLessThanOrEqual(6);
    expect(await rig.items()).toEqual([]);
  });

  it("counts comments with the same text that no rule has found yet", async () => {
    const { rig, process, publish } = await openKeyRig();
    const test = { kind: "repeated", times: 3, withinMs: hour } as const;
    await process.server.rules.add({ ...rule, name: "Repeated", test }, ann.userId);
    await process.watch(byKey);

    for (const author of ["Ann", "Ben", "Cem"]) {
      rig.hold("Visit my lovely channel now", { status: "published", author });
      await rig.clock.pass(2 * minute);
    }
    publish("Something else");
    await rig.clock.pass(2 * minute);

    expect(textsOf(rig)).toEqual(["Visit my lovely channel now"]);
  });

  it("takes no decision that YouTube would have to carry out", async () => {
    const { rig, process, publish } = await openKeyRig();
    await process.watch(byKey);
    publish("Win a prize");
    publish("Another prize");
    await rig.clock.pass(2 * minute);
    const [one, other] = (await rig.items()).map(toItemRef);
    const { queue, audit } = process.server;
    if (one === undefined || other === undefined) throw new Error("there are no comments");

    const decide = { by: ann, from: "card" } as const;
    const [rejected] = await queue.decide({ ...decide, items: [one], kind: "reject" });
    const handled = await queue.handle(one, ann);
    await queue.decide({ ...decide, items: [other], kind: "approve" });
    await rig.clock.pass(minute);

    expect(rejected?.state).toBe("unlinked");
    expect(handled).toMatchObject({ state: "pending", item: { handled: { by: ann } } });
    const { entries } = await audit.page({}, { limit: 10 });
    expect(entries.map(({ act, answer }) => `${act} ${answer}`).toSorted()).toEqual([
      "approved done",
      "handled done",
    ]);
    expect(rig.asked.some(({ method }) => method === "comments.setModerationStatus")).toBe(false);
    expect((await queue.undo(one, ann)).item).toMatchObject({
      status: "open",
      undone: { by: ann },
    });
  });

  it("closes the card of a comment that is no longer public", async () => {
    const { rig, process, publish } = await openKeyRig();
    await process.watch(byKey);
    const id = publish("Win a prize");
    await rig.clock.pass(2 * minute);

    rig.video.withdrawComment(id);
    await rig.clock.pass(62 * minute);

    expect(await rig.items()).toMatchObject([{ status: "gone" }]);
  });

  it("is a full one once the channel is linked, and says so once", async () => {
    const { rig, process, publish } = await openKeyRig();
    const watch = await process.watch(byKey);
    publish("Win a prize");
    rig.hold("Held");
    await rig.clock.pass(2 * minute);

    rig.isLinked = true;
    await process.server.watches.pollSoon(watch.source);
    await rig.clock.pass(2 * minute);

    expect(textsOf(rig)).toEqual(["Win a prize", "Held"]);
    expect(rig.discord.of("watch-well")).toHaveLength(1);
    expect((await process.server.watches.all())[0]?.isKeyOnly).toBeUndefined();
    const shown = rig.discord.of("held-card").map(({ message }) => message.facts as CardFacts);
    expect(shown.map((facts) => facts.watch.isKeyOnly)).toEqual([undefined, undefined]);
  });
});

describe("a watch whose link is lost", () => {
  it("says so once, and shows what rules find in comments written since", async () => {
    const { rig, process, publish } = await openKeyRig();
    rig.isLinked = true;
    await process.watch();
    publish("An old prize");
    await rig.clock.pass(11 * minute);

    rig.linkError = new ConnectError("over", { code: "invalid_grant" });
    await rig.clock.pass(2 * minute);
    publish("A new prize");
    await rig.clock.pass(2 * minute);

    expect(textsOf(rig)).toEqual(["A new prize"]);
    expect(troublesOf(rig)).toMatchObject([{ code: "link_broken", trouble: { readsByKey: true } }]);
    const [item] = await rig.items();
    const items = item === undefined ? [] : [toItemRef(item)];
    const decide = { items, kind: "reject", by: ann, from: "card" } as const;
    expect(await process.server.queue.decide(decide)).toMatchObject([
      { state: "pending", item: { decision: { delay: { why: "link" } } } },
    ]);
  });

  it("takes no decisions where the channel was disconnected", async () => {
    const { rig, process } = await openKeyRig();
    rig.isLinked = true;
    rig.hold("Held");
    const watch = await process.watch();

    rig.isLinked = false;
    await process.server.watches.noteTitle(watch.source, "Bakes", rig.clock.now());
    const named = await rig.records.watches.read(guildId, watch.id);
    await process.server.watches.pollSoon();
    await rig.clock.pass(minute);

    expect(named).toMatchObject({ title: "Bakes" });
    const [item] = await rig.items();
    const items = item === undefined ? [] : [toItemRef(item)];
    const decide = { items, kind: "approve", by: ann, from: "card" } as const;
    expect(await process.server.queue.decide(decide)).toMatchObject([{ state: "unlinked" }]);
    expect(item?.status).toBe("open");
    expect(troublesOf(rig)).toMatchObject([{ code: "link_missing" }]);
    const read = () => rig.records.watches.read(guildId, watch.id);
    expect(await read()).toMatchObject({ isKeyOnly: true, title: expect.any(String) });

    const titleReadAt = rig.clock.now() - 30 * 24 * hour;
    await rig.records.watches.change(guildId, watch.id, (one) => one && { ...one, titleReadAt });
    expect(await forgetOldRecords(rig.database)).toMatchObject({ texts: 1 });
    expect((await read())?.title).toBeUndefined();
  });
});
