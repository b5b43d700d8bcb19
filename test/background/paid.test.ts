import { describe, expect, it } from "vitest";
import { createKeyAllowance, type Removal } from "../../src/background/index.ts";
import type { CallResult, SpendingMeter } from "../../src/budget/index.ts";
import { type BotError, ConnectError, LimitError, NetworkError } from "../../src/errors.ts";
import { createHttp } from "../../src/http/index.ts";
import { LostError, whileOwned } from "../../src/ownership.ts";
import { type Answering, answering, cut, failureOf, startServer } from "../http/server.ts";
import { createClock } from "./clock.ts";
import { account, picture, png, pngOf, serve } from "./wire.ts";

const imageUrl = "https://example.com/a.png";
const gone = answering(402, { errors: [{ title: "Insufficient credits" }] });

/** A stand-in without credits until a test buys some. */
function shop() {
  const state = { credits: 0, freeCalls: 0, asked: 0, cutOuts: 0, refuses: false };
  const answer: Answering = (received, response, count) => {
    if (received.url.pathname.endsWith("/account")) {
      state.asked += 1;
      const respond = state.refuses
        ? answering(403, { errors: [{ code: "auth_failed" }] })
        : answering(200, account(state.credits, state.freeCalls));
      return respond(received, response, count);
    }
    state.cutOuts += 1;
    return (state.credits > 0 || state.freeCalls > 0 ? picture : gone)(received, response, count);
  };
  return { state, answer };
}

async function codeOf(promise: Promise<Removal>): Promise<string> {
  return promise.then(
    () => "done",
    (error: BotError) => error.code,
  );
}

