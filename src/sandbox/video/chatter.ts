import {
  type CommentStatus,
  fill,
  heldTexts,
  one,
  type Person,
  remark,
  seededRandom,
  spamTexts,
  type Video,
  type World,
  writeComment,
} from "./world/index.ts";

const dayMs = 86_400_000;
/** Of the creator's newest videos so many are talked about. */
const talkedAbout = 3;

interface Crowd {
  readonly count: number;
  readonly seed: number;
  readonly now: number;
}

/** Comments that wait, oldest first; answers their ids. */
export function addHeld(world: World, { count, seed, now }: Crowd): readonly string[] {
  const random = seededRandom(seed);
  const videos = openVideos(world);
  const people = peopleOf(world);
  const times = Array.from({ length: count }, () => Math.floor(now - random() * dayMs));
  return times
    .sort((earlier, later) => earlier - later)
    .map((at, index) => {
      const video = one({ random }, videos);
      // Texts come back, as those of crowds do.
      const text = fill({ random, world }, video, heldTexts[index % heldTexts.length] ?? "");
      const { id } = writeComment(world, {
        ...{ videoId: video.id, parentId: undefined, authorId: one({ random }, people).id },
        ...{ text, status: "heldForReview" as const, now: at },
      });
      return id;
    });
}

/** Somebody says something on one of the newest videos. */
export function chat(
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
