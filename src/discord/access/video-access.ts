import type { BilledTo } from "../../budget/index.ts";
import type { Credential } from "../../store/index.ts";
import type { VideoClient } from "../../video/index.ts";
import type { Clients, Cost, VideoAccess } from "../declare/clients.ts";
import type { Demands } from "../declare/demands.ts";
import { isWriting, videoDemand } from "../declare/demands.ts";
import { type Rank, reaches } from "../rank.ts";
import type { AnswerCache } from "./answer-cache.ts";
import { withinScopes } from "./channel-scopes.ts";
import { notConnected, type Opened } from "./guard.ts";
import { type Local, localized } from "./localized.ts";
import { publicView, withoutConsent } from "./public-view/index.ts";
import { remembering } from "./reads.ts";

/** Who will read the answer: everybody, or one person. */
export type View = "public" | "private";

export interface AccessOptions {
  readonly guildId: string;
  readonly rank: Rank;
  readonly view: View;
  readonly demands: Demands;
  readonly opened: Opened;
  readonly billedTo: BilledTo;
  readonly clients: Clients;
  readonly answers: AnswerCache;
  readonly local: Local;
  readonly onSpent: (access: VideoAccess, cost: Cost) => void;
}

export interface Access {
  readonly video: VideoClient;
  readonly own: VideoClient;
  /** What `video` travels with. @throws ConnectError */
  readonly access: VideoAccess;
}

type Chosen = Pick<AccessOptions, "guildId" | "rank" | "view" | "demands" | "opened">;

/** What `video` travels with. @throws ConnectError `video_key_missing`, `channel_missing` */
function accessFor(options: Chosen): VideoAccess {
  const { guildId, rank, opened } = options;
  const key = opened["video-key"]?.secret;
  if (key !== undefined && !isWhole(options)) return { key };
  const { channel } = opened;
  if (channel !== undefined) return { channelOf: guildId, channelId: channel.channelId };
  throw notConnected(isWhole(options) ? "channel" : "video-key", rank);
}

/** Whether the channel's private things may be among the answers. */
function isWhole({ demands, view, rank, opened }: Chosen): boolean {
  if (videoDemand(demands) === "channel") return true;
  return view === "private" && reaches(rank, "moderator") && opened.channel !== undefined;
}

/**
 * The clients of one interaction. An answer that all can read is asked with the key, which sees what everybody sees;
 * without a key the linked channel is asked and its private things are left out. Answers for one person of rank, and
 * what only the channel may do, go with the channel's consent.
 */
export function accessOf(options: AccessOptions): Access {
  const { guildId, rank, opened } = options;
  const isOwn = isWhole(options);

  function clientOf(access: VideoAccess, credential: Credential | undefined, isAll: boolean) {
    const onSpent = (cost: Cost) => options.onSpent(access, cost);
    const client = options.clients.video(access, options.billedTo, onSpent);
    const whose = "key" in access ? "key" : `channel ${credential?.channelId ?? ""}`;
    const scope = `${whose} ${credential?.addedAt ?? 0} ${isAll}`;
    const everybodys = "key" in access ? client : publicView(client, opened.channel?.channelId);
    const isGuarded = !isAll && opened.channel !== undefined;
    const seen = isAll ? client : isGuarded ? withoutConsent(everybodys) : everybodys;
    const isFresh = isWriting(options.demands);
    return remembering(seen, { answers: options.answers, scope, guildId, isFresh });
  }

  function keyClient(): VideoClient | undefined {
    const key = opened["video-key"];
    return key && clientOf({ key: key.secret }, key, false);
  }

  const seen = once(() => {
    const access = accessFor(options);
    if ("key" in access)
      return localized(clientOf(access, opened["video-key"], isOwn), options.local);
    const client = clientOf(access, opened.channel, isOwn);
    // What the consent does not reach, but everybody sees, is read with the key.
    const covered = { scopes: opened.channel?.scopes, rank, instead: once(keyClient) };
    return localized(withinScopes(client, covered), options.local);
  });
  const whole = once(() => {
    if (opened.channel === undefined) throw notConnected("channel", rank);
    const { channelId, scopes } = opened.channel;
    const client = clientOf({ channelOf: guildId, channelId }, opened.channel, true);
    return withinScopes(client, { scopes, rank });
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
