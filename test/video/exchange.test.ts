import { describe, expect, it } from "vitest";
import type { CallResult } from "../../src/budget/index.ts";
import {
  BotError,
  ConnectError,
  LimitError,
  NetworkError,
  ServiceError,
} from "../../src/errors.ts";
import { LostError, whileOwned } from "../../src/ownership.ts";
import { createVideoClient, type VideoClientOptions } from "../../src/video/index.ts";
import {
  type Answering,
  answering,
  cut,
  failureOf,
  fakeTime,
  openHttp,
  serve,
} from "../http/server.ts";
import { meter } from "./meter.ts";

const ok = answering(200, { items: [] });
const chart = { part: ["id"], chart: "mostPopular" } as const;

async function service(answer: Answering = ok, options: Partial<VideoClientOptions> = {}) {
  const server = await serve(answer);
  const time = fakeTime();
  const http = openHttp(time);
  const client = createVideoClient({
    baseUrl: `${server.url}/v3`,
    token: "t",
    http,
    now: time.now,
    ...options,
  });
  return { server, client, time };
}

const reason = (status: number, name: string): Answering =>
  answering(status, { error: { code: status, errors: [{ reason: name }] } });

describe("a refused token", () => {
  const refusing =
    (...good: string[]): Answering =>
    (received, response, count) => {
      const token = received.headers.authorization?.replace("Bearer ", "") ?? "";
      (good.includes(token) ? ok : reason(401, "authError"))(received, response, count);
    };

  /** Provides these tokens: the next one each time it is told that one was rejected. */
  function tokens(...all: string[]) {
    const asked: unknown[] = [];
    return {
      asked,
      token: async (refused?: string) => {
        asked.push(refused);
        if (refused !== undefined) all.shift();
        return all[0] ?? "none";
      },
    };
  }

  it("is replaced once, and the call goes on", async () => {
    const { asked, token } = tokens("old", "new");
    const { client, server } = await service(refusing("new"), { token });

    await client.call("videos.list", chart);

    expect(asked).toEqual([undefined, "old"]);
    expect(server.received).toHaveLength(2);
  });

  it("is replaced for a write too, because a refused write has done nothing", async () => {
    const { token } = tokens("old", "new");
    const { client, server } = await service(refusing("new"), { token });

    await client.call("playlists.delete", { id: "PL1" });

    expect(server.received.map(({ headers }) => headers.authorization)).toEqual([
      "Bearer old",
      "Bearer new",
    ]);
  });

  it("is the failure when the next one is refused as well", async () => {
    const { asked, token } = tokens("a", "b", "c");
    const { client, server } = await service(refusing("c"), { token });

    const error = await failureOf(client.call("videos.list", chart), ConnectError);

    expect(error.code).toBe("auth");
    expect(asked).toEqual([undefined, "a"]);
    expect(server.received).toHaveLength(2);
  });

  it("is not sent again when it is the only one", async () => {
    const { client, server } = await service(refusing(), { token: () => "same" });

    await failureOf(client.call("videos.list", chart), ConnectError);

    expect(server.received).toHaveLength(1);
  });

  it("is the failure at once when it was given as a string", async () => {
    const { client, server } = await service(refusing(), { token: "fixed" });

    await failureOf(client.call("videos.list", chart), ConnectError);

    expect(server.received).toHaveLength(1);
  });

  it("is not what a 401 about the account means", async () => {
    const { asked, token } = tokens("old", "new");
    const { client } = await service(reason(401, "youtubeSignupRequired"), { token });

    const error = await failureOf(client.call("videos.list", chart), ConnectError);

    expect(error.code).toBe("no_channel");
    expect(asked).toEqual([undefined]);
  });

  it("passes on why there is no other", async () => {
    const gone = new ConnectError("the grant is gone", { code: "grant_gone" as string });
    const { client } = await service(refusing(), {
      token: (refused) => {
        if (refused !== undefined) throw gone;
        return "old";
      },
    });

    await expect(client.call("videos.list", chart)).rejects.toBe(gone);
  });

  it("is replaced in the address where tokens travel there", async () => {
    const { token } = tokens("old", "new");
    const { client, server } = await service(
      (received, response, count) => {
        const isNew = received.url.searchParams.get("access_token") === "new";
        (isNew ? ok : reason(401, "authError"))(received, response, count);
      },
      { token, tokenIn: "query" },
    );

    await client.call("videos.list", chart);

    expect(server.received.at(-1)?.url.searchParams.getAll("access_token")).toEqual(["new"]);
  });
});

