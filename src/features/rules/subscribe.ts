import {
  type Button,
  type Card,
  card,
  isBlank,
  join,
  link,
  md,
  notice,
  type Reply,
  type Words,
} from "../../discord/index.ts";
import { type CommentRule, maxListAddressChars, type RuleList } from "../../moderation/index.ts";
import type { Ctx, CtxFor } from "../context/index.ts";
import { action, option } from "../declarations/index.ts";
import { requireOneOf } from "../options/index.ts";
import { collapseSpaces } from "../watches/index.ts";
import { chosenEffect, type RuleEffect, toEffect } from "./draft.ts";
import { dryRunRule } from "./dry-run.ts";
import { maxRuleNameChars } from "./form.ts";
import { isLinked } from "./list.ts";
import { noRuleNotice } from "./manage.ts";
import { publicLists } from "./public-lists.ts";

/** Someone else's list never rejects automatically, because a rejection can't be undone at YouTube. */
const listEffects = ["suggest_reject", "suggest_hold", "hold"] as const satisfies RuleEffect[];
type ListEffect = (typeof listEffects)[number];

const maxCodeChars = 40;

export const subscribeOptions = {
  address: option.text({ max: maxListAddressChars }),
  code: option.text({ max: maxCodeChars }),
  name: option.text({ max: maxRuleNameChars }),
  does: option.choice({ group: "rule_does", values: listEffects }),
};

const proposing = {
  rank: "manager",
  uses: ["channels.list", "commentThreads.list", "members.list", "playlists.list", "videos.list"],
} as const;

/** Tries a list and offers to subscribe; without an address or a code, offers the public lists. */
export async function subscribeToList(ctx: CtxFor<typeof subscribeOptions>): Promise<Reply> {
  const { address: url, code, name, does = "suggest_reject" } = ctx.options;
  requireOneOf({ address: url, code });
  if (url === undefined && code === undefined) return offerPublicLists(ctx, does);
  const given = shownName(name);
  return proposeList(ctx, { url, code, ...(given !== "" && { name: given }) }, does);
}

/** The name with single spaces; empty if it has no visible characters. */
export function shownName(name = ""): string {
  return isBlank(name) ? "" : collapseSpaces(name);
}

function offerPublicLists({ words }: Ctx, does: ListEffect): Reply {
  const lists = publicLists(words.speech);
  return card({
    title: words.say("rules.lists.offer.title"),
    text: join([
      words.md("rules.lists.offer.text", { command: words.mention("rules share") }),
      "",
      ...lists.map(
        ({ name, page, licence, id }) =>
          md`**${link(name, page)}** · ${words.say(`rules.lists.offer.about.${id}`)} · ${licence}`,
      ),
    ]),
    buttons: lists.map(({ id, name }) => ({
      label: words.say("rules.lists.offer.try", { name }),
      press: tryPublic.press({ id, does }),
    })),
    isPrivate: true,
  });
}

const tryPublic = action<{ readonly id: string; readonly does: ListEffect }>({
  ...proposing,
  name: "rules.list-offered",
  run: async (ctx, { id, does }) => {
    const found = publicLists(ctx.words.speech).find((one) => one.id === id);
    if (found === undefined) return noRuleNotice(ctx.words);
    return proposeList(ctx, { url: found.url, name: found.name }, does);
  },
});

interface ListAddress {
  readonly url?: string | undefined;
  readonly code?: string | undefined;
  readonly name?: string;
}

/** Shows what a list would match; only then can people switch it on. */
async function proposeList(ctx: Ctx, source: ListAddress, does: ListEffect): Promise<Reply> {
  const { words, moderation, userId, signal } = ctx;
  const list = await moderation.lists.propose(source, userId, signal);
  if (list.replaces !== undefined) return tryNewer(ctx, list, list.replaces);
  const { id } = list;
  return tryProposed(ctx, list, toEffect(does), [
    {
      label: words.say("rules.lists.subscribe"),
      style: "success",
      press: subscribeNow.press({ id, does }),
    },
    { label: words.say("rules.dry.discard"), press: discardList.press({ id }) },
  ]);
}

async function tryProposed(
  ctx: Ctx,
  { id, name, version, counts, skipped }: RuleList,
  effect: ReturnType<typeof toEffect>,
  buttons: readonly Button[],
): Promise<Card> {
  const { words } = ctx;
  const test = { kind: "list", list: id, version } as const;
  const tried = await dryRunRule(ctx, { name, test, ...effect }, buttons);
  const about = [countLine(counts, words), ...skippedLines(skipped, words)];
  return { ...tried, text: join([...about, tried.text ?? ""]) };
}

