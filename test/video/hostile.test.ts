import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { BotError } from "../../src/errors.ts";
import { createHttp, type Http } from "../../src/http/index.ts";
import {
  createVideoClient,
  type VideoClient,
  type VideoClientOptions,
} from "../../src/video/index.ts";
import { seed } from "../support/random.ts";
import { type RawAnswer, type RawServer, startRawServer } from "./raw-answer.ts";

/** Looks like one of YouTube's own names, so that only its value shows that it is secret. */
const secret = "aizaSECRETofTheOwner";
/** The most time for one request with all its retries. In production it is half a minute and more. */
const deadlineMs = 120;
/** docs/decisions.md#reads-are-tried-up-to-eleven-times */
const mostTries = 11;

let server: RawServer;
/** No request may ever be sent here. */
let elsewhere: RawServer;
let http: Http;

beforeAll(async () => {
  server = await startRawServer();
  elsewhere = await startRawServer();
  const patient = createHttp({ sleep: async (_ms, signal) => signal?.throwIfAborted() });
  http = { ...patient, request: (request) => patient.request({ ...request, deadlineMs }) };
});

afterAll(async () => {
  await server.close();
  await elsewhere.close();
  await http.close();
});

const film = { data: Buffer.alloc(1_000, "film"), type: "video/mp4" } as const;
const picture = { data: Buffer.alloc(1_000, "picture"), type: "image/png" } as const;

interface Calling {
  /** Number of requests, made one after another, each with its own deadline. */
  readonly requests: number;
  readonly call: (client: VideoClient) => Promise<unknown>;
}

/** One call for each way that a call can be made. */
const calls = {
  read: {
    requests: 1,
    call: (client) => client.call("videos.list", { part: ["snippet"], chart: "mostPopular" }),
  },
  "split read": {
    requests: 2,
    call: (client) =>
      client.call("videos.list", {
        part: ["id"],
        id: Array.from({ length: 60 }, (_, n) => `video-${n}`),
      }),
  },
  set: { requests: 1, call: (client) => client.call("videos.rate", { id: "v", rating: "like" }) },
  delete: { requests: 1, call: (client) => client.call("playlists.delete", { id: "PL" }) },
  create: {
    requests: 24,
    call: (client) =>
      client.call("playlists.insert", { part: ["snippet"], body: { snippet: { title: "x" } } }),
  },
  download: { requests: 1, call: (client) => client.call("captions.download", { id: "c" }) },
  "simple upload": {
    requests: 1,
    call: (client) => client.call("thumbnails.set", { videoId: "v", media: picture }),
  },
  "resumable upload": {
    requests: 24,
    call: (client) =>
      client.call("videos.insert", {
        part: ["snippet"],
        body: { snippet: { title: "x", categoryId: "22" } },
        media: film,
      }),
  },
} as const satisfies Readonly<Record<string, Calling>>;

const statuses = [
  200, 200, 200, 201, 204, 206, 300, 301, 302, 303, 304, 307, 308, 308, 400, 401, 403, 404, 409,
  410, 412, 416, 429, 451, 500, 503, 599, 999,
];

const types = [
  "application/json; charset=UTF-8",
  "application/json",
  "text/html",
  "text/plain; charset=utf-16",
  "image/png",
  "application/problem+json",
  "multipart/mixed; boundary=x",
  `application/${secret}`,
  "",
];

const secrets = fc.constantFrom(secret, `Bearer ${secret}`, secret.slice(3));

const strange = fc.oneof(
  secrets,
  fc.constantFrom(null, [], {}, "", 5, true, "quotaExceeded", "rateLimitExceeded", "authError"),
  fc.string({ maxLength: 30 }),
);

/** YouTube's error envelope with any value in any place, including what was sent. */
const envelope = fc
  .record({
    code: strange,
    message: strange,
    status: strange,
    errors: fc.oneof(
      strange,
      fc.array(
        fc.record({ reason: strange, location: strange, message: strange, domain: strange }),
      ),
    ),
  })
  .map((error) => JSON.stringify({ error }));

const bodies = fc.oneof(
  envelope,
  fc.json({ maxDepth: 3 }),
  fc
    .record({ items: strange, nextPageToken: strange, id: strange })
    .map((all) => JSON.stringify(all)),
  fc.constantFrom(
    "",
    "{",
    '{"items":[{"id":1}',
    '{"error":"invalid_grant","error_description":"expired"}',
    "<!doctype html><title>502</title>",
    '{"items":[],"nextPageToken":"again"}',
    `${"[".repeat(50_000)}${"]".repeat(50_000)}`,
    `{"__proto__":{"items":[]},"constructor":1}`,
    "\ufeff{}",
    "null",
  ),
  fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes).toString("latin1")),
);

