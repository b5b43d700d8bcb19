import {
  card,
  compact,
  cut,
  join,
  link,
  md,
  type NotificationContext,
  type NotificationReply,
  notice,
  notification,
  type Press,
  type Reply,
  type Text,
  type Words,
} from "../../discord/index.ts";
import type { HeldComment, ModerationNotifications } from "../../moderation/index.ts";
import { describeDelay } from "../comments/index.ts";
import type { Ctx } from "../context/index.ts";
import { action } from "../declarations/index.ts";
import {
  commentAuthorName,
  commentBeginning,
  commentStateLine,
  commentUrl,
  toActor,
} from "../watches/index.ts";

/** The state of the buttons. It is stored as long as the message exists, so it holds nothing but ids. */
interface ActedComments {
  readonly watchId: string;
  readonly itemIds: readonly string[];
}

type RuleActsFacts = ModerationNotifications["rule-acts"];

/** What rules did by themselves, with undo buttons where there is a way back. Redrawn as decisions are sent. */
function drawActs(
  { words }: NotificationContext,
  { acts, watch, handle }: RuleActsFacts,
): NotificationReply {
  const items = acts.map(({ item }) => item);
  const acted: ActedComments = { watchId: watch.id, itemIds: items.map(({ id }) => id) };
  const presses: readonly Press[] = [undo.press(acted), release.press(acted), choose.press(acted)];
  const pending = items.filter(({ status }) => status === "pending").length;
  const held = items.filter(isHeld).length;
  const open = items.filter((item) => item.status === "pending" || isHeld(item));
  return card({
    title: words.say("rules.acts.title", { count: acts.length }),
    text: join([...acts.map((act) => actLine(act, words)), ...delayLines(items, words)]),
    footer: words.say("rules.acts.footer"),
    buttons: compact([
      pending > 0 && {
        label: words.say("rules.acts.undo", { count: pending }),
        press: undo.press(acted),
      },
      held > 0 && {
        label: words.say("rules.acts.release", { count: held }),
        press: release.press(acted),
      },
    ]),
    selects: compact([
      open.length > 1 && {
        placeholder: words.say("rules.acts.choose"),
        options: open.slice(0, 25).map(({ id, comment }) => ({
          label: commentBeginning(comment, words, 100),
          value: id,
          description: cut(commentAuthorName(comment, words), 100),
        })),
        press: choose.press(acted),
      },
    ]),
    kept: { handle, presses },
  });
}

function actLine({ item, rule }: RuleActsFacts["acts"][number], words: Words): Text {
  const { comment } = item;
  const beginning = commentBeginning(comment, words, 60);
  const url = commentUrl(comment);
  const quote =
    url === undefined ? words.say("rules.quoted", { text: beginning }) : link(beginning, url);
  const state = commentStateLine(item, words);
  // If a rule decided, the state already names it.
  const isRuleNamed = item.decision !== undefined && "ruleId" in item.decision.by;
  const line = isRuleNamed ? state : words.md("rules.acts.line", { rule: rule.name, state });
  return md`• ${quote} · ${cut(commentAuthorName(comment, words), 30)}\n-# ${line}`;
}

/** Why decisions are not sent yet: one line for each reason. */
function delayLines(items: readonly HeldComment[], words: Words): readonly Text[] {
  const delays = items.flatMap(({ status, decision }) =>
    status === "pending" && decision?.delay !== undefined ? [decision.delay] : [],
  );
  const reasons = Map.groupBy(delays, ({ why, failure }) => `${why} ${failure.code}`);
  return [...reasons.values()].flatMap((alike) => {
    const [first] = alike;
    return first === undefined ? [] : [describeDelay(first, alike.length, words)];
  });
}

/** Whether a rule holds the comment, so that it can still be published. */
function isHeld({ status }: HeldComment): boolean {
  return status === "held";
}

const actOptions = { by: "anyone", rank: "moderator", answer: "private" } as const;

