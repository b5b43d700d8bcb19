import type { Read } from "./types.ts";

/** Who of a guild may do more than members, by role ids. */
export type RankRoles = Readonly<
  Partial<Record<"moderator" | "manager" | "owner", readonly string[]>>
>;

/** What may be spent a day: units, searches and uploads at the video service, credits at the image service. */
export type DailyBudget = Readonly<
  Partial<Record<"units" | "searches" | "uploads" | "credits", number>>
>;

/** Each person of a rank has that rank's budget; a person's own comes before it. What has none has the usual one. */
export interface Budgets {
  readonly ranks?: Readonly<Partial<Record<"member" | "moderator" | "manager", DailyBudget>>>;
  /** Ranks that have no usual budget. */
  readonly unlimited?: Readonly<Partial<Record<"member" | "moderator" | "manager", true>>>;
  /** By Discord user id. */
  readonly people?: Readonly<Record<string, DailyBudget>>;
}

/** What a guild chose; nothing of it is secret. */
export interface GuildSettings {
  /** ISO 3166-1 alpha-2: `DE`. */
  readonly region?: string;
  /** IANA: `Europe/Berlin`. */
  readonly timeZone?: string;
  readonly roles?: RankRoles;
  readonly budgets?: Budgets;
  /** Share of the day's units that only moderation may spend, 0 to 0.9; the program's own when absent. */
  readonly reserve?: number;
  /** What the project of the server's own key may spend a day, where it is not the service's usual. */
  readonly quota?: Readonly<Partial<Record<"units" | "searches" | "uploads", number>>>;
  /** Discord channel where the bot says what nobody asked for: a broken link, an exhausted budget. */
  readonly noticeChannelId?: string;
}

/**
 * What is given replaces, `undefined` removes, and what is left out stays; roles likewise, rank by rank, and budgets,
 * where an empty one is none.
 */
export interface SettingsChange {
  readonly region?: string | undefined;
  readonly timeZone?: string | undefined;
  readonly roles?: { readonly [R in keyof RankRoles]?: RankRoles[R] | undefined } | undefined;
  readonly budgets?: Budgets | undefined;
  readonly reserve?: number | undefined;
  readonly quota?: GuildSettings["quota"] | undefined;
  readonly noticeChannelId?: string | undefined;
}

export interface Settings {
  read(guildId: string): Promise<Read<GuildSettings>>;
  /**
   * Answers what is then set; changes at the same time do not undo each other.
   * @throws ServiceError `store_unavailable`; nothing is changed then.
   */
  update(guildId: string, change: SettingsChange): Promise<GuildSettings>;
}
