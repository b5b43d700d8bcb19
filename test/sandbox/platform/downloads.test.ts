import { createHash, randomBytes } from "node:crypto";
import type { APIMessage } from "discord-api-types/v10";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Platform, startPlatform } from "../../../src/sandbox/platform/index.ts";

const bytes = 1_000_000;
const data = randomBytes(bytes);
const hashOf = (part: Uint8Array) => createHash("sha256").update(part).digest("hex");

describe("a download from the stand-in", () => {
  let platform: Platform;
  let url: string;

  beforeEach(async () => {
    platform = await startPlatform();
    const file = { name: "clip.mp4", type: "video/mp4", data };
    const said: APIMessage = await platform.people("owner").say("here", [file]);
    url = said.attachments[0]?.url ?? "";
  });
  afterEach(() => platform.close());

  const get = (headers: Record<string, string> = {}, method = "GET") =>
    fetch(url, { method, headers });

  it("is whole and says its length", async () => {
    const answer = await get();
    const body = await answer.bytes();

    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-length")).toBe(String(bytes));
    expect(answer.headers.get("accept-ranges")).toBe("bytes");
    expect(hashOf(body)).toBe(hashOf(data));
  });

  it("gives its length without a body", async () => {
    const answer = await get({}, "HEAD");

    expect(answer.headers.get("content-length")).toBe(String(bytes));
    expect((await answer.bytes()).byteLength).toBe(0);
  });

  it.each([
    ["bytes=0-9", 0, 9],
    ["bytes=999990-", 999_990, 999_999],
    ["bytes=-300000", 700_000, 999_999],
  ])("goes on where %s says", async (range, from, to) => {
    const answer = await get({ range });
    const body = await answer.bytes();

    expect(answer.status).toBe(206);
    expect(answer.headers.get("content-range")).toBe(`bytes ${from}-${to}/${bytes}`);
    expect(answer.headers.get("content-length")).toBe(String(to - from + 1));
    expect(hashOf(body)).toBe(hashOf(data.subarray(from, to + 1)));
  });

  it("refuses a range behind its end", async () => {
    const answer = await get({ range: `bytes=${bytes}-` });

    expect(answer.status).toBe(416);
    expect(answer.headers.get("content-range")).toBe(`bytes */${bytes}`);
  });

  it("goes on only while the file is the one that was begun", async () => {
    const etag = (await get({}, "HEAD")).headers.get("etag") ?? "";

    const same = await get({ range: "bytes=5-", "if-range": etag });
    const other = await get({ range: "bytes=5-", "if-range": '"other"' });
    await Promise.all([same.bytes(), other.bytes()]);

    expect(etag).toMatch(/^".+"$/);
    expect([same.status, other.status]).toEqual([206, 200]);
    expect((await get({ "if-none-match": etag })).status).toBe(304);
  });

  it("breaks where a fault says, and can be finished", async () => {
    platform.faults.add({
      kind: "cut-answer",
      path: /^\/ephemeral-attachments|^\/attachments/,
      afterBytes: 400_000,
      times: 1,
    });
    const parts: Uint8Array[] = [];

    const first = await get();
    await expect(
      (async () => {
        for await (const part of first.body ?? []) parts.push(part);
      })(),
    ).rejects.toThrow();
    const begun = Buffer.concat(parts);
    const rest = await get({ range: `bytes=${begun.length}-` });

    expect(first.headers.get("content-length")).toBe(String(bytes));
    expect(begun.length).toBeLessThanOrEqual(400_000);
    expect(hashOf(Buffer.concat([begun, await rest.bytes()]))).toBe(hashOf(data));
  });

  it("is missing when a fault says so", async () => {
    platform.faults.add({ kind: "answer", status: 404, path: /^\/attachments\//, times: 1 });

    expect((await get()).status).toBe(404);
    const again = await get();
    await again.bytes();
    expect(again.status).toBe(200);
  });
});

describe("an upload to the stand-in", () => {
  let platform: Platform;

  beforeEach(async () => {
    platform = await startPlatform();
  });
  afterEach(() => platform.close());

  async function put(body: NonNullable<RequestInit["body"]>, more: RequestInit = {}) {
    const response = await fetch(`${platform.url}/page/files?as=owner&name=clip.mp4`, {
      method: "POST",
      headers: { origin: platform.url, "content-type": "video/mp4" },
      body,
      ...more,
    });
    return { status: response.status, json: (await response.json()) as Record<string, string> };
  }

  async function say(id: string | undefined) {
    return fetch(`${platform.url}/page/message?as=owner`, {
      method: "POST",
      headers: { origin: platform.url, "content-type": "application/json" },
      body: JSON.stringify({ channelId: platform.channelId, content: "", files: [id] }),
    });
  }

  it("arrives byte by byte, whether its length was declared or not", async () => {
    const stream = new Blob([data]).stream();

    const declared = await put(data);
    const streamed = await put(stream, { duplex: "half" } as RequestInit);
    const urls = await Promise.all(
      [declared, streamed].map(async ({ json }) => {
        const message = (await (await say(json.id)).json()) as APIMessage;
        return message.attachments[0]?.url ?? "";
      }),
    );
    const hashes = await Promise.all(
      urls.map(async (url) => hashOf(await (await fetch(url)).bytes())),
    );

    expect(hashes).toEqual([hashOf(data), hashOf(data)]);
  });

  it.each(["declared", "streamed"])(
    "is refused over the limit when its length is %s",
    async (kind) => {
      platform.setAttachmentLimit(2 ** 19);

      const { status, json } =
        kind === "declared"
          ? await put(data)
          : await put(new Blob([data]).stream(), { duplex: "half" } as RequestInit);

      expect(status).toBe(400);
      expect(json.error).toMatch(/"clip.mp4" is too large/);
    },
  );

  it("passes under a limit that was raised", async () => {
    const large = { name: "a.bin", type: "", data: Buffer.alloc(11 * 1_048_576) };
    await expect(platform.people("owner").say("", [large])).rejects.toThrow(/too large/);

    platform.setAttachmentLimit(500 * 1_048_576);

    const said = await platform.people("owner").say("", [large]);
    expect(said.attachments[0]?.size).toBe(11 * 1_048_576);
  });

  it("is sent once", async () => {
    const { json } = await put(data);

    expect((await say(json.id)).status).toBe(200);
    expect((await say(json.id)).status).toBe(400);
  });
});
