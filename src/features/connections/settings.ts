import {
  channelMention,
  join,
  notice,
  type Reply,
  roleMention,
  type Text,
  type TextChannel,
  type Words,
} from "../../discord/index.ts";
import { InputError } from "../../errors.ts";
import { timeZoneTitle } from "../../language/index.ts";
import type { RankRoles } from "../../store/index.ts";
import type { Ctx, CtxFor } from "../context/index.ts";
import { action, option } from "../declarations/index.ts";
import { requireWritableText } from "../options/index.ts";
import {
  askAboutPublicPlace,
  chosenPlace,
  type PlaceAnswer,
  publicPlaceLine,
} from "../private-places/index.ts";
import { regions, timeZones } from "../suggestions/index.ts";

export const clearRegion = action<null>({
  name: "connect.clear-region",
  rank: "owner",
  run: async (ctx) => {
    await ctx.changeSettings(({ region: _, timeZone: __, ...stored }) => stored);
    return notice({
      tone: "good",
      title: ctx.words.say("connect.region.cleared"),
      text: ctx.words.say("connect.region.cleared_text"),
    });
  },
});

export const regionOptions = {
  region: option.country({ suggest: regions }),
  "time-zone": option.timeZone({ suggest: timeZones }),
};

/** Sets the server's country and time zone; without options it shows them. */
export async function chooseRegion(ctx: CtxFor<typeof regionOptions>): Promise<Reply> {
  const { region, "time-zone": timeZone } = ctx.options;
  const change = { ...(region && { region }), ...(timeZone && { timeZone }) };
  const isChange = Object.keys(change).length > 0;
  const { now, words } = ctx;
  const settings = isChange
    ? await ctx.changeSettings((stored) => ({ ...stored, ...change }))
    : ctx.settings;
  const isChosen = settings.region !== undefined || settings.timeZone !== undefined;
  return notice({
    tone: isChange ? "good" : "neutral",
    title: words.say(isChange ? "connect.region.saved" : "connect.region.title"),
    text: words.md("connect.region.text", {
      country:
        settings.region === undefined
          ? words.say("connect.region.usual")
          : words.country(settings.region),
      zone: timeZoneTitle(settings.timeZone ?? "UTC"),
      time: localTime({ now, words, settings }),
    }),
    buttons: isChosen
      ? [{ label: words.say("connect.region.clear"), press: clearRegion.press(null) }]
      : undefined,
  });
}

/**
 * Sets the channel for notifications; without a channel it shows the current one and offers to clear it. Asks first where
 * everyone can read the channel.
 */
export async function chooseNoticeChannel(
  ctx: Ctx,
  channel: TextChannel | undefined,
  { mayBePublic = false }: { readonly mayBePublic?: boolean } = {},
): Promise<Reply> {
  const { words, settings } = ctx;
  if (channel !== undefined) {
    requireWritableText(channel);
    if (!mayBePublic) {
      const question = await askAboutPublicPlace(ctx, {
        place: channel,
        seen: words.say("linking.notices.seen"),
        newName: ctx.serverWords.say("linking.notices.new_name"),
        press: (answer) => noticesThere.press({ answer }),
      });
      if (question !== undefined) return question;
    }
    await ctx.changeSettings((stored) => ({
      ...stored,
      noticeChannelId: channel.id,
      noticesMayBePublic: mayBePublic ? true : undefined,
    }));
    return notice({
      tone: "good",
      title: words.say("linking.notices.saved"),
      text: words.md("linking.notices.text", { channel: channelMention(channel.id) }),
    });
  }
  const { noticeChannelId, noticesMayBePublic } = settings;
  if (noticeChannelId === undefined) {
    return notice({
      tone: "neutral",
      title: words.say("linking.notices.title"),
      text: words.say("linking.notices.none"),
    });
  }
  return notice({
    tone: "neutral",
    title: words.say("linking.notices.title"),
    text: join([
      words.md("linking.notices.text", { channel: channelMention(noticeChannelId) }),
      ...(await publicPlaceLine(ctx, { id: noticeChannelId, mayBePublic: noticesMayBePublic })),
    ]),
    buttons: [{ label: words.say("linking.notices.clear"), press: clearNotices.press(null) }],
  });
}

