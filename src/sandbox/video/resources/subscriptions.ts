import { requireViewer } from "../access.ts";
import type { ApiCall, Handler } from "../call.ts";
import {
  addSubscription,
  findProfile,
  type StoredSubscription,
  subscriptionId,
} from "../data/index.ts";
import { textAt } from "../json-body.ts";
import { toTimestamp } from "../locale.ts";
import { descending, paginateSorted } from "../paginate-sorted.ts";
import { ApiRefusal, badBody, forbidden, notFound } from "../refusal.ts";
import { type ApiParts, toList, toResource } from "../resource.ts";
import { channelThumbnails } from "../thumbnails/index.ts";

const kind = "youtube#subscription";

const parts: ApiParts<StoredSubscription> = {
  snippet: (subscription, { state, origin }) => {
    const publisher = findProfile(state, subscription.channelId);
    return {
      publishedAt: toTimestamp(subscription.subscribedAt),
      title: publisher?.name,
      description: publisher?.description,
      resourceId: { kind: "youtube#channel", channelId: subscription.channelId },
      channelId: subscription.subscriberId,
      thumbnails: channelThumbnails(origin, subscription.channelId),
    };
  },
  contentDetails: ({ channelId, unseen }, { state }) => ({
    totalItemCount: [...state.videos.values()].filter(
      (video) => video.channelId === channelId && video.privacy === "public",
    ).length,
    newItemCount: unseen,
    activityType: "all",
  }),
  subscriberSnippet: ({ subscriberId }, { state, origin }) => {
    const subscriber = findProfile(state, subscriberId);
    return {
      title: subscriber?.name,
      description: subscriber?.description,
      channelId: subscriberId,
      thumbnails: channelThumbnails(origin, subscriberId),
    };
  },
};

export const subscriptionHandlers = {
  "subscriptions.list": (call) => {
    const { query } = call;
    const only = query.list("forChannelId");
    const found = find(call).filter(
      ({ channelId }) => only.length === 0 || only.includes(channelId),
    );
    const filters = ["mine", "channelId", "mySubscribers", "myRecentSubscribers", "order"];
    const { things, envelope } = paginateSorted(call, found, {
      belongsTo: `subscriptions ${filters.map((name) => query.text(name))} ${query.list("id")} ${only}`,
      place: placeIn(call),
      goesBack: true,
    });
    const items = things.map((subscription) => toSubscription(call, subscription));
    return toList(`${kind}ListResponse`, items, envelope);
  },
  "subscriptions.insert": (call) => {
    const { state, now } = call;
    const subscriber = findProfile(state, requireViewer(call));
    if (subscriber === undefined) throw unknown("subscriberNotFound");
    const channelId = readPublisher(call);
    if (channelId === subscriber.id) throw badBody("subscription", "subscriptionForbidden", place);
    if (state.subscriptions.has(subscriptionId(subscriber.id, channelId))) {
      throw badBody("subscription", "subscriptionDuplicate", place);
    }
    const made = addSubscription(state, { id: subscriber.id, channelId, at: now });
    countSubscribers(call, channelId, 1);
    return toSubscription(call, made);
  },
  "subscriptions.delete": (call) => {
    const { state, query } = call;
    const subscription = state.subscriptions.get(query.text("id") ?? "");
    if (subscription === undefined) throw notFound("subscription", "subscriptionNotFound", "id");
    if (subscription.subscriberId !== requireViewer(call)) {
      throw forbidden("subscription", "subscriptionForbidden");
    }
    state.subscriptions.delete(subscription.id);
    countSubscribers(call, subscription.channelId, -1);
    return undefined;
  },
} as const satisfies Record<string, Handler>;

function toSubscription(call: ApiCall, subscription: StoredSubscription): object {
  return toResource(call, { kind, id: subscription.id, thing: subscription, parts });
}

const place = "snippet.resourceId";

function find(call: ApiCall): StoredSubscription[] {
  const { query, state, viewer } = call;
  const all = [...state.subscriptions.values()];
  const isShown = ({ subscriberId }: StoredSubscription): boolean =>
    subscriberId === viewer || !state.privateFollowers.has(subscriberId);
  if (query.has("id")) return all.filter(({ id }) => query.list("id").includes(id)).filter(isShown);
  if (query.flag("mySubscribers") || query.flag("myRecentSubscribers")) {
    const channelId = requireViewer(call);
    return all.filter((subscription) => subscription.channelId === channelId).filter(isShown);
  }
  const subscriberId = query.flag("mine") ? requireViewer(call) : (query.text("channelId") ?? "");
  if (findProfile(state, subscriberId) === undefined) {
    throw notFound("subscription", "subscriberNotFound", "channelId");
  }
  if (subscriberId !== viewer && state.privateFollowers.has(subscriberId)) {
    throw forbidden("subscription", "subscriptionForbidden");
  }
  return all.filter((subscription) => subscription.subscriberId === subscriberId);
}

/** The other side is what a list is about: whom one follows, or who follows one. */
function placeIn({ query, state }: ApiCall): (subscription: StoredSubscription) => string {
  const areFollowers = query.flag("mySubscribers") || query.flag("myRecentSubscribers");
  const newest = ({ subscribedAt, id }: StoredSubscription): string => descending(subscribedAt, id);
  const order = query.flag("myRecentSubscribers") ? "relevance" : query.text("order");
  if (order === "unread") return (one) => descending(one.unseen, newest(one));
  if (order !== "alphabetical") return newest;
  return (one) => {
    const name = findProfile(state, areFollowers ? one.subscriberId : one.channelId)?.name ?? "";
    return `${name.toLowerCase()} ${one.id}`;
  };
}

function readPublisher({ body, state }: ApiCall): string {
  const kindGiven = textAt(body, `${place}.kind`) ?? "youtube#channel";
  const channelId = textAt(body, `${place}.channelId`);
  if (channelId === undefined || channelId === "" || kindGiven !== "youtube#channel") {
    throw badBody("subscription", "publisherRequired", place);
  }
  if (findProfile(state, channelId) === undefined) throw unknown("publisherNotFound");
  return channelId;
}

function countSubscribers({ state }: ApiCall, channelId: string, change: number): void {
  const channel = state.channels.get(channelId);
  if (channel !== undefined) channel.subscribers += change;
}

function unknown(reason: string): ApiRefusal {
  return new ApiRefusal(404, {
    reason,
    message: `There is no such channel (${reason}).`,
    domain: "youtube.subscription",
    place: { location: `body.${place}`, locationType: "other" },
  });
}
