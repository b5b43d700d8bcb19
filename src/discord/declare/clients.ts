import type { BackgroundClient, CreditSpender } from "../../background/index.ts";
import type { GuildSettings } from "../../store/index.ts";
import type {
  Amount,
  Bucket,
  Budget,
  Charge,
  Left,
  Method,
  Spender,
  SpentOf,
  VideoClient,
} from "../../video/index.ts";

/** Exactly one credential of a guild: a key, or one of its linked channels, the default one without an id. */
export type VideoAccess =
  | { readonly key: string }
  | { readonly channelOf: string; readonly channelId?: string | undefined };

/** What one call cost. */
export interface Cost {
  readonly bucket: Bucket;
  readonly cost: number;
}

export type Spendable = Bucket | "credits";

export type { Budget };

/** What the owners of a guild chose for what is spent there. */
export interface Purse {
  /** What the person may spend a day; what has no budget is not limited. */
  readonly budgets: Readonly<Partial<Record<Spendable, Budget>>> | undefined;
  readonly quota: GuildSettings["quota"] | undefined;
  readonly reserve: number | undefined;
}

/** On whose behalf something is spent, and what limits it. */
export interface Payer extends Spender, CreditSpender {
  readonly purse?: Purse;
  readonly isSpare?: true;
}

/** A method and how often it is to be called; once when absent. */
export type Planned = readonly [method: Method, times?: number];

/** What one person spent on one day, and of which project: of the key and the channels as they are connected now. */
export interface UnitsSpent extends SpentOf {
  readonly kind: "video-key" | "channel" | "former";
}

/** Made in `bot.ts`. */
export interface Clients {
  /** Its calls are counted on behalf of that payer, and told once they have reached the service. */
  video(access: VideoAccess, payer: Payer, onSpent?: (cost: Cost) => void): VideoClient;
  /** What the credential's project may still spend today, for that payer. */
  left(access: VideoAccess, payer: Payer): Promise<Readonly<Record<Bucket, Left>>>;
  /** Holds calls against what is left; `personal` is what the payer would spend of all projects together. @throws LimitError */
  afford(
    access: VideoAccess,
    payer: Payer,
    wanted: { readonly charges: readonly Charge[]; readonly personal: Amount },
  ): Promise<void>;
  /** What a guild spent in the last days, of every project. @throws ServiceError `store_unavailable`. */
  spent(guildId: string, days: number): Promise<readonly SpentOf[]>;
  /** The credential's project; undefined where it can't be used. */
  projectOf(access: VideoAccess): string | undefined;
  /** Its turns are shared out by guild, and what it is charged is counted on behalf of that payer. */
  background(key: string, payer: Payer): BackgroundClient;
}
