import { cut, link, md, type Text, time, type Words } from "../../discord/index.ts";
import type { AuditAct, AuthorComment, DecisionKind, HeldComment } from "../../moderation/index.ts";
import { pages } from "../../video/index.ts";
import { valueName } from "../cards/index.ts";
import { collapseSpaces, commentText, commentUrl } from "./comment.ts";
import { stateEmoji, stateTag } from "./state.ts";

const marks: Readonly<Partial<Record<AuditAct, string>>> = {
  approved: "✅",
  rejected: "❌",
  banned: "🚫",
  held: "⏸️",
};

const maxTextChars = 80;

/** A line for each: what became of it, the beginning of its text, and when it was written or decided. */
export function authorCommentLines(
  comments: readonly AuthorComment[],
  words: Words,
): readonly Text[] {
  return comments.map(({ item, entry }) => {
    if (item !== undefined) {
      const { comment } = item;
      const text = commentText(comment, words);
      return lineOf(`${stateEmoji(item)} ${labelOf(item, words)}`, {
        text,
        url: commentUrl(comment),
        at: comment.publishedAt,
      });
    }
    const { act, text = "", videoId, commentId, at } = entry;
    const url = videoId === undefined ? undefined : pages.comment(videoId, commentId);
    const label = `${marks[act] ?? ""} ${valueName(words, "audit_act", act) ?? act}`;
    return lineOf(label, { text: text || words.say("comments.nothing"), url, at });
  });
}

const acts = {
  approve: "approved",
  reject: "rejected",
  ban: "banned",
  hold: "held",
} as const satisfies Record<DecisionKind, AuditAct>;

/** A comment that nobody decided about may be public already, and a decision may be on its way. */
function labelOf(item: HeldComment, words: Words): string {
  const { status, decision } = item;
  if (decision !== undefined && (status === "pending" || status === "sending")) {
    const act = acts[decision.kind];
    return valueName(words, "audit_act", act) ?? act;
  }
  const isPublic = item.status === "open" && item.comment.state === "published";
  return isPublic ? words.say("watch.case.public") : stateTag(item, words);
}

interface CommentLine {
  readonly text: string;
  readonly url: string | undefined;
  readonly at: number;
}

function lineOf(label: string, { text, url, at }: CommentLine): Text {
  const shown = cut(collapseSpaces(text), maxTextChars);
  const linked = url === undefined ? md`${shown}` : link(shown, url);
  return md`${label} · ${linked} · ${time(new Date(at))}`;
}
