import { toList } from "../answer.ts";
import type { Call, Handler } from "../call.ts";
import { tokenNeeded } from "../credentials.ts";
import { readLanguage } from "../locale.ts";
import { paginate } from "../paginate.ts";
import { Refusal } from "../refusal.ts";
import { type Channel, personChannel } from "../world/index.ts";
import { kind, ownerParts, toChannel } from "./channel-parts.ts";

export const channels = {
  "channels.list": (call) => {
    readLanguage(call);
    const found = find(call);
    checkOwnerParts(found, call);
    const { things, envelope } = paginate(call, found, {
      belongsTo: `channels ${call.query.chosenBy}`,
      idOf: ({ id }) => id,
    });
    const items = things.map((channel) => toChannel(call, channel));
    return toList(`${kind}ListResponse`, items, envelope);
  },
} as const satisfies Record<string, Handler>;

function find({ query, world, viewer }: Call): Channel[] {
  const isMine = query.flag("mine") || query.flag("managedByMe");
  if (isMine && viewer === undefined) throw tokenNeeded();
  const handle = query.text("forHandle")?.toLowerCase().replace(/^@?/, "@");
  const username = query.text("forUsername")?.toLowerCase();
  const ids = isMine ? [viewer] : query.list("id");
  const isMeant = (one: Pick<Channel, "id" | "handle">): boolean =>
    ids.includes(one.id) || one.handle === handle;
  const people = [...world.people.values()].filter((person) => !person.isGone && isMeant(person));
  const channels = [...world.channels.values()].filter(
    (channel) => isMeant(channel) || (username !== undefined && channel.username === username),
  );
  return [...channels, ...people.map(personChannel)];
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
