import { describe, expect, it } from "vitest";
import { createRequestLimiter } from "../../../src/web/listener/http-listener.ts";

describe("createTraffic", () => {
  it("lets each visitor have their own minute's worth", () => {
    let now = 60_000;
    const admits = createRequestLimiter({ visitor: 2, all: 100 }, () => now);

    expect([admits("a"), admits("a"), admits("a"), admits("b")]).toEqual([true, true, false, true]);

    now += 60_000;
    expect(admits("a")).toBe(true);
  });

  it("takes nothing from the others for what one is refused", () => {
    const admits = createRequestLimiter({ visitor: 2, all: 10 }, () => 0);

    for (let tries = 0; tries < 1_000; tries += 1) admits("a");

    expect(admits("b")).toBe(true);
  });

  it("lets no more in than all may have, whoever they are", () => {
    const admits = createRequestLimiter({ visitor: 10, all: 5 }, () => 0);
    const admitted = Array.from({ length: 50 }, (_, at) => admits(at % 2 ? `v${at}` : undefined));

    expect(admitted.filter((each) => each)).toHaveLength(5);
  });

  it("leaves each visitor enough for a link when others use up what all may have", () => {
    const admits = createRequestLimiter({ visitor: 120, all: 600 }, () => 0);
    for (let request = 0; request < 6_000; request += 1) admits(`v${request % 50}`);
    for (let request = 0; request < 600; request += 1) admits(undefined);

    const admitted = Array.from({ length: 20 }, () => admits("late"));

    expect(admitted).toEqual([...Array(10).fill(true), ...Array(10).fill(false)]);
    expect([admits("v1"), admits(undefined)]).toEqual([false, false]);
  });

  it("remembers ten thousand visitors and goes on", () => {
    const admits = createRequestLimiter({ visitor: 1, all: 1_000_000 }, () => 0);

    for (let at = 0; at < 10_000; at += 1) admits(`v${at}`);

    expect([admits("v1"), admits("late"), admits("late")]).toEqual([false, true, true]);
  });
});
