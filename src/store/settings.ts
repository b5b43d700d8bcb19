import { checkGuildId } from "../database/index.ts";
import { answer, change } from "./failure.ts";
import type { KeyedRecords } from "./records.ts";

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
export type SettingsChange = {
  readonly [F in Exclude<keyof GuildSettings, "roles">]?: GuildSettings[F] | undefined;
} & {
  readonly roles?: { readonly [R in keyof RankRoles]?: RankRoles[R] | undefined } | undefined;
};

export type Settings = ReturnType<typeof createSettings>;

/** One record a guild; a guild that chose nothing has none. */
export function createSettings(records: KeyedRecords) {
  const at = (guildId: string) =>
    ({ namespace: "settings", key: checkGuildId(guildId), guildId }) as const;

  return {
    read: (guildId: string) => answer(async () => checked(await records.get(at(guildId)))),
    /**
     * Answers what is then set; changes at the same time do not undo each other.
     * @throws ServiceError `store_unavailable`; nothing is changed then.
     */
    update: (guildId: string, asked: SettingsChange): Promise<GuildSettings> =>
      change(async () => {
        const made = await records.change(at(guildId), (before) => {
          const settings = merged(checked(before) ?? {}, asked);
          return Object.keys(settings).length === 0 ? undefined : settings;
        });
        return made ?? {};
      }),
  };
}

function checked(settings: unknown): GuildSettings | undefined {
  if (settings === undefined || isSettings(settings)) return settings;
  throw new Error("a record of settings does not hold settings");
}

/** @throws TypeError for what is no setting; a person's input is judged long before. */
function merged(stored: GuildSettings, asked: SettingsChange): GuildSettings {
  const { roles, budgets, quota = {}, ...others } = { ...stored, ...asked };
  const both = "roles" in asked && roles !== undefined ? { ...stored.roles, ...roles } : roles;
  const settings = chosen({
    ...others,
    roles: chosen(both ?? {}),
    quota: chosen(quota),
    budgets: budgets === undefined ? undefined : bothBudgets(stored.budgets, budgets),
  });
  if (isSettings(settings)) return settings;
  throw new TypeError("a setting for the store has another shape");
}

/** Target by target, so that two who set budgets at the same time do not undo each other's. */
function bothBudgets(stored: Budgets = {}, asked: Budgets): object {
  return chosen({
    ranks: filled({ ...stored.ranks, ...asked.ranks }),
    people: filled({ ...stored.people, ...asked.people }),
    unlimited: { ...stored.unlimited, ...asked.unlimited },
  });
}

/** Without the budgets that limit nothing. */
function filled(budgets: object): object {
  return chosen(
    Object.fromEntries(Object.entries(budgets).map(([of, each]) => [of, chosen(each)])),
  );
}

/** Without what is undefined or empty. */
function chosen(fields: object): object {
  const kept = Object.entries(fields).filter(([, value]) => {
    return value !== undefined && (typeof value !== "object" || Object.keys(value).length > 0);
  });
  return Object.fromEntries(kept);
}

type Shapes<Name extends string> = Readonly<Record<Name, (value: unknown) => boolean>>;

const shapes = {
  region: (value) => typeof value === "string" && /^[A-Z]{2}$/.test(value),
  timeZone: (value) => typeof value === "string" && /^[\w+/-]{1,64}$/.test(value),
  roles: (value) =>
    isEach(value, (rank, ids) => ranks.includes(rank) && Array.isArray(ids) && ids.every(isId)),
  budgets: (value) => isShaped(value, budgetShapes),
  reserve: (value) => typeof value === "number" && value >= 0 && value <= 0.9,
  quota: (value) => isAmounts(value, ["units", "searches", "uploads"]),
  noticeChannelId: isId,
} as const satisfies Shapes<keyof GuildSettings>;

const budgetShapes = {
  ranks: (value) =>
    isEach(value, (rank, one) => limitedRanks.includes(rank) && isAmounts(one, spendable)),
  people: (value) => isEach(value, (person, one) => isId(person) && isAmounts(one, spendable)),
  unlimited: (value) => isEach(value, (rank, one) => limitedRanks.includes(rank) && one === true),
} as const satisfies Shapes<keyof Budgets>;

const ranks: readonly string[] = ["moderator", "manager", "owner"] satisfies (keyof RankRoles)[];
const limitedRanks: readonly string[] = ["member", "moderator", "manager"];
const spendable = ["units", "searches", "uploads", "credits"];

function isSettings(value: unknown): value is GuildSettings {
  return isShaped(value, shapes);
}

function isShaped(value: unknown, known: Shapes<string>): boolean {
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

/** Whether it is an object whose every field is so. */
function isEach(value: unknown, isSo: (name: string, one: unknown) => boolean): boolean {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  return Object.entries(value).every(([name, one]) => isSo(name, one));
}
