import {
  type Action,
  action,
  type Button,
  type Ctx,
  compact,
  type Files,
  files,
  join,
  jsonList,
  type List,
  list,
  mention,
  named,
  perPage,
  type Reply,
  type Text,
  table,
  time,
} from "../../discord/index.ts";
import type {
  Audit,
  AuditAct,
  AuditCount,
  AuditEntry,
  AuditFilter,
} from "../../moderation/index.ts";
import { addressOf, entryItem } from "./entry.ts";
import { revise, standing } from "./revise.ts";

/** What fits into a message's file: 8 MB. */
const mostChars = 8_000_000;
const pageSize = 500;

/** The log as a file with every stored field, newest first; read page by page. */
async function logFile(
  { words, moderation }: Ctx,
  filter: AuditFilter,
  output: "csv" | "json",
): Promise<Files> {
  const { entries, state } = reading(moderation.audit, filter);
  const data = await (output === "json" ? jsonList(entries) : asTable(entries));
  const { count, isCut } = state;
  return files({
    title: words.say("comments.log.title"),
    text: words.say(isCut ? "common.file.cut" : "common.file.text", { count }),
    files: [{ name: `comments-log.${output}`, data: Buffer.from(data) }],
  });
}

function reading({ page }: Pick<Audit, "page">, filter: AuditFilter) {
  const state = { count: 0, chars: 0, isCut: false };
  async function* entries(): AsyncGenerator<AuditEntry> {
    let before: string | undefined;
    for (let hasMore = true; hasMore; ) {
      const read = await page(filter, { before, limit: pageSize });
      for (const entry of read.entries) {
        state.chars += JSON.stringify(entry).length;
        state.isCut = state.chars > mostChars;
        if (state.isCut) return;
        state.count += 1;
        yield entry;
      }
      before = read.entries.at(-1)?.id;
      hasMore = read.hasMore;
    }
  }
  return { entries: entries(), state };
}

function asTable(entries: AsyncIterable<AuditEntry>): Promise<string> {
  return table(entries, {
    at: ({ at }) => new Date(at).toISOString(),
    decision: ({ act }) => act,
    by: ({ by }) => ("userId" in by ? by.userName : by.ruleName),
    byId: ({ by }) => ("userId" in by ? by.userId : by.ruleId),
    from: ({ from }) => from,
    answer: ({ answer }) => answer,
    channel: ({ source }) => source,
    videoId: ({ videoId }) => videoId,
    commentId: ({ commentId }) => commentId,
    author: ({ authorName }) => authorName,
    authorChannelId: ({ authorId }) => authorId,
    text: ({ text }) => text,
    url: addressOf,
  });
}

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

interface Filter {
  readonly userId?: string | undefined;
  readonly act?: AuditAct | undefined;
  readonly author?: string | undefined;
  readonly since?: number | undefined;
}

interface Turning {
  readonly filter: Filter;
  /** From 0. */
  readonly page: number;
  /** Ids of the entries before or after which the page starts, as in `AuditPageOptions`. */
  readonly before?: string | undefined;
  readonly after?: string | undefined;
}

/** More are not counted. */
const mostCounted = 10_000;

const moderator = { rank: "moderator" } as const;

const turn = action<Turning>({
  ...moderator,
  name: "comments.log-turn",
  by: "requester",
  answer: "update",
  run: (ctx, turning) => page(ctx, turning),
});

const save = action<{ readonly filter: Filter; readonly output: "csv" | "json" }>({
  ...moderator,
  name: "comments.log-save",
  by: "requester",
  answer: "private",
  run: (ctx, { filter, output }) => logFile(ctx, wanted(filter), output),
});

export interface Asking extends Filter {
  readonly output: "list" | "csv" | "json";
}

/** What was decided here, the newest first. */
export async function openLog(ctx: Ctx, { output, ...filter }: Asking): Promise<Reply> {
  if (output === "list") return page(ctx, { filter, page: 0 });
  return logFile(ctx, wanted(filter), output);
}

