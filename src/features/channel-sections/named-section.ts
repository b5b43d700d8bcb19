import { type Card, card, cut, join, link, type Text, type Words } from "../../discord/index.ts";
import { InputError } from "../../errors.ts";
import { type ChannelSection, youtubePages } from "../../video/index.ts";
import type { ChannelRef } from "../../video-links/index.ts";
import { type Setting, valueName } from "../cards/index.ts";
import { findChannel } from "../channels/index.ts";
import type { Ctx } from "../context/index.ts";

/** A section with the titles of its playlists and channels. What was deleted or is private has none. */
export interface NamedSection {
  readonly section: ChannelSection;
  /** Titles of playlists and channels by their ids. */
  readonly names: ReadonlyMap<string, string>;
}

/** Reads the titles: one unit for fifty playlists, and for fifty channels. */
export async function readSectionNames(
  sections: readonly ChannelSection[],
  { video, signal }: Ctx<unknown>,
): Promise<readonly NamedSection[]> {
  const titles = (["playlists", "channels"] as const).map(async (what) => {
    const id = [...new Set(sections.flatMap(({ contentDetails }) => contentDetails?.[what] ?? []))];
    if (id.length === 0) return [];
    const method = `${what}.list` as const;
    const { items } = await video.call(method, { part: ["snippet"], id }, { signal });
    return items.map((one) => [one.id ?? "", one.snippet?.title ?? one.id ?? ""] as const);
  });
  const names = new Map((await Promise.all(titles)).flat());
  return sections.map((section) => ({ section, names }));
}

export async function readSection({ own, signal }: Ctx, id: string) {
  const wanted = { part: ["snippet", "contentDetails"], id: [id] } as const;
  const { items } = await own.call("channelSections.list", wanted, { signal });
  return items[0];
}

/** Looks the channels up and returns their ids. @throws InputError `channel_not_found`, `own_channel_in_channels` */
export async function readSectionChannelIds(
  ctx: Ctx,
  refs: readonly ChannelRef[] | undefined,
): Promise<readonly string[] | undefined> {
  if (refs === undefined) return undefined;
  const found = await Promise.all(refs.map((ref) => findChannel(ctx, ref)));
  const ids = [...new Set(found.map(({ id }) => id))];
  if (ctx.channelId === undefined || !ids.includes(ctx.channelId)) return ids;
  throw new InputError("the channel itself is among the channels", {
    code: "own_channel_in_channels",
  });
}

/** @throws InputError `playlist_not_found` or `playlist_is_private`, for one unit instead of fifty */
export async function requirePublicPlaylists(
  ctx: Ctx,
  ids: readonly string[] | undefined,
): Promise<void> {
  if (ids === undefined || ids.length === 0) return;
  const wanted = { part: ["status"], id: ids } as const;
  const { items } = await ctx.video.call("playlists.list", wanted, { signal: ctx.signal });
  const known = new Map(items.map(({ id, status }) => [id, status?.privacyStatus]));
  const unknown = ids.find((id) => !known.has(id));
  if (unknown !== undefined) {
    throw new InputError("a playlist of the section is not there", {
      code: "playlist_not_found",
      facts: { isNamed: true, given: unknown },
    });
  }
  const hidden = ids.find((id) => known.get(id) === "private");
  if (hidden !== undefined) {
    throw new InputError("a playlist of the section is private", {
      code: "playlist_is_private",
      facts: { isNamed: true, given: hidden },
    });
  }
}

/** Any more are only counted. */
const maxNamed = 8;

/** A section's title, or its kind if it has none. */
export function sectionTitle(
  { section: { snippet } }: Pick<NamedSection, "section">,
  words: Words,
) {
  const { title, type } = snippet ?? {};
  return title || valueName(words, "sectionType", type) || words.say("common.untitled");
}

/** The section's kind and place, then what it shows. */
export function sectionLines({ section, names }: NamedSection, words: Words): readonly Text[] {
  const { title, type, position } = section.snippet ?? {};
  const kind = title ? valueName(words, "sectionType", type) : undefined;
  const place =
    position === undefined
      ? undefined
      : words.say("channels.section.place", { place: position + 1 });
  const facts = [kind, place].filter((fact) => fact !== undefined);
  return [
    ...(facts.length === 0 ? [] : [facts.join(" · ")]),
    ...linkContents({ section, names }, "playlists", words),
    ...linkContents({ section, names }, "channels", words),
  ];
}

export function sectionSettings(words: Words): readonly Setting<NamedSection>[] {
  return [
    [
      "channels.section.fields.type",
      ({ section }) => valueName(words, "sectionType", section.snippet?.type),
    ],
    ["channels.section.fields.title", ({ section }) => section.snippet?.title],
    [
      "channels.section.fields.place",
      ({ section: { snippet } }) =>
        snippet?.position === undefined ? undefined : words.number(snippet.position + 1),
    ],
    ["channels.section.fields.playlists", (found) => linkContents(found, "playlists", words)[0]],
    ["channels.section.fields.channels", (found) => linkContents(found, "channels", words)[0]],
  ];
}

function linkContents(
  { section: { contentDetails }, names }: NamedSection,
  what: "playlists" | "channels",
  words: Words,
): Text[] {
  const page = what === "playlists" ? "playlist" : "channel";
  const all = (contentDetails?.[what] ?? []).map((id) =>
    link(cut(names.get(id) ?? words.say("channels.section.hidden"), 60), youtubePages[page](id)),
  );
  if (all.length === 0) return [];
  const rest = all.length - maxNamed;
  const more = rest > 0 ? [words.say("channels.section.more", { count: rest })] : [];
  return [join([...all.slice(0, maxNamed), ...more], ", ")];
}

export function sectionCard(found: NamedSection, headline: string, words: Words): Card {
  const { channelId } = found.section.snippet ?? {};
  return card({
    title: headline,
    url: channelId === undefined ? undefined : youtubePages.channel(channelId),
    text: join([sectionTitle(found, words), ...sectionLines(found, words)]),
  });
}
