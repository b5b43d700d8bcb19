import type { Feed } from "../../feeds/index.ts";
import type { GuildModeration } from "../../moderation/index.ts";
import type { CredentialFacts, CredentialKind, GuildSettings } from "../../store/index.ts";
import type { CallOptions, Method, Params, Result } from "../../video/index.ts";
import type { Words } from "../draw/words.ts";
import type { Rank } from "../rank.ts";

export interface Choice<T extends string | number = string | number> {
  readonly name: string;
  readonly value: T;
}

/** Answers suggestions for what was typed so far; at most 25 are shown. */
export type Suggest = (typed: string, ctx: SuggestCtx) => Promise<readonly Choice[]>;

/** A suggestion has no credential but the guild's own, little time, and no way to fail loudly. */
export interface SuggestCtx {
  readonly guildId: string;
  /** Suggestions are seen by one person: what is private is for those of rank (`isOfRank`). */
  readonly rank: Rank;
  readonly words: Words;
  readonly settings: GuildSettings;
  readonly hl: string;
  /** What the other options hold so far, as it was typed. */
  readonly others: Readonly<Record<string, string>>;
  has(kind: CredentialKind): boolean;
  /** Id of the linked channel that acts, where it is known. */
  readonly channelId: string | undefined;
  /** What is known of all linked channels, the default first. @throws ServiceError `store_unavailable`. */
  channels(): Promise<readonly CredentialFacts[]>;
  /** Channels whose releases are announced here. @throws ServiceError `store_unavailable`. */
  feeds(): Promise<readonly Feed[]>;
  /** This guild's queue of comments, for looking at. */
  readonly moderation: GuildModeration;
  /** What a channel of the server is called; undefined where that can't be had. */
  channelName(channelId: string): Promise<string | undefined>;
  /** For a moderator and above the linked channel's own view, otherwise what everybody sees. */
  readonly video: SuggestClient;
  readonly signal: AbortSignal;
  now(): number;
}

/** No searches: the day has a hundred of them, and one for every key that is pressed would be the end of it. */
export interface SuggestClient {
  call<M extends Exclude<Method, "search.list">>(
    method: M,
    params: Params<M>,
    options?: CallOptions,
  ): Promise<Result<M>>;
}
