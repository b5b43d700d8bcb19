import type { VideoServer } from "./index.ts";
import {
  type CommentStatus,
  fill,
  findComment,
  findThread,
  heldTexts,
  join,
  one,
  type Person,
  personId,
  remark,
  seededRandom,
  spamTexts,
  toPerson,
  type Video,
  type World,
  withdrawComment,
  writeComment,
} from "./world/index.ts";

/** What a person writes while the service runs. */
export interface VisitorComment {
  readonly text: string;
  /** The newest public video of the sandbox creator when absent. */
  readonly videoId?: string;
  /** The top-level comment that it answers; its video is then the comment's. */
  readonly parentId?: string;
  /** Name of who writes: one of the world's people, or somebody new. One of the first when absent. */
  readonly author?: string;
  /** Published when absent; what a banned author writes is rejected whatever it says. */
  readonly status?: CommentStatus;
}

/** People from outside, who act without the service's methods. */
export interface Visitors {
  /** Throws when the video or the answered comment is not there, or comments are off. */
  addComment(comment: VisitorComment): {
    readonly id: string;
    readonly videoId: string;
    readonly authorChannelId: string;
  };
  /** Its author deletes a comment. */
  withdrawComment(id: string): void;
  /**
   * So many comments that are held for review, on the creator's own videos and by many people, in the order in which
   * they were written: within the last day. The same for the same seed.
   */
  addHeld(count: number, seed?: number): readonly string[];
  /** Somebody says what people say: something held, something that looks like spam, or something harmless. */
  chat(random: () => number): { readonly id: string; readonly status: CommentStatus };
  /** An account ends, and what it wrote goes with it. */
  closeAccount(channelId: string): void;
  /** What the sandbox creator's channel rejects unread. */
  banned(): readonly string[];
  /** Somebody joins the sandbox creator's members, or rises; at the lowest level when none is named. */
  addMember(member: { readonly name: string; readonly level?: string }): {
    readonly channelId: string;
  };
}

const visitor = "Posy Larkin";

export function createVisitors(world: World, now: () => number): Visitors {
  function meet(name: string): string {
    const id = personId(name);
    if (world.people.has(id)) return id;
    const person = toPerson({ name, language: "en" }, { now: now(), random: seededRandom(1) });
    world.people.set(id, { ...person, isGone: false });
    return id;
  }

  return {
    addComment({ text, parentId, author = visitor, status, ...comment }) {
      const thread = parentId === undefined ? undefined : findThread(world, parentId);
      const videoId = thread?.top.videoId ?? comment.videoId ?? openVideos(world)[0]?.id ?? "";
      const isMissing = parentId !== undefined && thread === undefined;
      if (isMissing || world.videos.get(videoId)?.comments === undefined) {
        throw new Error(`nobody can comment there: ${parentId ?? videoId}`);
      }
      const written = { videoId, parentId, authorId: meet(author), text, now: now() };
      const { id } = writeComment(world, { ...written, ...(status && { status }) });
      return { id, videoId, authorChannelId: written.authorId };
    },
    addHeld: (count, seed = 1) => addHeld(world, { count, seed, now: now() }),
    chat: (random) => chat(world, random, now()),
    closeAccount(channelId) {
      const written = [...world.comments.values()].filter(({ authorId }) => authorId === channelId);
      // What went with the comment that it answered is gone already.
      for (const { id } of written) {
        const comment = findComment(world, id);
        if (comment !== undefined) withdrawComment(world, comment);
      }
      const person = world.people.get(channelId);
      if (person !== undefined) world.people.set(channelId, { ...person, isGone: true });
    },
    banned: () => [...(world.banned.get(world.ownChannelId) ?? [])],
    withdrawComment(id) {
      const comment = findComment(world, id);
      if (comment !== undefined) withdrawComment(world, comment);
    },
    addMember({ name, level }) {
      const levels = world.levels.filter(({ channelId }) => channelId === world.ownChannelId);
      const found = level === undefined ? levels[0] : levels.find((one) => one.name === level);
      if (found === undefined) throw new Error(`there is no level ${level}`);
      const channelId = meet(name);
      join(world, { memberId: channelId, levelId: found.id, now: now() });
      return { channelId };
    },
  };
}

const dayMs = 86_400_000;
/** How many of the creator's newest videos are talked about. */
const talkedAbout = 3;

interface Crowd {
  readonly count: number;
  readonly seed: number;
  readonly now: number;
}

/** Comments that wait, oldest first; answers their ids. */
function addHeld(world: World, { count, seed, now }: Crowd): readonly string[] {
  const random = seededRandom(seed);
  const videos = openVideos(world);
  const people = peopleOf(world);
  const times = Array.from({ length: count }, () => Math.floor(now - random() * dayMs));
  return times
    .sort((earlier, later) => earlier - later)
    .map((at, index) => {
      const video = one({ random }, videos);
      // Texts repeat, as they do in a crowd.
      const text = fill({ random, world }, video, heldTexts[index % heldTexts.length] ?? "");
      const { id } = writeComment(world, {
        ...{ videoId: video.id, parentId: undefined, authorId: one({ random }, people).id },
        ...{ text, status: "heldForReview" as const, now: at },
      });
      return id;
    });
}

/** Somebody says something on one of the newest videos. */
function chat(
  world: World,
  random: () => number,
  now: number,
): { readonly id: string; readonly status: CommentStatus } {
  const video = one({ random }, openVideos(world).slice(0, talkedAbout));
  const author = one({ random }, peopleOf(world));
  const { text, status } = saying({ random, world }, video);
  const written = { videoId: video.id, parentId: undefined, authorId: author.id, text, now };
  return writeComment(world, { ...written, status });
}

type Talk = Parameters<typeof fill>[0];

function saying(talk: Talk, video: Video): { text: string; status: CommentStatus } {
  const chance = talk.random();
  if (chance < 0.45) {
    return { text: fill(talk, video, one(talk, heldTexts)), status: "heldForReview" };
  }
  if (chance < 0.65) return { text: fill(talk, video, one(talk, spamTexts)), status: "likelySpam" };
  return { text: remark(talk, video), status: "published" };
}

/** Newest first. */
function openVideos({ videos, ownChannelId }: World): readonly Video[] {
  return [...videos.values()]
    .filter(
      ({ channelId, privacy, comments, live }) =>
        channelId === ownChannelId &&
        privacy === "public" &&
        comments !== undefined &&
        live === "none",
    )
    .sort((one, other) => other.publishedAt - one.publishedAt);
}

function peopleOf({ people }: World): readonly Person[] {
  return [...people.values()].filter(({ isGone }) => !isGone);
}

const leastMs = 40_000;
const mostMs = 90_000;

/** Lets a visitor comment every now and then until it is closed; it holds no process. */
export function startVisiting(
  { chat }: Pick<VideoServer, "chat">,
  random: () => number,
): { close(): Promise<void> } {
  let timer: NodeJS.Timeout;
  const wait = () => {
    timer = setTimeout(visit, leastMs + random() * (mostMs - leastMs)).unref();
  };
  const visit = () => {
    chat(random);
    wait();
  };
  wait();
  return { close: async () => clearTimeout(timer) };
}
