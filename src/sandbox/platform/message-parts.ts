import { createHash } from "node:crypto";
import type { APIEmbed, APIMessageTopLevelComponent, APIUser } from "discord-api-types/v10";
import { type CheckedFields, isObject } from "./check/check.ts";
import { fileMark, type StoredFile } from "./files.ts";
import { failField } from "./rejection.ts";
import { allUsers, type PlatformState } from "./state.ts";

/** Finds a file of this message by the name after `attachment://`. */
export type FileByName = (name: string) => StoredFile | undefined;

const reference = "attachment://";

interface ShownMedia {
  readonly url: string;
  readonly proxy_url: string;
  readonly width?: number;
  readonly height?: number;
  readonly content_type?: string;
}

/** @throws Rejection when the name after `attachment://` is no file of the message. */
function resolve(
  state: PlatformState,
  url: string,
  byName: FileByName,
  path: readonly string[],
): [ShownMedia, StoredFile?] {
  if (!url.startsWith(reference)) {
    const id = createHash("sha256").update(url).digest("hex").slice(0, 32);
    state.externalAddresses.set(id, url);
    return [{ url, proxy_url: `${state.origin}/external/${id}` }];
  }
  const file = byName(url.slice(reference.length));
  if (file === undefined) {
    return failField(
      path,
      "UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND",
      `The referenced attachment ("${url}") was not found`,
    );
  }
  const shown = {
    url: fileMark("url", file.id),
    proxy_url: fileMark("proxy", file.id),
    ...(file.size === undefined ? {} : { width: file.size.width, height: file.size.height }),
    content_type: file.type,
  };
  return [shown, file];
}

function filled(fields: CheckedFields): CheckedFields {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== null && value !== undefined),
  );
}

function trimmed(fields: CheckedFields): CheckedFields {
  return Object.fromEntries(
    Object.entries(fields).map(([key, value]) => [
      key,
      typeof value === "string" ? value.trim() : value,
    ]),
  );
}

/** Embeds as Discord shows them; checked before. */
export function renderEmbeds(
  state: PlatformState,
  embeds: unknown,
  byName: FileByName,
): APIEmbed[] {
  if (!Array.isArray(embeds)) return [];
  return embeds.filter(isObject).map((embed, index) => {
    const path = ["embeds", String(index)];
    const shown: Record<string, unknown> = trimmed(filled(embed));
    for (const field of ["image", "thumbnail"]) {
      const picture = embed[field];
      if (!isObject(picture)) continue;
      const [media] = resolve(state, String(picture.url), byName, [...path, field, "url"]);
      shown[field] = media;
    }
    for (const field of ["author", "footer"]) {
      const named = embed[field];
      if (!isObject(named)) continue;
      const { icon_url: icon, proxy_icon_url: _, ...rest } = trimmed(filled(named));
      if (typeof icon !== "string") {
        shown[field] = rest;
        continue;
      }
      const [media] = resolve(state, icon, byName, [...path, field, "icon_url"]);
      shown[field] = { ...rest, icon_url: media.url, proxy_icon_url: media.proxy_url };
    }
    if (Array.isArray(embed.fields)) {
      shown.fields = embed.fields
        .filter(isObject)
        .map((field) => ({ inline: false, ...trimmed(filled(field)) }));
    }
    if (typeof embed.timestamp === "string") {
      shown.timestamp = new Date(embed.timestamp).toISOString();
    }
    // Checked against the documented shape before it came here.
    return { ...shown, type: "rich" } as APIEmbed;
  });
}

