import type { ServerRecordRow, ServerRowTable } from "../../database/index.ts";
import { type FileEntry, files, join, type Reply, type Text } from "../../discord/index.ts";
import type { HeldRecords } from "../../store/index.ts";
import type { Ctx } from "../context/index.ts";
import { describeFullFile, formatIndented } from "../lists/index.ts";
import { spendingDays } from "./erase.ts";

/** Everything that is stored about this server, as a JSON file; secrets are masked. */
export async function exportRecords(ctx: Ctx): Promise<Reply> {
  const { guildId, now, words, records } = ctx;
  const at = new Date(now());
  const name = `greenroom-${guildId}-${at.toISOString().slice(0, 10)}.json`;
  const title = words.say("erasure.export.title");
  const spent = await readSpending(ctx);
  const make = (file: { readonly name: string; readonly isPacked?: boolean }) =>
    ctx.makeFile({ ...file, alt: title, entries: exportEntries(ctx, at, spent) });
  const whole = await make({ name });
  // A year of decisions may be more than a message carries; compression makes it ten times smaller.
  const made = whole.isCut ? await make({ name: `${name}.gz`, isPacked: true }) : whole;
  const lines: Text[] = [words.say("erasure.export.text", { days: spendingDays })];
  if (made.isCut) {
    const counts = await records.counts();
    const stored = Object.values(exportedLists).reduce((sum, [table]) => sum + counts[table], 0);
    const bookings = Object.values(spent).reduce((sum, lines) => sum + lines.length, 0);
    lines.push(describeFullFile(words, made, stored + bookings));
  }
  return files({ title, text: join(lines, "\n"), files: [made.file] });
}

type SpendingLists = Awaited<ReturnType<typeof readSpending>>;

/** The file entry by entry, because a server may have hundreds of thousands of records. */
async function* exportEntries(ctx: Ctx, at: Date, spent: SpendingLists): AsyncGenerator<FileEntry> {
  const { guildId, records } = ctx;
  // What is small enough to be read at once.
  const held = await records.held();
  const fields = {
    server: guildId,
    exportedAt: at.toISOString(),
    connections: held.credentials,
    settings: held.settings ?? {},
    accessTokens: summarize(held.accessTokens),
    stateOfButtons: summarize(held.buttons),
    linksUnderWay: summarize(held.linksUnderWay),
  };
  const lines = Object.entries(fields).map(
    ([name, value]) => `  ${JSON.stringify(name)}: ${formatIndented(withIsoDates(value), 1)}`,
  );
  const lists = Object.entries(exportedLists).map(
    ([name, [table, make]]) => [name, readEntries(ctx, table, make)] as const,
  );
  const end = "\n}\n";
  yield { text: `{\n${lines.join(",\n")}`, end, isHead: true };
  let close = "";
  for (const [name, entries] of [...Object.entries(spent), ...lists]) {
    yield { text: `${close},\n  ${JSON.stringify(name)}: [`, end: `]${end}`, isHead: true };
    close = "]";
    for await (const entry of entries) {
      const separator = close === "]" ? "" : ",";
      close = "\n  ]";
      const text = `${separator}\n    ${formatIndented(withIsoDates(entry), 2)}`;
      yield { text, end: `${close}${end}` };
    }
  }
}

async function* readEntries(ctx: Ctx, table: ServerRowTable, make: ExportedList[1]) {
  for await (const rows of ctx.records.rows(table)) yield* rows.map(make);
}

async function readSpending(ctx: Ctx) {
  const units = await ctx.unitsSpent(spendingDays);
  const credits = await ctx.creditsSpent(spendingDays);
  return {
    // The first characters of a project's fingerprint are enough to tell projects apart.
    spentAtVideoService: units.map(({ day, project, userId, command, method, bucket, spent }) => ({
      day,
      project: project.slice(0, 8),
      person: userId,
      command,
      method,
      [bucket]: spent,
    })),
    spentAtImageService: credits.map(({ userId, ...one }) => ({ ...one, person: userId })),
  };
}

type ExportedList = readonly [table: ServerRowTable, valueOf: (row: ServerRecordRow) => unknown];

const parseJson = (text: unknown) => JSON.parse(String(text)) as object;
const readData = ({ data }: ServerRecordRow) => parseJson(data);

/** The lists of the file, each with its table and how a row is shown. Some rows have nothing but an id to name them. */
const exportedLists: Readonly<Record<string, ExportedList>> = {
  watches: ["watches", readData],
  watchProgress: ["watches", ({ id, progress }) => ({ watchId: id, ...parseJson(progress) })],
  comments: ["held_comments", readData],
  digests: ["digests", readData],
  authors: [
    "authors",
    ({ id, seen, approved, rejected, last_at }) => ({
      author: id,
      seen,
      approved,
      rejected,
      lastAt: last_at,
    }),
  ],
  authorNotes: ["author_notes", readData],
  auditLog: ["audit_log", readData],
  rules: ["rule_books", readData],
  ruleLists: ["rule_lists", readData],
  ruleListContents: ["rule_list_contents", readData],
  sharedRules: ["rule_shares", readData],
  savedReplies: ["saved_replies", readData],
  announcedChannels: ["feeds", readData],
  announcementProgress: ["feeds", ({ id, progress }) => ({ feedId: id, ...parseJson(progress) })],
  announcements: ["announcements", readData],
  workUnderWay: [
    "jobs",
    ({ queue, key, data, due_at, failure }) => ({
      queue,
      key,
      data: parseJson(data),
      dueAt: due_at,
      ...(failure !== null && { failure }),
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
