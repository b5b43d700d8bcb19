import { describe, expect, it } from "vitest";
import { isTooWide } from "../../../src/moderation/lists/compare-copies.ts";
import { toItemRef } from "../../../src/moderation/records/index.ts";
import { ann, guildId, hour, minute, openRig, type Rig } from "../support/rig.ts";

const url = "https://lists.example/spam.txt";
const reject = { does: "suggest", decision: "reject" } as const;
const hold = { does: "act", decision: "hold" } as const;
const otherGuild = "999999999999999999";
const signal = new AbortController().signal;

/** Serves lists by their addresses, and counts how often each was fetched. */
function serve(rig: Rig, bodies: Record<string, string | number | Error>) {
  const asked: { readonly url: string; readonly known: string | undefined }[] = [];
  rig.fetchPublic = async ({ url, headers = {} }) => {
    asked.push({ url, known: headers["if-none-match"] });
    const body = bodies[url];
    if (body instanceof Error) throw body;
    const empty = { headers: {}, body: Buffer.alloc(0) };
    if (typeof body !== "string") return { status: body ?? 404, ...empty };
    const etag = `"${body.length}"`;
    if (headers["if-none-match"] === etag) return { status: 304, ...empty };
    return { status: 200, headers: { etag }, body: Buffer.from(body) };
  };
  return { asked, bodies };
}

async function subscribed(rig: Rig, effect: typeof reject | typeof hold = reject) {
  const process = rig.process();
  const { lists } = process.server;
  const { id } = await lists.propose({ url }, ann.userId, signal);
  const list = await lists.subscribe(id, effect, ann.userId);
  return { ...process, lists, id, ruleId: list?.ruleId ?? "" };
}

const adviceIn = async (rig: Rig) =>
  Object.fromEntries((await rig.items()).map(({ comment, advice }) => [comment.text, advice]));

