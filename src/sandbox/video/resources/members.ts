import { viewerOf } from "../access.ts";
import { etagOf, type Slice, toList, toResource } from "../answer.ts";
import type { Call, Handler } from "../call.ts";
import { descending, isToken, makeToken, readToken, tokenBelongsTo, walk } from "../cursor.ts";
import { toTimestamp } from "../locale.ts";
import { badParameter, Refusal } from "../refusal.ts";
import { profilePicture } from "../thumbnails/index.ts";
import { findProfile, type Level, type Membership } from "../world/index.ts";

const kind = "youtube#member";
const monthMs = 30.44 * 86_400_000;
const ofUpdates = "members updates";

export const members = {
  "members.list": (call) => {
    const levels = levelsOf(call, "member");
    const wanted = wantedBy(call, levels);
    const { things, envelope } =
      call.query.text("mode") === "updates" ? news(call, wanted) : current(call, wanted);
    const items = things.map((membership) => toMember(call, membership, levels));
    return toList(`${kind}ListResponse`, items, envelope);
  },
} as const satisfies Record<string, Handler>;

type Wanted = (membership: Membership) => boolean;

function wantedBy(call: Call, levels: readonly Level[]): Wanted {
  const { query } = call;
  const channelId = viewerOf(call);
  const level = query.text("hasAccessToLevel");
  const lowest = levels.findIndex(({ id }) => id === level);
  if (level !== undefined && lowest < 0) {
    throw badParameter("hasAccessToLevel", "There is no such level.", "invalidHasAccessToLevel");
  }
  const only = query.list("filterByMemberChannelId");
  return (membership) =>
    membership.channelId === channelId &&
    levels.findIndex(({ id }) => id === membership.levelId) >= lowest &&
    (only.length === 0 || only.includes(membership.memberId));
}

function current(call: Call, wanted: Wanted): Slice<Membership> {
  const { query, world } = call;
  const token = query.text("pageToken");
  if (token !== undefined && tokenBelongsTo(token, ofUpdates)) throw otherMode();
  const filters = `${query.text("hasAccessToLevel")} ${query.list("filterByMemberChannelId")}`;
  return walk(call, world.memberships.filter(wanted), {
    belongsTo: `members ${viewerOf(call)} ${filters}`,
    place: ({ since, memberId }) => descending(since, memberId),
    goesBack: false,
  });
}

/** Who joined or rose since the token was given; the first answer is a token and nothing else (facts, section 5). */
function news(call: Call, wanted: Wanted): Slice<Membership> {
  const { query, world } = call;
  const size = query.integer("maxResults") ?? 5;
  const start = readNewsToken(query.text("pageToken")) ?? world.memberNews.length;
  const things = world.memberNews.slice(start, start + size);
  const nextPageToken = makeToken({ after: String(start + things.length) }, ofUpdates);
  const found = things.filter(wanted);
  return {
    things: found,
    envelope: { nextPageToken, pageInfo: { totalResults: found.length, resultsPerPage: size } },
  };
}

function readNewsToken(token: string | undefined): number | undefined {
  if (token === undefined) return undefined;
  if (isToken(token) && !tokenBelongsTo(token, ofUpdates)) throw otherMode();
  const from = readToken(token, ofUpdates);
  return "after" in from ? Number(from.after) : undefined;
}

function otherMode(): Error {
  return badParameter("mode", "The page token belongs to the other mode.", "invalidMode");
}

/** The only resource without an id. */
function toMember(call: Call, membership: Membership, levels: readonly Level[]): object {
  const { world, origin, now } = call;
  const member = findProfile(world, membership.memberId);
  const highest = levels.findIndex(({ id }) => id === membership.levelId);
  const lasts = (since: number): object => ({
    memberSince: toTimestamp(since),
    memberTotalDurationMonths: Math.floor((now - since) / monthMs),
  });
  const snippet = {
    creatorChannelId: membership.channelId,
    memberDetails: {
      channelId: membership.memberId,
      channelUrl: `http://www.youtube.com/channel/${membership.memberId}`,
      displayName: member?.name,
      profileImageUrl: profilePicture(origin, membership.memberId),
    },
    membershipsDetails: {
      highestAccessibleLevel: membership.levelId,
      highestAccessibleLevelDisplayName: levels[highest]?.name,
      accessibleLevels: levels.slice(0, highest + 1).map(({ id }) => id),
      membershipsDuration: lasts(membership.since),
      membershipsDurationAtLevels: [{ level: membership.levelId, ...lasts(membership.levelSince) }],
    },
  };
  return { kind, etag: etagOf(snippet), snippet };
}

const levelKind = "youtube#membershipsLevel";

const levelParts = {
  snippet: ({ channelId, name }: Level) => ({
    creatorChannelId: channelId,
    levelDetails: { displayName: name },
  }),
};

export const membershipsLevels = {
  "membershipsLevels.list": (call) => {
    const items = levelsOf(call, "membershipsLevel").map((level) =>
      toResource(call, { kind: levelKind, id: level.id, thing: level, parts: levelParts }),
    );
    return toList(`${levelKind}ListResponse`, items);
  },
} as const satisfies Record<string, Handler>;

/** What the caller's channel offers; most channels have no memberships at all. */
function levelsOf(call: Call, resource: string): Level[] {
  const channelId = viewerOf(call);
  const levels = call.world.levels.filter((level) => level.channelId === channelId);
  if (levels.length > 0) return levels;
  throw new Refusal(400, {
    reason: "channelMembershipsNotEnabled",
    message: "The channel has no memberships.",
    domain: `youtube.${resource}`,
  });
}
