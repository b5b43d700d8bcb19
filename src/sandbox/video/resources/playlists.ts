import { checkUnchanged, isVisible, ownChannel, requireViewer } from "../access.ts";
import type { ApiCall, Handler } from "../call.ts";
import {
  emptyPlaylistSettings,
  findPlaylist,
  mintId,
  type StoredPlaylist,
  type VideoState,
} from "../data/index.ts";
import { type JsonBody, textAt } from "../json-body.ts";
import {
  allLocalizations,
  languageAt,
  localizedTexts,
  readLanguage,
  readLocalizations,
  toTimestamp,
} from "../locale.ts";
import { paginate } from "../paginate.ts";
import { badBody, forbidden, notFound, refusal } from "../refusal.ts";
import { type ApiParts, toList, toResource } from "../resource.ts";
import { videoThumbnails } from "../thumbnails/index.ts";

export const playlistHandlers = {
  "playlists.list": (call) => {
    readLanguage(call);
    const found = find(call);
    const { things, envelope } = paginate(call, found, {
      belongsTo: `playlists ${call.query.chosenBy}`,
      idOf: ({ id }) => id,
    });
    const items = things.map((playlist) => toPlaylist(call, playlist));
    return toList(`${kind}ListResponse`, items, envelope);
  },
} as const satisfies Record<string, Handler>;

/** By id unlisted ones answer too; a channel's list shows the public ones, to its owner all. */
function find({ query, state, viewer }: ApiCall): StoredPlaylist[] {
  const ids = query.list("id");
  const isOpen = (channelId: string) => state.channels.get(channelId)?.hasClosedLists !== true;
  if (ids.length > 0) {
    return ids
      .map((id) => findPlaylist(state, id, viewer))
      .filter((playlist) => playlist !== undefined)
      .filter(({ privacy, channelId }) => privacy !== "private" || channelId === viewer)
      .filter(({ id, channelId }) => !/^[HW]L/.test(id) || isOpen(channelId));
  }
  if (query.flag("mine") && viewer === undefined) throw refusal("tokenNeeded");
  const channelId = query.flag("mine") ? viewer : query.text("channelId");
  if (!state.channels.has(channelId ?? "")) {
    throw notFound("channel", "channelNotFound", "channelId");
  }
  return [...state.playlists.values()].filter(
    (playlist) =>
      playlist.channelId === channelId && (playlist.privacy === "public" || viewer === channelId),
  );
}

const kind = "youtube#playlist";

function toPlaylist(call: ApiCall, playlist: StoredPlaylist): object {
  return toResource(call, { kind, id: playlist.id, thing: playlist, parts });
}

const parts: ApiParts<StoredPlaylist> = {
  snippet: (playlist, call) => ({
    publishedAt: toTimestamp(playlist.publishedAt),
    channelId: playlist.channelId,
    title: playlist.title,
    description: playlist.description,
    thumbnails: videoThumbnails(
      call.origin,
      call.state.videos.get(playlist.items[0]?.videoId ?? ""),
    ),
    channelTitle: call.state.channels.get(playlist.channelId)?.title,
    ...(playlist.language !== undefined && { defaultLanguage: playlist.language }),
    localized: localizedTexts(playlist, call),
  }),
  status: ({ privacy, isPodcast }) => ({
    privacyStatus: privacy,
    ...(isPodcast && { podcastStatus: "enabled" }),
  }),
  contentDetails: ({ items }) => ({ itemCount: items.length }),
  player: ({ id }) => ({
    embedHtml: `<iframe width="640" height="360" src="http://www.youtube.com/embed/videoseries?list=${id}" frameborder="0" allowfullscreen></iframe>`,
  }),
  localizations: (playlist) => allLocalizations(playlist),
};

/** Not documented (docs/services/youtube.md#playlists); the number of playlists is the stand-in's own. */
const limits = { titleChars: 150, descriptionChars: 5_000, playlists: 1_000 } as const;