describe("once the credits are gone", () => {
  it("nothing is sent with the key, by any client, until the account shows enough", async () => {
    const { state, answer } = shop();
    const { client, time } = await serve(answer);
    const cutOut = (tenant: string) => codeOf(client({ tenant }).removeBackground({ imageUrl }));

    expect(await cutOut("a")).toBe("credits_gone");
    expect(await cutOut("b")).toBe("credits_gone");
    expect(state).toMatchObject({ cutOuts: 1, asked: 1 });

    expect(await Promise.all(["a", "b", "c"].map(cutOut))).toEqual(Array(3).fill("credits_gone"));
    expect(state).toMatchObject({ cutOuts: 1, asked: 1 });

    state.credits = 5;
    time.advance(999);
    expect(await cutOut("a")).toBe("credits_gone");
    time.advance(1);
    expect(await Promise.all(["a", "b", "c"].map(cutOut))).toEqual(Array(3).fill("done"));
    expect(state).toMatchObject({ cutOuts: 4, asked: 2 });
  });

  it("the account is asked after growing gaps, and soon again after a quiet minute", async () => {
    const { state, answer } = shop();
    const { client, time } = await serve(answer);
    const cutOut = () => codeOf(client().removeBackground({ imageUrl }));
    const askedAfter = async (ms: number) => {
      time.advance(ms - 1);
      await cutOut();
      const before = state.asked;
      time.advance(1);
      await cutOut();
      return [before, state.asked];
    };
    await cutOut();
    await cutOut();

    for (const [at, gap] of [1, 2, 4, 8, 16, 30, 30].entries()) {
      expect(await askedAfter(gap * 1_000)).toEqual([at + 1, at + 2]);
    }
    time.advance(60_000);
    await cutOut();
    expect(await askedAfter(1_000)).toEqual([9, 10]);
  });

  it("those who wait for their turn are not sent either, and take nothing from the minute", async () => {
    const { state, answer } = shop();
    const { client } = await serve(answer);
    const { removeBackground } = client();

    const codes = await Promise.all(
      Array.from({ length: 60 }, () => codeOf(removeBackground({ imageUrl, megapixels: 25 }))),
    );

    expect(new Set(codes)).toEqual(new Set(["credits_gone"]));
    // As many as were under way at the same time.
    expect(state.cutOuts).toBeLessThanOrEqual(8);
  });

  it.each([
    ["a preview", { size: "preview" }, 0.25, 0, "done"],
    ["a small one", { size: "small" }, 0.25, 0, "done"],
    ["a small picture in its own size", { size: "auto", megapixels: 0.25 }, 0.25, 0, "done"],
    ["a preview by a free call", { size: "preview" }, 0, 1, "done"],
    ["a full one with less than a credit", { size: "full" }, 0.75, 0, "credits_gone"],
    ["a full one by a free call", { size: "full" }, 0, 1, "credits_gone"],
    ["a larger picture in its own size", { megapixels: 0.26 }, 0.25, 0, "credits_gone"],
    ["a picture of unknown size", {}, 0.25, 0, "credits_gone"],
    ["a preview with too little", { size: "preview" }, 0.2, 0, "credits_gone"],
  ] as const)(
    "%s goes when what is left is enough for it",
    async (_, wish, credits, freeCalls, code) => {
      const { state, answer } = shop();
      const { client } = await serve(answer);
      const { removeBackground } = client();
      await codeOf(removeBackground({ imageUrl }));
      Object.assign(state, { credits, freeCalls });

      expect(await codeOf(removeBackground({ imageUrl, ...wish }))).toBe(code);
      expect(state.asked).toBe(1);
    },
  );

  it("the size of a picture decides what it costs", async () => {
    const { state, answer } = shop();
    const { client } = await serve(answer);
    const { removeBackground } = client();
    await codeOf(removeBackground({ imageUrl }));
    state.credits = 0.25;

    expect(await codeOf(removeBackground({ image: pngOf(501, 500) }))).toBe("credits_gone");
    expect(await codeOf(removeBackground({ image: pngOf(500, 500) }))).toBe("done");
  });

  it("a balance that somebody looked at counts, and need not be asked for", async () => {
    const { state, answer } = shop();
    const { client } = await serve(answer);
    await codeOf(client().removeBackground({ imageUrl }));
    state.credits = 3;

    await client().account();

    expect(await codeOf(client().removeBackground({ imageUrl }))).toBe("done");
    expect(state.asked).toBe(1);
  });

  it("a second refusal closes again, and the account is not asked more often", async () => {
    const { state, answer } = shop();
    const { client } = await serve((received, response, count) => {
      // The balance lags behind.
      if (received.url.pathname.endsWith("/account")) state.credits = 5;
      answer(received, response, count);
      state.credits = 0;
    });
    const cutOut = () => codeOf(client().removeBackground({ imageUrl }));

    expect([await cutOut(), await cutOut(), await cutOut(), await cutOut()]).toEqual(
      Array(4).fill("credits_gone"),
    );
    expect(state).toMatchObject({ asked: 1, cutOuts: 2 });
  });

  it("a balance that was read before the refusal does not count", async () => {
    const { state, answer } = shop();
    state.credits = 5;
    const release: (() => void)[] = [];
    const { client, time } = await serve((received, response, count) => {
      if (!received.url.pathname.endsWith("/account")) return answer(received, response, count);
      state.asked += 1;
      release.push(() => answering(200, account(5))(received, response, count));
    });
    const reading = client().account();
    while (release.length === 0) await new Promise(setImmediate);
    state.credits = 0;
    time.advance(1);

    expect(await codeOf(client().removeBackground({ imageUrl }))).toBe("credits_gone");
    release[0]?.();
    await reading;

    expect(await codeOf(client().removeBackground({ imageUrl }))).toBe("credits_gone");
    expect(state.cutOuts).toBe(1);
  });

  it("a refused key is reported as that", async () => {
    const { state, answer } = shop();
    const { client } = await serve(answer);
    await codeOf(client().removeBackground({ imageUrl }));
    state.refuses = true;

    await failureOf(client().removeBackground({ imageUrl }), ConnectError);

    expect(state.cutOuts).toBe(1);
  });

  it("who gives up while the account is asked does not end it for the others", async () => {
    const { state, answer } = shop();
    const { client } = await serve((received, response, count) => {
      if (!received.url.pathname.endsWith("/account")) return answer(received, response, count);
      setTimeout(() => answer(received, response, count), 50);
    });
    await codeOf(client().removeBackground({ imageUrl }));
    state.credits = 5;
    const abort = new AbortController();

    const first = client().removeBackground({ imageUrl }, { signal: abort.signal });
    const second = codeOf(client().removeBackground({ imageUrl }));
    abort.abort(new Error("changed my mind"));

    await expect(first).rejects.toThrow("changed my mind");
    expect(await second).toBe("done");
    expect(state.asked).toBe(1);
  });
});

/** A stand-in and clients with one key, on a clock that moves by itself, though never while a request is on its way. */
async function held(answer: Answering) {
  const server = await startServer(answer);
  const clock = createClock();
  const allowance = createKeyAllowance(clock);
  const http = createHttp({ ...clock, random: () => 0.5 });
  const { createBackgroundClient } = await import("../../src/background/index.ts");
  const client = createBackgroundClient({
    baseUrl: server.url,
    apiKey: "the-key",
    http,
    allowance,
    now: clock.now,
  });
  const close = async () => {
    await http.close();
    await server.close();
  };
  return { server, clock, client, allowance, close };
}

