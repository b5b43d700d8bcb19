import type { Feed, ServerFeeds } from "../../announcements/index.ts";
import type { BackgroundClient, BackgroundEngine } from "../../background/index.ts";
import type { CreditsSpent, QuotaBucket, QuotaState, SpendingLimits } from "../../budget/index.ts";
import type {
  InteractionContext,
  NotificationContext,
  OptionSet,
  OptionsOf,
  RequestInfo,
  SuggestionContext,
  Suggest as SuggestWith,
} from "../../discord/index.ts";
import type { Images } from "../../images/index.ts";
import type { HeldComment, ItemRef, SavedReply, ServerModeration } from "../../moderation/index.ts";
import type { CredentialFacts, CredentialKind } from "../../store/index.ts";
import type {
  Method,
  MethodParams,
  MethodResult,
  VideoCallOptions,
  VideoClient,
} from "../../video/index.ts";
import type { Extra } from "../extra/index.ts";
import type { ThingFacts } from "./change-log.ts";
import type { ServerLinks } from "./channel-links.ts";
import type { BackgroundAccess, PlannedCall, UnitsSpent } from "./clients.ts";
import type { PaidResults } from "./paid-results.ts";
import type { ServerCredentials } from "./server-credentials.ts";
import type { ServerRecords } from "./server-records.ts";

/** What a handler may use. Everything in it belongs to one interaction of one server. */
export interface Ctx<O = unknown> extends InteractionContext<O> {
  /** The value of the option `extra`, for `withExtra`. */
  readonly extra: Extra;
  /** The value of the option `output`; `list` when absent. */
  readonly output: Output;
  /** Whether the server has a credential that the handler needs or wants. */
  has(kind: CredentialKind): boolean;
  /**
   * The server's own client. For a public answer it reads only what everybody may see; the linked channel's private data
   * is only for private answers to moderators and above. Lists are cached for a short while.
   */
  readonly video: VideoClient;
  /** Acts and reads as the linked channel, whoever reads the answer. @throws ConnectError `channel_missing`. */
  readonly own: VideoClient;
  /**
   * Says what a thing is called and belongs to that the handler is about to change, for the log. Only needed where the
   * handler does not read it and the answer to the change does not say it.
   */
  named(id: string, facts: ThingFacts): void;
  /** The linked channel's id, where it is known. */
  readonly channelId: string | undefined;
  /** The person's language, in which YouTube is to answer. */
  readonly hl: string;
  /** `This costs 50 units; 9,350 left today.`, for questions: the price of all calls that a confirmation makes. */
  price(...calls: readonly PlannedCall[]): Promise<string>;
  /**
   * Checks that the project, the server and the person can pay for all of it today: for handlers that make many calls,
   * before the first one. `credits` are remove.bg's.
   * @throws LimitError `quota_exceeded`, `units_reserved`, `budget_part`, `budget_guild`, `budget_rank` or `budget_person`.
   */
  afford(calls: readonly PlannedCall[], credits?: number): Promise<void>;
  /** The person's own limits for a day. */
  readonly budgets: SpendingLimits["budgets"];
  /** What may still be spent today with the key, or as the linked channel; undefined without it. */
  left(
    kind: "video-key" | "channel",
  ): Promise<Readonly<Record<QuotaBucket, QuotaState>> | undefined>;
  readonly background: BackgroundClient;
  /** What removes backgrounds here. rembg costs nothing, so with it nothing speaks of credits. */
  readonly engine: BackgroundEngine;
  /**
   * What this server spent at YouTube in the last days of Los Angeles, today included.
   * @throws ServiceError `store_unavailable`.
   */
  unitsSpent(days: number): Promise<readonly UnitsSpent[]>;
  /** What this server spent at remove.bg in the last days, today included. @throws ServiceError `store_unavailable`. */
  creditsSpent(days: number): Promise<readonly CreditsSpent[]>;
  /** The largest picture that remove.bg accepts; larger ones are scaled down. */
  readonly pictureLimits: PictureLimits;
  /** Keeps bytes for a quarter of an hour at most, often less; resolves with the handle for `kept`. Never rejects. */
  keep(bytes: Uint8Array): Promise<string>;
  /** Undefined when they are no longer kept. Never rejects. */
  kept(handle: string): Promise<Uint8Array | undefined>;
  /** What this interaction has paid for. */
  readonly paid: PaidResults;
  /** Clients with a credential that is to be checked. */
  readonly clients: UncheckedClients;
  readonly credentials: ServerCredentials;
  readonly records: ServerRecords;
  /** Links channels to this server. */
  readonly links: ServerLinks;
  /** This server's queue of comments. */
  readonly moderation: ServerModeration;
  /** This server's announcements. */
  readonly feeds: ServerFeeds;
  readonly images: Images;
}

/** What the handler of a command with these options gets. The value of `output` is a member of its own. */
export type CtxFor<O extends OptionSet> = Ctx<Omit<OptionsOf<O>, "output">>;

/** What a form that a button opens is made with. */
export interface FormContext extends RequestInfo {
  /** Replies that this server has saved for comments, by name; none where the store is too slow for a first answer. */
  savedReplies(): Promise<readonly SavedReply[]>;
  /** A comment of the queue; undefined if it is gone, or the store is too slow for a first answer. */
  heldComment(ref: ItemRef): Promise<HeldComment | undefined>;
}

/** What a notification is drawn with. */
export interface NotificationCtx extends NotificationContext {
  readonly log: Pick<Ctx["log"], "warn">;
  readonly images: Images;
  /** As in `Ctx`, for all projects together. @throws ServiceError `store_unavailable` */
  unitsSpent(days: number): Promise<readonly Pick<UnitsSpent, "day" | "bucket" | "spent">[]>;
}

/** What suggestions are made with. */
export interface SuggestCtx extends SuggestionContext {
  readonly hl: string;
  has(kind: CredentialKind): boolean;
  /** Id of the linked channel that acts, where it is known. */
  readonly channelId: string | undefined;
  /** All linked channels without their secrets, the default first. @throws ServiceError `store_unavailable`. */
  channels(): Promise<readonly CredentialFacts[]>;
  /** Channels whose releases are announced here. @throws ServiceError `store_unavailable`. */
  feeds(): Promise<readonly Feed[]>;
  /** This server's queue of comments, for looking at. */
  readonly moderation: ServerModeration;
  /** For a moderator and above the linked channel's own view, otherwise what everybody sees. */
  readonly video: SuggestClient;
}

/** Suggests choices for what was typed so far. */
export type FeatureSuggest = SuggestWith<SuggestCtx>;

/** No searches: a day has only a hundred of them, and typing would use them up. */
interface SuggestClient {
  call<M extends Exclude<Method, "search.list">>(
    method: M,
    params: MethodParams<M>,
    options?: VideoCallOptions,
  ): Promise<MethodResult<M>>;
}

export interface PictureLimits {
  readonly maxBytes: number;
  readonly maxPixels: number;
}

/** The form of a list: a message, a file for spreadsheets or programs, or YouTube's own answer. */
export type Output = "list" | "csv" | "json" | "raw";

/** Clients of one interaction. */
interface UncheckedClients {
  video(key: string): VideoClient;
  background(access: BackgroundAccess): BackgroundClient;
}
