import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { items, type Loose, open, type Stage, uploadVideo } from "./writes.ts";

let server: Stage;
let popular: string[];

beforeAll(async () => {
  server = await open();
  const chart = { part: "id", chart: "mostPopular", maxResults: "12" };
  popular = items(await server.get("/videos", chart)).map(({ id }) => id);
});

beforeEach(() => server.quota.refill());

afterAll(() => server.close());

type Query = Readonly<Record<string, string>>;

/** Every item of a list, page by page; `change` happens after the first page. */
async function walk(path: string, query: Query, change?: () => Promise<unknown>): Promise<Loose[]> {
  const all: Loose[] = [];
  for (let token: string | undefined; ; ) {
    const page = { ...query, ...(token !== undefined && { pageToken: token }) };
    const answer = await server.get(path, page);
    expect(answer.status).toBe(200);
    all.push(...items(answer));
    if (token === undefined) await change?.();
    token = answer.body.nextPageToken;
    if (token === undefined) return all;
  }
}

const add = (playlistId: string, videoId: string | undefined, position?: number) =>
  server.post("/playlistItems?part=snippet", {
    snippet: {
      playlistId,
      resourceId: { kind: "youtube#video", videoId },
      ...(position !== undefined && { position }),
    },
  });

const drop = (path: string, id: string) => server.delete(path, { id });

const makeList = async (title: string): Promise<string> => {
  const body = { snippet: { title } };
  return (await server.post("/playlists?part=snippet", body)).body.id;
};

async function filledList(): Promise<{ playlistId: string; added: string[] }> {
  const playlistId = await makeList("Walked");
  const added: string[] = [];
  for (const id of popular.slice(0, 9)) added.push((await add(playlistId, id)).body.id);
  return { playlistId, added };
}

const idsOf = (found: readonly Loose[]): string[] => found.map(({ id }) => id);

describe("a list that changes while it is walked", () => {
  it.each([
    [
      "the first page is taken out",
      (first: string[]) => first.map((id) => () => drop("/playlistItems", id)),
    ],
    [
      "the item at its edge is taken out",
      ([, , edge = ""]: string[]) => [() => drop("/playlistItems", edge)],
    ],
  ])("shows each item of a playlist once although %s", async (_, changes) => {
    const { playlistId, added } = await filledList();
    const query = { part: "id", playlistId, maxResults: "3" };
    const found = await walk("/playlistItems", query, async () => {
      for (const change of changes(added.slice(0, 3))) await change();
    });

    expect(idsOf(found)).toEqual(added);
  });

  it("shows each item once although others come in front, and one at the edge moves away", async () => {
    const { playlistId, added } = await filledList();
    const query = { part: "id", playlistId, maxResults: "3" };
    const found = await walk("/playlistItems", query, async () => {
      await add(playlistId, popular[10], 0);
      const resourceId = { kind: "youtube#video", videoId: popular[2] };
      const body = { id: added[2], snippet: { playlistId, resourceId, position: 0 } };
      await server.put("/playlistItems?part=snippet", body);
    });

    expect(idsOf(found)).toEqual(added);
  });

  it("goes back to the same page although something came in front of it", async () => {
    const { playlistId, added } = await filledList();
    const query = { part: "id", playlistId, maxResults: "3" };
    const read = (pageToken?: string) =>
      server.get("/playlistItems", { ...query, ...(pageToken && { pageToken }) });
    const second = await read((await read()).body.nextPageToken);
    await add(playlistId, popular[11], 0);

    expect(idsOf(items(await read(second.body.prevPageToken)))).toEqual(added.slice(0, 3));
  });

  it("shows each playlist once although one is made and another deleted", async () => {
    const query = { part: "id", mine: "true", maxResults: "2" };
    const before = idsOf(await walk("/playlists", query));
    const found = await walk("/playlists", query, async () => {
      await makeList("Meanwhile");
      await drop("/playlists", before[1] ?? "");
    });

    expect(idsOf(found).slice(0, before.length)).toEqual(before);
  });

  it("shows each liked video once although they lose their likes", async () => {
    const query = { part: "id", myRating: "like", maxResults: "3" };
    const before = idsOf(await walk("/videos", query));
    const found = await walk("/videos", query, async () => {
      for (const id of before.slice(0, 3)) {
        await server.post(`/videos/rate?rating=none&id=${id}`);
      }
    });

    expect(idsOf(found)).toEqual(before);
  });

  it("shows each found video once although a newer one comes", async () => {
    const query = { part: "snippet", type: "video", order: "date", maxResults: "50" };
    const before = (await walk("/search", query)).map(({ id }) => id.videoId);
    const found = await walk("/search", query, () => uploadVideo(server));

    expect(found.map(({ id }) => id.videoId)).toEqual(before);
  });
});
