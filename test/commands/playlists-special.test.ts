import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { readAsChannel } from "../support/page-walk.ts";
import { asMessage, fetchBytes, textOf } from "../support/stage.ts";
import { expectPrivate, expectText, useStage } from "../support/use-stage.ts";

/** The second channel's name: its history reads as empty, and reading its Watch later fails. */
const closedChannel = "Bakery";

const { stage, owner, moderator, member, units, videoAnswers } = useStage();
const { run, click, choose, submit, runForm } = owner;
beforeAll(async () => {
  const { oauth } = stage.sandbox;
  const [, bakery] = oauth.accounts;
  const { refreshToken } = oauth.mint({ channelId: bakery?.channelId ?? "" });
  const form = await runForm("connect token");
  const fields = { kind: ["refresh"], token: refreshToken, name: closedChannel };
  await owner.click(await submit(form, fields), "Yes");
});
afterEach(() => {
  stage.sandbox.video.quota.refill();
});

interface Held {
  readonly id: string;
  readonly snippet: { readonly title: string };
  readonly contentDetails: { readonly videoId: string };
}

const entriesIn = (playlistId: string) =>
  readAsChannel<Held>(
    stage.sandbox,
    `playlistItems?part=snippet,contentDetails&maxResults=50&playlistId=${playlistId}`,
  );
const videosIn = async (playlistId: string) =>
  (await entriesIn(playlistId)).map(({ contentDetails }) => contentDetails.videoId);
const uploadsOf = (channelId: string) => channelId.replace(/^UC/u, "UU");

/** The creator's videos that are in none of the three lists. */
async function fresh(): Promise<readonly string[]> {
  const lists = await Promise.all(["WL", "HL", "LL"].map(videosIn));
  const taken = new Set(lists.flat());
  const own = await videosIn(uploadsOf(stage.sandbox.video.ownChannelId));
  return own.filter((id) => !taken.has(id));
}

/** Writes something, because what was read is cached until then. */
const lookAnew = () => run("playlists create", { title: "One more" });

/** How YouTube's stand-in answers when a playlist's entries are read. */
const answersLists = (status: number, body: object) =>
  videoAnswers(/playlistItems/u, { status, body, method: "GET" });

const refusal = (code: number, reason: string) => ({ error: { code, errors: [{ reason }] } });

describe("/playlists history and watch-later", () => {
  it.each([
    ["history", "HL", "Watch history"],
    ["watch-later", "WL", "Watch later"],
    ["likes", "LL", "Liked videos"],
  ])("%s is shown to people of rank alone, page by page", async (name, id, title) => {
    const [first, , , , , sixth] = await entriesIn(id);

    const page = await moderator.run(`playlists ${name}`);
    const next = await moderator.click(page, "Next");
    const refused = await member.run(`playlists ${name}`);

    expectPrivate(page, title, first?.contentDetails.videoId);
    expect(textOf(next)).toContain(sixth?.contentDetails.videoId);
    expect(textOf(refused)).toContain("You don’t have permission for this");
  });

  it("are saved as a table like any list", async () => {
    const message = await run("playlists history", { output: "csv" });

    const table = `${await fetchBytes(message.attachments[0]?.url ?? "")}`;

    expect(table.trimEnd().split("\n")).toHaveLength((await entriesIn("HL")).length + 1);
  });

  it("are opened by /playlists show too, in private, and never to members", async () => {
    const shown = await moderator.run("playlists show", { playlist: "WL" });
    const linked = await run("playlists show", {
      playlist: "https://www.youtube.com/playlist?list=LL",
    });
    const refused = await member.run("playlists show", { playlist: "WL" });

    expectPrivate(shown, "Watch later");
    expect(textOf(linked)).toContain("Liked videos");
    expectPrivate(refused, "You don’t have permission for this");
  });

  it("are offered by name to people of rank", async () => {
    const [later] = await owner.offered("playlists show", "playlist", "watch la");
    const toMember = await member.suggest("playlists show", "playlist", "");

    expect(later).toMatchObject({ value: "WL" });
    expect(later?.name).toMatch(/^Watch later · /u);
    expect(toMember.map(({ value }) => value)).not.toContain("WL");
  });

  it.each(["watch-later", "history"])(
    "say what to do where the service keeps %s closed: refused or empty",
    async (name) => {
      const message = await run(`playlists ${name}`, { as: closedChannel });

      expectPrivate(message, "closed to apps");
      expect(JSON.stringify(message)).toContain(
        name === "history"
          ? "https://www.youtube.com/feed/history"
          : "https://www.youtube.com/playlist?list=WL",
      );
    },
  );

  it.each([
    ["a refusal without a name", 403, refusal(403, "playlistItemsNotAccessible")],
    ["a list that is not there", 404, refusal(404, "playlistNotFound")],
    ["a list that can't be read", 400, refusal(400, "playlistOperationUnsupported")],
    ["an empty answer without a total", 200, { kind: "youtube#playlistItemListResponse" }],
  ])("say the same for %s", async (_, status, body) => {
    await lookAnew();
    answersLists(status, body);

    const message = await run("playlists watch-later");

    expect(textOf(message)).toContain("closed to apps");
    expect(JSON.stringify(message)).toContain("https://www.youtube.com/playlist?list=WL");
  });

  it("say the same where the service no longer gives the list's id", async () => {
    await lookAnew();
    const channel = { id: "UC", contentDetails: { relatedPlaylists: {} } };
    videoAnswers(/channels/u, { status: 200, body: { items: [channel] } });

    const message = await run("playlists history");

    expect(textOf(message)).toContain("“Watch history” is closed to apps");
  });

  it("say it beside an empty file as well", async () => {
    const message = await run("playlists history", { as: closedChannel, output: "csv" });

    expect(textOf(message)).toContain("closed to apps");
  });
});