describe("a 429", () => {
  it.each([
    [{ "retry-after": "20" }, 20_000],
    [{ "retry-after": "0" }, 1_000],
    [{}, 60_000],
    [{ "retry-after": "nonsense" }, 60_000],
  ])("with %j holds the whole key for its time, for everybody", async (headers, ms) => {
    const { server, clock, client, allowance, close } = await held((received, response, count) =>
      (count === 1 ? answering(429, {}, headers) : picture)(received, response, count),
    );
    const start = clock.now();
    const arrived: number[] = [];
    const done = (name: number) => () => arrived.push(name);

    const first = client.removeBackground({ imageUrl }).then(done(1));
    while ((await allowance.pacer.heldUntil()) === undefined) await new Promise(setImmediate);
    const others = [2, 3].map((n) => client.removeBackground({ imageUrl }).then(done(n)));
    const error = await failureOf(client.account(), LimitError);
    await new Promise((resolve) => setTimeout(resolve, 50));

    expect(server.received).toHaveLength(1);
    expect(error.code).toBe("rate_limited");
    expect(error.retryAt?.getTime()).toBe(start + ms);
    const all = Promise.all([first, ...others]);
    await clock.run();
    await all;
    expect(clock.now()).toBe(start + ms);
    expect(server.received).toHaveLength(4);
    expect(arrived).toHaveLength(3);
    await close();
  });

  it("never backs off, however often it comes", async () => {
    const { client, time, received } = await serve((received, response, count) =>
      (count <= 5 ? answering(429, {}, { "retry-after": "7" }) : picture)(
        received,
        response,
        count,
      ),
    );

    await client().removeBackground({ imageUrl });

    expect(time.waits).toEqual([7_000, 7_000, 7_000, 7_000, 7_000]);
    expect(received).toHaveLength(6);
  });

  it("is given up when the deadline comes first, and says when it is over", async () => {
    const { client, time, received } = await serve(answering(429, {}, { "retry-after": "500" }));
    const start = time.now();

    const error = await failureOf(client().removeBackground({ imageUrl }), LimitError);

    expect(error.code).toBe("rate_limited");
    expect(error.retryAt?.getTime()).toBe(start + 1_000_000);
    expect(received).toHaveLength(2);
  });

  it("to the account holds the key too", async () => {
    const { client, allowance, time } = await serve(answering(429, {}, { "retry-after": "9" }));

    const error = await failureOf(client().account(), LimitError);

    expect(error.retryAt?.getTime()).toBe(time.now() + 9_000);
    expect(await allowance.pacer.heldUntil()).toBe(time.now() + 9_000);
  });
});

describe("a 5xx", () => {
  const down =
    (times: number, then: Answering): Answering =>
    (received, response, count) =>
      (count <= times ? answering(503, "<html>") : then)(received, response, count);

  it("is tried again after growing waits, then reported", async () => {
    const { client, time, received } = await serve(down(9, picture));

    const error = await failureOf(client().removeBackground({ imageUrl }), Error);

    expect(error).toMatchObject({ code: "service_unavailable", outcome: "unknown" });
    expect(time.waits).toEqual([1_500, 3_000]);
    expect(received).toHaveLength(3);
  });

  it("waits as long as the service asks", async () => {
    const { client, time } = await serve((received, response, count) =>
      (count === 1 ? answering(503, "", { "retry-after": "12" }) : picture)(
        received,
        response,
        count,
      ),
    );

    await client().removeBackground({ imageUrl });

    expect(time.waits).toEqual([12_000]);
  });

  it("each repeat is paced like any other call", async () => {
    const { client, time } = await serve(down(2, picture));

    await client().removeBackground({ imageUrl, megapixels: 400 });

    // 400 of the 500 megapixels a minute are used up at once: each of the two repeats waits for the next minute.
    expect(time.waits.reduce((sum, wait) => sum + wait, 0)).toBe(120_000);
  });

  it("makes a cut after it no cheaper", async () => {
    const { client, received } = await serve(down(1, cut));

    const error = await failureOf(client().removeBackground({ imageUrl }), NetworkError);

    expect([error.code, error.outcome]).toEqual(["result_lost", "unknown"]);
    expect(received).toHaveLength(2);
  });

  it("leaves open what was charged when the service can't be reached any more", async () => {
    const { client, server } = await serve(async (received, response, count) => {
      answering(503, "", { connection: "close" })(received, response, count);
      await server.close();
    });

    const error = await failureOf(client().removeBackground({ imageUrl }), NetworkError);

    expect([error.code, error.outcome]).toEqual(["result_lost", "unknown"]);
  });
});

