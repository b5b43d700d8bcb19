import { openAsBlob, truncateSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  BotError,
  ConnectError,
  InputError,
  LimitError,
  NetworkError,
  ServiceError,
} from "../../../src/errors.ts";
import { createSigner } from "../../../src/video/credentials.ts";
import { failureOf } from "../../http/server.ts";
import type { Fault, Step } from "../../support/upload-service.ts";
import { bytes, rig, streamOf, video } from "./rig.ts";

/** A fault at the n-th chunk that arrives, and at no other. */
function atChunk(which: number, fault: Fault) {
  let chunks = 0;
  return ({ kind }: Step) => {
    if (kind !== "chunk") return undefined;
    chunks += 1;
    return chunks === which ? fault : undefined;
  };
}

const ranges = (steps: readonly Step[]) =>
  steps.filter(({ kind }) => kind !== "begin").map(({ headers }) => headers["content-range"]);

describe("a resumable upload", () => {
  it("begins a session with the metadata and then sends equal chunks", async () => {
    const { send, service } = await rig();
    const data = bytes(3_500);

    const resource = await send({ media: video(data) });

    expect(resource).toEqual({ kind: "youtube#video", id: "the-video" });
    expect(service.videos).toEqual([Buffer.from(data)]);
    const [begin, first] = service.steps;
    expect(begin?.url.pathname).toBe("/upload/v3/videos");
    expect(Object.fromEntries(begin?.url.searchParams ?? [])).toEqual({
      uploadType: "resumable",
      part: "snippet,status",
    });
    expect(begin?.headers).toMatchObject({
      authorization: "Bearer the-token",
      "content-type": "application/json; charset=utf-8",
      "x-upload-content-length": "3500",
      "x-upload-content-type": "video/mp4",
    });
    expect(JSON.parse(String(begin?.bytes))).toMatchObject({ snippet: { title: "T" } });
    expect(first?.headers).toMatchObject({
      authorization: "Bearer the-token",
      "content-type": "video/mp4",
      "content-length": "1000",
    });
    expect(ranges(service.steps)).toEqual([
      "bytes 0-999/3500",
      "bytes 1000-1999/3500",
      "bytes 2000-2999/3500",
      "bytes 3000-3499/3500",
    ]);
  });

  it("sends what fits one chunk in one", async () => {
    const { send, service } = await rig();

    await send({ media: video(bytes(1_000)) });

    expect(ranges(service.steps)).toEqual(["bytes 0-999/1000"]);
  });

  it.each([
    ["a stream", (data: Uint8Array) => video(streamOf(data), data.length)],
    ["a Blob", (data: Uint8Array) => video(new Blob([Buffer.from(data)]))],
  ])("takes %s", async (_what, media) => {
    const { send, service } = await rig();
    const data = bytes(4_321);

    await send({ media: media(data) });

    expect(service.videos).toEqual([Buffer.from(data)]);
    expect(service.steps.filter(({ kind }) => kind === "chunk")).toHaveLength(5);
  });

  it.each([
    ["kept nothing of it", { keep: 0, cut: true }, 1_000],
    ["kept a part of it", { keep: 700, cut: true }, 1_700],
    ["kept all of it", { cut: true }, 2_000],
    ["answers 503", { keep: 0, status: 503 }, 1_000],
    ["answers 500 and kept it", { status: 500 }, 2_000],
  ])(
    "asks after a chunk whose answer is lost, and goes on: the service %s",
    async (_how, fault, next) => {
      const { send, service } = await rig({ fault: atChunk(2, fault as Fault) });
      const data = bytes(3_500);

      await send({ media: video(streamOf(data), data.length) });

      expect(service.videos).toEqual([Buffer.from(data)]);
      expect(ranges(service.steps).slice(0, 4)).toEqual([
        "bytes 0-999/3500",
        "bytes 1000-1999/3500",
        "bytes */3500",
        `bytes ${next}-${next + Math.min(1_000, 3_500 - next) - 1}/3500`,
      ]);
    },
  );

  it("trusts the range when the service keeps only a part of a chunk", async () => {
    const { send, service } = await rig({ fault: atChunk(1, { keep: 256 }) });
    const data = bytes(2_000);

    await send({ media: video(streamOf(data), data.length) });

    expect(service.videos).toEqual([Buffer.from(data)]);
    expect(ranges(service.steps)).toEqual([
      "bytes 0-999/2000",
      "bytes 256-1255/2000",
      "bytes 1256-1999/2000",
    ]);
  });

  it("takes an upload for done when it was cut behind the last byte", async () => {
    const { send, service } = await rig({ fault: atChunk(4, { cut: true }) });

    const resource = await send({ media: video(bytes(3_500)) });

    expect(resource).toEqual({ kind: "youtube#video", id: "the-video" });
    expect(ranges(service.steps).at(-1)).toBe("bytes */3500");
    expect(service.videos).toHaveLength(1);
  });

  it("begins again from the first byte when nothing is stored any more", async () => {
    const { send, service } = await rig({ fault: atChunk(3, { forget: true }) });
    const data = bytes(3_500);

    await send({ media: video(data) });

    expect(service.videos).toEqual([Buffer.from(data)]);
    expect(ranges(service.steps)[3]).toBe("bytes 0-999/3500");
  });

  it("says that a stream can't go back once its first chunk is gone", async () => {
    const { send } = await rig({ fault: atChunk(3, { forget: true }) });

    const error = await failureOf(
      send({ media: video(streamOf(bytes(3_500)), 3_500) }),
      ServiceError,
    );

    expect([error.code, error.outcome]).toEqual(["upload_lost", "nothing"]);
  });

  it("lets a stream begin again while its first chunk is at hand", async () => {
    const { send, service } = await rig({ fault: atChunk(1, { forget: true, cut: true }) });
    const data = bytes(3_500);

    await send({ media: video(streamOf(data), data.length) });

    expect(service.videos).toEqual([Buffer.from(data)]);
  });

  it.each([
    ["bytes", (data: Uint8Array) => video(data)],
    ["a Blob", (data: Uint8Array) => video(new Blob([Buffer.from(data)]))],
  ])("begins a new session with %s when the old one is gone", async (_what, media) => {
    const { send, service } = await rig({ fault: atChunk(3, { expire: true }) });
    const data = bytes(3_500);

    await send({ media: media(data) });

    expect(service.videos).toEqual([Buffer.from(data)]);
    expect(service.steps.filter(({ kind }) => kind === "begin")).toHaveLength(2);
  });

  it("says that a stream's session is gone", async () => {
    const { send, service } = await rig({ fault: atChunk(3, { expire: true }) });

    const error = await failureOf(
      send({ media: video(streamOf(bytes(3_500)), 3_500) }),
      ServiceError,
    );

    expect([error.code, error.outcome]).toEqual(["upload_expired", "nothing"]);
    expect(service.steps.filter(({ kind }) => kind === "begin")).toHaveLength(1);
  });

  it("never begins a second time what may be whole", async () => {
    let chunks = 0;
    const { send, service } = await rig({
      fault: ({ kind }) => {
        if (kind === "ask") return { expire: true };
        if (kind === "chunk") chunks += 1;
        return chunks === 4 ? { cut: true } : undefined;
      },
    });

    const error = await failureOf(send({ media: video(bytes(3_500)) }), ServiceError);

    expect([error.code, error.outcome]).toEqual(["upload_expired", "unknown"]);
    expect(service.videos).toHaveLength(1);
  });

  it("repeats the begin of a session after a cut and a 5xx", async () => {
    const { send, service } = await rig({
      fault: (_step, count) => [{ cut: true } as const, { status: 502 }][count - 1],
    });

    await send({ media: video(bytes(500)) });

    expect(service.steps.map(({ kind }) => kind)).toEqual(["begin", "begin", "begin", "chunk"]);
    expect(service.videos).toHaveLength(1);
  });

  it("waits as long as Retry-After says", async () => {
    const { send, waits } = await rig({
      fault: atChunk(1, { status: 503, headers: { "retry-after": "77" } }),
    });

    await send({ media: video(bytes(1_500)) });

    expect(waits).toEqual([77_000]);
  });

  it("waits and asks after a 429", async () => {
    const { send, service } = await rig({ fault: atChunk(1, { keep: 0, status: 429 }) });

    await send({ media: video(bytes(500)) });

    expect(ranges(service.steps)).toEqual(["bytes 0-499/500", "bytes */500", "bytes 0-499/500"]);
  });

  it("gives up after ten tries without progress, with growing waits", async () => {
    const { send, service, waits } = await rig({
      fault: ({ kind }) => (kind === "begin" ? undefined : { keep: 0, cut: true }),
    });

    const error = await failureOf(send({ media: video(bytes(3_000)) }), NetworkError);

    expect([error.code, error.outcome]).toEqual(["upload_stalled", "nothing"]);
    expect(service.steps).toHaveLength(1 + 10);
    expect(waits).toEqual([250, 500, 1_000, 2_000, 4_000, 5_000, 5_000, 5_000, 5_000]);
  });

  it("gives up when a wait would outlive half an hour without progress", async () => {
    const { send, waits } = await rig({
      fault: ({ kind }) =>
        kind === "begin" ? undefined : { status: 503, headers: { "retry-after": "1700" } },
    });

    const error = await failureOf(send({ media: video(bytes(3_000)) }), ServiceError);

    expect(error.code).toBe("upload_stalled");
    expect(waits).toEqual([1_700_000]);
  });

  it("keeps its patience as long as it moves", async () => {
    const { send, service } = await rig({
      fault: ({ kind, bytes: sent }) =>
        kind === "chunk" && sent.length > 0 ? { keep: 100, cut: true } : undefined,
    });
    const data = bytes(2_500);

    await send({ media: video(streamOf(data), data.length) });

    expect(service.videos).toEqual([Buffer.from(data)]);
    expect(service.steps.filter(({ kind }) => kind === "ask")).toHaveLength(25);
  });

  it("does not try for ever when the service keeps forgetting", async () => {
    const { send } = await rig({
      fault: ({ kind, stored }) =>
        kind === "chunk" && stored === 1_000 ? { forget: true } : undefined,
    });

    const error = await failureOf(send({ media: video(bytes(3_000)) }), ServiceError);

    expect(error.code).toBe("upload_stalled");
  });

  it("says that it may be there when only the word on the whole is missing", async () => {
    const { send } = await rig({
      fault: ({ kind }) => (kind === "begin" ? undefined : { cut: true }),
    });

    const error = await failureOf(send({ media: video(bytes(500)) }), NetworkError);

    expect([error.code, error.outcome]).toEqual(["upload_stalled", "unknown"]);
  });

  it("ends with the service's own words on another 4xx, at once", async () => {
    const body = JSON.stringify({
      error: { code: 400, errors: [{ reason: "uploadLimitExceeded" }] },
    });
    const { send, service } = await rig({ fault: atChunk(2, { status: 400, body }) });

    const error = await failureOf(send({ media: video(bytes(3_500)) }), LimitError);

    expect(error.code).toBe("upload_limit_exceeded");
    expect(service.steps).toHaveLength(3);
  });

  it.each([301, 302, 307])("follows no redirect of a chunk (%i)", async (status) => {
    const { send, service } = await rig({
      fault: atChunk(1, { status, headers: { location: "/elsewhere" } }),
    });

    await failureOf(send({ media: video(bytes(3_500)) }), ServiceError);

    expect(service.steps).toHaveLength(2);
  });

  it.each(["bytes=0-99999", "bytes=5-10", "lines=0-3", "bytes=0-1000"])(
    "refuses a range of what was not sent (%s)",
    async (range) => {
      const { send, service } = await rig({
        fault: atChunk(1, { status: 308, headers: { range } }),
      });

      const error = await failureOf(send({ media: video(bytes(3_500)) }), ServiceError);

      expect(error.code).toBe("unreadable_answer");
      expect(service.steps).toHaveLength(2);
    },
  );

  it("refuses a success before all was sent", async () => {
    const { send } = await rig({ fault: atChunk(1, { status: 200, body: "{}" }) });

    const error = await failureOf(send({ media: video(bytes(3_500)) }), ServiceError);

    expect([error.code, error.outcome]).toEqual(["unreadable_answer", "unknown"]);
  });

  it("refuses a result that can't be read, and says that it is there", async () => {
    const { send, service } = await rig({ fault: atChunk(1, { status: 200, body: "<html>" }) });

    const error = await failureOf(send({ media: video(bytes(500)) }), ServiceError);

    expect([error.code, error.outcome]).toEqual(["web_page_answer", "unknown"]);
    expect(service.videos).toHaveLength(1);
  });

  it("goes on with another token when one runs out half way", async () => {
    const tokens = ["old", "new"];
    const refused: unknown[] = [];
    const { send, service } = await rig({
      services: {
        signer: createSigner({
          token: (gone?: string) => {
            if (gone !== undefined) refused.push(tokens.shift());
            return tokens[0] ?? "";
          },
        }),
      },
      fault: ({ kind, from, headers }) =>
        kind === "chunk" && from > 0 && headers.authorization === "Bearer old"
          ? { keep: 0, status: 401 }
          : undefined,
    });
    const data = bytes(2_500);

    await send({ media: video(data) });

    expect(refused).toEqual(["old"]);
    expect(service.videos).toEqual([Buffer.from(data)]);
  });

  it("ends when the token is refused and there is no other", async () => {
    const { send, service } = await rig({ fault: atChunk(2, { status: 401 }) });

    const error = await failureOf(send({ media: video(bytes(3_500)) }), ConnectError);

    expect(error.code).toBe("auth");
    expect(service.steps).toHaveLength(3);
  });

  it("puts the token into the session's address when tokens travel there", async () => {
    const { send, service } = await rig({
      services: { signer: createSigner({ token: "t", tokenIn: "query" }) },
    });

    await send({ media: video(bytes(1_500)) });

    expect(service.steps.map(({ url }) => url.searchParams.getAll("access_token"))).toEqual([
      ["t"],
      ["t"],
      ["t"],
    ]);
  });

  it("books one upload, whatever the number of its chunks", async () => {
    const charges: unknown[] = [];
    const spendings: unknown[] = [];
    const { send } = await rig({
      services: {
        units: {
          book: async (charge) => {
            charges.push(charge);
            return { settle: async (spending) => void spendings.push(spending) };
          },
        },
      },
    });

    await send({ media: video(bytes(3_500)) });

    expect(charges).toEqual([{ method: "videos.insert", bucket: "uploads", cost: 1 }]);
    expect(spendings).toEqual([{ attempts: 1, exhausted: false }]);
  });
});

