import {
  type Action,
  action,
  type Button,
  type Ctx,
  join,
  type List,
  list,
  mention,
  named,
  perPage,
  type Reply,
  type Text,
  time,
} from "../../discord/index.ts";
import type { AuditFilter } from "../../moderation/index.ts";
import type { AuditAct, AuditEntry } from "../../store/index.ts";
import { entryItem } from "./entry.ts";
import { logFile } from "./log-file.ts";
import { revise } from "./revise.ts";
import { standing } from "./standing.ts";

export const auditActs = [
  "approved",
  "rejected",
  "banned",
  "held",
  "replied",
  "undone",
  "later",
  "failed",
] as const satisfies readonly AuditAct[];

type Filter = Pick<AuditFilter, "userId" | "act" | "author" | "since">;

interface Turning {
  readonly filter: Filter;
  /** From 0. */
  readonly page: number;
}

interface Saving {
  readonly filter: Filter;
  readonly output: "csv" | "json";
}

const moderator = { rank: "moderator" } as const;

const turn = action<Turning>({
  ...moderator,
  name: "comments.log-turn",
  by: "requester",
  answer: "update",
  run: (ctx, turning) => page(ctx, turning),
});

const save = action<Saving>({
  ...moderator,
  name: "comments.log-save",
  by: "requester",
  answer: "private",
  run: async (ctx, { filter, output }) =>
    logFile(await ctx.moderation.audit.entries(filter), output, ctx.words),
});

export interface Asking extends Filter {
  readonly output: "list" | "csv" | "json";
}

/** What was decided here, the newest first. */
export async function openLog(ctx: Ctx<unknown>, { output, ...filter }: Asking): Promise<Reply> {
  if (output === "list") return page(ctx, { filter, page: 0 });
  return logFile(await ctx.moderation.audit.entries(filter), output, ctx.words);
}

async function page(ctx: Ctx<unknown>, turning: Turning): Promise<List> {
  const { words, moderation } = ctx;
  const { filter } = turning;
  const [all, found] = await Promise.all([
    moderation.audit.entries(),
    moderation.audit.entries(filter),
  ]);
  const last = Math.max(0, Math.ceil(found.length / perPage) - 1);
  const at = Math.min(turning.page, last);
  const shown = found.slice(at * perPage, (at + 1) * perPage);
  const stands = standing(all);
  const filters = filterLine(ctx, filter);
  return list({
    title: words.say("comments.log.title"),
    ...(filters !== undefined && { text: filters }),
    items: shown.map((entry) => itemOf(ctx, entry, stands)),
    empty: words.say(filters === undefined ? "comments.log.empty" : "comments.log.empty_filtered"),
    ...(found.length > 0 && { footer: footerOf(ctx, found.length, { at, last }) }),
    buttons: buttonsOf(ctx, { filter, at, last, isEmpty: found.length === 0 }),
    isPrivate: true,
  });
}

function itemOf({ words }: Ctx<unknown>, entry: AuditEntry, stands: ReturnType<typeof standing>) {
  const kind = stands(entry);
  return entryItem(entry, {
    words,
    revise:
      kind === undefined
        ? undefined
        : { kind, press: { ...revise.press({ id: entry.id }), as: entry.source } },
  });
}

function filterLine(
  { words }: Ctx<unknown>,
  { userId, act, author, since }: Filter,
): Text | undefined {
  const parts: readonly Text[] = [
    ...(userId === undefined
      ? []
      : [words.md("comments.log.filter.person", { person: mention(userId) })]),
    ...(act === undefined ? [] : [named(words, "audit_act", act) ?? act]),
    ...(author === undefined ? [] : [words.say("comments.log.filter.author", { author })]),
    ...(since === undefined
      ? []
      : [words.md("comments.log.filter.since", { at: time(new Date(since), "f") })]),
  ];
  return parts.length === 0 ? undefined : join(parts, " · ");
}

function footerOf(
  { words }: Ctx<unknown>,
  count: number,
  { at, last }: { readonly at: number; readonly last: number },
): Text {
  const total = words.say("comments.log.count", { count });
  return last === 0 ? total : `${words.say("common.page", { page: at + 1 })} · ${total}`;
}

interface Around {
  readonly filter: Filter;
  readonly at: number;
  readonly last: number;
  readonly isEmpty: boolean;
}

function buttonsOf({ words }: Ctx<unknown>, around: Around): readonly Button[] {
  const { filter, at, last, isEmpty } = around;
  const to = (page: number) => turn.press({ filter, page });
  const files = isEmpty ? [] : (["csv", "json"] as const);
  return [
    ...(at > 0 ? [{ label: words.say("common.previous"), press: to(at - 1) }] : []),
    ...(at < last ? [{ label: words.say("common.next"), press: to(at + 1) }] : []),
    ...files.map((output) => ({
      label: words.say(`common.${output}`),
      press: save.press({ filter, output }),
    })),
  ];
}

export const logActions: readonly Action<never>[] = [turn, save, revise];
