import { describe, expect, it } from "vitest";
import { type BotError, InputError, NetworkError, ServiceError } from "../../src/errors.ts";
import { LostError, whileOwned } from "../../src/ownership.ts";
import { callOnce } from "../../src/video/call.ts";
import { createSigner } from "../../src/video/credentials.ts";
import type { VideoCallDeps } from "../../src/video/exchange.ts";
import type { MethodSpec } from "../../src/video/methods/spec.ts";
import {
  type Answering,
  answering,
  cut,
  failureOf,
  fakeTime,
  openHttp,
  type Received,
  serve,
} from "../http/server.ts";
import { meter } from "./meter.ts";

const list: MethodSpec = {
  verb: "GET",
  path: "/notes",
  title: "List notes",
  auth: "token",
  scopes: [],
  bucket: "units",
  cost: 1,
  effect: "read",
  retry: "read",
  query: {
    about: { type: "string", about: "" },
    order: { type: "string", about: "" },
    pageToken: { type: "string", about: "" },
    onBehalfOfContentOwner: { type: "string", about: "" },
  },
  result: { kind: "list", resource: "Note" },
};

const insert: MethodSpec = {
  ...list,
  verb: "POST",
  cost: 50,
  effect: "write",
  retry: "create",
  query: {
    onBehalfOfContentOwner: { type: "string", about: "" },
    onBehalfOf: { type: "string", about: "" },
  },
  body: { resource: "Note", fields: {} },
  lookup: {
    method: "notes.list",
    params: { order: "time" },
    from: { about: "snippet.about" },
    same: ["snippet.text", "snippet.target"],
    madeAt: "snippet.publishedAt",
  },
  result: { kind: "one", resource: "Note" },
};

const body = { snippet: { about: "v1", text: "Hello  there\r\n", target: { videoId: "v" } } };
const time0 = Date.UTC(2026, 0, 15, 12);

/** How YouTube lists what the call creates, by default. */
function note(id: string, changes: object = {}) {
  return {
    id,
    snippet: {
      text: "Hello there",
      target: { kind: "k", videoId: "v" },
      publishedAt: "2026-01-15T12:00:00Z",
      ...changes,
    },
  };
}

interface Case {
  /** Responses to the inserts, in order. */
  readonly posts: readonly Answering[];
  /** Responses to the look-ups, in order; the last one repeats. */
  readonly looks?: readonly Answering[];
  readonly methodSpec?: Partial<MethodSpec>;
  readonly params?: object;
  readonly signal?: AbortSignal;
}

async function create({ posts, looks = [], methodSpec = {}, params = {}, signal }: Case) {
  const counts = { POST: 0, GET: 0 };
  const server = await serve((received, response, count) => {
    const isPost = received.method === "POST";
    const at = isPost ? counts.POST++ : counts.GET++;
    const answer = isPost ? posts[at] : (looks[at] ?? looks.at(-1));
    if (answer === undefined) throw new Error(`unexpected ${received.method}`);
    answer(received, response, count);
  });
  const time = fakeTime(time0);
  const http = openHttp({ ...time, random: () => 0 });
  const { booked, units } = meter();
  const services: VideoCallDeps = {
    baseUrl: server.url,
    uploadBaseUrl: server.url,
    chunkBytes: 1_000,
    methodSpecs: { "notes.list": list },
    signer: createSigner({ token: "t" }),
    http,
    units,
    now: time.now,
  };
  const result = callOnce(services, {
    method: "notes.insert",
    methodSpec: { ...insert, ...methodSpec },
    params: { body, ...params },
    signal,
  });
  return { result, received: server.received, waits: time.waits, booked };
}

const verbs = (received: readonly Received[]) => received.map(({ method }) => method);
const items = (...found: object[]) => answering(200, { items: found });
const made = answering(200, { id: "made" });

