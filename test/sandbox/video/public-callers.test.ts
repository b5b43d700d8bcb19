import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createHttp } from "../../../src/http/index.ts";
import { startVideo, type VideoServer } from "../../../src/sandbox/video/index.ts";
import { createVideoClient } from "../../../src/video/index.ts";

// Requests as other people's programs send them: Google's clients for Python, Node and Go, upload tools, axios and
// fetch. YouTube answers each of them.

const token = "public-token";
let server: VideoServer;
let origin: string;
let own: readonly string[];

beforeAll(async () => {
  server = await startVideo({
    identify: (given) =>
      given === token
        ? {
            channelId: server.ownChannelId,
            scopes: ["openid", "email", "youtube", "youtube.upload", "youtube.force-ssl"],
          }
        : undefined,
  });
  ({ origin } = new URL(server.url));
  const query = new URLSearchParams({ part: "id", type: "video", channelId: server.ownChannelId });
  const { body } = await send(`/youtube/v3/search?${query}&maxResults=3&key=${server.key}`);
  own = (body as unknown as Found).items.map(({ id }) => id.videoId);
});
afterAll(() => server.close());

interface Found {
  readonly items: readonly { readonly id: { readonly videoId: string } }[];
}

async function send(path: string, init: RequestInit = {}) {
  const response = await fetch(path.startsWith("http") ? path : origin + path, init);
  const text = await response.text();
  const body = text === "" ? undefined : (JSON.parse(text) as Record<string, unknown>);
  return { status: response.status, headers: response.headers, body };
}

const withKey = (query: string) => `${query}&key=${server.key}`;
const bearer = { Authorization: `Bearer ${token}` };
const json = { ...bearer, "Content-Type": "application/json; charset=UTF-8" };

const write = (path: string, content: object, method = "POST") =>
  send(path, { method, headers: json, body: JSON.stringify(content) });

/** `multipart/related` with the metadata first, as the clients build it. */
function related(metadata: object, type: string, media = "bytes of a video"): RequestInit {
  const boundary = "===============7330845974216740156==";
  const part = (head: string, content: string) => `--${boundary}\r\n${head}\r\n\r\n${content}\r\n`;
  const body =
    part("Content-Type: application/json\r\nMIME-Version: 1.0", JSON.stringify(metadata)) +
    part(`Content-Type: ${type}\r\nContent-Transfer-Encoding: binary`, media);
  return {
    method: "POST",
    headers: { ...bearer, "Content-Type": `multipart/related; boundary="${boundary}"` },
    body: `${body}--${boundary}--`,
  };
}

describe("public callers' searches", () => {
  it.each([
    ["Python's samples", "q=light&part=id%2Csnippet&maxResults=25&alt=json", ["id", "snippet"]],
    ["with a space", "q=light&part=id%2C+snippet&maxResults=10&order=viewCount", ["id", "snippet"]],
    ["the other way round", "part=snippet,id&q=light&maxResults=50&type=video", ["id", "snippet"]],
    ["Node's client", "part=id&part=snippet&q=light&type=video", ["id", "snippet"]],
    ["ids alone", "q=light&type=video&videoEmbeddable=true&part=id", ["id"]],
    ["ids without any filter", "part=id", ["id"]],
    ["an empty page token", "part=snippet&q=light&pageToken=", ["id", "snippet"]],
    ["a live search", "part=snippet&eventType=live&type=video&q=live", ["id", "snippet"]],
  ])("are answered with the parts that they name: %s", async (_, query, parts) => {
    const { status, body } = await send(withKey(`/youtube/v3/search?${query}`));
    const items = (body?.items ?? []) as readonly object[];
    const named = items.map((item) => Object.keys(item).filter((name) => !/kind|etag/.test(name)));

    expect(status).toBe(200);
    expect(new Set(named.map((names) => names.sort().join()))).toEqual(new Set([parts.join()]));
  });

  it("may be signed by an account that was asked for its email address too", async () => {
    const { status } = await send("/youtube/v3/search?part=id&forMine=true&type=video", {
      headers: bearer,
    });

    expect(status).toBe(200);
  });
});

describe("public callers' other reads", () => {
  it.each([
    ["videos with a page size", (id: string) => `videos?part=statistics&maxResults=50&id=${id}`],
    [
      "videos of many parts",
      (id: string) => `videos?part=id,snippet,status,topicDetails&id=${id},`,
    ],
    ["a chart", () => "videos?part=snippet%2CcontentDetails&chart=mostPopular&videoCategoryId=0"],
    ["a channel by its old name", () => "channels?part=snippet,statistics&forUsername=Google"],
    [
      "comments",
      (id: string) => `commentThreads?part=id,snippet,replies&order=relevance&videoId=${id}`,
    ],
    ["categories", () => "videoCategories?part=snippet&regionCode=us&hl=en_US"],
    ["languages", () => "i18nLanguages?part=snippet&hl=es_MX"],
  ])("are answered: %s", async (_, path) => {
    const { status } = await send(withKey(`/youtube/v3/${path(own[0] ?? "")}`));

    expect(status).toBe(200);
  });

  it("all come back for ids, whatever the page size beside them", async () => {
    const path = `/youtube/v3/videos?part=id&maxResults=1&id=${own.join("%2C")}`;
    const { body } = await send(withKey(path));

    expect(body?.items).toHaveLength(own.length);
  });

  it("may be a POST that stands for a GET with a long query", async () => {
    const query = new URLSearchParams({ part: "snippet", id: own.join(), key: server.key });
    const { status, body } = await send("/youtube/v3/videos", {
      method: "POST",
      headers: {
        "x-http-method-override": "GET",
        "Content-Type": "application/x-www-form-urlencoded",
      },
      body: query,
    });

    expect(status).toBe(200);
    expect(body?.items).toHaveLength(own.length);
  });

  it("may have the key in a header", async () => {
    const { status } = await send(`/youtube/v3/videos?part=snippet&id=${own[0]}`, {
      headers: { "X-Goog-Api-Key": server.key },
    });

    expect(status).toBe(200);
  });
});

