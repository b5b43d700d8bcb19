import { projectOfClient, type Spending } from "../budget/index.ts";
import type { Config } from "../config.ts";
import type { Http } from "../http/index.ts";
import type { Jobs } from "../jobs/index.ts";
import type { Log, Secrets } from "../log.ts";
import {
  type ConsentedChannel,
  createChannelTokens,
  createLinks,
  createRevoker,
  createTokenVerifier,
  type LinkDecider,
  type PendingLink,
} from "../oauth/index.ts";
import type { Store } from "../store/index.ts";
import { createVideoClient, smallThumbnail } from "../video/index.ts";
import type { createNotificationJobs } from "./notification-jobs.ts";

interface LinkingDeps {
  readonly store: Store;
  readonly jobs: Jobs;
  readonly http: Http;
  readonly spending: Spending;
  readonly secrets: Secrets;
  readonly log: Log;
  readonly now: () => number;
  readonly onRefresh: (outcome: string) => void;
  readonly notify: ReturnType<typeof createNotificationJobs>["notify"];
  /** Asks the requester in Discord; a requester who is not asked has to start again. */
  readonly onPending: (pending: PendingLink) => Promise<void>;
}

/** Everything about consents: how people give them, how their tokens are used, and how they end. */
export function openLinkServices(config: Config, deps: LinkingDeps) {
  const { store, http, secrets, log, now, notify, onPending } = deps;
  const { oauth, discord, publicUrl } = config;
  for (const secret of [oauth.client?.clientSecret, discord.clientSecret]) {
    if (secret !== undefined) secrets.add(secret);
  }
  const onSecret = (secret: string) => secrets.addPassing(secret);
  const { database, credentials, accessTokens, oneTimeTokens, revocations } = store;
  const { authorizeUrl, tokenUrl, revokeUrl } = oauth;
  const client = oauth.client && { ...oauth.client, authorizeUrl, tokenUrl };
  const wire = { http, now, onSecret };
  const channelsOf = channelReader(config, deps);
  createRevoker({
    jobs: deps.jobs,
    revocations,
    credentials,
    http,
    revokeUrl,
    log,
    now: database.now,
  });
  const tokens =
    client &&
    createChannelTokens({
      ...wire,
      ...client,
      credentials,
      accessTokens,
      database,
      onRefresh: deps.onRefresh,
      onGone: async (guildId, channelId, { isSevenDays }) => {
        log.warn("a consent is over", { guild: guildId, isSevenDays });
        const facts = { guildId, channelId, isSevenDays };
        await notify({ name: "grant-gone", facts });
      },
    });
  const links = createLinks({
    ...wire,
    oneTimeTokens,
    credentials,
    accessTokens,
    revocations,
    database,
    client,
    publicUrl,
    channelsOf,
    discord,
    onPending,
  });
  return {
    links,
    /** This one and `verifier` are undefined where the bot has no registration. */
    tokens,
    verifier: client && createTokenVerifier({ ...wire, ...client, onTyped: secrets.addUnproven }),
    channelsOf,
    close: async () => tokens?.close(),
  };
}

/** Reads the channels of an access token's account, for one unit, which `by` spends where given. */
function channelReader({ oauth, video }: Config, { http, spending, now }: LinkingDeps) {
  return async (token: string, by?: LinkDecider): Promise<readonly ConsentedChannel[]> => {
    const { client } = oauth;
    const account = client &&
      by && {
        units: spending.account(projectOfClient(client.clientId), {
          ...by,
          command: "connect channel",
          // No channel is linked yet, so the call counts for the person alone.
          limits: { sharer: async () => ({ linkedBy: by.userId }) },
        }),
      };
    const { items } = await createVideoClient({ ...video, token, http, now, ...account }).call(
      "channels.list",
      { part: ["snippet", "statistics"], mine: true },
    );
    return items.flatMap(({ id, snippet, statistics }): ConsentedChannel[] => {
      if (id === undefined) return [];
      const thumbnailUrl = smallThumbnail(snippet?.thumbnails);
      const subscribers = Number(statistics?.subscriberCount);
      return [
        {
          channelId: id,
          title: snippet?.title ?? id,
          ...(thumbnailUrl && { thumbnailUrl }),
          ...(statistics?.subscriberCount !== undefined && { subscribers }),
        },
      ];
    });
  };
}