describe("a create whose answer is lost", () => {
  it.each([
    ["a cut", cut],
    ["a 5xx", answering(503, "<h1>busy</h1>")],
    ["an answer that can't be read", answering(200, "<html>")],
    ["an answer that is too long", answering(200, "x".repeat(9_000_000))],
  ])("is looked for after %s, and what is found is the answer", async (_what, lost) => {
    const { result, received } = await create({
      posts: [lost],
      looks: [items(note("other", { text: "Hi" }), note("it"))],
    });

    expect(await result).toEqual(note("it"));
    expect(verbs(received)).toEqual(["POST", "GET"]);
    expect(Object.fromEntries(received[1]?.url.searchParams ?? [])).toEqual({
      order: "time",
      about: "v1",
    });
  });

  it("is sent once more when it is not there", async () => {
    const { result, received } = await create({ posts: [cut, made], looks: [items()] });

    expect(await result).toEqual({ id: "made" });
    expect(verbs(received)).toEqual(["POST", "GET", "POST"]);
    expect(received[2]?.body).toEqual(received[0]?.body);
  });

  it.each([
    ["made before the call", note("old", { publishedAt: "2026-01-15T11:59:54Z" })],
    ["of no known time", note("old", { publishedAt: undefined })],
    ["another text", note("other", { text: "Hello" })],
    ["another target", note("other", { target: { videoId: "w" } })],
    ["nothing at all", { id: "empty" }],
  ])("is not taken for what is %s", async (_what, other) => {
    const { result } = await create({ posts: [cut, made], looks: [items(other)] });

    expect(await result).toEqual({ id: "made" });
  });

  it("allows for clocks that differ by a few seconds", async () => {
    const { result } = await create({
      posts: [cut],
      looks: [items(note("it", { publishedAt: "2026-01-15T11:59:56Z" }))],
    });

    expect(await result).toMatchObject({ id: "it" });
  });

  it("is found by a service whose clock is behind, and by its own clock alone", async () => {
    const date = { Date: new Date(time0 - 60_000).toUTCString() };
    const of = (id: string, publishedAt: string) =>
      answering(200, { items: [note(id, { publishedAt })] }, date);
    const mine = await create({ posts: [cut], looks: [of("it", "2026-01-15T11:59:00Z")] });
    const older = await create({ posts: [cut, made], looks: [of("old", "2026-01-15T11:58:50Z")] });

    expect(await mine.result).toMatchObject({ id: "it" });
    expect(await older.result).toEqual({ id: "made" });
  });

  it("is found without a time where equal ones can't be twice", async () => {
    const { madeAt: _none, ...lookup } = insert.lookup ?? { method: "", params: {}, same: [] };
    const { result } = await create({
      posts: [cut],
      methodSpec: { lookup },
      looks: [items(note("it", { publishedAt: "2020-01-01T00:00:00Z" }))],
    });

    expect(await result).toMatchObject({ id: "it" });
  });

  it("is found on a later page", async () => {
    const { result, received } = await create({
      posts: [cut],
      looks: [
        answering(200, { items: [note("a", { text: "Hi" })], nextPageToken: "2" }),
        items(note("it")),
      ],
    });

    expect(await result).toMatchObject({ id: "it" });
    expect(received.at(-1)?.url.searchParams.get("pageToken")).toBe("2");
  });

  it("is not looked for among what is older, in a list by time", async () => {
    const old = note("old", { publishedAt: "2026-01-01T00:00:00Z" });
    const { result, received } = await create({
      posts: [cut, made],
      looks: [answering(200, { items: [old], nextPageToken: "2" })],
    });

    await result;

    expect(verbs(received)).toEqual(["POST", "GET", "POST"]);
  });

  it("is given a moment to show up, and Retry-After is kept", async () => {
    const cutting = await create({ posts: [cut], looks: [items(note("it"))] });
    await cutting.result;
    const busy = await create({
      posts: [answering(503, "", { "retry-after": "7" })],
      looks: [items(note("it"))],
    });
    await busy.result;

    expect(cutting.waits).toEqual([1_000]);
    expect(busy.waits).toEqual([7_000]);
  });

  it("is looked for again when the second try is lost too", async () => {
    const { result, received } = await create({
      posts: [cut, cut],
      looks: [items(), items(note("it"))],
    });

    expect(await result).toMatchObject({ id: "it" });
    expect(verbs(received)).toEqual(["POST", "GET", "POST", "GET"]);
  });

  it("is looked for again when the second try is refused, because the first shows up late", async () => {
    const { result } = await create({
      posts: [cut, answering(409)],
      looks: [items(), items(note("it"))],
    });

    expect(await result).toMatchObject({ id: "it" });
  });

  it("is looked for in the name of the same owner", async () => {
    const { result, received } = await create({
      posts: [cut],
      looks: [items(note("it"))],
      params: { onBehalfOfContentOwner: "o", onBehalfOf: "p" },
    });

    await result;

    expect(received[1]?.url.searchParams.get("onBehalfOfContentOwner")).toBe("o");
    expect(received[1]?.url.searchParams.has("onBehalfOf")).toBe(false);
  });

  it("is booked like any call, and so are its looks", async () => {
    const { result, booked } = await create({ posts: [cut, made], looks: [items()] });

    await result;

    expect(booked).toEqual([
      { method: "notes.insert", bucket: "units", cost: 50, attempts: 1, exhausted: false },
      { method: "notes.list", bucket: "units", cost: 1, attempts: 1, exhausted: false },
      { method: "notes.insert", bucket: "units", cost: 50, attempts: 1, exhausted: false },
    ]);
  });
});