const lengths = fc.oneof(
  { weight: 4, arbitrary: fc.constant("right" as const) },
  fc.constantFrom("none", "short", "long", "negative", "twice", "chunked", "badly chunked"),
);

const lines: Readonly<Record<string, (body: Buffer) => readonly string[]>> = {
  right: ({ length }) => [`content-length: ${length}`],
  none: () => [],
  short: ({ length }) => [`content-length: ${Math.max(0, length - 3)}`],
  long: ({ length }) => [`content-length: ${length + 1_000}`],
  negative: () => ["content-length: -5"],
  twice: ({ length }) => [`content-length: ${length}`, "content-length: 3"],
  chunked: () => ["transfer-encoding: chunked"],
  "badly chunked": () => ["transfer-encoding: chunked", "content-length: 10"],
};

const floods = fc.constantFrom(
  [],
  [],
  [],
  [],
  Array.from({ length: 120 }, (_, n) => `x-flood-${n}: ${"y".repeat(60)}`),
  [`x-long: ${"y".repeat(40_000)}`],
  ["x-broken header without a colon"],
  [": nameless"],
  ["x-\u0000: \u0001"],
);

const waits = fc.constantFrom(
  "",
  "",
  "0",
  "-1",
  "soon",
  "99999999999999",
  "1e9",
  "Mon, 99 Nov 2026",
);
const ranges = fc.constantFrom("", "bytes=0-9", "bytes=0-99999", "bytes=9-1", "bytes=0-999", "all");

/** Bytes that follow no protocol. */
const noise = fc
  .uint8Array({ maxLength: 300 })
  .map((bytes) => Buffer.concat([Buffer.from(bytes), Buffer.from("\r\n\r\n")]));

const reply = fc
  .record({
    status: fc.constantFrom(...statuses),
    type: fc.constantFrom(...types),
    body: bodies,
    length: lengths,
    flood: floods,
    wait: waits,
    range: ranges,
    leads: fc.constantFrom("", "/", "/session?upload_id=1", "//", "?"),
  })
  .map(({ status, type, body, length, flood, wait, range, leads }) => {
    const content = Buffer.from(body);
    const head = [
      `HTTP/1.1 ${status} ${status === 999 ? secret : "Whatever"}`,
      `location: ${elsewhere.origin}${leads}`,
      ...(type ? [`content-type: ${type}`] : []),
      ...(wait ? [`retry-after: ${wait}`] : []),
      ...(range ? [`range: ${range}`] : []),
      ...flood,
      ...(lines[length]?.(content) ?? []),
    ];
    return Buffer.concat([Buffer.from(`${head.join("\r\n")}\r\n\r\n`, "latin1"), content]);
  });

const manners = fc.oneof(
  { weight: 12, arbitrary: fc.constant("whole" as const) },
  { weight: 2, arbitrary: fc.constant("cut" as const) },
  fc.constantFrom("open", "trickle", "endless"),
);

const answers: fc.Arbitrary<RawAnswer> = fc.record({
  bytes: fc.oneof({ weight: 9, arbitrary: reply }, noise),
  manner: manners,
});

type Credential = Pick<VideoClientOptions, "key" | "token" | "tokenIn">;

const credentials = fc.constantFrom<Credential>(
  { token: secret },
  { token: secret, tokenIn: "query" },
  { key: secret },
);

/** Everything that may be shown or logged of an error, including its causes. */
function wordsOf(error: BotError): string {
  const { code, facts } = error;
  const causes: string[] = [];
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    causes.push(cause.message);
  }
  return [...causes, code, JSON.stringify(facts)].join("\n");
}

describe("a hostile answer", () => {
  it("ends every call in time with an answer or a typed error, and gives nothing away", async () => {
    const names = fc.constantFrom(...(Object.keys(calls) as (keyof typeof calls)[]));

    await fc.assert(
      fc.asyncProperty(names, credentials, answers, async (name, credential, answer) => {
        server.answer = answer;
        const { call, requests } = calls[name];
        const client = createVideoClient({
          ...credential,
          baseUrl: `${server.origin}/youtube/v3`,
          http,
        });
        const before = server.connections;
        const error: unknown = await call(client).then(
          () => undefined,
          (reason: unknown) => reason ?? new Error("rejected with nothing"),
        );

        expect(server.connections - before).toBeLessThanOrEqual(requests * mostTries);
        expect(elsewhere.connections).toBe(0);
        if (error === undefined) return;
        if (!(error instanceof BotError)) throw error;
        expect(wordsOf(error)).not.toMatch(/secret/i);
        if (name.endsWith("read")) expect(error.outcome).toBe("nothing");
      }),
      { seed, numRuns: 120, interruptAfterTimeLimit: 50_000 },
    );
  });
});
