import {
  addMembership,
  fillSlots,
  findStoredComment,
  findThread,
  heldTexts,
  pickOne,
  type StoredCommentStatus,
  type StoredVideo,
  sampleUserId,
  seededRandom,
  spamTexts,
  type VideoState,
  withdrawComment,
  writeComment,
  writeRemark,
} from "./data/index.ts";

/** A comment that somebody writes while the stand-in runs. */
export interface AudienceComment {
  readonly text: string;
  /** The newest public video of the sandbox creator when absent. */
  readonly videoId?: string;
  /** The top-level comment that it answers; its video is then the comment's. */
  readonly parentId?: string;
  /** The author's name, a known user's or a new one; a fixed sample user when absent. */
  readonly author?: string;
  /** When the author's channel was made, if it is a new one; 45 days ago when absent. */
  readonly joinedAt?: number;
  /** Published when absent; what a banned author writes is rejected whatever it says. */
  readonly status?: StoredCommentStatus;
}

/** What YouTube's users do without the API. */
export interface VideoAudience {
  /** Throws when the video or the answered comment is not there, or comments are off. */
  addComment(comment: AudienceComment): {
    readonly id: string;
    readonly videoId: string;
    readonly authorChannelId: string;
  };
  /** Deletes a comment, as its author would. */
  withdrawComment(id: string): void;
  /**
   * Adds `count` comments held for review on the creator's own videos, by many users, dated within the last day.
   * Returns their ids, oldest first. The same seed gives the same comments.
   */
  addHeld(count: number, seed?: number): readonly string[];
  /**
   * A wave of spam: `count` comments at once on the creator's newest video, from a handful of accounts, most of them the
   * same text over and over. Returns their ids.
   */
  sendSpam(count: number, seed?: number): readonly string[];
  /** Adds a random comment: one held for review, one that looks like spam, or a harmless one. */
  chat(random: () => number): { readonly id: string; readonly status: StoredCommentStatus };
  /** Closes an account and deletes its comments. */
  closeAccount(channelId: string): void;
  /** Channel ids of authors whose comments the creator's channel rejects. */
  banned(): readonly string[];
  /** Somebody joins the sandbox creator's members, or rises; at the lowest level when none is named. */
  addMember(member: { readonly name: string; readonly level?: string }): {
    readonly channelId: string;
  };
}

const visitor = "Posy Larkin";
const dayMs = 86_400_000;
/** How many of the creator's newest videos get comments in a chat. */
const talkedAbout = 3;
/** How many accounts a wave of spam comes from, and how many texts they have. */
const spamAccounts = 4;
const spamPhrases = 2;

