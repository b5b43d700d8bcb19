import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { items, open, refused, type Stage, send } from "./writes.ts";

let server: Stage;

beforeAll(async () => {
  server = await open();
});

afterAll(() => server.close());

const list = { snippet: { title: "A list" } };
const part = "snippet,status";

describe("a body", () => {
  it.each([
    ["that is not JSON", '{"snippet":', [400, "parseError"]],
    ["that is not an object", "[1]", [400, "parseError"]],
    ["that is not UTF-8", Buffer.from([0x7b, 0xff, 0x7d]), [400, "parseError"]],
    ["without the required field", "{}", [400, "playlistTitleRequired", "body.snippet.title"]],
    ["of another type", '{"snippet":{"title":7}}', [400, "badRequest", "body.snippet.title"]],
    [
      "with a value that is not offered",
      '{"snippet":{"title":"x"},"status":{"privacyStatus":"secret"}}',
      [400, "badRequest", "body.status.privacyStatus"],
    ],
    ["that is far too large", `{"x":"${"y".repeat(1_100_000)}"}`, [413, "uploadTooLarge"]],
  ])("%s is refused", async (_, body, expected) => {
    const headers = { "Content-Type": "application/json" };
    const answer = await send(server, "POST", "/playlists", { query: { part }, body, headers });

    expect(refused(answer)).toEqual(expected);
  });

  it.each([
    ["text/plain", "badContent"],
    ["application/x-www-form-urlencoded", "badContent"],
    ["image/png", "wrongUrlForUpload"],
  ])("of type %s is refused", async (type, reason) => {
    const answer = await send(server, "POST", "/playlists", {
      query: { part },
      body: JSON.stringify(list),
      headers: { "Content-Type": type },
    });

    expect(refused(answer)).toEqual([400, reason]);
  });

  it("may hold more than the method takes", async () => {
    const body = {
      ...list,
      kind: "youtube#playlist",
      etag: "x",
      snippet: { title: "y", spare: 1 },
    };
    const { status } = await server.post("/playlists", body, { part });

    expect(status).toBe(200);
  });

  it("is stored and answered as far as part names it", async () => {
    const { body } = await server.post("/playlists?part=snippet", {
      ...list,
      status: { privacyStatus: "private" },
    });
    const read = await server.get("/playlists", { part: "status", id: body.id });

    expect(body.status).toBeUndefined();
    expect(items(read)[0]?.status.privacyStatus).toBe("public");
  });
});

describe("an answer", () => {
  it("is empty when there is nothing to say", async () => {
    const { body } = await server.post("/playlists", list, { part });
    const gone = await server.delete("/playlists", { id: body.id });

    expect([gone.status, gone.bytes.length]).toEqual([204, 0]);
  });

  it("is trimmed to what fields names, in writes too", async () => {
    const { body } = await server.post("/playlists", list, { part, fields: "snippet/title" });

    expect(body).toEqual({ snippet: { title: "A list" } });
  });

  it("comes before anything is done where fields is no selection", async () => {
    const query = { part: "id", mine: "true", maxResults: "50" };
    const before = await server.get("/playlists", query);
    const { status } = await server.post("/playlists", list, { part, fields: "snippet(title" });
    const after = await server.get("/playlists", query);

    expect([status, items(after).length]).toEqual([400, items(before).length]);
  });
});

describe("a condition", () => {
  it("lets a write through only while the resource is what it was", async () => {
    const query = { part: "snippet" };
    const { body } = await server.post("/playlists", list, query);
    const write = (title: string, etag: string) =>
      send(server, "PUT", "/playlists", {
        query,
        body: { id: body.id, snippet: { title } },
        headers: { "If-Match": `"${etag}"` },
      });
    const first = await write("Second", body.etag);
    const second = await write("Third", body.etag);
    const any = await write("Fourth", "*");

    expect([first.status, first.body.snippet.title]).toEqual([200, "Second"]);
    expect(refused(second)).toEqual([412, "conditionNotMet", "If-Match"]);
    expect(any.status).toBe(200);
  });

  it("takes an etag with or without quotes, in a list", async () => {
    const query = { part: "snippet", id: "10" };
    const { body } = await server.get("/videoCategories", query);
    const headers = { "If-None-Match": `"other", W/"${body.etag}"` };
    const again = await send(server, "GET", "/videoCategories", { query, headers });

    expect([again.status, again.bytes.length]).toEqual([304, 0]);
  });
});
