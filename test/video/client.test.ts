import { describe, expect, it } from "vitest";
import { ConnectError, InputError, ServiceError } from "../../src/errors.ts";
import { createVideoClient, type VideoClientOptions } from "../../src/video/index.ts";
import {
  type Answering,
  answering,
  cut,
  failureOf,
  fakeTime,
  openHttp,
  serve as serveWith,
  type TestServer,
} from "../http/server.ts";

const serve = (answer: Answering = answering(200, { items: [] })) => serveWith(answer);

function client(server: TestServer, options: Partial<VideoClientOptions> = { key: "the-key" }) {
  const http = openHttp(fakeTime());
  return createVideoClient({ baseUrl: `${server.url}/youtube/v3`, http, ...options });
}

describe("call", () => {
  it("asks the row's path below the base address with the key in the query", async () => {
    const server = await serve();

    await client(server).call("search.list", { part: ["snippet"], q: "cats & dogs" });

    const [received] = server.received;
    expect(received?.method).toBe("GET");
    expect(received?.url.pathname).toBe("/youtube/v3/search");
    expect(Object.fromEntries(received?.url.searchParams ?? [])).toEqual({
      part: "snippet",
      q: "cats & dogs",
      key: "the-key",
    });
    expect(received?.headers.authorization).toBeUndefined();
  });

  it("takes a base address with a slash at its end", async () => {
    const server = await serve();

    await client(server, { baseUrl: `${server.url}/v3/`, key: "k" }).call("i18nRegions.list", {
      part: ["snippet"],
    });

    expect(server.received[0]?.url.pathname).toBe("/v3/i18nRegions");
  });

  it("sorts parts, drops repeats, joins lists and writes times in RFC 3339", async () => {
    const server = await serve();

    await client(server).call("videos.list", {
      part: ["statistics", "snippet", "statistics"],
      id: ["b", "a"],
    });
    await client(server).call("search.list", {
      part: ["snippet"],
      type: ["video", "playlist"],
      publishedAfter: new Date(Date.UTC(2026, 0, 2)),
      publishedBefore: "2026-02-01T00:00:00+01:00",
      maxResults: 0,
      pageToken: undefined,
    });

    const [first, second] = server.received.map(({ url }) => Object.fromEntries(url.searchParams));
    expect(first).toMatchObject({ part: "snippet,statistics", id: "b,a" });
    expect(second).toMatchObject({
      type: "video,playlist",
      publishedAfter: "2026-01-02T00:00:00.000Z",
      publishedBefore: "2026-02-01T00:00:00+01:00",
      maxResults: "0",
    });
    expect(second).not.toHaveProperty("pageToken");
  });

  it("answers with the service's JSON, unknown fields and all", async () => {
    const item = {
      id: "v",
      brandNew: { field: 1 },
      statistics: { viewCount: "18446744073709551615" },
    };
    const server = await serve(answering(200, { items: [item], tomorrow: true }));

    const page = await client(server).call("videos.list", { part: ["statistics"], id: ["v"] });

    expect(page).toEqual({ items: [item], tomorrow: true });
  });

  it("gives an empty list when an answer has no items", async () => {
    const server = await serve(answering(200, { kind: "youtube#channelListResponse" }));

    const page = await client(server).call("channels.list", { part: ["id"], forHandle: "@nobody" });

    expect(page.items).toEqual([]);
  });

  it.each([answering(204), answering(200, "")])(
    "takes a list without a body for an empty one",
    async (answer) => {
      const server = await serve(answer);

      const page = await client(server).call("videos.list", { part: ["id"], chart: "mostPopular" });

      expect(page).toEqual({ items: [] });
    },
  );

  it.each([answering(204), answering(200, ""), answering(200, { kind: "anything" })])(
    "resolves to undefined where a method answers nothing, whatever comes",
    async (answer) => {
      const server = await serve(answer);

      const result = await client(server, { token: "t" }).call("playlists.delete", { id: "PL1" });

      expect(result).toBeUndefined();
    },
  );

  it.each([answering(204), answering(200, "")])(
    "gives a resource without fields when an answer has no body",
    async (answer) => {
      const server = await serve(answer);

      const made = await client(server, { token: "t" }).call("watermarks.unset", {
        channelId: "UC1",
      });
      const playlist = await client(server, { token: "t" }).call("playlists.insert", {
        part: ["snippet"],
        body: { snippet: { title: "A title" } },
      });

      expect([made, playlist]).toEqual([undefined, {}]);
    },
  );

  it.each([
    ["<html>", "web_page_answer"],
    ["7", "unreadable_answer"],
    ['"text"', "unreadable_answer"],
    ['{"items": [', "unreadable_answer"],
  ])("refuses a success that reads %s", async (body, code) => {
    const server = await serve(answering(200, body));

    const error = await failureOf(
      client(server).call("videos.list", { part: ["id"], chart: "mostPopular" }),
      ServiceError,
    );

    expect(error.code).toBe(code);
  });

  it("repeats a read after 5xx and cuts", async () => {
    const server = await serve((received, response, count) => {
      if (count === 1) return answering(503, "<h1>busy</h1>")(received, response, count);
      if (count === 2) return cut(received, response, count);
      answering(200, { items: [] })(received, response, count);
    });

    await client(server).call("videos.list", { part: ["id"], chart: "mostPopular" });

    expect(server.received).toHaveLength(3);
  });

  it("passes the signal through", async () => {
    const server = await serve(() => {});
    const reason = new Error("enough");

    const call = client(server).call(
      "videos.list",
      { part: ["id"], chart: "mostPopular" },
      { signal: AbortSignal.timeout(50) },
    );

    await expect(call).rejects.toThrow("timeout");
    const aborted = client(server).call(
      "videos.list",
      { part: ["id"], chart: "mostPopular" },
      { signal: AbortSignal.abort(reason) },
    );
    await expect(aborted).rejects.toBe(reason);
    expect(server.received).toHaveLength(1);
  });

  it.each([
    ["twice", { mine: true, id: ["a"] }],
    ["not at all", {}],
    ["as an empty list", { id: [] }],
    ["as false", { mine: false }],
  ])("sends nothing when a filter is given %s", async (_how, filters) => {
    const server = await serve();

    const error = await failureOf(
      client(server).call("playlists.list", { part: ["id"], ...filters }),
      InputError,
    );

    expect(error.code).toBe("conflicting_parameters");
    expect(server.received).toEqual([]);
  });

  it("leaves out a filter that is false", async () => {
    const server = await serve();

    await client(server).call("playlists.list", { part: ["id"], mine: false, channelId: "UC1" });

    expect(server.received[0]?.url.searchParams.has("mine")).toBe(false);
  });
});