describe("a list", () => {
  it("marks comments with its name and what matched, once it is on", async () => {
    const rig = await openRig();
    serve(rig, { [url]: "free presets\nevil.com" });
    rig.hold("get FREE presets");
    rig.hold("see evil.com/x");
    rig.hold("fine");
    const { watch, lists } = await subscribed(rig);

    await watch();
    await rig.clock.pass(20_000);

    expect(await adviceIn(rig)).toMatchObject({
      "get FREE presets": { ruleName: "lists.example", kind: "reject", found: "free presets" },
      "see evil.com/x": { found: "evil.com/x" },
      fine: undefined,
    });
    expect(await lists.all()).toMatchObject([{ counts: { words: 1, links: 1, authors: 0 } }]);
  });

  it("leaves alone the channel's own videos, and sites that a rule about links allows", async () => {
    const rig = await openRig();
    const { videoId } = rig.video.addComment({ text: "x", status: "published" });
    const own = `youtu.be/${videoId}`;
    const places = ["evil.com", "mysite.example", own, "youtu.be/dQw4w9WgXcQ"];
    serve(rig, { [url]: places.join("\n") });
    for (const place of places) rig.hold(`https://${place}`);
    const { server, watch } = await subscribed(rig);
    const links = { kind: "links", allowed: ["mysite.example"] } as const;
    rig.random = () => 0.25;
    const { id } = await server.rules.add({ ...reject, name: "Links", test: links }, ann.userId);
    await server.rules.switch(id, false);

    await watch();
    await rig.clock.pass(20_000);

    expect(await adviceIn(rig)).toMatchObject({
      "https://evil.com": { found: "evil.com" },
      "https://mysite.example": undefined,
      [`https://${own}`]: undefined,
      "https://youtu.be/dQw4w9WgXcQ": { found: "youtu.be/dQw4w9WgXcQ" },
    });
  });

  it("is fetched once an hour, asks whether it has changed, and uses the new version", async () => {
    const rig = await openRig();
    const { asked, bodies } = serve(rig, { [url]: "one" });
    const { watch, lists } = await subscribed(rig);
    await rig.clock.pass(hour + 6 * minute);
    bodies[url] = "one\ntwo";
    await rig.clock.pass(hour + 6 * minute);
    rig.hold("two");
    await watch();
    await rig.clock.pass(20_000);

    expect(asked.map(({ known }) => known)).toEqual([undefined, '"3"', '"3"']);
    expect(await adviceIn(rig)).toMatchObject({ two: { found: "two" } });
    expect(await lists.all()).toMatchObject([{ counts: { words: 2 } }]);
  });

  it.each(['"a\r\nx-more: b"', "é", "x".repeat(201)])(
    "never sends %j back as its version",
    async (etag) => {
      const rig = await openRig();
      const known: unknown[] = [];
      rig.fetchPublic = async ({ headers = {} }) => {
        known.push(headers["if-none-match"]);
        return { status: 200, headers: { etag }, body: Buffer.from("one") };
      };
      await subscribed(rig);
      await rig.clock.pass(hour + 6 * minute);

      expect(known).toEqual([undefined, undefined]);
    },
  );

  it("is fetched once for all servers", async () => {
    const rig = await openRig();
    const { asked } = serve(rig, { [url]: "one" });
    const { moderation } = await subscribed(rig);
    const other = moderation.of(otherGuild).lists;

    const { id } = await other.propose({ url }, ann.userId, signal);
    await other.subscribe(id, reject, ann.userId);
    await rig.clock.pass(hour + 10 * minute);

    expect(asked).toHaveLength(2);
  });

  it("is switched on only once when several people try at the same time", async () => {
    const rig = await openRig();
    serve(rig, { [url]: "one" });
    const { lists } = rig.process().server;
    const served = rig.fetchPublic;
    const slow = Promise.withResolvers<void>();
    rig.fetchPublic = async (request) => {
      rig.fetchPublic = served;
      await slow.promise;
      return served(request);
    };
    const first = lists.propose({ url }, ann.userId, signal);
    await lists.subscribe(
      (await lists.propose({ url }, ann.userId, signal)).id,
      reject,
      ann.userId,
    );
    slow.resolve();
    const again = lists.subscribe((await first).id, reject, ann.userId);

    await expect(again).rejects.toMatchObject({ facts: { reason: "known" } });
    expect(await lists.all()).toHaveLength(1);
  });

  it("is not kept for a server that was erased while the list was fetched", async () => {
    const rig = await openRig();
    const process = rig.process();
    await process.watch();
    const { servers } = rig.database;
    rig.fetchPublic = async () => {
      const serverId = (await servers.find(guildId)) ?? 0;
      await servers.remove({ table: "servers", serverId });
      return { status: 200, headers: {}, body: Buffer.from("one") };
    };

    const proposed = process.server.lists.propose({ url }, ann.userId, signal);

    await expect(proposed).rejects.toMatchObject({ code: "guild_erased" });
    expect(await servers.find(guildId)).toBeUndefined();
  });

  it("stays as it was while its host fails, says so, and people are told once after three days", async () => {
    const rig = await openRig();
    const { bodies } = serve(rig, { [url]: "one" });
    const { lists } = await subscribed(rig);
    bodies[url] = "<!doctype html>";
    await rig.clock.pass(2.5 * hour);
    const [first] = await lists.all();
    for (let day = 0; day < 5; day += 1) await rig.clock.pass(24 * hour);
    const told = rig.notifications.filter(({ name }) => name === "list-trouble");
    bodies[url] = "one\ntwo";
    await rig.clock.pass(7 * hour);

    expect(first).toMatchObject({
      counts: { words: 1 },
      failure: { code: "list_refused", facts: { reason: "page" } },
    });
    expect(told).toMatchObject([{ facts: { guildId, why: "failing" } }]);
    const [after] = await lists.all();
    expect(after).toMatchObject({ counts: { words: 2 } });
    expect(after).not.toHaveProperty("failure");
  });

  it("keeps its copy when a newer one would match most comments, until somebody accepts that", async () => {
    const rig = await openRig();
    const { asked, bodies } = serve(rig, { [url]: "spam" });
    for (let at = 0; at < 24; at += 1) rig.hold(`the nice video of ${at} ${"abc".repeat(at)}`);
    const { moderation, server, watch, lists } = await subscribed(rig);
    await watch();
    await rig.clock.pass(20_000);
    bodies[url] = "spam\nthe\nnice";
    await rig.clock.pass(2.5 * hour);
    const [refused] = await lists.all();
    const elsewhere = await moderation.of(otherGuild).lists.propose({ url }, ann.userId, signal);
    bodies[url] = "spam\nthe\nnice\nvideo";
    await rig.clock.pass(hour);
    rig.hold("spam and the rest");
    await rig.clock.pass(5 * minute);
    const [still] = await lists.all();
    const advice = await adviceIn(rig);

    const draft = await lists.propose({ url }, ann.userId, signal);
    expect(await lists.subscribe(draft.id, hold, ann.userId)).toBeUndefined();
    const accepted = await lists.accept(draft.id);
    await rig.clock.pass(1.5 * hour);

    expect(refused).toMatchObject({ counts: { words: 1 }, refused: { matches: 24, tried: 24 } });
    // Another server gets the list's current content.
    expect(elsewhere).toMatchObject({ counts: { words: 3 } });
    expect(still).toMatchObject({
      counts: { words: 1 },
      refused: { since: refused?.refused?.since },
    });
    expect(asked.map(({ known }) => known).slice(0, 3)).toEqual([undefined, '"4"', '"13"']);
    expect(rig.notifications.filter(({ name }) => name === "list-trouble")).toMatchObject([
      { facts: { guildId, why: "too_wide", share: 1 } },
    ]);
    expect(Object.values(advice).filter(Boolean)).toMatchObject([{ found: "spam" }]);
    expect(accepted).toMatchObject({ counts: { words: 4 } });
    const [after] = await lists.all();
    expect(after).toMatchObject({ version: accepted?.version });
    expect(after).not.toHaveProperty("refused");
    const [rule] = (await server.rules.book()).rules;
    expect(rule?.test).toMatchObject({ version: accepted?.version });
  });

  it("is forgotten after an hour if nobody switches it on", async () => {
    const rig = await openRig();
    serve(rig, { [url]: "one" });
    const { server } = rig.process();
    const { id } = await server.lists.propose({ url }, ann.userId, signal);

    await rig.clock.pass(hour + 6 * minute);

    expect(await server.lists.subscribe(id, reject, ann.userId)).toBeUndefined();
    expect(await rig.records.lists.all(guildId)).toEqual([]);
  });

  it.each([
    [{ url: "https://lists.example/none" }, { reason: "status", status: 404 }],
    [{ url: "https://lists.example/same" }, { reason: "status", status: 304 }],
    [{ url: `https://lists.example/${"x".repeat(500)}` }, { reason: "address" }],
    [{ url }, { reason: "known" }],
    [{ code: "nonsense" }, { reason: "code" }],
  ])("is refused, and nothing changes: %j", async (source, facts) => {
    const rig = await openRig();
    serve(rig, { [url]: "one", "https://lists.example/same": 304 });
    const { lists } = await subscribed(rig);

    const failure = await lists.propose(source, ann.userId, signal).catch((error) => error);

    expect(failure).toMatchObject({ code: "list_refused", facts });
    expect(await rig.records.lists.all(guildId)).toHaveLength(1);
  });
});

