import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { SeenRequest } from "../../../src/sandbox/video/index.ts";
import { items, open, picture, refused, related, type Stage, send } from "./writes.ts";

let server: Stage;
const seen: SeenRequest[] = [];

beforeAll(async () => {
  server = await open({ onRequest: (request) => seen.push(request) });
});

afterAll(() => server.close());

const mp4 = { "Content-Type": "video/mp4" };
const bytes = Buffer.from("not really a video");
const hash = createHash("sha256").update(bytes).digest("hex");
const resource = {
  snippet: { title: "Sent", categoryId: "22" },
  status: { privacyStatus: "private" },
};

/** The three addresses at which a method with media can be called. */
const roots = {
  "its upload address": () => server.uploadUrl,
  "the resumable address": () => server.uploadUrl.replace("/upload/", "/resumable/upload/"),
  "its plain address": () => server.url,
};

describe("an upload", () => {
  it.each(Object.entries(roots))("is taken whole at %s", async (_, root) => {
    const query = { part: "snippet,status", uploadType: "media" };
    const { status, body } = await send(server, "POST", `${root()}/videos`, {
      query,
      body: bytes,
      headers: mp4,
    });

    expect([status, body.kind]).toEqual([200, "youtube#video"]);
    expect(server.uploads.at(-1)).toEqual({
      method: "videos.insert",
      type: "video/mp4",
      size: bytes.length,
      hash,
      received: bytes.length,
    });
  });

  it.each(Object.entries(roots))("is taken in two parts at %s", async (_, root) => {
    const { body } = await send(server, "POST", `${root()}/videos`, {
      query: { part: "snippet,status", uploadType: "multipart" },
      ...related(resource, bytes, "video/mp4"),
    });

    expect([body.snippet.title, body.status.privacyStatus]).toEqual(["Sent", "private"]);
    expect(server.uploads.at(-1)?.hash).toBe(hash);
  });

  it("is known by its body where nothing else says that it is one", async () => {
    const image = await picture(320, 180);
    const { body } = await send(server, "POST", "/videos", {
      query: { part: "id" },
      ...related({}, bytes, "video/mp4"),
    });
    const bare = await send(server, "POST", "/thumbnails/set", {
      query: { videoId: body.id },
      body: image,
      headers: { "Content-Type": "image/jpeg" },
    });

    expect(bare.status).toBe(200);
  });

  const nothing = { body: {} };
  const text = { body: "text", headers: { "Content-Type": "text/plain" } };
  const empty = { body: Buffer.alloc(0), headers: mp4 };
  const parts = (...bodies: readonly string[]) => ({
    body: `--b\r\nContent-Type: application/json\r\n\r\n${bodies.join("\r\n--b\r\n\r\n")}\r\n--b--`,
    headers: { "Content-Type": "multipart/related; boundary=b" },
  });

  it.each([
    ["a plain call to the upload address", "/upload/videos", "", nothing, "notUpload"],
    ["an upload address without media", "/upload/playlists", "", nothing, "notUpload"],
    ["media where none belong", "/playlists", "media", nothing, "wrongUrlForUpload"],
    ["another media type", "/upload/videos", "media", text, "badContent"],
    ["no media", "/videos", "", nothing, "mediaBodyRequired body"],
    ["empty media", "/upload/videos", "media", empty, "mediaBodyRequired body"],
    ["two files", "/upload/videos", "multipart", parts("{}", "x", "y"), "badContent"],
    ["no JSON", "/upload/videos", "multipart", parts("{oops", "x"), "parseError"],
    [
      "an unknown protocol",
      "/upload/videos",
      "carrier-pigeon",
      { body: bytes, headers: mp4 },
      "invalidParameter uploadType",
    ],
  ])("is refused: %s", async (_, path, uploadType, sending, reason) => {
    const isUpload = path.startsWith("/upload");
    const url = isUpload ? server.uploadUrl + path.slice("/upload".length) : server.url + path;
    const query = { part: "id", ...(uploadType !== "" && { uploadType }) };
    const answer = await send(server, "POST", url, { query, ...sending });

    expect(refused(answer)).toEqual([400, ...reason.split(" ")]);
  });

  it("is refused when it is too large, before it is read", async () => {
    const answer = await send(server, "POST", `${server.uploadUrl}/channelBanners/insert`, {
      query: { uploadType: "media" },
      body: Buffer.alloc(6 * 1024 * 1024 + 1),
      headers: { "Content-Type": "image/png" },
    });

    expect(refused(answer)).toEqual([413, "uploadTooLarge"]);
  });

  it("is refused as soon as it grows too large, where its size is not declared", async () => {
    const answer = await send(server, "POST", `${server.uploadUrl}/channelBanners/insert`, {
      query: { uploadType: "multipart" },
      ...related({}, Buffer.alloc(6 * 1024 * 1024 + 1), "image/png"),
    });

    expect(refused(answer)).toEqual([413, "uploadTooLarge"]);
  });

  it("leaves nothing behind when it is refused", async () => {
    const before = server.uploads.length;
    await send(server, "POST", `${server.uploadUrl}/videos`, {
      query: { part: "snippet", uploadType: "multipart" },
      ...related({ snippet: { categoryId: "22" } }, bytes, "video/mp4"),
    });

    expect(server.uploads.length).toBe(before);
  });
});

describe("onRequest", () => {
  it("reports the method, the query, how much came in and what was answered", async () => {
    await send(server, "POST", `${server.uploadUrl}/videos`, {
      query: { part: "id", uploadType: "media" },
      body: bytes,
      headers: mp4,
    });

    expect(seen.at(-1)).toMatchObject({
      method: "videos.insert",
      verb: "POST",
      path: "/upload/youtube/v3/videos",
      received: bytes.length,
      status: 200,
    });
    expect(seen.at(-1)?.query.get("part")).toBe("id");
  });

  it("reports a request whose connection broke", async () => {
    server.faults.add({ kind: "cut-after", path: /i18nRegions/, times: 1 });
    await server.get("/i18nRegions", { part: "snippet" }).catch(() => {});

    await expect
      .poll(() => seen.at(-1))
      .toMatchObject({ method: "i18nRegions.list", status: undefined });
  });
});

describe("an uploaded video", () => {
  it("is in the channel's uploads", async () => {
    const { body } = await send(server, "POST", `${server.uploadUrl}/videos`, {
      query: { part: "snippet,status", uploadType: "multipart" },
      ...related(resource, bytes, "video/mp4"),
    });
    const listed = await server.get("/playlistItems?part=contentDetails", {
      playlistId: `UU${server.ownChannelId.slice(2)}`,
    });

    expect(items(listed)[0]?.contentDetails.videoId).toBe(body.id);
  });
});
