import { dayMs } from "../../clock.ts";
import {
  type Card,
  type CardField,
  card,
  channelMention,
  compact,
  cut,
  join,
  md,
  type Text,
  type Words,
} from "../../discord/index.ts";
import type { AuditAct, CommentRule, RuleBook, RuleTest } from "../../moderation/index.ts";
import { permissionsGivenBy } from "../../oauth/index.ts";
import type { Ctx } from "../context/index.ts";
import { action } from "../declarations/index.ts";
import { collapseSpaces } from "../watches/index.ts";
import { chosenEffect } from "./draft.ts";

/** How many entries of a list are named; the rest is counted. */
const maxNamed = 6;

/** Describes in a sentence what a rule looks for. */
export function describeRuleTest(test: RuleTest, words: Words): Text {
  switch (test.kind) {
    case "words":
      return addAlike(
        words.say("rules.test.words", {
          count: test.words.length,
          words: listSome(
            test.words.map((word) => words.say("rules.quoted", { text: cut(word, 40) })),
            words,
          ),
        }),
        test.isFolded,
        words,
      );
    case "patterns":
      return addAlike(
        words.say("rules.test.patterns", {
          count: test.patterns.length,
          patterns: listSome(
            test.patterns.map((pattern) => `/${cut(pattern, 60)}/`),
            words,
          ),
        }),
        test.isFolded,
        words,
      );
    case "links":
      return words.say("rules.test.links", {
        count: test.allowed.length,
        hosts: listSome(test.allowed, words),
      });
    case "repeated":
      return words.say("rules.test.repeated", {
        times: test.times,
        time: formatTime(test.withinMs, words),
      });
    case "authors":
      return words.say("rules.test.authors", {
        count: test.authors.length,
        names: listSome(
          test.authors.map(({ id, name }) => cut(collapseSpaces(name ?? id), 40)),
          words,
        ),
      });
    case "names":
      return words.say("rules.test.names", {
        signs: words.list(test.signs.map((sign) => words.say(`rules.sign.${sign}`))),
      });
    case "list":
      return words.md("rules.test.list", { command: words.mention("rules lists") });
  }
}

function formatTime(ms: number, words: Words): string {
  if (ms % dayMs !== 0) return words.duration(ms);
  const style = { style: "unit", unit: "day", unitDisplay: "long" } as const;
  return new Intl.NumberFormat(words.speech, style).format(ms / dayMs);
}

function addAlike(sentence: string, isFolded: boolean, words: Words): string {
  return isFolded ? `${sentence} (${words.say("rules.test.alike")})` : sentence;
}

/** Lists the first items, and says how many more there are. */
export function listSome(items: readonly string[], words: Words, most = maxNamed): string {
  const shown = items.slice(0, most);
  const more = items.length - shown.length;
  if (more === 0) return words.list(shown);
  return words.list([...shown, words.say("rules.test.and_more", { count: more })]);
}

const perPage = 8;
const weekMs = 7 * 86_400_000;
const maxCounted = 10_000;

/** Lists the rules: what they look for, what they did in the last week, and the settings of all rules. */
export async function listRules(ctx: Ctx, { from } = { from: 0 }): Promise<Card> {
  const { words, moderation, now } = ctx;
  const book = await moderation.rules.book();
  const { rules } = book;
  const shown = rules.slice(from, from + perPage);
  const since = now() - weekMs;
  const acted = await Promise.all(
    shown.map(({ id }) => moderation.audit.count({ actorId: id, acts, since }, maxCounted)),
  );
  const before = { from: Math.max(0, from - perPage) };
  const after = { from: from + perPage };
  return card({
    title: words.say("rules.list.title"),
    text: join(await settingLines(ctx, book)),
    fields: shown.map((rule, at) => ruleField(rule, acted[at]?.count ?? 0, words)),
    isPrivate: true,
    buttons: compact([
      from > 0 && { label: words.say("common.previous"), press: turn.press(before) },
      after.from < rules.length && { label: words.say("common.next"), press: turn.press(after) },
    ]),
  });
}

const turn = action<{ readonly from: number }>({
  name: "rules.turn",
  rank: "moderator",
  run: listRules,
});

const acts: readonly AuditAct[] = ["approved", "rejected", "banned", "held"];

function ruleField(rule: CommentRule, count: number, words: Words): CardField {
  const { name, test, does, isOn, off } = rule;
  const hits =
    does === "act" ? words.say("rules.list.acted", { count }) : words.say("rules.list.advises");
  return {
    name: cut(words.say(isOn ? "rules.list.on" : "rules.list.off", { name }), 200),
    value: join([
      describeRuleTest(test, words),
      md`${words.say(`rules.does.${chosenEffect(rule)}`)} · ${hits}`,
      off !== undefined && words.say("rules.list.slow"),
    ]),
  };
}

async function settingLines(ctx: Ctx, book: RuleBook): Promise<readonly Text[]> {
  const { words } = ctx;
  const { rules, dailyCap, acted, logChannelId, spared } = book;
  if (rules.length === 0) {
    return [words.md("rules.list.none", { command: words.mention("rules add") })];
  }
  // The date in the server's time zone, as the daily cap counts days. The Swedish locale writes dates as ISO 8601.
  const { timeZone = "UTC" } = ctx.settings;
  const today = new Intl.DateTimeFormat("sv-SE", { timeZone }).format(ctx.now());
  const count = acted?.day === today ? acted.count : 0;
  const isActing = rules.some(({ does, isOn }) => does === "act" && isOn);
  return [
    ...(isActing && !(await isLinked(ctx)) ? [words.say("rules.list.by_key")] : []),
    words.say("rules.list.cap", { count, cap: dailyCap }),
    logChannelId === undefined
      ? words.say("rules.list.log_watch")
      : words.md("rules.list.log", { channel: channelMention(logChannelId) }),
    words.say("rules.list.spared_all", { isMembers: spared.members, count: spared.authors.length }),
    ...(spared.members && !(await mayReadMembers(ctx)) ? [words.say("rules.members_unread")] : []),
    ...(await describeReach(ctx, undefined)),
  ];
}

/** Whether any linked channel's consent lets the bot read who its members are. */
export async function mayReadMembers({ credentials }: Ctx): Promise<boolean> {
  const channels = await credentials.channels();
  return channels.some(({ scopes }) => permissionsGivenBy(scopes ?? []).includes("memberships"));
}

export const ruleListActions = [turn] as const;

/** Without a linked channel, rules only suggest. */
export async function isLinked({ credentials }: Pick<Ctx, "credentials">): Promise<boolean> {
  return (await credentials.facts("channel")) !== undefined;
}

/** Says which of a channel's comments the rules get to see, if these are fewer than people may expect. */
export async function describeReach(
  { words, moderation }: Ctx,
  source: string | undefined,
): Promise<readonly Text[]> {
  const all = await moderation.watches.all();
  const watches = source === undefined ? all : all.filter((watch) => watch.source === source);
  const command = words.mention("watch channel");
  if (watches.length === 0) return [words.md("rules.dry.no_watch", { command })];
  const isAll = watches.some(
    ({ states, paused, match, isRuledOnly, isKeyOnly }) =>
      paused === undefined &&
      (match === undefined || isRuledOnly === true) &&
      (states.includes("published") || isKeyOnly === true),
  );
  return isAll ? [] : [words.md("rules.dry.waits_only", { command })];
}
