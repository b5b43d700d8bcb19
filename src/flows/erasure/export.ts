import { type Ctx, files, type Reply } from "../../discord/index.ts";
import type { ExportedCredential, GuildExport, HeldRecords } from "../../store/index.ts";
import { keptDays } from "./spent.ts";

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
        name: `greenroom-${guildId}-${day}.json`,
        data: Buffer.from(`${JSON.stringify(content, null, 2)}\n`),
        alt: words.say("erasure.export.title"),
      },
    ],
  });
}

async function contentOf(ctx: Ctx<unknown>, stored: GuildExport) {
  const units = await ctx.unitsSpent(keptDays);
  const credits = await ctx.creditsSpent(keptDays);
  return {
    connections: stored.credentials.map(dated),
    settings: stored.settings ?? {},
    // The start of a project's fingerprint tells one key's from another's.
    spentAtVideoService: units.map(({ day, project, userId, command, method, bucket, spent }) => ({
      ...{ day, project: project.slice(0, 8), person: userId, command, method, [bucket]: spent },
    })),
    spentAtImageService: credits.map(({ userId, ...one }) => ({ ...one, person: userId })),
    accessTokens: until(stored.accessTokens),
    stateOfButtons: until(stored.buttons),
    linksUnderWay: until(stored.linksUnderWay),
  };
}

/** Times as people and other programs write them. */
function dated(one: ExportedCredential) {
  const fields = Object.entries(one).map(([name, value]) => {
    const isTime = typeof value === "number" && name.endsWith("At");
    return [name, isTime ? new Date(value).toISOString() : value];
  });
  return Object.fromEntries(fields);
}

function until({ count, goneAt }: HeldRecords) {
  return { count, ...(goneAt !== undefined && { lastGoneAt: new Date(goneAt).toISOString() }) };
}
