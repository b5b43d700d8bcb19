import { projectOfClient, type Spending } from "../budget/index.ts";
import type { Http } from "../http/index.ts";
import {
  type ConsentedChannel,
  createChannelTokens,
  createLinks,
  createRevoker,
  createTokenVerifier,
  type LinkDecider,
} from "../oauth/index.ts";
import { createVideoClient, smallThumbnail } from "../video/index.ts";
import type { Metrics } from "../web/index.ts";
import type { Notifier } from "./notifier.ts";
import type { RoomsDeps } from "./rooms-deps.ts";

interface LinkingServices {
  readonly http: Http;
  readonly spending: Spending;
  readonly metrics: Pick<Metrics, "refresh">;
  readonly notify: Notifier;
}

/** Everything about consents: how people give them, how their tokens are used, and how they end. */
export function createLinking(deps: RoomsDeps, services: LinkingServices) {
  const { config, jobs, store, discord, secrets, log, now } = deps;
  const { http, metrics, notify } = services;
  const { oauth, publicUrl } = config;
  const { authorizeUrl, tokenUrl, revokeUrl } = oauth;
  for (const secret of [oauth.client?.clientSecret, config.discord.clientSecret]) {
    if (secret !== undefined) secrets.add(secret);
  }
  /** Undefined where the operator has not registered the bot at Google; then no channel can be linked. */
  const client = oauth.client && { ...oauth.client, authorizeUrl, tokenUrl };
  const shared = { ...store, http, now, onSecret: secrets.addPassing };
  const channelsOf = createChannelReader(deps, services);
  createRevoker({ ...store, jobs, http, revokeUrl, log, now: store.database.now });
  return {
    channelsOf,
    links: createLinks({
      ...shared,
      client,
      publicUrl,
      channelsOf,
      discord: config.discord,
      onPending: async (facts) => {
        await (await discord).notify({ name: "link-pending", facts });
      },
    }),
    tokens:
      client &&
      createChannelTokens({
        ...shared,
        ...client,
        onRefresh: metrics.refresh,
        onGone: async (guildId, channelId, { isSevenDays }) => {
          log.warn("a consent is over", { guild: guildId, isSevenDays });
          await notify({ name: "grant-gone", facts: { guildId, channelId, isSevenDays } });
        },
      }),
    verifier: client && createTokenVerifier({ ...shared, ...client, onTyped: secrets.addUnproven }),
  };
}

/**
 * Reads the channels of an access token's account. The one unit that it costs is counted for `by`; it is not counted where
 * nobody is named.
 */
function createChannelReader({ config, now }: RoomsDeps, { http, spending }: LinkingServices) {
  const { oauth, video } = config;
  return async (token: string, by?: LinkDecider): Promise<readonly ConsentedChannel[]> => {
    const units =
      oauth.client &&
      by &&
      spending.account(projectOfClient(oauth.client.clientId), {
        ...by,
        command: "connect channel",
        // No channel is linked yet, so the call counts for the person alone.
        limits: { sharer: async () => ({ linkedBy: by.userId }) },
      });
    const client = createVideoClient({ ...video, token, http, now, ...(units && { units }) });
    const part = ["snippet", "statistics"] as const;
    const { items } = await client.call("channels.list", { part, mine: true });
    return items.flatMap(({ id, snippet, statistics }): ConsentedChannel[] => {
      if (id === undefined) return [];
      const thumbnailUrl = smallThumbnail(snippet?.thumbnails);
      const count = statistics?.subscriberCount;
      return [
        {
          channelId: id,
          title: snippet?.title ?? id,
          ...(thumbnailUrl && { thumbnailUrl }),
          ...(count !== undefined && { subscribers: Number(count) }),
        },
      ];
    });
  };
}
