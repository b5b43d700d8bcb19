import { describe, expect, it } from "vitest";
import {
  createRequestCounts,
  type RequestLimits,
} from "../../../src/web/listener/request-limiter.ts";

const limits = { visitor: 120, all: 6_000 };
/** Visitors that each have a provider of their own. */
const visitor = (n: number) => `${1 + (n >> 8)}.${n & 255}.0.1`;
/** Networks (/64) within one /48. */
const subnet = (n: number) => `2001:db8:7:${n.toString(16)}`;

function createLimiter(limits: RequestLimits, now: () => number) {
  const count = createRequestCounts(limits, now);
  return (from: string | undefined) => count(from) === undefined;
}

describe("createRequestCounts", () => {
  it("lets each visitor have their own minute's worth", () => {
    let now = 60_000;
    const admits = createLimiter({ visitor: 2, all: 100 }, () => now);
    const [one, other] = [visitor(1), visitor(2)];

    expect([admits(one), admits(one), admits(one), admits(other)]).toEqual([
      ...[true, true, false],
      true,
    ]);

    now += 60_000;
    expect(admits(one)).toBe(true);
  });

  it("takes nothing from the others for what one is refused", () => {
    const admits = createLimiter({ visitor: 2, all: 10 }, () => 0);

    for (let tries = 0; tries < 1_000; tries += 1) admits(visitor(1));

    expect(admits(visitor(2))).toBe(true);
  });

  it("lets no more in than all may have, whoever they are", () => {
    const admits = createLimiter({ visitor: 10, all: 5 }, () => 0);
    const admitted = Array.from({ length: 50 }, (_, at) =>
      admits(at % 2 ? visitor(at) : undefined),
    );

    expect(admitted.filter((each) => each)).toHaveLength(5);
  });

  it("leaves each visitor enough for a link when others use up what all may have", () => {
    const admits = createLimiter({ visitor: 120, all: 600 }, () => 0);
    for (let request = 0; request < 6_000; request += 1) admits(visitor(request % 50));
    for (let request = 0; request < 600; request += 1) admits(undefined);

    const admitted = Array.from({ length: 20 }, () => admits(visitor(99)));

    expect(admitted).toEqual([...Array(10).fill(true), ...Array(10).fill(false)]);
    expect([admits(visitor(1)), admits(undefined)]).toEqual([false, false]);
  });

  it.each([
    ["a /56", (n: number) => subnet(n % 256), 240],
    ["a /48", subnet, 480],
    ["a /24 of IPv4", (n: number) => `198.51.100.${n % 256}`, 480],
  ])("lets %s have no more than a few visitors' worth", (_, addressOf, most) => {
    const admits = createLimiter(limits, () => 0);

    const admitted = Array.from({ length: 10_300 }, (_each, n) => admits(addressOf(n)));

    expect(admitted.filter(Boolean)).toHaveLength(most);
    const others = Array.from({ length: 120 }, () => admits(visitor(1)));
    expect(others).not.toContain(false);
  });

  it("takes nothing from others when a provider's whole network floods it", () => {
    const admits = createLimiter(limits, () => 0);
    for (let n = 0; n < 65_536; n += 1) admits(`2001:db8:${n.toString(16)}:1`);

    const elsewhere = Array.from({ length: 120 }, () => admits("2a02:1:7:1"));

    expect(elsewhere).not.toContain(false);
    expect(Array.from({ length: 120 }, () => admits(visitor(1)))).not.toContain(false);
    expect(admits(undefined)).toBe(true);
  });

  it("counts by larger networks where there are too many small ones", () => {
    const admits = createLimiter({ visitor: 1, all: 1_000_000 }, () => 0);
    for (let at = 0; at < 10_000; at += 1) admits(visitor(at));
    const late = Array.from({ length: 8 }, (_, n) => `220.1.0.${n}`);

    expect(admits(visitor(1))).toBe(false);
    expect(late.map((address) => admits(address))).not.toContain(false);
  });
});
