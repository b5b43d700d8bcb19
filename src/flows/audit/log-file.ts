import { type Ctx, type Files, files, jsonList, table } from "../../discord/index.ts";
import type { Audit, AuditEntry, AuditFilter } from "../../moderation/index.ts";
import { addressOf } from "./entry.ts";

/** As many as fit into a message's file: 8 MB of them at most. */
const mostChars = 8_000_000;
const pageSize = 500;

/** The log as a file, with everything that is kept of each entry, the newest first; read page by page. */
export async function logFile(
  { words, moderation }: Ctx<unknown>,
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
