import type { Comment, CommentStatus } from "./conversation.ts";
import { countComments, placeComment } from "./conversation.ts";
import type { Person } from "./people.ts";
import { seededRandom } from "./random.ts";
import { fill, one, remark, wordsOf } from "./remark.ts";
import type { Video, World } from "./types.ts";
import { heldTexts, hostileTexts, spamTexts } from "./unwanted.ts";

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

/** How many of the creator's comments wait for a decision, and how long the oldest has waited; the second channel has a share of it. */
const waiting = [
  { status: "heldForReview", texts: heldTexts, count: 84, days: 6 },
  { status: "likelySpam", texts: spamTexts, count: 52, days: 9 },
  { status: "rejected", texts: spamTexts, count: 8, days: 20 },
] as const satisfies readonly {
  readonly status: CommentStatus;
  readonly texts: readonly string[];
  readonly count: number;
  readonly days: number;
}[];

/** One in this many of them answers an older comment. */
const replyEvery = 7;

interface Talk {
  readonly world: World;
  readonly now: number;
  readonly random: () => number;
  readonly letters: () => string;
  readonly people: readonly Person[];
  readonly byLanguage: ReadonlyMap<string, readonly Person[]>;
}

/** Fills the world with talk: a few thousand comments, some of which wait for their channel's decision. */
export function addTalk(world: World, now: number): void {
  const random = seededRandom(77);
  const people = [...world.people.values()];
  const byLanguage = Map.groupBy(people, ({ language }) => language);
  const talk = { world, now, random, letters: createLetters(random), people, byLanguage };
  const open = [...world.videos.values()].filter(
    ({ comments, privacy }) => comments !== undefined && privacy !== "private",
  );
  for (const video of open) addThreads(talk, video);
  const own = open.filter(({ channelId }) => channelId === world.ownChannelId);
  addHostile(talk, own);
  addCrowd(talk, own);
  addWaiting(talk, own, 1);
  const [, second] = world.channels.keys();
  addWaiting(
    talk,
    open.filter(({ channelId }) => channelId === second),
    0.15,
  );
  for (const { id } of world.videos.values()) countComments(world, id);
}

/** More under what is watched more, and half as many again under the creator's own. */
function addThreads(talk: Talk, video: Video): void {
  const { random, world } = talk;
  const share = video.channelId === world.ownChannelId ? 1.5 : 1;
  const count = Math.round(Math.log10(video.views + 10) ** 1.5 * (0.4 + random()) * share * 0.55);
  for (let made = 0; made < count; made++) {
    const top = say(talk, video, { text: remark(talk, video), at: early(talk, video) });
    if (random() < 0.3) addReplies(talk, video, { top, count: 1 + Math.floor(random() ** 4 * 9) });
  }
}

function addReplies(
  talk: Talk,
  video: Video,
  { top, count }: { readonly top: Comment; readonly count: number },
): void {
  const span = talk.now - top.publishedAt - minuteMs;
  const times = Array.from({ length: count }, () => top.publishedAt + span * talk.random() ** 4);
  for (const time of times.sort((one, other) => one - other)) {
    const at = Math.ceil(time);
    const byOwner = talk.random() < 0.22;
    const text = fill(
      talk,
      video,
      one(talk, wordsOf(talk, video)[byOwner ? "answers" : "replies"]),
      top,
    );
    say(talk, video, { text, at, parentId: top.id, ...(byOwner && { authorId: video.channelId }) });
  }
}

/** Each hostile text stands once under the creator's videos. */
function addHostile(talk: Talk, own: readonly Video[]): void {
  hostileTexts.forEach((text, index) => {
    const video = own[(index * 3 + 1) % own.length];
    if (video !== undefined) say(talk, video, { text, at: early(talk, video) });
  });
}

/** One video with more threads than a page holds, and one thread with more replies. */
function addCrowd(talk: Talk, own: readonly Video[]): void {
  const [video] = [...own].sort((one, other) => other.views - one.views);
  if (video === undefined) return;
  const [first] = talk.world.threadsOf.get(video.id) ?? [];
  if (first !== undefined) addReplies(talk, video, { top: first.top, count: 130 });
  for (let made = 0; made < 220; made++) {
    say(talk, video, { text: remark(talk, video), at: early(talk, video) });
  }
}

function addWaiting(talk: Talk, own: readonly Video[], share: number): void {
  for (const { status, texts, days, ...all } of waiting) {
    const count = Math.round(all.count * share);
    for (let made = 0; made < count; made++) {
      const age = (made / count) ** 2 * days * dayMs + (2 + talk.random() * 9) * minuteMs;
      const at = Math.floor(talk.now - age);
      const video = one(
        talk,
        own.filter(({ publishedAt }) => publishedAt < at),
      );
      const text = fill(talk, video, texts[made % texts.length] ?? "");
      const answered =
        made % replyEvery === replyEvery - 1 ? olderThan(talk, video, at) : undefined;
      say(talk, video, { text, at, status, ...(answered && { parentId: answered.id }) });
    }
  }
}

function olderThan({ world, random }: Talk, video: Video, at: number): Comment | undefined {
  const older = (world.threadsOf.get(video.id) ?? [])
    .map(({ top }) => top)
    .filter(({ publishedAt, status }) => publishedAt < at && status === "published");
  return older[Math.floor(random() * older.length)];
}

interface Said {
  readonly text: string;
  readonly at: number;
  readonly status?: CommentStatus;
  readonly parentId?: string;
  readonly authorId?: string;
}

function say(
  talk: Talk,
  video: Video,
  { text, at, status = "published", parentId, authorId }: Said,
): Comment {
  const { world, random } = talk;
  const comment: Comment = {
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
  placeComment(world, comment);
  return comment;
}

function speaker(talk: Talk, { language = "en" }: Video): Person {
  const near = talk.random() < 0.6 ? talk.byLanguage.get(language) : undefined;
  return one(talk, near ?? talk.people);
}

/** Most comments come in a video's first days. */
function early({ now, random }: Talk, { publishedAt }: Video): number {
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
