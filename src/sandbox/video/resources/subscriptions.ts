import { viewerOf } from "../access.ts";
import { type Parts, toList, toResource } from "../answer.ts";
import { textAt } from "../body.ts";
import type { Call, Handler } from "../call.ts";
import { descending, walk } from "../cursor.ts";
import { toTimestamp } from "../locale.ts";
import { badBody, forbidden, notFound, Refusal } from "../refusal.ts";
import { channelThumbnails } from "../thumbnails/index.ts";
import { findProfile, follow, type Subscription, subscriptionId } from "../world/index.ts";

const kind = "youtube#subscription";

const parts: Parts<Subscription> = {
  snippet: (subscription, { world, origin }) => {
    const publisher = findProfile(world, subscription.channelId);
    return {
      publishedAt: toTimestamp(subscription.subscribedAt),
      title: publisher?.name,
      description: publisher?.description,
      resourceId: { kind: "youtube#channel", channelId: subscription.channelId },
      channelId: subscription.subscriberId,
      thumbnails: channelThumbnails(origin, subscription.channelId),
    };
  },
  contentDetails: ({ channelId, unseen }, { world }) => ({
    totalItemCount: [...world.videos.values()].filter(
      (video) => video.channelId === channelId && video.privacy === "public",
    ).length,
    newItemCount: unseen,
    activityType: "all",
  }),
  subscriberSnippet: ({ subscriberId }, { world, origin }) => {
    const subscriber = findProfile(world, subscriberId);
    return {
      title: subscriber?.name,
      description: subscriber?.description,
      channelId: subscriberId,
      thumbnails: channelThumbnails(origin, subscriberId),
    };
  },
};

export const subscriptions = {
  "subscriptions.list": (call) => {
    const { query } = call;
    const only = query.list("forChannelId");
    const found = find(call).filter(
      ({ channelId }) => only.length === 0 || only.includes(channelId),
    );
    const filters = ["mine", "channelId", "mySubscribers", "myRecentSubscribers", "order"];
    const { things, envelope } = walk(call, found, {
      belongsTo: `subscriptions ${filters.map((name) => query.text(name))} ${query.list("id")} ${only}`,
      place: placeIn(call),
      goesBack: true,
    });
    const items = things.map((subscription) => toSubscription(call, subscription));
    return toList(`${kind}ListResponse`, items, envelope);
  },
  "subscriptions.insert": (call) => {
    const { world, now } = call;
    const subscriber = findProfile(world, viewerOf(call));
    if (subscriber === undefined) throw unknown("subscriberNotFound");
    const channelId = readPublisher(call);
    if (channelId === subscriber.id) throw badBody("subscription", "subscriptionForbidden", place);
    if (world.subscriptions.has(subscriptionId(subscriber.id, channelId))) {
      throw badBody("subscription", "subscriptionDuplicate", place);
    }
    const made = follow(world, { id: subscriber.id, channelId, at: now });
    countSubscribers(call, channelId, 1);
    return toSubscription(call, made);
  },
  "subscriptions.delete": (call) => {
    const { world, query } = call;
    const subscription = world.subscriptions.get(query.text("id") ?? "");
    if (subscription === undefined) throw notFound("subscription", "subscriptionNotFound", "id");
    if (subscription.subscriberId !== viewerOf(call)) {
      throw forbidden("subscription", "subscriptionForbidden");
    }
    world.subscriptions.delete(subscription.id);
    countSubscribers(call, subscription.channelId, -1);
    return undefined;
  },
} as const satisfies Record<string, Handler>;

function toSubscription(call: Call, subscription: Subscription): object {
  return toResource(call, { kind, id: subscription.id, thing: subscription, parts });
}

const place = "snippet.resourceId";

function find(call: Call): Subscription[] {
  const { query, world, viewer } = call;
  const all = [...world.subscriptions.values()];
  const isShown = ({ subscriberId }: Subscription): boolean =>
    subscriberId === viewer || !world.privateFollowers.has(subscriberId);
  if (query.has("id")) return all.filter(({ id }) => query.list("id").includes(id)).filter(isShown);
  if (query.flag("mySubscribers") || query.flag("myRecentSubscribers")) {
    const channelId = viewerOf(call);
    return all.filter((subscription) => subscription.channelId === channelId).filter(isShown);
  }
  const subscriberId = query.flag("mine") ? viewerOf(call) : (query.text("channelId") ?? "");
  if (findProfile(world, subscriberId) === undefined) {
    throw notFound("subscription", "subscriberNotFound", "channelId");
  }
  if (subscriberId !== viewer && world.privateFollowers.has(subscriberId)) {
    throw forbidden("subscription", "subscriptionForbidden");
  }
  return all.filter((subscription) => subscription.subscriberId === subscriberId);
}

/** The other side is what a list is about: whom one follows, or who follows one. */
function placeIn({ query, world }: Call): (subscription: Subscription) => string {
  const areFollowers = query.flag("mySubscribers") || query.flag("myRecentSubscribers");
  const newest = ({ subscribedAt, id }: Subscription): string => descending(subscribedAt, id);
  const order = query.flag("myRecentSubscribers") ? "relevance" : query.text("order");
  if (order === "unread") return (one) => descending(one.unseen, newest(one));
  if (order !== "alphabetical") return newest;
  return (one) => {
    const name = findProfile(world, areFollowers ? one.subscriberId : one.channelId)?.name ?? "";
    return `${name.toLowerCase()} ${one.id}`;
  };
}

function readPublisher({ body, world }: Call): string {
  const kindGiven = textAt(body, `${place}.kind`) ?? "youtube#channel";
  const channelId = textAt(body, `${place}.channelId`);
  if (channelId === undefined || channelId === "" || kindGiven !== "youtube#channel") {
    throw badBody("subscription", "publisherRequired", place);
  }
  if (findProfile(world, channelId) === undefined) throw unknown("publisherNotFound");
  return channelId;
}

function countSubscribers({ world }: Call, channelId: string, change: number): void {
  const channel = world.channels.get(channelId);
  if (channel !== undefined) channel.subscribers += change;
}

function unknown(reason: string): Refusal {
  return new Refusal(404, {
    reason,
    message: `There is no such channel (${reason}).`,
    domain: "youtube.subscription",
    place: { location: `body.${place}`, locationType: "other" },
  });
}
