import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { items, type Loose, open, refused, type Stage, send } from "./writes.ts";

let server: Stage;
let lists: string[];

async function openStage(): Promise<void> {
  server = await open();
  const own = await server.get("/playlists", { part: "status", mine: "true", maxResults: "50" });
  lists = items(own)
    .filter(({ status }) => status.privacyStatus === "public")
    .map(({ id }) => id);
}

const part = "snippet,contentDetails";

const insert = (snippet: Loose | undefined, contentDetails?: Loose) =>
  server.post("/channelSections", { snippet, contentDetails }, { part });

async function list(query: Record<string, string> = { mine: "true" }, token?: "other") {
  return send(server, "GET", "/channelSections", {
    query: { part, ...query },
    ...(token && { token }),
  });
}

const types = async (): Promise<string[]> => items(await list()).map(({ snippet }) => snippet.type);

const update = (body: Loose, named = part) => server.put("/channelSections", body, { part: named });

const stageForEach = () => {
  beforeEach(openStage);
  afterEach(() => server.close());
};

/** For tests that leave the sections as they are. */
const stageForAll = () => {
  beforeAll(openStage);
  afterAll(() => server.close());
};

describe("a section", () => {
  stageForEach();

  it("loses a playlist that is deleted, and goes when it showed nothing else", async () => {
    const [one = "", two = ""] = lists;
    await insert({ type: "multiplePlaylists", title: "Two" }, { playlists: [one, two] });
    const alone = (await insert({ type: "singlePlaylist" }, { playlists: [one] })).body.id;
    const before = items(await list()).map(({ id }) => id);
    await server.delete("/playlists", { id: one });
    const after = items(await list());

    expect(before).toContain(alone);
    expect(after.map(({ id }) => id)).not.toContain(alone);
    expect(JSON.stringify(after)).not.toContain(one);
    expect(after.find(({ snippet }) => snippet.title === "Two")?.contentDetails).toEqual({
      playlists: [two],
    });
  });
});

describe("channelSections.insert", () => {
  stageForEach();

  it("puts a section at its position and the others after it", async () => {
    const before = await types();
    const { body } = await insert({ type: "upcomingEvents", position: 1 });

    expect(body.snippet).toMatchObject({ type: "upcomingEvents", position: 1 });
    expect(await types()).toEqual([before[0], "upcomingEvents", ...before.slice(1)]);
  });

  it("keeps what a section shows", async () => {
    const contentDetails = { playlists: lists.slice(0, 2) };
    const { body } = await insert({ type: "multiplePlaylists", title: "Two" }, contentDetails);

    expect(body).toMatchObject({ snippet: { title: "Two" }, contentDetails });
  });

  it("stops at ten", async () => {
    const answers = [];
    for (let i = 0; i < 7; i++) answers.push(await insert({ type: "liveEvents" }));

    expect((await types()).length).toBe(10);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200, 400]);
    expect(refused(answers[6] as never)[1]).toBe("maxChannelSectionExceeded");
  });
});

describe("refusals of channelSections.insert", () => {
  stageForAll();

  const single = { type: "singlePlaylist" };
  const multiple = { type: "multiplePlaylists", title: "x" };
  const channels = { type: "multipleChannels", title: "x" };
  const live = { type: "liveEvents" };
  const ids = (prefix: string, length: number) =>
    Array.from({ length }, (_, index) => `${prefix}${index}`);
  const twice = (id = "") => [id, id];

  it.each<[string, string, Loose | undefined, (() => Loose)?]>([
    ["no snippet", "snippetNeeded", undefined],
    ["no type", "typeRequired", {}],
    ["a type of the service's own", "notEditable", { type: "postedVideos" }],
    ["a position beyond the end", "inValidPosition", { ...live, position: 9 }],
    ["a position before the start", "inValidPosition", { ...live, position: -1 }],
    ["a long title", "titleLengthExceeded", { ...live, title: "x".repeat(101) }],
    ["no contents", "contentDetailsNeeded", single],
    ["no playlist", "playlistsNeeded", single, () => ({ playlists: [] })],
    ["two playlists in one", "onePlaylistNeeded", single, () => ({ playlists: lists.slice(0, 2) })],
    ["a playlist twice", "playlistsDuplicated", multiple, () => ({ playlists: twice(lists[0]) })],
    ["51 playlists", "maxPlaylistExceeded", multiple, () => ({ playlists: ids("PL", 51) })],
    ["an unknown playlist", "playlistNotFound", single, () => ({ playlists: ["PLnothing"] })],
    [
      "several playlists without a title",
      "titleRequired",
      { type: "multiplePlaylists" },
      () => ({ playlists: lists.slice(0, 2) }),
    ],
    [
      "playlists where none belong",
      "playlistsNotExpected",
      live,
      () => ({ playlists: lists.slice(0, 1) }),
    ],
    [
      "channels where none belong",
      "channelsNotExpected",
      live,
      () => ({ channels: [server.otherChannelId] }),
    ],
    ["no channels", "channelsNeeded", channels, () => ({ channels: [] })],
    [
      "a channel twice",
      "channelsDuplicated",
      channels,
      () => ({ channels: twice(server.otherChannelId) }),
    ],
    [
      "one's own channel",
      "ownChannelInChannels",
      channels,
      () => ({ channels: [server.ownChannelId] }),
    ],
    ["an unknown channel", "channelNotFound", channels, () => ({ channels: ["UCnobody"] })],
    ["101 channels", "maxChannelsExceeded", channels, () => ({ channels: ids("UC", 101) })],
  ])("refuses %s", async (_, reason, snippet, contentDetails) => {
    expect(refused(await insert(snippet, contentDetails?.()))[1]).toBe(reason);
  });

  it("refuses a private playlist", async () => {
    const { body } = await server.post("/playlists?part=snippet,status", {
      snippet: { title: "Hidden" },
      status: { privacyStatus: "private" },
    });
    const answer = await insert({ type: "singlePlaylist" }, { playlists: [body.id] });

    expect(refused(answer)[1]).toBe("playlistIsPrivate");
  });
});