describe("lists of ids", () => {
  const ids = Array.from({ length: 120 }, (_, index) => `id${index}`);

  /** Returns an item for each id, in pages of `size`. */
  function catalogue(size: number): Answering {
    return ({ url }, response) => {
      const asked = url.searchParams.get("id")?.split(",") ?? [];
      const from = Number(url.searchParams.get("pageToken") ?? 0);
      const items = asked.slice(from, from + size).map((id) => ({ id }));
      const next = from + size < asked.length ? { nextPageToken: String(from + size) } : {};
      const pageInfo = { totalResults: asked.length, resultsPerPage: size };
      response.end(JSON.stringify({ kind: "list", etag: "e", items, pageInfo, ...next }));
    };
  }

  it("are split into what one call takes and merged in order", async () => {
    const server = await serve(catalogue(50));

    const page = await client(server).call("videos.list", { part: ["id"], id: ids });

    expect(page.items.map(({ id }) => id)).toEqual(ids);
    expect(page.pageInfo).toEqual({ totalResults: 120, resultsPerPage: 120 });
    expect(page.kind).toBe("list");
    expect(server.received.map(({ url }) => url.searchParams.get("id")?.split(",").length)).toEqual(
      [50, 50, 20],
    );
  });

  it("are fetched whole when the service answers them in short pages", async () => {
    const server = await serve(catalogue(5));

    const page = await client(server).call("playlists.list", {
      part: ["id"],
      id: ids.slice(0, 12),
    });

    expect(page.items.map(({ id }) => id)).toEqual(ids.slice(0, 12));
    expect(page.nextPageToken).toBeUndefined();
    // Each page costs a unit, so the largest page size must be requested.
    const sizes = server.received.map(({ url }) => url.searchParams.get("maxResults"));
    expect(sizes).toEqual(["50", "50", "50"]);
  });

  it("keep to one page when the caller asked for one", async () => {
    const server = await serve(catalogue(5));

    const page = await client(server).call("playlists.list", {
      part: ["id"],
      id: ids.slice(0, 12),
      maxResults: 5,
    });

    expect(page.items).toHaveLength(5);
    expect(page.nextPageToken).toBe("5");
  });

  it("go on from a page token one page at a time", async () => {
    const server = await serve(catalogue(5));

    const page = await client(server).call("playlists.list", {
      part: ["id"],
      id: ids.slice(0, 12),
      pageToken: "5",
    });

    expect(page.nextPageToken).toBe("10");
    expect(server.received).toHaveLength(1);
  });

  it("keep the page token in what is trimmed, where they have pages", async () => {
    const server = await serve();
    const video = client(server, { token: "t" });

    await video.call("playlists.list", { part: ["id"], id: ["a"], fields: "items/id" });
    await video.call("channelSections.list", { part: ["id"], id: ["a"], fields: "items/id" });
    await video.call("videos.list", { part: ["id"], id: ["a"], fields: "items/id" });

    expect(server.received.map(({ url }) => url.searchParams.get("fields"))).toEqual([
      "items/id,nextPageToken",
      "items/id",
      "items/id",
    ]);
  });

  it("end when a page token repeats", async () => {
    const server = await serve(answering(200, { items: [], nextPageToken: "again" }));

    await client(server).call("playlists.list", { part: ["id"], id: ["a"] });

    expect(server.received).toHaveLength(2);
  });
});

