import { cut, md, type Text, time, type Words } from "../../discord/index.ts";
import type { AuditAct, AuditEntry, QueuedComment } from "../../moderation/index.ts";
import type { Ctx } from "../context/index.ts";
import { collapseSpaces } from "./comment.ts";

const marks: Readonly<Partial<Record<AuditAct, string>>> = {
  approved: "✅",
  rejected: "❌",
  banned: "🚫",
  held: "⏸️",
};

/** An author's latest entries in the audit log are searched for this many comments. */
const searched = 20;
const maxTextChars = 80;

/**
 * What was last decided about other comments of the same author, the newest first.
 * @throws ServiceError `store_unavailable`
 */
export async function readAuthorComments(
  { moderation }: Pick<Ctx, "moderation">,
  { id, authorId }: Pick<QueuedComment, "id" | "authorId">,
  atMost: number,
): Promise<readonly AuditEntry[]> {
  // Only whole ids of channels have an index.
  if (authorId === undefined || !/^UC[\w-]{22}$/u.test(authorId)) return [];
  const { entries } = await moderation.audit.page({ author: authorId }, { limit: searched });
  const decided = entries.filter(
    ({ act, answer, commentId }) =>
      marks[act] !== undefined && answer === "done" && commentId !== id,
  );
  const latest = new Map(decided.toReversed().map((entry) => [entry.commentId, entry]));
  return [...latest.values()].sort((one, other) => other.at - one.at).slice(0, atMost);
}

/** A line for each: what became of it, the beginning of its text, and when. */
export function authorCommentLines(entries: readonly AuditEntry[], words: Words): readonly Text[] {
  return entries.map(({ act, text, at }) => {
    const said = collapseSpaces(text ?? "") || words.say("comments.nothing");
    return md`${marks[act] ?? ""} ${cut(said, maxTextChars)} · ${time(new Date(at))}`;
  });
}
