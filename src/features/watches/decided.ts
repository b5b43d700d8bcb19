import { setTimeout as sleep } from "node:timers/promises";
import {
  type Button,
  compact,
  cut,
  join,
  md,
  type Notice,
  notice,
  type Reply,
  type Text,
  time,
  type Words,
} from "../../discord/index.ts";
import {
  type DecisionDelay,
  type DecisionKind,
  type DecisionResult,
  type HeldComment,
  isFinal,
  isKept,
  isUnsettled,
  isWaiting,
  settledStatuses,
} from "../../moderation/index.ts";
import { describeDelay, describeTooOften } from "../comments/index.ts";
import type { Ctx } from "../context/index.ts";
import { action, type FeatureAction } from "../declarations/index.ts";
import { commentAuthorName } from "./comment.ts";
import type { ChosenComments } from "./full-text.ts";
import { reasonButton } from "./reason.ts";
import { commentStateLine, statusLooks, toActor } from "./state.ts";

const maxTakenLines = 10;

interface GroupDecision {
  readonly watchId: string;
  readonly kind: DecisionKind;
  readonly decided: readonly DecisionResult[];
}

/**
 * Says what is about to be sent, or is kept until it can be, with a button to undo it. Once it is sent, the message says what
 * became of it.
 */
export function decidedNotice(ctx: Ctx, group: GroupDecision): Reply {
  const { words } = ctx;
  const { watchId, kind, decided } = group;
  const ours = decided.flatMap(({ state, item }) =>
    state === "pending" && item !== undefined ? [item] : [],
  );
  const taken = takenLines(decided, words);
  const [first] = ours;
  if (first === undefined) {
    const title = words.say("watch.digest.nothing");
    return notice({ tone: "neutral", title, text: join(taken), isPrivate: true });
  }
  const chosen = { watchId, itemIds: ours.map(({ id }) => id) };
  ctx.afterwards(async (signal) => {
    const items = await waitUntilSent(ctx, signal, {
      read: () => ctx.moderation.queue.items(watchId, chosen.itemIds),
      isOver: (all) => all.every((item) => isDelayed(item) || !isUnsettled(item)),
    });
    return items && sentNotice(words, { watchId, kind, items, taken });
  });
  const delay = findDelay(ours);
  if (delay !== undefined) return keptNotice(words, { watchId, kind, items: ours, taken }, delay);
  const at = time(new Date(first.decision?.dueAt ?? 0));
  const shown = shownKind(kind, ours);
  const hint = shown === "keep" ? "watch.digest.keep_hint" : "watch.digest.undo_hint";
  return notice({
    tone: "warning",
    title: words.say("watch.digest.decided", { kind: shown, count: ours.length }),
    text: join([words.md(hint, { at }), ...taken]),
    buttons: decidedButtons(words, kind, chosen),
  });
}

/** Published comments that are approved are kept: YouTube is told nothing. */
function shownKind(kind: DecisionKind, items: readonly HeldComment[]): DecisionKind | "keep" {
  return items.length > 0 && items.every(isKept) ? "keep" : kind;
}

function decidedButtons(
  words: Words,
  kind: DecisionKind,
  chosen: ChosenComments,
): readonly Button[] {
  return compact<Button>([
    { label: words.say("watch.button.undo"), style: "primary", press: undo.press(chosen) },
    isFinal(kind) && reasonButton(chosen, words),
  ]);
}

function findDelay(items: readonly HeldComment[]): DecisionDelay | undefined {
  return items.find(isDelayed)?.decision?.delay;
}

function isDelayed({ status, decision }: HeldComment): boolean {
  return status === "pending" && decision?.delay !== undefined;
}

/** Decisions that can't be sent yet. */
function keptNotice(
  words: Words,
  { watchId, kind, items, taken }: SentDecisions,
  delay: DecisionDelay,
): Notice {
  const kept = items.filter(isDelayed);
  const others = items.filter((one) => !kept.includes(one));
  const count = kept.length;
  return notice({
    tone: "warning",
    title: words.say("watch.digest.kept", { kind, count }),
    text: join([
      describeDelay(delay, count, words),
      words.say("watch.delay.undo"),
      ...others.slice(0, maxTakenLines).map((one) => stateLine(one, words)),
      ...taken,
    ]),
    buttons: decidedButtons(words, kind, { watchId, itemIds: kept.map(({ id }) => id) }),
  });
}

