import type { StoredVideo } from "./records.ts";
import phrases from "./samples/phrases.json" with { type: "json" };
import texts from "./samples/texts.json" with { type: "json" };

/** What people say under a video, by language. `{topic}`, `{time}` and `{n}` are filled in. */
const byLanguage: Readonly<Record<string, readonly string[]>> = phrases;
const languages = Object.keys(phrases);
const emojiTexts = texts.emoji.split(" ");

/** Comments held for the owner to decide on (rude, off topic, or with a link), and those that look like spam. */
export const { held: heldTexts, spam: spamTexts } = texts;

/** One or two sentences, sometimes lines, sometimes with an emoji or nothing else. */
export function writeRemark(random: () => number, video: StoredVideo): string {
  const chance = random();
  if (chance < 0.05) return pickOne(random, emojiTexts).repeat(1 + Math.floor(random() * 4));
  const { language = "en" } = video;
  const choice = random();
  const other = pickOne(random, languages);
  // In the video's language mostly, else in English or any other.
  const foreign = choice < 0.9 ? "en" : other;
  const comments = byLanguage[choice < 0.75 ? language : foreign] ?? phrases.en;
  const first = pickOne(random, comments);
  const second = pickOne(random, comments);
  const text =
    chance < 0.45 || first === second ? first : `${first}${chance < 0.9 ? " " : "\n\n"}${second}`;
  return fillSlots(random, video, random() < 0.3 ? `${text} ${pickOne(random, emojiTexts)}` : text);
}

/** Puts something fitting where a text has slots. */
export function fillSlots(random: () => number, video: StoredVideo, text: string): string {
  return text.replace(/\{(\w+)\}/gu, (_, slot: string) => {
    // A video's first tags are its channel's keywords.
    if (slot === "topic") return video.tags[Math.floor(random() * 4)] ?? video.title;
    if (slot !== "time") return String(2 + Math.floor(random() * 40));
    const seconds = Math.floor(random() * (video.seconds || 600));
    return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  });
}

export function pickOne<T>(random: () => number, things: readonly T[]): T {
  // No caller passes an empty list.
  return things[Math.floor(random() * things.length)] as T;
}
