import { describe, expect, it } from "vitest";
import { createPacer } from "../../src/background/index.ts";
import { megapixelCost } from "../../src/background/pace/rate-window.ts";
import { LimitError } from "../../src/errors.ts";
import { failureOf, fakeTime } from "../http/server.ts";

describe("megapixelCost", () => {
  it.each([
    [undefined, 1],
    [0, 1],
    [0.17, 1],
    [1, 1],
    [1.01, 2],
    [49.2, 50],
    [-3, 1],
    [Number.NaN, 1],
  ])("counts %s megapixels as %i", (megapixels, cost) => {
    expect(megapixelCost(megapixels)).toBe(cost);
  });
});

describe("createPacer", () => {
  it("admits 500 megapixels at once and the next one a minute after the first", async () => {
    const time = fakeTime();
    const pacer = createPacer(time);

    await pacer.admit({ megapixels: 50 });
    time.advance(10_000);
    for (let call = 0; call < 9; call += 1) (await pacer.admit({ megapixels: 50 })).end();
    expect(time.waits).toEqual([]);
    await pacer.admit();

    expect(time.waits).toEqual([50_000]);
  });

  it("starts a new window with the first call after the last one's end", async () => {
    const time = fakeTime();
    const pacer = createPacer(time);

    await pacer.admit({ megapixels: 500 });
    time.advance(90_000);
    await pacer.admit({ megapixels: 500 });
    await pacer.admit();

    expect(time.waits).toEqual([60_000]);
  });

  it("lets a picture of more than a minute's worth start when the window is fresh", async () => {
    const time = fakeTime();
    const pacer = createPacer(time);
    await pacer.admit();

    await pacer.admit({ megapixels: 700 });

    expect(time.waits).toEqual([60_000]);
  });

  it("keeps the order of asking", async () => {
    const time = fakeTime();
    const pacer = createPacer(time);
    const order: string[] = [];

    await pacer.admit({ megapixels: 499 });
    await Promise.all([
      pacer.admit({ megapixels: 50 }).then(() => order.push("large")),
      pacer.admit({ megapixels: 1 }).then(() => order.push("small")),
    ]);

    expect(order).toEqual(["large", "small"]);
  });

  it("takes over what the service says is left, and when that ends", async () => {
    const time = fakeTime();
    const pacer = createPacer(time);
    await pacer.admit();

    pacer.correct({ limit: 500, remaining: 2, resetAt: new Date(time.now() + 25_000) });
    await pacer.admit({ megapixels: 3 });

    expect(time.waits).toEqual([25_000]);
  });

  it("does not believe a figure that forgets calls on their way", async () => {
    const time = fakeTime();
    const pacer = createPacer(time);
    await pacer.admit({ megapixels: 495 });

    pacer.correct({ limit: 500, remaining: 500, resetAt: new Date(time.now() + 60_000) });
    await pacer.admit({ megapixels: 6 });

    expect(time.waits).toEqual([60_000]);
  });

  it("takes over another limit from the next window on", async () => {
    const time = fakeTime();
    const pacer = createPacer(time);
    await pacer.admit();
    pacer.correct({ limit: 1_000, remaining: 999, resetAt: new Date(time.now() + 60_000) });
    time.advance(60_000);

    await pacer.admit({ megapixels: 900 });

    expect(time.waits).toEqual([]);
  });

  it.each([
    ["an earlier window", -1_000],
    ["a clock that is far off", 3_600_000],
  ])("ignores an answer of %s", async (_what, offset) => {
    const time = fakeTime();
    const pacer = createPacer(time);
    await pacer.admit();

    pacer.correct({ limit: 500, remaining: 0, resetAt: new Date(time.now() + offset) });
    await pacer.admit();

    expect(time.waits).toEqual([]);
  });

  it("refuses at once what would start after its deadline, and goes on with the others", async () => {
    const time = fakeTime();
    const pacer = createPacer(time);
    const start = time.now();
    await pacer.admit({ megapixels: 500 });

    const error = await failureOf(pacer.admit({ deadlineAt: start + 59_999 }), LimitError);
    await pacer.admit({ deadlineAt: start + 60_000 });

    expect(error.code).toBe("busy");
    expect(error.retryAt?.getTime()).toBe(start + 60_000);
    expect(time.waits).toEqual([60_000]);
  });

  it("lets the aborted go while others are ahead, and takes nothing for them", async () => {
    let release = () => {};
    const time = fakeTime();
    const sleep = (ms: number) =>
      new Promise<void>((resolve) => {
        release = () => {
          time.advance(ms);
          resolve();
        };
      });
    const pacer = createPacer({ now: time.now, sleep });
    const abort = new AbortController();
    await pacer.admit({ megapixels: 500 });

    const first = pacer.admit({ megapixels: 499 });
    const second = pacer.admit({ megapixels: 499, signal: abort.signal });
    const third = pacer.admit({ megapixels: 1 });
    const reason = new Error("changed my mind");
    abort.abort(reason);
    await expect(second).rejects.toBe(reason);
    release();
    await Promise.all([first, third]);

    expect(time.now()).toBe(fakeTime().now() + 60_000);
  });

  it("stops waiting when it is aborted", async () => {
    const pacer = createPacer();
    const abort = new AbortController();
    await pacer.admit({ megapixels: 500 });

    const waiting = pacer.admit({ signal: abort.signal });
    setTimeout(() => abort.abort(new Error("enough")), 20);

    await expect(waiting).rejects.toThrow("enough");
  });
});
