import { type Files, files, jsonList, table, type Words } from "../../discord/index.ts";
import type { AuditEntry } from "../../store/index.ts";
import { addressOf } from "./entry.ts";

/** The record as a file, with everything that is kept of each entry. */
export async function logFile(
  entries: readonly AuditEntry[],
  output: "csv" | "json",
  words: Words,
): Promise<Files> {
  const data = await (output === "json" ? jsonList(entries) : asTable(entries));
  return files({
    title: words.say("comments.log.title"),
    text: words.say("common.file.text", { count: entries.length }),
    files: [{ name: `comments-log.${output}`, data: Buffer.from(data) }],
  });
}

function asTable(entries: readonly AuditEntry[]): Promise<string> {
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
