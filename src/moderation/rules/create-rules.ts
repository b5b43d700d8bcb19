import type { Rules } from "../types.ts";
import { changeBook, readBook } from "./book.ts";
import type { RuleParts } from "./parts.ts";

/** The rules of one guild, as people read and change them. */
export function createRules(parts: RuleParts, guildId: string): Rules {
  return {
    book: () => readBook(parts, guildId),
    tryOut: async () => {
      throw new TypeError("not built");
    },
    add: async () => {
      throw new TypeError("not built");
    },
    change: async () => undefined,
    remove: async () => false,
    configure: () => changeBook(parts, guildId, (book) => book),
  };
}