describe("calls under way", () => {
  it("are eight at most, and their ends let others in", async () => {
    let running = 0;
    let most = 0;
    const full = Promise.withResolvers<void>();
    const { client } = await serve(async (received, response, count) => {
      running += 1;
      most = Math.max(most, running);
      if (running === 8) full.resolve();
      await full.promise;
      setTimeout(() => {
        running -= 1;
        picture(received, response, count);
      }, 5);
    });

    await Promise.all(Array.from({ length: 40 }, () => client().removeBackground({ imageUrl })));

    expect(most).toBe(8);
  });

  it("take turns by tenant, whichever client they come from", async () => {
    const order: string[] = [];
    const { client } = await serve((received, response, count) => {
      order.push(received.body.toString().includes("modest") ? "modest" : "greedy");
      setTimeout(() => picture(received, response, count), 5);
    });
    const cutOut = (tenant: string) =>
      client({ tenant }).removeBackground({ imageUrl: `https://example.com/${tenant}.png` });

    const greedy = Array.from({ length: 40 }, () => cutOut("greedy"));
    await Promise.all([...greedy, cutOut("modest")]);

    expect(order.indexOf("modest")).toBeLessThan(10);
  });

  it("pace by what the picture itself measures", async () => {
    const { client, time } = await serve();
    const { removeBackground } = client();

    await removeBackground({ image: pngOf(10_000, 5_000) });
    await removeBackground({ imageUrl, megapixels: 450 });
    expect(time.waits).toEqual([]);
    await removeBackground({ image: pngOf(100, 100) });

    expect(time.waits).toEqual([60_000]);
  });

  it("that are given up leave at once", async () => {
    const { client, allowance, time } = await serve((_received, _response) => {});
    const abort = new AbortController();

    const call = client().removeBackground({ imageUrl }, { signal: abort.signal });
    setTimeout(() => abort.abort(new Error("changed my mind")), 20);

    await expect(call).rejects.toThrow("changed my mind");
    allowance.pacer.hold(time.now());
  });
});

describe("what a cut-out is booked with", () => {
  /** A meter that records how bookings were settled. */
  function meter() {
    const settled: CallResult[] = [];
    const credits: SpendingMeter = {
      book: async () => ({ settle: async (result) => void settled.push(result) }),
    };
    return { settled, credits };
  }

  it("is nothing in a process that lost the work before it was sent", async () => {
    const { settled, credits } = meter();
    const { client, received } = await serve();
    const cutOut = () => client({ credits }).removeBackground({ imageUrl });

    await expect(whileOwned(async () => false, cutOut)).rejects.toThrow(LostError);

    expect(settled).toEqual([{ attempts: 0 }]);
    expect(received).toEqual([]);
  });

  const charging =
    (credits: string): Answering =>
    (_received, response) => {
      const headers = { "content-type": "image/png", "x-credits-charged": credits };
      response.writeHead(200, headers).end(png);
    };

  it.each([
    ["what the service charged", charging("0.25"), { attempts: 1, charged: 0.25 }],
    ["its price, if the service does not say", picture, { attempts: 1 }],
    [
      "nothing, if it was refused",
      answering(400, { errors: [{ code: "unknown_foreground" }] }),
      { attempts: 0 },
    ],
    ["nothing, while the service is down", answering(503, ""), { attempts: 0 }],
    ["its price, if the answer was lost", cut, { attempts: 1 }],
  ] as const)("stays %s", async (_, answer, result) => {
    const { settled, credits } = meter();
    const { client } = await serve(answer);

    await client({ credits })
      .removeBackground({ imageUrl })
      .catch(() => undefined);

    expect(settled).toEqual([result]);
  });

  it("stays its price if it is cancelled on its way, and nothing if it was before", async () => {
    const { settled, credits } = meter();
    const abort = new AbortController();
    const { client } = await serve(() => abort.abort(new Error("cancelled")));
    const { removeBackground } = client({ credits });
    const request = { imageUrl };

    await removeBackground(request, { signal: abort.signal }).catch(() => undefined);
    await removeBackground(request, { signal: abort.signal }).catch(() => undefined);

    expect(settled).toEqual([{ attempts: 1 }, { attempts: 0 }]);
  });
});
