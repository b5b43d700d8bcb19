import {
  addMembership,
  fillSlots,
  findStoredComment,
  findThread,
  heldTexts,
  pickOne,
  type StoredCommentStatus,
  type StoredUser,
  type StoredVideo,
  sampleUserId,
  seededRandom,
  spamTexts,
  toUser,
  type VideoState,
  withdrawComment,
  writeComment,
  writeRemark,
} from "./data/index.ts";

/** A comment that somebody writes while the service runs. */
export interface AudienceComment {
  readonly text: string;
  /** The newest public video of the sandbox creator when absent. */
  readonly videoId?: string;
  /** The top-level comment that it answers; its video is then the comment's. */
  readonly parentId?: string;
  /** The author's name, a known user's or a new one; a fixed sample user when absent. */
  readonly author?: string;
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

export function createAudience(state: VideoState, now: () => number): VideoAudience {
  function meet(name: string): string {
    const id = sampleUserId(name);
    if (state.users.has(id)) return id;
    const person = toUser({ name, language: "en" }, { now: now(), random: seededRandom(1) });
    state.users.set(id, { ...person, isGone: false });
    return id;
  }

  return {
    addComment({ text, parentId, author = visitor, status, ...comment }) {
      const thread = parentId === undefined ? undefined : findThread(state, parentId);
      const videoId = thread?.top.videoId ?? comment.videoId ?? openVideos(state)[0]?.id ?? "";
      const isMissing = parentId !== undefined && thread === undefined;
      if (isMissing || state.videos.get(videoId)?.comments === undefined) {
        throw new Error(`nobody can comment there: ${parentId ?? videoId}`);
      }
      const written = { videoId, parentId, authorId: meet(author), text, now: now() };
      const { id } = writeComment(state, { ...written, ...(status && { status }) });
      return { id, videoId, authorChannelId: written.authorId };
    },
    addHeld: (count, seed = 1) => addHeld(state, { count, seed, now: now() }),
    sendSpam: (count, seed = 1) => sendSpam(state, { count, seed, now: now() }),
    chat: (random) => chat(state, random, now()),
    closeAccount(channelId) {
      const written = [...state.comments.values()].filter(({ authorId }) => authorId === channelId);
      // What went with the comment that it answered is gone already.
      for (const { id } of written) {
        const comment = findStoredComment(state, id);
        if (comment !== undefined) withdrawComment(state, comment);
      }
      const person = state.users.get(channelId);
      if (person !== undefined) state.users.set(channelId, { ...person, isGone: true });
    },
    banned: () => [...(state.bannedAuthors.get(state.ownChannelId) ?? [])],
    withdrawComment(id) {
      const comment = findStoredComment(state, id);
      if (comment !== undefined) withdrawComment(state, comment);
    },
    addMember({ name, level }) {
      const levels = state.levels.filter(({ channelId }) => channelId === state.ownChannelId);
      const found = level === undefined ? levels[0] : levels.find((one) => one.name === level);
      if (found === undefined) throw new Error(`there is no level ${level}`);
      const channelId = meet(name);
      addMembership(state, { memberId: channelId, levelId: found.id, now: now() });
      return { channelId };
    },
  };
}

const dayMs = 86_400_000;
/** How many of the creator's newest videos get comments. */
const talkedAbout = 3;

interface CommentWave {
  readonly count: number;
  readonly seed: number;
  readonly now: number;
}

/** Comments that wait, oldest first; answers their ids. */
function addHeld(state: VideoState, { count, seed, now }: CommentWave): readonly string[] {
  const random = seededRandom(seed);
  const videos = openVideos(state);
  const people = livePeople(state);
  const times = Array.from({ length: count }, () => Math.floor(now - random() * dayMs));
  return times
    .sort((earlier, later) => earlier - later)
    .map((at, index) => {
      const video = pickOne(random, videos);
      // Texts repeat, as they do in a crowd.
      const text = fillSlots(random, video, heldTexts[index % heldTexts.length] ?? "");
      const { id } = writeComment(state, {
        videoId: video.id,
        parentId: undefined,
        authorId: pickOne(random, people).id,
        text,
        status: "heldForReview" as const,
        now: at,
      });
      return id;
    });
}

/** How many accounts a wave of spam comes from, and how many texts they have. */
const spamAccounts = 4;
const spamPhrases = 2;

function sendSpam(state: VideoState, { count, seed, now }: CommentWave): readonly string[] {
  const random = seededRandom(seed);
  const [video] = openVideos(state);
  if (video === undefined) return [];
  const people = livePeople(state);
  const accounts = Array.from({ length: spamAccounts }, () => pickOne(random, people));
  const texts = Array.from({ length: spamPhrases }, () =>
    fillSlots(random, video, pickOne(random, spamTexts)),
  );
  return Array.from({ length: count }, () => {
    const author = pickOne(random, accounts);
    const comment = { videoId: video.id, parentId: undefined, authorId: author.id, now };
    const text = pickOne(random, texts);
    return writeComment(state, { ...comment, text, status: "likelySpam" }).id;
  });
}

/** Adds a random comment to one of the newest videos. */
function chat(
  state: VideoState,
  random: () => number,
  now: number,
): { readonly id: string; readonly status: StoredCommentStatus } {
  const video = pickOne(random, openVideos(state).slice(0, talkedAbout));
  const author = pickOne(random, livePeople(state));
  const { text, status } = saying(random, video);
  const written = { videoId: video.id, parentId: undefined, authorId: author.id, text, now };
  return writeComment(state, { ...written, status });
}

function saying(
  random: () => number,
  video: StoredVideo,
): { text: string; status: StoredCommentStatus } {
  const chance = random();
  if (chance < 0.45) {
    return { text: fillSlots(random, video, pickOne(random, heldTexts)), status: "heldForReview" };
  }
  if (chance < 0.65)
    return { text: fillSlots(random, video, pickOne(random, spamTexts)), status: "likelySpam" };
  return { text: writeRemark(random, video), status: "published" };
}

/** Newest first. */
function openVideos({ videos, ownChannelId }: VideoState): readonly StoredVideo[] {
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

function livePeople({ users: people }: VideoState): readonly StoredUser[] {
  return [...people.values()].filter(({ isGone }) => !isGone);
}

const leastMs = 40_000;
const mostMs = 90_000;

/** Adds a comment now and then until it is closed; its timer does not keep the process alive. */
export function startAudienceComments(
  { chat }: Pick<VideoAudience, "chat">,
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
