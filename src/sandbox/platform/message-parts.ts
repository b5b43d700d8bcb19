import { createHash } from "node:crypto";
import type { APIEmbed, APIMessageTopLevelComponent, APIUser } from "discord-api-types/v10";
import { type Fields, isFields } from "./check/check.ts";
import { markOf, type StoredFile } from "./files.ts";
import { refuse } from "./rejection.ts";
import { usersOf, type World } from "./world.ts";

/** Finds a file of this message by the name after `attachment://`. */
export type FileByName = (name: string) => StoredFile | undefined;

const reference = "attachment://";

interface Shown {
  readonly url: string;
  readonly proxy_url: string;
  readonly width?: number;
  readonly height?: number;
  readonly content_type?: string;
}

function external(world: World, url: string): Shown {
  const id = createHash("sha256").update(url).digest("hex").slice(0, 32);
  world.external.set(id, url);
  return { url, proxy_url: `${world.origin}/external/${id}` };
}

function shownFile(file: StoredFile): Shown {
  return {
    url: markOf("url", file.id),
    proxy_url: markOf("proxy", file.id),
    ...(file.size === undefined ? {} : { width: file.size.width, height: file.size.height }),
    content_type: file.type,
  };
}

/** @throws Rejection when the name after `attachment://` is no file of the message. */
function resolve(
  world: World,
  url: string,
  byName: FileByName,
  path: readonly string[],
): [Shown, StoredFile?] {
  if (!url.startsWith(reference)) return [external(world, url)];
  const file = byName(url.slice(reference.length));
  if (file !== undefined) return [shownFile(file), file];
  return refuse(
    path,
    "UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND",
    `The referenced attachment ("${url}") was not found`,
  );
}

function filled(fields: Fields): Fields {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== null && value !== undefined),
  );
}

function trimmed(fields: Fields): Fields {
  return Object.fromEntries(
    Object.entries(fields).map(([key, value]) => [
      key,
      typeof value === "string" ? value.trim() : value,
    ]),
  );
}

/** Embeds as the platform shows them; checked before. */
export function embedsOf(world: World, given: unknown, byName: FileByName): APIEmbed[] {
  if (!Array.isArray(given)) return [];
  return given.filter(isFields).map((embed, index) => {
    const at = (field: string): string[] => ["embeds", String(index), field];
    const shown: Record<string, unknown> = trimmed(filled(embed));
    for (const field of ["image", "thumbnail"]) {
      const picture = embed[field];
      if (!isFields(picture)) continue;
      const [media] = resolve(world, String(picture.url), byName, [...at(field), "url"]);
      shown[field] = media;
    }
    for (const field of ["author", "footer"]) {
      const named = embed[field];
      if (!isFields(named)) continue;
      const { icon_url: icon, proxy_icon_url: _, ...rest } = trimmed(filled(named));
      if (typeof icon !== "string") {
        shown[field] = rest;
        continue;
      }
      const [media] = resolve(world, icon, byName, [...at(field), "icon_url"]);
      shown[field] = { ...rest, icon_url: media.url, proxy_icon_url: media.proxy_url };
    }
    if (Array.isArray(embed.fields)) {
      shown.fields = embed.fields
        .filter(isFields)
        .map((field) => ({ inline: false, ...trimmed(filled(field)) }));
    }
    if (typeof embed.timestamp === "string") {
      shown.timestamp = new Date(embed.timestamp).toISOString();
    }
    // Checked against the documented shape before it came here.
    return { ...shown, type: "rich" } as APIEmbed;
  });
}

const defaults: Readonly<Record<number, Fields>> = {
  3: { min_values: 1, max_values: 1 },
  5: { min_values: 1, max_values: 1 },
  6: { min_values: 1, max_values: 1 },
  7: { min_values: 1, max_values: 1 },
  8: { min_values: 1, max_values: 1 },
  11: { description: null, spoiler: false },
  13: { spoiler: false },
  14: { spacing: 1, divider: true },
  17: { accent_color: null, spoiler: false },
};

/** What showing the components of one message takes. */
interface Showing {
  readonly world: World;
  readonly byName: FileByName;
  /** An id that no component of the message has. */
  freeId(): number;
}

