import {
  action,
  ask,
  type Ctx,
  type Field,
  join,
  link,
  md,
  notice,
  pages,
  type Reply,
  roleMention,
  type Text,
} from "../../discord/index.ts";
import type { ExportedCredential, GuildExport, GuildSettings } from "../../store/index.ts";
import { keptDays, spentSums } from "./spent.ts";

const erase = action<null>({
  name: "connect.erase",
  answer: "update",
  by: "requester",
  rank: "owner",
  isOnce: true,
  run: async ({ records, words }) => {
    await records.erase();
    return notice({
      tone: "good",
      title: words.say("erasure.erased.title"),
      text: words.md("erasure.erased.text", { status: words.command("connect status") }),
    });
  },
});

export const eraseActions = [erase];

/** Names all that is stored about this server, and asks whether it is to go. */
export async function askToErase(ctx: Ctx<unknown>): Promise<Reply> {
  const { records, words } = ctx;
  const stored = await records.export();
  const fields = await fieldsOf(ctx, stored);
  if (fields.length === 0) {
    return notice({ tone: "info", title: words.say("erasure.nothing") });
  }
  return ask({
    title: words.say("erasure.ask.title"),
    text: join([words.say("erasure.ask.text"), ...afterwards(ctx, stored)], "\n"),
    fields,
    footer: words.say("erasure.ask.footer"),
    confirm: {
      label: words.say("erasure.ask.confirm"),
      style: "danger",
      press: erase.press(null),
    },
  });
}

/** What erasing here does not undo elsewhere, and what it does. */
function afterwards({ words }: Ctx<unknown>, { credentials }: GuildExport): readonly Text[] {
  const hasChannel = credentials.some(({ kind }) => kind === "channel");
  const hasKey = credentials.some(({ kind }) => kind !== "channel");
  return [
    ...(hasChannel ? [words.say("erasure.ask.consent")] : []),
    ...(hasKey ? [words.say("erasure.ask.keys")] : []),
    words.md("erasure.ask.export", { command: words.command("connect export") }),
  ];
}

async function fieldsOf(ctx: Ctx<unknown>, stored: GuildExport): Promise<readonly Field[]> {
  const { words } = ctx;
  const parts = {
    connections: stored.credentials.map((one) => connection(ctx, one)),
    settings: settingsOf(ctx, stored.settings),
    queues: queuesOf(ctx, stored),
    spent: await spentSums(ctx),
    rest: restOf(ctx, stored),
  } as const satisfies Record<string, readonly Text[]>;
  return Object.entries(parts).flatMap(([part, lines]) =>
    lines.length === 0
      ? []
      : [
          {
            name: words.say(`erasure.parts.${part as keyof typeof parts}`, { days: keptDays }),
            value: join(lines, "\n"),
          },
        ],
  );
}

function connection({ words }: Ctx<unknown>, one: ExportedCredential): Text {
  const kind = words.say(`choices.credential.${one.kind}`);
  if ("isUnreadable" in one) return words.md("erasure.unreadable", { kind });
  const { channelId, channelTitle, name, secret } = one;
  if (channelId === undefined) return words.md("erasure.key", { kind, secret });
  const title = link(channelTitle ?? channelId, pages.channel(channelId));
  const shown = name === undefined ? title : md`${name} (${title})`;
  return words.md("erasure.channel", { kind, channel: shown });
}

function settingsOf({ words }: Ctx<unknown>, settings: GuildSettings = {}): readonly Text[] {
  const { region, timeZone, roles = {}, budgets = {}, reserve, quota, noticeChannelId } = settings;
  const mapped = Object.values(roles).flat();
  const limited = { ...budgets.ranks, ...budgets.people };
  const count = Object.keys(limited).length;
  return [
    ...(region === undefined
      ? []
      : [words.say("erasure.settings.region", { country: words.country(region) })]),
    ...(timeZone === undefined ? [] : [words.say("erasure.settings.zone", { zone: timeZone })]),
    ...(mapped.length === 0
      ? []
      : [words.md("erasure.settings.roles", { roles: join(mapped.map(roleMention), " ") })]),
    ...(count === 0 ? [] : [words.say("erasure.settings.budgets", { count })]),
    ...(reserve === undefined && quota === undefined ? [] : [words.say("erasure.settings.shares")]),
    ...(noticeChannelId === undefined ? [] : [words.say("erasure.settings.notices")]),
  ];
}

/** What of the queue and of announcements is kept; of what belongs to a watch or feed alone, that one is named. */
function queuesOf({ words }: Ctx<unknown>, { moderation, feeds }: GuildExport): readonly Text[] {
  const ids = (...kinds: (readonly { readonly id: string }[])[]) =>
    new Set(kinds.flat().map(({ id }) => id)).size;
  const counts = {
    watches: ids(moderation.watches, moderation.progress),
    comments: moderation.items.length,
    digests: moderation.digests.length,
    authors: moderation.authors.length,
    log: moderation.audit.length,
    replies: moderation.replies.length,
    feeds: ids(feeds.feeds, feeds.progress),
    announcements: feeds.announcements.length,
  } as const;
  const told = Object.entries(counts).flatMap(([what, count]) =>
    count === 0 ? [] : [words.say(`erasure.queues.${what as keyof typeof counts}`, { count })],
  );
  // A book without rules still says whom rules spare.
  const books = moderation.rules.map(({ value }) =>
    words.say("erasure.queues.rules", { count: value.rules.length }),
  );
  return [...told, ...books];
}

function restOf({ words }: Ctx<unknown>, stored: GuildExport): readonly Text[] {
  const { accessTokens, buttons, linksUnderWay } = stored;
  const counts = { tokens: accessTokens, buttons, links: linksUnderWay } as const;
  return Object.entries(counts).flatMap(([what, { count }]) =>
    count === 0 ? [] : [words.say(`erasure.rest.${what as keyof typeof counts}`, { count })],
  );
}