describe("adding to and removing from the service's own lists", () => {
  it.each([
    ["WL", "Watch later"],
    ["HL", "Watch history"],
    ["LL", "Liked videos"],
  ])("fills and empties %s by its name", async (id, name) => {
    const [video = ""] = await fresh();
    const before = await videosIn(id);

    const added = await run("playlists add", { playlist: id, videos: video });
    const during = await videosIn(id);
    const question = await run("playlists remove", { playlist: id, items: video });
    const removed = await click(question, "Remove");

    expect(textOf(added)).toContain(`1 video added to “${name}”`);
    expect(during).toContain(video);
    expect(textOf(question)).toContain(`Remove 1 entry from “${name}”?`);
    expect(textOf(removed)).toContain(`1 entry removed from “${name}”`);
    expect(await videosIn(id)).toEqual(before);
  });

  it("shows what was filled from the answer's button", async () => {
    const [video = ""] = await fresh();
    const added = await run("playlists add", { playlist: "WL", videos: video });
    stage.sandbox.video.faults.clear();

    const shown = await click(added, "Show videos");

    expectPrivate(shown, "Watch later");
  });

  it("removes what is chosen among the suggestions of its entries", async () => {
    const [first] = await entriesIn("HL");
    const choices = await owner.offered("playlists remove", "items", "", { playlist: "HL" });
    const question = await run("playlists remove", {
      playlist: "HL",
      items: String(choices[0]?.value),
    });

    await click(question, "Remove");

    expect(choices[0]?.value).toBe(first?.id);
    expect(await videosIn("HL")).not.toContain(first?.contentDetails.videoId);
  });

  it("moves within Watch later, and recognises the lists that the service sorts", async () => {
    const videos = await videosIn("WL");
    const last = videos.at(-1) ?? "";
    const liked = (await videosIn("LL")).at(-1) ?? "";

    await run("playlists move", { playlist: "WL", item: last, position: "top" });
    const sorted = await run("playlists move", { playlist: "LL", item: liked, position: "top" });

    expect(await videosIn("WL")).toEqual([last, ...videos.slice(0, -1)]);
    expect(textOf(sorted)).toContain("YouTube sorts that list");
  });

  it("offers them in the menu's select, and fills what is chosen", async () => {
    const [video = ""] = await fresh();
    const said = await owner.person().say(`https://youtu.be/${video}`);
    const choice = asMessage(await owner.person().menu("Add to playlist", said));

    const done = await choose(choice, ["Watch later"]);

    expect(JSON.stringify(choice.components)).toContain("Watch history");
    expect(textOf(done)).toContain("1 video added to “Watch later”");
    expect(await videosIn("WL")).toContain(video);
  });

  it("states the price of many with the look-up of the list's id", async () => {
    const videos = (await fresh()).slice(0, 4);
    const before = units();

    const question = await run("playlists add", { playlist: "WL", videos: videos.join(" ") });
    const looked = units() - before;
    await click(question, "Add 4 videos");

    expect(textOf(question)).toContain(`This costs ${units() - before - looked} units`);
  });

  it.each([
    ["WL", "YouTube accepts no changes to Watch later from apps"],
    ["HL", "YouTube accepts no changes to the watch history from apps"],
  ])("explains by name that the service takes nothing into %s", async (id, why) => {
    const [video = ""] = await fresh();

    const added = await run("playlists add", { playlist: id, videos: video, as: closedChannel });

    expectPrivate(added, why);
  });

  it.each([
    ["WL", "YouTube shows Watch later only on its own site"],
    ["HL", "YouTube keeps the list closed to apps"],
  ])("explains why nothing can be removed from %s", async (id, why) => {
    const [video = ""] = await fresh();

    const refused = await run("playlists remove", {
      playlist: id,
      items: video,
      as: closedChannel,
    });

    expect(textOf(refused)).toContain(why);
  });

  it("still adds where the list takes what it does not show", async () => {
    const [video = ""] = await fresh();
    answersLists(403, refusal(403, "watchLaterNotAccessible"));

    const added = await run("playlists add", { playlist: "WL", videos: video });
    stage.sandbox.video.faults.clear();

    expect(textOf(added)).toContain("1 video added to “Watch later”");
    expect(await videosIn("WL")).toContain(video);
  });

  it("names another way where the service does not take a like", async () => {
    const [video = ""] = await fresh();
    const reason = "playlistOperationUnsupported";
    videoAnswers(/playlistItems/u, { status: 400, reason, method: "POST" });

    const refused = await run("playlists add", { playlist: "LL", videos: video });

    expectText(refused, "The liked videos are closed to apps", "/videos rate");
  });

  it("spends nothing on the list of uploads, which changes with the uploads alone", async () => {
    const uploads = uploadsOf(stage.sandbox.video.ownChannelId);
    const [video = ""] = await videosIn(uploads);
    const before = units();

    const added = await run("playlists add", { playlist: uploads, videos: video });
    const removed = await run("playlists remove", { playlist: uploads, items: video });

    expect(textOf(added)).toContain("/videos upload");
    expect(textOf(removed)).toContain("/videos delete");
    expect(units() - before).toBe(0);
  });
});