/** Components as the platform shows them: with ids, defaults and resolved files. */
export function componentsOf(
  world: World,
  given: unknown,
  byName: FileByName,
): APIMessageTopLevelComponent[] {
  const taken = new Set<number>();
  collectIds(given, taken);
  let lastId = 0;
  const freeId = (): number => {
    do lastId += 1;
    while (taken.has(lastId));
    return lastId;
  };
  const list = Array.isArray(given) ? given : [];
  // Checked against the documented shape before it came here.
  return list.map((each, index) =>
    shownComponent({ world, byName, freeId }, each, ["components", String(index)]),
  ) as unknown as APIMessageTopLevelComponent[];
}

type ShowPart = (showing: Showing, value: unknown, path: readonly string[]) => unknown;

const nested: Readonly<Record<string, ShowPart>> = {
  components: (showing, value, path) =>
    Array.isArray(value)
      ? value.map((child, index) => shownComponent(showing, child, [...path, String(index)]))
      : [],
  items: (showing, value, path) =>
    (Array.isArray(value) ? value.filter(isFields) : []).map((item, index) => ({
      description: null,
      spoiler: false,
      ...item,
      media: shownMedia(showing, item.media, [...path, String(index), "media"]),
    })),
  options: (_, value) => (Array.isArray(value) ? value.filter(isFields).map(filled) : []),
  accessory: shownComponent,
  media: shownMedia,
  file: shownMedia,
};

function shownComponent(showing: Showing, value: unknown, path: readonly string[]): Fields {
  if (!isFields(value)) return {};
  const type = Number(value.type);
  const id = typeof value.id === "number" && value.id > 0 ? value.id : showing.freeId();
  const shown: Record<string, unknown> = { ...defaults[type], ...filled(value), id };
  for (const [field, show] of Object.entries(nested)) {
    if (shown[field] !== undefined) shown[field] = show(showing, shown[field], [...path, field]);
  }
  if (type === 10) shown.content = String(value.content).trim();
  if (type === 13) Object.assign(shown, fileFacts(showing.world, shown.file));
  return shown;
}

function shownMedia({ world, byName }: Showing, value: unknown, path: readonly string[]): Fields {
  const url = isFields(value) ? String(value.url) : "";
  const [shown, file] = resolve(world, url, byName, [...path, "url"]);
  return {
    id: file?.id ?? world.nextId(),
    width: null,
    height: null,
    content_type: null,
    ...shown,
    ...(file === undefined ? {} : { attachment_id: file.id }),
  };
}

function fileFacts(world: World, media: unknown): Fields {
  const id = isFields(media) ? String(media.attachment_id) : "";
  const file = world.files.byId(id);
  return { name: file?.name ?? null, size: file?.data.byteLength ?? null };
}

function collectIds(value: unknown, into: Set<number>): void {
  if (Array.isArray(value)) for (const each of value) collectIds(each, into);
  if (!isFields(value)) return;
  if (typeof value.type === "number" && typeof value.id === "number") into.add(value.id);
  for (const field of ["components", "accessory"]) collectIds(value[field], into);
}

interface Mentions {
  readonly mentions: APIUser[];
  readonly mention_roles: string[];
  readonly mention_everyone: boolean;
}

interface Pinging {
  /** The message's `allowed_mentions`. */
  readonly allowed: unknown;
  /** What is parsed without it. */
  readonly fallback: readonly string[];
  /** Whether its author may mention roles that not everyone may. */
  readonly mayCallAll: boolean;
}

/** Who is pinged by a text. */
export function mentionsOf(
  world: World,
  words: string,
  { allowed, fallback, mayCallAll }: Pinging,
): Mentions {
  const rules = isFields(allowed) ? allowed : { parse: fallback };
  const parse: readonly unknown[] = Array.isArray(rules.parse) ? rules.parse : [];
  const lists = (field: string, id: string): boolean => {
    const named = rules[field];
    return parse.includes(field) || (Array.isArray(named) && named.map(String).includes(id));
  };
  const ids = (pattern: RegExp): string[] => [
    ...new Set([...words.matchAll(pattern)].map((match) => match[1] ?? "")),
  ];
  const callable = world.cast.roles.filter((role) => role.mentionable || mayCallAll);
  const users = ids(/<@!?(\d+)>/g).filter((id) => lists("users", id));
  return {
    mentions: usersOf(world).filter((user) => users.includes(user.id)),
    mention_roles: ids(/<@&(\d+)>/g).filter(
      (id) => lists("roles", id) && callable.some((role) => role.id === id),
    ),
    mention_everyone: parse.includes("everyone") && /@(everyone|here)\b/.test(words),
  };
}
