import {
  ask,
  type Button,
  type Card,
  card,
  compact,
  cut,
  describeAdvice,
  describeFailureShortly,
  join,
  link,
  notice,
  notification,
  type Reply,
  time,
  type Words,
} from "../../discord/index.ts";
import { InputError, ServiceError } from "../../errors.ts";
import { type CommentRule, maxReleased, type RuleList } from "../../moderation/index.ts";
import type { Ctx } from "../context/index.ts";
import { action } from "../declarations/index.ts";
import { toActor } from "../watches/index.ts";
import { askRemoveRule, findRule } from "./manage.ts";
import { countLine, goneNotice, proposeCopy, readEffect, skippedLines } from "./subscribe.ts";

/** The lists, how fresh they are, and what this server shares. */
export async function showLists(ctx: Ctx): Promise<Card> {
  const { words, moderation } = ctx;
  const [lists, shared, { rules }] = await Promise.all([
    moderation.lists.all(),
    moderation.lists.share(),
    moderation.rules.book(),
  ]);
  const ruleOf = (list: RuleList) => rules.find(({ id }) => id === list.ruleId);
  const refused = lists.filter((list) => list.refused !== undefined);
  const toOptions = (some: typeof lists) =>
    some.map(({ id, name }) => ({ label: cut(name, 100), value: id }));
  return card({
    title: words.say("rules.lists.title"),
    text: join(
      compact([
        lists.length === 0 &&
          words.md("rules.lists.none", { command: words.mention("rules subscribe") }),
        shared !== undefined &&
          words.md("rules.lists.shared", {
            name: shared.share.name,
            count: shared.users,
            command: words.mention("rules share"),
          }),
      ]),
    ),
    fields: await Promise.all(
      lists.map(async (list) => ({
        name: cut(list.name, 200),
        value: await describeList(ctx, list, ruleOf(list)),
      })),
    ),
    selects: compact([
      lists.length > 0 && {
        placeholder: words.say("rules.lists.choose"),
        options: toOptions(lists),
        press: askUnsubscribe.press(null),
      },
      refused.length > 0 && {
        placeholder: words.say("rules.lists.try_newer"),
        options: toOptions(refused),
        press: proposeCopy.press(null),
      },
    ]),
    isPrivate: true,
  });
}

async function describeList(
  ctx: Ctx,
  { from, counts, skipped, changedAt, checkedAt, failure, refused }: RuleList,
  rule: CommentRule | undefined,
) {
  const { words } = ctx;
  const place =
    "url" in from ? link(cut(from.url, 100), from.url) : words.say("rules.lists.from_server");
  return join([
    rule !== undefined && words.say(`rules.does.${await readEffect(ctx, rule)}`),
    rule?.isOn === false && words.md("rules.lists.off", { command: words.mention("rules switch") }),
    countLine(counts, words),
    ...skippedLines(skipped, words),
    words.md("rules.lists.checked", {
      changed: time(new Date(changedAt)),
      checked: time(new Date(checkedAt)),
    }),
    ...(refused === undefined
      ? []
      : [
          words.md("rules.lists.refused", {
            since: time(new Date(refused.since)),
            matches: refused.matches,
            tried: refused.tried,
          }),
        ]),
    ...(failure === undefined
      ? []
      : [
          words.md("rules.lists.failing", {
            since: time(new Date(failure.since)),
            why: describeFailureShortly(failureFrom(failure), words),
          }),
          describeAdvice(failureFrom(failure), words),
        ]),
    // Last, so that the address is what is cut off when the text gets too long.
    place,
  ]);
}

function failureFrom({ code, facts }: NonNullable<RuleList["failure"]>): InputError | ServiceError {
  const options: { readonly code: string; readonly facts: typeof facts } = { code, facts };
  const isOurs = code === "list_refused" || code === "public_address";
  const message = "read from the record";
  return isOurs
    ? new InputError<string>(message, options)
    : new ServiceError<string>(message, options);
}

const askUnsubscribe = action<null>({
  name: "rules.list-ask",
  rank: "manager",
  run: async (ctx, _, { values: [id = ""] }) => askToUnsubscribe(ctx, id),
});

/** Says first what the list has left on comments, and what of it can be taken back. */
async function askToUnsubscribe({ words, moderation }: Ctx, id: string): Promise<Reply> {
  const list = await moderation.lists.find(id);
  if (list?.ruleId === undefined) return goneNotice(words);
  const { marked, pending, held } = await moderation.lists.effects(list.ruleId);
  return ask({
    title: cut(words.say("rules.lists.end.ask", { name: list.name }), 250),
    text: join([
      words.say("rules.lists.end.text"),
      words.say("rules.lists.end.marked", { count: marked }),
      pending > 0 && words.say("rules.lists.end.pending", { count: pending }),
      held > 0 && words.say("rules.lists.end.held", { count: held }),
    ]),
    confirm: {
      label: words.say("rules.lists.end.confirm"),
      style: "danger",
      press: unsubscribe.press({ id }),
    },
  });
}

/** `/rules remove`: the rule of a list goes with its subscription. */
export async function askRemoveRuleOrList(ctx: Ctx<{ readonly rule: string }>): Promise<Reply> {
  const found = await findRule(ctx, ctx.options.rule);
  return found?.test.kind === "list" ? askToUnsubscribe(ctx, found.test.list) : askRemoveRule(ctx);
}

const unsubscribe = action<{ readonly id: string }>({
  name: "rules.list-end",
  rank: "manager",
  run: async ({ words, moderation }, { id }) => {
    const list = await moderation.lists.unsubscribe(id);
    if (list?.ruleId === undefined) return goneNotice(words);
    const { ruleId, name } = list;
    const { held } = await moderation.lists.effects(ruleId);
    return notice({
      tone: "good",
      title: words.say("rules.lists.end.done", { name }),
      text: join([
        words.say("rules.lists.end.soon"),
        held > 0 && words.say("rules.lists.end.held", { count: held }),
      ]),
      buttons: releaseButtons({ ruleId, held }, words),
    });
  },
});

const releaseHeld = action<{ readonly ruleId: string }>({
  name: "rules.list-release",
  rank: "manager",
  isOnce: true,
  run: async (ctx, { ruleId }) => {
    const { words, moderation } = ctx;
    const count = await moderation.lists.release(ruleId, toActor(ctx));
    const { held } = await moderation.lists.effects(ruleId);
    return notice({
      tone: "good",
      title: words.say("rules.lists.end.released", { count }),
      ...(held > 0 && { text: words.say("rules.lists.end.left", { count: held }) }),
      buttons: count === 0 ? [] : releaseButtons({ ruleId, held }, words),
    });
  },
});

interface HeldByList {
  readonly ruleId: string;
  /** How many comments. */
  readonly held: number;
}

function releaseButtons({ ruleId, held }: HeldByList, words: Words): readonly Button[] {
  if (held === 0) return [];
  const label = words.say("rules.lists.end.release", { count: Math.min(held, maxReleased) });
  return [{ label, press: releaseHeld.press({ ruleId }) }];
}

export const ruleListsActions = [askUnsubscribe, unsubscribe, releaseHeld] as const;

export const listEvents = [
  notification({
    name: "list-trouble",
    to: ({ guildId }) => ({ kind: "notices", guildId }) as const,
    run: ({ words }, { list: { name }, why, share = 0 }) =>
      notice({
        tone: "warning",
        title: words.say(`rules.lists.${why}_title`, { name }),
        text: words.md(`rules.lists.${why}_text`, {
          command: words.mention("rules lists"),
          share: words.percent(share),
        }),
      }),
  }),
] as const;
