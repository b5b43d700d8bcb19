import type { Notification, NotificationName } from "../../../channel-messages.ts";
import { storedIn } from "../../../store/index.ts";
import type {
  NotificationContext,
  NotificationReply,
  NotificationSpec,
} from "../../declare/events.ts";
import type { FeatureContexts } from "../feature-contexts.ts";
import type { InteractionDeps } from "../interaction-deps.ts";
import { createReplyRenderer, type MessageOwner } from "../reply-renderer.ts";
import { createMessageCache } from "./server-info-cache.ts";

/** Turns notifications into messages, for `ChannelMessages` and for `Notify`. */
export type NotificationRenderer = ReturnType<typeof createNotificationRenderer>;

/** Who reads a notification: a server, or one of its people. */
export interface NotificationReader extends Pick<NotificationContext, "words" | "serverName"> {
  readonly guildId: string;
}

/** `botId` is the user in whose name the bot speaks unasked. */
export function createNotificationRenderer({
  routes,
  services,
  features,
  botId,
}: Pick<InteractionDeps, "routes" | "services" | "botId"> & {
  readonly features: Pick<FeatureContexts, "openNotification">;
}) {
  const { store, now } = services;
  const { keep, message } = createReplyRenderer(routes, services);
  /** Handles whose presses are stored, and how many presses those are. */
  const writtenCache = createMessageCache<number>(now);

  /** @throws TypeError where nobody declares it */
  function findSpec(name: NotificationName): NotificationSpec {
    const spec = routes.notifications.get(name);
    if (spec === undefined) throw new TypeError(`no event is called ${name}`);
    return spec;
  }

  return {
    message,
    findSpec,
    /** @throws what the declaration throws */
    async replyTo(
      { name, facts }: Notification,
      { guildId, words, serverName }: NotificationReader,
    ): Promise<NotificationReply> {
      const ctx = features.openNotification({
        guildId,
        words,
        serverName,
        now,
        async channels() {
          const stored = storedIn(await store.credentials.channels(guildId)) ?? [];
          return stored.map(({ secret: _, ...facts }) => facts);
        },
      });
      return findSpec(name).run(ctx, facts);
    },
    /** As a message of the bot's own, which anybody may press. @throws ServiceError `store_unavailable` */
    async ownMessage(reply: NotificationReply, { guildId, words }: NotificationReader) {
      const { kept } = reply;
      const holder: MessageOwner = { guildId, userId: botId, words };
      if (kept !== undefined && writtenCache.get(kept.handle) !== kept.presses.length) {
        await keep(kept, holder);
        writtenCache.set(kept.handle, kept.presses.length);
      }
      return message(reply, holder);
    },
  };
}
