import { randomBytes } from "node:crypto";
import { InputError } from "../../errors.ts";
import type { ModerationRows, SavedReply } from "../../store/index.ts";
import type { SavedReplies } from "../types.ts";

/** As many as one select of the chat platform holds. */
export const maxReplies = 25;
/** A select's label holds a hundred. */
export const maxReplyNameChars = 80;
/** A comment may be longer; what is kept is meant for a form. */
export const maxReplyChars = 2_000;

/** The answers of every guild that this process serves. */
export function createSavedReplies({ replies }: Pick<ModerationRows, "replies">): {
  of(guildId: string): SavedReplies;
} {
  // A look at all of them and what follows from it stay together. A guild is served by one process.
  const turns = new Map<string, Promise<unknown>>();

  function inTurn<T>(guildId: string, work: () => Promise<T>): Promise<T> {
    const before = turns.get(guildId) ?? Promise.resolve();
    const mine = before.then(work, work);
    const ended = mine.then(
      () => {},
      () => {},
    );
    turns.set(guildId, ended);
    void ended.then(() => {
      if (turns.get(guildId) === ended) turns.delete(guildId);
    });
    return mine;
  }

  return {
    of(guildId) {
      const all = async () => [...(await replies.list(guildId))].sort(byName);
      return {
        all,
        async put(draft) {
          const texts = { name: oneLine(draft.name), text: draft.text.trim() };
          check(texts);
          return inTurn(guildId, async () => {
            const id = placeOf({ ...draft, ...texts }, await all());
            const reply: SavedReply = { id, ...texts };
            return replies.update(guildId, id, () => reply);
          });
        },
        async remove(id) {
          if (!isId(id)) return false;
          let was = false;
          await replies.update(guildId, id, (stored) => {
            was = stored !== undefined;
            return undefined;
          });
          return was;
        },
      };
    },
  };
}

/** Where it is kept: in its own place, or in a new one. */
function placeOf({ id, name }: Partial<SavedReply>, all: readonly SavedReply[]): string {
  const own = all.find((one) => one.id === id);
  const others = all.filter((one) => one !== own);
  if (others.some((one) => folded(one.name) === folded(name ?? ""))) throw nameTaken();
  if (own !== undefined) return own.id;
  if (all.length >= maxReplies) throw tooMany();
  return randomBytes(4).toString("hex");
}

function isId(id: string): boolean {
  return /^[0-9a-f]{8}$/.test(id);
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/gu, " ").trim();
}

function folded(name: string): string {
  return name.normalize("NFKC").toLowerCase();
}

function byName(one: SavedReply, other: SavedReply): number {
  return one.name.localeCompare(other.name) || (one.id < other.id ? -1 : 1);
}

function check({ name, text }: Pick<SavedReply, "name" | "text">): void {
  const facts = { maxChars: maxReplyNameChars };
  if (name === "" || [...name].length > maxReplyNameChars) {
    throw new InputError(`a saved reply's name has ${[...name].length} characters`, {
      code: "reply_name",
      hint: `Give the saved reply a name of 1 to ${maxReplyNameChars} characters.`,
      facts,
    });
  }
  if (text !== "" && [...text].length <= maxReplyChars) return;
  throw new InputError(`a saved reply's text has ${[...text].length} characters`, {
    code: "reply_text",
    hint: `A saved reply has 1 to ${maxReplyChars} characters. Change its text.`,
    facts: { maxChars: maxReplyChars },
  });
}

function nameTaken(): InputError {
  return new InputError("two saved replies of one name", {
    code: "reply_name_taken",
    hint: "There is a saved reply of that name already. Choose another name, or change that one.",
  });
}

function tooMany(): InputError {
  return new InputError(`more than ${maxReplies} saved replies`, {
    code: "too_many_replies",
    hint: `A server keeps up to ${maxReplies} saved replies. Remove one first.`,
    facts: { most: maxReplies },
  });
}
