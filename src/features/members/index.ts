import { cut, link, type Reply, type ReplyItem, type Words } from "../../discord/index.ts";
import { type Member, youtubePages } from "../../video/index.ts";
import { formatSince } from "../cards/index.ts";
import { findChannel } from "../channels/index.ts";
import type { Ctx, CtxFor } from "../context/index.ts";
import { action, option } from "../declarations/index.ts";
import { browse, formatFacts } from "../lists/index.ts";
import { memberLevels } from "../suggestions/index.ts";

interface MembersQuery {
  readonly mode?: "all_current" | "updates" | undefined;
  readonly level?: string | undefined;
  readonly levelName?: string | undefined;
  readonly channelIds?: readonly string[] | undefined;
}

const memberList = browse<"members.list", MembersQuery>({
  name: "members.turn",
  method: "members.list",
  params: ({ mode, level, channelIds }) => ({
    part: ["snippet"],
    mode,
    hasAccessToLevel: level,
    filterByMemberChannelId: channelIds,
  }),
  title: ({ mode, levelName }, words) => {
    if (mode === "updates") return words.say("members.list.title_updates");
    if (levelName === undefined) return words.say("members.list.title");
    return words.say("members.list.title_level", { level: cut(levelName, 80) });
  },
  item: drawMember,
  empty: (words, { mode, level, channelIds }) => {
    if (mode === "updates") return words.say("members.list.empty_updates");
    const isFiltered = level !== undefined || channelIds !== undefined;
    return words.say(isFiltered ? "members.list.empty_filtered" : "members.list.empty");
  },
  columns: {
    name: "snippet.memberDetails.displayName",
    channelId: "snippet.memberDetails.channelId",
    level: "snippet.membershipsDetails.highestAccessibleLevelDisplayName",
    months: "snippet.membershipsDetails.membershipsDuration.memberTotalDurationMonths",
    memberSince: "snippet.membershipsDetails.membershipsDuration.memberSince",
  },
  isPrivate: true,
  // In this mode every answer names a next page, without end.
  isEndless: ({ mode }) => mode === "updates",
});

const levels = browse<"membershipsLevels.list", Record<never, never>>({
  name: "members.turn-levels",
  method: "membershipsLevels.list",
  params: () => ({ part: ["id", "snippet"] }),
  title: "members.levels.title",
  item: ({ id, snippet }, { words, place }) => {
    const name = cut(snippet?.levelDetails?.displayName ?? words.say("common.untitled"), 90);
    const press = id === undefined ? undefined : openMembersOfLevel.press({ id, name });
    return {
      title: name,
      lines: [words.say("members.levels.place", { place })],
      buttons: press && [{ label: words.say("members.levels.show"), press }],
    };
  },
  empty: "members.levels.empty",
  columns: { id: "id", name: "snippet.levelDetails.displayName" },
  isPrivate: true,
});

const openMembersOfLevel = action<{ readonly id: string; readonly name: string }>({
  name: "members.of-level",
  answer: "private",
  by: "anyone",
  method: "members.list",
  run: (ctx, { id, name }) => memberList.open(ctx, { level: id, levelName: name }),
});

const memberOptions = {
  level: option.field("members.list", "hasAccessToLevel", { suggest: memberLevels }),
  mode: option.field("members.list", "mode", { group: "member_mode" }),
  members: option.channels({ covers: "filterByMemberChannelId" }),
};

/** The channel's members: all, those of a level, or those of some channels. */
async function open(ctx: CtxFor<typeof memberOptions>): Promise<Reply> {
  const { mode, level, members: named } = ctx.options;
  const [levelName, channelIds] = await Promise.all([
    level === undefined ? undefined : readLevelName(ctx, level),
    // Only a handle has to be looked up.
    named &&
      Promise.all(
        named.map(async (one) => ("id" in one ? one.id : (await findChannel(ctx, one)).id)),
      ),
  ]);
  return memberList.open(ctx, { mode, level, levelName, channelIds });
}

export const memberLists = {
  options: memberOptions,
  open,
  openLevels: (ctx: Ctx): Promise<Reply> => levels.open(ctx, {}),
  actions: [...memberList.actions, ...levels.actions, openMembersOfLevel],
} as const;

/** The level's name for the list's title: the option holds only its id. */
async function readLevelName(ctx: Ctx<unknown>, level: string): Promise<string> {
  const wanted = { part: ["id", "snippet"] } as const;
  const { signal } = ctx;
  const { items } = await ctx.video.call("membershipsLevels.list", wanted, { signal });
  return items.find(({ id }) => id === level)?.snippet?.levelDetails?.displayName ?? level;
}

function drawMember({ snippet }: Member, { words }: { readonly words: Words }): ReplyItem {
  const { memberDetails, membershipsDetails } = snippet ?? {};
  const { channelId, displayName, profileImageUrl } = memberDetails ?? {};
  const name = cut(displayName ?? words.say("members.unnamed"), 80);
  const { memberSince, memberTotalDurationMonths: months } =
    membershipsDetails?.membershipsDuration ?? {};
  const joined = formatSince(memberSince);
  const level = membershipsDetails?.highestAccessibleLevelDisplayName;
  const facts = [
    level ? cut(level, 60) : undefined,
    months === undefined ? undefined : words.say("members.list.for", { months }),
    joined === undefined ? undefined : words.md("members.list.joined", { when: joined }),
  ];
  const hasPicture = profileImageUrl !== undefined && /^https?:\/\//u.test(profileImageUrl);
  return {
    title: channelId === undefined ? name : link(name, youtubePages.channel(channelId)),
    lines: formatFacts(facts),
    thumbnail: hasPicture
      ? { url: profileImageUrl, alt: words.say("members.picture", { name }) }
      : undefined,
  };
}
