import {
  actionFor,
  browse,
  type ChannelRef,
  type Ctx,
  cut,
  presses,
  type Reply,
  reaches,
} from "../../discord/index.ts";
import { findChannel } from "../channels/index.ts";
import { requireOneOf } from "../options/index.ts";
import { type NamedSection, withNames } from "./contents.ts";
import { askDelete } from "./delete.ts";
import { sectionLines, sectionTitle } from "./draw.ts";

/** Whose sections; empty when `extra` names them. */
interface OfChannel {
  readonly channelId?: string;
  readonly name?: string;
}

/** The sections of one channel's page. */
const list = browse<"channelSections.list", OfChannel, NamedSection>({
  name: "channels.turn-sections",
  row: "channelSections.list",
  uses: ["playlists.list", "channels.list"],
  params: ({ channelId }) => ({
    part: ["snippet", "contentDetails"],
    ...(channelId === undefined ? {} : { channelId }),
  }),
  found: (items, ctx) => withNames(ctx, items),
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
      ...(id !== undefined && isTheirs
        ? { buttons: [{ label: words.say("cards.delete"), press: askDelete.press({ id }) }] }
        : {}),
    };
  },
  columns: {
    id: ({ id }) => id,
    type: ({ snippet }) => snippet?.type,
    title: ({ snippet }) => snippet?.title,
    position: ({ snippet }) => snippet?.position,
    playlists: ({ contentDetails }) => contentDetails?.playlists?.join(" "),
    channels: ({ contentDetails }) => contentDetails?.channels?.join(" "),
  },
});

const ofChannel = actionFor(presses.channel.sections, {
  answer: "private",
  by: "anyone",
  row: "channelSections.list",
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

export const listActions = [...list.actions, ofChannel] as const;
