import {
  card,
  channelMention,
  join,
  link,
  notice,
  type Reply,
  type Text,
  type TextChannel,
} from "../../discord/index.ts";
import type { RuleBook } from "../../moderation/index.ts";
import { youtubePages } from "../../video/index.ts";
import type { Ctx, CtxFor } from "../context/index.ts";
import { action, option } from "../declarations/index.ts";
import { requireWritableText } from "../options/index.ts";
import {
  askAboutPublicPlace,
  chosenPlace,
  type PlaceAnswer,
  publicPlaceLine,
} from "../private-places/index.ts";
import { channels, exemptAuthors } from "../suggestions/index.ts";
import { findRuleAuthors } from "./draft.ts";
import { mayReadMembers } from "./list.ts";

export const exemptOptions = {
  add: option.channels({ suggest: channels }),
  remove: option.text({ suggest: exemptAuthors }),
  members: option.flag({}),
};

/** Changes whose comments are exempt from all rules, and shows the result. @throws InputError `rule_authors` */
export async function changeExemptions(ctx: CtxFor<typeof exemptOptions>): Promise<Reply> {
  const { add, remove, members } = ctx.options;
  const { rules } = ctx.moderation;
  const before = await rules.book();
  const added = add === undefined ? [] : await findRuleAuthors(ctx, add);
  const name = remove?.trim().toLowerCase() ?? "";
  const taken =
    remove === undefined
      ? undefined
      : before.spared.authors.find(
          (author) => name.includes(author.id.toLowerCase()) || author.name?.toLowerCase() === name,
        );
  if (remove !== undefined && taken === undefined) {
    return notice({
      tone: "bad",
      title: ctx.words.say("rules.exempt.not_there"),
      isPrivate: true,
    });
  }
  const isChange = added.length > 0 || taken !== undefined || members !== undefined;
  if (!isChange) return exemptionsCard(ctx, before, "rules.exempt.title");
  const after = await rules.configure(({ spared, ...stored }) => {
    const others = spared.authors.filter(({ id }) => id !== taken?.id);
    const authors = new Map([...others, ...added].map((author) => [author.id, author]));
    const whose = { members: members ?? spared.members, authors: [...authors.values()] };
    return { ...stored, spared: whose };
  });
  return exemptionsCard(ctx, after, "rules.exempt.saved");
}

async function exemptionsCard(
  ctx: Ctx,
  { spared }: RuleBook,
  title: "rules.exempt.title" | "rules.exempt.saved",
): Promise<Reply> {
  const { words } = ctx;
  const { members, authors } = spared;
  const lines: Text[] = [
    words.say("rules.exempt.channel"),
    words.say(members ? "rules.exempt.members_on" : "rules.exempt.members_off"),
    ...authors.map(({ id, name }) => link(name ?? id, youtubePages.channel(id))),
    ...(authors.length === 0 ? [words.say("rules.exempt.nobody")] : []),
  ];
  const isUnread = members && !(await mayReadMembers(ctx));
  const listed = join(lines.map((line) => join(["•", line], " ")));
  return card({
    title: words.say(title),
    text: isUnread ? join([listed, words.say("rules.members_unread")], "\n\n") : listed,
    isPrivate: true,
  });
}

interface RuleLogOptions {
  readonly channel?: TextChannel | undefined;
  readonly perDay?: number | undefined;
  /** Somebody answered that everyone may read it. */
  readonly mayBePublic?: boolean;
}

/**
 * Sets where the bot reports what rules did, and how much they may do a day; without options it shows both. Asks first where
 * everyone can read the channel.
 * @throws InputError `channel_not_writable`
 */
export async function configureRuleLog(
  ctx: Ctx,
  { channel, perDay, mayBePublic }: RuleLogOptions,
): Promise<Reply> {
  const { rules } = ctx.moderation;
  if (channel !== undefined) requireWritableText(channel);
  if (channel === undefined && perDay === undefined) {
    return logNotice(ctx, await rules.book(), "rules.log.title");
  }
  if (channel !== undefined && mayBePublic !== true) {
    const question = await askAboutPublicPlace(ctx, {
      place: channel,
      seen: ctx.words.say("rules.log.seen"),
      newName: ctx.serverWords.say("rules.log.new_name"),
      press: (answer) => reportThere.press({ answer, perDay }),
    });
    if (question !== undefined) return question;
  }
  const book = await rules.configure(({ logMayBePublic, ...stored }) => ({
    ...stored,
    ...(channel === undefined
      ? { ...(logMayBePublic && { logMayBePublic }) }
      : { logChannelId: channel.id, ...(mayBePublic && { logMayBePublic: true as const }) }),
    ...(perDay !== undefined && { dailyCap: perDay }),
  }));
  return logNotice(ctx, book, "rules.log.saved");
}

/** After the question about a channel that everyone can read. */
const reportThere = action<{ readonly answer: PlaceAnswer; readonly perDay?: number | undefined }>({
  name: "rules.log-there",
  rank: "manager",
  isOnce: true,
  run: async (ctx, { answer, perDay }, { values: [chosen] }) => {
    const newName = ctx.serverWords.say("rules.log.new_name");
    const { place, mayBePublic } = await chosenPlace(ctx, answer, { chosen, newName });
    return configureRuleLog(ctx, { channel: place, perDay, mayBePublic });
  },
});

async function logNotice(
  ctx: Ctx,
  { dailyCap, logChannelId, logMayBePublic }: RuleBook,
  title: "rules.log.title" | "rules.log.saved",
): Promise<Reply> {
  const { words } = ctx;
  const lines: readonly Text[] = [
    logChannelId === undefined
      ? words.say("rules.list.log_watch")
      : words.md("rules.list.log", { channel: channelMention(logChannelId) }),
    ...(logChannelId === undefined
      ? []
      : await publicPlaceLine(ctx, { id: logChannelId, mayBePublic: logMayBePublic })),
    words.say("rules.log.cap", { cap: dailyCap }),
  ];
  return notice({
    tone: title === "rules.log.saved" ? "good" : "neutral",
    title: words.say(title),
    text: join(lines),
    ...(logChannelId !== undefined && {
      buttons: [{ label: words.say("rules.log.clear"), press: clearLogChannel.press(null) }],
    }),
  });
}

const clearLogChannel = action<null>({
  name: "rules.log-clear",
  rank: "manager",
  run: async (ctx) => {
    const { rules } = ctx.moderation;
    const book = await rules.configure(
      ({ logChannelId: _, logMayBePublic: __, ...stored }) => stored,
    );
    return logNotice(ctx, book, "rules.log.saved");
  },
});

export const ruleSettingsActions = [clearLogChannel, reportThere] as const;
