import { once } from "node:events";
import { createGzip } from "node:zlib";
import type { GuildRow, GuildRowTable } from "../../database/index.ts";
import { files, type Reply } from "../../discord/index.ts";
import type { HeldRecords } from "../../store/index.ts";
import type { Ctx } from "../context/index.ts";
import { spendingDays } from "./erase.ts";

/** Everything that is stored about this server, as a JSON file; secrets are masked. */
export async function exportRecords(ctx: Ctx): Promise<Reply> {
  const { guildId, now, words, attachmentLimit } = ctx;
  const at = new Date(now());
  const file = createExportFile(attachmentLimit);
  for await (const text of textOf(ctx, at)) await file.write(text);
  const { data, isPacked } = await file.end();
  const name = `greenroom-${guildId}-${at.toISOString().slice(0, 10)}.json${isPacked ? ".gz" : ""}`;
  return files({
    title: words.say("erasure.export.title"),
    text: words.say("erasure.export.text", { days: spendingDays }),
    files: [{ name, data, alt: words.say("erasure.export.title") }],
  });
}

/** The file's text in pieces, because a server may have hundreds of thousands of records. */
async function* textOf(ctx: Ctx, at: Date): AsyncGenerator<string> {
  const whole = { server: ctx.guildId, exportedAt: at.toISOString(), ...(await wholeOf(ctx)) };
  const fields = Object.entries(whole).map(([name, value]) => {
    const text = JSON.stringify(withIsoDates(value), null, 2).replaceAll("\n", "\n  ");
    return `  ${JSON.stringify(name)}: ${text}`;
  });
  yield `{\n${fields.join(",\n")}`;
  for (const [name, [table, make]] of Object.entries(exportedLists)) {
    yield `,\n  ${JSON.stringify(name)}: [`;
    let isFirst = true;
    for await (const rows of ctx.records.rows(table)) {
      const texts = rows.map((row) => JSON.stringify(withIsoDates(make(row)), null, 2));
      yield `${isFirst ? "" : ","}\n${texts.join(",\n")}`.replaceAll("\n", "\n    ");
      isFirst = false;
    }
    yield isFirst ? "]" : "\n  ]";
  }
  yield "\n}\n";
}

/** What is small enough to be read at once. */
async function wholeOf(ctx: Ctx) {
  const stored = await ctx.records.held();
  const units = await ctx.unitsSpent(spendingDays);
  const credits = await ctx.creditsSpent(spendingDays);
  return {
    connections: stored.credentials,
    settings: stored.settings ?? {},
    // The first characters of a project's fingerprint are enough to tell projects apart.
    spentAtVideoService: units.map(({ day, project, userId, command, method, bucket, spent }) => ({
      ...{ day, project: project.slice(0, 8), person: userId, command, method, [bucket]: spent },
    })),
    spentAtImageService: credits.map(({ userId, ...one }) => ({ ...one, person: userId })),
    accessTokens: summarize(stored.accessTokens),
    stateOfButtons: summarize(stored.buttons),
    linksUnderWay: summarize(stored.linksUnderWay),
  };
}

type ExportedList = readonly [table: GuildRowTable, valueOf: (row: GuildRow) => unknown];

const parseJson = (text: unknown) => JSON.parse(String(text)) as object;
const dataOf = ({ data }: GuildRow) => parseJson(data);

/** The lists of the file, each with its table and how a row is shown. Some rows have nothing but an id to name them. */
const exportedLists: Readonly<Record<string, ExportedList>> = {
  watches: ["watches", dataOf],
  watchProgress: ["watches", ({ id, progress }) => ({ watchId: id, ...parseJson(progress) })],
  comments: ["held_comments", dataOf],
  digests: ["digests", dataOf],
  authors: [
    "authors",
    ({ id, seen, approved, rejected, last_at }) => ({
      ...{ author: id, seen, approved, rejected, lastAt: last_at },
    }),
  ],
  authorNotes: ["author_notes", dataOf],
  auditLog: ["audit_log", dataOf],
  rules: ["rule_books", dataOf],
  savedReplies: ["saved_replies", dataOf],
  announcedChannels: ["feeds", dataOf],
  announcementProgress: ["feeds", ({ id, progress }) => ({ feedId: id, ...parseJson(progress) })],
  announcements: ["announcements", dataOf],
  workUnderWay: [
    "jobs",
    ({ queue, key, data, due_at, failure }) => ({
      ...{ queue, key, data: parseJson(data), dueAt: due_at, ...(failure !== null && { failure }) },
    }),
  ],
};

function summarize({ count, goneAt }: HeldRecords) {
  return { count, ...(goneAt !== undefined && { lastGoneAt: new Date(goneAt).toISOString() }) };
}

/** Fields that hold times, in addition to all whose names end in `At`. */
const timeFields: ReadonlySet<string> = new Set(["at", "since", "until"]);

/** Writes times as ISO 8601, at any depth. */
function withIsoDates(one: unknown): unknown {
  if (Array.isArray(one)) return one.map(withIsoDates);
  if (typeof one !== "object" || one === null) return one;
  const fields = Object.entries(one).map(([name, value]) => {
    const isTime = typeof value === "number" && (name.endsWith("At") || timeFields.has(name));
    return [name, isTime ? new Date(value).toISOString() : withIsoDates(value)];
  });
  return Object.fromEntries(fields);
}

/** A file that is compressed only if a message can't carry it as it is; only then the plain bytes are dropped. */
function createExportFile(attachmentLimit: number) {
  const gzip = createGzip();
  const packed: Buffer[] = [];
  let plain: Buffer[] | undefined = [];
  let bytes = 0;
  gzip.on("data", (part: Buffer) => packed.push(part));
  const isOver = once(gzip, "end");

  return {
    async write(text: string): Promise<void> {
      const part = Buffer.from(text);
      bytes += part.length;
      // A year of decisions may be more than a message carries; compression makes it ten times smaller.
      if (bytes > attachmentLimit) plain = undefined;
      plain?.push(part);
      if (!gzip.write(part)) await once(gzip, "drain");
    },
    async end(): Promise<{ readonly data: Buffer; readonly isPacked: boolean }> {
      gzip.end();
      await isOver;
      return plain === undefined
        ? { data: Buffer.concat(packed), isPacked: true }
        : { data: Buffer.concat(plain), isPacked: false };
    },
  };
}