describe("isTooWide", () => {
  it.each([
    [{ tried: 19, before: 0, after: 19 }, undefined],
    [{ tried: 30, before: 0, after: 10 }, false],
    [{ tried: 30, before: 10, after: 11 }, true],
    [{ tried: 30, before: 11, after: 21 }, false],
    [{ tried: 30, before: 11, after: 22 }, true],
  ])("says of %j: %s", (compared, isWide) => {
    expect(isTooWide(compared)).toBe(isWide);
  });
});

describe("a subscription that ends", () => {
  it("takes back suggestions and what is not sent yet, and leaves what YouTube has", async () => {
    const rig = await openRig();
    serve(rig, { [url]: "spam", "https://lists.example/b": "more" });
    rig.video.addComment({ text: "more spam", status: "published" });
    rig.hold("only more");
    const first = await subscribed(rig, hold);
    const { id } = await first.lists.propose(
      { url: "https://lists.example/b" },
      ann.userId,
      signal,
    );
    // Rules of this rig would all have one id.
    rig.random = () => 0.25;
    const second = {
      id,
      ruleId: (await first.lists.subscribe(id, reject, ann.userId))?.ruleId ?? "",
    };
    await first.watch({ states: ["published", "heldForReview"] });
    await rig.clock.pass(20_000);
    const before = [
      await first.lists.effects(first.ruleId),
      await first.lists.effects(second.ruleId),
    ];

    await first.lists.unsubscribe(first.id);
    await first.lists.unsubscribe(second.id);
    await rig.clock.pass(2 * minute);

    expect(before).toEqual([
      { marked: 0, pending: 0, held: 1 },
      { marked: 1, pending: 0, held: 0 },
    ]);
    expect(await adviceIn(rig)).toMatchObject({ "only more": undefined });
    expect(await rig.records.lists.all(guildId)).toEqual([]);
    expect((await first.server.rules.book()).rules).toEqual([]);
    expect(await first.lists.release(first.ruleId, ann)).toBe(1);
  });

  it("counts no suggestions on comments that somebody has decided about", async () => {
    const rig = await openRig();
    serve(rig, { [url]: "spam" });
    rig.hold("spam");
    const { server, watch, lists, ruleId } = await subscribed(rig);
    await watch();
    await rig.clock.pass(20_000);
    const before = await lists.effects(ruleId);
    const items = (await rig.items()).map(toItemRef);

    await server.queue.decide({ items, kind: "approve", by: ann, from: "card" });

    expect(before).toMatchObject({ marked: 1 });
    expect(await lists.effects(ruleId)).toMatchObject({ marked: 0 });
  });

  it("undoes decisions that have not been sent", async () => {
    const rig = await openRig();
    serve(rig, { [url]: "spam" });
    rig.video.addComment({ text: "spam", status: "published" });
    const { watch, lists, id, ruleId } = await subscribed(rig, hold);
    await watch({ states: ["published"] });
    const before = await lists.effects(ruleId);

    await lists.unsubscribe(id);
    await rig.clock.pass(2 * minute);

    expect(before).toMatchObject({ pending: 1 });
    const [item] = (await rig.items()).filter(({ comment }) => comment.text === "spam");
    expect(item).toMatchObject({ status: "open", undone: { by: { ruleName: "lists.example" } } });
  });
});