const undo = action<ActedComments>({
  ...actOptions,
  name: "rules.undo",
  run: (ctx, acted) => undoAll(ctx, acted, ({ status }) => status === "pending"),
});

const release = action<ActedComments>({
  ...actOptions,
  name: "rules.release",
  run: (ctx, acted) => undoAll(ctx, acted, isHeld),
});

const choose = action<ActedComments>({
  ...actOptions,
  name: "rules.choose",
  run: (ctx, { watchId, itemIds }, { values }) => {
    const chosen = itemIds.filter((id) => values.includes(id));
    return undoAll(ctx, { watchId, itemIds: chosen }, () => true);
  },
});

type UndoResult = "waits" | "released" | "late" | "other";

/**
 * Undoes pending decisions and publishes held comments. A rejected comment stays rejected:
 * docs/services/youtube.md#decisions
 */
async function undoAll(
  ctx: Ctx,
  { watchId, itemIds }: ActedComments,
  isMeant: (item: HeldComment) => boolean,
): Promise<Reply> {
  const results: UndoResult[] = [];
  for (const itemId of itemIds) {
    const ref = { watchId, itemId };
    const item = await ctx.moderation.queue.item(ref);
    if (item === undefined) results.push("other");
    // A single comment's decision may have been sent before the button was pressed: then the notice says so.
    else if (isMeant(item) || itemIds.length === 1) results.push(await undoOne(ctx, ref, item));
  }
  const { words } = ctx;
  const count = (result: UndoResult) => results.filter((one) => one === result).length;
  const back = count("waits") + count("released");
  return notice({
    tone: back > 0 ? "good" : "bad",
    title: words.say("rules.undone.title", { count: back }),
    text: join(
      (["waits", "released", "late", "other"] as const).map(
        (result) =>
          count(result) > 0 && words.say(`rules.undone.${result}`, { count: count(result) }),
      ),
    ),
  });
}

async function undoOne(
  ctx: Ctx,
  ref: { readonly watchId: string; readonly itemId: string },
  item: HeldComment,
): Promise<UndoResult> {
  const { queue } = ctx.moderation;
  const by = toActor(ctx);
  if (item.status === "pending") {
    const { state, item: now } = await queue.undo(ref, by);
    if (state === "open") return "waits";
    return now?.decision?.kind === "reject" ? "late" : "other";
  }
  if (item.status === "sending" || item.status === "rejected") {
    return item.decision?.kind === "hold" ? "other" : "late";
  }
  if (!isHeld(item)) return "other";
  const [decided] = await queue.decide({ items: [ref], kind: "approve", by, from: "log" });
  return decided?.state === "pending" ? "released" : "other";
}

function reportPlace({
  guildId,
  channelId,
  mayBePublic,
}: Pick<ModerationNotifications["rules-capped"], "guildId" | "channelId" | "mayBePublic">) {
  if (channelId === undefined) return { kind: "notices", guildId } as const;
  const isConfidential = mayBePublic !== true;
  return { kind: "channel", guildId, channelId, isConfidential } as const;
}

export const ruleActsActions = [undo, release, choose] as const;

export const ruleEvents = [
  notification({ name: "rule-acts", run: drawActs }),
  notification({
    name: "rule-switched-off",
    to: reportPlace,
    run: ({ words }, { rule: { name }, why }) =>
      notice({
        tone: "warning",
        title: words.say("rules.switched_off.title", { name }),
        text: words.md("rules.switched_off.text", { why, command: words.mention("rules switch") }),
      }),
  }),
  notification({
    name: "rules-capped",
    to: reportPlace,
    run: ({ words }, { dailyCap }) =>
      notice({
        tone: "warning",
        title: words.say("rules.capped.title"),
        text: words.md("rules.capped.text", {
          cap: dailyCap,
          command: words.mention("rules log"),
        }),
      }),
  }),
] as const;
