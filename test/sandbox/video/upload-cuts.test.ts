import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { VideoServer } from "../../../src/sandbox/video/index.ts";
import { ownerToken, start } from "./support.ts";

const total = 1_000_000;
const file = Uint8Array.from({ length: total }, (_, index) => index * 31 + (index >> 8));
const headers = { Authorization: `Bearer ${ownerToken}` };

let server: VideoServer;
let session: string;

beforeEach(async () => {
  server = await start();
  const opened = await fetch(
    `${server.uploadUrl}/videos?part=snippet,status&uploadType=resumable`,
    {
      method: "POST",
      headers: {
        ...headers,
        "Content-Type": "application/json; charset=UTF-8",
        "X-Upload-Content-Type": "video/mp4",
        "X-Upload-Content-Length": `${total}`,
      },
      body: JSON.stringify({
        snippet: { title: "Cut to pieces", categoryId: "22" },
        status: { privacyStatus: "private" },
      }),
    },
  );
  session = opened.headers.get("location") ?? "";
});

afterEach(() => server.close());

/** Sends the file from this byte on; undefined if the connection broke. */
function send(from: number): Promise<number | undefined> {
  return fetch(session, {
    method: "PUT",
    headers: { ...headers, "Content-Range": `bytes ${from}-${total - 1}/${total}` },
    body: file.subarray(from),
  }).then(
    ({ status }) => status,
    () => undefined,
  );
}

async function ask(): Promise<{ status: number; range: string | null }> {
  const response = await fetch(session, {
    method: "PUT",
    headers: { ...headers, "Content-Range": `bytes */${total}` },
  });
  return { status: response.status, range: response.headers.get("range") };
}

describe("an upload whose connection breaks", () => {
  it("is kept as far as it came, and goes on from there", async () => {
    server.faults.add({ method: "PUT", kind: "cut-during", afterBytes: 300_000, times: 1 });

    const broken = await send(0);
    const stored = await ask();
    const rest = await send(300_000);

    expect(broken).toBeUndefined();
    expect(stored).toEqual({ status: 308, range: "bytes=0-299999" });
    expect([200, 201]).toContain(rest);
    expect(server.uploads).toHaveLength(1);
    const hash = await crypto.subtle.digest("SHA-256", file);
    expect(server.uploads[0]).toMatchObject({ hash: Buffer.from(hash).toString("hex") });
  });

  it("has kept nothing when it broke at the start", async () => {
    server.faults.add({ method: "PUT", kind: "cut-during", times: 1 });
    await send(0);

    expect(await ask()).toEqual({ status: 308, range: null });
  });

  it("is whole when it broke before the answer, and made one video", async () => {
    server.faults.add({ method: "PUT", kind: "cut-after", times: 1 });

    const broken = await send(0);
    const { status } = await ask();

    expect(broken).toBeUndefined();
    expect([200, 201]).toContain(status);
    expect(server.uploads).toHaveLength(1);
  });
});
