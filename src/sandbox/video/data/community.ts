import { stableId } from "./random.ts";
import type { StoredMembership, StoredSubscription } from "./records.ts";
import type { VideoState } from "./state.ts";

/** Adds a subscription; there is one at most between two channels. */
export function addSubscription(
  state: VideoState,
  { id, channelId, at }: { readonly id: string; readonly channelId: string; readonly at: number },
): StoredSubscription {
  const subscription = {
    id: subscriptionId(id, channelId),
    subscriberId: id,
    channelId,
    subscribedAt: Math.floor(at),
    unseen: (id.charCodeAt(5) + channelId.charCodeAt(9)) % 4,
  };
  state.subscriptions.set(subscription.id, subscription);
  return subscription;
}

export function subscriptionId(subscriberId: string, channelId: string): string {
  return stableId(`subscription ${subscriberId} ${channelId}`, 43);
}

export function addMembership(
  state: VideoState,
  {
    memberId,
    levelId,
    now,
  }: { readonly memberId: string; readonly levelId: string; readonly now: number },
): StoredMembership {
  const channelId = state.ownChannelId;
  const known = state.memberships.find(
    (one) => one.memberId === memberId && one.channelId === channelId,
  );
  const membership = known ?? { channelId, memberId, since: now, levelId, levelSince: now };
  if (known === undefined) state.memberships.push(membership);
  membership.levelId = levelId;
  membership.levelSince = now;
  state.memberNews.push(membership);
  return membership;
}
