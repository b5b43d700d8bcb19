import { viewerOf } from "../access.ts";
import { toList, toResource } from "../answer.ts";
import type { Call, Handler } from "../call.ts";
import { Refusal } from "../refusal.ts";
import type { Level } from "../world/index.ts";

const kind = "youtube#membershipsLevel";

const parts = {
  snippet: ({ channelId, name }: Level) => ({
    creatorChannelId: channelId,
    levelDetails: { displayName: name },
  }),
};

export const membershipsLevels = {
  "membershipsLevels.list": (call) => {
    const items = levelsOf(call, "membershipsLevel").map((level) =>
      toResource(call, { kind, id: level.id, thing: level, parts }),
    );
    return toList(`${kind}ListResponse`, items);
  },
} as const satisfies Record<string, Handler>;

/** What the caller's channel offers; most channels have no memberships at all. */
export function levelsOf(call: Call, resource: string): Level[] {
  const channelId = viewerOf(call);
  const levels = call.world.levels.filter((level) => level.channelId === channelId);
  if (levels.length > 0) return levels;
  throw new Refusal(400, {
    reason: "channelMembershipsNotEnabled",
    message: "The channel has no memberships.",
    domain: `youtube.${resource}`,
  });
}
