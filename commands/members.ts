import {
  action,
  browse,
  type Ctx,
  command,
  cut,
  type Item,
  join,
  link,
  option,
  pages,
  since,
  subcommand,
  suggest,
  type Words,
} from "../src/discord/index.ts";
import { findChannel } from "../src/flows/index.ts";
import type { Member } from "../src/video/index.ts";

interface Query {
  readonly mode?: "all_current" | "updates" | undefined;
  readonly level?: string | undefined;
  readonly levelName?: string | undefined;
  readonly channelIds?: readonly string[] | undefined;
}

const members = browse<"members.list", Query>({
  name: "members.turn",
  row: "members.list",
  params: ({ mode, level, channelIds }) => ({
    part: ["snippet"],
    ...(mode && { mode }),
    ...(level && { hasAccessToLevel: level }),
    ...(channelIds && { filterByMemberChannelId: channelIds }),
  }),
  title: titleOf,
  item: (member, { words }) => drawMember(member, words),
  empty: (words, { mode, level, channelIds }) => {
    if (mode === "updates") return words.say("members.list.empty_updates");
    const isFiltered = level !== undefined || channelIds !== undefined;
    return words.say(isFiltered ? "members.list.empty_filtered" : "members.list.empty");
  },
  columns: {
    name: ({ snippet }) => snippet?.memberDetails?.displayName,
    channelId: ({ snippet }) => snippet?.memberDetails?.channelId,
    level: ({ snippet }) => snippet?.membershipsDetails?.highestAccessibleLevelDisplayName,
    months: ({ snippet }) =>
      snippet?.membershipsDetails?.membershipsDuration?.memberTotalDurationMonths,
    memberSince: ({ snippet }) => snippet?.membershipsDetails?.membershipsDuration?.memberSince,
  },
  isPrivate: () => true,
  // Each answer of this mode leads on to the next, for ever.
  isEndless: ({ mode }) => mode === "updates",
});

const levels = browse<"membershipsLevels.list", Record<never, never>>({
  name: "members.turn-levels",
  row: "membershipsLevels.list",
  params: () => ({ part: ["id", "snippet"] }),
  title: (_, words) => words.say("members.levels.title"),
  item: ({ id, snippet }, { words, place }) => {
    const name = cut(snippet?.levelDetails?.displayName ?? words.say("common.untitled"), 90);
    const press = id === undefined ? undefined : ofLevel.press({ id, name });
    return {
      title: name,
      lines: [words.say("members.levels.place", { place })],
      ...(press && { buttons: [{ label: words.say("members.levels.show"), press }] }),
    };
  },
  empty: (words) => words.say("members.levels.empty"),
  columns: {
    id: ({ id }) => id,
    name: ({ snippet }) => snippet?.levelDetails?.displayName,
  },
  isPrivate: () => true,
});

const ofLevel = action<{ readonly id: string; readonly name: string }>({
  name: "members.of-level",
  answer: "private",
  by: "anyone",
  row: "members.list",
  run: (ctx, { id, name }) => members.open(ctx, { level: id, levelName: name }),
});

export default command({
  subcommands: {
    list: subcommand({
      row: "members.list",
      uses: ["membershipsLevels.list", "channels.list"],
      options: {
        level: option.field("members.list", "hasAccessToLevel", { suggest: suggest.memberLevels }),
        mode: option.field("members.list", "mode", { group: "member_mode" }),
        members: option.channels({ covers: "filterByMemberChannelId" }),
      },
      run: async (ctx) => {
        const { mode, level, members: named } = ctx.options;
        const [levelName, channelIds] = await Promise.all([
          level === undefined ? undefined : nameOf(ctx, level),
          named === undefined ? undefined : Promise.all(named.map((one) => idOf(ctx, one))),
        ]);
        return members.open(ctx, { mode, level, levelName, channelIds });
      },
    }),
    levels: subcommand({
      row: "membershipsLevels.list",
      run: (ctx) => levels.open(ctx, {}),
    }),
  },
  actions: [...members.actions, ...levels.actions, ofLevel],
});

/** An id stands for itself; only a handle has to be looked up. */
async function idOf(ctx: Ctx<unknown>, ref: Parameters<typeof findChannel>[1] & object) {
  return "id" in ref ? ref.id : (await findChannel(ctx, ref)).id;
}

/** Suggestions give ids; who reads the list wants the name. */
async function nameOf(ctx: Ctx<unknown>, level: string): Promise<string> {
  const wanted = { part: ["id", "snippet"] } as const;
  const { signal } = ctx;
  const { items } = await ctx.video.call("membershipsLevels.list", wanted, { signal });
  return items.find(({ id }) => id === level)?.snippet?.levelDetails?.displayName ?? level;
}

function titleOf({ mode, levelName }: Query, words: Words): string {
  if (mode === "updates") return words.say("members.list.title_updates");
  if (levelName === undefined) return words.say("members.list.title");
  return words.say("members.list.title_level", { level: cut(levelName, 80) });
}

function drawMember({ snippet }: Member, words: Words): Item {
  const { memberDetails, membershipsDetails } = snippet ?? {};
  const { channelId, displayName, profileImageUrl } = memberDetails ?? {};
  const name = cut(displayName ?? words.say("members.unnamed"), 80);
  const { memberSince, memberTotalDurationMonths: months } =
    membershipsDetails?.membershipsDuration ?? {};
  const joined = since(memberSince);
  const facts = [
    ...(membershipsDetails?.highestAccessibleLevelDisplayName
      ? [cut(membershipsDetails.highestAccessibleLevelDisplayName, 60)]
      : []),
    ...(months === undefined ? [] : [words.say("members.list.for", { months })]),
    ...(joined === undefined ? [] : [words.md("members.list.joined", { when: joined })]),
  ];
  const hasPicture = profileImageUrl !== undefined && /^https?:\/\//u.test(profileImageUrl);
  return {
    title: channelId === undefined ? name : link(name, pages.channel(channelId)),
    lines: facts.length === 0 ? [] : [join(facts, " · ")],
    ...(hasPicture && {
      thumbnail: { url: profileImageUrl, alt: words.say("members.picture", { name }) },
    }),
  };
}
