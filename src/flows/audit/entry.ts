import {
  compact,
  cut,
  type Item,
  link,
  md,
  named,
  type Press,
  pages,
  type Text,
  time,
  type Words,
} from "../../discord/index.ts";
import type { AuditEntry } from "../../moderation/index.ts";
import { whoFirst, whyOf } from "../watching/index.ts";

export interface Drawn {
  readonly words: Words;
  /** Undoes the decision, where that is still possible. */
  readonly revise: { readonly kind: "hold" | "approve"; readonly press: Press } | undefined;
}

const textChars = 300;

/** One entry of the record: what was decided about whose comment, by whom, when and where. */
export function entryItem(entry: AuditEntry, { words, revise }: Drawn): Item {
  const { act, answer } = entry;
  const url = addressOf(entry);
  const label = named(words, "audit_act", act) ?? act;
  return {
    title: md`${label}: ${authorOf(entry, words)}`,
    lines: compact([
      entry.text === undefined ? words.say("comments.log.forgotten") : said(entry.text, words),
      lineOf(entry, words),
      answer !== "done" && words.say("comments.log.failed", { why: whyOf(answer, words) }),
    ]),
    buttons: compact([
      revise !== undefined && {
        label: words.say(`comments.log.${revise.kind}`),
        press: revise.press,
      },
      url !== undefined && { label: words.say("common.open"), url },
    ]),
  };
}

function lineOf({ by, at, from }: AuditEntry, words: Words): Text {
  const who = whoFirst(by, words);
  const moment = time(new Date(at));
  // A rule's name already says where the decision came from.
  if ("ruleId" in by) return md`${who} · ${moment}`;
  return words.md("comments.log.line", {
    who,
    at: moment,
    from: words.say(`comments.log.from.${from}`),
  });
}

function said(text: string, words: Words): Text {
  const line = text.replaceAll(/\s+/gu, " ").trim();
  return md`> ${cut(line, textChars) || words.say("comments.nothing")}`;
}

function authorOf({ authorName, authorId }: AuditEntry, words: Words): Text {
  const name = cut((authorName ?? "").replaceAll(/\s+/gu, " ").trim(), 60);
  if (authorId === undefined) return name || words.say("comments.nobody");
  return link(name || authorId, pages.channel(authorId));
}

/** The comment on the page of its video. */
export function addressOf({ videoId, commentId }: AuditEntry): string | undefined {
  return videoId === undefined ? undefined : pages.comment(videoId, commentId);
}
