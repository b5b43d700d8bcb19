import { randomBytes } from "node:crypto";
import { InputError } from "../errors.ts";
import { checkLength } from "./comment-text.ts";
import { foldReplyName, type SavedReply } from "./records/index.ts";
import type { ModerationRoom } from "./room.ts";

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

export function createSavedReplies({ records }: Pick<ModerationRoom, "records">, guildId: string) {
  const table = records.replies;
  const all = async () =>
    [...(await table.all(guildId))].sort(
      (one, other) => one.name.localeCompare(other.name) || (one.id < other.id ? -1 : 1),
    );
  return {
    all,
    /**
     * Changes the reply with that id, or adds a new one. What people left as it `was` shown to them is not changed. Names are
     * unique, whatever their case.
     * @throws InputError `reply_name`, `reply_text`, `reply_name_taken`, `too_many_replies`.
     */
    async put({ id, was, ...draft }: ReplyDraft): Promise<SavedReply> {
      const typed = { name: draft.name.replaceAll(/\s+/gu, " ").trim(), text: draft.text.trim() };
      checkLength("reply_name", typed.name, maxReplyNameChars);
      checkLength("reply_text", typed.text, maxReplyChars);
      return records.inTurn(guildId, async () => {
        const replies = await all();
        const own = replies.find((one) => one.id === id);
        const name = own !== undefined && typed.name === was?.name ? own.name : typed.name;
        const text = own !== undefined && typed.text === was?.text ? own.text : typed.text;
        const folded = foldReplyName(name);
        if (replies.some((one) => one !== own && foldReplyName(one.name) === folded)) {
          throw new InputError("two saved replies of one name", {
            code: "reply_name_taken",
            facts: { given: name },
          });
        }
        if (own === undefined && replies.length >= maxReplies) {
          throw new InputError(`more than ${maxReplies} saved replies`, {
            code: "too_many_replies",
            facts: { most: maxReplies },
          });
        }
        return table.put(guildId, { id: own?.id ?? randomBytes(4).toString("hex"), name, text });
      });
    },
    /** Returns whether it was there. A change at the same time does not bring it back. */
    remove: async (id: string) =>
      /^[0-9a-f]{8}$/.test(id) && records.inTurn(guildId, () => table.remove(guildId, id)),
  };
}
