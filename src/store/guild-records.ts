import { type Backend, entries, type Namespace } from "./backend.ts";

const prefix = (key: string) => key.slice(0, key.indexOf(":"));
const inside = (_: string, value: unknown) => (value as { readonly guildId: string }).guildId;

/** Whose a record is, by its key or by what stands in it openly. */
export const guildOf = {
  credential: prefix,
  token: prefix,
  ticket: inside,
  continuation: inside,
  "continuation-index": prefix,
  settings: (key) => key,
  spender: prefix,
  credit: prefix,
  watch: prefix,
  progress: prefix,
  item: prefix,
  digest: prefix,
  author: prefix,
  audit: prefix,
  rules: prefix,
  reply: prefix,
  feed: prefix,
  "feed-progress": prefix,
  announcement: prefix,
} as const satisfies Partial<Record<Namespace, (key: string, value: unknown) => string>>;

export type GuildNamespace = keyof typeof guildOf;

export const guildNamespaces = Object.keys(guildOf) as readonly GuildNamespace[];

/** Every record of a guild in a namespace. */
export async function* recordsOf(
  { records }: Pick<Backend, "records">,
  namespace: GuildNamespace,
  guildId: string,
): AsyncGenerator<readonly [key: string, value: unknown]> {
  for await (const [key, value] of entries(records[namespace])) {
    if (guildOf[namespace](key, value) === guildId) yield [key, value];
  }
}