function wanted({ userId, act, ...rest }: Filter): AuditFilter {
  return {
    ...rest,
    ...(userId !== undefined && { actorId: userId }),
    ...(act !== undefined && { acts: [act] }),
  };
}

async function page(ctx: Ctx, turning: Turning): Promise<List> {
  const { words, moderation } = ctx;
  const { filter, before, after } = turning;
  const asked = wanted(filter);
  const [{ entries, hasMore }, counted] = await Promise.all([
    moderation.audit.page(asked, { before, after, limit: perPage }),
    moderation.audit.count(asked, mostCounted),
  ]);
  // The entries that the button pointed to are gone by now.
  if (entries.length === 0 && turning.page > 0) return page(ctx, { filter, page: 0 });
  const filters = filterLine(ctx, filter);
  const around: Around = {
    ...{ filter, entries, page: turning.page },
    hasNewer: turning.page > 0,
    // Somebody who went back came from a page of older ones.
    hasOlder: after === undefined ? hasMore : true,
  };
  return list({
    title: words.say("comments.log.title"),
    ...(filters !== undefined && { text: filters }),
    items: await Promise.all(entries.map((entry) => itemOf(ctx, entry))),
    empty: words.say(filters === undefined ? "comments.log.empty" : "comments.log.empty_filtered"),
    ...(entries.length > 0 && { footer: footerOf(ctx, counted, around) }),
    buttons: buttonsOf(ctx, around),
    isPrivate: true,
  });
}

async function itemOf({ words, moderation }: Ctx, entry: AuditEntry) {
  const kind = await standing(moderation.audit, entry);
  return entryItem(entry, {
    words,
    revise:
      kind === undefined
        ? undefined
        : { kind, press: { ...revise.press({ id: entry.id }), as: entry.source } },
  });
}

function filterLine({ words }: Ctx, { userId, act, author, since }: Filter): Text | undefined {
  const parts: readonly Text[] = compact([
    userId !== undefined && words.md("comments.log.filter.person", { person: mention(userId) }),
    act !== undefined && (named(words, "audit_act", act) ?? act),
    author !== undefined && words.say("comments.log.filter.author", { author }),
    since !== undefined &&
      words.md("comments.log.filter.since", { at: time(new Date(since), "f") }),
  ]);
  return parts.length === 0 ? undefined : join(parts, " · ");
}

function footerOf(
  { words }: Ctx,
  { count, isMore }: AuditCount,
  { page: at, entries, hasOlder }: Around,
): Text {
  const total = words.say(isMore ? "comments.log.count_more" : "comments.log.count", {
    count: Math.max(count, at * perPage + entries.length),
  });
  return at === 0 && !hasOlder ? total : `${words.say("common.page", { page: at + 1 })} · ${total}`;
}

interface Around {
  readonly filter: Filter;
  readonly entries: readonly AuditEntry[];
  readonly page: number;
  readonly hasNewer: boolean;
  readonly hasOlder: boolean;
}

function buttonsOf({ words }: Ctx, around: Around): readonly Button[] {
  const { filter, entries, page: at, hasNewer, hasOlder } = around;
  const newer = at === 1 ? {} : { after: entries[0]?.id };
  const older = { before: entries.at(-1)?.id };
  const files = entries.length === 0 ? [] : (["csv", "json"] as const);
  return compact([
    hasNewer && {
      label: words.say("common.previous"),
      press: turn.press({ filter, page: at - 1, ...newer }),
    },
    hasOlder && {
      label: words.say("common.next"),
      press: turn.press({ filter, page: at + 1, ...older }),
    },
    ...files.map((output) => ({
      label: words.say(`common.${output}`),
      press: save.press({ filter, output }),
    })),
  ]);
}

export const logActions: readonly Action<never>[] = [turn, save, revise];