describe("shared rules", () => {
  it("reach a server with the code, and go with their effects when sharing stops", async () => {
    const rig = await openRig();
    const process = rig.process();
    const theirs = process.moderation.of(otherGuild);
    const words = (list: readonly string[]) =>
      ({ kind: "words", words: list, isFolded: true }) as const;
    const rule = { does: "suggest", decision: "hold" } as const;
    await theirs.rules.add({ ...rule, name: "A", test: words(["spam", "free*"]) }, ann.userId);
    const welcome = { does: "suggest", decision: "approve" } as const;
    await theirs.rules.add({ ...welcome, name: "C", test: words(["thanks"]) }, ann.userId);
    const code = await theirs.lists.startSharing("Their words", ann.userId);
    const { lists } = process.server;
    const { id, name, counts } = await lists.propose({ code }, ann.userId, signal);
    await lists.subscribe(id, reject, ann.userId);
    await theirs.rules.add({ ...rule, name: "B", test: words(["more"]) }, ann.userId);
    await rig.clock.pass(hour + 6 * minute);
    rig.hold("more");
    await process.watch();
    await rig.clock.pass(20_000);
    const before = await adviceIn(rig);
    const users = (await theirs.lists.share())?.users;

    expect(await theirs.lists.stopSharing()).toBe(1);
    await rig.clock.pass(2 * minute);

    expect({ name, counts }).toEqual({
      name: "Their words",
      counts: { words: 1, links: 0, authors: 0 },
    });
    expect(users).toBe(1);
    expect(before).toMatchObject({ more: { ruleName: "Their words" } });
    expect(await adviceIn(rig)).toMatchObject({ more: undefined });
    expect(await lists.all()).toEqual([]);
    expect(rig.notifications.filter(({ name }) => name === "list-trouble")).toMatchObject([
      { facts: { guildId, why: "withdrawn" } },
    ]);
  });

  it("are not for the server itself, and a new code ends the earlier one", async () => {
    const rig = await openRig();
    const { server, moderation } = rig.process();
    const first = await server.lists.startSharing("Ours", ann.userId);
    const second = await server.lists.startSharing("Ours", ann.userId);
    const other = moderation.of(otherGuild).lists;
    const refusal = (code: string, lists = other) =>
      lists.propose({ code }, ann.userId, signal).catch(({ facts }) => facts.reason);

    expect(await refusal(second, server.lists)).toBe("own");
    expect(await refusal(first)).toBe("code");
    expect(await refusal(second)).toBe("empty");
    const both = ["A", "B"].map((name) => server.lists.startSharing(name, ann.userId));
    const reasons = await Promise.all((await Promise.all(both)).map((code) => refusal(code)));
    expect(reasons.toSorted()).toEqual(["code", "empty"]);
  });
});
