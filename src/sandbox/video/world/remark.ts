import type { Comment } from "./conversation.ts";
import { emoji, type Phrases, phrases } from "./phrases.ts";
import type { Video, World } from "./types.ts";

const languages = Object.keys(phrases);

interface Talk {
  readonly world: World;
  readonly random: () => number;
}

/** Phrases in the video's language mostly, else in English or any other. */
export function wordsOf({ random }: Pick<Talk, "random">, { language = "en" }: Video): Phrases {
  const chance = random();
  const other = languages[Math.floor(random() * languages.length)] ?? "en";
  const spoken = chance < 0.75 ? language : chance < 0.9 ? "en" : other;
  return phrases[spoken] ?? phrases.en;
}

/** One or two sentences, sometimes lines, sometimes with an emoji or nothing else. */
export function remark(talk: Talk, video: Video): string {
  const { random } = talk;
  const chance = random();
  if (chance < 0.05) return one(talk, emoji).repeat(1 + Math.floor(random() * 4));
  const { comments } = wordsOf(talk, video);
  const first = one(talk, comments);
  const second = one(talk, comments);
  const text =
    chance < 0.45 || first === second ? first : `${first}${chance < 0.9 ? " " : "\n\n"}${second}`;
  return fill(talk, video, random() < 0.3 ? `${text} ${one(talk, emoji)}` : text);
}

/** Puts something fitting where a text has slots. */
export function fill(talk: Talk, video: Video, text: string, answered?: Comment): string {
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
  { random, world }: Talk,
  video: Video,
  { slot, answered }: { readonly slot: string; readonly answered: Comment | undefined },
): string {
  switch (slot) {
    case "topic":
      // A video's first tags are its channel's keywords.
      return video.tags[Math.floor(random() * 4)] ?? video.title;
    case "time":
      return clock(Math.floor(random() * (video.seconds || 600)));
    case "name":
      return world.people.get(answered?.authorId ?? "")?.name ?? "all";
    default:
      return String(2 + Math.floor(random() * 40));
  }
}

function clock(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

export function one<T>({ random }: Pick<Talk, "random">, things: readonly T[]): T {
  // Every list it is asked for has something in it.
  return things[Math.floor(random() * things.length)] as T;
}
