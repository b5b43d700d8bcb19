import {
  type Card,
  type Ctx,
  card,
  compact,
  type Field,
  join,
  link,
  md,
  type Press,
  pages,
  type Text,
  time,
  type Words,
} from "../../discord/index.ts";
import type { ConsentedChannel, Permission } from "../../oauth/index.ts";
import type { CredentialFacts } from "../../store/index.ts";

/** A linked channel's name on this server. */
export function nameOf({ name, channelTitle, channelId }: CredentialFacts, words: Words): string {
  return name ?? channelTitle ?? channelId ?? words.say("common.untitled");
}

/** A channel that somebody is to confirm. */
export interface Asked {
  readonly channel: ConsentedChannel;
  readonly server: string;
  readonly permissions: readonly Permission[];
  /** Ticked and not granted. */
  readonly missing?: readonly Permission[] | undefined;
  /** Its name on this server. */
  readonly name?: string | undefined;
  /** When an access token expires. */
  readonly endsAt?: Date | undefined;
  readonly until: Date;
  readonly yes: Press;
  readonly no: Press;
}

/** Asks whether that is the person's channel. */
export function askAbout(asked: Asked, words: Words): Card {
  const { channel, server, until, yes, no } = asked;
  const { channelId, title, thumbnailUrl } = channel;
  return card({
    title: words.say("linking.ask.title"),
    text: words.md("linking.ask.text", {
      channel: link(title, pages.channel(channelId)),
      server,
      until: time(until, "t"),
    }),
    fields: fieldsOf(asked, words),
    ...(thumbnailUrl !== undefined && { thumbnail: thumbnailUrl }),
    buttons: [
      { label: words.say("linking.ask.yes"), style: "success", press: yes },
      { label: words.say("linking.ask.no"), press: no },
    ],
  });
}

function fieldsOf(asked: Asked, words: Words): readonly Field[] {
  const { channel, permissions, missing = [], name, endsAt } = asked;
  const subscribers = words.short(channel.subscribers);
  return compact([
    name !== undefined && { name: words.say("linking.ask.name"), value: name },
    subscribers !== undefined && { name: words.say("cards.subscribers"), value: subscribers },
    { name: words.say("linking.ask.granted"), value: ticks(permissions, words) },
    missing.length > 0 && { name: words.say("linking.ask.missing"), value: ticks(missing, words) },
    endsAt !== undefined && { name: words.say("linking.ask.ends"), value: endsOf(endsAt, words) },
  ]);
}

/** One line each, worded as on the web page. */
export function ticks(permissions: readonly Permission[], words: Words): Text {
  if (permissions.length === 0) return words.say("linking.nothing");
  return join(permissions.map((one) => md`- ${words.say(`web.permissions.${one}.title`)}`));
}

/** An access token can't be renewed. */
export function endsOf(endsAt: Date, words: Words): Text {
  return words.md("linking.ends", { at: time(endsAt, "t") });
}

type Kept = Pick<Asked, "channel" | "permissions" | "endsAt" | "name">;

/** The card of a channel that is linked now, with what to do next. */
export async function linkedCard(kept: Kept, ctx: Ctx): Promise<Card> {
  const { words } = ctx;
  const { channel, permissions, endsAt, name } = kept;
  const { channelId, title, thumbnailUrl } = channel;
  const [first] = await ctx.credentials.channels();
  return card({
    title: words.say("linking.linked.title", { channel: name ?? title }),
    url: pages.channel(channelId),
    text: join([
      actsWhen(channelId, first, words),
      endsAt !== undefined && endsOf(endsAt, words),
      ...next(permissions, words),
    ]),
    ...(thumbnailUrl !== undefined && { thumbnail: thumbnailUrl }),
    footer: words.say("linking.linked.footer"),
  });
}

/** Another channel does not become the default by being linked. */
function actsWhen(channelId: string, first: CredentialFacts | undefined, words: Words): Text {
  if (first === undefined || first.channelId === channelId) return words.say("linking.linked.text");
  return words.md("linking.linked.other", {
    name: nameOf(first, words),
    option: words.option("as"),
    command: words.command("connect channels"),
  });
}

/** A command to try for each granted permission. */
const steps = {
  read: "playlists uploads",
  comments: "comments held",
  upload: "videos upload",
  memberships: "members list",
} as const satisfies Record<Permission, string>;

function next(permissions: readonly Permission[], words: Words): readonly Text[] {
  return permissions.map((one) =>
    words.md("linking.linked.next", {
      command: words.command(steps[one]),
      what: words.say(`web.permissions.${one}.title`),
    }),
  );
}
