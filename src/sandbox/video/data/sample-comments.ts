import {
  fillSlots,
  heldTexts,
  hostileTexts,
  phrasesFor,
  pickOne,
  spamTexts,
  writeRemark,
} from "./comment-texts.ts";
import { countComments, placeComment } from "./comments.ts";
import { seededRandom } from "./random.ts";
import type { StoredComment, StoredCommentStatus, StoredUser, StoredVideo } from "./records.ts";
import type { VideoState } from "./state.ts";

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

/**
 * How many of the creator's comments wait for a decision, and how long the oldest has waited; the second channel has a
 * share of it.
 */
const waiting = [
  { status: "heldForReview", texts: heldTexts, count: 84, days: 6 },
  { status: "likelySpam", texts: spamTexts, count: 52, days: 9 },
  { status: "rejected", texts: spamTexts, count: 8, days: 20 },
] as const satisfies readonly {
  readonly status: StoredCommentStatus;
  readonly texts: readonly string[];
  readonly count: number;
  readonly days: number;
}[];

/** One in this many of them answers an older comment. */
const replyEvery = 7;

interface SampleCommentDeps {
  readonly state: VideoState;
  readonly now: number;
  readonly random: () => number;
  readonly letters: () => string;
  readonly people: readonly StoredUser[];
  readonly byLanguage: ReadonlyMap<string, readonly StoredUser[]>;
}

/** Adds a few thousand comments, some of which wait for their channel's decision. */
export function addSampleComments(state: VideoState, now: number): void {
  const random = seededRandom(77);
  const people = [...state.users.values()];
  const byLanguage = Map.groupBy(people, ({ language }) => language);
  const talk = { state, now, random, letters: createLetters(random), people, byLanguage };
  const open = [...state.videos.values()].filter(
    ({ comments, privacy }) => comments !== undefined && privacy !== "private",
  );
  for (const video of open) addThreads(talk, video);
  const own = open.filter(({ channelId }) => channelId === state.ownChannelId);
  addHostile(talk, own);
  addCrowd(talk, own);
  addWaiting(talk, own, 1);
  const [, second] = state.channels.keys();
  addWaiting(
    talk,
    open.filter(({ channelId }) => channelId === second),
    0.15,
  );
  for (const { id } of state.videos.values()) countComments(state, id);
}

/** More under what is watched more, and half as many again under the creator's own. */
function addThreads(talk: SampleCommentDeps, video: StoredVideo): void {
  const { random, state } = talk;
  const share = video.channelId === state.ownChannelId ? 1.5 : 1;
  const count = Math.round(Math.log10(video.views + 10) ** 1.5 * (0.4 + random()) * share * 0.55);
  for (let made = 0; made < count; made++) {
    const top = say(talk, video, { text: writeRemark(talk, video), at: early(talk, video) });
    if (random() < 0.3) addReplies(talk, video, { top, count: 1 + Math.floor(random() ** 4 * 9) });
  }
}

function addReplies(
  talk: SampleCommentDeps,
  video: StoredVideo,
  { top, count }: { readonly top: StoredComment; readonly count: number },
): void {
  const span = talk.now - top.publishedAt - minuteMs;
  const times = Array.from({ length: count }, () => top.publishedAt + span * talk.random() ** 4);
  for (const time of times.sort((one, other) => one - other)) {
    const at = Math.ceil(time);
    const byOwner = talk.random() < 0.22;
    const text = fillSlots(
      talk,
      video,
      pickOne(talk, phrasesFor(talk, video)[byOwner ? "answers" : "replies"]),
      top,
    );
    say(talk, video, { text, at, parentId: top.id, ...(byOwner && { authorId: video.channelId }) });
  }
}

/** Adds each hostile text once under the creator's videos. */
function addHostile(talk: SampleCommentDeps, own: readonly StoredVideo[]): void {
  hostileTexts.forEach((text, index) => {
    const video = own[(index * 3 + 1) % own.length];
    if (video !== undefined) say(talk, video, { text, at: early(talk, video) });
  });
}

/** One video with more threads than a page holds, and one thread with more replies. */
function addCrowd(talk: SampleCommentDeps, own: readonly StoredVideo[]): void {
  const [video] = [...own].sort((one, other) => other.views - one.views);
  if (video === undefined) return;
  const [first] = talk.state.threadsByVideo.get(video.id) ?? [];
  if (first !== undefined) addReplies(talk, video, { top: first.top, count: 130 });
  for (let made = 0; made < 220; made++) {
    say(talk, video, { text: writeRemark(talk, video), at: early(talk, video) });
  }
}

function addWaiting(talk: SampleCommentDeps, own: readonly StoredVideo[], share: number): void {
  for (const { status, texts, days, ...all } of waiting) {
    const count = Math.round(all.count * share);
    for (let made = 0; made < count; made++) {
      const age = (made / count) ** 2 * days * dayMs + (2 + talk.random() * 9) * minuteMs;
      const at = Math.floor(talk.now - age);
      const video = pickOne(
        talk,
        own.filter(({ publishedAt }) => publishedAt < at),
      );
      const text = fillSlots(talk, video, texts[made % texts.length] ?? "");
      const answered =
        made % replyEvery === replyEvery - 1 ? olderThan(talk, video, at) : undefined;
      say(talk, video, { text, at, status, ...(answered && { parentId: answered.id }) });
    }
  }
}

function olderThan(
  { state, random }: SampleCommentDeps,
  video: StoredVideo,
  at: number,
): StoredComment | undefined {
  const older = (state.threadsByVideo.get(video.id) ?? [])
    .map(({ top }) => top)
    .filter(({ publishedAt, status }) => publishedAt < at && status === "published");
  return older[Math.floor(random() * older.length)];
}

interface SampleCommentOptions {
  readonly text: string;
  readonly at: number;
  readonly status?: StoredCommentStatus;
  readonly parentId?: string;
  readonly authorId?: string;
}

function say(
  talk: SampleCommentDeps,
  video: StoredVideo,
  { text, at, status = "published", parentId, authorId }: SampleCommentOptions,
): StoredComment {
  const { state, random } = talk;
  const comment: StoredComment = {
    id: parentId === undefined ? `Ug${talk.letters()}AaABAg` : `${parentId}.${talk.letters()}`,
    videoId: video.id,
    parentId,
    authorId: authorId ?? speaker(talk, video).id,
    text,
    status,
    likes: status === "published" ? Math.floor(random() ** 6 * 400) : 0,
    publishedAt: at,
    updatedAt: random() < 0.04 ? Math.floor(at + random() * Math.min(dayMs, talk.now - at)) : at,
    hasImage: random() < 0.01,
  };
  placeComment(state, comment);
  return comment;
}

function speaker(talk: SampleCommentDeps, { language = "en" }: StoredVideo): StoredUser {
  const near = talk.random() < 0.6 ? talk.byLanguage.get(language) : undefined;
  return pickOne(talk, near ?? talk.people);
}

/** Most comments come in a video's first days. */
function early({ now, random }: SampleCommentDeps, { publishedAt }: StoredVideo): number {
  return Math.floor(publishedAt + (now - publishedAt - 5 * minuteMs) * random() ** 2.5);
}

/** 22 of them, as in the service's ids; written into the same bytes every time, because thousands are made. */
function createLetters(random: () => number): () => string {
  const numbers = new Uint32Array(4);
  const bytes = Buffer.from(numbers.buffer);
  return () => {
    for (let at = 0; at < numbers.length; at++) numbers[at] = random() * 2 ** 32;
    return bytes.toString("base64url");
  };
}
