import { checkUnchanged, isVisible, requireOwnChannel, requireViewer } from "../access.ts";
import { type ApiError, badBody, badParameter, forbidden, notFound } from "../api-error.ts";
import type { ApiCall, Handler } from "../call.ts";
import { findPlaylist, mintId, type StoredSection } from "../data/index.ts";
import { integerAt, objectAt, textAt, textsAt } from "../json-body.ts";
import { defineResource } from "../resource.ts";

/** docs/services/youtube.md#channel-sections */
const maxSections = 10;

/** Created and kept by YouTube: nobody can add, change or remove them. */
const fixedTypes: readonly string[] = ["postedVideos", "postedPlaylists"];

const sectionResource = defineResource<StoredSection>("channelSection", (section, call) => {
  const { type, channelId, title, playlists, channels } = section;
  return {
    snippet: { type, channelId, title, position: sectionsIn(call, channelId).indexOf(section) },
    contentDetails: playlists || channels ? { playlists, channels } : undefined,
  };
});

export const channelSectionHandlers = {
  "channelSections.list": (call) => {
    const { query, viewer, state } = call;
    // Others see sections only while the channel shows its browse view.
    const isShown = (id: string) =>
      id === viewer || state.channels.get(id)?.branding.showBrowseView === true;
    if (query.has("id")) {
      const found = findById(call, query.list("id"));
      return sectionResource.list(
        call,
        found.filter(({ channelId }) => isShown(channelId)),
      );
    }
    const channelId = query.flag("mine") ? requireViewer(call) : (query.text("channelId") ?? "");
    if (!state.channels.has(channelId)) {
      throw notFound("channelSection", "channelNotFound", "channelId");
    }
    return sectionResource.list(call, isShown(channelId) ? sectionsIn(call, channelId) : []);
  },
  "channelSections.insert": (call) => {
    const { id: channelId } = requireOwnChannel(call);
    const sections = sectionsIn(call, channelId);
    if (sections.length >= maxSections) throw badSection("maxChannelSectionExceeded");
    const position = readPosition(call, sections.length) ?? sections.length;
    const id = `${channelId}.${mintId(call.state, "section", 11)}`;
    const section = { id, channelId, ...readEditable(call) };
    sections.splice(position, 0, section);
    return sectionResource.show(call, section);
  },
  "channelSections.update": (call) => {
    const before = requireOwnSection(call);
    checkUnchanged(call, sectionResource.show(call, before));
    const sections = sectionsIn(call, before.channelId);
    const place = sections.indexOf(before);
    const position = readPosition(call, sections.length - 1) ?? place;
    const section = { ...before, ...readEditable(call, before) };
    sections.splice(place, 1);
    sections.splice(position, 0, section);
    return sectionResource.show(call, section);
  },
  "channelSections.delete": (call) => {
    const section = requireOwnSection(call);
    const sections = sectionsIn(call, section.channelId);
    sections.splice(sections.indexOf(section), 1);
    return undefined;
  },
} as const satisfies Record<string, Handler>;

/** Those of a channel, in order; what is done to the list is done to the channel. */
function sectionsIn({ state }: ApiCall, channelId: string): StoredSection[] {
  const sections = state.sections.get(channelId) ?? [];
  state.sections.set(channelId, sections);
  return sections;
}

/** At least one. */
function findById({ state }: ApiCall, ids: readonly string[]): StoredSection[] {
  const badId = ids.find((id) => !/^UC[\w-]{22}\.[\w-]{11}$/.test(id));
  if (badId !== undefined) throw badParameter("id", `Invalid section id '${badId}'.`, "idInvalid");
  const found = [...state.sections.values()].flat().filter(({ id }) => ids.includes(id));
  if (found.length === 0) throw notFound("channelSection", "channelSectionNotFound", "id");
  return found;
}

