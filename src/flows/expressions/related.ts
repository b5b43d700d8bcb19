import type { SelectOption, Words } from "../../discord/index.ts";

/** Discord suggests a sticker by one of its own emoji: the emoji, by the name that Discord knows it by. */
const related = {
  star: "⭐",
  smile: "😄",
  joy: "😂",
  heart: "❤️",
  heart_eyes: "😍",
  thumbsup: "👍",
  clap: "👏",
  wave: "👋",
  tada: "🎉",
  fire: "🔥",
  eyes: "👀",
  thinking: "🤔",
  sunglasses: "😎",
  sob: "😭",
  rage: "😡",
  scream: "😱",
  sleeping: "😴",
  cat: "🐱",
  dog: "🐶",
  coffee: "☕",
  gift: "🎁",
  video_game: "🎮",
  red_car: "🚗",
  rocket: "🚀",
} as const;

type Related = keyof typeof related;

export const firstRelated: Related = "star";

export function isRelated(name: string | undefined): name is Related {
  return name !== undefined && Object.hasOwn(related, name);
}

export function relatedOptions(words: Words): readonly SelectOption[] {
  return Object.entries(related).map(([name, emoji]) => ({
    label: words.say(`expressions.related.${name as Related}`),
    value: name,
    emoji,
    isDefault: name === firstRelated,
  }));
}
