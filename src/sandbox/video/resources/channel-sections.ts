import { checkUnchanged, isVisible, ownChannel, requireViewer } from "../access.ts";
import type { ApiCall, Handler } from "../call.ts";
import { findPlaylist, mintId, type StoredSection } from "../data/index.ts";
import { integerAt, objectAt, textAt, textsAt } from "../json-body.ts";
import {
  type ApiRefusal,
  badBody,
  badParameter,
  forbidden,
  notFound,
  refusal,
} from "../refusal.ts";
import { type ApiParts, toList, toResource } from "../resource.ts";

const kind = "youtube#channelSection";

/** docs/services/youtube.md#channel-sections */
const maxSections = 10;

/** Made and kept by the service itself: nobody can add, change or remove them. */
const fixedTypes: readonly string[] = ["postedVideos", "postedPlaylists"];

const parts: ApiParts<StoredSection> = {
  snippet: (section, call) => ({
    type: section.type,
    channelId: section.channelId,
    ...(section.title !== undefined && { title: section.title }),
    position: sectionsFor(call, section.channelId).indexOf(section),
  }),
  contentDetails: ({ playlists, channels }) =>
    playlists === undefined && channels === undefined
      ? undefined
      : { ...(playlists && { playlists }), ...(channels && { channels }) },
};

export const channelSectionHandlers = {
  "channelSections.list": (call) => {
    const items = find(call).map((section) => toSection(call, section));
    return toList(`${kind}ListResponse`, items);
  },
  "channelSections.insert": (call) => {
    const { id: channelId } = ownChannel(call);
    const sections = sectionsFor(call, channelId);
    if (sections.length >= maxSections)
      throw badBody("channelSection", "maxChannelSectionExceeded");
    const position = readPosition(call, sections.length) ?? sections.length;
    const id = `${channelId}.${mintId(call.state, "section", 11)}`;
    const section = { id, channelId, ...readEditable(call) };
    sections.splice(position, 0, section);
    return toSection(call, section);
  },
  "channelSections.update": (call) => {
    const before = ownSection(call, textAt(call.body, "id") ?? "");
    checkUnchanged(call, toSection(call, before));
    const sections = sectionsFor(call, before.channelId);
    const place = sections.indexOf(before);
    const position = readPosition(call, sections.length - 1) ?? place;
    const section = { ...before, ...readEditable(call, before) };
    sections.splice(place, 1);
    sections.splice(position, 0, section);
    return toSection(call, section);
  },
  "channelSections.delete": (call) => {
    const section = ownSection(call, call.query.text("id") ?? "");
    const sections = sectionsFor(call, section.channelId);
    sections.splice(sections.indexOf(section), 1);
    return undefined;
  },
} as const satisfies Record<string, Handler>;

function toSection(call: ApiCall, section: StoredSection): object {
  return toResource(call, { kind, id: section.id, thing: section, parts });
}

/** Those of a channel, in order; what is done to the list is done to the channel. */
function sectionsFor({ state }: ApiCall, channelId: string): StoredSection[] {
  const sections = state.sections.get(channelId) ?? [];
  state.sections.set(channelId, sections);
  return sections;
}

function find(call: ApiCall): StoredSection[] {
  const { query, viewer, state } = call;
  const ids = query.list("id");
  if (ids.length > 0) {
    for (const id of ids) checkId(id);
    const all = [...state.sections.values()].flat().filter(({ id }) => ids.includes(id));
    if (all.length === 0) throw notFound("channelSection", "channelSectionNotFound", "id");
    return all.filter(({ channelId }) => isShown(call, channelId));
  }
  if (query.flag("mine") && viewer === undefined) throw refusal("tokenNeeded");
  const channelId = (query.flag("mine") ? viewer : query.text("channelId")) ?? "";
  if (!state.channels.has(channelId)) {
    throw notFound("channelSection", "channelNotFound", "channelId");
  }
  return isShown(call, channelId) ? sectionsFor(call, channelId) : [];
}

/** Others see sections only while the channel shows its browse view. */
function isShown({ state, viewer }: ApiCall, channelId: string): boolean {
  return channelId === viewer || state.channels.get(channelId)?.branding.showBrowseView === true;
}

function checkId(id: string): void {
  if (/^UC[\w-]{22}\.[\w-]{11}$/.test(id)) return;
  throw badParameter("id", `Invalid section id '${id}'.`, "idInvalid");
}

