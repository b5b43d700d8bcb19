import { requireViewer } from "../access.ts";
import { badBody, forbidden, notFound, notFoundInBody } from "../api-error.ts";
import type { ApiCall, Handler } from "../call.ts";
import {
  addSubscription,
  findProfile,
  type StoredSubscription,
  subscriptionId,
} from "../data/index.ts";
import { textAt } from "../json-body.ts";
import { toTimestamp } from "../locale.ts";
import { descending } from "../pages.ts";
import { defineResource } from "../resource.ts";
import { channelThumbnails } from "../thumbnails/addresses.ts";

const subscriptionResource = defineResource<StoredSubscription>(
  "subscription",
  ({ channelId, subscriberId, subscribedAt, unseen }, { state, origin }) => {
    const [publisher, subscriber] = [channelId, subscriberId].map((id) => {
      const profile = findProfile(state, id);
      const { name: title, description } = profile ?? {};
      return { title, description, thumbnails: channelThumbnails(origin, id) };
    });
    const videos = [...state.videos.values()].filter(
      (video) => video.channelId === channelId && video.privacy === "public",
    );
    return {
      snippet: {
        publishedAt: toTimestamp(subscribedAt),
        ...publisher,
        resourceId: { kind: "youtube#channel", channelId },
        channelId: subscriberId,
      },
      contentDetails: {
        totalItemCount: videos.length,
        newItemCount: unseen,
        activityType: "all",
      },
      subscriberSnippet: { ...subscriber, channelId: subscriberId },
    };
  },
);

export const subscriptionHandlers = {
  "subscriptions.list": (call) => {
    const only = call.query.list("forChannelId");
    const found = find(call).filter(
      ({ channelId }) => only.length === 0 || only.includes(channelId),
    );
    return subscriptionResource.page(call, found, { place: (one) => findPlace(one, call) });
  },
  "subscriptions.insert": (call) => {
    const { state, now, body } = call;
    const subscriber = findProfile(state, requireViewer(call));
    if (subscriber === undefined) throw notFoundInBody("subscription", "subscriberNotFound", place);
    const kind = textAt(body, `${place}.kind`) ?? "youtube#channel";
    const channelId = textAt(body, `${place}.channelId`);
    if (!channelId || kind !== "youtube#channel") {
      throw badBody("subscription", "publisherRequired", place);
    }
    if (findProfile(state, channelId) === undefined) {
      throw notFoundInBody("subscription", "publisherNotFound", place);
    }
    if (channelId === subscriber.id) throw badBody("subscription", "subscriptionForbidden", place);
    if (state.subscriptions.has(subscriptionId(subscriber.id, channelId))) {
      throw badBody("subscription", "subscriptionDuplicate", place);
    }
    const added = addSubscription(state, { id: subscriber.id, channelId, at: now });
    countSubscribers(call, channelId, 1);
    return subscriptionResource.show(call, added);
  },
  "subscriptions.delete": (call) => {
    const { state, id } = call;
    const subscription = state.subscriptions.get(id);
    if (subscription === undefined) throw notFound("subscription", "subscriptionNotFound", "id");
    if (subscription.subscriberId !== requireViewer(call)) {
      throw forbidden("subscription", "subscriptionForbidden");
    }
    state.subscriptions.delete(id);
    countSubscribers(call, subscription.channelId, -1);
    return undefined;
  },
} as const satisfies Record<string, Handler>;

const place = "snippet.resourceId";

function find(call: ApiCall): StoredSubscription[] {
  const { query, state, viewer } = call;
  const all = [...state.subscriptions.values()];
  const shown = all.filter(
    ({ subscriberId }) => subscriberId === viewer || !state.privateFollowers.has(subscriberId),
  );
  if (query.has("id")) return shown.filter(({ id }) => query.list("id").includes(id));
  if (asksForSubscribers(call)) {
    const own = requireViewer(call);
    return shown.filter(({ channelId }) => channelId === own);
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

/** The subscribers of the caller's channel, and not whom it has subscribed to. */
function asksForSubscribers({ query }: ApiCall): boolean {
  return query.flag("mySubscribers") || query.flag("myRecentSubscribers");
}

function findPlace(one: StoredSubscription, call: ApiCall): string {
  const { query, state } = call;
  const newest = descending(one.subscribedAt, one.id);
  const order = query.flag("myRecentSubscribers") ? "relevance" : query.text("order");
  if (order === "unread") return descending(one.unseen, newest);
  if (order !== "alphabetical") return newest;
  const shown = asksForSubscribers(call) ? one.subscriberId : one.channelId;
  return `${findProfile(state, shown)?.name.toLowerCase() ?? ""} ${one.id}`;
}

function countSubscribers({ state }: ApiCall, channelId: string, change: number): void {
  const channel = state.channels.get(channelId);
  if (channel !== undefined) channel.subscribers += change;
}