describe("credentials", () => {
  it("sends a token in the header and nothing of it in the address", async () => {
    const server = await serve();

    await client(server, { token: async () => "the-token" }).call("playlists.list", {
      part: ["id"],
      mine: true,
    });

    expect(server.received[0]?.headers.authorization).toBe("Bearer the-token");
    expect(server.received[0]?.url.href).not.toContain("the-token");
  });

  it("sends a token in the query where an option says so", async () => {
    const server = await serve();

    await client(server, { token: "the-token", tokenIn: "query" }).call("playlists.list", {
      part: ["id"],
      mine: true,
    });

    expect(server.received[0]?.url.searchParams.get("access_token")).toBe("the-token");
    expect(server.received[0]?.headers.authorization).toBeUndefined();
  });

  it("never sends a key and a token together", async () => {
    const server = await serve();

    await client(server, { key: "k", token: "t" }).call("i18nRegions.list", { part: ["snippet"] });

    expect(server.received[0]?.headers.authorization).toBe("Bearer t");
    expect(server.received[0]?.url.searchParams.has("key")).toBe(false);
  });

  it("asks for a token before each call", async () => {
    const server = await serve();
    const tokens = ["first", "second"];
    const video = client(server, { token: () => tokens.shift() ?? "" });

    await video.call("i18nRegions.list", { part: ["snippet"] });
    await video.call("i18nRegions.list", { part: ["snippet"] });

    expect(server.received.map(({ headers }) => headers.authorization)).toEqual([
      "Bearer first",
      "Bearer second",
    ]);
  });

  it("refuses to be without any", () => {
    expect(() => createVideoClient({ baseUrl: "http://127.0.0.1:1/v3" })).toThrow(ConnectError);
    expect(() => createVideoClient({ baseUrl: "http://127.0.0.1:1/v3", key: "" })).toThrow(
      expect.objectContaining({ code: "not_connected" }),
    );
  });

  it("refuses what is no token at all", async () => {
    const server = await serve();
    const nothing = async () => undefined as unknown as string;

    const error = await failureOf(
      client(server, { token: nothing }).call("i18nRegions.list", { part: ["snippet"] }),
      ConnectError,
    );

    expect(error.code).toBe("auth");
    expect(server.received).toEqual([]);
  });

  it("refuses a token that no header can carry, without showing it", async () => {
    const server = await serve();

    const error = await failureOf(
      client(server, { token: "canary\r\nx: y" }).call("i18nRegions.list", { part: ["snippet"] }),
      ConnectError,
    );

    expect(error.code).toBe("auth");
    expect(JSON.stringify([error, error.message])).not.toContain("canary");
    expect(server.received).toEqual([]);
  });
});
