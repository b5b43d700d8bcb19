import { PermissionFlagsBits as bits } from "discord-api-types/v10";
import { rolesGiving } from "./guild-roles.ts";

/** Interactions as the gateway delivers them, from any person in any server. */

export interface Whose {
  readonly guildId: string;
  readonly userId: string;
  readonly userName?: string;
  /** The permissions that their roles give them in the whole server, as a bit set; nothing special when absent. */
  readonly permissions?: bigint | undefined;
  /** How the channel's overwrites change these permissions, in that channel only. */
  readonly here?: { readonly allow?: bigint; readonly deny?: bigint } | undefined;
  /** When the member's time-out ends. */
  readonly silentUntil?: string | undefined;
  readonly roles?: readonly string[] | undefined;
  readonly locale?: string | undefined;
}

export const applicationId = "900000000000000001";
let lastId = 910_000_000_000_000_000n;

export function nextId(): string {
  lastId += 1n;
  return String(lastId);
}

const plain = bits.ViewChannel | bits.SendMessages | bits.UseApplicationCommands;

function base(type: number, whose: Whose) {
  const { guildId, userId, permissions = 0n, roles = [], locale, here = {} } = whose;
  const { allow = 0n, deny = 0n } = here;
  const username = whose.userName ?? `user-${userId}`;
  const id = nextId();
  return {
    id,
    application_id: applicationId,
    type,
    token: `token-of-${id}`,
    version: 1,
    guild_id: guildId,
    guild: { id: guildId, locale: "en-US", features: [] },
    channel_id: `${BigInt(guildId) + 1n}`,
    channel: { id: `${BigInt(guildId) + 1n}`, type: 0, name: "general" },
    locale: locale ?? "en-US",
    guild_locale: "en-US",
    app_permissions: String(plain),
    attachment_size_limit: 10_485_760,
    context: 0,
    authorizing_integration_owners: { "0": guildId },
    entitlements: [],
    member: {
      user: { id: userId, username, discriminator: "0", global_name: null },
      roles: [...roles, ...rolesGiving(permissions)],
      permissions: String(((plain | permissions) & ~deny) | allow),
      communication_disabled_until: whose.silentUntil ?? null,
      joined_at: "2026-05-01T00:00:00.000Z",
      deaf: false,
      mute: false,
      flags: 0,
    },
  };
}

export type Value = string | number | boolean;

/** What Discord sends for a file option. */
export interface Attached {
  readonly filename: string;
  readonly url: string;
  readonly size: number;
}

interface Leaf {
  readonly type: number;
  readonly name: string;
  readonly value: Value;
  readonly focused?: true;
}

const types = { string: 3, number: 4, boolean: 5 } as const;

function leaf(name: string, value: Value): Leaf {
  return { type: types[typeof value as keyof typeof types], name, value };
}

/** `path` is like `playlists list`. */
function commandData(path: string, options: readonly Leaf[]) {
  const [name = "", ...steps] = path.split(" ");
  const nested = steps.reduceRight<readonly object[]>(
    (inner, step, index) => [
      { type: index < steps.length - 1 ? 2 : 1, name: step, options: inner },
    ],
    options,
  );
  return { id: "1", type: 1, name, options: nested };
}

export function command(
  path: string,
  whose: Whose,
  options: Readonly<Record<string, Value | Attached>> = {},
) {
  const attachments: Record<string, object> = {};
  const leaves = Object.entries(options).map(([name, value]): Leaf => {
    if (typeof value !== "object") return leaf(name, value);
    const id = nextId();
    attachments[id] = { ...value, id, proxy_url: value.url };
    return { type: 11, name, value: id };
  });
  return { ...base(2, whose), data: { ...commandData(path, leaves), resolved: { attachments } } };
}

export function suggestion(
  path: string,
  focused: string,
  whose: Whose,
  {
    text = "",
    others = {},
  }: { readonly text?: string; readonly others?: Readonly<Record<string, Value>> } = {},
) {
  const leaves = Object.entries(others).map(([name, value]) => leaf(name, value));
  const asked: Leaf = { ...leaf(focused, text), focused: true };
  return { ...base(4, whose), data: commandData(path, [...leaves, asked]) };
}

export function menu(name: string, whose: Whose, message: object = {}) {
  const target = messageOf(whose, message);
  const resolved = { messages: { [target.id]: target } };
  return { ...base(2, whose), data: { id: "1", type: 3, name, target_id: target.id, resolved } };
}

export function messageOf(whose: Whose, change: object = {}) {
  return {
    id: nextId(),
    channel_id: `${BigInt(whose.guildId) + 1n}`,
    author: { id: applicationId, username: "Greenroom", bot: true },
    content: "",
    attachments: [],
    embeds: [],
    components: [],
    mentions: [],
    timestamp: "2026-11-21T12:00:00.000Z",
    flags: 0,
    ...change,
  };
}

export interface Pressing {
  readonly customId: string;
  readonly values?: readonly string[];
  readonly message?: object;
}

/** A button press, or a choice in a select menu. */
export function press(whose: Whose, { customId, values, message }: Pressing) {
  const data =
    values === undefined
      ? { component_type: 2, custom_id: customId }
      : { component_type: 3, custom_id: customId, values };
  return { ...base(3, whose), data, message: messageOf(whose, message) };
}

/** A submitted form, with text fields only. */
export function submission(
  whose: Whose,
  customId: string,
  fields: Readonly<Record<string, string>> = {},
) {
  const components = Object.entries(fields).map(([custom_id, value]) => ({
    type: 18,
    component: { type: 4, custom_id, value },
  }));
  return { ...base(5, whose), data: { custom_id: customId, components } };
}