describe("a call that needs a token", () => {
  it.each([
    ["by its method", "playlists.delete", { id: "PL1" }],
    ["by a parameter", "playlists.list", { part: ["id"], mine: true }],
    [
      "by a parameter's value",
      "commentThreads.list",
      { part: ["id"], videoId: "v", moderationStatus: "heldForReview" },
    ],
  ] as const)("sends and books nothing without one (%s)", async (_why, method, params) => {
    const { booked, units } = meter();
    const { baseUrl, server, http } = await bare();
    const client = createVideoClient({ baseUrl, key: "k", http, units });

    const error = await failureOf(client.call(method, params as never), ConnectError);

    expect(error.code).toBe("token_missing");
    expect(server.received).toEqual([]);
    expect(booked).toEqual([]);
  });

  it("is content with a key where the value needs none", async () => {
    const { baseUrl, server, http } = await bare();
    const client = createVideoClient({ baseUrl, key: "k", http });

    await client.call("commentThreads.list", {
      part: ["id"],
      videoId: "v",
      moderationStatus: "published",
    });

    expect(server.received[0]?.url.searchParams.get("key")).toBe("k");
  });

  it("can be left while the token is fetched", async () => {
    const why = new Error("enough");
    const abort = new AbortController();
    const { client, server } = await service(ok, { token: () => new Promise<string>(() => {}) });
    setTimeout(() => abort.abort(why), 20);

    await expect(client.call("videos.list", chart, { signal: abort.signal })).rejects.toBe(why);
    expect(server.received).toEqual([]);
  });

  async function bare() {
    const server = await serve(ok);
    const http = openHttp(fakeTime());
    return { server, http, baseUrl: `${server.url}/v3` };
  }
});

describe("a redirect", () => {
  it.each([301, 302, 303, 307, 308, 304, 300])(
    "is a failure, and nothing goes where it points (%i)",
    async (status) => {
      const other = await serve(ok);
      const { client, server } = await service(
        answering(status, "", { location: `${other.url}/steal` }),
      );

      const error = await failureOf(client.call("playlists.delete", { id: "a" }), ServiceError);

      expect(error.code).toBe("unexpected_answer");
      expect(JSON.stringify([error, error.message])).not.toContain(other.url);
      expect(server.received).toHaveLength(1);
      expect(other.received).toEqual([]);
    },
  );
});

describe("a hostile answer", () => {
  it.each([
    ["JSON that calls itself a page", answering(200, '{"items":[]}')],
    ["a list", answering(200, [1, 2])],
    ["null", answering(200, "null", { "content-type": "application/json" })],
    ["half an object", answering(200, '{"items":[', { "content-type": "application/json" })],
    ["items that are none", answering(200, { items: "all of them" })],
  ])("of %s is a failure of its own", async (_what, answer) => {
    const { client } = await service(answer);

    const error = await failureOf(client.call("videos.list", chart), ServiceError);

    expect([error.code, error.outcome]).toEqual(["unreadable_answer", "nothing"]);
  });

  it.each([
    ["read", "videos.list", chart, "nothing"],
    [
      "written",
      "playlists.insert",
      { part: ["snippet"], body: { snippet: { title: "x" } } },
      "unknown",
    ],
  ] as const)(
    "of HTML is called a web page where something is %s",
    async (_, method, params, outcome) => {
      const { client } = await service(answering(200, "<html>hello</html>"));

      const error = await failureOf(client.call(method, params as never), ServiceError);

      expect([error.code, error.outcome]).toEqual(["web_page_answer", outcome]);
    },
  );

  it.each([
    "application/json",
    "application/json; charset=UTF-8",
    "application/vnd.api+json",
    undefined,
  ])("is not one of type %s", async (type) => {
    const { client } = await service((_received, response) => {
      response.writeHead(200, type === undefined ? {} : { "content-type": type });
      response.end('{"items":[{"id":"v"}]}');
    });

    expect((await client.call("videos.list", chart)).items).toEqual([{ id: "v" }]);
  });

  it("that never ends is cut off", async () => {
    const { client, server } = await service((_received, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      const piece = Buffer.alloc(256 * 1024, " ");
      const more = () => {
        while (response.write(piece));
        if (!response.destroyed) response.once("drain", more);
      };
      more();
    });

    const error = await failureOf(client.call("videos.list", chart), NetworkError);

    expect(error.code).toBe("answer_too_large");
    expect(server.received).toHaveLength(1);
  });

  it("with headers beyond all reason is a cut", async () => {
    const { client } = await service((_received, response) => {
      response.writeHead(200, { "x-absurd": "a".repeat(200_000) }).end("{}");
    });

    const error = await failureOf(client.call("videos.list", chart), NetworkError);

    expect(error.code).toBe("cut");
  });

  it("keeps names like __proto__ where they are", async () => {
    const { client } = await service(
      answering(200, '{"__proto__":{"polluted":true}}', { "content-type": "application/json" }),
    );

    const page = await client.call("videos.list", chart);

    expect(page.items).toEqual([]);
    expect(({} as { polluted?: true }).polluted).toBeUndefined();
  });
});

