import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { textOf } from "../../../support/stage.ts";
import { type Facts, known, type MessagesRig, newHandle, openMessagesRig, rights } from "./rig.ts";

const asBot = rights.view | rights.send | rights.embed | rights.history;

describe("channel messages in a forum", () => {
  let rig: MessagesRig;
  beforeEach(async () => {
    rig = await openMessagesRig();
  });
  afterEach(async () => {
    expect(await rig.violations()).toEqual([]);
    await rig.close();
  });

  const posts = () => rig.platform.people("owner").posts("review-forum");
  const forum = () => rig.channel("review-forum");
  function message(facts: Partial<Facts> = {}) {
    const handle = newHandle();
    const whole = { text: "Hello", handle, tags: ["waiting"], title: "From Sam", ...facts };
    return rig.message({ channelId: forum(), handle, facts: whole });
  }
  const changed = <M extends ReturnType<typeof message>>(old: M, facts: Partial<Facts>): M => ({
    ...old,
    facts: { ...(old.facts as Facts), ...facts },
  });
  const sent = (method: string, path: RegExp) =>
    rig.exchanges.filter((one) => one.method === method && path.test(one.path));

  it("begins a post of its own, with its name and the forum's own tag", async () => {
    const place = await rig.messages.post(message());

    const [post] = posts();
    expect(post).toMatchObject({ id: place.channelId, title: "From Sam", tags: ["Waiting"] });
    expect(place.messageId).toBe(place.channelId);
    expect(sent("PATCH", /./u)).toEqual([]);
  });

  it("changes its tags when they change, and only then", async () => {
    const first = message();
    const place = await rig.messages.post(first);

    await rig.messages.edit(place, changed(first, { text: "Again" }));
    await rig.messages.edit(place, changed(first, { text: "Done", tags: ["Approved"] }));
    await rig.another().edit(place, changed(first, { text: "Still", tags: ["Approved"] }));

    expect(posts().map(({ tags }) => tags)).toEqual([["Approved"]]);
    expect(sent("PATCH", new RegExp(`^/channels/${place.channelId}$`, "u"))).toHaveLength(1);
  });

  it("makes a tag that the forum lacks where the bot may manage it, once", async () => {
    rig.platform.setBotPermissions(asBot | rights.channels);

    await Promise.all([
      rig.messages.post(message({ tags: ["Undone"] })),
      rig.messages.post(message({ tags: ["Undone", "Waiting"] })),
    ]);

    expect(posts().map(({ tags }) => tags.toSorted())).toEqual(
      expect.arrayContaining([["Undone"], ["Undone", "Waiting"]]),
    );
    expect(sent("PATCH", new RegExp(`^/channels/${forum()}$`, "u"))).toHaveLength(1);
  });

  it("does without a tag that it may not make, and does not ask again", async () => {
    rig.platform.setBotPermissions(asBot);

    await rig.messages.post(message({ tags: ["Undone", "Waiting"] }));
    await rig.messages.post(message({ tags: ["Undone"] }));

    expect(posts().map(({ tags }) => tags)).toEqual(expect.arrayContaining([["Waiting"], []]));
    expect(sent("PATCH", /./u)).toHaveLength(1);
  });

  it("gives a post the tags that people chose besides, and those alone that are there", async () => {
    const id = rig.tagId("review-forum", "Approved");
    const first = { ...message(), tagIds: [id, "1", rig.tagId("review-forum", "Waiting")] };

    const place = await rig.messages.post(first);
    const begun = posts()[0]?.tags;
    expect(place.lacksTags).toBe(true);
    await rig.messages.edit(place, changed(first, { tags: ["Rejected"] }));
    const edited = posts()[0]?.tags;
    await rig.messages.edit(place, { ...changed(first, { tags: [] }), tagIds: undefined });

    expect([begun, edited, posts()[0]?.tags]).toEqual([
      ["Waiting", "Approved"],
      ["Rejected", "Approved", "Waiting"],
      [],
    ]);
  });

  it("gives five tags at most", async () => {
    const tags = Array.from("abcdef", (name, at) => {
      return { id: `${at + 1}`, name, moderated: false, emoji_id: null, emoji_name: null };
    });
    rig.platform.changeChannel("review-forum", { available_tags: tags });

    await rig.messages.post({ ...message({ tags: ["f"] }), tagIds: tags.map(({ id }) => id) });

    expect(posts()[0]?.tags.toSorted()).toEqual(["a", "b", "c", "d", "f"]);
  });

  it.each([
    ["gives", rights.threads, ["Staff", "Waiting"], 1],
    ["leaves out", 0n, ["Waiting"], 3],
  ])("%s moderated tags as its rights are", async (_, held, expected, requests) => {
    const tag = { moderated: false, emoji_id: null, emoji_name: null };
    const available_tags = [
      { ...tag, id: "1", name: "Staff", moderated: true },
      { ...tag, id: "2", name: "Waiting" },
    ];
    rig.platform.changeChannel("review-forum", { available_tags });
    rig.platform.setBotPermissions(asBot | held);

    const first = { ...message(), tagIds: ["1"] };
    const place = await rig.messages.post(first);
    await rig.messages.edit(place, changed(first, { text: "Again" }));
    await rig.messages.post({ ...message(), tagIds: ["1"] });

    expect(posts().map(({ tags }) => tags.toSorted())).toEqual([expected, expected]);
    expect(sent("POST", /threads$/u)).toHaveLength(requests === 1 ? 2 : 3);
  });

  it("gives any tag where the forum takes no post without one", async () => {
    rig.platform.setBotPermissions(asBot);
    rig.platform.changeChannel("review-forum", { flags: 16 });

    await rig.messages.post(message({ tags: ["Unheard of"] }));

    expect(posts()[0]?.tags).toHaveLength(1);
  });

  it("takes it well when somebody has changed the tags meanwhile", async () => {
    await rig.messages.post(message());
    const tag = { id: "7".repeat(18), name: "Waiting", moderated: false };
    const available_tags = [{ ...tag, emoji_id: null, emoji_name: null }];
    rig.platform.changeChannel("review-forum", { available_tags });

    await rig.messages.post(message());

    expect(posts().map(({ tags }) => tags)).toEqual(expect.arrayContaining([["Waiting"]]));
    expect(posts()).toHaveLength(2);
  });

  it.each([
    ["arrived all the same", { kind: "cut-after" }],
    ["never arrived", { kind: "cut-before" }],
    ["was answered with 503", { kind: "answer", status: 503 }],
  ] as const)("looks before it sends a post again that %s", async (_, fault) => {
    rig.platform.faults.add({ method: "POST", path: /threads$/u, ...fault, times: 1 });

    const place = await rig.messages.post(message());

    expect(posts().map(({ id }) => id)).toEqual([place.channelId]);
  });

  it("says that a post may be there where looking fails too", async () => {
    const { faults } = rig.platform;
    faults.add({ method: "POST", path: /threads$/u, kind: "cut-after", times: 1 });
    faults.add({ method: "GET", path: /threads/u, kind: "answer", status: 503, times: 99 });

    await expect(rig.messages.post(message())).rejects.toMatchObject({ outcome: "unknown" });
  });

  it("finds a post by what it began with, among those since then", async () => {
    const wanted = message();
    const began = Date.now();
    const place = await rig.messages.post(wanted);
    await rig.messages.post(message());
    const bare = await rig.messages.post(message());
    await rig.messages.remove(bare);

    expect(await rig.another().find(wanted, began)).toEqual(place);
    expect(await rig.messages.find(message(), began)).toBeUndefined();
    expect(await rig.messages.find(wanted, Date.now() + 3_600_000)).toBeUndefined();
  });

  it("draws anew what the archive holds, and puts away what is over", async () => {
    const first = message();
    const place = await rig.messages.post(first);
    rig.platform.changeThread(place.channelId, { archived: true });

    await rig.messages.edit(place, changed(first, { text: "Back again" }));
    const isBack = posts().map(({ isArchived }) => isArchived);
    await rig.messages.edit(place, changed(first, { text: "Over", isOver: true }));

    expect(isBack).toEqual([false]);
    expect(posts().map(({ isArchived }) => isArchived)).toEqual([true]);
  });

  it("has nothing to change in a post that somebody locked, or removed", async () => {
    const [locked, removed] = [message(), message()];
    const places = [await rig.messages.post(locked), await rig.messages.post(removed)];
    rig.platform.setBotPermissions(asBot);
    rig.platform.changeThread(places[0]?.channelId ?? "", { locked: true });
    rig.platform.setBotPermissions(asBot | rights.threads);
    if (places[1] !== undefined) await rig.messages.remove(places[1]);
    rig.platform.setBotPermissions(asBot);

    for (const [index, one] of [locked, removed].entries()) {
      const place = places[index] ?? { channelId: "", messageId: "" };
      await expect(rig.messages.edit(place, changed(one, { text: "x" }))).rejects.toEqual(
        known("discord_message_gone"),
      );
    }
  });

  it("removes what it wrote where it may not remove posts", async () => {
    rig.platform.setBotPermissions(asBot);
    const place = await rig.messages.post(message());

    await rig.messages.remove(place);
    await rig.messages.remove(place);

    expect(posts().flatMap(({ messages }) => messages)).toEqual([]);
  });

  it("says what it lacks", async () => {
    rig.platform.forbidBot(forum(), rights.send);

    await expect(rig.messages.post(message())).rejects.toEqual(
      known("discord_channel_closed", { lack: "forum" }),
    );
  });

  it("says that the server has no room for another post", async () => {
    rig.platform.setActiveThreadLimit(1);
    await rig.messages.post(message());

    await expect(rig.messages.post(message())).rejects.toEqual(known("discord_posts_full"));
  });

  it("says how long Discord asks to wait, and tries no sooner", async () => {
    const limited = { kind: "answer", status: 429, headers: { "Retry-After": "1800" } } as const;
    rig.platform.faults.add({ method: "POST", path: /threads$/u, ...limited, times: 1 });

    const refused = await rig.messages.post(message()).catch((error: unknown) => error);

    expect(refused).toEqual(known("discord_limit"));
    expect(refused).toMatchObject({ outcome: "nothing" });
    const { retryAt } = refused as { readonly retryAt: Date };
    expect((retryAt.getTime() - Date.now()) / 60_000).toBeCloseTo(30, 0);
    expect(posts()).toEqual([]);
  });

  it("calls a role in it, and nobody else", async () => {
    const pingRoleId = "123456789012345678";
    await rig.messages.post({ ...message(), pingRoleId });

    const [begun] = sent("POST", /threads$/u);
    expect(begun?.requestBody).toMatchObject({
      message: {
        content: `<@&${pingRoleId}>`,
        allowed_mentions: { parse: [], roles: [pingRoleId] },
      },
    });
  });

  it("names a post of hostile words in one line that fits", async () => {
    await rig.messages.post(message({ title: `\u202E${"👩‍👩‍👧‍👦".repeat(40)}\n@everyone` }));

    const [post] = posts();
    expect(post?.title.length).toBeLessThanOrEqual(100);
    expect(post?.title).toMatch(/^(?:👩‍👩‍👧‍👦)+…$/u);
    expect(textOf(post?.messages[0] as never)).toContain("Hello");
  });
});
