import { ownChannel, ownVideo } from "../access.ts";
import { textAt } from "../body.ts";
import type { Call, Handler, UploadedMedia } from "../call.ts";
import { checkUnchanged } from "../conditions.ts";
import { badBody } from "../refusal.ts";
import { mintId, type Video, videoSettings } from "../world/index.ts";
import { defaultCategory, readChanges } from "./video-metadata.ts";
import { toVideo } from "./video-parts.ts";

/** How long an upload is processed before it can be watched. */
const processingMs = 2_000;
/** Nothing looks into the file: its length is taken from its size. */
const bytesPerSecond = 250_000;

export const videoWrites = {
  "videos.insert": (call) => {
    if (call.media === undefined) throw badBody("video", "mediaBodyRequired");
    const hasBody = Object.keys(call.body).length > 0;
    const changes = hasBody ? readChanges(call, undefined) : {};
    const video = { ...emptyVideo(call, call.media), ...changes };
    call.world.videos.set(video.id, video);
    return toVideo(call, video);
  },
  "videos.update": (call) => {
    const video = ownVideo(call, textAt(call.body, "id") ?? "", "id");
    checkUnchanged(call, toVideo(call, video));
    const { privacy } = video;
    Object.assign(video, readChanges(call, video));
    // What was private is published when everybody may see it (videos resource, snippet.publishedAt).
    if (privacy !== "public" && video.privacy === "public") video.publishedAt = call.now;
    return toVideo(call, video);
  },
  "videos.delete": (call) => {
    const { world, query } = call;
    const { id } = ownVideo(call, query.text("id") ?? "", "id");
    world.videos.delete(id);
    for (const [trackId, { videoId }] of world.captions) {
      if (videoId === id) world.captions.delete(trackId);
    }
    return undefined;
  },
} as const satisfies Record<string, Handler>;

function emptyVideo(call: Call, { type, size, hash }: UploadedMedia): Video {
  const { world, now } = call;
  const id = mintId(world, "video", 11);
  return {
    ...videoSettings(),
    id,
    channelId: ownChannel(call).id,
    title: "Untitled",
    description: "",
    tags: [],
    categoryId: defaultCategory,
    language: undefined,
    audioLanguage: undefined,
    publishedAt: now,
    seconds: Math.min(43_200, Math.max(1, Math.round(size / bytesPerSecond))),
    shape: "wide",
    views: 0,
    likes: 0,
    comments: 0,
    privacy: "public",
    live: "none",
    startsAt: undefined,
    liveAt: undefined,
    viewers: undefined,
    isHd: true,
    hasCaptions: false,
    license: "youtube",
    isPromotion: false,
    blockedIn: [],
    audience: "everyone",
    location: undefined,
    madeForKids: undefined,
    file: { name: `${id}.mp4`, type, size, hash, processedAt: now + processingMs },
  };
}
