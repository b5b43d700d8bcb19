import type { BilledTo } from "../budget/index.ts";
import { ConnectError } from "../errors.ts";
import type { ServiceClients, VideoAccess } from "../features/index.ts";
import { readServerSettings, readValue, type Store, storedIn } from "../store/index.ts";
import type { RoomsDeps } from "./rooms-deps.ts";

/** With what moderation and announcements read YouTube, and who pays. */
export function createUnaskedWork({ store, discord }: RoomsDeps, clients: ServiceClients) {
  const { credentials } = store;
  /** The bot itself pays, and no person's budget limits it. */
  const billedTo = async (
    guildId: string,
    task: Pick<BilledTo, "command" | "purpose" | "isSpare">,
  ): Promise<BilledTo> => {
    const { applicationId: userId } = await discord;
    const { quota, reserve } = await readServerSettings(store, guildId);
    return { guildId, userId, limits: { quota, reserve }, ...task };
  };
  const watching = (guildId: string) =>
    billedTo(guildId, { command: "watch", purpose: "moderation" });
  // No person asked for these calls, so they must not use up the last units of the day.
  const announcing = (guildId: string) => billedTo(guildId, { command: "announce", isSpare: true });
  return {
    moderation: {
      video: async (channelOf: string, channelId: string) =>
        clients.video({ channelOf, channelId }, await watching(channelOf)),
      linkedAt: async (guildId: string, channelId: string) =>
        storedIn(await credentials.read(guildId, "channel", channelId))?.addedAt,
      publicView: async (guildId: string) => {
        const key = storedIn(await credentials.read(guildId, "video-key"))?.secret;
        if (key === undefined) return undefined;
        const billed = await watching(guildId);
        return {
          video: clients.video({ key }, billed),
          left: async () => (await clients.left({ key }, billed)).units,
        };
      },
      left: async (channelOf: string, channelId: string) =>
        (await clients.left({ channelOf, channelId }, await watching(channelOf))).units,
      takeForDecisions: async (
        channelOf: string,
        channelId: string,
        wanted: Parameters<ServiceClients["takeForDecisions"]>[2],
      ) => clients.takeForDecisions({ channelOf, channelId }, await watching(channelOf), wanted),
    },
    channelName: async (guildId: string, channelId: string) => {
      const channel = readValue(await store.credentials.read(guildId, "channel", channelId));
      return channel?.name ?? channel?.channelTitle;
    },
    announcements: {
      video: async (guildId: string) =>
        clients.video(await findAccess(guildId, store), await announcing(guildId)),
      left: async (guildId: string) =>
        (await clients.left(await findAccess(guildId, store), await announcing(guildId))).units,
      project: async (guildId: string) => clients.projectOf(await findAccess(guildId, store)),
    },
  };
}

/** The server's key where there is one, because it costs the project of all linked channels nothing. */
async function findAccess(guildId: string, { credentials }: Store): Promise<VideoAccess> {
  const key = readValue(await credentials.read(guildId, "video-key"));
  if (key !== undefined) return { key: key.secret };
  const channel = readValue(await credentials.read(guildId, "channel"));
  if (channel !== undefined) return { channelOf: guildId, channelId: channel.channelId };
  throw new ConnectError("server has neither a key nor a linked channel", {
    code: "video_key_missing",
    facts: { command: "connect key", isOwner: true },
  });
}
