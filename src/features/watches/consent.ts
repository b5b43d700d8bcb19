import {
  type Button,
  channelMention,
  join,
  mention,
  type Notice,
  type NotificationContext,
  type NotificationReply,
  notice,
  reaches,
  type Text,
  time,
  type Words,
} from "../../discord/index.ts";
import type {
  DecisionKind,
  HeldComment,
  ModerationNotifications,
  Watch,
} from "../../moderation/index.ts";
import { youtubePages } from "../../video/index.ts";
import { presses } from "../cards/index.ts";
import type { Ctx } from "../context/index.ts";
import { action, type FeatureAction } from "../declarations/index.ts";
import { noWatchNotice } from "./find-watch.ts";
import { watchedChannelName } from "./watched-comments.ts";

/** What a moderator wanted to do, which only the channel itself can. */
export type ConsentUse = DecisionKind | "reply";

/** The watch, if nothing can be sent to YouTube from its cards, because its channel is not linked. */
export async function findKeyOnlyWatch(ctx: Ctx, watchId: string): Promise<Watch | undefined> {
  const all = await ctx.moderation.watches.all();
  return all.find(({ id, isKeyOnly }) => id === watchId && isKeyOnly === true);
}

/** Says that nothing was sent, what is missing, who can give it, and what works without it. */
export async function consentNotice(
  ctx: Ctx,
  watch: Watch,
  { use, item }: { readonly use: ConsentUse; readonly item?: HeldComment | undefined },
): Promise<Notice> {
  const { words } = ctx;
  const channel = watchedChannelName(await ctx.credentials.channels(), watch);
  return notice({
    tone: "neutral",
    title: words.say("watch.consent.title", { use }),
    text: join([
      words.md("watch.consent.text", { channel }),
      await describeConsentGivers(ctx),
      words.say("watch.consent.until", { button: words.say("watch.button.handled") }),
    ]),
    buttons: [...consentButtons(ctx, watch), ...studioButtons(watch, item, words)],
    isPrivate: true,
  });
}

/** Who can link the channel, and how. */
export async function describeConsentGivers(ctx: Ctx): Promise<Text> {
  const { words, rank, credentials } = ctx;
  const command = words.mention("connect channel");
  if (reaches(rank, "owner")) return words.md("watch.consent.you", { command });
  const key = await credentials.facts("video-key");
  return key === undefined
    ? words.md("watch.consent.somebody", { command })
    : words.md("watch.consent.person", { command, person: mention(key.addedBy) });
}

/** To link the channel, or to ask those who may. */
export function consentButtons(
  { words, rank }: Pick<Ctx, "words" | "rank">,
  { id: watchId }: Watch,
): readonly Button[] {
  if (reaches(rank, "owner")) return [linkButton(words)];
  return [{ label: words.say("watch.consent.ask"), press: askForConsent.press({ watchId }) }];
}

/** Opens YouTube Studio at the comments of the comment's video, or of the channel. */
export function studioButtons(
  { source }: Pick<Watch, "source">,
  item: HeldComment | undefined,
  words: Words,
): readonly Button[] {
  const videoId = item?.comment.videoId;
  const url =
    videoId === undefined ? youtubePages.studioChannel(source) : youtubePages.studioVideo(videoId);
  return [{ label: words.say("watch.button.studio"), url }];
}

const askForConsent = action<{ readonly watchId: string }>({
  name: "watch.ask-consent",
  rank: "moderator",
  answer: "private",
  run: async (ctx, { watchId }) => {
    const { words } = ctx;
    const asked = await ctx.moderation.watches.askForConsent(watchId, ctx.userId);
    if (asked === undefined)
      return { ...noWatchNotice(ctx), title: words.say("watch.status.gone") };
    return notice({
      tone: asked.isNew ? "good" : "neutral",
      title: words.say(asked.isNew ? "watch.consent.asked" : "watch.consent.asked_before"),
      text: words.md("watch.consent.asked_text", { at: time(new Date(asked.at)) }),
    });
  },
});

/** For those who can link channels. */
export async function consentRequest(
  { words, channels }: NotificationContext,
  { watch, by }: ModerationNotifications["watch-consent"],
): Promise<NotificationReply> {
  const channel = watchedChannelName(await channels(), watch);
  const place = channelMention(watch.channelId);
  const command = words.mention("connect channel");
  return notice({
    tone: "neutral",
    title: words.say("watch.consent.request", { channel }),
    text: words.md("watch.consent.request_text", { who: mention(by), channel, place, command }),
    buttons: [linkButton(words)],
  });
}

function linkButton(words: Words): Button {
  return {
    label: words.say("common.link_channel"),
    style: "primary",
    press: presses.connection.reconnect({}),
  };
}

export const consentActions: readonly FeatureAction<never>[] = [askForConsent];
