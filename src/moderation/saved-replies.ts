import { randomBytes } from "node:crypto";
import { InputError } from "../errors.ts";
import type { ModerationPartDeps } from "./deps.ts";
import { foldReplyName, type SavedReply } from "./records/index.ts";

/** A Discord select menu holds 25 options. */
export const maxReplies = 25;
/** The label of a select option holds 100. */
export const maxReplyNameChars = 80;
/** A comment may be longer, but a saved reply has to fit into a form. */
export const maxReplyChars = 2_000;

type ReplyTexts = Pick<SavedReply, "name" | "text">;

interface ReplyDraft extends ReplyTexts {
  readonly id?: string | undefined;
  /** What people saw before they changed it. */
  readonly was?: ReplyTexts | undefined;
}

export type SavedReplies = ReturnType<typeof createSavedReplies>;

export function createSavedReplies(
  { records }: Pick<ModerationPartDeps, "records">,
  guildId: string,
) {
  const all = async () => [...(await records.replies.all(guildId))].sort(byName);
  return {
    all,
    /**
     * Changes the reply with that id, or adds a new one. What people left as it `was` shown to them is not changed. Names are
     * unique, whatever their case.
     * @throws InputError `reply_name`, `reply_text`, `reply_name_taken`, `too_many_replies`.
     */
    async put({ id, was, ...draft }: ReplyDraft): Promise<SavedReply> {
      const typed = { name: oneLine(draft.name), text: draft.text.trim() };
      checkReply(typed);
      return records.replies.inTurn(guildId, async () => {
        const replies = await all();
        const own = replies.find((one) => one.id === id);
        const name = own !== undefined && typed.name === was?.name ? own.name : typed.name;
        const text = own !== undefined && typed.text === was?.text ? own.text : typed.text;
        const reply = { id: replyIdFor(name, own, replies), name, text };
        return records.replies.put(guildId, reply);
      });
    },
    /** Returns whether it was there. A change at the same time does not bring it back. */
    remove: async (id: string) =>
      isId(id) && records.replies.inTurn(guildId, () => records.replies.remove(guildId, id)),
  };
}

/** The reply's own id, or a new one. @throws InputError `reply_name_taken`, `too_many_replies`. */
function replyIdFor(name: string, own: SavedReply | undefined, all: readonly SavedReply[]): string {
  const others = all.filter((one) => one !== own);
  if (others.some((one) => foldReplyName(one.name) === foldReplyName(name))) throw nameTaken(name);
  if (own !== undefined) return own.id;
  if (all.length >= maxReplies) throw tooManyReplies();
  return randomBytes(4).toString("hex");
}

function isId(id: string): boolean {
  return /^[0-9a-f]{8}$/.test(id);
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/gu, " ").trim();
}

function byName(one: SavedReply, other: SavedReply): number {
  return one.name.localeCompare(other.name) || (one.id < other.id ? -1 : 1);
}

function checkReply({ name, text }: Pick<SavedReply, "name" | "text">): void {
  if (name === "" || [...name].length > maxReplyNameChars) {
    throw new InputError(`a saved reply's name has ${[...name].length} characters`, {
      code: "reply_name",
      facts: { length: [...name].length, maxChars: maxReplyNameChars },
    });
  }
  if (text !== "" && [...text].length <= maxReplyChars) return;
  throw new InputError(`a saved reply's text has ${[...text].length} characters`, {
    code: "reply_text",
    facts: { length: [...text].length, maxChars: maxReplyChars },
  });
}

function nameTaken(name: string): InputError {
  return new InputError("two saved replies of one name", {
    code: "reply_name_taken",
    facts: { given: name },
  });
}

function tooManyReplies(): InputError {
  return new InputError(`more than ${maxReplies} saved replies`, {
    code: "too_many_replies",
    facts: { most: maxReplies },
  });
}