describe("progress", () => {
  it("is what the service reports, never goes back, and ends at the whole", async () => {
    const { send } = await rig({ fault: atChunk(3, { forget: true }) });
    const progress: [number, number][] = [];

    await send({
      media: video(bytes(3_500)),
      onProgress: (sent, total) => void progress.push([sent, total]),
    });

    expect(progress).toEqual([
      [1_000, 3_500],
      [2_000, 3_500],
      [3_000, 3_500],
      [3_500, 3_500],
    ]);
  });

  it.each([
    [
      "throws",
      () => {
        throw new Error("a broken bar");
      },
    ],
    [
      "rejects",
      async () => {
        throw new Error("a broken bar");
      },
    ],
  ])("survives a listener that %s", async (_how, onProgress) => {
    const { send } = await rig();

    await expect(send({ media: video(bytes(1_500)), onProgress })).resolves.toBeDefined();
  });
});

describe("aborting an upload", () => {
  const reason = new Error("changed my mind");

  it.each(["begin", "chunk", "ask"] as const)("ends it during a %s that hangs", async (kind) => {
    const abort = new AbortController();
    const { send, service } = await rig({
      fault: (step) => {
        if (step.kind !== kind) return step.kind === "chunk" ? { cut: true } : undefined;
        setTimeout(() => abort.abort(reason), 20);
        return { hang: true };
      },
    });
    const data = streamOf(bytes(5_000));

    await expect(send({ media: video(data, 5_000), signal: abort.signal })).rejects.toBe(reason);
    const steps = service.steps.length;
    await delay(50);

    expect(data.destroyed).toBe(true);
    expect(service.steps).toHaveLength(steps);
  });

  it("ends it while the source gives nothing", async () => {
    const abort = new AbortController();
    const { send, service } = await rig();
    const data = streamOf(bytes(100));
    data._read = () => {};
    setTimeout(() => abort.abort(reason), 30);

    await expect(send({ media: video(data, 5_000), signal: abort.signal })).rejects.toBe(reason);

    expect(data.destroyed).toBe(true);
    expect(service.steps).toEqual([]);
  });

  it("sends nothing when it comes before the call, and waits for no source", async () => {
    const { send, service } = await rig();
    const data = new Readable({ read: () => {} });

    const call = send({ media: video(data, 5_000), signal: AbortSignal.abort(reason) });

    await expect(call).rejects.toBe(reason);
    expect(data.destroyed).toBe(true);
    expect(service.steps).toEqual([]);
  });

  it("ends it between two chunks", async () => {
    const abort = new AbortController();
    const { send, service } = await rig();

    const call = send({
      media: video(bytes(5_000)),
      signal: abort.signal,
      onProgress: (sent) => sent >= 2_000 && abort.abort(reason),
    });

    await expect(call).rejects.toBe(reason);
    expect(service.steps.filter(({ kind }) => kind === "chunk")).toHaveLength(2);
  });
});