export const playlistWriteHandlers = {
  "playlists.insert": (call) => {
    const { state, now, query } = call;
    if (!query.list("part").includes("snippet")) {
      throw badBody("playlist", "playlistTitleRequired", "snippet.title");
    }
    const channel = ownChannel(call);
    const owned = [...state.playlists.values()].filter(({ channelId }) => channelId === channel.id);
    if (owned.length >= limits.playlists) throw badBody("playlist", "maxPlaylistExceeded");
    const playlist: StoredPlaylist = {
      ...emptyPlaylistSettings(),
      id: `PL${mintId(state, "playlist", 32)}`,
      channelId: channel.id,
      title: "",
      description: "",
      privacy: "public",
      publishedAt: now,
      items: [],
      ...readChanges(call, undefined),
    };
    state.playlists.set(playlist.id, playlist);
    return toPlaylist(call, playlist);
  },
  "playlists.update": (call) => {
    const playlist = ownPlaylist(call, textAt(call.body, "id") ?? "");
    checkUnchanged(call, toPlaylist(call, playlist));
    Object.assign(playlist, readChanges(call, playlist));
    return toPlaylist(call, playlist);
  },
  "playlists.delete": (call) => {
    const playlist = ownPlaylist(call, call.query.text("id") ?? "");
    call.state.playlists.delete(playlist.id);
    takeOffShelves(call.state, playlist.id);
    return undefined;
  },
} as const satisfies Record<string, Handler>;

/** A section shows what there is; one that showed nothing else goes with the playlist. */
function takeOffShelves({ sections }: VideoState, playlistId: string): void {
  for (const [channelId, shelves] of sections) {
    const left = shelves.flatMap((section) => {
      if (section.playlists?.includes(playlistId) !== true) return [section];
      const playlists = section.playlists.filter((id) => id !== playlistId);
      return playlists.length === 0 ? [] : [{ ...section, playlists }];
    });
    sections.set(channelId, left);
  }
}

/** A playlist that the caller may change; the service's own lists nobody may. */
function ownPlaylist(call: ApiCall, id: string): StoredPlaylist {
  const playlist = findPlaylist(call.state, id, call.viewer);
  if (playlist === undefined || !isVisible(playlist, call)) {
    throw notFound("playlist", "playlistNotFound", "id");
  }
  if (playlist.channelId !== requireViewer(call)) throw forbidden("playlist", "playlistForbidden");
  if (!call.state.playlists.has(playlist.id))
    throw badBody("playlist", "playlistOperationUnsupported");
  return playlist;
}

const reasons = {
  resource: "playlist",
  noLanguage: "defaultLanguageNotSetError",
  invalid: "localizationValidationError",
} as const;

const readers: Readonly<Record<string, (body: JsonBody) => Partial<StoredPlaylist>>> = {
  snippet: (body) => ({
    title: readText(body, "snippet.title", limits.titleChars),
    description: readText(body, "snippet.description", limits.descriptionChars),
    language: languageAt(body, "snippet.defaultLanguage", {
      resource: "playlist",
      invalid: "invalidPlaylistSnippet",
    }),
  }),
  status: (body) => ({
    // Public by default: https://developers.google.com/youtube/v3/docs/playlists
    privacy:
      (textAt(body, "status.privacyStatus") as StoredPlaylist["privacy"] | undefined) ?? "public",
    isPodcast: textAt(body, "status.podcastStatus") === "enabled",
  }),
};

/** Every field of the parts that are named: what is left out is cleared, because writes replace. */
function readChanges(
  { query, body }: ApiCall,
  before: Pick<StoredPlaylist, "language"> | undefined,
): Partial<StoredPlaylist> {
  const parts = query.list("part");
  const changes: Partial<StoredPlaylist> = {};
  for (const part of parts) Object.assign(changes, readers[part]?.(body));
  if (!parts.includes("localizations")) return changes;
  const language = parts.includes("snippet") ? changes.language : before?.language;
  return { ...changes, localizations: readLocalizations(body, language, reasons) };
}

function readText(body: JsonBody, place: string, maxChars: number): string {
  const text = textAt(body, place) ?? "";
  if ([...text].length <= maxChars && !/[<>]/.test(text)) return text;
  throw badBody("playlist", "invalidPlaylistSnippet", place);
}