/** Tries a copy that was not used automatically, with the effect that the list's rule has. */
async function tryNewer(ctx: Ctx, draft: RuleList, listId: string): Promise<Reply> {
  const { words, moderation } = ctx;
  const { rules } = await moderation.rules.book();
  const rule = rules.find(({ test }) => test.kind === "list" && test.list === listId);
  if (rule === undefined) return goneNotice(words);
  const { id } = draft;
  return tryProposed(ctx, draft, rule, [
    {
      label: words.say("rules.lists.accept"),
      style: "success",
      press: acceptCopy.press({ id }),
    },
    { label: words.say("rules.lists.keep"), press: keepCopy.press({ id }) },
  ]);
}

export const proposeCopy = action<null>({
  ...proposing,
  name: "rules.list-newer",
  run: async (ctx, _, { values: [listId = ""] }) => {
    const { words, moderation, userId, signal } = ctx;
    const draft = await moderation.lists.proposeCopy(listId, userId, signal);
    return draft === undefined ? goneNotice(words) : tryNewer(ctx, draft, listId);
  },
});

const acceptCopy = action<{ readonly id: string }>({
  name: "rules.list-accept",
  rank: "manager",
  isOnce: true,
  run: async ({ words, moderation }, { id }) => {
    const list = await moderation.lists.accept(id);
    if (list === undefined) return staleNotice(words, "rules lists");
    return notice({
      tone: "good",
      title: words.say("rules.lists.accepted", { name: list.name }),
    });
  },
});

const keepCopy = action<{ readonly id: string }>({
  name: "rules.list-keep",
  rank: "manager",
  run: async ({ words, moderation }, { id }) => {
    await moderation.lists.discard(id);
    return notice({ tone: "neutral", title: words.say("rules.lists.kept") });
  },
});

function staleNotice(words: Words, command: "rules lists" | "rules subscribe"): Reply {
  return notice({
    tone: "bad",
    title: words.say("rules.lists.stale"),
    text: words.md("rules.lists.stale_text", { command: words.mention(command) }),
    isPrivate: true,
  });
}

const subscribeNow = action<{ readonly id: string; readonly does: ListEffect }>({
  name: "rules.list-on",
  rank: "manager",
  isOnce: true,
  run: async (ctx, { id, does: wanted }) => {
    const { words, moderation, userId } = ctx;
    const list = await moderation.lists.subscribe(id, toEffect(wanted), userId);
    if (list === undefined) return staleNotice(words, "rules subscribe");
    const does = await readEffect(ctx, toEffect(wanted));
    return notice({
      tone: "good",
      title: words.say("rules.lists.on", { name: list.name }),
      text: words.md("rules.lists.on_text", { does, command: words.mention("rules lists") }),
    });
  },
});

const discardList = action<{ readonly id: string }>({
  name: "rules.list-discard",
  rank: "manager",
  run: async ({ words, moderation }, { id }) => {
    await moderation.lists.discard(id);
    return notice({ tone: "neutral", title: words.say("rules.lists.discarded") });
  },
});

/** The effect of a list's rule; without a linked channel it can only suggest. */
export async function readEffect(
  ctx: Ctx,
  rule: Pick<CommentRule, "does" | "decision">,
): Promise<RuleEffect> {
  return rule.does === "act" && !(await isLinked(ctx)) ? "suggest_hold" : chosenEffect(rule);
}

export function countLine(counts: RuleList["counts"], words: Words): string {
  const parts = (["words", "links", "authors"] as const).flatMap((kind) =>
    counts[kind] === 0 ? [] : [words.say(`rules.lists.count.${kind}`, { count: counts[kind] })],
  );
  return words.list(parts);
}

export function skippedLines(skipped: number, words: Words): readonly string[] {
  return skipped === 0 ? [] : [words.say("rules.lists.skipped", { count: skipped })];
}

export function goneNotice(words: Words): Reply {
  return notice({
    tone: "bad",
    title: words.say("rules.lists.gone"),
    text: words.md("rules.lists.gone_text", { command: words.mention("rules lists") }),
    isPrivate: true,
  });
}

export const subscribeActions = [
  tryPublic,
  subscribeNow,
  discardList,
  proposeCopy,
  acceptCopy,
  keepCopy,
] as const;
