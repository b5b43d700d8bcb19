import { nonceOf } from "../desk.ts";
import { InputError } from "../errors.ts";
import { newHandle } from "../store/index.ts";
import type { VideoClient } from "../video/index.ts";
import type { FeedsDeps } from "./deps.ts";
import { readUploads, readVideos } from "./read.ts";
import type { Feed, ReleaseKind } from "./record.ts";

const readMs = 30_000;

/** Announces the newest video of a channel once more, calling nobody. */
export async function postSample(
  { video, desk, database }: FeedsDeps,
  guildId: string,
  { feed, kind }: { readonly feed: Feed; readonly kind: ReleaseKind | undefined },
): Promise<{ readonly channelId: string }> {
  const wanted = kind === undefined ? undefined : feed.places[kind];
  if (kind !== undefined && wanted === undefined) throw kindMissing();
  const seen = await newestOf(await video(guildId), feed);
  const shown = kind ?? seen.video.kind;
  const place = feed.places[shown] ?? Object.values(feed.places)[0];
  if (place === undefined) throw kindMissing();
  const handle = newHandle();
  const { id } = seen.video;
  const now = database.now();
  await desk.post({
    ...{ guildId, channelId: place.channelId, handle, event: "announcement" },
    ...(place.isForum && { isForum: true }),
    nonce: nonceOf("sample", handle),
    facts: {
      ...{ guildId, feed, isSample: true },
      announcement: {
        ...{ feedId: feed.id, videoId: id, state: "due", at: now },
        card: { state: "due", handle, since: now },
      },
      video: { ...seen.video, kind: shown },
    },
  });
  return { channelId: place.channelId };
}

async function newestOf(client: VideoClient, feed: Feed) {
  const signal = AbortSignal.timeout(readMs);
  const uploads = await readUploads(client, feed.uploads, signal);
  const ids = uploads.filter(({ isPublic }) => isPublic).map(({ videoId }) => videoId);
  const videos = await readVideos(client, ids.slice(0, 50), signal);
  const [newest] = ids
    .flatMap((id) => videos.get(id) ?? [])
    .filter(({ state }) => state === "out")
    .sort((one, other) => other.video.publishedAt - one.video.publishedAt);
  if (newest === undefined) throw withoutVideo();
  return newest;
}

function kindMissing(): InputError {
  return new InputError("nothing of that kind is announced", {
    code: "feed_kind_missing",
  });
}

function withoutVideo(): InputError {
  return new InputError("the channel has no public video", {
    code: "feed_without_video",
  });
}
