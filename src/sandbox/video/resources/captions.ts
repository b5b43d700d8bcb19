import { checkUnchanged, requireOwnVideo } from "../access.ts";
import {
  type ApiError,
  badBody,
  badParameter,
  fixedError,
  forbidden,
  notFound,
} from "../api-error.ts";
import type { ApiCall, Handler, UploadedMedia } from "../call.ts";
import { readCaptions, writeCaptions, writeScript } from "../caption-formats.ts";
import {
  type CaptionFileFormat,
  mintId,
  type StoredCaptionTrack,
  type VideoState,
} from "../data/index.ts";
import { flagAt, textAt } from "../json-body.ts";
import { toTimestamp } from "../locale.ts";
import { defineResource } from "../resource.ts";

const captionResource = defineResource<StoredCaptionTrack>("caption", (track) => ({
  snippet: {
    videoId: track.videoId,
    lastUpdated: toTimestamp(track.updatedAt),
    trackKind: track.trackKind,
    language: track.language,
    name: track.name,
    audioTrackType: "unknown",
    isCC: false,
    isLarge: false,
    isEasyReader: false,
    isDraft: track.isDraft,
    isAutoSynced: false,
    // A file without times can't be shown: the track is there, and fails.
    status: track.format === undefined ? "failed" : "serving",
    failureReason: track.format === undefined ? "unknownFormat" : undefined,
  },
}));

export const captionHandlers = {
  "captions.list": (call) => {
    const { query, state } = call;
    const { id: videoId } = requireOwnVideo(call, query.text("videoId") ?? "", "videoId");
    const tracks = findTracks(state, videoId);
    const ids = query.list("id");
    if (ids.some((id) => !tracks.some((track) => track.id === id))) {
      throw notFound("caption", "captionNotFound", "id");
    }
    const found = tracks.filter(({ id }) => ids.length === 0 || ids.includes(id));
    return captionResource.list(call, found);
  },
  "captions.insert": (call) => {
    const { state, body, media, now } = call;
    if (media === undefined) throw badBody("caption", "contentRequired");
    const language = textAt(body, "snippet.language") ?? "";
    if (!languageTag.test(language))
      throw badBody("caption", "invalidMetadata", "snippet.language");
    const name = textAt(body, "snippet.name") ?? "";
    const videoId = textAt(body, "snippet.videoId") ?? "";
    const video = requireOwnVideo(call, videoId, "snippet.videoId");
    const isThere = findTracks(state, video.id).some(
      (track) =>
        track.trackKind === "standard" && track.language === language && track.name === name,
    );
    if (isThere) throw fixedError("captionExists");
    const track: StoredCaptionTrack = {
      id: mintId(state, "caption", 40),
      videoId: video.id,
      language,
      name,
      trackKind: "standard",
      isDraft: flagAt(body, "snippet.isDraft") ?? false,
      updatedAt: now,
      ...readUploadedTrack(media),
    };
    state.captions.set(track.id, track);
    video.hasCaptions = true;
    return captionResource.show(call, track);
  },
  "captions.update": (call) => {
    const { body, media, query, now } = call;
    const track = requireOwnTrack(call);
    checkUnchanged(call, captionResource.show(call, track));
    if (track.trackKind === "ASR") throw forbidden("caption");
    const setsDraft = query.list("part").includes("snippet");
    if (media === undefined && !setsDraft) throw badBody("caption", "contentRequired");
    if (setsDraft) track.isDraft = flagAt(body, "snippet.isDraft") ?? false;
    if (media !== undefined) Object.assign(track, readUploadedTrack(media));
    track.updatedAt = now;
    return captionResource.show(call, track);
  },
  "captions.delete": (call) => {
    const { id, videoId } = requireOwnTrack(call);
    call.state.captions.delete(id);
    const video = call.state.videos.get(videoId);
    const left = findTracks(call.state, videoId);
    if (video) video.hasCaptions = left.some(({ trackKind }) => trackKind !== "ASR");
    return undefined;
  },
  /** The file as it was uploaded, unless another format or language is asked for. */
  "captions.download": (call) => {
    const { query, state } = call;
    const track = requireOwnTrack(call);
    const format = (query.text("tfmt") as CaptionFileFormat | undefined) ?? track.format;
    const language = query.text("tlang");
    if (format === undefined || track.format === undefined) throw couldNotConvert("tfmt");
    if (track.bytes !== undefined && format === track.format && language === undefined) {
      return track.bytes;
    }
    const video = state.videos.get(track.videoId);
    const cues = track.bytes ? readCaptions(track.bytes)?.cues : video && writeScript(video, track);
    if (language !== undefined && !languageTag.test(language)) throw couldNotConvert("tlang");
    // Nothing is really translated: each line says which language it would be in.
    const prefix = language === undefined ? "" : `[${language}] `;
    const shown = cues?.map((cue) => ({ ...cue, text: prefix + cue.text }));
    const bytes = shown && writeCaptions(shown, format);
    if (bytes === undefined) throw couldNotConvert("tfmt");
    return bytes;
  },
} as const satisfies Record<string, Handler>;

function findTracks({ captions }: VideoState, videoId: string): StoredCaptionTrack[] {
  return [...captions.values()].filter((track) => track.videoId === videoId);
}

/** The named track, of a video that the caller may edit; the tracks of all other videos are closed. */
function requireOwnTrack({ id, state, viewer }: ApiCall): StoredCaptionTrack {
  const track = state.captions.get(id);
  if (track === undefined) throw notFound("caption", "captionNotFound", "id");
  if (state.videos.get(track.videoId)?.channelId !== viewer) throw forbidden("caption");
  return track;
}

function readUploadedTrack({ bytes }: UploadedMedia): Pick<StoredCaptionTrack, "bytes" | "format"> {
  return { bytes, format: bytes && readCaptions(bytes)?.format };
}

const languageTag = /^[a-z]{2,3}(-[a-z0-9]{2,8})*$/i;

function couldNotConvert(parameter: "tfmt" | "tlang"): ApiError {
  const message = "The track could not be converted into what was asked for.";
  return badParameter(parameter, message, "couldNotConvert");
}