describe("channelSections.update", () => {
  stageForEach();

  it("moves a section and erases what is left out", async () => {
    const series = items(await list()).at(-1) as Loose;
    const contentDetails = { playlists: lists.slice(0, 1) };
    const snippet = { type: "singlePlaylist", position: 0 };
    const { body } = await update({ id: series.id, snippet, contentDetails });

    expect(series.snippet.title).toBe("Series");
    expect(body).toMatchObject({ snippet, contentDetails });
    expect(body.snippet.title).toBeUndefined();
    expect((await types())[0]).toBe("singlePlaylist");
  });

  it("leaves the contents alone when only the snippet is named", async () => {
    const series = items(await list()).at(-1) as Loose;
    const snippet = { type: "multiplePlaylists", title: "Renamed" };
    await update({ id: series.id, snippet }, "snippet");
    const after = items(await list()).at(-1);

    expect(after?.snippet.title).toBe("Renamed");
    expect(after?.contentDetails).toEqual(series.contentDetails);
  });
});

describe("refusals of channelSections.update", () => {
  stageForAll();

  const unknown = () => `${server.ownChannelId}.abcdefghijk`;

  it.each([
    ["no id", () => undefined, [400, "idRequired"]],
    ["a bad id", () => "what", [400, "idInvalid"]],
    ["an unknown section", unknown, [404, "channelSectionNotFound"]],
  ])("refuses %s", async (_, id, expected) => {
    const answer = await update({ id: id(), snippet: { type: "liveEvents" } });

    expect(refused(answer).slice(0, 2)).toEqual(expected);
  });

  it("refuses a section of somebody else", async () => {
    const other = items(await list({ channelId: server.otherChannelId }))[0];
    const answer = await update({ id: other?.id, snippet: { type: "liveEvents" } });

    expect(refused(answer)).toEqual([403, "channelSectionForbidden"]);
  });
});

describe("channelSections.delete", () => {
  stageForEach();

  it("takes a section away, once", async () => {
    const [first] = items(await list());
    const remove = () => server.delete("/channelSections", { id: first?.id });
    const { status } = await remove();

    expect([status, refused(await remove())[1]]).toEqual([204, "channelSectionNotFound"]);
    expect((await types()).length).toBe(3);
  });
});

describe("channelSections.list", () => {
  stageForEach();

  it("is empty for others while the channel shows no browse view", async () => {
    const query = { channelId: server.ownChannelId };
    const before = items(await list(query, "other")).length;
    await server.put("/channels?part=brandingSettings", {
      id: server.ownChannelId,
      brandingSettings: { channel: { showBrowseView: false } },
    });

    expect([before, items(await list(query, "other")).length]).toEqual([4, 0]);
    expect((await types()).length).toBe(4);
  });

  it("finds by id, and refuses what is no id", async () => {
    const [first] = items(await list());
    const found = await list({ id: first?.id });

    expect(items(found)).toEqual([first]);
    expect(refused(await list({ id: "what" }))[1]).toBe("idInvalid");
    expect(refused(await list({ channelId: "UCnobody" }))[1]).toBe("channelNotFound");
  });
});
