import type { BilledTo } from "../../budget/index.ts";
import type { AnswerCache } from "../../cache.ts";
import type { Servers } from "../../database/index.ts";
import { type Rank, reaches, type View } from "../../discord/index.ts";
import type { Credential, StoredFiles } from "../../store/index.ts";
import { type Method, type MethodSpec, methods, type VideoClient } from "../../video/index.ts";
import type { ChangeLog } from "./change-log.ts";
import { limitToScopes } from "./channel-scopes.ts";
import type { CallCost, ServiceClients, VideoAccess } from "./clients.ts";
import { credentialMissing, type OpenedCredentials } from "./credentials.ts";
import { type Demands, isWriting, videoDemand } from "./demands.ts";
import { loosenClient, strictClient } from "./loose-client.ts";
import { createPublicView, refuseConsentCalls } from "./public-view.ts";
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
  readonly local: ServiceLocale;
  /** What comes from the cache costs 0. */
  readonly onSpent: (access: VideoAccess, cost: CallCost) => void;
  /** Records what the clients change; what suggestions are made with changes nothing. */
  readonly changes?: Pick<ChangeLog, "watch">;
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
  const { guildId, rank, opened } = options;
  const isOwn = readsPrivate(options);

  function clientOf(access: VideoAccess, credential: Credential | undefined, isPrivate: boolean) {
    const onSpent = (cost: CallCost) => options.onSpent(access, cost);
    const client = options.clients.video(access, options.billedTo, onSpent);
    const whose = "key" in access ? "key" : `channel ${credential?.channelId ?? ""}`;
    const scope = `${whose} ${credential?.addedAt ?? 0} ${isPrivate}`;
    const open = "key" in access ? client : createPublicView(client, opened.channel?.channelId);
    const isGuarded = !isPrivate && opened.channel !== undefined;
    const seen = isPrivate ? client : isGuarded ? refuseConsentCalls(open) : open;
    const { answers, files, servers, now, demands } = options;
    const remembering = rememberAnswers(seen, {
      answers,
      files,
      servers,
      now,
      scope,
      guildId,
      isFresh: isWriting(demands),
      isTurning: demands.turnsPage === true,
      onRecalled: (bucket) => onSpent({ bucket, cost: 0 }),
    });
    return options.changes?.watch(remembering) ?? remembering;
  }

  function keyClient(): VideoClient | undefined {
    const key = opened["video-key"];
    return key && clientOf({ key: key.secret }, key, false);
  }

  const seen = once(() => {
    const access = accessFor(options);
    if ("key" in access)
      return localizeClient(clientOf(access, opened["video-key"], isOwn), options.local);
    const client = clientOf(access, opened.channel, isOwn);
    // What everybody can see, but the consent does not cover, is read with the key.
    const covered = { scopes: opened.channel?.scopes, rank, instead: once(keyClient) };
    return localizeClient(limitToScopes(client, covered), options.local);
  });
  const whole = once(() => {
    if (opened.channel === undefined) throw credentialMissing("channel", rank);
    const { channelId, scopes } = opened.channel;
    const client = clientOf({ channelOf: guildId, channelId }, opened.channel, true);
    // As `video` asks: a list that was opened with this client turns its pages with that one.
    return localizeClient(limitToScopes(client, { scopes, rank }), options.local);
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

function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/** The language and country that the service answers for. */
interface ServiceLocale {
  /** The person's language. */
  readonly hl: string;
  /** The guild's country, ISO 3166-1 alpha-2. */
  readonly region: string | undefined;
}

/** Lists whose entries depend on a country, and when they take one. */
const regional: Readonly<Partial<Record<Method, (params: Params) => boolean>>> = {
  "search.list": () => true,
  "videos.list": ({ chart }) => chart !== undefined,
  "videoCategories.list": ({ id }) => id === undefined,
};

type Params = Readonly<Record<string, unknown>>;

/** A client for reading whose answers come in the person's language and for the guild's country, unless asked otherwise. */
export function localizeClient(client: VideoClient, local: ServiceLocale): VideoClient {
  const loose = loosenClient(client);
  const filled = (method: Method, params: Params) => ({
    ...defaultsFor(method, params, local),
    ...Object.fromEntries(Object.entries(params).filter(([, value]) => value !== undefined)),
  });
  return strictClient({
    call: (method, params, options) => loose.call(method, filled(method, params), options),
    pages: (method, params, options) => loose.pages(method, filled(method, params), options),
  });
}

function defaultsFor(method: Method, params: Params, { hl, region }: ServiceLocale): Params {
  const methodSpec: MethodSpec = methods[method];
  const takesRegion = region !== undefined && regional[method]?.(params) === true;
  return {
    ...(methodSpec.query.hl !== undefined && !methodSpec.query.hl.deprecated && { hl }),
    ...(takesRegion && { regionCode: region }),
  };
}
