import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { SeenRequest } from "../../../src/sandbox/video/index.ts";
import {
  items,
  open,
  picture,
  refused,
  related,
  type Sending,
  type Stage,
  send,
} from "./writes.ts";

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

/** The three addresses a method with media answers at. */
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

  const plain = { body: {} };
  const text = { body: "text", headers: { "Content-Type": "text/plain" } };
  const empty = { body: Buffer.alloc(0), headers: mp4 };
  const inParts = (metadata: string, ...files: string[]) => ({
    body: [
      `--b\r\nContent-Type: application/json\r\n\r\n${metadata}`,
      ...files.map((file) => `--b\r\n\r\n${file}`),
      "--b--",
    ].join("\r\n"),
    headers: { "Content-Type": "multipart/related; boundary=b" },
  });
  const asMedia = "/upload/videos?part=id&uploadType=media";
  const asParts = "/upload/videos?part=id&uploadType=multipart";
  const asPigeon = "/upload/videos?part=id&uploadType=carrier-pigeon";
  const film = { body: bytes, headers: mp4 };

  it.each<[string, string, Sending, unknown[]]>([
    ["a plain call to the upload address", "/upload/videos?part=id", plain, [400, "notUpload"]],
    ["an upload by a method without media", "/upload/playlists?part=id", plain, [400, "notUpload"]],
    [
      "media for a method without media",
      "/playlists?part=id&uploadType=media",
      plain,
      [400, "wrongUrlForUpload"],
    ],
    ["an unknown protocol", asPigeon, film, [400, "invalidParameter", "uploadType"]],
    ["another media type", asMedia, text, [400, "badContent"]],
    ["no media", "/videos?part=id", plain, [400, "mediaBodyRequired", "body"]],
    ["empty media", asMedia, empty, [400, "mediaBodyRequired", "body"]],
    ["two files at once", asParts, inParts("{}", "x", "y"), [400, "badContent"]],
    ["metadata that is not JSON", asParts, inParts("{oops", "x"), [400, "parseError"]],
  ])("is refused: %s", async (_, address, sending, expected) => {
    const upload = "/upload/";
    const url = address.startsWith(upload)
      ? `${server.uploadUrl}/${address.slice(upload.length)}`
      : server.url + address;

    expect(refused(await send(server, "POST", url, sending))).toEqual(expected);
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
