import { checkUnchanged, isVisible, requireOwnChannel, requireViewer } from "../access.ts";
import { badBody, forbidden, notFound } from "../api-error.ts";
import type { ApiCall, Handler } from "../call.ts";
import { emptyPlaylistSettings, findPlaylist, mintId, type StoredPlaylist } from "../data/index.ts";
import { type JsonBody, textAt } from "../json-body.ts";
import {
  allLocalizations,
  languageAt,
  localizedTexts,
  readLanguage,
  readLocalizations,
  toTimestamp,
} from "../locale.ts";
import { defineResource } from "../resource.ts";
import { videoThumbnails } from "../thumbnails/addresses.ts";

const playlistResource = defineResource<StoredPlaylist>("playlist", (playlist, call) => {
  const { channels, videos } = call.state;
  const { id, channelId, title, description, items } = playlist;
  return {
    snippet: {
      publishedAt: toTimestamp(playlist.publishedAt),
      channelId,
      title,
      description,
      thumbnails: videoThumbnails(call.origin, videos.get(items[0]?.videoId ?? "")),
      channelTitle: channels.get(channelId)?.title,
      defaultLanguage: playlist.language,
      localized: localizedTexts(playlist, call),
    },
    status: {
      privacyStatus: playlist.privacy,
      podcastStatus: playlist.isPodcast ? "enabled" : undefined,
    },
    contentDetails: { itemCount: items.length },
    player: {
      embedHtml: `<iframe width="640" height="360" src="http://www.youtube.com/embed/videoseries?list=${id}" frameborder="0" allowfullscreen></iframe>`,
    },
    localizations: allLocalizations(playlist),
  };
});

/** Not documented (docs/services/youtube.md#playlists); the number of playlists is the stand-in's own. */
const limits = { titleChars: 150, descriptionChars: 5_000, playlists: 1_000 } as const;

export const playlistHandlers = {
  /** By id unlisted ones answer too; a channel's list shows the public ones, to its owner all. */
  "playlists.list": (call) => {
    const { query, state, viewer } = call;
    readLanguage(call);
    if (query.has("id")) {
      const found = query
        .list("id")
        .flatMap((id) => findPlaylist(state, id, viewer) ?? [])
        .filter((playlist) => isVisible(playlist, call))
        .filter(({ id, channelId }) => {
          return !/^[HW]L/.test(id) || state.channels.get(channelId)?.hasClosedLists !== true;
        });
      return playlistResource.page(call, found);
    }
    const channelId = query.flag("mine") ? requireViewer(call) : (query.text("channelId") ?? "");
    if (!state.channels.has(channelId)) throw notFound("channel", "channelNotFound", "channelId");
    const isOwn = viewer === channelId;
    const found = [...state.playlists.values()].filter(
      (playlist) => playlist.channelId === channelId && (playlist.privacy === "public" || isOwn),
    );
    return playlistResource.page(call, found);
  },
  "playlists.insert": (call) => {
    const { state, now, query } = call;
    if (!query.list("part").includes("snippet")) {
      throw badBody("playlist", "playlistTitleRequired", "snippet.title");
    }
    const { id: channelId } = requireOwnChannel(call);
    const owned = [...state.playlists.values()].filter((one) => one.channelId === channelId);
    if (owned.length >= limits.playlists) throw badBody("playlist", "maxPlaylistExceeded");
    const playlist: StoredPlaylist = {
      ...emptyPlaylistSettings(),
      id: `PL${mintId(state, "playlist", 32)}`,
      channelId,
      title: "",
      description: "",
      privacy: "public",
      publishedAt: now,
      items: [],
      ...readChanges(call, undefined),
    };
    state.playlists.set(playlist.id, playlist);
    return playlistResource.show(call, playlist);
  },
  "playlists.update": (call) => {
    const playlist = requireOwnPlaylist(call);
    checkUnchanged(call, playlistResource.show(call, playlist));
    Object.assign(playlist, readChanges(call, playlist));
    return playlistResource.show(call, playlist);
  },
  "playlists.delete": (call) => {
    const { id } = requireOwnPlaylist(call);
    const { playlists, sections } = call.state;
    playlists.delete(id);
    // A section that showed nothing but the playlist goes with it.
    for (const [channelId, before] of sections) {
      const left = before.flatMap((section) => {
        if (section.playlists?.includes(id) !== true) return [section];
        const others = section.playlists.filter((one) => one !== id);
        return others.length === 0 ? [] : [{ ...section, playlists: others }];
      });
      sections.set(channelId, left);
    }
    return undefined;
  },
} as const satisfies Record<string, Handler>;

/** A playlist that the caller may change; YouTube's own lists nobody may. */
function requireOwnPlaylist(call: ApiCall): StoredPlaylist {
  const playlist = findPlaylist(call.state, call.id, call.viewer);
  if (playlist === undefined || !isVisible(playlist, call)) {
    throw notFound("playlist", "playlistNotFound", "id");
  }
  if (playlist.channelId !== requireViewer(call)) throw forbidden("playlist", "playlistForbidden");
  if (!call.state.playlists.has(playlist.id))
    throw badBody("playlist", "playlistOperationUnsupported");
  return playlist;
}

const invalid = "invalidPlaylistSnippet";

/** What a write changes: every field of the parts that it names. What the body leaves out is cleared, because writes replace. */
function readChanges(
  { body, query }: ApiCall,
  before: StoredPlaylist | undefined,
): Partial<StoredPlaylist> {
  const parts = query.list("part");
  const changes: Partial<StoredPlaylist> = {
    ...(parts.includes("snippet") && {
      title: readText(body, "snippet.title", limits.titleChars),
      description: readText(body, "snippet.description", limits.descriptionChars),
      language: languageAt(body, "snippet.defaultLanguage", { resource: "playlist", invalid }),
    }),
    ...(parts.includes("status") && {
      // Public by default: https://developers.google.com/youtube/v3/docs/playlists
      privacy: (textAt(body, "status.privacyStatus") ?? "public") as StoredPlaylist["privacy"],
      isPodcast: textAt(body, "status.podcastStatus") === "enabled",
    }),
  };
  if (!parts.includes("localizations")) return changes;
  const { language } = parts.includes("snippet") ? changes : (before ?? {});
  const localizations = readLocalizations(body, language, {
    resource: "playlist",
    noLanguage: "defaultLanguageNotSetError",
    invalid: "localizationValidationError",
  });
  return { ...changes, localizations };
}

function readText(body: JsonBody, field: string, maxChars: number): string {
  const text = textAt(body, field) ?? "";
  if ([...text].length <= maxChars && !/[<>]/.test(text)) return text;
  throw badBody("playlist", invalid, field);
}
