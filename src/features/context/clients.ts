import type { BackgroundClient } from "../../background/index.ts";
import type {
  BilledTo,
  BucketSums,
  CreditsSpent,
  DecisionUnits,
  QuotaBucket,
  QuotaState,
  SpendingLine,
  VideoCharge,
} from "../../budget/index.ts";
import type { Credential } from "../../store/index.ts";
import type { Method, VideoClient } from "../../video/index.ts";

/** Exactly one credential of a server: a key, or one of its linked channels, the default one without an id. */
export type VideoAccess =
  | { readonly key: string }
  | { readonly channelOf: string; readonly channelId?: string | undefined };

/** What removes a server's backgrounds; `secret` is empty for rembg. */
export type BackgroundAccess = Pick<Credential, "secret" | "engine" | "address">;

/** What one call cost. */
export interface CallCost {
  readonly bucket: QuotaBucket;
  readonly cost: number;
}

/** A method and how many times it will be called; once when absent. */
export type PlannedCall = readonly [method: Method, times?: number];

/** What one person spent on one day, and whose project it was: the key's, the channels', or one that is no longer connected. */
export interface UnitsSpent extends SpendingLine {
  readonly kind: "video-key" | "channel" | "former";
}

/** The clients of YouTube and remove.bg, for any server; made in `bot.ts`. */
export interface ServiceClients {
  /** Its calls are counted on behalf of that person; `onSpent` is called once a call has reached YouTube. */
  video(access: VideoAccess, billedTo: BilledTo, onSpent?: (cost: CallCost) => void): VideoClient;
  /** What the credential's project may still spend today, for that person. */
  left(access: VideoAccess, billedTo: BilledTo): Promise<Readonly<Record<QuotaBucket, QuotaState>>>;
  /** Checks calls against what is left; `personal` is what the person would spend in all projects together. @throws LimitError */
  afford(
    access: VideoAccess,
    billedTo: BilledTo,
    wanted: { readonly charges: readonly VideoCharge[]; readonly personal: BucketSums },
  ): Promise<void>;
  /** Checks credits against the person's budget. @throws LimitError */
  affordCredits(billedTo: BilledTo, credits: number): Promise<void>;
  /**
   * Takes units from the server's part of the day that is for decisions about comments; false if fewer are left of it.
   * @throws ServiceError `store_unavailable`.
   */
  takeForDecisions(
    access: VideoAccess,
    billedTo: BilledTo,
    wanted: DecisionUnits,
  ): Promise<boolean>;
  /** What a server spent in the last days, in every project. @throws ServiceError `store_unavailable`. */
  unitsSpent(guildId: string, days: number): Promise<readonly SpendingLine[]>;
  /** The same at remove.bg. */
  creditsSpent(guildId: string, days: number): Promise<readonly CreditsSpent[]>;
  /** The credential's project; undefined where it can't be used. */
  projectOf(access: VideoAccess): string | undefined;
  /** Servers take turns in its queue, and what it is charged is counted on behalf of that person. */
  background(access: BackgroundAccess, billedTo: BilledTo): BackgroundClient;
}
