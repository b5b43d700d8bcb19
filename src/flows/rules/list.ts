import {
  action,
  type Card,
  type Ctx,
  card,
  channelMention,
  cut,
  type Field,
  join,
  md,
  type Text,
  type Words,
} from "../../discord/index.ts";
import type { AuditAct, Rule, RuleBook } from "../../moderation/index.ts";
import { permissionsOf } from "../../oauth/index.ts";
import { testOf } from "./describe.ts";
import { deedOf } from "./draft.ts";

const perPage = 8;
const weekMs = 7 * 86_400_000;
const mostCounted = 10_000;

/** What the rules are, what they did of late, and what holds for all of them. */
export function list(ctx: Ctx): Promise<Card> {
  return pageOf(ctx, 0);
}

async function pageOf(ctx: Ctx, from: number): Promise<Card> {
  const { words, moderation, now } = ctx;
  const book = await moderation.rules.book();
  const { rules } = book;
  const shown = rules.slice(from, from + perPage);
  const since = now() - weekMs;
  const acted = await Promise.all(
    shown.map(({ id }) => moderation.audit.count({ actorId: id, acts, since }, mostCounted)),
  );
  const turning = (to: number, key: "common.previous" | "common.next") => ({
    label: words.say(key),
    press: turn.press({ from: to }),
  });
  return card({
    title: words.say("rules.list.title"),
    text: join(await generalOf(ctx, book)),
    fields: shown.map((rule, at) => fieldOf(rule, acted[at]?.count ?? 0, words)),
    isPrivate: true,
    buttons: [
      ...(from > 0 ? [turning(Math.max(0, from - perPage), "common.previous")] : []),
      ...(from + perPage < rules.length ? [turning(from + perPage, "common.next")] : []),
    ],
  });
}

const turn = action<{ readonly from: number }>({
  name: "rules.turn",
  answer: "update",
  by: "requester",
  rank: "moderator",
  run: (ctx, { from }) => pageOf(ctx, from),
});

const acts: readonly AuditAct[] = ["approved", "rejected", "banned", "held"];

function fieldOf(rule: Rule, count: number, words: Words): Field {
  const { name, test, does, isOn, off } = rule;
  const hits =
    does === "act" ? words.say("rules.list.acted", { count }) : words.say("rules.list.advises");
  return {
    name: cut(words.say(isOn ? "rules.list.on" : "rules.list.off", { name }), 200),
    value: join([
      testOf(test, words),
      md`${words.say(`rules.does.${deedOf(rule)}`)} · ${hits}`,
      off !== undefined && words.say("rules.list.slow"),
    ]),
  };
}

async function generalOf(ctx: Ctx, book: RuleBook): Promise<readonly Text[]> {
  const { words } = ctx;
  const { rules, dailyCap, acted, logChannelId, spared } = book;
  if (rules.length === 0) {
    return [words.say("rules.list.none", { command: words.command("rules add") })];
  }
  const today = dayIn(ctx.settings.timeZone, ctx.now());
  const count = acted?.day === today ? acted.count : 0;
  return [
    words.say("rules.list.cap", { count, cap: dailyCap }),
    logChannelId === undefined
      ? words.say("rules.list.log_watch")
      : words.md("rules.list.log", { channel: channelMention(logChannelId) }),
    words.say("rules.list.spared_all", {
      isMembers: spared.members,
      count: spared.authors.length,
    }),
    ...(spared.members && !(await mayReadMembers(ctx)) ? [words.say("rules.members_unread")] : []),
    ...(await reachOf(ctx, undefined)),
  ];
}

/** Whether the consent of any linked channel tells who its members are. */
export async function mayReadMembers({ credentials }: Ctx): Promise<boolean> {
  const channels = await credentials.channels();
  return channels.some(({ scopes }) => permissionsOf(scopes ?? []).includes("memberships"));
}

/** As the judge counts days: Swedish writes dates as ISO 8601 does. */
function dayIn(timeZone: string | undefined, at: number): string {
  return new Intl.DateTimeFormat("sv-SE", { timeZone: timeZone ?? "UTC" }).format(at);
}

export const actions = [turn] as const;

/** What of a channel's comments the rules get to see, where that is not all that they might be thought to. */
export async function reachOf(
  { words, moderation }: Ctx,
  source: string | undefined,
): Promise<readonly Text[]> {
  const all = await moderation.watches.all();
  const watches = source === undefined ? all : all.filter((watch) => watch.source === source);
  const command = words.command("watch channel");
  if (watches.length === 0) return [words.say("rules.dry.no_watch", { command })];
  const isAll = watches.some(({ states, paused, match }) =>
    paused === undefined && match === undefined ? states.includes("published") : false,
  );
  return isAll ? [] : [words.say("rules.dry.waits_only", { command })];
}
