import { paginate, toList } from "../answer.ts";
import type { Call, Handler } from "../call.ts";
import { tokenNeeded } from "../credentials.ts";
import { readLanguage } from "../locale.ts";
import { Refusal } from "../refusal.ts";
import type { Channel } from "../world/index.ts";
import { kind, ownerParts, toChannel } from "./channel-parts.ts";

export const channels = {
  "channels.list": (call) => {
    readLanguage(call);
    const found = find(call);
    checkOwnerParts(found, call);
    const belongsTo = `channels ${found.map(({ id }) => id).join()}`;
    const { things, envelope } = paginate(call, found, { belongsTo });
    const items = things.map((channel) => toChannel(call, channel));
    return toList(`${kind}ListResponse`, items, envelope);
  },
} as const satisfies Record<string, Handler>;

function find({ query, world, viewer }: Call): Channel[] {
  if (query.flag("mine") || query.flag("managedByMe")) {
    if (viewer === undefined) throw tokenNeeded();
    return [world.channels.get(viewer)].filter((channel) => channel !== undefined);
  }
  const all = [...world.channels.values()];
  const handle = query.text("forHandle")?.toLowerCase().replace(/^@?/, "@");
  const username = query.text("forUsername")?.toLowerCase();
  const ids = query.list("id");
  return all.filter(
    (channel) =>
      ids.includes(channel.id) ||
      channel.handle === handle ||
      (username !== undefined && channel.username === username),
  );
}

function checkOwnerParts(found: readonly Channel[], { query, viewer }: Call): void {
  const asks = query.list("part").some((part) => ownerParts.includes(part));
  if (!asks || found.every(({ id }) => id === viewer)) return;
  throw new Refusal(403, {
    reason: "channelForbidden",
    message: "The channel specified in the id parameter does not support the request.",
    domain: "youtube.channel",
    place: { location: "part", locationType: "parameter" },
  });
}
