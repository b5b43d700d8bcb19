import type { ReleasedVideo } from "../../announcements/index.ts";
import type { Words } from "../../discord/index.ts";

/** The categories that videos can have: docs/services/youtube.md#categories */
export const categoryIds = [
  "1",
  "2",
  "10",
  "15",
  "17",
  "19",
  "20",
  "22",
  "23",
  "24",
  "25",
  "26",
  "27",
  "28",
  "29",
] as const;

/** The category of that name in one of these languages, or with that id. */
export function categoryNamed(typed: string, languages: readonly Words[]): string | undefined {
  const name = typed.normalize("NFKC").trim().toLowerCase();
  if (/^\d{1,6}$/u.test(name)) return name;
  return categoryIds.find((id) =>
    languages.some((words) => words.say(`announce.categories.${id}`).toLowerCase() === name),
  );
}

/** A category's name without asking YouTube; its id where it is a new one. */
export function categoryName(id: string, words: Words): string {
  return words.find(`announce.categories.${id}`) ?? id;
}

/** A genre of games among the topics: the name of an article of Wikipedia. */
const genre = /\/wiki\/([\w-]+_(?:video_)?game)$/u;

/**
 * What `{game}` says. YouTube's API does not know which game a video shows, only its genre, and not always: then it is the
 * category. docs/decisions.md#game-is-a-genre-or-a-category
 */
export function gameOf({ topics, categoryId }: ReleasedVideo, words: Words): string | undefined {
  const [, article] = topics?.map((topic) => genre.exec(topic)).find((found) => found) ?? [];
  if (article !== undefined) {
    const name = words.find(`announce.genres.${article.toLowerCase()}`);
    return name ?? article.replaceAll("_", " ");
  }
  return categoryId === undefined ? undefined : words.find(`announce.categories.${categoryId}`);
}
