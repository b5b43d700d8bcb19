import { describe, expect, it } from "vitest";
import { createSessionSaver } from "../../../src/discord/gateway/session-saver.ts";
import { createLog, createSecrets } from "../../../src/log.ts";
import type { GatewaySessions, SavedGatewaySession } from "../../../src/store/index.ts";

const session = (sequence: number, shardId = 0) => ({
  shardId,
  shardCount: 2,
  sessionId: "s",
  resumeURL: "wss://x",
  sequence,
});

interface Write {
  readonly kind: string;
  readonly sequences: readonly number[];
  readonly begun: readonly number[];
}

function setup(earlier: readonly SavedGatewaySession[] = []) {
  const writes: Write[] = [];
  let isAway = false;
  const put =
    (kind: string): GatewaySessions["save"] =>
    async (sessions, begun) => {
      if (isAway) throw new Error("away");
      writes.push({ kind, sequences: sessions.map(({ sequence }) => sequence), begun: [...begun] });
    };
  const take = async () => {
    if (isAway) throw new Error("away");
    return earlier;
  };
  const log = createLog({ level: "error", secrets: createSecrets(), write: () => undefined });
  const sessions = { take, save: put("save"), release: put("release") };
  const setAway = (next: boolean) => {
    isAway = next;
  };
  return { writes, saver: createSessionSaver({ sessions, log }), setAway };
}

describe("createSessionSaver", () => {
  it("writes what has changed since the last time, and nothing otherwise", async () => {
    const { saver, writes } = setup();
    saver.begin(session(1));
    saver.begin(session(5, 1));
    await saver.save();
    await saver.save();
    saver.advance(session(2));
    await saver.save();

    expect(writes).toEqual([
      { kind: "save", sequences: [1, 5], begun: [0, 1] },
      { kind: "save", sequences: [2], begun: [] },
    ]);
  });

  it("gives up all sessions, those that it took over and never used too", async () => {
    const { resumeURL: resumeUrl, ...taken } = session(9, 1);
    const { saver, writes } = setup([{ ...taken, resumeUrl }]);

    const sessions = await saver.take(2, [0, 1]);
    saver.begin(session(1));
    await saver.release();

    expect(sessions).toEqual(new Map([[1, session(9, 1)]]));
    expect(writes).toEqual([{ kind: "release", sequences: [9, 1], begun: [0] }]);
  });

  it("writes later what the store did not take, and starts without sessions it cannot read", async () => {
    const { saver, writes, setAway } = setup();
    setAway(true);
    expect(await saver.take(2, [0])).toEqual(new Map());
    saver.begin(session(1));
    await saver.save();
    setAway(false);

    await saver.save();

    expect(writes).toEqual([{ kind: "save", sequences: [1], begun: [0] }]);
  });
});
