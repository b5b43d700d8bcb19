import { requireViewer } from "../access.ts";
import { ApiError, badParameter } from "../api-error.ts";
import type { ApiCall, Handler } from "../call.ts";
import { findProfile, type StoredLevel, type StoredMembership } from "../data/index.ts";
import { toTimestamp } from "../locale.ts";
import { descending, makeToken, parseToken, readToken } from "../pages.ts";
import { defineResource } from "../resource.ts";
import { profilePicture } from "../thumbnails/addresses.ts";

const monthMs = 30.44 * 86_400_000;
/** What page tokens of `mode=updates` belong to, whatever filters come with them. */
const updates = "updates";

/** The only resource without an id. */
const memberResource = defineResource<StoredMembership & { readonly id?: undefined }>(
  "member",
  (membership, call) => {
    const { state, origin, now } = call;
    const { channelId, memberId, levelId, since, levelSince } = membership;
    const levels = requireLevels(call, "member");
    const highest = levels.findIndex(({ id }) => id === levelId);
    const describeDuration = (from: number) => ({
      memberSince: toTimestamp(from),
      memberTotalDurationMonths: Math.floor((now - from) / monthMs),
    });
    return {
      snippet: {
        creatorChannelId: channelId,
        memberDetails: {
          channelId: memberId,
          channelUrl: `http://www.youtube.com/channel/${memberId}`,
          displayName: findProfile(state, memberId)?.name,
          profileImageUrl: profilePicture(origin, memberId),
        },
        membershipsDetails: {
          highestAccessibleLevel: levelId,
          highestAccessibleLevelDisplayName: levels[highest]?.name,
          accessibleLevels: levels.slice(0, highest + 1).map(({ id }) => id),
          membershipsDuration: describeDuration(since),
          membershipsDurationAtLevels: [{ level: levelId, ...describeDuration(levelSince) }],
        },
      },
    };
  },
);

const levelResource = defineResource<StoredLevel>("membershipsLevel", ({ channelId, name }) => ({
  snippet: { creatorChannelId: channelId, levelDetails: { displayName: name } },
}));

export const memberHandlers = {
  "members.list": (call) => {
    const { query, state } = call;
    const channelId = requireViewer(call);
    const levels = requireLevels(call, "member");
    const level = query.text("hasAccessToLevel");
    const lowest = levels.findIndex(({ id }) => id === level);
    if (level !== undefined && lowest < 0) {
      throw badParameter("hasAccessToLevel", "There is no such level.", "invalidHasAccessToLevel");
    }
    const only = query.list("filterByMemberChannelId");
    const isWanted = (membership: StoredMembership) =>
      membership.channelId === channelId &&
      levels.findIndex(({ id }) => id === membership.levelId) >= lowest &&
      (only.length === 0 || only.includes(membership.memberId));
    const owner = parseToken(query.text("pageToken") ?? "")?.owner;
    const isOfUpdates = query.text("mode") === updates;
    if (owner !== undefined && (owner === updates) !== isOfUpdates) {
      throw badParameter("mode", "The page token belongs to the other mode.", "invalidMode");
    }
    if (isOfUpdates) return listUpdates(call, isWanted);
    return memberResource.page(call, state.memberships.filter(isWanted), {
      place: ({ since, memberId }) => descending(since, memberId),
      isForwardOnly: true,
    });
  },
  "membershipsLevels.list": (call) =>
    levelResource.list(call, requireLevels(call, "membershipsLevel")),
} as const satisfies Record<string, Handler>;

/** Who joined or rose since the token was given. The first answer is only a token: docs/services/youtube.md#lists-and-pages */
function listUpdates(call: ApiCall, isWanted: (membership: StoredMembership) => boolean): object {
  const { query, state } = call;
  const size = query.integer("maxResults") ?? 5;
  const token = query.text("pageToken");
  const start = token === undefined ? state.memberNews.length : readToken(token, updates).at;
  const end = Math.min(start + size, state.memberNews.length);
  const found = state.memberNews.slice(start, end).filter(isWanted);
  return memberResource.list(call, found, {
    nextPageToken: makeToken({ owner: updates, at: end }),
    pageInfo: { totalResults: found.length, resultsPerPage: size },
  });
}

/** What the caller's channel offers; most channels have no memberships at all. */
function requireLevels(call: ApiCall, resource: string): StoredLevel[] {
  const channelId = requireViewer(call);
  const levels = call.state.levels.filter((level) => level.channelId === channelId);
  if (levels.length > 0) return levels;
  throw new ApiError(400, {
    reason: "channelMembershipsNotEnabled",
    message: "The channel has no memberships.",
    domain: `youtube.${resource}`,
  });
}
