import { describe, expect, it } from "vitest";
import {
  type CreditAccountOptions,
  createCreditAccount,
} from "../../../src/sandbox/background/credit-account.ts";

const clock = (): { now: () => number; pass: (ms: number) => void } => {
  let time = 1_000_000;
  return {
    now: () => time,
    pass: (ms) => {
      time += ms;
    },
  };
};

const open = (credits: number, options: Partial<CreditAccountOptions> = {}) =>
  createCreditAccount({ credits, now: Date.now, ...options });

describe("createCreditAccount", () => {
  it.each([
    ["preview", 40_000_000, 0.25],
    ["small", 1_000_000, 0.25],
    ["regular", 1_000_000, 0.25],
    ["medium", 100_000, 1],
    ["full", 100_000, 1],
    ["50MP", 100_000, 1],
    ["auto", 250_000, 0.25],
    ["auto", 250_001, 1],
  ] as const)("charges size %s of %i pixels %f credits", (size, pixels, cost) => {
    expect(open(5).charge(size, pixels).credits).toBe(cost);
  });

  it("refuses with 402 when the credits don't suffice", () => {
    const ledger = open(1);
    ledger.charge("preview", 1);

    expect(() => ledger.charge("full", 1)).toThrow(
      expect.objectContaining({ status: 402, complaints: [{ title: "Insufficient credits" }] }),
    );
  });

  it("gives back what a failed call took", () => {
    const ledger = open(1);
    ledger.refund(ledger.charge("full", 1));

    expect(ledger.charge("full", 1).credits).toBe(1);
  });

  it("counts megapixels rounded up, at least one a call", () => {
    const ledger = open(1);
    ledger.admit(166_500);

    expect(ledger.admit(2_000_001)?.remaining).toBe(500 - 1 - 3);
  });

  it("starts the minute with the first call", () => {
    const { now, pass } = clock();
    const ledger = open(1, { now });
    const first = ledger.admit(1);
    pass(59_999);
    const last = ledger.admit(1);
    pass(1);
    const fresh = ledger.admit(1);

    expect([first?.reset, last?.reset, fresh?.reset]).toEqual([1060, 1060, 1120]);
    expect(fresh?.remaining).toBe(499);
  });

  it("says how long to wait when the minute is used up", () => {
    const { now, pass } = clock();
    const ledger = open(1, { now });
    for (let i = 0; i < 10; i++) ledger.admit(50_000_000);
    pass(20_500);

    expect(() => ledger.admit(1)).toThrow(
      expect.objectContaining({ status: 429, headers: { "Retry-After": "40" } }),
    );
  });

  it("has no rate limit when it is to have none", () => {
    const ledger = open(1, { megapixelsPerMinute: Number.POSITIVE_INFINITY });

    expect(Array.from({ length: 30 }, () => ledger.admit(50_000_000))).toEqual(
      Array(30).fill(undefined),
    );
  });

  it("spends the subscription before what was bought, and gives both back where they came from", () => {
    const ledger = open(10.25);
    const before = account(ledger);
    const small = ledger.charge("preview", 1);
    const large = ledger.charge("full", 1);
    const after = account(ledger);
    ledger.refund(large);
    ledger.refund(small);

    expect(before).toMatchObject({ total: 10.25, subscription: 0.25, payg: 10 });
    expect(after).toMatchObject({ total: 9, subscription: 0, payg: 9 });
    expect(account(ledger)).toEqual(before);
  });

  it("makes do with a preview for size auto when there is no whole credit left", () => {
    const ledger = open(0.5);

    expect(ledger.charge("auto", 4_000_000)).toMatchObject({ size: "preview", credits: 0.25 });
    expect(() => ledger.charge("full", 4_000_000)).toThrow("Insufficient credits");
  });

  it("gives the first previews of each month away", () => {
    const { now, pass } = clock();
    const ledger = open(2, { freeCalls: 2, now });
    const costs = ["full", "preview", "auto", "preview"] as const;
    const charged = costs.map((size) => ledger.charge(size, 100_000).credits);
    const left = freeCalls(ledger);
    pass(31 * 86_400_000);

    expect(charged).toEqual([1, 0, 0, 0.25]);
    expect([left, freeCalls(ledger)]).toEqual([0, 2]);
  });

  it("gives a free call back when it failed", () => {
    const ledger = open(0, { freeCalls: 1 });
    ledger.refund(ledger.charge("preview", 1));

    expect(freeCalls(ledger)).toBe(1);
  });

  it("charges nothing on an account without an end", () => {
    const ledger = open(Number.POSITIVE_INFINITY);

    expect(ledger.charge("50MP", 50_000_000).credits).toBe(0);
    expect(account(ledger)).toMatchObject({ total: 1_000_000 });
  });
});

function attributes(ledger: ReturnType<typeof open>): {
  readonly credits: object;
  readonly api: { readonly free_calls: number };
} {
  return (ledger.account() as { data: { attributes: ReturnType<typeof attributes> } }).data
    .attributes;
}

function account(ledger: ReturnType<typeof open>): object {
  return attributes(ledger).credits;
}

function freeCalls(ledger: ReturnType<typeof open>): number {
  return attributes(ledger).api.free_calls;
}
