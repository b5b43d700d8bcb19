import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { SuggestedChoice } from "../../../src/discord/index.ts";
import * as suggest from "../../../src/features/suggestions/index.ts";
import type { PlaylistItem } from "../../../src/video/index.ts";
import { openRig, type Rig } from "./rig.ts";

let rig: Rig;
let uploads: readonly PlaylistItem[];
beforeAll(async () => {
  rig = await openRig();
  const { service, own } = rig;
  const playlistId = `UU${service.ownChannelId.slice(2)}`;
  const part = ["snippet", "contentDetails", "status"] as const;
  uploads = (await own.call("playlistItems.list", { part, playlistId, maxResults: 50 })).items;
});
afterAll(() => rig.close());

const names = (choices: readonly SuggestedChoice[]) => choices.map(({ name }) => name);
const values = (choices: readonly SuggestedChoice[]) => choices.map(({ value }) => value);
const idOf = (item: PlaylistItem | undefined) => item?.contentDetails?.videoId ?? "";
const ofPrivacy = (privacy: string) =>
  uploads.filter(({ status }) => status?.privacyStatus === privacy).map(idOf);

describe("ownVideos", () => {
  it("gives the newest first, with privacy and day for who may know", async () => {
    const choices = await rig.suggest(suggest.ownVideos, "", { rank: "moderator" });

    expect(values(choices)).toEqual(uploads.slice(0, 25).map(idOf));
    expect(names(choices)).toContainEqual(
      expect.stringMatching(/^Private: sponsor draft.* · Private · \w{3} \d+, \d{4}$/u),
    );
  });

  it("finds by words in any order, without case and accents", async () => {
    const choices = await rig.suggest(suggest.ownVideos, "WINDÔW ligh", { rank: "moderator" });

    expect(names(choices)).toEqual([expect.stringContaining("Three lights, one window")]);
  });

  it.each([
    ["with a key", ["video-key", "channel"] as const],
    ["with the linked channel alone", ["channel"] as const],
  ])("suggests to members neither private nor unlisted videos %s", async (_, has) => {
    const choices = await rig.suggest(suggest.ownVideos, "", { rank: "member", has });
    const sought = await rig.suggest(suggest.ownVideos, "sponsor draft", { rank: "member", has });

    expect(ofPrivacy("private").length * ofPrivacy("unlisted").length).toBeGreaterThan(0);
    expect(values(choices)).toEqual(ofPrivacy("public").slice(0, 25));
    expect(sought).toEqual([]);
  });

  it("offers a pasted link back with its title, and an unknown one as its id", async () => {
    const id = idOf(uploads[0]);
    const link = `https://youtu.be/${id}?t=3`;

    const known = await rig.suggest(suggest.ownVideos, link, { rank: "moderator" });
    const unknown = await rig.suggest(suggest.ownVideos, "https://youtu.be/dQw4w9WgXcQ");

    expect(known).toEqual([
      { name: expect.stringContaining(uploads[0]?.snippet?.title ?? "?"), value: id },
    ]);
    expect(unknown).toEqual([{ name: "dQw4w9WgXcQ", value: "dQw4w9WgXcQ" }]);
  });

  it("does not take a word of eleven letters for an id while titles hold it", async () => {
    const choices = await rig.suggest(suggest.ownVideos, "ten-minute-", { rank: "moderator" });

    expect(names(choices)[0]).toContain("Editing a ten-minute video");
  });

  it("is empty without a linked channel", async () => {
    expect(await rig.suggest(suggest.ownVideos, "", { has: ["video-key"] })).toEqual([]);
  });

  it("reads once for many keystrokes, and again for another guild", async () => {
    const asking = { rank: "moderator", guildId: "3".repeat(18) } as const;
    await rig.suggest(suggest.ownVideos, "", asking);
    const before = rig.requests.length;

    for (const typed of ["l", "li", "lig", "light"]) {
      await rig.suggest(suggest.ownVideos, typed, asking);
    }
    const same = rig.requests.length - before;
    await rig.suggest(suggest.ownVideos, "", { ...asking, guildId: "4".repeat(18) });

    expect(same).toBe(0);
    expect(rig.requests.length - before).toBe(2);
  });
});

describe("ownPlaylists", () => {
  it("shows private ones to moderators alone", async () => {
    const asModerator = await rig.suggest(suggest.ownPlaylists, "", { rank: "moderator" });
    const asMember = await rig.suggest(suggest.ownPlaylists, "");
    const withoutKey = await rig.suggest(suggest.ownPlaylists, "", { has: ["channel"] });

    expect(names(asModerator)).toContainEqual(
      expect.stringMatching(/^Sponsor drafts · Private · 1 video$/u),
    );
    expect(names(asMember).join()).not.toMatch(/Sponsor|Private|Unlisted/u);
    expect(names(withoutKey)).toEqual(names(asMember));
    expect(asMember.length).toBeGreaterThan(0);
  });
});