function failing(this: Readable): void {
  this.destroy(new Error("the disk is gone"));
}

describe("a source that fails", () => {
  it("has its own failure, and no video comes of it", async () => {
    const { send, service } = await rig();
    const data = streamOf(bytes(5_000));
    data.once("data", () => {}).pause();
    const cause = new Error("the disk is gone");
    setTimeout(() => data.destroy(cause), 0);

    const error = await failureOf(send({ media: video(data, 5_000) }), InputError);

    expect(error.code).toBe("upload_source_failed");
    expect(error.cause).toBe(cause);
    expect(service.videos).toEqual([]);
  });

  it.each([
    ["ends early", 2_400, 2_500],
    ["ends at once", 0, 2_500],
    ["goes on", 2_600, 2_500],
    ["goes on behind a single chunk", 501, 500],
  ])(
    "is reported when a stream %s, before its last chunk is sent",
    async (_how, real, declared) => {
      const { send, service } = await rig();

      const error = await failureOf(
        send({ media: video(streamOf(bytes(real)), declared) }),
        InputError,
      );

      expect([error.code, error.outcome]).toEqual(["upload_length_mismatch", "nothing"]);
      expect(service.videos).toEqual([]);
    },
  );

  it.each([
    ["gives nothing that can be read", () => new Readable({ read: failing })],
    ["is shorter than was said", () => streamOf(bytes(400))],
    ["is longer than was said", () => streamOf(bytes(600))],
  ])("costs nothing when its first chunk %s", async (_how, source) => {
    const { send, service } = await rig();

    await failureOf(send({ media: video(source(), 500) }), InputError);

    expect(service.steps).toEqual([]);
  });

  it("is reported when a file changes under its Blob", async () => {
    const folder = await mkdtemp(join(tmpdir(), "greenroom-upload-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    const path = join(folder, "video.mp4");
    await writeFile(path, bytes(3_500));
    const blob = await openAsBlob(path);
    const { send, service } = await rig({
      fault: ({ from }) => {
        if (from === 1_000) truncateSync(path, 100);
        return undefined;
      },
    });

    const error = await failureOf(send({ media: video(blob) }), InputError);

    expect(error.code).toBe("upload_source_failed");
    expect(service.videos).toEqual([]);
  });

  it("never ends the process by an error that nobody reads any more", async () => {
    const { send } = await rig({ fault: () => ({ status: 403 }) });
    const data = streamOf(bytes(5_000));

    await failureOf(send({ media: video(data, 5_000) }), BotError);
    data.emit("error", new Error("too late"));

    expect(data.destroyed).toBe(true);
  });
});
