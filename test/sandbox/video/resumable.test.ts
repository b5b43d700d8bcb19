import { createHash } from "node:crypto";
import { request } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { items, open, refused, type Stage, send } from "./writes.ts";

const chunk = 262_144;
const dayMs = 86_400_000;

let server: Stage;
let now = Date.UTC(2026, 10, 21, 20);

beforeAll(async () => {
  server = await open({ now: () => now });
});

afterAll(() => server.close());

const file = Buffer.from(Array.from({ length: 3 * chunk + 500 }, (_, i) => (i * 31) % 251));
const hash = createHash("sha256").update(file).digest("hex");
const resource = { snippet: { title: "In pieces", categoryId: "22" } };

async function begin(headers: Record<string, string> = {}): Promise<string> {
  const { status, headers: given } = await send(server, "POST", `${server.uploadUrl}/videos`, {
    query: { part: "snippet", uploadType: "resumable" },
    body: resource,
    headers: {
      "Content-Type": "application/json; charset=UTF-8",
      "X-Upload-Content-Type": "video/mp4",
      "X-Upload-Content-Length": String(file.length),
      ...headers,
    },
  });
  expect(status).toBe(200);
  return given.get("location") ?? "";
}

/** Sends bytes to a session with this `Content-Range`; without one, the bytes are the whole file. */
function put(session: string, range?: string, body: Uint8Array = Buffer.alloc(0)) {
  const headers = range === undefined ? {} : { "Content-Range": range };
  return send(server, "PUT", session, { body, headers, token: undefined });
}

const part = (first: number, last: number): Buffer => file.subarray(first, last + 1);
const stored = async (session: string): Promise<unknown[]> => {
  const { status, headers } = await put(session, `bytes */${file.length}`);
  return [status, headers.get("range")];
};

describe("a session", () => {
  it("has an address at the same origin, with an id and without a secret", async () => {
    const session = new URL(await begin());

    expect(session.origin).toBe(new URL(server.url).origin);
    expect(session.searchParams.get("upload_id")).toMatch(/^[\w-]{20,}$/);
    expect(session.href).not.toMatch(/owner|key|token/);
  });

  it("takes a file in one piece", async () => {
    const { status, body } = await put(await begin(), undefined, file);

    expect([status, body.snippet.title]).toEqual([201, "In pieces"]);
    expect(server.uploads.at(-1)).toMatchObject({ hash, size: file.length, received: file.length });
  });

  it("takes a file in chunks and says after each what it has", async () => {
    const session = await begin();
    const first = await put(session, `bytes 0-${chunk - 1}/${file.length}`, part(0, chunk - 1));
    const second = await put(
      session,
      `bytes ${chunk}-${3 * chunk - 1}/${file.length}`,
      part(chunk, 3 * chunk - 1),
    );
    const last = await put(
      session,
      `bytes ${3 * chunk}-${file.length - 1}/${file.length}`,
      part(3 * chunk, file.length - 1),
    );

    expect([first.status, first.headers.get("range")]).toEqual([308, `bytes=0-${chunk - 1}`]);
    expect([second.status, second.headers.get("range")]).toEqual([308, `bytes=0-${3 * chunk - 1}`]);
    expect(last.status).toBe(201);
    expect(server.uploads.at(-1)?.hash).toBe(hash);
  });

  it("says that it has nothing by leaving the range out", async () => {
    expect(await stored(await begin())).toEqual([308, null]);
  });

  it("takes a file whose length is not known before its end", async () => {
    const session = await begin({ "X-Upload-Content-Length": "" });
    const first = await put(session, `bytes 0-${chunk - 1}/*`, part(0, chunk - 1));
    const rest = part(chunk, file.length - 1);
    const last = await put(session, `bytes ${chunk}-${file.length - 1}/${file.length}`, rest);

    expect([first.status, last.status]).toEqual([308, 201]);
    expect(server.uploads.at(-1)?.hash).toBe(hash);
  });

  it.each([
    ["overlaps", chunk / 2, chunk / 2 + chunk - 1],
    ["leaves a gap", 2 * chunk, 3 * chunk - 1],
    ["comes twice", 0, chunk - 1],
  ])("stores nothing of a chunk that %s", async (_, first, last) => {
    const session = await begin();
    await put(session, `bytes 0-${chunk - 1}/${file.length}`, part(0, chunk - 1));
    const answer = await put(session, `bytes ${first}-${last}/${file.length}`, part(first, last));

    expect([answer.status, answer.headers.get("range")]).toEqual([308, `bytes=0-${chunk - 1}`]);
    expect(await stored(session)).toEqual([308, `bytes=0-${chunk - 1}`]);
  });

  it.each([
    ["is no range", "bytes first-last/all", 0, [400, "badRequest"]],
    ["ends before it starts", `bytes 9-8/${file.length}`, 0, [400, "badRequest"]],
    [
      "is longer than its body",
      `bytes 0-${2 * chunk - 1}/${file.length}`,
      chunk,
      [400, "badRequest"],
    ],
    ["is no multiple of 256 KiB", `bytes 0-99/${file.length}`, 100, [400, "badRequest"]],
    ["names another total", `bytes 0-${chunk - 1}/99999999`, chunk, [400, "badRequest"]],
    [
      "lies beyond the file",
      `bytes 0-${chunk - 1}/${chunk - 5}`,
      chunk,
      [416, "requestedRangeNotSatisfiable"],
    ],
  ])("refuses a range that %s", async (_, range, length, expected) => {
    const session = await begin();
    const answer = await put(session, range, part(0, length - 1));

    expect(refused(answer)).toEqual(expected);
    expect(await stored(session)).toEqual([308, null]);
  });

  it("gives the same answer again after the end, and makes one video", async () => {
    const session = await begin();
    const before = server.uploads.length;
    const first = await put(session, undefined, file);
    const asked = await put(session, `bytes */${file.length}`);
    const again = await put(session, undefined, file);

    expect([asked.status, asked.body, again.body]).toEqual([201, first.body, first.body]);
    expect(server.uploads.length).toBe(before + 1);
  });

  it("is gone after a day", async () => {
    const session = await begin();
    now += dayMs - 1;
    const inTime = await put(session, `bytes */${file.length}`);
    now += 1;
    const late = await put(session, `bytes */${file.length}`);

    expect(inTime.status).toBe(308);
    expect(refused(late)).toEqual([404, "notFound"]);
  });

  it("is not there when nobody opened it", async () => {
    const answer = await put(`${server.uploadUrl}/videos?uploadType=resumable&upload_id=made-up`);

    expect(refused(answer)).toEqual([404, "notFound"]);
  });

  it.each([
    [{ "X-Upload-Content-Type": "text/html" }, [400, "badContent"]],
    [{ "X-Upload-Content-Length": "274877906945" }, [413, "uploadTooLarge"]],
  ])("is not opened with %j", async (headers, expected) => {
    const answer = await send(server, "POST", `${server.uploadUrl}/videos`, {
      query: { part: "snippet", uploadType: "resumable" },
      body: resource,
      headers: { "Content-Type": "application/json", ...headers },
    });

    expect(refused(answer)).toEqual(expected);
  });

  it("is not opened for metadata that would be refused at the end", async () => {
    const answer = await server.post(
      `${server.uploadUrl}/videos`,
      { snippet: { title: "<b>", categoryId: "22" } },
      { part: "snippet", uploadType: "resumable" },
    );

    expect(refused(answer)).toEqual([400, "invalidTitle", "body.snippet.title"]);
  });

  it("is charged when it is opened, chunks are not", async () => {
    const before = server.quota.spent("uploads");
    const session = await begin();
    await put(session, `bytes 0-${chunk - 1}/${file.length}`, part(0, chunk - 1));
    await stored(session);

    expect(server.quota.spent("uploads")).toBe(before + 1);
  });

  it("serves a method that updates too", async () => {
    const { body: video } = await put(await begin(), undefined, file);
    const srt = "1\n00:00:01,000 --> 00:00:02,000\nHello\n";
    const { body: track } = await send(server, "POST", `${server.url}/captions`, {
      query: { part: "snippet" },
      body: `--b\r\nContent-Type: application/json\r\n\r\n${JSON.stringify({
        snippet: { videoId: video.id, language: "en", name: "" },
      })}\r\n--b\r\n\r\n${srt}\r\n--b--`,
      headers: { "Content-Type": "multipart/related; boundary=b" },
    });
    const opened = await server.put(
      `${server.uploadUrl}/captions`,
      { id: track.id, snippet: { isDraft: true } },
      { part: "snippet", uploadType: "resumable" },
    );
    const done = await put(
      opened.headers.get("location") ?? "",
      undefined,
      Buffer.from(srt.replace("Hello", "Goodbye")),
    );
    const read = await send(server, "GET", `/captions/${track.id}`);

    expect([done.status, done.body.snippet.isDraft]).toEqual([200, true]);
    expect(read.bytes.toString()).toContain("Goodbye");
  });
});

