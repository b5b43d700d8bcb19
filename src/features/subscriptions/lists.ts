import {
  compact,
  cut,
  link,
  type Reply,
  type ReplyItem,
  reaches,
  type Words,
} from "../../discord/index.ts";
import { type Subscription, smallThumbnail, youtubePages } from "../../video/index.ts";
import type { ChannelRef } from "../../video-links/index.ts";
import { formatSince, presses } from "../cards/index.ts";
import { findChannel, findChannels } from "../channels/index.ts";
import type { Ctx, CtxFor } from "../context/index.ts";
import { option } from "../declarations/index.ts";
import type { FieldType } from "../extra/index.ts";
import {
  type BrowsableList,
  browse,
  formatFacts,
  itemThumbnail,
  viewAsChannel,
  viewOfIds,
} from "../lists/index.ts";
import { requireOneOf } from "../options/index.ts";
import { channels, subscriptions } from "../suggestions/index.ts";
import { askUnsubscribe } from "./subscribe.ts";

type SubscriptionOrder = FieldType<"subscriptions.list", "order">;

/** Which subscriptions to list. Stored as JSON with the list's buttons. */
type SubscriptionsQuery =
  | {
      readonly of: "channel";
      readonly channelId: string;
      readonly name: string;
      readonly only?: readonly string[] | undefined;
      readonly order?: SubscriptionOrder | undefined;
    }
  | {
      readonly of: "mine";
      readonly only?: readonly string[] | undefined;
      readonly order?: SubscriptionOrder | undefined;
    }
  | { readonly of: "subscribers"; readonly order: "newest" | "alphabetical" }
  | { readonly of: "chosen"; readonly ids: readonly string[]; readonly isPrivate: boolean };

const list: BrowsableList<SubscriptionsQuery> = browse<"subscriptions.list", SubscriptionsQuery>({
  name: "subscriptions.turn",
  method: "subscriptions.list",
  params: (query) => {
    if (query.of === "subscribers") {
      const part = ["snippet", "subscriberSnippet"] as const;
      return query.order === "newest"
        ? { part, myRecentSubscribers: true }
        : { part, mySubscribers: true, order: "alphabetical" };
    }
    if (query.of === "chosen") return { part: ["snippet", "contentDetails"], id: query.ids };
    const { only, order } = query;
    return {
      part: ["snippet", "contentDetails"],
      ...(query.of === "mine" ? { mine: true } : { channelId: query.channelId }),
      forChannelId: only,
      order,
    };
  },
  title: (query, words) =>
    query.of === "channel"
      ? words.say("subscriptions.list.title", { channel: cut(query.name, 80) })
      : words.say(`subscriptions.${query.of}.title`),
  text: (query, words) =>
    query.of === "subscribers" ? words.say("subscriptions.subscribers.note") : undefined,
  item: (subscription, { query: { of }, words, ctx }) =>
    drawSubscription(subscription, words, { of, isManager: reaches(ctx.rank, "manager") }),
  empty: (words, { of }) => words.say(`subscriptions.${of === "channel" ? "list" : of}.empty`),
  columns: {
    id: "id",
    channel: "snippet.title",
    channelId: "snippet.resourceId.channelId",
    subscriber: "subscriberSnippet.title",
    subscriberId: ({ snippet, subscriberSnippet }) =>
      subscriberSnippet?.channelId ?? snippet?.channelId,
    since: "snippet.publishedAt",
    videos: "contentDetails.totalItemCount",
    unseen: "contentDetails.newItemCount",
  },
  isPrivate: (query) => (query.of === "chosen" ? query.isPrivate : query.of !== "channel"),
});

export const subscriptionListActions = list.actions;

