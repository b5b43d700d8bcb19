import { ask, card, join, notice, type Reply, typedText } from "../../discord/index.ts";
import { InputError } from "../../errors.ts";
import {
  type MethodParams,
  type Subscription,
  smallThumbnail,
  youtubePages,
} from "../../video/index.ts";
import {
  type ChannelRef,
  channelNamedBy,
  readBareId,
  readLinkKind,
} from "../../video-links/index.ts";
import { formatPublished, presentFields, presses } from "../cards/index.ts";
import { findChannel } from "../channels/index.ts";
import type { Ctx } from "../context/index.ts";
import { action, actionFor } from "../declarations/index.ts";

interface SubscriptionToRemove {
  readonly id: string;
  readonly channelId: string;
  readonly name: string;
}

export const subscribeAction = actionFor(presses.channel.subscribe, {
  method: "subscriptions.insert",
  uses: ["channels.list", "subscriptions.list"],
  run: subscribe,
});

export const askUnsubscribe = action<SubscriptionToRemove>({
  name: "subscriptions.ask-remove",
  answer: "private",
  by: "anyone",
  method: "subscriptions.delete",
  uses: ["subscriptions.list"],
  run: async (ctx, { id }) => askAbout(ctx, await byId(ctx, id)),
});

export const unsubscribeNow = action<SubscriptionToRemove>({
  name: "subscriptions.remove-now",
  isOnce: true,
  method: "subscriptions.delete",
  run: async (ctx, { id, channelId, name }) => {
    const { signal, words } = ctx;
    ctx.named(id, { title: name, channelId });
    await ctx.own.call("subscriptions.delete", { id }, { signal });
    return notice({
      tone: "good",
      title: words.say("subscriptions.remove.done", { channel: name }),
      buttons: [
        {
          label: words.say("subscriptions.remove.again"),
          press: presses.channel.subscribe(channelId),
        },
      ],
    });
  },
});

/**
 * Subscribes the linked channel, unless it already is subscribed. It reads first, because a read costs one unit, and a
 * refused write costs as much as a successful one.
 * @throws InputError `subscribe_to_self`; what `findChannel` throws
 */
export async function subscribe(ctx: Ctx, ref: ChannelRef): Promise<Reply> {
  const { signal } = ctx;
  if ("id" in ref && ref.id === ctx.channelId) throw selfError();
  const { id, title } = await findChannel(ctx, ref);
  if (id === ctx.channelId) throw selfError();
  const before = await subscriptionTo(ctx, id);
  if (before !== undefined)
    return subscribedCard(ctx, before, { channelId: id, name: title, isNew: false });
  const resourceId = { kind: "youtube#channel", channelId: id };
  const params: MethodParams<"subscriptions.insert"> = {
    part: ["snippet"],
    body: { snippet: { resourceId } },
  };
  const made = await ctx.own.call("subscriptions.insert", params, { signal });
  return subscribedCard(ctx, made, { channelId: id, name: title, isNew: true });
}

interface SubscribedChannel {
  readonly channelId: string;
  readonly name: string;
  readonly isNew: boolean;
}

function subscribedCard(
  { words }: Ctx,
  { id = "", snippet }: Subscription,
  { channelId, name, isNew }: SubscribedChannel,
): Reply {
  return card({
    title: words.say(isNew ? "subscriptions.add.done" : "subscriptions.add.there", {
      channel: name,
    }),
    url: youtubePages.channel(channelId),
    fields: presentFields(words, [
      ["subscriptions.since_label", formatPublished(snippet?.publishedAt)],
    ]),
    thumbnail: smallThumbnail(snippet?.thumbnails),
    buttons: [
      { label: words.say("cards.uploads"), press: presses.channel.uploads(channelId) },
      {
        label: words.say("subscriptions.remove.press"),
        press: askUnsubscribe.press({ id, channelId, name }),
      },
    ],
  });
}

/**
 * Asks whether to end a subscription, named by its id (a suggestion) or by the channel's link, @handle or id.
 * @throws InputError `option_unreadable`, `id_kind`, `not_subscribed`, `subscription_not_found`
 */
export async function askUnsubscribeFrom(ctx: Ctx<{ readonly channel: string }>): Promise<Reply> {
  const { channel: text } = ctx.options;
  const word = readBareId(text) ?? "";
  // They are longer than handles, and unlike the ids of channels and playlists.
  const isSubscription = readLinkKind(text) === undefined && /^[\w.=-]{31,200}$/u.test(word);
  if (isSubscription) return askAbout(ctx, await byId(ctx, word));
  const ref = channelNamedBy(text);
  if (ref === undefined) throw notNamed(text);
  const { id, title } = await findChannel(ctx, ref);
  const found = await subscriptionTo(ctx, id);
  if (found === undefined) {
    throw new InputError("the channel is not among the subscriptions", {
      code: "not_subscribed",
      facts: { channel: title },
    });
  }
  return askAbout(ctx, found);
}

async function askAbout(ctx: Ctx, { id = "", snippet }: Subscription): Promise<Reply> {
  const { words } = ctx;
  const channelId = snippet?.resourceId?.channelId ?? "";
  const name = snippet?.title ?? channelId;
  return ask({
    title: words.say("subscriptions.remove.ask", { channel: name }),
    text: join(
      [words.say("subscriptions.remove.lost"), await ctx.price(["subscriptions.delete"])],
      "\n\n",
    ),
    fields: presentFields(words, [
      ["subscriptions.since_label", formatPublished(snippet?.publishedAt)],
    ]),
    thumbnail: smallThumbnail(snippet?.thumbnails),
    confirm: {
      label: words.say("subscriptions.remove.press"),
      style: "danger",
      press: unsubscribeNow.press({ id, channelId, name }),
    },
  });
}

async function subscriptionTo(ctx: Ctx, channelId: string): Promise<Subscription | undefined> {
  const wanted = { part: ["snippet"], mine: true, forChannelId: [channelId] } as const;
  const { items } = await ctx.own.call("subscriptions.list", wanted, { signal: ctx.signal });
  return items[0];
}

async function byId(ctx: Ctx, id: string): Promise<Subscription> {
  const wanted = { part: ["snippet"], id: [id] } as const;
  const { items } = await ctx.own.call("subscriptions.list", wanted, { signal: ctx.signal });
  const [found] = items;
  if (found !== undefined) return found;
  throw new InputError("there is no such subscription", { code: "subscription_not_found" });
}

function notNamed(text: string): InputError {
  const kind = readLinkKind(text);
  const typed = typedText(text);
  return new InputError("option channel is neither a subscription nor a channel", {
    code: kind === undefined ? "option_unreadable" : "id_kind",
    facts: { option: "channel", wanted: "channel", given: kind ?? typed, typed },
  });
}

function selfError(): InputError {
  return new InputError("a channel can't subscribe to itself", { code: "subscribe_to_self" });
}
