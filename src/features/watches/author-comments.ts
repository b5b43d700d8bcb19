import { cut, link, md, type Text, time, type Words } from "../../discord/index.ts";
import {
  type AuditAct,
  type AuthorComment,
  decisionActs,
  type HeldComment,
  isUnsettled,
} from "../../moderation/index.ts";
import { youtubePages } from "../../video/index.ts";
import { valueName } from "../cards/index.ts";
import { collapseSpaces, commentText, commentUrl } from "./comment.ts";
import { banEmoji, stateEmoji, stateTag, statusLooks } from "./state.ts";

const maxTextChars = 80;

/** By status. Some acts have the name of the status that they lead to. */
const looks: Partial<Record<AuditAct, { readonly emoji: string }>> = statusLooks;

/** A line for each: what became of it, the beginning of its text, and when it was written or decided. */
export function authorCommentLines(
  comments: readonly AuthorComment[],
  words: Words,
): readonly Text[] {
  return comments.map(({ item, entry }) => {
    if (item !== undefined) {
      const { comment } = item;
      const text = commentText(comment, words);
      return commentLine(`${stateEmoji(item)} ${stateLabel(item, words)}`, {
        text,
        url: commentUrl(comment),
        at: comment.publishedAt,
      });
    }
    const { act, text = "", videoId, commentId, at } = entry;
    const url = videoId === undefined ? undefined : youtubePages.comment(videoId, commentId);
    const emoji = act === "banned" ? banEmoji : (looks[act]?.emoji ?? "");
    const label = `${emoji} ${valueName(words, "audit_act", act) ?? act}`;
    return commentLine(label, { text: text || words.say("comments.nothing"), url, at });
  });
}

/** A comment that nobody decided about may be public already, and a decision may be on its way. */
function stateLabel(item: HeldComment, words: Words): string {
  const { decision } = item;
  if (decision !== undefined && isUnsettled(item)) {
    const act = decisionActs[decision.kind];
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

function commentLine(label: string, { text, url, at }: CommentLine): Text {
  const shown = cut(collapseSpaces(text), maxTextChars);
  const linked = url === undefined ? md`${shown}` : link(shown, url);
  return md`${label} · ${linked} · ${time(new Date(at))}`;
}
