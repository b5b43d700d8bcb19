import { linkedChannels, withoutSecret } from "../access/channel.ts";
import type { EventCtx } from "../declare/events.ts";
import type { Services } from "./context.ts";

type Given = Pick<EventCtx, "guildId" | "words" | "settings" | "log" | "serverName">;

/** What an event is drawn with. */
export function eventCtx(given: Given, { store, now }: Pick<Services, "store" | "now">): EventCtx {
  return {
    ...given,
    now,
    channels: async () =>
      (await linkedChannels(given.guildId, store.credentials)).map(withoutSecret),
  };
}
