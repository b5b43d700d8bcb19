import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { items, type Loose, open, refused, type Stage, send, uploadVideo } from "./writes.ts";

let server: Stage;
let otherList: string;

beforeAll(async () => {
  server = await open();
  const lists = await server.get("/playlists", { part: "id", channelId: server.otherChannelId });
  otherList = items(lists)[0]?.id;
});

beforeEach(() => server.quota.refill());

afterAll(() => server.close());

const parts = "snippet,status,localizations";

const full = {
  snippet: { title: "Full", description: "Everything set", defaultLanguage: "en" },
  status: { privacyStatus: "private" },
  localizations: { de: { title: "Voll", description: "Alles" } },
};

const insert = (body: Loose, part = parts) => server.post("/playlists", body, { part });

const update = (body: Loose, part: string) => server.put("/playlists", body, { part });

async function read(id: string, token: "owner" | "other" | undefined): Promise<Loose | undefined> {
  return items(await send(server, "GET", "/playlists", { query: { part: parts, id }, token }))[0];
}

async function mine(): Promise<string[]> {
  const query = { part: "id", mine: "true", maxResults: "50" };
  return items(await server.get("/playlists", query)).map(({ id }) => id);
}

describe("playlists.insert", () => {
  it("makes a list that is its owner's, and nobody else's while it is private", async () => {
    const { body } = await insert(full);

    expect(await read(body.id, "owner")).toMatchObject(full);
    expect(await mine()).toContain(body.id);
    expect([await read(body.id, "other"), await read(body.id, undefined)]).toEqual([
      undefined,
      undefined,
    ]);
  });

  it("makes a public one where nothing is said of privacy", async () => {
    const { body } = await insert({ snippet: { title: "Open" }, status: {} });

    expect((await read(body.id, undefined))?.status.privacyStatus).toBe("public");
  });

  it.each([
    ["no title", { snippet: {} }, "playlistTitleRequired"],
    ["an empty title", { snippet: { title: "" } }, "playlistTitleRequired"],
    ["151 characters of title", { snippet: { title: "x".repeat(151) } }, "invalidPlaylistSnippet"],
    [
      "5,001 characters of description",
      { snippet: { title: "x", description: "y".repeat(5001) } },
      "invalidPlaylistSnippet",
    ],
    [
      "translations of a list in no language",
      { snippet: { title: "x" }, localizations: full.localizations },
      "defaultLanguageNotSetError",
    ],
    [
      "a translation without a title",
      { ...full, localizations: { de: { description: "x" } } },
      "localizationValidationError",
    ],
  ])("refuses %s", async (_, body, reason) => {
    expect(refused(await insert(body)).slice(0, 2)).toEqual([400, reason]);
  });
});

describe("playlists.update", () => {
  it("erases what the body leaves out of a named part, and nothing else", async () => {
    const { body } = await insert(full);
    const { body: after } = await update({ id: body.id, snippet: { title: "Bare" } }, "snippet");
    const bare = await read(body.id, "owner");

    expect(after.snippet).toMatchObject({ title: "Bare", description: "" });
    expect(bare?.snippet.defaultLanguage).toBeUndefined();
    expect(bare?.status.privacyStatus).toBe("private");
  });

  it("opens a private list when the status is written without its privacy", async () => {
    const { body } = await insert(full);
    await update({ id: body.id, status: {} }, "status");

    expect((await read(body.id, undefined))?.status.privacyStatus).toBe("public");
  });

  it("sets the podcast status", async () => {
    const { body } = await insert(full);
    const status = { privacyStatus: "public", podcastStatus: "enabled" };
    await update({ id: body.id, status }, "status");

    expect((await read(body.id, "owner"))?.status).toEqual(status);
  });

  it.each([
    ["an unknown list", () => "PLnothing", [404, "playlistNotFound"]],
    ["a list of somebody else", () => otherList, [403, "playlistForbidden"]],
    [
      "the list of uploads",
      () => `UU${server.ownChannelId.slice(2)}`,
      [400, "playlistOperationUnsupported"],
    ],
  ])("refuses %s", async (_, id, expected) => {
    const answer = await update({ id: id(), snippet: { title: "Mine" } }, "snippet");

    expect(refused(answer).slice(0, 2)).toEqual(expected);
  });
});

describe("playlists.delete", () => {
  it("takes the list and its items away", async () => {
    const { body } = await insert(full);
    const { id: videoId } = await uploadVideo(server);
    const resourceId = { kind: "youtube#video", videoId };
    const added = await server.post("/playlistItems?part=snippet", {
      snippet: { playlistId: body.id, resourceId },
    });
    const { status } = await server.delete("/playlists", { id: body.id });
    const byList = await server.get("/playlistItems", { part: "id", playlistId: body.id });
    const byId = await server.get("/playlistItems", { part: "id", id: added.body.id });

    expect([status, await mine()]).toEqual([204, expect.not.arrayContaining([body.id])]);
    expect(refused(byList)[1]).toBe("playlistNotFound");
    expect(items(byId)).toEqual([]);
  });

  it("is refused for lists of somebody else", async () => {
    const answer = await server.delete("/playlists", { id: otherList });

    expect(refused(answer)).toEqual([403, "playlistForbidden"]);
  });
});