function requireOwnSection(call: ApiCall): StoredSection {
  const [section] = findById(call, [call.id]) as [StoredSection];
  if (section.channelId !== call.viewer)
    throw forbidden("channelSection", "channelSectionForbidden");
  if (fixedTypes.includes(section.type)) throw badSection("notEditable");
  return section;
}

/** https://developers.google.com/youtube/v3/docs/channelSections: a title of 100 characters; the rest is the stand-in's own. */
const limits = { titleChars: 100, playlists: 50, channels: 100 } as const;

/** What the named parts say, checked by the rules of the section's type; what they leave out is cleared. */
function readEditable(
  call: ApiCall,
  before?: StoredSection,
): Omit<StoredSection, "id" | "channelId"> {
  const { body } = call;
  const named = call.query.list("part");
  const setsSnippet = before === undefined || named.includes("snippet");
  const type = (setsSnippet ? textAt(body, "snippet.type") : before?.type) ?? "";
  if (fixedTypes.includes(type)) throw badSection("notEditable", "snippet.type");
  const title = setsSnippet ? textAt(body, "snippet.title") || undefined : before?.title;
  if (title !== undefined && [...title].length > limits.titleChars) {
    throw badSection("titleLengthExceeded", "snippet.title");
  }
  const kept = before !== undefined && !named.includes("contentDetails") ? before : undefined;
  const playlists = kept ? kept.playlists : textsAt(body, "contentDetails.playlists");
  const channels = kept ? kept.channels : textsAt(body, "contentDetails.channels");
  const needsContent = /^(single|multiple)/.test(type);
  if (needsContent && !kept && objectAt(body, "contentDetails") === undefined) {
    throw badSection("contentDetailsNeeded", "contentDetails");
  }
  if (type.startsWith("multiple") && title === undefined) {
    throw badSection("titleRequired", "snippet.title");
  }
  if (/Playlists?$/.test(type) && needsContent) checkPlaylists(call, type, playlists ?? []);
  else if (playlists?.length) throw badSection("playlistsNotExpected", "contentDetails.playlists");
  if (type === "multipleChannels") checkChannels(call, channels ?? []);
  else if (channels?.length) throw badSection("channelsNotExpected", "contentDetails.channels");
  return { type, title, playlists, channels };
}

/** Undefined when the body does not say. */
function readPosition({ body, query }: ApiCall, last: number): number | undefined {
  const position = integerAt(body, "snippet.position");
  if (position === undefined || !query.list("part").includes("snippet")) return undefined;
  if (position >= 0 && position <= last) return position;
  throw badSection("inValidPosition", "snippet.position");
}

function checkPlaylists(call: ApiCall, type: string, ids: readonly string[]): void {
  const place = "contentDetails.playlists";
  if (ids.length === 0) throw badSection("playlistsNeeded", place);
  if (type === "singlePlaylist" && ids.length !== 1) throw badSection("onePlaylistNeeded", place);
  if (ids.length > limits.playlists) throw badSection("maxPlaylistExceeded", place);
  if (new Set(ids).size < ids.length) throw badSection("playlistsDuplicated", place);
  for (const id of ids) {
    const playlist = findPlaylist(call.state, id, call.viewer);
    if (playlist === undefined || !isVisible(playlist, call)) {
      throw notFound("channelSection", "playlistNotFound", place);
    }
    if (playlist.privacy === "private") throw badSection("playlistIsPrivate", place);
  }
}

function checkChannels(call: ApiCall, ids: readonly string[]): void {
  const place = "contentDetails.channels";
  if (ids.length === 0) throw badSection("channelsNeeded", place);
  if (ids.length > limits.channels) throw badSection("maxChannelsExceeded", place);
  if (new Set(ids).size < ids.length) throw badSection("channelsDuplicated", place);
  if (ids.includes(requireViewer(call))) throw badSection("ownChannelInChannels", place);
  if (ids.every((id) => call.state.channels.has(id))) return;
  throw notFound("channelSection", "channelNotFound", place);
}

function badSection(reason: string, field?: string): ApiError {
  return badBody("channelSection", reason, field);
}
