import { checkGuildId } from "../database/index.ts";
import { answer, change } from "./failure.ts";
import type { KeyedRecords } from "./records.ts";
import type { Budgets, GuildSettings, RankRoles, Settings, SettingsChange } from "./types.ts";

/** One record a guild; a guild that chose nothing has none. */
export function createSettings(records: KeyedRecords): Settings {
  const at = (guildId: string) =>
    ({ namespace: "settings", key: checkGuildId(guildId), guildId }) as const;

  return {
    read: (guildId) => answer(async () => checked(await records.get(at(guildId)))),
    update: (guildId, asked) =>
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

const shapes = {
  region: (value) => typeof value === "string" && /^[A-Z]{2}$/.test(value),
  timeZone: (value) => typeof value === "string" && /^[\w+/-]{1,64}$/.test(value),
  roles: isRoles,
  budgets: isBudgets,
  reserve: (value) => typeof value === "number" && value >= 0 && value <= 0.9,
  quota: (value) => isAmounts(value, ["units", "searches", "uploads"]),
  noticeChannelId: isId,
} as const satisfies Record<keyof GuildSettings, (value: unknown) => boolean>;

const ranks: readonly string[] = ["moderator", "manager", "owner"] satisfies (keyof RankRoles)[];

function isSettings(value: unknown): value is GuildSettings {
  return isFields(value) && Object.entries(value).every(([name, one]) => isSetting(name, one));
}

function isSetting(name: string, value: unknown): boolean {
  return Object.hasOwn(shapes, name) && shapes[name as keyof typeof shapes](value);
}

function isRoles(value: unknown): boolean {
  return isFields(value) && Object.entries(value).every(([rank, ids]) => isRank(rank, ids));
}

function isRank(rank: string, ids: unknown): boolean {
  return ranks.includes(rank) && Array.isArray(ids) && ids.every(isId);
}

const spendable = ["units", "searches", "uploads", "credits"];
const limitedRanks: readonly string[] = ["member", "moderator", "manager"];

function isBudgets(value: unknown): boolean {
  if (!isFields(value)) return false;
  const { ranks: ofRanks = {}, people = {}, unlimited = {}, ...others } = value as Budgets;
  const isKnown = Object.keys(others).length === 0 && isFields(ofRanks) && isFields(people);
  if (!isKnown || !isFields(unlimited)) return false;
  const named = [...Object.keys(ofRanks), ...Object.keys(unlimited)];
  const areRanks =
    named.every((rank) => limitedRanks.includes(rank)) &&
    Object.values(unlimited).every((one) => one === true);
  const each = [...Object.values(ofRanks), ...Object.values(people)];
  return (
    areRanks && Object.keys(people).every(isId) && each.every((one) => isAmounts(one, spendable))
  );
}

function isAmounts(value: unknown, names: readonly string[]): boolean {
  if (!isFields(value)) return false;
  return Object.entries(value).every(
    ([name, amount]) => names.includes(name) && Number.isFinite(amount) && amount >= 0,
  );
}

function isId(id: unknown): boolean {
  return typeof id === "string" && /^[0-9]{15,20}$/.test(id);
}

function isFields(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
