import { createNonce, type Notification } from "../channel-messages.ts";
import { InputError } from "../errors.ts";
import { newHandle } from "../store/index.ts";
import { kindIn } from "./decide.ts";
import { readUploads, readVideos } from "./read-channel.ts";
import { type Feed, type FeedNotifications, placeFor } from "./record.ts";
import { isBroadcastKind, type ReleasedVideo, type ReleaseKind } from "./release.ts";
import type { FeedsRoom } from "./room.ts";
import type { StreamNotice } from "./streams/stream-record.ts";

const readMs = 30_000;

/** The channel's newest published videos, at most 50, newest first. Costs two units. @throws what the video client throws */
export async function readRecent(
  { video }: FeedsRoom,
  guildId: string,
  feed: Feed,
): Promise<readonly ReleasedVideo[]> {
  const client = await video(guildId);
  const signal = AbortSignal.timeout(readMs);
  const uploads = await readUploads(client, feed.uploads, signal);
  const ids = uploads.filter(({ isPublic }) => isPublic).map(({ videoId }) => videoId);
  const videos = await readVideos(client, ids, signal);
  return (
    ids
      .flatMap((id) => videos.get(id) ?? [])
      .filter(({ state }) => state === "out")
      .map((seen) => ({ video: seen.video, ...kindIn(feed, seen) }))
      // Without streams and premieres that are announced as uploads once they are over.
      .filter(({ isLate }) => !isLate)
      .map(({ video, kind }) => ({ ...video, kind }))
      .sort((one, other) => other.publishedAt - one.publishedAt)
  );
}

export interface PostedSample {
  readonly kind: ReleaseKind;
  /** The channel or forum that was chosen. */
  readonly channelId: string;
  /** The message, or a forum's post. */
  readonly at: { readonly channelId: string; readonly messageId: string };
}

interface SampleOptions extends Pick<FeedNotifications["stream"], "guildId" | "feed"> {
  readonly kind: ReleaseKind | undefined;
}

/**
 * Posts a sample without a ping: the channel's newest video of the given kind, or its newest of any kind if there is none, in
 * the place for that kind. A stream or premiere is shown as if it began now.
 * @throws InputError `feed_without_video`, `feed_kind_missing`; what `ChannelMessages.post` and the video client throw
 */
export async function postSample(
  room: FeedsRoom,
  { guildId, feed, kind }: SampleOptions,
): Promise<PostedSample> {
  if (kind !== undefined && placeFor(feed.places, kind) === undefined) throw kindMissing();
  const recent = await readRecent(room, guildId, feed);
  const video = recent.find((one) => one.kind === kind) ?? recent[0];
  if (video === undefined) {
    throw new InputError("the channel has no public video", { code: "feed_without_video" });
  }
  const shown = kind ?? video.kind;
  const place = placeFor(feed.places, shown) ?? Object.values(feed.places)[0];
  if (place === undefined) throw kindMissing();
  const { channelId, isForum, tagIds, locale } = place;
  const handle = newHandle();
  const at = await room.channelMessages.post({
    guildId,
    channelId,
    isForum,
    tagIds,
    locale,
    handle,
    nonce: createNonce("sample", handle),
    ...sampleOf({ guildId, feed, video: { ...video, kind: shown }, handle }, room.database.now()),
  });
  return { kind: shown, channelId, at };
}

/** The sample: for a stream or premiere, the message that is posted when it begins. */
function sampleOf(
  { handle, ...about }: Pick<FeedNotifications["stream"], "guildId" | "feed" | "video" | "handle">,
  now: number,
): Notification {
  const { feed, video } = about;
  const card = { state: "due", handle, since: now } as const;
  const announcement = { feedId: feed.id, videoId: video.id, state: "due", at: now, card } as const;
  const facts = { ...about, announcement, isSample: true } as const;
  if (!isBroadcastKind(video.kind)) return { name: "announcement", facts };
  const notice: StreamNotice = { what: "live", startedAt: now };
  return { name: "stream", facts: { ...facts, notice, handle } };
}

function kindMissing(): InputError {
  return new InputError("nothing of that kind is announced", { code: "feed_kind_missing" });
}
