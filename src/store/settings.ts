import { checkGuildId } from "../database/index.ts";
import { readStore, valueOfRead, writeStore } from "./failure.ts";
import type { KeyedRecords } from "./records.ts";

/** The roles of a guild that give more rights than members have, by role id. */
export type RankRoles = Readonly<
  Partial<Record<"moderator" | "manager" | "owner", readonly string[]>>
>;

/** What may be spent a day: units, searches and uploads at the video service, credits at the image service. */
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

/** What a guild has set; none of it is secret. */
export interface GuildSettings {
  /** ISO 3166-1 alpha-2: `DE`. */
  readonly region?: string;
  /** IANA: `Europe/Berlin`. */
  readonly timeZone?: string;
  readonly roles?: RankRoles;
  readonly budgets?: Budgets;
  /** Share of the day's units that only moderation may spend, 0 to 0.9; the program's own when absent. */
  readonly reserve?: number;
  /** What the project of the server's own key may spend a day, where that differs from the service's usual quota. */
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
export type SettingsChange = (stored: GuildSettings) => {
  readonly [F in keyof GuildSettings]: GuildSettings[F] | undefined;
};

export type Settings = ReturnType<typeof createSettings>;

/** One record for each guild; a guild that has set nothing has none. */
export function createSettings(records: KeyedRecords) {
  const at = (guildId: string) =>
    ({ namespace: "settings", key: checkGuildId(guildId), guildId }) as const;

  return {
    read: (guildId: string) =>
      readStore(async () => requireSettings(await records.get(at(guildId)))),
    /**
     * Returns the settings after the change. `change` may be called several times; if it throws, nothing is changed.
     * @throws ServiceError `store_unavailable`, then nothing was changed; what `change` throws.
     */
    update: (guildId: string, change: SettingsChange): Promise<GuildSettings> =>
      writeStore(async () => {
        const { database } = records;
        return database.transaction(async () => {
          const made = await records.change(at(guildId), (record) => {
            const settings = checkSettings(change(requireSettings(record) ?? {}));
            return Object.keys(settings).length === 0 ? undefined : settings;
          });
          await database.servers.noteChange(guildId);
          return made ?? {};
        });
      }),
  };
}

/** What a server has set; empty where it has set nothing. @throws what reading throws. */
export async function readGuildSettings(
  { settings }: { readonly settings: Pick<Settings, "read"> },
  guildId: string,
): Promise<GuildSettings> {
  return valueOfRead(await settings.read(guildId)) ?? {};
}

function requireSettings(settings: unknown): GuildSettings | undefined {
  if (settings === undefined || isSettings(settings)) return settings;
  throw new Error("a record of settings does not hold settings");
}

/** @throws TypeError for what is not a setting; a person's input is checked long before. */
function checkSettings(made: object): GuildSettings {
  const settings = withoutEmpty(made);
  if (isSettings(settings)) return settings;
  throw new TypeError("a setting for the store has another shape");
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

type SettingChecks<Name extends string> = Readonly<Record<Name, (value: unknown) => boolean>>;

const shapes = {
  region: (value) => typeof value === "string" && /^[A-Z]{2}$/.test(value),
  timeZone: (value) => typeof value === "string" && /^[\w+/:-]{1,64}$/.test(value),
  roles: (value) =>
    isEach(value, (rank, ids) => ranks.includes(rank) && Array.isArray(ids) && ids.every(isId)),
  budgets: (value) => isShaped(value, budgetShapes),
  reserve: (value) => typeof value === "number" && value >= 0 && value <= 0.9,
  quota: (value) => isAmounts(value, ["units", "searches", "uploads"]),
  noticeChannelId: isId,
  noticesMayBePublic: (value) => value === true,
  creditsWarnedOn: (value) => typeof value === "string" && /^\d{4}-\d{2}-\d{2}$/.test(value),
  isWelcomed: (value) => value === true,
  summary: (value) =>
    isShaped(value, {
      channelId: isId,
      weekday: (day) => Number.isInteger(day) && Number(day) >= 1 && Number(day) <= 7,
      mayBePublic: (value) => value === true,
    }),
} as const satisfies SettingChecks<keyof GuildSettings>;

const budgetShapes = {
  ranks: (value) =>
    isEach(value, (rank, one) => limitedRanks.includes(rank) && isAmounts(one, spendable)),
  people: (value) => isEach(value, (person, one) => isId(person) && isAmounts(one, spendable)),
  unlimited: (value) => isEach(value, (rank, one) => limitedRanks.includes(rank) && one === true),
} as const satisfies SettingChecks<keyof Budgets>;

const ranks: readonly string[] = ["moderator", "manager", "owner"] satisfies (keyof RankRoles)[];
const limitedRanks: readonly string[] = ["member", "moderator", "manager"];
const spendable = ["units", "searches", "uploads", "credits"];

function isSettings(value: unknown): value is GuildSettings {
  return isShaped(value, shapes);
}

function isShaped(value: unknown, known: SettingChecks<string>): boolean {
  return isEach(value, (name, one) => Object.hasOwn(known, name) && known[name]?.(one) === true);
}

function isAmounts(value: unknown, names: readonly string[]): boolean {
  return isEach(
    value,
    (name, amount) => names.includes(name) && Number.isFinite(amount) && Number(amount) >= 0,
  );
}

function isId(id: unknown): boolean {
  return typeof id === "string" && /^[0-9]{15,20}$/.test(id);
}

/** Whether it is an object and all of its fields pass the test. */
function isEach(value: unknown, isSo: (name: string, one: unknown) => boolean): boolean {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  return Object.entries(value).every(([name, one]) => isSo(name, one));
}
