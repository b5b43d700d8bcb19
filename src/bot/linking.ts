import type { Config } from "../config.ts";
import type { Http } from "../http/index.ts";
import type { Log, Secrets } from "../log.ts";
import {
  type ConsentedChannel,
  createLinks,
  createProofs,
  createRevoker,
  createTokens,
  type Decider,
  type Links,
  type PendingLink,
  type Proofs,
  type Revoker,
  type Tokens,
} from "../oauth/index.ts";
import type { Store } from "../store/index.ts";
import { createVideoClient, projectOfClient, smallThumbnail, type Units } from "../video/index.ts";

/** What was not asked for at that moment, by the name of its event. */
type Tell = (happening: { readonly name: string; readonly facts: unknown }) => Promise<unknown>;

export interface LinkingParts {
  readonly store: Store;
  readonly http: Http;
  readonly units: Units;
  readonly secrets: Secrets;
  readonly log: Log;
  readonly now: () => number;
  readonly onRefresh: (outcome: string) => void;
  readonly tell: Tell;
}

/** Everything about consents: how they come, what is made of them, how they end. */
export interface Linking {
  readonly links: Links;
  /** These two are undefined where the bot has no registration. */
  readonly tokens: Tokens | undefined;
  readonly proofs: Proofs | undefined;
  readonly revoker: Revoker;
  /** The channels of the account that an access token speaks for; one unit, which `by` spends where given. */
  readonly channelsOf: (accessToken: string, by?: Decider) => Promise<readonly ConsentedChannel[]>;
  close(): Promise<void>;
}

export function openLinking(config: Config, parts: LinkingParts): Linking {
  const { store, http, secrets, log, now, tell } = parts;
  const { oauth, discord, publicUrl } = config;
  for (const secret of [oauth.client?.clientSecret, discord.clientSecret]) {
    if (secret !== undefined) secrets.add(secret);
  }
  const onSecret = (secret: string) => secrets.addPassing(secret);
  const { credentials, accessTokens, leases, tickets, revocations, guilds } = store;
  const { authorizeUrl, tokenUrl, revokeUrl } = oauth;
  const client = oauth.client && { ...oauth.client, authorizeUrl, tokenUrl };
  const wire = { http, now, onSecret };
  const channelsOf = channelReader(config, parts);
  const revoker = createRevoker({
    ...{ revocations, credentials, guilds, leases, http, now, revokeUrl },
    onFailure: (error) => log.warn("a consent could not be revoked", { error }),
  });
  const tokens =
    client &&
    createTokens({
      ...{ ...wire, ...client, credentials, accessTokens, leases },
      onRefresh: parts.onRefresh,
      onGone: (guildId, channelId, { isSevenDays }) => {
        log.warn("a consent is over", { guild: guildId, isSevenDays });
        void tell({ name: "grant-gone", facts: { guildId, channelId, isSevenDays } });
      },
    });
  const links = createLinks({
    ...{ ...wire, tickets, credentials, accessTokens, revocations, leases, guilds },
    ...{ client, publicUrl, channelsOf },
    discord: { apiUrl: discord.apiUrl, clientSecret: discord.clientSecret },
    onPending: async (pending: PendingLink) => {
      await tell({ name: "link-pending", facts: pending });
    },
    onRevocation: revoker.wake,
  });
  return {
    links,
    tokens,
    proofs: client && createProofs({ ...wire, ...client, onTyped: secrets.addUnproven }),
    revoker,
    channelsOf,
    close: async () => {
      await Promise.all([tokens?.close(), revoker.close()]);
    },
  };
}

function channelReader(
  { oauth, video }: Config,
  { http, units, now }: LinkingParts,
): Linking["channelsOf"] {
  return async (token, by) => {
    const { client } = oauth;
    const account = client &&
      by && {
        units: units.meter(projectOfClient(client.clientId), { ...by, command: "connect channel" }),
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
