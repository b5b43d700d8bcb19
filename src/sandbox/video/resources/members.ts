import { requireViewer } from "../access.ts";
import type { ApiCall, Handler } from "../call.ts";
import { findProfile, type StoredLevel, type StoredMembership } from "../data/index.ts";
import { toTimestamp } from "../locale.ts";
import {
  descending,
  isPageToken,
  makeToken,
  paginateSorted,
  readToken,
  tokenBelongsTo,
} from "../paginate-sorted.ts";
import { ApiRefusal, badParameter } from "../refusal.ts";
import { type ApiResourcePage, etagFor, toList, toResource } from "../resource.ts";
import { profilePicture } from "../thumbnails/index.ts";

const kind = "youtube#member";
const monthMs = 30.44 * 86_400_000;
const ofUpdates = "members updates";

export const memberHandlers = {
  "members.list": (call) => {
    const levels = levelsFor(call, "member");
    const wanted = wantedBy(call, levels);
    const { things, envelope } =
      call.query.text("mode") === "updates" ? news(call, wanted) : current(call, wanted);
    const items = things.map((membership) => toMember(call, membership, levels));
    return toList(`${kind}ListResponse`, items, envelope);
  },
} as const satisfies Record<string, Handler>;

type MembershipFilter = (membership: StoredMembership) => boolean;

function wantedBy(call: ApiCall, levels: readonly StoredLevel[]): MembershipFilter {
  const { query } = call;
  const channelId = requireViewer(call);
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

function current(call: ApiCall, wanted: MembershipFilter): ApiResourcePage<StoredMembership> {
  const { query, state } = call;
  const token = query.text("pageToken");
  if (token !== undefined && tokenBelongsTo(token, ofUpdates)) throw otherMode();
  const filters = `${query.text("hasAccessToLevel")} ${query.list("filterByMemberChannelId")}`;
  return paginateSorted(call, state.memberships.filter(wanted), {
    belongsTo: `members ${requireViewer(call)} ${filters}`,
    place: ({ since, memberId }) => descending(since, memberId),
    goesBack: false,
  });
}

/** Who joined or rose since the token was given. The first answer is only a token: docs/services/youtube.md#lists-and-pages */
function news(call: ApiCall, wanted: MembershipFilter): ApiResourcePage<StoredMembership> {
  const { query, state } = call;
  const size = query.integer("maxResults") ?? 5;
  const start = readNewsToken(query.text("pageToken")) ?? state.memberNews.length;
  const things = state.memberNews.slice(start, start + size);
  const nextPageToken = makeToken({ after: String(start + things.length) }, ofUpdates);
  const found = things.filter(wanted);
  return {
    things: found,
    envelope: { nextPageToken, pageInfo: { totalResults: found.length, resultsPerPage: size } },
  };
}

function readNewsToken(token: string | undefined): number | undefined {
  if (token === undefined) return undefined;
  if (isPageToken(token) && !tokenBelongsTo(token, ofUpdates)) throw otherMode();
  const from = readToken(token, ofUpdates);
  return "after" in from ? Number(from.after) : undefined;
}

function otherMode(): Error {
  return badParameter("mode", "The page token belongs to the other mode.", "invalidMode");
}

/** The only resource without an id. */
function toMember(
  call: ApiCall,
  membership: StoredMembership,
  levels: readonly StoredLevel[],
): object {
  const { state, origin, now } = call;
  const member = findProfile(state, membership.memberId);
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
  return { kind, etag: etagFor(snippet), snippet };
}

const levelKind = "youtube#membershipsLevel";

const levelParts = {
  snippet: ({ channelId, name }: StoredLevel) => ({
    creatorChannelId: channelId,
    levelDetails: { displayName: name },
  }),
};

export const membershipLevelHandlers = {
  "membershipsLevels.list": (call) => {
    const items = levelsFor(call, "membershipsLevel").map((level) =>
      toResource(call, { kind: levelKind, id: level.id, thing: level, parts: levelParts }),
    );
    return toList(`${levelKind}ListResponse`, items);
  },
} as const satisfies Record<string, Handler>;

/** What the caller's channel offers; most channels have no memberships at all. */
function levelsFor(call: ApiCall, resource: string): StoredLevel[] {
  const channelId = requireViewer(call);
  const levels = call.state.levels.filter((level) => level.channelId === channelId);
  if (levels.length > 0) return levels;
  throw new ApiRefusal(400, {
    reason: "channelMembershipsNotEnabled",
    message: "The channel has no memberships.",
    domain: `youtube.${resource}`,
  });
}
