/** What the load generator is started with and asked, and what it answers. */

export interface LightDiscordOptions {
  /** `http` posts signed interactions, `gateway` sends them over connections. */
  readonly transport: Transport;
  /** Servers from which the load comes: their owners use `/connect disconnect`. */
  readonly activeGuilds: number;
  /** Servers beside them that have the bot, where members use `/usage`. */
  readonly idleGuilds: number;
  /** How many gateway connections it recommends. */
  readonly shards: number;
}

export type Transport = "gateway" | "http";

/** The application that a bot logs in as. */
export interface LightApplication {
  readonly token: string;
  readonly publicKey: string;
}

export type LoadQuestion =
  | { readonly kind: "application" }
  /** Where processes take interactions over HTTP: each gets the next one. */
  | { readonly kind: "targets"; readonly urls: readonly string[] }
  /** Sends so many a second for so long, and waits until they are answered. */
  | { readonly kind: "load"; readonly perSecond: number; readonly seconds: number }
  /** One from each of so many idle servers. */
  | { readonly kind: "idle"; readonly perSecond: number; readonly count: number }
  /** All at once, each by somebody else; only what carries a file is an answer. */
  | {
      readonly kind: "files";
      readonly path: string;
      /** What an answer may carry. */
      readonly attachmentBytes: number;
      readonly each: readonly {
        /** The index of its server. */
        readonly guild: number;
        readonly options: Readonly<Record<string, string>>;
      }[];
    }
  /** One after the other until one is acknowledged. */
  | { readonly kind: "first" };

/** How a load went. Times are in ms from when an interaction was sent. */
export interface LoadResult {
  readonly sent: number;
  readonly acknowledged: number;
  readonly answered: number;
  /** How many a second were really sent. */
  readonly perSecond: number;
  readonly acknowledgeMs: Percentiles;
  readonly answerMs: Percentiles;
  /** How late the generator itself was at most. */
  readonly lateMs: number;
  /** When the first was acknowledged: ms since the epoch. */
  readonly firstAt: number;
  /** What else than an answer came over HTTP, and how often. */
  readonly refused: Readonly<Record<string, number>>;
}

export interface Percentiles {
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}