describe("playlistItems", () => {
  const items = suggest.playlistItems("playlist");
  const draft = async () => {
    const choices = await rig.suggest(suggest.ownPlaylists, "sponsor", { rank: "moderator" });
    return { playlist: `${choices[0]?.value}` };
  };

  it("gives the entries of the playlist in the other option, by place", async () => {
    const [first] = await rig.suggest(suggest.ownPlaylists, "");
    const link = `https://www.youtube.com/playlist?list=${first?.value}`;

    const choices = await rig.suggest(items, "", { others: { playlist: link } });

    expect(names(choices).map((name) => name.split(".")[0])).toEqual(
      choices.map((_, index) => `${index + 1}`),
    );
    expect(choices.length).toBeGreaterThan(1);
  });

  it("opens a private playlist to moderators, and to members with no credential", async () => {
    const others = await draft();
    const members = [["video-key", "channel"], ["channel"]] as const;

    expect((await rig.suggest(items, "", { rank: "moderator", others })).length).toBe(1);
    for (const has of members) {
      const choices = rig.suggest(items, "", { others, has });
      expect(await choices.catch(() => [])).toEqual([]);
    }
  });

  it("is empty while no playlist is named", async () => {
    expect(await rig.suggest(items, "", { others: { playlist: "soon" } })).toEqual([]);
  });
});

describe("commentsOf", () => {
  const comments = suggest.commentsOf("video");

  it("gives the published comments of the video, found by text or author", async () => {
    const others = {
      video: idOf(uploads.find(({ status }) => status?.privacyStatus === "public")),
    };
    const all = await rig.suggest(comments, "", { others });
    const word = names(all)[0]?.split(": ")[1]?.split(" ")[0] ?? "";

    const found = await rig.suggest(comments, word, { others });

    expect(all.length).toBeGreaterThan(1);
    expect(names(found)).toContain(names(all)[0]);
    expect(all.every(({ name }) => name.length <= 100)).toBe(true);
  });

  it("never gives held comments, not even to moderators", async () => {
    const { own, service } = rig;
    const held = await own.call("commentThreads.list", {
      part: ["id"],
      allThreadsRelatedToChannelId: service.ownChannelId,
      moderationStatus: "heldForReview",
      maxResults: 100,
    });
    const heldIds = held.items.map(({ id }) => id);

    const choices = await rig.suggest(comments, "", { rank: "moderator" });

    expect(heldIds.length).toBeGreaterThan(0);
    expect(values(choices).filter((id) => heldIds.includes(`${id}`))).toEqual([]);
  });
});

describe("captionsOf", () => {
  const captions = suggest.captionsOf("video");

  it("names language, kind and draft, for moderators alone", async () => {
    const { own } = rig;
    const video = idOf(uploads[0]);
    await own.call("captions.insert", {
      part: ["snippet"],
      body: { snippet: { videoId: video, language: "de", name: "Regie", isDraft: true } },
      media: {
        data: Buffer.from("1\n00:00:01,000 --> 00:00:02,000\nHallo\n"),
        type: "application/octet-stream",
      },
    });

    const asked = { rank: "moderator", others: { video } } as const;
    const choices = await rig.suggest(captions, "", asked);
    const german = await rig.suggest(captions, "deutsch", { ...asked, tag: "de" });
    const asMember = await rig.suggest(captions, "", { others: { video } });

    expect(names(choices)).toContainEqual(expect.stringMatching(/^German · Regie · Draft · /u));
    expect(names(german)).toEqual([expect.stringMatching(/^Deutsch · Regie · Entwurf · /u)]);
    expect(asMember).toEqual([]);
  });

  it("spends fifty units once for a video", async () => {
    const asked = { rank: "moderator", others: { video: idOf(uploads[1]) } } as const;
    const before = rig.requests.length;

    for (const typed of ["", "e", "en", "eng"]) await rig.suggest(captions, typed, asked);

    expect(rig.requests.slice(before)).toEqual(["captions.list"]);
  });
});

