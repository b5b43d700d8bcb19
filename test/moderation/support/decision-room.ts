import type { ModerationDeps } from "../../../src/moderation/index.ts";
import { createRoom, type ModerationRoom } from "../../../src/moderation/room.ts";

export type DecisionPace = Pick<ModerationRoom["pace"], "takeUnits" | "findShortage">;

const plentiful: DecisionPace = {
  takeUnits: async () => undefined,
  findShortage: async () => undefined,
};

/** What decisions work with; there is quota for all of them, unless `pace` says otherwise. */
export function createDecisionRoom(
  deps: Pick<ModerationDeps, "database" | "jobs" | "clock" | "log" | "video">,
  pace = plentiful,
): ModerationRoom {
  const room = createRoom(deps as ModerationDeps); // decisions use nothing else
  return { ...room, pace: { ...room.pace, ...pace } };
}
