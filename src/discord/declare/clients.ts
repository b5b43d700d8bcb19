import type { BackgroundClient } from "../../background/index.ts";
import type {
  BilledTo,
  Bucket,
  BucketSums,
  CreditsSpent,
  QuotaState,
  SpendingLine,
  VideoCharge,
} from "../../budget/index.ts";
import type { Method, VideoClient } from "../../video/index.ts";

/** Exactly one credential of a guild: a key, or one of its linked channels, the default one without an id. */
export type VideoAccess =
  | { readonly key: string }
  | { readonly channelOf: string; readonly channelId?: string | undefined };

/** What one call cost. */
export interface Cost {
  readonly bucket: Bucket;
  readonly cost: number;
}

/** A method and how often it is to be called; once when absent. */
export type Planned = readonly [method: Method, times?: number];

/** What one person spent on one day, and of which project: of the key and the channels as they are connected now. */
export interface UnitsSpent extends SpendingLine {
  readonly kind: "video-key" | "channel" | "former";
}

/** Made in `bot.ts`. */
export interface Clients {
  /** Its calls are counted on behalf of that person, and told once they have reached the service. */
  video(access: VideoAccess, billedTo: BilledTo, onSpent?: (cost: Cost) => void): VideoClient;
  /** What the credential's project may still spend today, for that person. */
  left(access: VideoAccess, billedTo: BilledTo): Promise<Readonly<Record<Bucket, QuotaState>>>;
  /** Holds calls against what is left; `personal` is what the person would spend of all projects together. @throws LimitError */
  afford(
    access: VideoAccess,
    billedTo: BilledTo,
    wanted: { readonly charges: readonly VideoCharge[]; readonly personal: BucketSums },
  ): Promise<void>;
  /** Holds credits against the person's budget. @throws LimitError */
  affordCredits(billedTo: BilledTo, credits: number): Promise<void>;
  /** What a guild spent in the last days, of every project. @throws ServiceError `store_unavailable`. */
  unitsSpent(guildId: string, days: number): Promise<readonly SpendingLine[]>;
  /** The same of the image service. */
  creditsSpent(guildId: string, days: number): Promise<readonly CreditsSpent[]>;
  /** The credential's project; undefined where it can't be used. */
  projectOf(access: VideoAccess): string | undefined;
  /** Its turns are shared out by guild, and what it is charged is counted on behalf of that person. */
  background(key: string, billedTo: BilledTo): BackgroundClient;
}
