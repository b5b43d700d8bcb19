import { ComponentType } from "discord-api-types/v10";
import { beforeAll, describe, expect, it } from "vitest";
import type { OptionInput, PersonName } from "../../src/sandbox/types.ts";
import { fetchBytes, isEphemeral, offered, textOf } from "../support/stage.ts";
import { expectPrivate, useStage } from "../support/use-stage.ts";

const { stage, as, owner, member } = useStage();
const { run, click } = member;
beforeAll(async () => {
  // These tests search more often than a member may in one day.
  await owner.run("connect budget", { rank: "member", remove: true });
});

type Options = Readonly<Record<string, OptionInput>>;

const search = async (options: Options, who: PersonName = "member") =>
  await as(who).run("search", options);

/** The parameters of the latest search that reached YouTube's stand-in. */
function asked(): Readonly<Record<string, string>> {
  const seen = stage.videoRequests.findLast(({ method }) => method === "search.list");
  const all = Object.fromEntries(seen?.query ?? []);
  const { key: _, part: __, maxResults: ___, ...rest } = all;
  return rest;
}

const searchCount = () =>
  stage.videoRequests.filter(({ method }) => method === "search.list").length;

describe("/search", () => {
  it("shows five results with picture, channel, length and age, for everybody", async () => {
    const message = await search({ query: "light", type: "video" });
    const [container] = message.components ?? [];
    const parts = container?.type === ComponentType.Container ? container.components : [];

    expect(isEphemeral(message)).toBe(false);
    expect(parts.filter(({ type }) => type === ComponentType.Section)).toHaveLength(5);
    expect(textOf(message)).toMatch(/\n\d+:\d\d · <t:\d+:R>/u);
  });

  it("turns to the next page and back, and going back asks the service nothing", async () => {
    const first = await search({ query: "camera" });

    const second = await click(first, "Next");
    const before = searchCount();
    const back = await click(second, "Previous");

    expect(textOf(second)).toContain("Page 2");
    expect(textOf(second)).not.toContain(textOf(first).split("\n")[1]);
    expect(textOf(back)).toContain("Page 1");
    expect(searchCount()).toBe(before);
  });

  it("hands every option to the service under its own name", async () => {
    await search({
      query: "light",
      order: "viewCount",
      length: "medium",
      after: "2020-01-01 00:00",
      before: "2030-01-01 00:00",
      region: "DE",
      language: "de",
      category: "22",
      captions: "closedCaption",
      definition: "high",
      license: "youtube",
      safe_search: "strict",
      near: "52.5, 13.4",
      extra: "videoEmbeddable=true",
    });

    expect(asked()).toEqual({
      q: "light",
      type: "video",
      order: "viewCount",
      videoDuration: "medium",
      publishedAfter: "2020-01-01T00:00:00.000Z",
      publishedBefore: "2030-01-01T00:00:00.000Z",
      regionCode: "DE",
      relevanceLanguage: "de",
      videoCategoryId: "22",
      videoCaption: "closedCaption",
      videoDefinition: "high",
      videoLicense: "youtube",
      safeSearch: "strict",
      location: "52.5,13.4",
      locationRadius: "50km",
      videoEmbeddable: "true",
    });
  });

  it.each([
    ["an option", { length: "short" }],
    ["something extra", { extra: "videoEmbeddable=true" }],
  ])("asks for videos alone when %s filters what only videos have", async (_, filter) => {
    await search({ query: "cat", ...filter });

    expect(asked().type).toBe("video");
  });

  it("needs no words beside a filter", async () => {
    const message = await search({ category: "10", order: "viewCount" });

    expect(asked()).toEqual({ type: "video", videoCategoryId: "10", order: "viewCount" });
    expect(textOf(message)).toContain("Search results");
    expect(textOf(message)).not.toContain("Results for");
  });

  it("takes a filter of extra, and the channel's own videos, without words", async () => {
    const extra = await search({ extra: "topicId=/m/04rlf" });
    const own = await search({ mine: true }, "moderator");

    expect(isEphemeral(extra)).toBe(false);
    expect(textOf(own)).toContain("Own videos");
  });

  it.each([
    ["en-US", "search", "Nothing to search for", "a channel, a category or a date"],
    ["de", "suche", "Nichts zu suchen", "einen Kanal, eine Kategorie oder ein Datum"],
    ["es-ES", "buscar", "Nada que buscar", "un canal, una categoría o una fecha"],
    ["fr", "recherche", "Rien à chercher", "une chaîne, une catégorie ou une date"],
    ["ja", "検索", "検索する条件がありません", "チャンネル、カテゴリ、日付"],
  ] as const)(
    "refuses a search for nothing before it costs one (%s)",
    async (tag, command, title, hint) => {
      const before = stage.videoRequests.length;
      member.speak(tag);

      const nothing = await run(command, {});
      member.speak("en-US");
      const onlyOrder = await search({ order: "date", safe_search: "strict", mine: false });

      expectPrivate(nothing, title, hint);
      expect(textOf(onlyOrder)).toContain("Nothing to search for");
      expect(stage.videoRequests).toHaveLength(before);
    },
  );

  it("shows what a result says of itself, shortened and as text", async () => {
    const description = `[Click](https://evil.example) @everyone **now** &amp; here\n# ${"long ".repeat(60)}`;
    const item = (number: number) => ({
      id: { kind: "youtube#channel", channelId: `UC${`${number}`.repeat(22)}` },
      snippet: { title: `Channel ${number}`, description },
    });
    const body = JSON.stringify({ items: [1, 2, 3, 4, 5].map(item) });
    const headers = { "Content-Type": "application/json" };
    const { faults } = stage.sandbox.video;
    faults.add({ kind: "answer", status: 200, headers, body, path: /\/search/u, times: 1 });

    const message = await search({ query: "what results say of themselves", type: "channel" });
    const raw = JSON.stringify(message.components);
    const lines = textOf(message)
      .split("\n")
      .filter((line) => line.includes("evil"));

    expect(lines).toHaveLength(5);
    expect(lines[0]).toContain("& here");
    expect(lines[0]?.length).toBeLessThan(220);
    expect(lines[0]?.endsWith("…")).toBe(true);
    expect(raw).not.toContain("[Click](https://evil.example)");
    expect(raw).not.toMatch(/(?<!\\)@everyone/u);
  });

  it("spends no search on a filter that does not go with the kind", async () => {
    const before = searchCount();

    const refusal = await search({ query: "light", type: "channel", length: "short" });

    expect(isEphemeral(refusal)).toBe(true);
    expect(searchCount()).toBe(before);
  });

  it("looks up a channel by its handle", async () => {
    const { ownChannelId, channels } = stage.sandbox.video;
    const handle = channels.get(ownChannelId)?.handle ?? "";

    await search({ query: "light", channel: handle.startsWith("@") ? handle : `@${handle}` });

    expect(asked().channelId).toBe(ownChannelId);
  });

  it("shows details to the person who asked for them alone", async () => {
    const message = await search({ query: "light", type: "video" });

    const details = await owner.click(message, "Details");

    expectPrivate(details, /Views/u);
  });

  it("offers to add to a playlist to those who may", async () => {
    const forMember = await search({ query: "light", type: "video" });
    const forOwner = await search({ query: "light", type: "video" }, "owner");

    expect(textOf(forMember)).not.toContain("Add to playlist");
    expect(textOf(forOwner)).toContain("Add to playlist");
  });

  it("gives somebody else a page of their own and leaves the first as it is", async () => {
    const message = await search({ query: "light" });

    const copy = await owner.click(message, "Next");

    expect(isEphemeral(copy)).toBe(true);
    expect(copy.id).not.toBe(message.id);
  });

  it("shows the channel's own videos to a moderator alone", async () => {
    const own = await search({ query: "private", mine: true }, "moderator");
    const refused = await search({ query: "private", mine: true }, "member");

    expectPrivate(own, "Private: sponsor draft");
    expect(textOf(refused)).toContain("You don’t have permission for this");
  });

  it("gives the results as a table", async () => {
    const message = await search({ query: "light", type: "video", output: "csv" });
    const [file] = message.attachments;
    const [head, ...rows] = (await fetchBytes(file?.url ?? "")).toString().trim().split("\n");

    expect(head).toContain("kind,id,title,channel");
    expect(rows.length).toBeGreaterThanOrEqual(4);
  });

  it("says so when nothing is found", async () => {
    expect(textOf(await search({ query: "zzzyyyxxxwww" }))).toContain("No results");
  });

  it.each([
    ["a video's link for a channel", { channel: "https://youtu.be/dQw4w9WgXcQ" }],
    ["a date nobody can read", { after: "the day the music died" }],
    ["a country that is none", { region: "Atlantis" }],
    ["an extra that nobody knows", { extra: "colour=red" }],
    ["an extra without a value", { extra: "videoEmbeddable" }],
  ])("refuses %s before it costs anything", async (_, options) => {
    const before = stage.videoRequests.length;

    const refusal = await search({ query: "light", ...options });

    expectPrivate(refusal, /Reference [0-9A-Z]{6}/u);
    expect(stage.videoRequests).toHaveLength(before);
  });

  it("shows emoji, text from right to left and formatting as they are", async () => {
    const query = "🎬 مرحبا **@everyone** [x](https://evil.example)";

    const message = await search({ query });

    expect(textOf(message)).toContain("🎬");
    expect(JSON.stringify(message.components)).not.toContain("[x](https://evil.example)");
  });

  it("suggests countries by name in the person's language", async () => {
    member.speak("de");

    const choices = await offered(member.person(), "search", "region", "Deutsch");

    expect(choices.map(({ value }) => value)).toContain("DE");
  });

  it.each([
    ["de", "suche", "suchwort", "Ergebnisse für „light“"],
    ["ja", "検索", "キーワード", "「light」の検索結果"],
  ] as const)("speaks %s", async (locale, path, option, title) => {
    member.speak(locale);

    const message = await run(path, { [option]: "light" });

    expect(textOf(message)).toContain(title);
  });

  it.each([
    [{ near: "nowhere" }, "That isn’t a location"],
    [{ near: "52.5,13.4", within: "9999km" }, "That isn’t a distance"],
    [{ after: "tomorrow" }, "“tomorrow” is in the future"],
    [{ after: "2026-05-02", before: "2026-05-01" }, "The dates are in the wrong order"],
  ])("spends no search on %j", async (options, title) => {
    const before = stage.videoRequests.length;

    const message = await search({ query: "light", ...options });

    expect(textOf(message)).toContain(title);
    expect(isEphemeral(message)).toBe(true);
    expect(stage.videoRequests.length).toBe(before);
  });

  it("says what is wrong when the service fails, and nothing stays spinning", async () => {
    stage.sandbox.video.faults.add({ kind: "answer", status: 400, path: /\/search/u });

    const message = await search({ query: "microphone" });

    expectPrivate(message, /Reference [0-9A-Z]{6}/u);
  });

  it("keeps to Discord's specification in all of this, from the registration on", async () => {
    expect(await stage.violations()).toEqual([]);
  });
});