describe("a create that stays undecided", () => {
  const says = (error: BotError) => {
    expect(error.outcome).toBe("unknown");
    expect(error.facts).toMatchObject({ method: "notes.insert", isUndecided: true });
  };

  it.each([
    ["the look fails", { posts: [cut], looks: [answering(403)] }],
    ["nothing can be looked for", { posts: [cut], methodSpec: { lookup: undefined } }],
    ["the second try is lost and not found", { posts: [cut, cut], looks: [items()] }],
    [
      "the second try is refused and the first not found",
      { posts: [cut, answering(403)], looks: [items()] },
    ],
  ])("says where to look when %s", async (_when, given) => {
    const { result, received } = await create(given as Case);

    const error = await failureOf(result, NetworkError);

    says(error);
    expect(error.code).toBe("cut");
    expect(verbs(received).filter((verb) => verb === "POST").length).toBeLessThanOrEqual(2);
  });

  it("keeps the kind of what happened first", async () => {
    const { result } = await create({ posts: [answering(500), cut], looks: [items()] });

    const error = await failureOf(result, ServiceError);

    says(error);
    expect(error.facts.lookAt).toBe("notes.list");
  });

  it("does not repeat what a long list may hide", async () => {
    const { result, received } = await create({
      posts: [cut],
      looks: Array.from({ length: 20 }, (_, page) =>
        answering(200, { items: [], nextPageToken: `t${page}` }),
      ),
    });

    says(await failureOf(result, NetworkError));
    expect(verbs(received)).toEqual(["POST", ...Array(10).fill("GET")]);
  });

  it("does not look when it has to wait too long for it", async () => {
    const { result, received } = await create({
      posts: [answering(503, "", { "retry-after": "600" })],
    });

    says(await failureOf(result, ServiceError));
    expect(received).toHaveLength(1);
  });
});

describe("a create that was refused", () => {
  it("is not looked for", async () => {
    const { result, received } = await create({ posts: [answering(404)] });

    const error = await failureOf(result, InputError);

    expect(error.outcome).toBe("nothing");
    expect(received).toHaveLength(1);
  });

  it("is sent again after a 429 without a look", async () => {
    const { result, received } = await create({ posts: [answering(429), made] });

    expect(await result).toEqual({ id: "made" });
    expect(verbs(received)).toEqual(["POST", "POST"]);
  });

  it("rejects with the signal's reason while it looks", async () => {
    const reason = new Error("enough");
    const abort = new AbortController();
    const { result } = await create({
      posts: [cut],
      looks: [() => abort.abort(reason)],
      signal: abort.signal,
    });

    await expect(result).rejects.toBe(reason);
  });

  it("is neither sent nor looked for by a process that has lost the work", async () => {
    const { result, received } = await whileOwned(
      async () => false,
      async () => {
        const { result: lost, ...rest } = await create({ posts: [] });
        return { ...rest, result: lost.catch((error: unknown) => error) };
      },
    );

    expect(await result).toBeInstanceOf(LostError);
    expect(received).toEqual([]);
  });
});
