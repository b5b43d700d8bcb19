import {
  compact,
  type FilesReply,
  files,
  join,
  type ListReply,
  list,
  mention,
  type Reply,
  type Text,
  time,
} from "../../discord/index.ts";
import type { Audit, AuditEntry, AuditFilter } from "../../moderation/index.ts";
import { valueName } from "../cards/index.ts";
import type { Ctx, CtxFor } from "../context/index.ts";
import { action, type FeatureAction, option } from "../declarations/index.ts";
import {
  type Columns,
  describeFullFile,
  jsonEntries,
  perPage,
  tableEntries,
} from "../lists/index.ts";
import { withTimeZone } from "../time-zone/index.ts";
import { actsOfKind, changeGroups, type LogKind } from "./change.ts";
import { auditedPage, drawAuditEntry, undoEntry } from "./entry.ts";

const pageSize = 100;
/** Counting for a file stops here. */
const mostInFile = 1_000_000;

/** The log as a file with every stored field, newest first; read page by page. */
async function logFile(
  { words, moderation: { audit }, makeFile }: Ctx,
  filter: AuditFilter,
  output: "csv" | "json",
): Promise<FilesReply> {
  const entries = readEntries(audit, filter);
  const made = await makeFile({
    name: `comments-log.${output}`,
    entries: output === "json" ? jsonEntries(entries) : tableEntries(entries, columns),
  });
  const total = made.isCut ? (await audit.count(filter, mostInFile)).count : made.count;
  return files({
    title: words.say("comments.log.title"),
    text: made.isCut
      ? describeFullFile(words, made, total)
      : words.say("common.file.text", { count: made.count }),
    files: [made.file],
  });
}

async function* readEntries(
  { page }: Pick<Audit, "page">,
  filter: AuditFilter,
): AsyncGenerator<AuditEntry> {
  let before: string | undefined;
  for (let hasMore = true; hasMore; ) {
    const read = await page(filter, { before, limit: pageSize });
    yield* read.entries;
    before = read.entries.at(-1)?.id;
    hasMore = read.hasMore;
  }
}

const columns: Columns<AuditEntry> = {
  at: ({ at }) => new Date(at).toISOString(),
  decision: "act",
  by: ({ by }) => ("userId" in by ? by.userName : by.ruleName),
  byId: ({ by }) => ("userId" in by ? by.userId : by.ruleId),
  from: "from",
  answer: "answer",
  settledAt: ({ settledAt }) => settledAt && new Date(settledAt).toISOString(),
  channel: "source",
  videoId: "videoId",
  commentId: "commentId",
  playlistId: "playlistId",
  channelId: "channelId",
  author: "authorName",
  authorChannelId: "authorId",
  text: "text",
  reason: "reason.text",
  reply: "reply",
  url: auditedPage,
};

/** What the log can be filtered by. */
const logKinds = [
  "approved",
  "rejected",
  "banned",
  "held",
  "replied",
  "undone",
  "later",
  "handled",
  "failed",
  ...changeGroups,
] as const satisfies readonly LogKind[];

interface LogFilter {
  readonly userId?: string | undefined;
  readonly act?: LogKind | undefined;
  readonly author?: string | undefined;
  readonly since?: number | undefined;
}

interface LogTurn {
  readonly filter: LogFilter;
  /** Counted from 0. */
  readonly page: number;
  /** Ids of the entries before or after which the page starts, as in `AuditPageOptions`. */
  readonly before?: string | undefined;
  readonly after?: string | undefined;
}

/** Counting stops here. */
const maxCounted = 10_000;

const moderator = { rank: "moderator" } as const;

const turn = action<LogTurn>({ ...moderator, name: "comments.log-turn", run: logPage });

const save = action<{ readonly filter: LogFilter; readonly output: "csv" | "json" }>({
  ...moderator,
  name: "comments.log-save",
  answer: "private",
  run: (ctx, { filter, output }) => logFile(ctx, toAuditFilter(filter), output),
});