describe("the bot's own client", () => {
  it("lets its caller choose the parts of a search", async () => {
    const http = createHttp({ now: Date.now, random: Math.random });
    const client = createVideoClient({
      baseUrl: server.url,
      key: server.key,
      http,
      now: Date.now,
    });

    const { items } = await client.call("search.list", { part: ["id"], q: "light" });
    await http.close();

    expect(items.length).toBeGreaterThan(0);
    expect(items.every(({ id, snippet }) => id !== undefined && snippet === undefined)).toBe(true);
  });
});

describe("public callers' uploads", () => {
  const path = "/upload/youtube/v3/videos?uploadType=multipart";
  const text = { title: "An upload", description: "As others send it" };
  const status = { privacyStatus: "private", selfDeclaredMadeForKids: false };

  it.each([
    ["Node's client", "&part=snippet&part=status", { snippet: text, status }, "video/mp4"],
    [
      "a stream without a type",
      "&part=snippet,status",
      { snippet: text, status },
      "application/octet-stream",
    ],
    [
      "a tool that sends null for none",
      "&part=snippet,status,recordingDetails&alt=json",
      {
        snippet: { ...text, categoryId: null, tags: [""] },
        status: { privacyStatus: "public", publishAt: null },
        recordingDetails: { location: null },
      },
      "video/x-flv",
    ],
    [
      "a tool with more parts than it fills",
      "&part=snippet&part=status&part=localizations&part=recordingDetails&notifySubscribers=false&prettyPrint=false",
      { snippet: { title: "An upload" }, status, recordingDetails: {} },
      "video/mp4",
    ],
    [
      "parts that nobody writes",
      "&part=snippet,contentDetails,status",
      { snippet: text, status },
      "video/*",
    ],
  ])("need no category: %s", async (_, query, metadata, type) => {
    const { status: answered, body } = await send(path + query, related(metadata, type));

    expect(answered).toBe(200);
    expect(body?.snippet).toMatchObject({ title: "An upload", categoryId: "22" });
  });

  it("still need one where they change a video", async () => {
    const content = { id: own[0], snippet: { title: "Without a category" } };
    const answer = await write("/youtube/v3/videos?part=snippet", content, "PUT");

    expect(answer.status).toBe(400);
  });

  it("go in one piece with a range, as Python's client sends them", async () => {
    const bytes = Buffer.from("0123456789");
    const opened = await send(
      "/upload/youtube/v3/videos?part=snippet%2Cstatus&alt=json&uploadType=resumable",
      {
        method: "POST",
        headers: {
          ...json,
          Slug: "holiday.mp4",
          "X-Upload-Content-Type": "video/mp4",
          "X-Upload-Content-Length": `${bytes.length}`,
        },
        body: JSON.stringify({ snippet: text, status }),
      },
    );
    const done = await send(opened.headers.get("location") ?? "", {
      method: "PUT",
      headers: { "Content-Range": `bytes 0-${bytes.length - 1}/${bytes.length}` },
      body: bytes,
    });

    expect([opened.status, done.status]).toEqual([200, 201]);
    expect(done.body?.snippet).toMatchObject({ categoryId: "22" });
  });
});

describe("public callers' writes", () => {
  it("are taken without the kind of a channel, with a list of tags, and with whole resources", async () => {
    const [other] = [...server.channels.keys()].filter((id) => id !== server.ownChannelId);
    const snippet = { title: "Whole", categoryId: "10", channelId: server.ownChannelId };
    const answers = await Promise.all([
      write("/youtube/v3/subscriptions?part=snippet&alt=json", {
        snippet: { resourceId: { channelId: other } },
      }),
      write("/youtube/v3/playlists?part=snippet%2Cstatus", {
        snippet: { title: "Mine", description: "-", tags: ["a"], defaultLanguage: "en" },
        status: { privacyStatus: "private" },
      }),
      write(
        "/youtube/v3/videos?part=snippet",
        { id: own[0], kind: "youtube#video", snippet },
        "PUT",
      ),
      send(`/youtube/v3/videos/rate?id=${own[0]}&rating=like&alt=json`, {
        method: "POST",
        headers: json,
      }),
    ]);

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 204]);
  });
});
