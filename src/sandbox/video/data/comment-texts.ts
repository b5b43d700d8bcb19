import type { StoredComment, StoredVideo } from "./records.ts";
import comments from "./samples/comments.json" with { type: "json" };
import phrases from "./samples/phrases.json" with { type: "json" };
import type { VideoState } from "./state.ts";

/** What people say under a video. `{topic}`, `{time}`, `{n}` and `{name}` are filled in. */
type Phrases = (typeof phrases)["en"];

const byLanguage: Readonly<Record<string, Phrases>> = phrases;
const languages = Object.keys(phrases);
const emojiTexts = comments.emoji.split(" ");

/**
 * Comments held for the owner to decide on (rude, off topic, or with a link), those that the service marks as likely
 * spam, and harmless ones with hostile characters, which must not break what shows them nor be interpreted by it.
 */
export const { held: heldTexts, spam: spamTexts, hostile: hostileTexts } = comments;

interface CommentTextDeps {
  readonly state: VideoState;
  readonly random: () => number;
}

/** Phrases in the video's language mostly, else in English or any other. */
export function phrasesFor(
  { random }: Pick<CommentTextDeps, "random">,
  { language = "en" }: StoredVideo,
): Phrases {
  const chance = random();
  const other = languages[Math.floor(random() * languages.length)] ?? "en";
  const spoken = chance < 0.75 ? language : chance < 0.9 ? "en" : other;
  return byLanguage[spoken] ?? phrases.en;
}

/** One or two sentences, sometimes lines, sometimes with an emoji or nothing else. */
export function writeRemark(talk: CommentTextDeps, video: StoredVideo): string {
  const { random } = talk;
  const chance = random();
  if (chance < 0.05) return pickOne(talk, emojiTexts).repeat(1 + Math.floor(random() * 4));
  const { comments } = phrasesFor(talk, video);
  const first = pickOne(talk, comments);
  const second = pickOne(talk, comments);
  const text =
    chance < 0.45 || first === second ? first : `${first}${chance < 0.9 ? " " : "\n\n"}${second}`;
  return fillSlots(talk, video, random() < 0.3 ? `${text} ${pickOne(talk, emojiTexts)}` : text);
}

/** Puts something fitting where a text has slots. */
export function fillSlots(
  talk: CommentTextDeps,
  video: StoredVideo,
  text: string,
  answered?: StoredComment,
): string {
  let filled = "";
  let from = 0;
  for (let open = text.indexOf("{"); open >= 0; open = text.indexOf("{", from)) {
    const close = text.indexOf("}", open);
    const slot = text.slice(open + 1, close);
    filled += text.slice(from, open) + slotValue(talk, video, { slot, answered });
    from = close + 1;
  }
  return filled + text.slice(from);
}

function slotValue(
  { random, state }: CommentTextDeps,
  video: StoredVideo,
  { slot, answered }: { readonly slot: string; readonly answered: StoredComment | undefined },
): string {
  switch (slot) {
    case "topic":
      // A video's first tags are its channel's keywords.
      return video.tags[Math.floor(random() * 4)] ?? video.title;
    case "time":
      return clock(Math.floor(random() * (video.seconds || 600)));
    case "name":
      return state.users.get(answered?.authorId ?? "")?.name ?? "all";
    default:
      return String(2 + Math.floor(random() * 40));
  }
}

function clock(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

export function pickOne<T>({ random }: Pick<CommentTextDeps, "random">, things: readonly T[]): T {
  // No caller passes an empty list.
  return things[Math.floor(random() * things.length)] as T;
}