export function createAudience(state: VideoState, now: () => number): VideoAudience {
  function withdraw(id: string): void {
    const comment = findStoredComment(state, id);
    // What went with the comment that it answered is gone already.
    if (comment !== undefined) withdrawComment(state, comment);
  }

  const listPeople = () => [...state.users.values()].filter(({ isGone }) => !isGone);

  return {
    addComment({ text, parentId, author = visitor, joinedAt, status, ...comment }) {
      const thread = parentId === undefined ? undefined : findThread(state, parentId);
      const videoId = thread?.top.videoId ?? comment.videoId ?? listOpenVideos(state)[0]?.id ?? "";
      const isMissing = parentId !== undefined && thread === undefined;
      if (isMissing || state.videos.get(videoId)?.comments === undefined) {
        throw new Error(`nobody can comment there: ${parentId ?? videoId}`);
      }
      const authorId = meet(state, author, joinedAt ?? now() - visitorAgeMs);
      const written = { videoId, parentId, authorId, text, now: now(), ...(status && { status }) };
      return { id: writeComment(state, written).id, videoId, authorChannelId: authorId };
    },
    withdrawComment: withdraw,
    addHeld(count, seed = 1) {
      const random = seededRandom(seed);
      const [videos, people] = [listOpenVideos(state), listPeople()];
      const times = Array.from({ length: count }, () => Math.floor(now() - random() * dayMs));
      return times
        .sort((earlier, later) => earlier - later)
        .map((at, index) => {
          const video = pickOne(random, videos);
          // Texts repeat, as they do in a crowd.
          const held = heldTexts[index % heldTexts.length] ?? "";
          const text = fillSlots(random, video, held);
          const authorId = pickOne(random, people).id;
          const written = { videoId: video.id, authorId, text, now: at } as const;
          return writeComment(state, { ...written, status: "heldForReview" }).id;
        });
    },
    sendSpam(count, seed = 1) {
      const random = seededRandom(seed);
      const [video] = listOpenVideos(state);
      if (video === undefined) return [];
      const people = listPeople();
      const accounts = Array.from({ length: spamAccounts }, () => pickOne(random, people));
      const texts = Array.from({ length: spamPhrases }, () =>
        fillSlots(random, video, pickOne(random, spamTexts)),
      );
      return Array.from({ length: count }, () => {
        const authorId = pickOne(random, accounts).id;
        const text = pickOne(random, texts);
        const written = { videoId: video.id, authorId, text, now: now() } as const;
        return writeComment(state, { ...written, status: "likelySpam" }).id;
      });
    },
    chat(random) {
      const video = pickOne(random, listOpenVideos(state).slice(0, talkedAbout));
      const authorId = pickOne(random, listPeople()).id;
      const written = { videoId: video.id, authorId, now: now() } as const;
      const chance = random();
      if (chance >= 0.65) {
        return writeComment(state, { ...written, text: writeRemark(random, video) });
      }
      const status = chance < 0.45 ? "heldForReview" : "likelySpam";
      const phrase = pickOne(random, chance < 0.45 ? heldTexts : spamTexts);
      return writeComment(state, { ...written, text: fillSlots(random, video, phrase), status });
    },
    closeAccount(channelId) {
      const written = [...state.comments.values()].filter(({ authorId }) => authorId === channelId);
      for (const { id } of written) withdraw(id);
      const person = state.users.get(channelId);
      if (person !== undefined) state.users.set(channelId, { ...person, isGone: true });
    },
    banned: () => [...(state.bannedAuthors.get(state.ownChannelId) ?? [])],
    addMember({ name, level }) {
      const levels = state.levels.filter(({ channelId }) => channelId === state.ownChannelId);
      const found = level === undefined ? levels[0] : levels.find((one) => one.name === level);
      if (found === undefined) throw new Error(`there is no level ${level}`);
      const channelId = meet(state, name, now() - visitorAgeMs);
      addMembership(state, { memberId: channelId, levelId: found.id, now: now() });
      return { channelId };
    },
  };
}

const visitorAgeMs = 45 * dayMs;

/** The channel id of a user of that name, who is there from now on. */
function meet({ users }: VideoState, name: string, joinedAt: number): string {
  const id = sampleUserId(name);
  if (users.has(id)) return id;
  const letters = name.replace(/[^\p{L}\p{N}]/gu, "").toLowerCase();
  users.set(id, {
    id,
    name,
    handle: `@${letters.slice(0, 20) || "user"}-${id.slice(2, 5).toLowerCase()}`,
    language: "en",
    hue: 225,
    joinedAt,
    isGone: false,
  });
  return id;
}

/** The creator's videos that anybody can comment on, newest first. */
function listOpenVideos({ videos, ownChannelId }: VideoState): readonly StoredVideo[] {
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

const leastMs = 40_000;
const mostMs = 90_000;

/** Adds a comment now and then until it is closed; its timer does not keep the process alive. */
export function startAudienceComments(
  { chat }: Pick<VideoAudience, "chat">,
  random: () => number,
): { close(): Promise<void> } {
  let timer: NodeJS.Timeout;
  function wait(): void {
    timer = setTimeout(
      () => {
        chat(random);
        wait();
      },
      leastMs + random() * (mostMs - leastMs),
    ).unref();
  }
  wait();
  return { close: async () => clearTimeout(timer) };
}