export const auditLogOptions = {
  person: option.person({}),
  kind: option.choice({ group: "audit_act", values: logKinds }),
  author: option.text({ max: 100 }),
  since: option.date({ must: "past" }),
  output: option.choice({ group: "output", values: ["list", "csv", "json"] }),
};

/** What was decided about comments and changed at YouTube on this server, newest first. */
export async function openAuditLog(ctx: CtxFor<typeof auditLogOptions>): Promise<Reply> {
  const { person: userId, kind: act, author, since } = ctx.options;
  // `raw` is YouTube's own answer, and YouTube is not called here.
  const output = ctx.output === "raw" ? "list" : ctx.output;
  const filter = { userId, act, author, since: since?.getTime() };
  const log =
    output === "list"
      ? await logPage(ctx, { filter, page: 0 })
      : await logFile(ctx, toAuditFilter(filter), output);
  return withTimeZone(ctx, log, since);
}

function toAuditFilter({ userId, act, ...rest }: LogFilter): AuditFilter {
  return { ...rest, actorId: userId, acts: act && actsOfKind(act) };
}

async function logPage(ctx: Ctx, position: LogTurn): Promise<ListReply> {
  const { words, moderation } = ctx;
  const { filter, page, before, after } = position;
  const auditFilter = toAuditFilter(filter);
  const [{ entries, hasMore }, counted] = await Promise.all([
    moderation.audit.page(auditFilter, { before, after, limit: perPage }),
    moderation.audit.count(auditFilter, maxCounted),
  ]);
  // The entries that the button pointed to have been deleted since.
  if (entries.length === 0 && page > 0) return logPage(ctx, { filter, page: 0 });
  const filters = describeFilter(ctx, filter);
  // Whoever went back came from a page with older entries.
  const hasOlder = after === undefined ? hasMore : true;
  const isOnlyPage = page === 0 && !hasOlder;
  const pageName = words.say("common.page", { page: page + 1 });
  const total = words.say(counted.isMore ? "comments.log.count_more" : "comments.log.count", {
    count: Math.max(counted.count, page * perPage + entries.length),
  });
  const newer = page === 1 ? {} : { after: entries[0]?.id };
  const older = { before: entries.at(-1)?.id };
  const outputs = entries.length === 0 ? [] : (["csv", "json"] as const);
  return list({
    title: words.say("comments.log.title"),
    ...(filters !== undefined && { text: filters }),
    items: await Promise.all(entries.map((entry) => drawAuditEntry(ctx, entry))),
    empty: words.say(filters === undefined ? "comments.log.empty" : "comments.log.empty_filtered"),
    ...(entries.length > 0 && { footer: isOnlyPage ? total : `${pageName} · ${total}` }),
    buttons: compact([
      page > 0 && {
        label: words.say("common.previous"),
        press: turn.press({ filter, page: page - 1, ...newer }),
      },
      hasOlder && {
        label: words.say("common.next"),
        press: turn.press({ filter, page: page + 1, ...older }),
      },
      ...outputs.map((output) => ({
        label: words.say(`common.${output}`),
        press: save.press({ filter, output }),
      })),
    ]),
    isPrivate: true,
  });
}

function describeFilter(
  { words }: Ctx,
  { userId, act, author, since }: LogFilter,
): Text | undefined {
  const parts: readonly Text[] = compact([
    userId !== undefined && words.md("comments.log.filter.person", { person: mention(userId) }),
    act !== undefined && (valueName(words, "audit_act", act) ?? act),
    author !== undefined && words.say("comments.log.filter.author", { author }),
    since !== undefined &&
      words.md("comments.log.filter.since", { at: time(new Date(since), "f") }),
  ]);
  return parts.length === 0 ? undefined : join(parts, " · ");
}

export const auditLogActions: readonly FeatureAction<never>[] = [turn, save, undoEntry];
