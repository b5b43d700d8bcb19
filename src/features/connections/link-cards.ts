import {
  type Card,
  card,
  channelMention,
  compact,
  join,
  link,
  md,
  type Press,
  type Text,
  time,
  type Words,
} from "../../discord/index.ts";
import { type ConsentedChannel, isIncluded, type Permission } from "../../oauth/index.ts";
import type { CredentialFacts } from "../../store/index.ts";
import { youtubePages } from "../../video/index.ts";
import { nextSteps } from "../cards/index.ts";
import type { Ctx } from "../context/index.ts";

/** A linked channel's name on this server. */
export function linkedChannelName(
  { name, channelTitle, channelId }: CredentialFacts,
  words: Words,
): string {
  return name ?? channelTitle ?? channelId ?? words.say("common.untitled");
}

/** A channel to be linked, which somebody has to confirm. */
interface LinkQuestion {
  readonly channel: ConsentedChannel;
  readonly server: string;
  readonly permissions: readonly Permission[];
  /** The permissions that were ticked but not granted. */
  readonly missing?: readonly Permission[] | undefined;
  /** The name that it gets on this server. */
  readonly name?: string | undefined;
  /** When an access token expires. */
  readonly endsAt?: Date | undefined;
  readonly until: Date;
  /** Whether a code is asked for, which the browser shows. */
  readonly asksCode?: boolean;
  readonly yes: Press;
  readonly no: Press;
}

/** Asks whether that is the person's channel. */
export function askAboutLink(question: LinkQuestion, words: Words): Card {
  const { channel, server, until, asksCode = false, yes, no } = question;
  const { channelId, title, thumbnailUrl } = channel;
  const { permissions, missing = [], name, endsAt } = question;
  const subscribers = words.short(channel.subscribers);
  return card({
    title: words.say("linking.ask.title"),
    text: join([
      words.md("linking.ask.text", {
        channel: link(title, youtubePages.channel(channelId)),
        server,
        until: time(until, "t"),
      }),
      asksCode && words.say("linking.ask.code"),
    ]),
    fields: compact([
      name !== undefined && { name: words.say("linking.ask.name"), value: name },
      subscribers !== undefined && { name: words.say("cards.subscribers"), value: subscribers },
      { name: words.say("linking.ask.granted"), value: describePermissions(permissions, words) },
      missing.length > 0 && {
        name: words.say("linking.ask.missing"),
        value: describePermissions(missing, words),
      },
      endsAt !== undefined && {
        name: words.say("linking.ask.ends"),
        value: describeTokenEnd(endsAt, words),
      },
    ]),
    thumbnail: thumbnailUrl,
    buttons: [
      { label: words.say("linking.ask.yes"), style: "success", press: yes },
      { label: words.say("linking.ask.no"), press: no },
    ],
  });
}

/** The permissions, one per line, in the words of the web page. */
export function describePermissions(permissions: readonly Permission[], words: Words): Text {
  if (permissions.length === 0) return words.say("linking.nothing");
  return join(
    permissions.map((one) => {
      const title = words.say(`web.permissions.${one}.title`);
      if (one !== "upload" || !isIncluded(one, permissions)) return md`- ${title}`;
      const other = words.say("web.permissions.comments.title");
      return md`- ${words.say("web.permissions.with", { title, other })}`;
    }),
  );
}

/** An access token can't be renewed. */
export function describeTokenEnd(endsAt: Date, words: Words): Text {
  return words.md("linking.ends", { at: time(endsAt, "t") });
}

type LinkedChannelFacts = Pick<LinkQuestion, "channel" | "permissions" | "endsAt" | "name">;

/** The card of a channel that has just been linked, with what to do next. */
export async function linkedChannelCard(facts: LinkedChannelFacts, ctx: Ctx): Promise<Card> {
  const { words } = ctx;
  const { channel, permissions, endsAt, name } = facts;
  const { channelId, title, thumbnailUrl } = channel;
  const [first] = await ctx.credentials.channels();
  const watches = (await ctx.moderation.watches.pollSoon(channelId)).filter((one) => one.isKeyOnly);
  const acting = watches.length === 0 ? 0 : await countActingRules(ctx);
  // A second channel does not become the default.
  const isDefault = first === undefined || first.channelId === channelId;
  return card({
    title: words.say("linking.linked.title", { channel: name ?? title }),
    url: youtubePages.channel(channelId),
    text: join([
      isDefault
        ? words.say("linking.linked.text")
        : words.md("linking.linked.other", {
            name: linkedChannelName(first, words),
            option: words.option("as"),
            command: words.mention("connect channels"),
          }),
      endsAt !== undefined && describeTokenEnd(endsAt, words),
      watches.length > 0 &&
        words.md("linking.linked.watches", {
          places: join(
            watches.map((one) => channelMention(one.channelId)),
            ", ",
          ),
        }),
      acting > 0 &&
        words.md("linking.linked.rules", { count: acting, command: words.mention("rules list") }),
      ...permissions.map((one) =>
        words.md("linking.linked.next", {
          command: words.mention(nextCommands[one]),
          what: words.say(`web.permissions.${one}.title`),
        }),
      ),
    ]),
    thumbnail: thumbnailUrl,
    buttons: await nextSteps(ctx, "channel"),
    footer: words.say("linking.linked.footer"),
  });
}

/** How many rules act by themselves once a channel is linked; with a key alone they only suggested. */
async function countActingRules({ moderation }: Ctx): Promise<number> {
  const { rules } = await moderation.rules.book();
  return rules.filter(({ does, isOn }) => does === "act" && isOn).length;
}

/** A command to try for each granted permission. */
const nextCommands = {
  read: "playlists uploads",
  comments: "comments held",
  upload: "videos upload",
  memberships: "members list",
} as const satisfies Record<Permission, string>;
