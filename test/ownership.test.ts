import { afterEach, describe, expect, it, vi } from "vitest";
import { ServiceError } from "../src/errors.ts";
import {
  asMaybeDone,
  LostError,
  requireOwned,
  whileOwned,
  withoutOwner,
} from "../src/ownership.ts";

const mine = async () => true;
const lost = async () => false;
const away = new ServiceError("away", { code: "store_unavailable" });

afterEach(() => void vi.useRealTimers());

describe("requireOwned", () => {
  it("asks nothing outside of owned work", async () => {
    await expect(requireOwned()).resolves.toBe(Number.POSITIVE_INFINITY);
  });

  it("asks each time", async () => {
    const isOwned = vi.fn(mine);

    await whileOwned(isOwned, async () => {
      await requireOwned();
      await requireOwned();
    });

    expect(isOwned).toHaveBeenCalledTimes(2);
  });

  it.each([
    ["the outer", lost, mine],
    ["the inner", mine, lost],
  ])("refuses where %s work is lost", async (_, outer, inner) => {
    const write = whileOwned(outer, () => whileOwned(inner, requireOwned));

    await expect(write).rejects.toThrow(LostError);
  });

  it("throws what the question throws", async () => {
    const write = whileOwned(async () => {
      throw away;
    }, requireOwned);

    await expect(write).rejects.toBe(away);
  });

  it("refuses what is begun in owned work and ends after it", async () => {
    let isMine = true;
    const goOn = Promise.withResolvers<void>();
    const begun = whileOwned(
      async () => isMine,
      async () => ({ later: goOn.promise.then(requireOwned) }),
    );
    const { later } = await begun;
    isMine = false;
    goOn.resolve();

    await expect(later).rejects.toThrow(LostError);
  });

  it("asks again where the process stood still before it read the answer", async () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    const answers = [true, false];
    const isOwned = async () => {
      const answer = answers.shift() ?? true;
      if (answer) vi.advanceTimersByTime(20_000);
      return answer;
    };

    await expect(whileOwned(isOwned, requireOwned)).rejects.toThrow(LostError);
  });

  it("gives up where each answer comes late", async () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    const isOwned = async () => {
      vi.advanceTimersByTime(1_000);
      return true;
    };

    await expect(whileOwned(isOwned, requireOwned)).rejects.toMatchObject({
      code: "store_unavailable",
      outcome: "nothing",
    });
  });
});

describe("withoutOwner", () => {
  it("lets work go on that others wait for too", async () => {
    const write = whileOwned(lost, () => withoutOwner(requireOwned));

    await expect(write).resolves.toBe(Number.POSITIVE_INFINITY);
  });
});

describe("asMaybeDone", () => {
  it("makes the outcome of a failed question unknown, and keeps lost work as it is", () => {
    const error = new LostError();

    expect(asMaybeDone(away)).toMatchObject({ code: "store_unavailable", outcome: "unknown" });
    expect(asMaybeDone(error)).toBe(error);
  });
});
