import { storeUnavailable } from "../access/guard.ts";
import type { EventCtx } from "../declare/events.ts";
import type { Services } from "./context.ts";

type Given = Pick<EventCtx, "guildId" | "words" | "settings" | "log" | "serverName">;

/** What an event is drawn with. */
export function eventCtx(given: Given, { store, now }: Pick<Services, "store" | "now">): EventCtx {
  return {
    ...given,
    now,
    channels: async () => {
      const read = await store.credentials.channels(given.guildId);
      if (read.state === "failed") throw storeUnavailable(read.error);
      if (read.state === "absent") return [];
      return read.value.map(({ secret: _, ...facts }) => facts);
    },
  };
}
