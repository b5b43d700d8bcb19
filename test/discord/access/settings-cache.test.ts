import { describe, expect, it } from "vitest";
import { createSettingsCache } from "../../../src/discord/access/settings-cache.ts";
import type { ServerSettings, Settings, StoreRead } from "../../../src/store/index.ts";

const guildId = "1".repeat(18);

function rig() {
  let clock = 0;
  let answer: () => Promise<StoreRead<ServerSettings>> = async () => ({ state: "absent" });
  let reads = 0;
  let version = "1.0";
  const settings = {
    read: () => {
      reads += 1;
      return answer();
    },
  } as unknown as Settings;
  const near = createSettingsCache(
    settings,
    () => clock,
    async () => version,
  );
  return {
    near,
    reads: () => reads,
    pass: (ms: number) => {
      clock += ms;
    },
    /** As if another process had changed the server's settings. */
    change: () => {
      version = "1.1";
    },
    hold: (value: ServerSettings) => {
      answer = async () => ({ state: "found", value });
    },
    fail: () => {
      answer = async () => ({ state: "failed", error: new Error("locked") });
    },
    answerWith: (next: typeof answer) => {
      answer = next;
    },
  };
}

const mods = { roles: { moderator: ["7"] } };

describe("near settings", () => {
  it("are read again at once after another process changed them", async () => {
    const { near, hold, change } = rig();
    hold({});
    await near.of(guildId);
    hold(mods);
    change();

    expect(await near.of(guildId)).toEqual({ value: mods });
  });

  it("are read once within two seconds, and again after that", async () => {
    const { near, reads, pass, hold } = rig();
    hold(mods);
    await near.of(guildId);
    pass(1_999);
    hold({});
    const soon = await near.of(guildId);
    pass(1);
    const later = await near.of(guildId);

    expect(soon).toEqual({ value: mods });
    expect(later).toEqual({ value: {} });
    expect(reads()).toBe(2);
  });

  it("are read again at once after a change", async () => {
    const { near, hold } = rig();
    hold(mods);
    await near.of(guildId);
    hold({});
    near.forget(guildId);

    expect(await near.of(guildId)).toEqual({ value: {} });
  });

  it("do not keep what was read while they were changed", async () => {
    const { near, hold, answerWith } = rig();
    const { promise, resolve } = Promise.withResolvers<StoreRead<ServerSettings>>();
    answerWith(() => promise);
    const before = near.of(guildId);
    await new Promise(setImmediate);
    near.forget(guildId);
    resolve({ state: "found", value: mods });
    await before;
    hold({});

    expect(await near.of(guildId)).toEqual({ value: {} });
  });

  it("are read once for several requests at the same time", async () => {
    const { near, reads, hold } = rig();
    hold(mods);
    await Promise.all(Array.from({ length: 20 }, () => near.of(guildId)));

    expect(reads()).toBe(1);
  });

  it("say why they are old while the store fails, and are fresh again after it", async () => {
    const { near, pass, hold, fail } = rig();
    hold(mods);
    await near.of(guildId);
    pass(2_000);
    fail();
    const old = await near.of(guildId);
    hold({});
    const fresh = await near.of(guildId);

    expect(old).toEqual({ value: mods, unread: new Error("locked") });
    expect(fresh).toEqual({ value: {} });
  });

  it("do not wait for a store that never answers", async () => {
    const { near, answerWith } = rig();
    answerWith(() => new Promise(() => undefined));

    const late = await near.of(guildId);

    expect(late.unread).toBeInstanceOf(Error);
  });
});
