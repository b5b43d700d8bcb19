import type { BilledTo } from "../../budget/index.ts";
import type { AnswerCache } from "../../cache.ts";
import type { Servers } from "../../database/index.ts";
import { compact, type Rank, reaches, type View } from "../../discord/index.ts";
import { once } from "../../once.ts";
import type { Credential, StoredFiles } from "../../store/index.ts";
import { type Method, type MethodSpec, methods, type VideoClient } from "../../video/index.ts";
import type { ChangeLog } from "./change-log.ts";
import { limitToScopes } from "./channel-scopes.ts";
import type { CallCost, ServiceClients, VideoAccess } from "./clients.ts";
import { credentialMissing, type OpenedCredentials } from "./credentials.ts";
import { type Demands, videoDemand } from "./demands.ts";
import {
  clientThatSends,
  compose,
  type LooseParams,
  type Middleware,
  sendWith,
} from "./middleware.ts";
import { refuseConsentCalls, showPublicView } from "./public-view.ts";
import { rememberAnswers } from "./remember-answers.ts";

interface VideoClientsOptions {
  readonly guildId: string;
  readonly rank: Rank;
  readonly view: View;
  readonly demands: Demands;
  readonly opened: OpenedCredentials;
  readonly billedTo: BilledTo;
  readonly clients: ServiceClients;
  readonly answers: AnswerCache;
  readonly files: StoredFiles | undefined;
  readonly now: () => number;
  readonly servers: Pick<Servers, "version" | "noteChange">;
  readonly local: YouTubeLocale;
  /** What comes from the cache costs 0. */
  readonly onSpent?: (access: VideoAccess, cost: CallCost) => void;
  /** Records what the clients change; what suggestions are made with changes nothing. */
  readonly changes?: Pick<ChangeLog, "watch">;
  /** Refuses what must not be paid for. */
  readonly limit?: Middleware;
}

export interface VideoClients {
  readonly video: VideoClient;
  readonly own: VideoClient;
  /** The credential of `video`. @throws ConnectError */
  readonly access: VideoAccess;
}

type AccessOptions = Pick<VideoClientsOptions, "guildId" | "rank" | "view" | "demands" | "opened">;

/** The credential of `video`. @throws ConnectError `video_key_missing`, `channel_missing` */
function accessFor(options: AccessOptions): VideoAccess {
  const { guildId, rank, opened } = options;
  const key = opened["video-key"]?.secret;
  if (key !== undefined && !readsPrivate(options)) return { key };
  const { channel } = opened;
  if (channel !== undefined) return { channelOf: guildId, channelId: channel.channelId };
  throw credentialMissing(readsPrivate(options) ? "channel" : "video-key", rank);
}

/** Whether the answers may include the channel's private data. */
function readsPrivate({ demands, view, rank, opened }: AccessOptions): boolean {
  if (videoDemand(demands) === "channel") return true;
  return view === "private" && reaches(rank, "moderator") && opened.channel !== undefined;
}

/**
 * The clients of one interaction. For public answers it uses the key, which sees what everybody sees; without a key it
 * uses the linked channel and leaves its private data out. Private answers for moderators and above, and what only the
 * channel may do, use the channel's consent.
 */
export function createVideoClients(options: VideoClientsOptions): VideoClients {
  const { guildId, rank, opened, local } = options;
  const { "video-key": key, channel } = opened;
  const isOwn = readsPrivate(options);

  /** Sends with a credential, and through all that depends on it. */
  function sendAs(access: VideoAccess, credential: Credential | undefined, isPrivate: boolean) {
    const { answers, files, servers, now, demands, changes, limit } = options;
    const onSpent = (cost: CallCost) => options.onSpent?.(access, cost);
    const whose = "key" in access ? "key" : `channel ${credential?.channelId ?? ""}`;
    const remember = rememberAnswers({
      answers,
      files,
      servers,
      now,
      scope: `${whose} ${credential?.addedAt ?? 0} ${isPrivate}`,
      guildId,
      isFresh: demands.method !== undefined && methods[demands.method].effect !== "read",
      isTurning: demands.turnsPage === true,
      onRecalled: (bucket) => onSpent({ bucket, cost: 0 }),
    });
    const middleware = compact([
      changes?.watch,
      remember,
      !isPrivate && channel !== undefined && refuseConsentCalls,
      !isPrivate && "channelOf" in access && showPublicView(channel?.channelId),
      limit,
    ]);
    return compose(middleware, sendWith(options.clients.video(access, options.billedTo, onSpent)));
  }

  const sendWithKey = once(() => key && sendAs({ key: key.secret }, key, false));
  const seen = once(() => {
    const access = accessFor(options);
    if ("key" in access) {
      return clientThatSends(compose([localize(local)], sendAs(access, key, isOwn)));
    }
    // What everybody can see, but the consent does not cover, is read with the key.
    const limited = limitToScopes({ scopes: channel?.scopes, rank, instead: sendWithKey });
    return clientThatSends(compose([localize(local), limited], sendAs(access, channel, isOwn)));
  });
  const whole = once(() => {
    if (channel === undefined) throw credentialMissing("channel", rank);
    const { channelId, scopes } = channel;
    const send = sendAs({ channelOf: guildId, channelId }, channel, true);
    // As `video` asks: a list that was opened with this client turns its pages with that one.
    return clientThatSends(compose([localize(local), limitToScopes({ scopes, rank })], send));
  });

  return {
    get access() {
      return accessFor(options);
    },
    get video() {
      return seen();
    },
    get own() {
      return whole();
    },
  };
}

/** The language and country that YouTube answers for. */
interface YouTubeLocale {
  /** The person's language. */
  readonly hl: string;
  /** The server's country, ISO 3166-1 alpha-2. */
  readonly region: string | undefined;
}

/** Lists whose entries depend on a country, and when they take one. */
const regional: Readonly<Partial<Record<Method, (params: LooseParams) => boolean>>> = {
  "search.list": () => true,
  "videos.list": ({ chart }) => chart !== undefined,
  "videoCategories.list": ({ id }) => id === undefined,
};

/** Asks for answers in the person's language and for the server's country, unless asked otherwise. */
export function localize({ hl, region }: YouTubeLocale): Middleware {
  return (call, next) => {
    const { method, params } = call;
    const { query }: MethodSpec = methods[method];
    const takesRegion = region !== undefined && regional[method]?.(params) === true;
    const given = Object.entries(params).filter(([, value]) => value !== undefined);
    const filled = {
      ...(query.hl !== undefined && !query.hl.deprecated && { hl }),
      ...(takesRegion && { regionCode: region }),
      ...Object.fromEntries(given),
    };
    return next({ ...call, params: filled });
  };
}
