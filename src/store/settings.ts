import { z } from "zod";
import { checkSnowflake } from "../database/index.ts";
import { readStore, readValue, writeStore } from "./failure.ts";
import type { KeyedRecords } from "./records.ts";

/** The roles of a server that give more rights than members have, by role id. */
export type RankRoles = Readonly<
  Partial<Record<"moderator" | "manager" | "owner", readonly string[]>>
>;

/** What may be spent a day: units, searches and uploads at YouTube, credits at remove.bg. */
export type DailyBudget = Readonly<
  Partial<Record<"units" | "searches" | "uploads" | "credits", number>>
>;

/** Each person of a rank has the rank's budget, unless the person has one of their own. Ranks without one have the usual budget. */
export interface Budgets {
  readonly ranks?: Readonly<Partial<Record<"member" | "moderator" | "manager", DailyBudget>>>;
  /** Ranks that have no usual budget. */
  readonly unlimited?: Readonly<Partial<Record<"member" | "moderator" | "manager", true>>>;
  /** By Discord user id. */
  readonly people?: Readonly<Record<string, DailyBudget>>;
}

/** What a server has set; none of it is secret. */
export interface ServerSettings {
  /** ISO 3166-1 alpha-2: `DE`. */
  readonly region?: string;
  /** IANA: `Europe/Berlin`. */
  readonly timeZone?: string;
  readonly roles?: RankRoles;
  readonly budgets?: Budgets;
  /** Share of the day's units that only moderation may spend, 0 to 0.9; the program's own when absent. */
  readonly reserve?: number;
  /** What the project of the server's own key may spend a day, where that differs from YouTube's usual quota. */
  readonly quota?: Readonly<Partial<Record<"units" | "searches" | "uploads", number>>>;
  /** Discord channel for notifications: a broken link, an exhausted budget. */
  readonly noticeChannelId?: string;
  /** Somebody has agreed that everyone may read the notifications there. */
  readonly noticesMayBePublic?: true;
  /** The last day on which the owner was warned that half of the credits went; a day in Los Angeles, `2026-01-31`. */
  readonly creditsWarnedOn?: string;
  /** Whether the message for a server that has just added the bot was sent. */
  readonly isWelcomed?: true;
  /** Where and on which day the weekly summary of moderation is posted, 1 for Monday; nowhere when absent. */
  readonly summary?: {
    readonly channelId: string;
    readonly weekday: 1 | 2 | 3 | 4 | 5 | 6 | 7;
    /** Somebody has agreed that everyone may read it. */
    readonly mayBePublic?: true;
  };
}

/**
 * Returns the new settings for the stored ones, while nobody else can change them. What is undefined or empty is not stored.
 */
export type SettingsChange = (stored: ServerSettings) => {
  readonly [F in keyof ServerSettings]: ServerSettings[F] | undefined;
};

export type Settings = ReturnType<typeof createSettings>;

/** One record for each server; a server that has set nothing has none. */
export function createSettings(records: KeyedRecords) {
  const at = (guildId: string) =>
    ({ namespace: "settings", key: checkSnowflake(guildId), guildId }) as const;

  return {
    read: (guildId: string) =>
      readStore(async () => requireSettings(await records.get(at(guildId)))),
    /**
     * Returns the settings after the change. `change` may be called several times; if it throws, nothing is changed.
     * @throws ServiceError `store_unavailable`, then nothing was changed; what `change` throws.
     */
    update: (guildId: string, change: SettingsChange): Promise<ServerSettings> =>
      writeStore(async () => {
        const { database } = records;
        return database.transaction(async () => {
          const made = await records.change(at(guildId), (record) => {
            const settings = withoutEmpty(change(requireSettings(record) ?? {}));
            // Our own mistake: a person's input is checked long before.
            if (!isSettings(settings)) throw new TypeError("a setting has another shape");
            return Object.keys(settings).length === 0 ? undefined : settings;
          });
          await database.servers.noteChange(guildId);
          return made ?? {};
        });
      }),
  };
}

/** What a server has set; empty where it has set nothing. @throws what reading throws. */
export async function readServerSettings(
  { settings }: { readonly settings: Pick<Settings, "read"> },
  guildId: string,
): Promise<ServerSettings> {
  return readValue(await settings.read(guildId)) ?? {};
}

function requireSettings(settings: unknown): ServerSettings | undefined {
  if (settings === undefined || isSettings(settings)) return settings;
  throw new Error("a record of settings does not hold settings");
}

/** Leaves out what is undefined or empty, at every depth. */
function withoutEmpty(fields: object): object {
  if (Array.isArray(fields)) return fields;
  const entries = Object.entries(fields).map(([name, value]) => {
    return [name, typeof value === "object" && value !== null ? withoutEmpty(value) : value];
  });
  return Object.fromEntries(
    entries.filter(([, value]) => {
      return value !== undefined && (typeof value !== "object" || Object.keys(value).length > 0);
    }),
  );
}

const snowflake = z.string().regex(/^[0-9]{15,20}$/);
const chosen = z.literal(true);
const amount = z.number().nonnegative();
const quota = { units: amount, searches: amount, uploads: amount };
const dailyBudget = z.strictObject({ ...quota, credits: amount }).partial();
const limitedRank = z.enum(["member", "moderator", "manager"]);

const settingsShape = z
  .strictObject({
    region: z.string().regex(/^[A-Z]{2}$/),
    timeZone: z.string().regex(/^[\w+/:-]{1,64}$/),
    roles: z.partialRecord(z.enum(["moderator", "manager", "owner"]), z.array(snowflake)),
    budgets: z
      .strictObject({
        ranks: z.partialRecord(limitedRank, dailyBudget),
        unlimited: z.partialRecord(limitedRank, chosen),
        people: z.record(snowflake, dailyBudget),
      })
      .partial(),
    reserve: z.number().min(0).max(0.9),
    quota: z.strictObject(quota).partial(),
    noticeChannelId: snowflake,
    noticesMayBePublic: chosen,
    creditsWarnedOn: z.string().regex(/^\d{4}-\d{2}-\d{2}$/),
    isWelcomed: chosen,
    summary: z
      .strictObject({ channelId: snowflake, weekday: z.int().min(1).max(7), mayBePublic: chosen })
      .partial(),
  } satisfies Record<keyof ServerSettings, z.ZodType>)
  .partial();

function isSettings(value: unknown): value is ServerSettings {
  return settingsShape.safeParse(value).success;
}
