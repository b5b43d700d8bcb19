import { checkUnchanged, editableVideo } from "../access.ts";
import { type ApiCall, type Handler, MediaAnswer, type UploadedMedia } from "../call.ts";
import { readCaptions, translateCues, writeCaptions, writeScript } from "../caption-formats.ts";
import {
  type CaptionFileFormat,
  mintId,
  type StoredCaptionTrack,
  type VideoState,
} from "../data/index.ts";
import { flagAt, textAt } from "../json-body.ts";
import { toTimestamp } from "../locale.ts";
import {
  type ApiRefusal,
  badBody,
  badParameter,
  forbidden,
  notFound,
  refusal,
} from "../refusal.ts";
import { etagFor, toList } from "../resource.ts";

const kind = "youtube#caption";

export const captionHandlers = {
  "captions.list": (call) => {
    const { query, state } = call;
    const { id: videoId } = editableVideo(call, query.text("videoId") ?? "", "videoId");
    const tracks = findTracks(state, videoId);
    const ids = query.list("id");
    if (ids.some((id) => !tracks.some((track) => track.id === id))) throw noTrack();
    const found = tracks.filter(({ id }) => ids.length === 0 || ids.includes(id));
    return toList(
      `${kind}ListResponse`,
      found.map((track) => toCaption(call, track)),
    );
  },
  "captions.insert": (call) => {
    const { state, body, media, now } = call;
    if (media === undefined) throw badBody("caption", "contentRequired");
    const language = textAt(body, "snippet.language") ?? "";
    if (!languageTag.test(language))
      throw badBody("caption", "invalidMetadata", "snippet.language");
    const name = textAt(body, "snippet.name") ?? "";
    const video = editableVideo(call, textAt(body, "snippet.videoId") ?? "", "snippet.videoId");
    if (findTracks(state, video.id).some((track) => isSame(track, { language, name }))) {
      throw refusal("captionExists");
    }
    const track: StoredCaptionTrack = {
      id: mintId(state, "caption", 40),
      videoId: video.id,
      language,
      name,
      trackKind: "standard",
      isDraft: flagAt(body, "snippet.isDraft") ?? false,
      updatedAt: now,
      ...captionContent(media),
    };
    state.captions.set(track.id, track);
    video.hasCaptions = true;
    return toCaption(call, track);
  },
  "captions.update": (call) => {
    const { body, media, query, now } = call;
    const track = ownTrack(call, textAt(body, "id") ?? "");
    checkUnchanged(call, toCaption(call, track));
    if (track.trackKind === "ASR") throw forbidden("caption");
    const setsDraft = query.list("part").includes("snippet");
    if (media === undefined && !setsDraft) throw badBody("caption", "contentRequired");
    if (setsDraft) track.isDraft = flagAt(body, "snippet.isDraft") ?? false;
    if (media !== undefined) Object.assign(track, captionContent(media));
    track.updatedAt = now;
    return toCaption(call, track);
  },
  "captions.delete": (call) => {
    const { state, query } = call;
    const { id, videoId } = ownTrack(call, query.text("id") ?? "");
    state.captions.delete(id);
    const video = state.videos.get(videoId);
    const isWritten = ({ trackKind }: StoredCaptionTrack): boolean => trackKind !== "ASR";
    if (video) video.hasCaptions = findTracks(state, videoId).some(isWritten);
    return undefined;
  },
  "captions.download": (call) => {
    const track = ownTrack(call, call.query.text("id") ?? "");
    return new MediaAnswer(readFile(call, track), "application/octet-stream");
  },
} as const satisfies Record<string, Handler>;

function findTracks({ captions }: VideoState, videoId: string): StoredCaptionTrack[] {
  return [...captions.values()].filter((track) => track.videoId === videoId);
}

function isSame(
  track: StoredCaptionTrack,
  other: Pick<StoredCaptionTrack, "language" | "name">,
): boolean {
  return (
    track.trackKind === "standard" && track.language === other.language && track.name === other.name
  );
}

/** A track of a video that the caller may edit; the tracks of all other videos are closed. */
function ownTrack(call: ApiCall, id: string): StoredCaptionTrack {
  const track = call.state.captions.get(id);
  if (track === undefined) throw noTrack();
  if (call.state.videos.get(track.videoId)?.channelId !== call.viewer) throw forbidden("caption");
  return track;
}

function captionContent({ bytes }: UploadedMedia): Pick<StoredCaptionTrack, "bytes" | "format"> {
  return { bytes, format: bytes && readCaptions(bytes)?.format };
}

function toCaption({ query }: ApiCall, track: StoredCaptionTrack): object {
  const content = {
    id: track.id,
    ...(query.list("part").includes("snippet") && { snippet: captionSnippet(track) }),
  };
  return { kind, etag: etagFor(content), ...content };
}

function captionSnippet(track: StoredCaptionTrack): object {
  return {
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
    ...(track.format === undefined && { failureReason: "unknownFormat" }),
  };
}

function noTrack(): ApiRefusal {
  return notFound("caption", "captionNotFound", "id");
}

const languageTag = /^[a-z]{2,3}(-[a-z0-9]{2,8})*$/i;

/** The file as it was uploaded, unless another format or language is asked for. */
function readFile({ query, state }: ApiCall, track: StoredCaptionTrack): Uint8Array {
  const format = (query.text("tfmt") as CaptionFileFormat | undefined) ?? track.format;
  const language = query.text("tlang");
  if (format === undefined || track.format === undefined) throw couldNotConvert();
  if (track.bytes !== undefined && format === track.format && language === undefined) {
    return track.bytes;
  }
  const video = state.videos.get(track.videoId);
  const cues = track.bytes ? readCaptions(track.bytes)?.cues : video && writeScript(video, track);
  if (language !== undefined && !languageTag.test(language)) throw couldNotConvert("tlang");
  const shown = language === undefined ? cues : cues && translateCues(cues, language);
  const bytes = shown && writeCaptions(shown, format);
  if (bytes === undefined) throw couldNotConvert();
  return bytes;
}

function couldNotConvert(parameter: "tfmt" | "tlang" = "tfmt"): ApiRefusal {
  const message = "The track could not be converted into what was asked for.";
  return badParameter(parameter, message, "couldNotConvert");
}