function ownSection(call: ApiCall, id: string): StoredSection {
  checkId(id);
  const section = [...call.state.sections.values()].flat().find((known) => known.id === id);
  if (section === undefined) throw notFound("channelSection", "channelSectionNotFound", "id");
  if (section.channelId !== call.viewer)
    throw forbidden("channelSection", "channelSectionForbidden");
  if (fixedTypes.includes(section.type)) throw badBody("channelSection", "notEditable");
  return section;
}

/** What the named parts say; what they leave out is cleared. */
function readEditable(
  call: ApiCall,
  before?: StoredSection,
): Omit<StoredSection, "id" | "channelId"> {
  const named = call.query.list("part");
  const setsSnippet = before === undefined || named.includes("snippet");
  const type = (setsSnippet ? textAt(call.body, "snippet.type") : before?.type) ?? "";
  if (fixedTypes.includes(type)) throw badBody("channelSection", "notEditable", "snippet.type");
  const title = setsSnippet ? textAt(call.body, "snippet.title") || undefined : before?.title;
  const contents = before !== undefined && !named.includes("contentDetails") ? before : undefined;
  return { type, title, ...readContents(call, { type, title, kept: contents }) };
}

/** Undefined when the body does not say. */
function readPosition({ body, query }: ApiCall, last: number): number | undefined {
  const position = integerAt(body, "snippet.position");
  if (position === undefined || !query.list("part").includes("snippet")) return undefined;
  if (position >= 0 && position <= last) return position;
  throw badBody("channelSection", "inValidPosition", "snippet.position");
}

/** https://developers.google.com/youtube/v3/docs/channelSections: a title of 100 characters; the rest is the stand-in's own. */
const limits = { titleChars: 100, playlists: 50, channels: 100 } as const;

type SectionContents = Pick<StoredSection, "playlists" | "channels">;

interface PlannedSection {
  readonly type: string;
  readonly title: string | undefined;
  /** What the section holds so far, when the write does not touch it. */
  readonly kept: SectionContents | undefined;
}

/** What a section of this type shows, held to the rules of the type. */
function readContents(call: ApiCall, { type, title, kept }: PlannedSection): SectionContents {
  const { body } = call;
  if (title !== undefined && [...title].length > limits.titleChars) {
    throw refuse("titleLengthExceeded", "snippet.title");
  }
  const playlists = kept ? kept.playlists : textsAt(body, "contentDetails.playlists");
  const channels = kept ? kept.channels : textsAt(body, "contentDetails.channels");
  const needsContent = /^(single|multiple)/.test(type);
  if (needsContent && !kept && objectAt(body, "contentDetails") === undefined) {
    throw refuse("contentDetailsNeeded", "contentDetails");
  }
  if (type.startsWith("multiple") && title === undefined) {
    throw refuse("titleRequired", "snippet.title");
  }
  if (/Playlists?$/.test(type) && needsContent) checkPlaylists(call, type, playlists);
  else if (playlists?.length) throw refuse("playlistsNotExpected", "contentDetails.playlists");
  if (type === "multipleChannels") checkChannels(call, channels);
  else if (channels?.length) throw refuse("channelsNotExpected", "contentDetails.channels");
  return { playlists, channels };
}

function checkPlaylists(call: ApiCall, type: string, ids: readonly string[] | undefined): void {
  const place = "contentDetails.playlists";
  if (!ids?.length) throw refuse("playlistsNeeded", place);
  if (type === "singlePlaylist" && ids.length !== 1) throw refuse("onePlaylistNeeded", place);
  if (ids.length > limits.playlists) throw refuse("maxPlaylistExceeded", place);
  if (new Set(ids).size < ids.length) throw refuse("playlistsDuplicated", place);
  for (const id of ids) {
    const playlist = findPlaylist(call.state, id, call.viewer);
    if (playlist === undefined || !isVisible(playlist, call)) {
      throw notFound("channelSection", "playlistNotFound", place);
    }
    if (playlist.privacy === "private") throw refuse("playlistIsPrivate", place);
  }
}

function checkChannels(call: ApiCall, ids: readonly string[] | undefined): void {
  const place = "contentDetails.channels";
  if (!ids?.length) throw refuse("channelsNeeded", place);
  if (ids.length > limits.channels) throw refuse("maxChannelsExceeded", place);
  if (new Set(ids).size < ids.length) throw refuse("channelsDuplicated", place);
  if (ids.includes(requireViewer(call))) throw refuse("ownChannelInChannels", place);
  if (ids.every((id) => call.state.channels.has(id))) return;
  throw notFound("channelSection", "channelNotFound", place);
}

function refuse(reason: string, place: string): ApiRefusal {
  return badBody("channelSection", reason, place);
}