const defaults: Readonly<Record<number, CheckedFields>> = {
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
interface ComponentRendering {
  readonly state: PlatformState;
  readonly byName: FileByName;
  /** An id that no component of the message has. */
  freeId(): number;
}

/** Components as Discord shows them: with ids, defaults and resolved files. */
export function renderComponents(
  state: PlatformState,
  mentions: unknown,
  byName: FileByName,
): APIMessageTopLevelComponent[] {
  const taken = new Set<number>();
  collectIds(mentions, taken);
  let lastId = 0;
  const freeId = (): number => {
    do lastId += 1;
    while (taken.has(lastId));
    return lastId;
  };
  const list = Array.isArray(mentions) ? mentions : [];
  // Checked against the documented shape before it came here.
  return list.map((each, index) =>
    shownComponent({ state, byName, freeId }, each, ["components", String(index)]),
  ) as unknown as APIMessageTopLevelComponent[];
}

type ShowPart = (showing: ComponentRendering, value: unknown, path: readonly string[]) => unknown;

const nested: Readonly<Record<string, ShowPart>> = {
  components: (showing, value, path) =>
    Array.isArray(value)
      ? value.map((child, index) => shownComponent(showing, child, [...path, String(index)]))
      : [],
  items: (showing, value, path) =>
    (Array.isArray(value) ? value.filter(isObject) : []).map((item, index) => ({
      description: null,
      spoiler: false,
      ...item,
      media: shownMedia(showing, item.media, [...path, String(index), "media"]),
    })),
  options: (_, value) => (Array.isArray(value) ? value.filter(isObject).map(filled) : []),
  accessory: shownComponent,
  media: shownMedia,
  file: shownMedia,
};

function shownComponent(
  showing: ComponentRendering,
  value: unknown,
  path: readonly string[],
): CheckedFields {
  if (!isObject(value)) return {};
  const type = Number(value.type);
  const id = typeof value.id === "number" && value.id > 0 ? value.id : showing.freeId();
  const shown: Record<string, unknown> = { ...defaults[type], ...filled(value), id };
  for (const [field, show] of Object.entries(nested)) {
    if (shown[field] !== undefined) shown[field] = show(showing, shown[field], [...path, field]);
  }
  if (type === 10) shown.content = String(value.content).trim();
  if (type !== 13) return shown;
  const attached = isObject(shown.file) ? String(shown.file.attachment_id) : "";
  const file = showing.state.files.byId(attached);
  return { ...shown, name: file?.name ?? null, size: file?.data.byteLength ?? null };
}

function shownMedia(
  { state, byName }: ComponentRendering,
  value: unknown,
  path: readonly string[],
): CheckedFields {
  const url = isObject(value) ? String(value.url) : "";
  const [shown, file] = resolve(state, url, byName, [...path, "url"]);
  return {
    id: file?.id ?? state.nextId(),
    width: null,
    height: null,
    content_type: null,
    ...shown,
    ...(file === undefined ? {} : { attachment_id: file.id }),
  };
}

function collectIds(value: unknown, into: Set<number>): void {
  if (Array.isArray(value)) for (const each of value) collectIds(each, into);
  if (!isObject(value)) return;
  if (typeof value.type === "number" && typeof value.id === "number") into.add(value.id);
  for (const field of ["components", "accessory"]) collectIds(value[field], into);
}

interface Mentions {
  readonly mentions: APIUser[];
  readonly mention_roles: string[];
  readonly mention_everyone: boolean;
}

interface MentionRules {
  /** The message's `allowed_mentions`. */
  readonly allowed: unknown;
  /** What is parsed without it. */
  readonly fallback: readonly string[];
  /** Whether its author may mention roles that not everyone may. */
  readonly mayCallAll: boolean;
}

/** Who is pinged by a text. */
export function findMentions(
  state: PlatformState,
  words: string,
  { allowed, fallback, mayCallAll }: MentionRules,
): Mentions {
  const rules = isObject(allowed) ? allowed : { parse: fallback };
  const parse: readonly unknown[] = Array.isArray(rules.parse) ? rules.parse : [];
  const lists = (field: string, id: string): boolean => {
    const named = rules[field];
    return parse.includes(field) || (Array.isArray(named) && named.map(String).includes(id));
  };
  const ids = (pattern: RegExp): string[] => [
    ...new Set([...words.matchAll(pattern)].map((match) => match[1] ?? "")),
  ];
  const callable = state.guild.roles.filter((role) => role.mentionable || mayCallAll);
  const users = ids(/<@!?(\d+)>/g).filter((id) => lists("users", id));
  return {
    mentions: allUsers(state).filter((user) => users.includes(user.id)),
    mention_roles: ids(/<@&(\d+)>/g).filter(
      (id) => lists("roles", id) && callable.some((role) => role.id === id),
    ),
    mention_everyone: parse.includes("everyone") && /@(everyone|here)\b/.test(words),
  };
}
