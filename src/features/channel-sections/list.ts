import { ask, cut, gone, join, notice, type Reply, reaches } from "../../discord/index.ts";
import type { ChannelRef } from "../../video-links/index.ts";
import { presses, valueName } from "../cards/index.ts";
import { findChannel } from "../channels/index.ts";
import type { Ctx } from "../context/index.ts";
import { action, actionFor } from "../declarations/index.ts";
import { browse } from "../lists/index.ts";
import { requireOneOf } from "../options/index.ts";
import {
  type NamedSection,
  readSection,
  readSectionNames,
  sectionLines,
  sectionTitle,
} from "./named-section.ts";

/** Whose sections are listed; empty if `extra` names them. */
interface SectionsQuery {
  readonly channelId?: string;
  readonly name?: string;
}

const list = browse<"channelSections.list", SectionsQuery, NamedSection>({
  name: "channels.turn-sections",
  method: "channelSections.list",
  uses: ["playlists.list", "channels.list"],
  params: ({ channelId }) => ({
    part: ["snippet", "contentDetails"],
    channelId,
  }),
  found: readSectionNames,
  title: ({ name }, words) =>
    name === undefined
      ? words.say("cards.sections")
      : words.say("channels.sections.title", { name: cut(name, 80) }),
  empty: (words) => words.say("channels.sections.empty"),
  item: (found, { words, ctx }) => {
    const { id, snippet } = found.section;
    const isTheirs = snippet?.channelId === ctx.channelId && reaches(ctx.rank, "manager");
    return {
      title: cut(sectionTitle(found, words), 100),
      lines: sectionLines(found, words),
      ...(id !== undefined &&
        isTheirs && {
          buttons: [
            { label: words.say("cards.delete"), press: askDeleteSectionAction.press({ id }) },
          ],
        }),
    };
  },
  columns: {
    id: "id",
    type: "snippet.type",
    title: "snippet.title",
    position: "snippet.position",
    playlists: ({ contentDetails }) => contentDetails?.playlists?.join(" "),
    channels: ({ contentDetails }) => contentDetails?.channels?.join(" "),
  },
});

const ofChannel = actionFor(presses.channel.sections, {
  method: "channelSections.list",
  uses: ["channels.list", "playlists.list"],
  run: async (ctx, { id }) => {
    const { title } = await findChannel(ctx, { id });
    return list.open(ctx, { channelId: id, name: title });
  },
});

/** The sections of one channel, or those that `extra` names. */
export async function openSections(ctx: Ctx, channel: ChannelRef | undefined): Promise<Reply> {
  const { id: ids, mine } = ctx.extra.query;
  requireOneOf({ channel, id: ids, mine });
  const isNamed = (ids ?? mine) !== undefined;
  if (isNamed) return list.open(ctx, {});
  const { id, title } = await findChannel(ctx, channel);
  return list.open(ctx, { channelId: id, name: title });
}

export const sectionListActions = [...list.actions, ofChannel] as const;

export const askDeleteSectionAction = action<{ readonly id: string }>({
  name: "channels.ask-delete-section",
  answer: "private",
  by: "anyone",
  method: "channelSections.delete",
  uses: ["channelSections.list", "playlists.list", "channels.list"],
  run: (ctx, { id }) => askDeleteSection(ctx, id),
});

export const deleteSection = action<{ readonly id: string }>({
  name: "channels.delete-section",
  isOnce: true,
  method: "channelSections.delete",
  run: async (ctx, { id }) => {
    await ctx.own.call("channelSections.delete", { id }, { signal: ctx.signal });
    return notice({ tone: "good", title: ctx.words.say("channels.delete_section.done") });
  },
});

/** Says what is deleted, what stays and what it costs, and asks. */
export async function askDeleteSection(ctx: Ctx, id: string): Promise<Reply> {
  const { words } = ctx;
  const section = await readSection(ctx, id);
  if (section === undefined) return gone("section", words);
  const [found = { section, names: new Map<string, string>() }] = await readSectionNames(
    [section],
    ctx,
  );
  const title = sectionTitle(found, words);
  const lines = sectionLines(found, words);
  return ask({
    title: words.say("channels.delete_section.title", { title: cut(title, 100) }),
    text: words.md("channels.delete_section.text", {
      price: await ctx.price(["channelSections.delete"]),
    }),
    fields: [
      {
        name: valueName(words, "sectionType", section.snippet?.type) ?? title,
        value: lines.length === 0 ? title : join(lines),
      },
    ],
    confirm: {
      label: words.say("cards.delete"),
      style: "danger",
      press: deleteSection.press({ id }),
    },
  });
}
