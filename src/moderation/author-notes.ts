import { randomBytes } from "node:crypto";
import { InputError } from "../errors.ts";
import type { ModerationPartDeps } from "./deps.ts";
import { type AuthorNote, toTimeKey } from "./records/index.ts";

/** Notes about one author; a Discord select menu holds 25 options. */
export const maxNotes = 20;
export const maxNoteChars = 500;

export type AuthorNotes = ReturnType<typeof createAuthorNotes>;

/** What moderators of one guild note about people who comment. */
export function createAuthorNotes(
  { records, database }: Pick<ModerationPartDeps, "records" | "database">,
  guildId: string,
) {
  return {
    /** Newest first, at most 20. */
    of: (authorId: string) => records.notes.ofAuthor(guildId, authorId),
    /** @throws InputError `note_text`, `too_many_notes`. */
    async add(draft: Pick<AuthorNote, "authorId" | "text" | "by">): Promise<AuthorNote> {
      const text = checkText(draft.text.trim());
      return records.notes.inTurn(guildId, async () => {
        const all = await records.notes.ofAuthor(guildId, draft.authorId);
        if (all.length >= maxNotes) throw tooManyNotes();
        const at = database.now();
        const id = `${toTimeKey(at)}-${randomBytes(4).toString("hex")}`;
        return records.notes.add(guildId, { id, ...draft, text, at });
      });
    },
    /** Returns whether it was there. */
    remove: (authorId: string, id: string) => records.notes.remove(guildId, authorId, id),
  };
}

function checkText(text: string): string {
  const chars = [...text].length;
  if (chars >= 1 && chars <= maxNoteChars) return text;
  throw new InputError(`a note has ${chars} characters`, {
    code: "note_text",
    facts: { length: chars, maxChars: maxNoteChars },
  });
}

function tooManyNotes(): InputError {
  return new InputError(`more than ${maxNotes} notes about one author`, {
    code: "too_many_notes",
    facts: { most: maxNotes },
  });
}
