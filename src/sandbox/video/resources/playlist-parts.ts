import { type Parts, toResource } from "../answer.ts";
import type { Call } from "../call.ts";
import { toTimestamp } from "../locale.ts";
import { allLocalizations, localizedTexts } from "../localized.ts";
import { videoThumbnails } from "../thumbnails/index.ts";
import type { Playlist } from "../world/index.ts";

export const kind = "youtube#playlist";

/** A playlist as `part` asks for it. */
export function toPlaylist(call: Call, playlist: Playlist): object {
  return toResource(call, { kind, id: playlist.id, thing: playlist, parts });
}

const parts: Parts<Playlist> = {
  snippet: (playlist, call) => ({
    publishedAt: toTimestamp(playlist.publishedAt),
    channelId: playlist.channelId,
    title: playlist.title,
    description: playlist.description,
    thumbnails: videoThumbnails(
      call.origin,
      call.world.videos.get(playlist.items[0]?.videoId ?? ""),
    ),
    channelTitle: call.world.channels.get(playlist.channelId)?.title,
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
