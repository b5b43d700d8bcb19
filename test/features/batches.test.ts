import { describe, expect, it } from "vitest";
import {
  AccessError,
  type BotError,
  ConnectError,
  InputError,
  LimitError,
  NetworkError,
  ServiceError,
} from "../../src/errors.ts";
import {
  concernsWholeBatch,
  isRefusedForGood,
  mayBatchGoOn,
} from "../../src/features/batches/index.ts";

const refused = new InputError("", { code: "could_not_convert" });
const unforeseen = new InputError("", { code: "conflict", facts: { said: "No." } });
const forbidden = new AccessError("", { code: "forbidden" });
const down = new ServiceError("", { code: "service_unavailable" });
const cut = new NetworkError("", { code: "cut" });
const throttled = new LimitError("", { code: "rate_limited" });
const quota = new LimitError("", { code: "quota_exceeded", facts: { bucket: "units" } });
const unlinked = new ConnectError("", { code: "auth" });
const stopped = new InputError("", { code: "cancelled" });

describe("a failure in a batch", () => {
  /**
   * After how many such failures in a row the batch stops, and whether a failed entry is left out when the rest is
   * tried again.
   */
  const table: readonly (readonly [BotError, number, boolean])[] = [
    [refused, Number.POSITIVE_INFINITY, true],
    [unforeseen, 3, true],
    [forbidden, 3, true],
    [down, 3, false],
    [cut, 3, false],
    [throttled, 3, false],
    [quota, 1, false],
    [unlinked, 1, false],
    [stopped, 1, false],
  ];

  it.each(table)("of %s stops it after %s", (error, most, isForGood) => {
    const rows = [1, 2, 3, 4].map((count) => Array.from({ length: count }, () => error));

    const stops = rows.filter((inRow) => !mayBatchGoOn(inRow)).map(({ length }) => length);

    expect(stops[0] ?? Number.POSITIVE_INFINITY).toBe(most);
    expect(concernsWholeBatch(error)).toBe(most === 1);
    expect(isRefusedForGood(error)).toBe(isForGood);
  });

  it("stops nothing where the last three differ", () => {
    expect(mayBatchGoOn([down, cut, down, cut])).toBe(true);
    expect(mayBatchGoOn([down, down, refused])).toBe(true);
  });
});
