import {
  type Button,
  type Card,
  card,
  compact,
  cut,
  join,
  md,
  type Text,
  time,
  type Words,
} from "../../discord/index.ts";
import { type DigestFacts, type HeldComment, isKept, isWaiting } from "../../moderation/index.ts";
import { presses } from "../cards/index.ts";
import { describeDelay } from "../comments/index.ts";
import { digestKept, digestPresses, toDigestRef } from "./card-buttons.ts";
import { commentAuthorName, commentBeginning, cutEscaped } from "./comment.ts";
import { studioButtons } from "./consent.ts";
import { describeDecider, stateEmoji } from "./state.ts";

const maxLineChars = 320;
const maxAuthorChars = 24;
/** With more comments each is shortened to two lines of a phone, and with still more to one, so that the buttons stay near. */
const maxDetailed = 6;
const maxTwoLined = 12;
const twoLines = { chars: 54, authorChars: 16 } as const;
const oneLine = { chars: 29, authorChars: 12 } as const;
const maxNameChars = 24;

/** Several comments in one message: what each says, and what can be done about many at once. */
export function drawDigestCard(
  { watch, digest, items }: Omit<DigestFacts, "guildId">,
  words: Words,
): Card {
  const ref = toDigestRef(digest);
  const waiting = items.filter(isWaiting).length;
  const count = items.length;
  const title = words.say(waiting === 0 ? "watch.digest.done_title" : "watch.digest.title", {
    count,
  });
  const isKeyOnly = watch.isKeyOnly === true;
  const buttons = compact<Button>([
    {
      label: words.say("watch.button.review"),
      style: "primary",
      press: presses.comment.review(ref.watchId),
    },
    {
      label: words.say(isKeyOnly ? "watch.button.keep_all" : "watch.button.approve_all", {
        count: waiting,
      }),
      style: "success",
      press: digestPresses.approveAll(ref),
    },
    !isKeyOnly && {
      label: words.say("watch.button.reject_all", { count: waiting }),
      style: "danger",
      press: digestPresses.rejectAll(ref),
    },
    { label: words.say("watch.button.choose"), press: digestPresses.pick(ref) },
    ...(isKeyOnly ? studioButtons(watch, undefined, words) : []),
  ]);
  return card({
    title,
    tone: waiting === 0 ? "neutral" : "warning",
    text: count === 0 ? words.say("watch.digest.gone") : digestLines(items, words),
    ...(waiting > 0 && { buttons }),
    ...(waiting > 0 && isKeyOnly && { footer: words.say("watch.card.by_key") }),
    kept: digestKept(digest, watch),
    post: { title, tags: [words.say(waiting === 0 ? "watch.tag.done" : "watch.tag.open")] },
  });
}

function digestLines(items: readonly HeldComment[], words: Words): Text {
  const waiting = items.filter(isWaiting).length;
  const counts = words.say("watch.digest.counts", { waiting, decided: items.length - waiting });
  const isShort = items.length > maxDetailed;
  return join([
    md`**${counts}**`,
    ...(isShort ? reasonsLine(items, words) : []),
    ...items.flatMap((item, index) =>
      isShort
        ? [shortLine(item, { place: index + 1, of: items.length }, words)]
        : itemLines(item, index + 1, words),
    ),
    ...lastDecision(items, words),
  ]);
}

/** Why those that wait are here, and how many of them a rule has a suggestion for. */
function reasonsLine(items: readonly HeldComment[], words: Words): readonly Text[] {
  const waiting = items.filter(isWaiting);
  const states = [...Map.groupBy(waiting, ({ comment }) => comment.state)].map(
    ([state, some]) => `${words.number(some.length)} × ${words.say(`watch.why.${state}`)}`,
  );
  const advised = waiting.filter(({ advice }) => advice !== undefined).length;
  const hidden = waiting.filter(({ hiddenOn }) => hiddenOn !== undefined).length;
  const parts = compact<Text>([
    ...states,
    advised > 0 && `${adviceMark} ${words.number(advised)} × ${words.say("watch.card.advice")}`,
    hidden > 0 && `${adviceMark} ${words.number(hidden)} × ${words.say("watch.card.hidden")}`,
  ]);
  return parts.length === 0 ? [] : [md`-# ${join(parts, " · ")}`];
}

const adviceMark = "💡";

function hasAdvice({ advice, hiddenOn }: HeldComment): boolean {
  return advice !== undefined || hiddenOn !== undefined;
}

/** Who wrote what, with as much of it as a phone has room for. */
function shortLine(
  item: HeldComment,
  { place, of }: { readonly place: number; readonly of: number },
  words: Words,
): Text {
  const { chars, authorChars } = of > maxTwoLined ? oneLine : twoLines;
  const author = cut(commentAuthorName(item.comment, words), authorChars);
  const mark = hasAdvice(item) && isWaiting(item) ? `${adviceMark} ` : "";
  const text = commentBeginning(item.comment, words, chars - author.length);
  return md`${stateEmoji(item)} \`${place}\` **${author}** ${mark}${text}`;
}

/** Who wrote what; below it, as long as the comment waits, where, when, and why it is here. */
function itemLines(item: HeldComment, place: number, words: Words): readonly Text[] {
  const author = cut(commentAuthorName(item.comment, words), maxAuthorChars);
  const head = md`${stateEmoji(item)} \`${place}\` **${author}** `;
  const { comment, video, advice, hiddenOn } = item;
  const rule = advice && { rule: cutEscaped(advice.ruleName, maxNameChars), kind: advice.kind };
  const parts = compact<Text>([
    video !== undefined && cutEscaped(video.title, maxNameChars),
    time(new Date(comment.publishedAt)),
    words.say(`watch.why.${comment.state}`),
    rule !== undefined && words.say("watch.why.advice", rule),
    hiddenOn !== undefined && words.say("watch.why.hidden"),
  ]);
  const about = isWaiting(item) ? [md`-# ${join(parts, " · ")}`] : [];
  const taken = head.markup.length + (about[0]?.markup.length ?? 0) + 2;
  const text = cutEscaped(
    commentBeginning(item.comment, words, 200),
    Math.max(maxLineChars - taken, 24),
  );
  return [md`${head}${text}`, ...about];
}

/** Decisions of one person that were made within this time are described as one. */
const togetherMs = 3_000;

/** What was decided last, and about how many comments. */
function lastDecision(items: readonly HeldComment[], words: Words): readonly Text[] {
  const decided = items
    .flatMap((item) =>
      item.decision === undefined || isWaiting(item) ? [] : [{ item, decision: item.decision }],
    )
    .sort((one, other) => other.decision.at - one.decision.at);
  const [last] = decided;
  if (last === undefined) return [];
  const { by, kind, at, dueAt, delay } = last.decision;
  const same = decided.filter(
    ({ item, decision }) =>
      item.status === last.item.status &&
      decision.kind === kind &&
      JSON.stringify(decision.by) === JSON.stringify(by) &&
      at - decision.at <= togetherMs,
  );
  const isPending = last.item.status === "pending";
  const isDelayed = isPending && delay !== undefined;
  return [
    words.md("watch.digest.last", {
      who: describeDecider(by, words),
      kind: isKept(last.item) ? "keep" : kind,
      count: same.length,
      at: time(new Date(isPending ? dueAt : at)),
      sent: isDelayed ? "delayed" : isPending ? "pending" : "done",
    }),
    ...(isDelayed ? [describeDelay(delay, same.length, words)] : []),
  ];
}