describe("a cut", () => {
  it("in the middle of a chunk leaves what came before it, and the rest can follow", async () => {
    const session = await begin();
    const received = 100_000;
    const cut = { kind: "cut-during", method: "PUT", afterBytes: received, times: 1 } as const;
    server.faults.add(cut);
    const whole = `bytes 0-${file.length - 1}/${file.length}`;
    const broken = await put(session, whole, file).then(
      () => "answered",
      () => "cut",
    );
    const left = await stored(session);
    const rest = `bytes ${received}-${file.length - 1}/${file.length}`;
    const done = await put(session, rest, part(received, file.length - 1));

    expect([broken, left]).toEqual(["cut", [308, `bytes=0-${received - 1}`]]);
    expect(done.status).toBe(201);
    expect(server.uploads.at(-1)).toMatchObject({ hash, received: file.length });
  });

  it("after the end leaves one video, found by asking", async () => {
    const session = await begin();
    const before = server.uploads.length;
    server.faults.add({ kind: "cut-after", method: "PUT", times: 1 });
    await put(session, undefined, file).catch(() => {});
    const asked = await put(session, `bytes */${file.length}`);
    const read = await server.get("/videos", { part: "snippet", id: asked.body.id });

    expect([asked.status, items(read)[0]?.snippet.title]).toEqual([201, "In pieces"]);
    expect(server.uploads.length).toBe(before + 1);
  });
});

describe("a large video", () => {
  it("passes through without staying in memory", async () => {
    const size = 64 * 1024 * 1024;
    const session = await begin({ "X-Upload-Content-Length": String(size) });
    const piece = Buffer.alloc(1024 * 1024, 3);
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const sending = request(session, { method: "PUT", headers: { "Content-Length": size } });
      sending.on("response", (answer) => resolve(answer.resume().statusCode)).on("error", reject);
      let sent = 0;
      const next = (): void => {
        while (sent < size) {
          sent += piece.length;
          if (!sending.write(piece)) {
            sending.once("drain", next);
            return;
          }
        }
        sending.end();
      };
      next();
    });

    expect([status, server.uploads.at(-1)?.size]).toEqual([201, size]);
    expect(JSON.stringify(server.uploads.at(-1)).length).toBeLessThan(10_000);
  });
});