function drawSubscription(
  { id = "", snippet, subscriberSnippet, contentDetails }: Subscription,
  words: Words,
  { of, isManager }: Pick<SubscriptionsQuery, "of"> & { readonly isManager: boolean },
): ReplyItem {
  const isSubscriber = of === "subscribers";
  const ownerId = subscriberSnippet?.channelId ?? snippet?.channelId;
  const channelId = (isSubscriber ? ownerId : snippet?.resourceId?.channelId) ?? "";
  const shown = isSubscriber ? subscriberSnippet : snippet;
  const { title: name = channelId, description: about, thumbnails } = shown ?? {};
  const { totalItemCount: count, newItemCount: unseen = 0 } = contentDetails ?? {};
  const when = formatSince(snippet?.publishedAt);
  const isMine = of === "mine";
  return {
    title: link(cut(name, 90), youtubePages.channel(channelId)),
    lines: [
      ...formatFacts([
        when === undefined ? undefined : words.md("subscriptions.since", { when }),
        isSubscriber || count === undefined ? undefined : words.say("common.videos", { count }),
        isMine && unseen > 0 ? words.say("subscriptions.unseen", { count: unseen }) : undefined,
      ]),
      ...(about ? [cut(about.replaceAll(/\s+/gu, " "), 120)] : []),
    ],
    ...itemThumbnail(name, smallThumbnail(thumbnails), words),
    buttons: compact([
      { label: words.say("cards.details"), press: presses.channel.details(channelId) },
      !isSubscriber && {
        label: words.say("cards.uploads"),
        press: presses.channel.uploads(channelId),
      },
      isMine &&
        isManager && {
          label: words.say("subscriptions.remove.press"),
          press: askUnsubscribe.press({ id, channelId, name }),
        },
    ]),
  };
}

export const subscriptionListOptions = {
  channel: option.channel({ covers: "channelId", suggest: channels }),
  mine: option.flag({ covers: "mine" }),
  only: option.channels({ covers: "forChannelId", suggest: channels }),
  order: option.field("subscriptions.list", "order", { group: "subscription_order" }),
  subscriptions: option.ids({ of: "subscription", covers: "id", suggest: subscriptions }),
};

/**
 * A channel's public subscriptions, those of the linked channel without one; with `mine` all of the linked channel's, for
 * moderators.
 * @throws InputError `conflicting_parameters`; what `findChannel` and `viewAsChannel` throw
 */
export async function openSubscriptions(
  ctx: CtxFor<typeof subscriptionListOptions>,
): Promise<Reply> {
  const { channel, mine, only, order, subscriptions } = ctx.options;
  requireOneOf({ channel, mine, subscriptions });
  requireOneOf({ only, subscriptions });
  requireOneOf({ order, subscriptions });
  if (subscriptions !== undefined) {
    // By their own ids, no matter whose they are.
    const { view, isPrivate } = await viewOfIds(ctx, "subscriptions.list", subscriptions);
    return list.open(view, { of: "chosen", ids: subscriptions, isPrivate });
  }
  if (mine === true) {
    const view = await viewAsChannel(ctx);
    return list.open(view, { of: "mine", only: await findChannelIds(view, only), order });
  }
  const { id, title } = await findChannel(ctx, channel);
  const onlyIds = await findChannelIds(ctx, only);
  return list.open(ctx, { of: "channel", channelId: id, name: title, only: onlyIds, order });
}

/** Those of the linked channel's subscribers whose subscriptions are public. */
export function openSubscribers(
  ctx: Ctx<{ readonly order?: "newest" | "alphabetical" | undefined }>,
): Promise<Reply> {
  return list.open(ctx, { of: "subscribers", order: ctx.options.order ?? "newest" });
}

async function findChannelIds(ctx: Ctx, refs: readonly ChannelRef[] | undefined) {
  if (refs === undefined) return undefined;
  const ids = refs.flatMap((ref) => ("id" in ref ? [ref.id] : []));
  const named = refs.filter((ref) => !("id" in ref));
  return [...ids, ...(await findChannels(ctx, named)).map(({ id }) => id)];
}
