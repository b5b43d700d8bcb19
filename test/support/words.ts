import { createWords, type Words } from "../../src/discord/draw/words.ts";
import { createLanguages } from "../../src/language/index.ts";

/** The real message files, read once for all tests of a file. */
export const languages = createLanguages();

/** The words for a person whose Discord is set to that language. */
export function words(tag = "en-US"): Words {
  return createWords(languages.of(tag));
}
