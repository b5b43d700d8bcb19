import { describe, expect, it } from "vitest";
import { AccessError, ServiceError } from "../../../src/errors.ts";
import { createMemberLookup } from "../../../src/moderation/rules/verdicts/members.ts";
import type { VideoClient } from "../../../src/video/index.ts";

const hour = 3_600_000;

/** A channel with these members, and the ids that were looked up. */
function channel(members: readonly string[], fault?: () => Error | undefined) {
  const asked: (readonly string[])[] = [];
  let time = Date.UTC(2026, 0, 31);
  const call = async (_: string, { filterByMemberChannelId: ids }: Record<string, string[]>) => {
    asked.push(ids ?? []);
    const error = fault?.();
    if (error !== undefined) throw error;
    const found = (ids ?? []).filter((id) => members.includes(id));
    return { items: found.map((channelId) => ({ snippet: { memberDetails: { channelId } } })) };
  };
  // Only `call` is used.
  const video = async () => ({ call }) as unknown as VideoClient;
  const of = createMemberLookup(() => time);
  return {
    asked,
    pass: (ms: number) => {
      time += ms;
    },
    among: (...ids: readonly string[]) => of(ids, { guildId: "1", source: "UCo", video }),
  };
}

describe("members", () => {
  it("are distinguished from others, and remembered for hours, each looked up once", async () => {
    const { among, asked, pass } = channel(["a"]);

    const first = await among("a", "b", "b");
    const second = await among("a", "b", "c");
    pass(7 * hour);
    await among("a");

    expect(first).toEqual({ state: "read", ids: new Set(["a"]) });
    expect(second).toEqual({ state: "read", ids: new Set(["a"]) });
    expect(asked).toEqual([["a", "b"], ["c"], ["a"]]);
  });

  it("are asked about a hundred at a time", async () => {
    const { among, asked } = channel([]);

    await among(...Array.from({ length: 250 }, (_, n) => `${n}`));

    expect(asked.map(({ length }) => length)).toEqual([100, 100, 50]);
  });

  it("can't be recognised without the permission, which is not tried again at once", async () => {
    const error = new AccessError("no memberships", { code: "x" as string });
    const { among, asked, pass } = channel([], () => error);

    const first = await among("a");
    const second = await among("b");
    pass(2 * hour);
    await among("c");

    expect([first.state, second.state]).toEqual(["closed", "closed"]);
    expect(asked).toEqual([["a"], ["c"]]);
  });

  it("are asked about again after YouTube failed", async () => {
    let isBroken = true;
    const error = new ServiceError("down", { code: "x" as string });
    const { among } = channel(["a"], () => (isBroken ? error : undefined));

    const first = await among("a");
    isBroken = false;
    const second = await among("a");

    expect(first.state).toBe("failed");
    expect(second).toEqual({ state: "read", ids: new Set(["a"]) });
  });
});