/** How often to ask the queue, and how long to wait for the answer of YouTube. */
const pollMs = 1_000;
const maxWaitMs = 120_000;

/** What `read` finds once decisions are sent, or are kept for a while; undefined where that takes too long. */
export async function waitUntilSent<T>(
  { now }: Ctx,
  signal: AbortSignal,
  { read, isOver }: { readonly read: () => Promise<T>; readonly isOver: (found: T) => boolean },
): Promise<T | undefined> {
  for (const end = now() + maxWaitMs; now() < end; ) {
    await sleep(pollMs, undefined, { signal });
    const found = await read();
    if (isOver(found)) return found;
  }
  return undefined;
}

interface SentDecisions {
  readonly watchId: string;
  readonly kind: DecisionKind;
  readonly items: readonly HeldComment[];
  readonly taken: readonly Text[];
}

function sentNotice(words: Words, sent: SentDecisions): Notice {
  const { watchId, kind, items, taken } = sent;
  const delay = findDelay(items);
  if (delay !== undefined) return keptNotice(words, sent, delay);
  const wanted = settledStatuses[kind];
  const others = items.filter(({ status }) => status !== wanted);
  const count = items.length - others.length;
  const done = items.filter((one) => !others.includes(one));
  const itemIds = done.map(({ id }) => id);
  return notice({
    tone: others.length > 0 ? "warning" : statusLooks[wanted].tone,
    title:
      count === 0
        ? words.say("watch.digest.unsent")
        : words.say("watch.digest.sent", { kind: shownKind(kind, done), count }),
    text: join([...others.slice(0, maxTakenLines).map((one) => stateLine(one, words)), ...taken]),
    buttons: isFinal(kind) && count > 0 ? [reasonButton({ watchId, itemIds }, words)] : [],
  });
}

/** Which comments somebody else decided first, or can't be decided about. */
export function takenLines(decided: readonly DecisionResult[], words: Words): readonly Text[] {
  const often = decided.flatMap(({ error }) => error ?? []);
  const apart: readonly DecisionResult["state"][] = ["pending", "often", "unlinked"];
  const others = decided.filter(({ state }) => !apart.includes(state));
  const unlinked = decided.filter(({ state }) => state === "unlinked").length;
  return [
    ...describeTooOften(often, words),
    ...(unlinked === 0 ? [] : [words.say("watch.digest.unlinked", { count: unlinked })]),
    ...(others.length === 0
      ? []
      : [
          words.say("watch.digest.taken", { count: others.length }),
          ...others
            .slice(0, maxTakenLines)
            .map(({ item }) =>
              item === undefined ? words.say("watch.absent.title") : stateLine(item, words),
            ),
        ]),
  ];
}

function stateLine(item: HeldComment, words: Words): Text {
  return md`• ${cut(commentAuthorName(item.comment, words), 40)}: ${commentStateLine(item, words)}`;
}

const undo = action<ChosenComments>({
  name: "watch.digest-undo",
  rank: "moderator",
  run: async (ctx, { watchId, itemIds }) => {
    const by = toActor(ctx);
    const { queue } = ctx.moderation;
    const back = await Promise.all(itemIds.map((itemId) => queue.undo({ watchId, itemId }, by)));
    const waits = back.filter(
      ({ state, item }) => state === "open" || (item !== undefined && isWaiting(item)),
    );
    const late = back.flatMap((one) => (waits.includes(one) ? [] : (one.item ?? [])));
    const kind = late[0]?.decision?.kind ?? "reject";
    const sent = { kind, count: back.length - waits.length };
    return undoneNotice(ctx.words, { count: waits.length, sent });
  },
});

/** What an undo brought back, and for what it came too late. */
export function undoneNotice(
  words: Words,
  {
    count,
    sent,
  }: { readonly count: number; readonly sent: { readonly kind: string; readonly count: number } },
): Notice {
  const late = count === 0 ? "watch.late.all" : "watch.late.some";
  return notice({
    tone: sent.count === 0 ? "good" : count === 0 ? "bad" : "warning",
    title: words.say(count === 0 ? "watch.late.title" : "watch.back.title"),
    text: join(
      compact([
        count > 0 && words.say("watch.back.text", { count }),
        sent.count > 0 && words.say(late, sent),
      ]),
    ),
  });
}

export const undoGroupActions: readonly FeatureAction<never>[] = [undo];