describe("a download", () => {
  const text = Buffer.from([0, 1, 2, 255, 254]);
  const file: Answering = (_received, response) => {
    response.writeHead(200, { "content-type": "text/vtt" }).end(text);
  };

  it("asks by the id in the path and answers with bytes and type", async () => {
    const { client, server } = await service(file);

    const track = await client.call("captions.download", { id: "a/b?c", tfmt: "vtt", tlang: "de" });

    expect(track).toEqual({ data: new Uint8Array(text), type: "text/vtt" });
    expect(Buffer.isBuffer(track.data)).toBe(false);
    expect(server.received[0]?.url.pathname).toBe("/v3/captions/a%2Fb%3Fc");
    expect(Object.fromEntries(server.received[0]?.url.searchParams ?? [])).toEqual({
      tfmt: "vtt",
      tlang: "de",
    });
    expect(server.received[0]?.headers.accept).toBe("*/*");
  });

  it("has a type when the service names none", async () => {
    const { client } = await service((_received, response) => response.end(text));

    const track = await client.call("captions.download", { id: "a" });

    expect(track.type).toBe("application/octet-stream");
  });

  it("may be larger than any list", async () => {
    const { client } = await service((_received, response) => {
      response.writeHead(200, { "content-type": "text/plain" }).end(Buffer.alloc(9_000_000, "x"));
    });

    const track = await client.call("captions.download", { id: "a" });

    expect(track.data.byteLength).toBe(9_000_000);
  });

  it("is cut off above what a caption file can be", async () => {
    const { client } = await service((_received, response) => {
      response.writeHead(200, { "content-length": String(101 * 1024 * 1024) });
      response.write("x");
    });

    const error = await failureOf(client.call("captions.download", { id: "a" }), NetworkError);

    expect(error.code).toBe("answer_too_large");
  });

  it("is no web page", async () => {
    const { client } = await service(answering(200, "<html>sorry</html>"));

    const error = await failureOf(client.call("captions.download", { id: "a" }), ServiceError);

    expect(error.code).toBe("web_page_answer");
  });

  it("is begun again when it breaks off", async () => {
    const { client } = await service((received, response, count) => {
      if (count > 1) return file(received, response, count);
      response.writeHead(200, { "content-length": "5" });
      response.write("ab", () => response.socket?.destroy());
    });

    const track = await client.call("captions.download", { id: "a" });

    expect(track.data).toEqual(new Uint8Array(text));
  });
});

