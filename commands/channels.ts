import {
  action,
  askedParts,
  browse,
  type Ctx,
  channelCard,
  channelParts,
  command,
  cut,
  gone,
  link,
  option,
  pages,
  partFields,
  presses,
  reaches,
  smallThumbnail,
  subcommand,
  suggest,
  withExtra,
} from "../src/discord/index.ts";
import {
  addSection,
  askDelete,
  askToDelete,
  changeSection,
  channelSettings,
  deleteSection,
  findChannel,
  given,
  ownChannelId,
  requireOneOf,
  sections,
  sectionsOf,
  settingChars,
} from "../src/flows/index.ts";

const channels = browse<
  "channels.list",
  { readonly which: object; readonly hl?: string | undefined }
>({
  name: "channels.turn",
  row: "channels.list",
  params: ({ which, hl }) => ({ part: channelParts, ...which, ...(hl && { hl }) }),
  title: (_, words) => words.say("channels.list.title"),
  empty: (words) => words.say("channels.list.empty"),
  item: ({ id = "", snippet, statistics }, { words }) => {
    const title = snippet?.localized?.title ?? snippet?.title ?? id;
    const thumbnail = smallThumbnail(snippet?.thumbnails);
    const subscribers = words.short(statistics?.subscriberCount);
    return {
      title: link(cut(title, 90), pages.channel(id)),
      lines: [
        ...(snippet?.customUrl === undefined ? [] : [snippet.customUrl]),
        ...(subscribers === undefined ? [] : [`${words.say("cards.subscribers")}: ${subscribers}`]),
      ],
      ...(thumbnail && {
        thumbnail: {
          url: thumbnail,
          alt: words.say("common.thumbnail_of", { title: cut(title, 80) }),
        },
      }),
      buttons: [{ label: words.say("cards.details"), press: presses.channel.details(id) }],
    };
  },
  columns: {
    id: ({ id }) => id,
    title: ({ snippet }) => snippet?.title,
    handle: ({ snippet }) => snippet?.customUrl,
    subscribers: ({ statistics }) => statistics?.subscriberCount,
    views: ({ statistics }) => statistics?.viewCount,
    videos: ({ statistics }) => statistics?.videoCount,
    country: ({ snippet }) => snippet?.country,
    since: ({ snippet }) => snippet?.publishedAt,
    url: ({ id }) => (id === undefined ? undefined : pages.channel(id)),
  },
});

const details = action<{ readonly id: string }>({
  name: "channels.details",
  answer: "private",
  by: "anyone",
  row: "channels.list",
  run: async (ctx, { id }) => {
    const { channel } = await findChannel(ctx, { id }, channelParts);
    return channelCard(channel, {
      words: ctx.words,
      isManager: reaches(ctx.rank, "manager"),
      channelId: ctx.channelId,
    });
  },
});

/** Filters that stand for a channel, so that none is to be named beside them. */
const instead = ["mine", "forUsername"] as const;

const sectionOptions = {
  title: option.field("channelSections.insert", "snippet.title"),
  position: option.integer({ min: 1, max: 10, covers: "snippet.position" }),
  playlists: option.playlists({
    covers: "contentDetails.playlists",
    suggest: suggest.ownPlaylists,
  }),
  channels: option.channels({ covers: "contentDetails.channels", suggest: suggest.channels }),
} as const;

