import { seededRandom, stableId } from "./random.ts";
import { shuffle } from "./series.ts";
import type { World } from "./types.ts";

const dayMs = 86_400_000;

export interface Subscription {
  readonly id: string;
  /** A channel or a person. */
  readonly subscriberId: string;
  readonly channelId: string;
  readonly subscribedAt: number;
  /** Uploads that the subscriber has not seen. */
  readonly unseen: number;
}

/** A membership level that a creator offers; the later in the list, the more it gives. */
export interface Level {
  readonly id: string;
  readonly channelId: string;
  readonly name: string;
}

export interface Membership {
  readonly channelId: string;
  readonly memberId: string;
  readonly since: number;
  levelId: string;
  /** When this level was reached. */
  levelSince: number;
}

/** Subscriptions, likes and memberships. */
export interface Fellowship {
  readonly subscriptions: Map<string, Subscription>;
  /** When a channel liked a video, by both ids with a space between them. */
  readonly likedAt: Map<string, number>;
  /** Channels and people that don't show whom they follow. */
  readonly privateFollowers: Set<string>;
  readonly levels: Level[];
  readonly memberships: Membership[];
  /** Everyone who joined or rose since the start, in that order. */
  readonly memberNews: Membership[];
}

export function noFellowship(): Fellowship {
  return {
    subscriptions: new Map(),
    likedAt: new Map(),
    privateFollowers: new Set(),
    levels: [],
    memberships: [],
    memberNews: [],
  };
}

const levelNames = ["Stagehand", "Front Row", "Green Room"];
const memberCount = 64;

export function addFellowship(world: World, now: number): void {
  const random = seededRandom(5);
  const channels = [...world.channels.values()];
  const people = [...world.people.values()].filter(({ isGone }) => !isGone);
  for (const { id, handle } of channels) {
    if (handle === "@lowtidemusic") world.privateFollowers.add(id);
    const others = shuffle(
      channels.filter((other) => other.id !== id),
      random,
    );
    for (const other of others.slice(0, 3 + Math.floor(random() * 4))) {
      follow(world, { id, channelId: other.id, at: now - random() * 900 * dayMs });
    }
  }
  for (const [index, { id, joinedAt }] of people.entries()) {
    if (index % 3 === 2) world.privateFollowers.add(id);
    const some = [1, 2].map(() => channels[1 + Math.floor(random() * (channels.length - 1))]);
    for (const channel of [random() < 0.5 ? channels[0] : undefined, ...some]) {
      if (channel === undefined) continue;
      follow(world, { id, channelId: channel.id, at: now - random() * (now - joinedAt) });
    }
  }
  for (const [channelId, liked] of world.likes) {
    for (const [place, id] of liked.entries()) {
      const at = world.videos.get(id)?.publishedAt ?? 0;
      // Newest first, as the list is, and none before the video was there.
      world.likedAt.set(`${channelId} ${id}`, Math.max(at, now - (place + 1) * 4 * dayMs));
    }
  }
  addMembers(world, { now, random });
}

function addMembers(
  world: World,
  { now, random }: { readonly now: number; readonly random: () => number },
): void {
  const channelId = world.ownChannelId;
  for (const name of levelNames) {
    world.levels.push({ id: `Ug${stableId(`level ${name}`, 24)}`, channelId, name });
  }
  const people = [...world.people.values()].filter(({ isGone }) => !isGone);
  for (const { id } of shuffle(people, random).slice(0, memberCount)) {
    const since = Math.floor(now - random() * 700 * dayMs);
    const level = world.levels[Math.floor(random() ** 2 * world.levels.length)];
    const levelSince = random() < 0.2 ? Math.floor(since + (now - since) * random()) : since;
    world.memberships.push({
      channelId,
      memberId: id,
      since,
      levelId: level?.id ?? "",
      levelSince,
    });
  }
}

/** Adds a subscription; there is one at most between two channels. */
export function follow(
  world: World,
  { id, channelId, at }: { readonly id: string; readonly channelId: string; readonly at: number },
): Subscription {
  const subscription = {
    id: subscriptionId(id, channelId),
    subscriberId: id,
    channelId,
    subscribedAt: Math.floor(at),
    unseen: (id.charCodeAt(5) + channelId.charCodeAt(9)) % 4,
  };
  world.subscriptions.set(subscription.id, subscription);
  return subscription;
}

export function subscriptionId(subscriberId: string, channelId: string): string {
  return stableId(`subscription ${subscriberId} ${channelId}`, 43);
}

/** Somebody becomes a member, or rises to another level. */
export function join(
  world: World,
  {
    memberId,
    levelId,
    now,
  }: { readonly memberId: string; readonly levelId: string; readonly now: number },
): Membership {
  const channelId = world.ownChannelId;
  const known = world.memberships.find(
    (one) => one.memberId === memberId && one.channelId === channelId,
  );
  const membership = known ?? { channelId, memberId, since: now, levelId, levelSince: now };
  if (known === undefined) world.memberships.push(membership);
  membership.levelId = levelId;
  membership.levelSince = now;
  world.memberNews.push(membership);
  return membership;
}