describe("what a call costs", () => {
  it("is booked before it leaves, by the row", async () => {
    const order: string[] = [];
    const { client } = await service(
      (received, response, count) => {
        order.push("arrived");
        ok(received, response, count);
      },
      {
        units: {
          book: async ({ method, bucket, cost }) => {
            order.push(`booked ${method} ${bucket} ${cost}`);
            return { settle: async () => void order.push("settled") };
          },
        },
      },
    );

    await client.call("search.list", { part: ["snippet"] });

    expect(order).toEqual(["booked search.list searches 1", "arrived", "settled"]);
  });

  it("is not spent when the meter refuses", async () => {
    const refusal = new LimitError("no", { code: "units_reserved" });
    const { client, server } = await service(ok, {
      units: { book: () => Promise.reject(refusal) },
    });

    await expect(client.call("videos.list", chart)).rejects.toBe(refusal);
    expect(server.received).toEqual([]);
  });

  it.each<[string, Answering, Partial<CallResult>]>([
    [
      "each time it arrived",
      (received, response, count) => (count < 3 ? cut : ok)(received, response, count),
      { attempts: 3, exhausted: false },
    ],
    [
      "no answer of a gateway",
      answering(503, "Service Unavailable"),
      { attempts: 0, exhausted: false },
    ],
    ["a refusal as well", answering(404), { attempts: 1, exhausted: false }],
    ["every cut", cut, { attempts: 11, exhausted: false }],
    ["the last of a bucket", reason(403, "quotaExceeded"), { attempts: 1, exhausted: true }],
  ])("is corrected by what happened: %s", async (_what, answer, spending) => {
    const { booked, units } = meter();
    const { client } = await service(answer, { units });

    await client.call("videos.list", chart).catch(() => {});

    expect(booked).toEqual([{ method: "videos.list", bucket: "units", cost: 1, ...spending }]);
  });

  it("is given back when it never left", async () => {
    const { booked, units } = meter();
    const { client, server } = await service(ok, { units });
    await server.close();

    await failureOf(client.call("videos.list", chart), NetworkError);

    expect(booked[0]?.attempts).toBe(0);
  });

  it("is given back by a process that lost the work before it was sent", async () => {
    const { booked, units } = meter();
    const { client, server } = await service(ok, { units });
    const write = () => client.call("playlists.delete", { id: "a" });

    await expect(whileOwned(async () => false, write)).rejects.toThrow(LostError);

    expect(booked[0]?.attempts).toBe(0);
    expect(server.received).toEqual([]);
  });

  it("stays spent when it is aborted on the way", async () => {
    const { booked, units } = meter();
    const { client } = await service(() => {}, { units });

    await client.call("videos.list", chart, { signal: AbortSignal.timeout(30) }).catch(() => {});

    expect(booked).toEqual([{ method: "videos.list", bucket: "units", cost: 1 }]);
  });

  it("is not spent by what was aborted before it left", async () => {
    const { booked, units } = meter();
    const { client } = await service(ok, { units });
    const why = new Error("enough");

    const call = client.call("videos.list", chart, { signal: AbortSignal.abort(why) });

    await expect(call).rejects.toBe(why);
    expect(booked).toEqual([]);
  });

  it("is booked for each page and each part of a split list", async () => {
    const { booked, units } = meter();
    const { client } = await service(ok, { units });

    await client.call("videos.list", {
      part: ["id"],
      id: Array.from({ length: 120 }, (_, index) => `v${index}`),
    });

    expect(booked).toHaveLength(3);
  });
});

describe("a bucket that is empty for today", () => {
  const gone = reason(403, "quotaExceeded");

  it("is not asked again before midnight in Los Angeles", async () => {
    const { client, server, time } = await service((received, response, count) =>
      (count === 1 ? gone : ok)(received, response, count),
    );
    const first = await failureOf(client.call("videos.list", chart), LimitError);

    const second = await failureOf(client.call("playlists.delete", { id: "a" }), LimitError);

    const midnight = new Date("2026-01-16T08:00:00Z");
    expect([first.code, second.code]).toEqual(["quota_exceeded", "quota_exceeded"]);
    expect([first.retryAt, second.retryAt]).toEqual([midnight, midnight]);
    expect(server.received).toHaveLength(1);
    time.advance(midnight.getTime() - time.now());
    await client.call("videos.list", chart);
    expect(server.received).toHaveLength(2);
  });

  it("does not empty the others", async () => {
    const { client, server } = await service((received, response, count) =>
      (count === 1 ? gone : ok)(received, response, count),
    );
    await failureOf(client.call("search.list", { part: ["snippet"] }), LimitError);

    await client.call("videos.list", chart);

    expect(server.received).toHaveLength(2);
  });

  it("is remembered by a client of its own alone", async () => {
    const { client } = await service(gone);
    const other = await service(ok);
    await failureOf(client.call("videos.list", chart), BotError);

    await expect(other.client.call("videos.list", chart)).resolves.toEqual({ items: [] });
  });

  it("is left to the meter where there is one", async () => {
    const { units } = meter();
    const { client, server } = await service(gone, { units });
    await failureOf(client.call("videos.list", chart), LimitError);

    await failureOf(client.call("videos.list", chart), LimitError);

    expect(server.received).toHaveLength(2);
  });
});
