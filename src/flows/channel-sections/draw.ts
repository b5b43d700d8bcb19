import {
  type Card,
  card,
  cut,
  join,
  link,
  named,
  pages,
  type Setting,
  type Text,
  type Words,
} from "../../discord/index.ts";
import type { NamedSection } from "./contents.ts";

/** Further ones are only counted. */
const mostNamed = 8;

/** A section's title, or its kind where it has none. */
export function sectionTitle(
  { section: { snippet } }: Pick<NamedSection, "section">,
  words: Words,
) {
  const { title, type } = snippet ?? {};
  return title || named(words, "sectionType", type) || words.say("common.untitled");
}

/** Its kind and place, then what it shows. */
export function sectionLines({ section, names }: NamedSection, words: Words): readonly Text[] {
  const { title, type, position } = section.snippet ?? {};
  const kind = title ? named(words, "sectionType", type) : undefined;
  const place =
    position === undefined
      ? undefined
      : words.say("channels.section.place", { place: position + 1 });
  const facts = [kind, place].filter((fact) => fact !== undefined);
  return [
    ...(facts.length === 0 ? [] : [facts.join(" · ")]),
    ...contentsOf({ section, names }, words),
  ];
}

/** Its settings, in words. */
export function sectionSettings(words: Words): readonly Setting<NamedSection>[] {
  const place = ({ section: { snippet } }: NamedSection) =>
    snippet?.position === undefined ? undefined : words.number(snippet.position + 1);
  const shown = (what: "playlists" | "channels") => (found: NamedSection) =>
    linked(found, what, words)[0];
  return [
    [
      "channels.section.fields.type",
      ({ section }) => named(words, "sectionType", section.snippet?.type),
    ],
    ["channels.section.fields.title", ({ section }) => section.snippet?.title],
    ["channels.section.fields.place", place],
    ["channels.section.fields.playlists", shown("playlists")],
    ["channels.section.fields.channels", shown("channels")],
  ];
}

function contentsOf(found: NamedSection, words: Words): Text[] {
  return [...linked(found, "playlists", words), ...linked(found, "channels", words)];
}

function linked(
  { section: { contentDetails }, names }: NamedSection,
  what: "playlists" | "channels",
  words: Words,
): Text[] {
  const page = what === "playlists" ? "playlist" : "channel";
  const all = (contentDetails?.[what] ?? []).map((id) =>
    link(cut(names.get(id) ?? words.say("channels.section.hidden"), 60), pages[page](id)),
  );
  if (all.length === 0) return [];
  const rest = all.length - mostNamed;
  const more = rest > 0 ? [words.say("channels.section.more", { count: rest })] : [];
  return [join([...all.slice(0, mostNamed), ...more], ", ")];
}

/** One section after it was added or changed. */
export function sectionCard(found: NamedSection, headline: string, words: Words): Card {
  const { channelId } = found.section.snippet ?? {};
  return card({
    title: headline,
    ...(channelId === undefined ? {} : { url: pages.channel(channelId) }),
    text: join([sectionTitle(found, words), ...sectionLines(found, words)]),
  });
}
