import { isVisible, viewerOf } from "../access.ts";
import { objectAt, textsAt } from "../body.ts";
import type { Call } from "../call.ts";
import { badBody, notFound, type Refusal } from "../refusal.ts";
import { findPlaylist, type Section } from "../world/index.ts";

/** https://developers.google.com/youtube/v3/docs/channelSections: a title of 100 characters; the rest is the stand-in's own. */
const limits = { titleChars: 100, playlists: 50, channels: 100 } as const;

type Contents = Pick<Section, "playlists" | "channels">;

interface Plan {
  readonly type: string;
  readonly title: string | undefined;
  /** What the section holds so far, when the write does not touch it. */
  readonly kept: Contents | undefined;
}

/** What a section of this type shows, held to the rules of the type. */
export function readContents(call: Call, { type, title, kept }: Plan): Contents {
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

function checkPlaylists(call: Call, type: string, ids: readonly string[] | undefined): void {
  const place = "contentDetails.playlists";
  if (!ids?.length) throw refuse("playlistsNeeded", place);
  if (type === "singlePlaylist" && ids.length !== 1) throw refuse("onePlaylistNeeded", place);
  if (ids.length > limits.playlists) throw refuse("maxPlaylistExceeded", place);
  if (new Set(ids).size < ids.length) throw refuse("playlistsDuplicated", place);
  for (const id of ids) {
    const playlist = findPlaylist(call.world, id, call.viewer);
    if (playlist === undefined || !isVisible(playlist, call)) {
      throw notFound("channelSection", "playlistNotFound", place);
    }
    if (playlist.privacy === "private") throw refuse("playlistIsPrivate", place);
  }
}

function checkChannels(call: Call, ids: readonly string[] | undefined): void {
  const place = "contentDetails.channels";
  if (!ids?.length) throw refuse("channelsNeeded", place);
  if (ids.length > limits.channels) throw refuse("maxChannelsExceeded", place);
  if (new Set(ids).size < ids.length) throw refuse("channelsDuplicated", place);
  if (ids.includes(viewerOf(call))) throw refuse("ownChannelInChannels", place);
  if (ids.every((id) => call.world.channels.has(id))) return;
  throw notFound("channelSection", "channelNotFound", place);
}

function refuse(reason: string, place: string): Refusal {
  return badBody("channelSection", reason, place);
}
