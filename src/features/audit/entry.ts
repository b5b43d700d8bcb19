import {
  compact,
  cut,
  link,
  md,
  notice,
  type ReplyItem,
  type Text,
  time,
  type Words,
} from "../../discord/index.ts";
import type { Audit, AuditAct, AuditEntry } from "../../moderation/index.ts";
import { youtubePages } from "../../video/index.ts";
import { valueName } from "../cards/index.ts";
import { moderate } from "../comments/index.ts";
import type { Ctx } from "../context/index.ts";
import { action } from "../declarations/index.ts";
import {
  alreadyDecidedNotice,
  collapseSpaces,
  decidedNotice,
  describeDecider,
  describeReason,
  describeStoredFailure,
  quoteReply,
  toActor,
} from "../watches/index.ts";
import { changedPage, drawChange, isChange } from "./change.ts";

/** The acts that change a comment's state. */
const decidingActs: ReadonlySet<AuditAct> = new Set(["approved", "rejected", "banned", "held"]);

const undoKinds = { approved: "hold", held: "approve" } as const;

/**
 * The decision that would undo an entry: an approved comment can be held again, a held one can be approved. There is
 * none for a rejection, which is final, nor for an entry that was followed by another decision.
 */
export async function possibleUndo(
  { ofComment }: Pick<Audit, "ofComment">,
  entry: AuditEntry,
): Promise<"hold" | "approve" | undefined> {
  if (entry.act !== "approved" && entry.act !== "held") return undefined;
  // The author was erased, and with that which comment it was.
  if (entry.commentId === "") return undefined;
  const all = await ofComment(entry.commentId);
  const last = all.find(({ act, answer }) => decidingActs.has(act) && answer === "done");
  return last?.id === entry.id ? undoKinds[entry.act] : undefined;
}

const statuses = { hold: "heldForReview", approve: "published" } as const;

/** Undoes an entry of the log if that is still possible. Acts as the channel that the entry is about. */
export const undoEntry = action<{ readonly id: string }>({
  name: "comments.log-revise",
  answer: "private",
  method: "comments.setModerationStatus",
  uses: ["comments.list", "commentThreads.list"],
  run: async (ctx, { id }) => {
    const { words, moderation } = ctx;
    const entry = await moderation.audit.entry(id);
    if (entry === undefined) {
      return notice({ tone: "neutral", title: words.say("comments.log.gone_title") });
    }
    const kind = await possibleUndo(moderation.audit, entry);
    if (kind === undefined) {
      return notice({ tone: "neutral", title: words.say("comments.log.changed_title") });
    }
    // If the queue still has the comment, it makes the decision, so that the card changes too.
    const [queued] = await moderation.queue.itemsOf(entry.source, entry.commentId);
    if (queued !== undefined) {
      const { watchId, id: itemId } = queued;
      const ref = { watchId, itemId };
      const by = toActor(ctx);
      const [decided] = await moderation.queue.decide({ items: [ref], kind, by, from: "log" });
      return decided?.state === "pending"
        ? decidedNotice(ctx, { watchId, kind, decided: [decided] })
        : alreadyDecidedNotice(ctx, decided ?? { ref, state: "absent" });
    }
    return moderate(ctx, { ids: [entry.commentId], status: statuses[kind] });
  },
});

const textChars = 300;

/** One entry of the log: what was decided about whose comment, or changed, by whom, when and where. */
export async function drawAuditEntry(
  { words, moderation }: Ctx,
  entry: AuditEntry,
): Promise<ReplyItem> {
  if (isChange(entry)) return drawChange(entry, words);
  const { act, answer } = entry;
  const kind = await possibleUndo(moderation.audit, entry);
  const url = auditedPage(entry);
  const label = valueName(words, "audit_act", act) ?? act;
  const quoted = cut(collapseSpaces(entry.text ?? ""), textChars);
  return {
    title: md`${label}: ${authorLink(entry, words)}`,
    lines: compact([
      entry.text === undefined
        ? entry.reply === undefined && words.say("comments.log.forgotten")
        : md`> ${quoted || words.say("comments.nothing")}`,
      entry.reply !== undefined && quoteReply(entry.reply),
      entryLine(entry, words),
      entry.reason !== undefined && describeReason(entry.reason, entry.by, words),
      answer !== "done" &&
        words.say("comments.log.failed", { why: describeStoredFailure(answer, words) }),
    ]),
    buttons: compact([
      kind !== undefined && {
        label: words.say(`comments.log.${kind}`),
        press: { ...undoEntry.press({ id: entry.id }), as: entry.source },
      },
      url !== undefined && { label: words.say("common.open"), url },
    ]),
  };
}

function entryLine({ by, at, from, answer, settledAt }: AuditEntry, words: Words): Text {
  const who = describeDecider(by, words);
  const moment = time(new Date(at));
  // A rule's name already says where the decision came from.
  const line =
    "ruleId" in by
      ? md`${who} · ${moment}`
      : words.md("comments.log.line", {
          who,
          at: moment,
          from: words.say(`comments.log.from.${from}`),
        });
  if (settledAt === undefined) return line;
  const settled = { isDone: answer === "done", at: time(new Date(settledAt)) };
  return md`${line} · ${words.md("comments.log.settled", settled)}`;
}

function authorLink({ authorName, authorId }: AuditEntry, words: Words): Text {
  const name = cut(collapseSpaces(authorName ?? ""), 60);
  if (authorId === undefined) return name || words.say("comments.nobody");
  return link(name || authorId, youtubePages.channel(authorId));
}

/** The comment on the page of its video, or the page of what was changed. */
export function auditedPage(entry: AuditEntry): string | undefined {
  if (isChange(entry)) return changedPage(entry);
  const { videoId, commentId } = entry;
  return videoId === undefined ? undefined : youtubePages.comment(videoId, commentId);
}