export const clearNotices = action<null>({
  name: "connect.clear-notices",
  rank: "owner",
  run: async (ctx) => {
    await ctx.changeSettings(({ noticeChannelId: _, noticesMayBePublic: __, ...stored }) => stored);
    return notice({
      tone: "good",
      title: ctx.words.say("linking.notices.cleared"),
      text: ctx.words.say("linking.notices.none"),
    });
  },
});

/** After the question about a channel that everyone can read. */
export const noticesThere = action<{ readonly answer: PlaceAnswer }>({
  name: "connect.notices-there",
  rank: "owner",
  isOnce: true,
  run: async (ctx, { answer }, { values: [chosen] }) => {
    const newName = ctx.serverWords.say("linking.notices.new_name");
    const { place, mayBePublic } = await chosenPlace(ctx, answer, { chosen, newName });
    return chooseNoticeChannel(ctx, place, { mayBePublic });
  },
});

/** Posts notices in the channel where it was pressed. */
export const noticesHere = action<null>({
  name: "connect.notices-here",
  answer: "private",
  rank: "owner",
  run: (ctx) => chooseNoticeChannel(ctx, ctx.here),
});

/** Highest first, as they are shown. */
const mappedRanks = [
  "owner",
  "manager",
  "moderator",
] as const satisfies readonly (keyof RankRoles)[];

type MappedRank = (typeof mappedRanks)[number];

/** As many as a card can show. */
const maxRoles = 20;

export const roleOptions = {
  role: option.role({}),
  rank: option.choice({ group: "rank", values: [...mappedRanks, "none"] }),
};

/** Maps a role to a rank. Without options it shows the mapping; with only one option it says what is missing. */
export async function mapRole(ctx: CtxFor<typeof roleOptions>): Promise<Reply> {
  const { settings, words } = ctx;
  const { role, rank } = ctx.options;
  if (role === undefined || rank === undefined) {
    const isHalf = role !== undefined || rank !== undefined;
    return notice({
      tone: isHalf ? "bad" : "neutral",
      title: words.say(isHalf ? "connect.roles.half" : "connect.roles.title"),
      text: words.md("connect.roles.text", {
        roles: describeMappedRoles(settings.roles, words),
        command: words.mention("connect roles"),
      }),
    });
  }
  // Everybody has @everyone, though it is not among their roles: mapping it would do nothing, or far too much.
  if (role === ctx.guildId) {
    return notice({ tone: "bad", title: words.say("connect.roles.everyone") });
  }
  const { roles } = await ctx.changeSettings((stored) => {
    return { ...stored, roles: withRole(stored.roles, role, rank) };
  });
  const name = roleMention(role);
  return notice({
    tone: "good",
    title: words.say("connect.roles.saved"),
    text: words.md("connect.roles.saved_text", {
      change: words.md("connect.roles.change", { role: name, rank }),
      roles: describeMappedRoles(roles, words),
    }),
  });
}

/** Who has each rank, one line per rank: whoever Discord's permissions give it, and the roles that were mapped. */
export function describeMappedRoles(roles: RankRoles | undefined, words: Words): Text {
  const lines = mappedRanks.map((rank) => {
    const mentions = (roles?.[rank] ?? []).map(roleMention);
    const everyone = words.say("connect.roles.permitted", { rank });
    return words.md("connect.roles.line", {
      rank: words.say(`choices.rank.${rank}`),
      roles: join([everyone, ...mentions], ", "),
    });
  });
  return join(lines);
}

/**
 * The mapping after a role got a rank, or lost it. A role has at most one rank.
 * @throws InputError `too_many_roles`
 */
function withRole(
  roles: RankRoles | undefined,
  role: string,
  rank: MappedRank | "none",
): Required<RankRoles> {
  const changed = mappedRanks.map((each) => {
    const others = (roles?.[each] ?? []).filter((id) => id !== role);
    const ids = each === rank ? [...others, role] : others;
    if (ids.length > maxRoles) {
      throw new InputError(`more than ${maxRoles} roles of a rank`, {
        code: "too_many_roles",
        facts: { most: maxRoles },
      });
    }
    return [each, ids];
  });
  return Object.fromEntries(changed);
}

/** The current time in the server's time zone. */
export function localTime({ now, settings, words }: Pick<Ctx, "now" | "settings" | "words">) {
  const timeZone = settings.timeZone ?? "UTC";
  return new Intl.DateTimeFormat(words.tag, {
    dateStyle: "medium",
    timeStyle: "short",
    timeZone,
  }).format(now());
}
