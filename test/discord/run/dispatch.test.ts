import { describe, expect, it } from "vitest";
import { createInteractionReceiver } from "../../../src/discord/run/dispatch.ts";
import type { InteractionArrival } from "../../../src/discord/run/received-interaction.ts";
import { createLog, createSecrets } from "../../../src/log.ts";
import { command } from "../../support/raw-interactions.ts";

const startedAt = Date.parse("2026-11-21T12:00:00Z");
const whose = { guildId: "444444444444444444", userId: "555555555555555555" };

function openReceiver() {
  const arrivals: InteractionArrival[] = [];
  let mayBegin = true;
  const receiver = createInteractionReceiver({
    dispatch: Promise.resolve(async (_, arrival) => void arrivals.push(arrival)),
    mayBegin: () => mayBegin,
    log: createLog({ level: "error", secrets: createSecrets(), write: () => undefined }),
    now: () => startedAt,
  });
  const stop = () => {
    mayBegin = false;
  };
  return { ...receiver, arrivals, stop };
}

function sentAt(time: number) {
  const id = String(BigInt(time - 1_420_070_400_000) << 22n);
  return { ...command("playlists list", whose), id };
}

describe("createInteractionReceiver", () => {
  it("tells how old an interaction is by its id, whenever it was read", async () => {
    const { take, arrivals, underWay } = openReceiver();
    const times = [startedAt - 50, startedAt - 2_050];

    expect(times.map((time) => take(sentAt(time)))).toEqual([startedAt, startedAt - 2_000]);
    await Promise.all(underWay());

    expect(arrivals.map(({ arrivedAt }) => arrivedAt)).toEqual([startedAt, startedAt - 2_000]);
  });

  it("says what is malformed and what may not begin now, and handles neither", () => {
    const { take, stop, underWay } = openReceiver();

    const malformed = take({ ...sentAt(startedAt), token: 7 });
    stop();

    expect([malformed, take({}), take(sentAt(startedAt))]).toEqual([
      "malformed",
      "malformed",
      "refused",
    ]);
    expect(underWay()).toEqual([]);
  });
});
