import {
  ask,
  type CardField,
  compact,
  join,
  link,
  md,
  notice,
  type Reply,
  roleMention,
  type Text,
} from "../../discord/index.ts";
import { timeZoneTitle } from "../../language/index.ts";
import type { ExportedCredential, ServerSettings, StoreExport } from "../../store/index.ts";
import { youtubePages } from "../../video/index.ts";
import type { Ctx } from "../context/index.ts";
import { action } from "../declarations/index.ts";

const erase = action<null>({
  name: "connect.erase",
  rank: "owner",
  isOnce: true,
  run: async ({ records, words }) => {
    await records.erase();
    return notice({
      tone: "good",
      title: words.say("erasure.erased.title"),
      text: words.md("erasure.erased.text", { status: words.mention("connect status") }),
    });
  },
});

export const eraseActions = [erase];

/** Lists everything that is stored about this server, and asks whether to erase it. */
export async function askToErase(ctx: Ctx): Promise<Reply> {
  const { records, words } = ctx;
  const stored = await records.held();
  const fields = await describeStored(ctx, stored);
  if (fields.length === 0) {
    return notice({ tone: "neutral", title: words.say("erasure.nothing") });
  }
  const kinds = stored.credentials.map(({ kind }) => kind);
  return ask({
    title: words.say("erasure.ask.title"),
    // What erasing does at Google and remove.bg, and what it leaves there.
    text: join([
      words.say("erasure.ask.text"),
      kinds.includes("channel") && words.say("erasure.ask.consent"),
      kinds.some((kind) => kind !== "channel") && words.say("erasure.ask.keys"),
      words.md("erasure.ask.export", { command: words.mention("connect export") }),
    ]),
    fields,
    footer: words.say("erasure.ask.footer"),
    confirm: { label: words.say("erasure.ask.confirm"), style: "danger", press: erase.press(null) },
  });
}

async function describeStored(ctx: Ctx, stored: StoreExport): Promise<readonly CardField[]> {
  const { words } = ctx;
  const { accessTokens: tokens, buttons, linksUnderWay: links } = stored;
  const counts = { tokens, buttons, links } as const;
  const parts = {
    connections: stored.credentials.map((one) => connection(ctx, one)),
    settings: describeSettings(ctx, stored.settings),
    queues: await describeQueues(ctx),
    spent: await spentSums(ctx),
    rest: Object.entries(counts).flatMap(([what, { count }]) =>
      count === 0 ? [] : [words.say(`erasure.rest.${what as keyof typeof counts}`, { count })],
    ),
  } as const satisfies Record<string, readonly Text[]>;
  return Object.entries(parts).flatMap(([part, lines]) =>
    lines.length === 0
      ? []
      : [
          {
            name: words.say(`erasure.parts.${part as keyof typeof parts}`, { days: spendingDays }),
            value: join(lines),
          },
        ],
  );
}

function connection({ words }: Ctx, one: ExportedCredential): Text {
  const kind = words.say(`choices.credential.${one.kind}`);
  if ("isUnreadable" in one) return words.md("erasure.unreadable", { kind });
  const { channelId, channelTitle, name } = one;
  if (channelId === undefined) return kind;
  const title = link(channelTitle ?? channelId, youtubePages.channel(channelId));
  const shown = name === undefined ? title : md`${name} (${title})`;
  return words.md("erasure.channel", { kind, channel: shown });
}

function describeSettings({ words }: Ctx, settings: ServerSettings = {}): readonly Text[] {
  const { region, timeZone, roles = {}, budgets = {}, reserve, quota, noticeChannelId } = settings;
  const mapped = Object.values(roles).flat();
  const limited = { ...budgets.ranks, ...budgets.people };
  const count = Object.keys(limited).length;
  return compact([
    region !== undefined &&
      words.say("erasure.settings.region", { country: words.country(region) }),
    timeZone !== undefined && words.say("erasure.settings.zone", { zone: timeZoneTitle(timeZone) }),
    mapped.length > 0 &&
      words.md("erasure.settings.roles", { roles: join(mapped.map(roleMention), " ") }),
    count !== 0 && words.say("erasure.settings.budgets", { count }),
    ...(reserve === undefined && quota === undefined ? [] : [words.say("erasure.settings.shares")]),
    noticeChannelId !== undefined && words.say("erasure.settings.notices"),
  ]);
}

/** How much is stored about the comment queue and announcements. */
async function describeQueues({ words, records }: Ctx): Promise<readonly Text[]> {
  const rows = await records.counts();
  const counts = {
    watches: rows.watches,
    comments: rows.held_comments,
    digests: rows.digests,
    authors: rows.authors,
    notes: rows.author_notes,
    log: rows.audit_log,
    replies: rows.saved_replies,
    feeds: rows.feeds,
    announcements: rows.announcements,
  } as const;
  const lines: Text[] = Object.entries(counts).flatMap(([what, count]) =>
    count === 0 ? [] : [words.say(`erasure.queues.${what as keyof typeof counts}`, { count })],
  );
  // A rule book is stored even without rules: it holds the exempt authors.
  for await (const books of records.rows("rule_books")) {
    for (const { data } of books) {
      const { rules } = JSON.parse(String(data)) as { readonly rules: readonly unknown[] };
      lines.push(words.say("erasure.queues.rules", { count: rules.length }));
    }
  }
  return lines;
}

/** How many days spending is stored. */
export const spendingDays = 40;

/** The spending that is still stored, one line for each kind. */
async function spentSums(ctx: Ctx): Promise<readonly Text[]> {
  const units = await ctx.unitsSpent(spendingDays);
  const credits = await ctx.creditsSpent(spendingDays);
  const sums = new Map<string, number>();
  for (const { bucket, spent } of units) sums.set(bucket, (sums.get(bucket) ?? 0) + spent);
  sums.set(
    "credits",
    credits.reduce((sum, one) => sum + one.credits, 0),
  );
  return [...sums]
    .filter(([, count]) => count > 0)
    .map(([bucket, count]) => ctx.words.say("usage.amount", { bucket, count }));
}
