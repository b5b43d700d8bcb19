import { seededRandom, shuffle, stableId } from "./random.ts";
import type { StoredMembership, StoredSubscription } from "./records.ts";
import type { VideoState } from "./state.ts";

const dayMs = 86_400_000;

const levelNames = ["Stagehand", "Front Row", "Green Room"];
const memberCount = 64;

export function addSampleCommunity(state: VideoState, now: number): void {
  const random = seededRandom(5);
  const channels = [...state.channels.values()];
  const people = [...state.users.values()].filter(({ isGone }) => !isGone);
  for (const { id, handle } of channels) {
    if (handle === "@lowtidemusic") state.privateFollowers.add(id);
    const others = shuffle(
      channels.filter((other) => other.id !== id),
      random,
    );
    for (const other of others.slice(0, 3 + Math.floor(random() * 4))) {
      addSubscription(state, { id, channelId: other.id, at: now - random() * 900 * dayMs });
    }
  }
  for (const [index, { id, joinedAt }] of people.entries()) {
    if (index % 3 === 2) state.privateFollowers.add(id);
    const some = [1, 2].map(() => channels[1 + Math.floor(random() * (channels.length - 1))]);
    for (const channel of [random() < 0.5 ? channels[0] : undefined, ...some]) {
      if (channel === undefined) continue;
      addSubscription(state, { id, channelId: channel.id, at: now - random() * (now - joinedAt) });
    }
  }
  for (const [channelId, liked] of state.likes) {
    for (const [place, id] of liked.entries()) {
      const at = state.videos.get(id)?.publishedAt ?? 0;
      // Newest first, as the list is, and none before the video was there.
      state.likedAt.set(`${channelId} ${id}`, Math.max(at, now - (place + 1) * 4 * dayMs));
    }
  }
  addMembers(state, { now, random });
}

function addMembers(
  state: VideoState,
  { now, random }: { readonly now: number; readonly random: () => number },
): void {
  const channelId = state.ownChannelId;
  for (const name of levelNames) {
    state.levels.push({ id: `Ug${stableId(`level ${name}`, 24)}`, channelId, name });
  }
  const people = [...state.users.values()].filter(({ isGone }) => !isGone);
  for (const { id } of shuffle(people, random).slice(0, memberCount)) {
    const since = Math.floor(now - random() * 700 * dayMs);
    const level = state.levels[Math.floor(random() ** 2 * state.levels.length)];
    const levelSince = random() < 0.2 ? Math.floor(since + (now - since) * random()) : since;
    state.memberships.push({
      channelId,
      memberId: id,
      since,
      levelId: level?.id ?? "",
      levelSince,
    });
  }
}

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

/** Somebody becomes a member, or rises to another level. */
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
