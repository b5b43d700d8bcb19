import { randomBytes } from "node:crypto";
import { InputError } from "../errors.ts";
import { checkLength } from "./comment-text.ts";
import { type AuthorNote, toTimeKey } from "./records/index.ts";
import type { ModerationRoom } from "./room.ts";

/** Notes about one author; a Discord select menu holds 25 options. */
export const maxNotes = 20;
export const maxNoteChars = 500;

export type AuthorNotes = ReturnType<typeof createAuthorNotes>;

/** What moderators of one server note about people who comment. */
export function createAuthorNotes(
  { records: { notes, inTurn }, database }: Pick<ModerationRoom, "records" | "database">,
  guildId: string,
) {
  return {
    /** Newest first, at most 20. */
    of: (authorId: string) => notes.ofAuthor(guildId, authorId),
    /** @throws InputError `note_text`, `too_many_notes`. */
    async add(draft: Pick<AuthorNote, "authorId" | "text" | "by">): Promise<AuthorNote> {
      const text = draft.text.trim();
      checkLength("note_text", text, maxNoteChars);
      return inTurn(guildId, async () => {
        const all = await notes.ofAuthor(guildId, draft.authorId);
        if (all.length >= maxNotes) {
          throw new InputError(`more than ${maxNotes} notes about one author`, {
            code: "too_many_notes",
            facts: { most: maxNotes },
          });
        }
        const at = database.now();
        const id = `${toTimeKey(at)}-${randomBytes(4).toString("hex")}`;
        return notes.add(guildId, { id, ...draft, text, at });
      });
    },
    /** Returns whether it was there. */
    remove: (authorId: string, id: string) => notes.remove(guildId, authorId, id),
  };
}
