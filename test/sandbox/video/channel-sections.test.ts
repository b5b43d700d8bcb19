import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { items, type Loose, open, refused, type Stage, send } from "./writes.ts";

let server: Stage;
let lists: string[];

async function openServer(): Promise<void> {
  server = await open();
  const own = await send(server, "GET", "/playlists", {
    query: { part: "status", mine: "true", maxResults: "50" },
  });
  lists = items(own)
    .filter(({ status }) => status.privacyStatus === "public")
    .map(({ id }) => id);
}

const part = "snippet,contentDetails";

const insert = (snippet: Loose | undefined, contentDetails?: Loose) =>
  send(server, "POST", "/channelSections", {
    query: { part },
    body: { snippet, contentDetails },
  });

async function list(query: Record<string, string> = { mine: "true" }, token?: "other") {
  return send(server, "GET", "/channelSections", {
    query: { part, ...query },
    ...(token && { token }),
  });
}

const types = async (): Promise<string[]> => items(await list()).map(({ snippet }) => snippet.type);

const update = (body: Loose, named = part) =>
  send(server, "PUT", "/channelSections", { query: { part: named }, body });

describe("sections that change", () => {
  beforeEach(openServer);
  afterEach(() => server.close());

  describe("a section", () => {
    it("loses a playlist that is deleted, and goes when it showed nothing else", async () => {
      const [one = "", two = ""] = lists;
      await insert({ type: "multiplePlaylists", title: "Two" }, { playlists: [one, two] });
      const alone = (await insert({ type: "singlePlaylist" }, { playlists: [one] })).body.id;
      const before = items(await list()).map(({ id }) => id);
      await send(server, "DELETE", "/playlists", { query: { id: one } });
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

  describe("channelSections.update", () => {
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

  describe("channelSections.delete", () => {
    it("takes a section away, once", async () => {
      const [first] = items(await list());
      const remove = () => send(server, "DELETE", "/channelSections", { query: { id: first?.id } });
      const { status } = await remove();

      expect([status, refused(await remove())[1]]).toEqual([204, "channelSectionNotFound"]);
      expect((await types()).length).toBe(3);
    });
  });

  describe("channelSections.list", () => {
    it("is empty for others while the channel shows no browse view", async () => {
      const query = { channelId: server.ownChannelId };
      const before = items(await list(query, "other")).length;
      await send(server, "PUT", "/channels", {
        query: { part: "brandingSettings" },
        body: { id: server.ownChannelId, brandingSettings: { channel: { showBrowseView: false } } },
      });

      expect([before, items(await list(query, "other")).length]).toEqual([4, 0]);
      expect((await types()).length).toBe(4);
    });
  });
});

describe("sections that stay as they are", () => {
  beforeAll(openServer);
  afterAll(() => server.close());

  describe("channelSections.insert", () => {
    const many = { type: "multiplePlaylists", title: "x" };
    const channels = { type: "multipleChannels", title: "x" };
    const live = { type: "liveEvents" };
    const single = { type: "singlePlaylist" };
    const ids = (prefix: string, count: number) =>
      Array.from({ length: count }, (_, index) => `${prefix}${index}`);

    it.each<[string, Loose | undefined, string]>([
      ["no snippet", undefined, "snippetNeeded"],
      ["no type", {}, "typeRequired"],
      ["a type of the service's own", { type: "postedVideos" }, "notEditable"],
      ["a position beyond the end", { ...live, position: 9 }, "inValidPosition"],
      ["a position before the start", { ...live, position: -1 }, "inValidPosition"],
      ["a long title", { ...live, title: "x".repeat(101) }, "titleLengthExceeded"],
      ["no contents", single, "contentDetailsNeeded"],
    ])("refuses %s", async (_, snippet, reason) => {
      expect(refused(await insert(snippet))[1]).toBe(reason);
    });

    it.each<[string, Loose, () => readonly string[], string]>([
      ["no playlist", single, () => [], "playlistsNeeded"],
      ["two playlists in one", single, () => lists.slice(0, 2), "onePlaylistNeeded"],
      ["a playlist twice", many, () => [lists[0] ?? "", lists[0] ?? ""], "playlistsDuplicated"],
      ["51 playlists", many, () => ids("PL", 51), "maxPlaylistExceeded"],
      ["an unknown playlist", single, () => ["PLnothing"], "playlistNotFound"],
      ["no title", { type: many.type }, () => lists.slice(0, 2), "titleRequired"],
      ["playlists where none belong", live, () => lists.slice(0, 1), "playlistsNotExpected"],
    ])("refuses playlists: %s", async (_, snippet, playlists, reason) => {
      expect(refused(await insert(snippet, { playlists: playlists() }))[1]).toBe(reason);
    });

    it.each<[string, Loose, () => readonly string[], string]>([
      ["where none belong", live, () => [server.otherChannelId], "channelsNotExpected"],
      ["none", channels, () => [], "channelsNeeded"],
      ["one twice", channels, () => Array(2).fill(server.otherChannelId), "channelsDuplicated"],
      ["one's own", channels, () => [server.ownChannelId], "ownChannelInChannels"],
      ["an unknown one", channels, () => ["UCnobody"], "channelNotFound"],
      ["101", channels, () => ids("UC", 101), "maxChannelsExceeded"],
    ])("refuses channels: %s", async (_, snippet, named, reason) => {
      expect(refused(await insert(snippet, { channels: named() }))[1]).toBe(reason);
    });

    it("refuses a private playlist", async () => {
      const { body } = await send(server, "POST", "/playlists", {
        query: { part: "snippet,status" },
        body: { snippet: { title: "Hidden" }, status: { privacyStatus: "private" } },
      });
      const answer = await insert({ type: "singlePlaylist" }, { playlists: [body.id] });

      expect(refused(answer)[1]).toBe("playlistIsPrivate");
    });
  });

  describe("channelSections.update", () => {
    it.each([
      ["no id", () => undefined, [400, "idRequired"]],
      ["a bad id", () => "what", [400, "idInvalid"]],
      [
        "an unknown section",
        () => `${server.ownChannelId}.abcdefghijk`,
        [404, "channelSectionNotFound"],
      ],
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

  describe("channelSections.list", () => {
    it("finds by id, and refuses what is no id", async () => {
      const [first] = items(await list());
      const found = await list({ id: first?.id });

      expect(items(found)).toEqual([first]);
      expect(refused(await list({ id: "what" }))[1]).toBe("idInvalid");
      expect(refused(await list({ channelId: "UCnobody" }))[1]).toBe("channelNotFound");
    });
  });
});