describe("sections, subscriptions, member levels and abuse reasons", () => {
  it("give sections their kind in the person's language", async () => {
    const english = await rig.suggest(suggest.sections, "", { rank: "moderator" });
    const japanese = await rig.suggest(suggest.sections, "", { rank: "moderator", tag: "ja" });

    expect(english.length).toBeGreaterThan(0);
    expect(names(english)[0]).toMatch(/^1\. /u);
    expect(names(japanese)).not.toEqual(names(english));
    expect(values(japanese)).toEqual(values(english));
  });

  it.each([
    ["subscriptions", suggest.subscriptions],
    ["memberLevels", suggest.memberLevels],
    ["abuseReasons", suggest.abuseReasons],
  ])("suggest %s to nobody below a moderator", async (_, one) => {
    expect((await rig.suggest(one, "", { rank: "moderator" })).length).toBeGreaterThan(0);
    expect(await rig.suggest(one, "")).toEqual([]);
    expect(await rig.suggest(one, "", { has: ["channel"] })).toEqual([]);
  });

  it("give the second reasons of the first alone", async () => {
    const { own } = rig;
    const { items } = await own.call("videoAbuseReportReasons.list", { part: ["id", "snippet"] });
    const reason = items.find(({ snippet }) => (snippet?.secondaryReasons?.length ?? 0) > 0);
    const others = { reason: reason?.id ?? "" };

    const choices = await rig.suggest(suggest.secondaryReasons("reason"), "", {
      rank: "moderator",
      others,
    });

    expect(values(choices)).toEqual(reason?.snippet?.secondaryReasons?.map(({ id }) => id));
  });

  it("offer members no channel but the linked one, and moderators its subscriptions too", async () => {
    const asMember = await rig.suggest(suggest.channels, "");
    const asModerator = await rig.suggest(suggest.channels, "", { rank: "moderator" });
    const handle = await rig.suggest(suggest.channels, "https://youtube.com/@SomeBody");

    expect(values(asMember)).toEqual([rig.service.ownChannelId]);
    expect(asModerator.length).toBeGreaterThan(1);
    expect(handle).toEqual([{ name: "@SomeBody", value: "@SomeBody" }]);
  });
});

describe("categories, languages and regions", () => {
  it("are named in the person's language, the guild's country first", async () => {
    const settings = { region: "JP" };
    const regions = await rig.suggest(suggest.regions, "", { tag: "de", settings });
    const languages = await rig.suggest(suggest.languages, "franz", { tag: "de" });

    expect(regions[0]).toEqual({ name: "Japan · JP", value: "JP" });
    expect(languages).toContainEqual({ name: "Französisch · fr", value: "fr" });
  });

  it.each([
    ["en-US", "portug", "Portuguese (Portugal) · pt-PT"],
    ["de", "portug", "Portugiesisch (Portugal) · pt-PT"],
    ["es-ES", "portug", "portugués (Portugal) · pt-PT"],
    ["fr", "portug", "portugais (Portugal) · pt-PT"],
    ["ja", "ポルトガル", "ポルトガル語 (ポルトガル) · pt-PT"],
  ])("have the names that the service gives them (%s)", async (tag, typed, name) => {
    const languages = await rig.suggest(suggest.languages, typed, { tag });
    const regions = await rig.suggest(suggest.regions, "HK", { tag });

    expect(languages).toContainEqual({ name, value: "pt-PT" });
    expect(regions[0]?.name).not.toMatch(/SAR|RAE|Sonderverwaltung|特別行政区/u);
  });

  it("leave out categories that no video may have", async () => {
    const { own } = rig;
    const { items } = await own.call("videoCategories.list", {
      part: ["snippet"],
      regionCode: "US",
    });
    const free = items.filter(({ snippet }) => snippet?.assignable).map(({ id }) => id);

    const choices = await rig.suggest(suggest.categories, "", {});

    expect(free.length).toBeLessThan(items.length);
    expect(free).toEqual(expect.arrayContaining(values(choices)));
  });

  it("know the usual countries and languages before anything is connected", async () => {
    const regions = await rig.suggest(suggest.regions, "germ", { has: [] });
    const languages = await rig.suggest(suggest.languages, "germ", { has: [] });

    expect(values(regions)).toEqual(["DE"]);
    expect(values(languages)).toEqual(["de"]);
  });
});

describe("all of them", () => {
  let before = 0;
  beforeEach(() => {
    before = rig.requests.length;
  });

  it("never search: the day has a hundred searches", async () => {
    for (const one of [suggest.ownVideos, suggest.ownPlaylists, suggest.channels]) {
      await rig.suggest(one, "something nobody made", { rank: "owner", guildId: "5".repeat(18) });
    }

    expect(rig.requests.slice(before)).not.toContain("search.list");
  });
});
