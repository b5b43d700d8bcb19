/** The load generator's options, the questions it can be asked, and its answers. */

export interface LightDiscordOptions {
  /** `http` posts signed interactions, `gateway` sends them over connections. */
  readonly transport: Transport;
  /** Servers from which the load comes: their owners use `/connect disconnect`. */
  readonly activeGuilds: number;
  /** Further servers that have the bot, whose members use `/usage`. */
  readonly idleGuilds: number;
  /** How many gateway connections the generator recommends. */
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
  /** Where processes take interactions over HTTP: they take turns. */
  | { readonly kind: "targets"; readonly urls: readonly string[] }
  /** Sends that many a second for that long, and waits until they are answered. */
  | { readonly kind: "load"; readonly perSecond: number; readonly seconds: number }
  /** Sends one interaction from each of that many idle servers. */
  | { readonly kind: "idle"; readonly perSecond: number; readonly count: number }
  /** Sends all at once, each from another person; only a message with a file counts as an answer. */
  | {
      readonly kind: "files";
      readonly path: string;
      /** How much an answer may carry. */
      readonly attachmentBytes: number;
      readonly each: readonly {
        /** The index of its server. */
        readonly guild: number;
        readonly options: Readonly<Record<string, string>>;
      }[];
    }
  /** Sends one after the other until one is acknowledged. */
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
  /** What came over HTTP other than an answer, and how often. */
  readonly refused: Readonly<Record<string, number>>;
}

export interface Percentiles {
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}
