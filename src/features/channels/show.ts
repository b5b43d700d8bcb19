import { compact, cut, link, type Reply } from "../../discord/index.ts";
import { smallThumbnail, youtubePages } from "../../video/index.ts";
import { cardFor, channelCard, channelParts, presses } from "../cards/index.ts";
import type { CtxFor } from "../context/index.ts";
import { actionFor, option } from "../declarations/index.ts";
import { partFields, requestedParts, withExtra } from "../extra/index.ts";
import { browse, itemThumbnail } from "../lists/index.ts";
import { requireOneOf } from "../options/index.ts";
import { channels, languages } from "../suggestions/index.ts";
import { channelFilter, findChannel, noSuchChannel } from "./find.ts";

const channelList = browse<
  "channels.list",
  { readonly which: object; readonly hl?: string | undefined }
>({
  name: "channels.turn",
  method: "channels.list",
  params: ({ which, hl }) => ({ part: channelParts, ...which, hl }),
  title: (_, words) => words.say("channels.list.title"),
  empty: (words) => words.say("channels.list.empty"),
  item: ({ id = "", snippet, statistics }, { words }) => {
    const title = snippet?.localized?.title ?? snippet?.title ?? id;
    const subscribers = words.short(statistics?.subscriberCount);
    return {
      title: link(cut(title, 90), youtubePages.channel(id)),
      lines: compact([
        snippet?.customUrl,
        subscribers !== undefined && `${words.say("cards.subscribers")}: ${subscribers}`,
      ]),
      ...itemThumbnail(title, smallThumbnail(snippet?.thumbnails), words),
      buttons: [{ label: words.say("cards.details"), press: presses.channel.details(id) }],
    };
  },
  columns: {
    id: "id",
    title: "snippet.title",
    handle: "snippet.customUrl",
    subscribers: "statistics.subscriberCount",
    views: "statistics.viewCount",
    videos: "statistics.videoCount",
    country: "snippet.country",
    since: "snippet.publishedAt",
    url: ({ id }) => (id === undefined ? undefined : youtubePages.channel(id)),
  },
});

const details = actionFor(presses.channel.details, {
  method: "channels.list",
  run: async (ctx, { id }) => {
    const { channel } = await findChannel(ctx, { id }, channelParts);
    return channelCard(channel, cardFor(ctx));
  },
});

/** Filters of `extra` that choose a channel themselves, and so exclude the option. */
const instead = ["mine", "forUsername"] as const;

const showOptions = {
  channel: option.channel({ covers: "id", suggest: channels }),
  language: option.language({ covers: "hl", suggest: languages }),
};

/** One channel's card; a list if `extra` may select several, or if a file was requested. */
async function show(ctx: CtxFor<typeof showOptions>): Promise<Reply> {
  const { channel: ref, language: hl } = ctx.options;
  const named = instead.filter((name) => name in ctx.extra.query);
  requireOneOf({ channel: ref, ...Object.fromEntries(named.map((name) => [name, true])) });
  const isNamed = named.length > 0;
  const which = isNamed ? {} : channelFilter(ctx, ref);
  if (isNamed || ctx.output !== "list") return channelList.open(ctx, { which, hl });
  const wanted = withExtra({ part: channelParts, ...which, hl }, ctx.extra);
  const { items } = await ctx.video.call("channels.list", wanted, { signal: ctx.signal });
  const [channel] = items ?? [];
  if (channel === undefined) throw noSuchChannel(ref);
  const drawn = channelCard(channel, cardFor(ctx));
  const added = partFields(channel, requestedParts(ctx.extra, channelParts));
  return { ...drawn, fields: [...(drawn.fields ?? []), ...added] };
}

export const channelsFlow = {
  options: showOptions,
  show,
  actions: [...channelList.actions, details],
} as const;