export default command({
  subcommands: {
    show: subcommand({
      row: "channels.list",
      options: {
        channel: option.channel({ covers: "id", suggest: suggest.channels }),
        language: option.language({ covers: "hl", suggest: suggest.languages }),
      },
      // One channel is no list to turn.
      decides: ["forHandle", "maxResults", "pageToken"],
      run: async (ctx) => {
        const { channel: ref, language: hl } = ctx.options;
        const named = instead.filter((name) => name in ctx.extra.query);
        requireOneOf({ channel: ref, ...Object.fromEntries(named.map((name) => [name, true])) });
        const isNamed = named.length > 0;
        const which = isNamed ? {} : await whichOf(ctx, ref);
        if (isNamed || ctx.output !== "list") return channels.open(ctx, { which, hl });
        const wanted = withExtra({ part: channelParts, ...which, ...(hl && { hl }) }, ctx.extra);
        const { items } = await ctx.video.call("channels.list", wanted, { signal: ctx.signal });
        const [channel] = items ?? [];
        if (channel === undefined) return gone("channel", ctx.words);
        const drawn = channelCard(channel, {
          words: ctx.words,
          isManager: reaches(ctx.rank, "manager"),
          channelId: ctx.channelId,
        });
        const asked = partFields(channel, askedParts(ctx.extra, channelParts));
        return { ...drawn, fields: [...(drawn.fields ?? []), ...asked] };
      },
    }),

    edit: subcommand({
      row: "channels.update",
      uses: ["channels.list"],
      options: {
        description: option.text({
          covers: "brandingSettings.channel.description",
          max: settingChars.description,
        }),
        keywords: option.text({
          covers: "brandingSettings.channel.keywords",
          max: settingChars.keywords,
        }),
        country: option.country({
          covers: "brandingSettings.channel.country",
          suggest: suggest.regions,
        }),
        language: option.language({
          covers: "brandingSettings.channel.defaultLanguage",
          suggest: suggest.languages,
        }),
        trailer: option.video({
          covers: "brandingSettings.channel.unsubscribedTrailer",
          suggest: suggest.ownVideos,
        }),
        made_for_kids: option.field("channels.update", "status.selfDeclaredMadeForKids"),
        show_sections: option.field("channels.update", "brandingSettings.channel.showBrowseView"),
      },
      decides: ["id"],
      run: async (ctx) => {
        const { description, keywords, country, language, trailer, ...flags } = ctx.options;
        const { made_for_kids, show_sections } = flags;
        const id = await ownChannelId(ctx);
        const channel = given({
          description,
          keywords,
          country,
          defaultLanguage: language,
          unsubscribedTrailer: trailer,
          showBrowseView: show_sections,
        });
        const change = {
          id,
          ...(channel && { brandingSettings: { channel } }),
          ...(made_for_kids === undefined
            ? {}
            : { status: { selfDeclaredMadeForKids: made_for_kids } }),
        };
        const isEmpty = Object.keys(change).length === 1 && isBare(ctx.extra);
        return isEmpty ? channelSettings.show(ctx, id) : channelSettings.save(ctx, change);
      },
    }),

    sections: subcommand({
      row: "channelSections.list",
      uses: ["channels.list", "playlists.list"],
      options: { channel: option.channel({ covers: "channelId", suggest: suggest.channels }) },
      run: async (ctx) => {
        const { id: ids, mine } = ctx.extra.query;
        requireOneOf({ channel: ctx.options.channel, id: ids, mine });
        const isNamed = (ids ?? mine) !== undefined;
        if (isNamed) return sections.open(ctx, {});
        const { id, title } = await findChannel(ctx, ctx.options.channel);
        return sections.open(ctx, { channelId: id, name: title });
      },
    }),

    "add-section": subcommand({
      row: "channelSections.insert",
      uses: ["channelSections.list", "channels.list", "playlists.list"],
      options: {
        type: option.field("channelSections.insert", "snippet.type", {
          required: true,
          group: "sectionType",
        }),
        ...sectionOptions,
      },
      run: (ctx) => addSection(ctx, ctx.options),
    }),

    "edit-section": subcommand({
      row: "channelSections.update",
      uses: ["channelSections.list", "channels.list", "playlists.list"],
      options: {
        section: option.id({
          of: "section",
          covers: "id",
          required: true,
          suggest: suggest.sections,
        }),
        type: option.field("channelSections.update", "snippet.type", { group: "sectionType" }),
        ...sectionOptions,
      },
      run: (ctx) => {
        const { section, ...wishes } = ctx.options;
        return changeSection(ctx, section, wishes);
      },
    }),

    "delete-section": subcommand({
      row: "channelSections.delete",
      uses: ["channelSections.list", "playlists.list", "channels.list"],
      options: {
        section: option.id({
          of: "section",
          covers: "id",
          required: true,
          suggest: suggest.sections,
        }),
      },
      run: (ctx) => askToDelete(ctx, ctx.options.section),
    }),
  },
  actions: [
    ...channels.actions,
    ...sections.actions,
    ...channelSettings.actions,
    details,
    sectionsOf,
    askDelete,
    deleteSection,
  ],
});

async function whichOf(ctx: Ctx<unknown>, ref: Parameters<typeof findChannel>[1]) {
  if (ref !== undefined && "handle" in ref) return { forHandle: ref.handle };
  const { id } = ref ?? { id: ctx.channelId };
  return { id: [id ?? (await findChannel(ctx, undefined)).id] };
}

function isBare({ body }: Ctx["extra"]): boolean {
  return Object.keys(body).length === 0;
}
