import {
  action,
  type Button,
  type Card,
  type Ctx,
  card,
  compact,
  cut,
  event,
  join,
  link,
  md,
  type Notice,
  notice,
  type Press,
  type Reply,
  type Select,
  type Text,
  type Words,
} from "../../discord/index.ts";
import type { HeldComment, ModerationEvents } from "../../moderation/index.ts";
import { actorOf, addressOf, authorOf, beginningOf, mainOf } from "../watching/index.ts";

/** Nothing but ids: it lies in the store as long as the message. */
interface Acted {
  readonly watchId: string;
  readonly itemIds: readonly string[];
}

type Facts = ModerationEvents["rule-acts"];

/** What rules did by themselves, with a way back as far as there is one; drawn anew as it goes on. */
function drawActs({ acts, watch, handle }: Facts, words: Words): Card {
  const items = acts.map(({ item }) => item);
  const of: Acted = { watchId: watch.id, itemIds: items.map(({ id }) => id) };
  const presses: readonly Press[] = [undo.press(of), release.press(of), choose.press(of)];
  return card({
    title: words.say("rules.acts.title", { count: acts.length }),
    text: join(acts.map((act) => lineOf(act, words))),
    footer: words.say("rules.acts.footer"),
    buttons: buttonsOf(items, of, words),
    selects: selectsOf(items, of, words),
    kept: { handle, presses },
  });
}

function lineOf({ item, rule }: Facts["acts"][number], words: Words): Text {
  const { comment } = item;
  const said = beginningOf(comment, words, 60);
  const url = addressOf(comment);
  const quote = url === undefined ? words.say("rules.quoted", { text: said }) : link(said, url);
  const state = mainOf(item, words);
  // What a rule decided names it already.
  const isTold = item.decision !== undefined && "ruleId" in item.decision.by;
  const line = isTold ? state : words.md("rules.acts.line", { rule: rule.name, state });
  return md`• ${quote} · ${cut(authorOf(comment, words), 30)}\n-# ${line}`;
}

function buttonsOf(items: readonly HeldComment[], of: Acted, words: Words): readonly Button[] {
  const pending = items.filter(({ status }) => status === "pending").length;
  const held = items.filter(isHeld).length;
  return compact([
    pending > 0 && {
      label: words.say("rules.acts.undo", { count: pending }),
      press: undo.press(of),
    },
    held > 0 && {
      label: words.say("rules.acts.release", { count: held }),
      press: release.press(of),
    },
  ]);
}

function selectsOf(items: readonly HeldComment[], of: Acted, words: Words): readonly Select[] {
  const open = items.filter((item) => item.status === "pending" || isHeld(item));
  if (open.length < 2) return [];
  return [
    {
      placeholder: words.say("rules.acts.choose"),
      options: open.slice(0, 25).map(({ id, comment }) => ({
        label: beginningOf(comment, words, 100),
        value: id,
        description: cut(authorOf(comment, words), 100),
      })),
      press: choose.press(of),
    },
  ];
}

/** Kept back by a rule, so that it can be published. */
function isHeld({ status }: HeldComment): boolean {
  return status === "held";
}

const shared = { by: "anyone", rank: "moderator", answer: "private" } as const;

const undo = action<Acted>({
  ...shared,
  name: "rules.undo",
  run: (ctx, of) => takeBack(ctx, of, ({ status }) => status === "pending"),
});

const release = action<Acted>({
  ...shared,
  name: "rules.release",
  run: (ctx, of) => takeBack(ctx, of, isHeld),
});

const choose = action<Acted>({
  ...shared,
  name: "rules.choose",
  run: (ctx, { watchId, itemIds }, { values }) => {
    const chosen = itemIds.filter((id) => values.includes(id));
    return takeBack(ctx, { watchId, itemIds: chosen }, () => true);
  },
});

type Fate = "waits" | "released" | "late" | "other";

/**
 * Pending ones are taken back, held ones published. What was rejected stays so: the service has no way back from
 * there (facts, section 7).
 */
async function takeBack(
  ctx: Ctx,
  { watchId, itemIds }: Acted,
  isMeant: (item: HeldComment) => boolean,
): Promise<Reply> {
  const fates: Fate[] = [];
  for (const itemId of itemIds) {
    const ref = { watchId, itemId };
    const item = await ctx.moderation.queue.item(ref);
    if (item === undefined) fates.push("other");
    // Between the press and now it may have been sent: then it is told, and not passed over.
    else if (isMeant(item) || itemIds.length === 1) fates.push(await fateOf(ctx, ref, item));
  }
  return tellFates(fates, ctx.words);
}

async function fateOf(
  ctx: Ctx,
  ref: { readonly watchId: string; readonly itemId: string },
  item: HeldComment,
): Promise<Fate> {
  const { queue } = ctx.moderation;
  const by = actorOf(ctx);
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

function tellFates(fates: readonly Fate[], words: Words): Notice {
  const countOf = (fate: Fate) => fates.filter((one) => one === fate).length;
  const back = countOf("waits") + countOf("released");
  const lines = (["waits", "released", "late", "other"] as const).flatMap((fate) => {
    const count = countOf(fate);
    return count === 0 ? [] : [words.say(`rules.undone.${fate}`, { count })];
  });
  return notice({
    tone: back > 0 ? "good" : "warning",
    title: words.say("rules.undone.title", { count: back }),
    text: join(lines),
  });
}

function placeOf({ guildId, channelId }: Pick<ModerationEvents["rules-capped"], Place>) {
  return channelId === undefined
    ? ({ kind: "notices", guildId } as const)
    : ({ kind: "channel", guildId, channelId } as const);
}

type Place = "guildId" | "channelId";

export const actions = [undo, release, choose] as const;

export const events = [
  event<Facts>({ name: "rule-acts", run: ({ words }, facts) => drawActs(facts, words) }),
  event<ModerationEvents["rule-switched-off"]>({
    name: "rule-switched-off",
    to: placeOf,
    run: ({ words }, { rule: { name }, why }) =>
      notice({
        tone: "warning",
        title: words.say("rules.switched_off.title", { name }),
        text: words.say("rules.switched_off.text", { why, command: words.command("rules switch") }),
      }),
  }),
  event<ModerationEvents["rules-capped"]>({
    name: "rules-capped",
    to: placeOf,
    run: ({ words }, { dailyCap }) =>
      notice({
        tone: "warning",
        title: words.say("rules.capped.title"),
        text: words.say("rules.capped.text", {
          cap: dailyCap,
          command: words.command("rules log"),
        }),
      }),
  }),
] as const;
