import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { type Ctx, files, jsonList, type Reply } from "../../discord/index.ts";
import type { GuildExport, HeldRecords } from "../../store/index.ts";
import { keptDays } from "./spent.ts";

const packed = promisify(gzip);

/** All that is stored about this server, as a file for people and programs; secrets are masked. */
export async function exportRecords(ctx: Ctx<unknown>): Promise<Reply> {
  const { guildId, now, records, words } = ctx;
  const at = new Date(now());
  const stored = await records.export();
  const content = {
    server: guildId,
    exportedAt: at.toISOString(),
    ...(await contentOf(ctx, stored)),
  };
  const day = at.toISOString().slice(0, 10);
  return files({
    title: words.say("erasure.export.title"),
    text: words.say("erasure.export.text", { days: keptDays }),
    files: [
      {
        ...(await fitting(ctx, {
          name: `greenroom-${guildId}-${day}.json`,
          data: Buffer.from(await written(content)),
        })),
        alt: words.say("erasure.export.title"),
      },
    ],
  });
}

/** Lists entry by entry: a server may have thousands of comments, and other work goes on between them. */
async function written(content: Readonly<Record<string, unknown>>): Promise<string> {
  const fields: string[] = [];
  for (const [name, value] of Object.entries(content)) {
    const text = Array.isArray(value)
      ? await jsonList(value, { make: dated, depth: 1 })
      : JSON.stringify(dated(value), null, 2).replaceAll("\n", "\n  ");
    fields.push(`  ${JSON.stringify(name)}: ${text}`);
  }
  return `{\n${fields.join(",\n")}\n}\n`;
}

interface Exported {
  readonly name: string;
  readonly data: Buffer;
}

/** A year of decisions may be more than a message carries; packed it is a tenth of it. */
async function fitting({ attachmentLimit }: Ctx<unknown>, file: Exported): Promise<Exported> {
  if (file.data.length <= attachmentLimit) return file;
  return { name: `${file.name}.gz`, data: await packed(file.data) };
}

async function contentOf(ctx: Ctx<unknown>, stored: GuildExport) {
  const units = await ctx.unitsSpent(keptDays);
  const credits = await ctx.creditsSpent(keptDays);
  return {
    connections: stored.credentials,
    settings: stored.settings ?? {},
    // The start of a project's fingerprint tells one key's from another's.
    spentAtVideoService: units.map(({ day, project, userId, command, method, bucket, spent }) => ({
      ...{ day, project: project.slice(0, 8), person: userId, command, method, [bucket]: spent },
    })),
    spentAtImageService: credits.map(({ userId, ...one }) => ({ ...one, person: userId })),
    accessTokens: until(stored.accessTokens),
    stateOfButtons: until(stored.buttons),
    linksUnderWay: until(stored.linksUnderWay),
    ...queuesOf(stored),
  };
}

/** Some records do not hold what they belong to: it is only in their ids. */
function queuesOf({ moderation, feeds }: GuildExport) {
  const values = (rows: Rows) => rows.map(({ value }) => value);
  const named = (rows: Rows, name: string) =>
    rows.map(({ id, value }) => ({ [name]: id, ...(value as object) }));
  return {
    watches: values(moderation.watches),
    watchProgress: named(moderation.progress, "watchId"),
    comments: values(moderation.items),
    digests: values(moderation.digests),
    authors: named(moderation.authors, "author"),
    auditLog: values(moderation.audit),
    rules: values(moderation.rules),
    savedReplies: values(moderation.replies),
    announcedChannels: values(feeds.feeds),
    announcementProgress: named(feeds.progress, "feedId"),
    announcements: values(feeds.announcements),
  };
}

type Rows = readonly { readonly id: string; readonly value: unknown }[];

/** Fields of records that are moments; beside them all whose names end so. */
const moments: ReadonlySet<string> = new Set(["at", "since", "until"]);

/** Times as people and other programs write them, however deep they stand. */
function dated(one: unknown): unknown {
  if (Array.isArray(one)) return one.map(dated);
  if (typeof one !== "object" || one === null) return one;
  const fields = Object.entries(one).map(([name, value]) => {
    const isTime = typeof value === "number" && (name.endsWith("At") || moments.has(name));
    return [name, isTime ? new Date(value).toISOString() : dated(value)];
  });
  return Object.fromEntries(fields);
}

function until({ count, goneAt }: HeldRecords) {
  return { count, ...(goneAt !== undefined && { lastGoneAt: new Date(goneAt).toISOString() }) };
}
