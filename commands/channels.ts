import {
  action,
  ask,
  browse,
  type Ctx,
  carrying,
  changedSettings,
  channelCard,
  channelIds,
  channelParts,
  checkSection,
  command,
  contentOf,
  cut,
  findChannel,
  form,
  gone,
  join,
  link,
  type NamedSection,
  named,
  notice,
  option,
  ownChannelId,
  pages,
  presses,
  type Reply,
  reaches,
  requirePlaylists,
  rules,
  sectionCard,
  sectionLines,
  sectionTitle,
  settingChars,
  settingsCard,
  settingsFields,
  settingsParts,
  smallThumbnail,
  subcommand,
  suggest,
  type TextSettings,
  textSettings,
  withExtra,
  withNames,
} from "../src/discord/index.ts";

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

/** Whose sections; neither when `extra` says it. */
interface OfChannel {
  readonly channelId?: string;
  readonly name?: string;
}

const sections = browse<"channelSections.list", OfChannel, NamedSection>({
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

const details = action<{ readonly id: string }>({
  name: "channels.details",
  answer: "private",
  by: "anyone",
  row: "channels.list",
  run: async (ctx, { id }) => {
    const { channel } = await findChannel(ctx, { id }, channelParts);
    return channelCard(channel, { words: ctx.words, isManager: reaches(ctx.rank, "manager") });
  },
});

const sectionsOf = action<{ readonly id: string }>({
  name: "channels.sections-of",
  answer: "private",
  by: "anyone",
  row: "channelSections.list",
  uses: ["channels.list", "playlists.list"],
  run: async (ctx, { id }) => {
    const { title } = await findChannel(ctx, { id });
    return sections.open(ctx, { channelId: id, name: title });
  },
});

interface Editing {
  readonly id: string;
  readonly before: TextSettings;
}

const editForm = action<Editing>({
  name: "channels.edit-form",
  answer: "form",
  by: "requester",
  row: "channels.update",
  form: ({ words }, editing) =>
    form({
      title: words.say("channels.edit.form"),
      fields: settingsFields(editing.before, words),
      submit: saveForm.press(editing),
    }),
});

const saveForm = action<Editing>({
  name: "channels.save-settings",
  answer: "private",
  by: "requester",
  row: "channels.update",
  uses: ["channels.list"],
  run: (ctx, { id, before }, { fields }) => {
    const channel = changedSettings(before, fields);
    const hasChanges = Object.keys(channel).length > 0;
    return save(ctx, { id, ...(hasChanges && { brandingSettings: { channel } }) });
  },
});

/** Without the page that shows them, sections are for nobody (specification, section 4). */
const showSections = action<{ readonly id: string }>({
  name: "channels.show-all-sections",
  answer: "private",
  by: "requester",
  row: "channels.update",
  uses: ["channels.list"],
  run: (ctx, { id }) => save(ctx, { id, brandingSettings: { channel: { showBrowseView: true } } }),
});

const askDelete = action<{ readonly id: string }>({
  name: "channels.ask-delete-section",
  answer: "private",
  by: "anyone",
  row: "channelSections.delete",
  uses: ["channelSections.list", "playlists.list", "channels.list"],
  run: (ctx, { id }) => askToDelete(ctx, id),
});

const deleteSection = action<{ readonly id: string; readonly extra: Ctx["extra"] }>({
  name: "channels.delete-section",
  answer: "update",
  by: "requester",
  isOnce: true,
  row: "channelSections.delete",
  run: async (ctx, { id, extra }) => {
    await ctx.own.call("channelSections.delete", withExtra({ id }, extra), { signal: ctx.signal });
    return notice({ tone: "good", title: ctx.words.say("channels.delete_section.done") });
  },
});

/** Filters that stand for a channel, so that none is to be named beside them. */
const instead = ["mine", "managedByMe", "forUsername"] as const;

const sectionOptions = {
  title: option.field("channelSections.insert", "snippet.title"),
  position: option.integer({ min: 1, max: 10, covers: "snippet.position" }),
  playlists: option.playlists({
    covers: "contentDetails.playlists",
    suggest: suggest.ownPlaylists,
  }),
  channels: option.channels({ covers: "contentDetails.channels" }),
} as const;

export default command({
  subcommands: {
    show: subcommand({
      row: "channels.list",
      options: {
        channel: option.channel({ covers: "id" }),
        language: option.language({ covers: "hl", suggest: suggest.languages }),
      },
      decides: ["forHandle"],
      run: async (ctx) => {
        const { channel: ref, language: hl } = ctx.options;
        const isNamed = instead.some((name) => name in ctx.extra.query);
        const which = isNamed ? {} : await whichOf(ctx, ref);
        if (isNamed || ctx.output !== "list") return channels.open(ctx, { which, hl });
        const wanted = withExtra({ part: channelParts, ...which, ...(hl && { hl }) }, ctx.extra);
        const { items } = await ctx.video.call("channels.list", wanted, { signal: ctx.signal });
        const [channel] = items ?? [];
        if (channel === undefined) return gone("channel", ctx.words);
        return channelCard(channel, { words: ctx.words, isManager: reaches(ctx.rank, "manager") });
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
        return isEmpty ? showSettings(ctx, id) : save(ctx, change);
      },
    }),

    sections: subcommand({
      row: "channelSections.list",
      uses: ["channels.list", "playlists.list"],
      options: { channel: option.channel({ covers: "channelId" }) },
      run: async (ctx) => {
        const isNamed = ["id", "mine"].some((name) => name in ctx.extra.query);
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
      run: async (ctx) => {
        const { type, title, position, playlists, channels: refs } = ctx.options;
        checkSection({ type, title, playlists, channels: refs?.map(String) });
        const [ids] = await Promise.all([channelIds(ctx, refs), requirePlaylists(ctx, playlists)]);
        const contentDetails = given({ playlists, channels: ids });
        const plan = {
          snippet: {
            type,
            ...(title === undefined ? {} : { title }),
            ...(position === undefined ? {} : { position: position - 1 }),
          },
          ...(contentDetails && { contentDetails }),
        };
        const { section, isVisible } = await rules.addChannelSection(
          carrying(ctx.own, ctx.extra),
          plan,
          { signal: ctx.signal },
        );
        return drawn(ctx, section, { key: "channels.add_section.done", isVisible });
      },
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
      run: async (ctx) => {
        const { section: id, type, title, position, playlists, channels: refs } = ctx.options;
        const before = await readSection(ctx, id);
        if (before === undefined) return gone("section", ctx.words);
        const ids = await channelIds(ctx, refs);
        const kind = type ?? before.snippet?.type ?? "";
        const content = contentOf(kind);
        const kept = before.contentDetails ?? {};
        checkSection({
          type: kind,
          title: title ?? before.snippet?.title,
          playlists: playlists ?? (content === "playlists" ? kept.playlists : undefined),
          channels: ids ?? (content === "channels" ? kept.channels : undefined),
        });
        await requirePlaylists(ctx, playlists);
        const snippet = given({
          type,
          title,
          position: position === undefined ? undefined : position - 1,
        });
        // A kind that shows something else takes nothing of what the kind before it showed.
        const contentDetails = given({
          playlists: content !== "playlists" && kept.playlists?.length ? null : playlists,
          channels: content !== "channels" && kept.channels?.length ? null : ids,
        });
        const change = {
          id,
          ...(snippet && { snippet }),
          ...(contentDetails && { contentDetails }),
        };
        const client = carrying(ctx.own, ctx.extra);
        const section = await rules.updateResource(client, "channelSections.update", change, {
          signal: ctx.signal,
        });
        return drawn(ctx, { ...before, ...section }, { key: "channels.edit_section.done" });
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
    details,
    sectionsOf,
    editForm,
    saveForm,
    showSections,
    askDelete,
    deleteSection,
  ],
});

async function whichOf(ctx: Ctx<unknown>, ref: Parameters<typeof findChannel>[1]) {
  if (ref !== undefined && "handle" in ref) return { forHandle: ref.handle };
  const { id } = ref ?? { id: ctx.channelId };
  return { id: [id ?? (await findChannel(ctx, undefined)).id] };
}

async function showSettings(ctx: Ctx<unknown>, id: string): Promise<Reply> {
  const wanted = { part: settingsParts, id: [id] };
  const { items } = await ctx.own.call("channels.list", wanted, { signal: ctx.signal });
  const [channel] = items ?? [];
  if (channel === undefined) return gone("channel", ctx.words);
  const { words } = ctx;
  return {
    ...settingsCard(channel, words.say("channels.settings.title"), words),
    footer: words.say("channels.edit.name_stays"),
    buttons: [
      {
        label: words.say("cards.edit"),
        style: "primary",
        press: editForm.press({ id, before: textSettings(channel) }),
      },
    ],
  };
}

type Change = Parameters<typeof rules.updateResource<"channels.update">>[2];

async function save(ctx: Ctx<unknown>, change: Change): Promise<Reply> {
  const { body = change } = withExtra({ body: change }, { ...ctx.extra, query: {} });
  const client = carrying(ctx.own, ctx.extra);
  const channel = await rules.updateResource(client, "channels.update", body, {
    signal: ctx.signal,
  });
  return settingsCard(channel, ctx.words.say("channels.edit.done"), ctx.words);
}

async function readSection({ own, signal }: Ctx<unknown>, id: string) {
  const wanted = { part: ["snippet", "contentDetails"], id: [id] } as const;
  const { items } = await own.call("channelSections.list", wanted, { signal });
  return items[0];
}

async function drawn(
  ctx: Ctx<unknown>,
  section: NamedSection["section"],
  {
    key,
    isVisible = true,
  }: { key: "channels.add_section.done" | "channels.edit_section.done"; isVisible?: boolean },
): Promise<Reply> {
  const { words } = ctx;
  const [found] = await withNames(ctx, [section]);
  const drawn = sectionCard(found ?? { section, names: new Map() }, words.say(key), words);
  const id = section.snippet?.channelId ?? ctx.channelId;
  if (isVisible || id === undefined) return drawn;
  return {
    ...drawn,
    footer: words.say("channels.add_section.hidden"),
    buttons: [{ label: words.say("channels.add_section.show"), press: showSections.press({ id }) }],
  };
}

async function askToDelete(ctx: Ctx<unknown>, id: string): Promise<Reply> {
  const { words } = ctx;
  const section = await readSection(ctx, id);
  if (section === undefined) return gone("section", words);
  const [found = { section, names: new Map<string, string>() }] = await withNames(ctx, [section]);
  const title = sectionTitle(found, words);
  const lines = sectionLines(found, words);
  return ask({
    title: words.say("channels.delete_section.title", { title: cut(title, 100) }),
    text: words.md("channels.delete_section.text", {
      price: await ctx.price("channelSections.delete"),
    }),
    fields: [
      {
        name: named(words, "sectionType", section.snippet?.type) ?? title,
        value: lines.length === 0 ? title : join(lines, "\n"),
      },
    ],
    confirm: {
      label: words.say("cards.delete"),
      style: "danger",
      press: deleteSection.press({ id, extra: ctx.extra }),
    },
  });
}

/** Undefined when nothing of it was given. */
function given<T extends object>(
  fields: T,
): { [K in keyof T]?: Exclude<T[K], undefined> } | undefined {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  if (entries.length === 0) return undefined;
  return Object.fromEntries(entries) as { [K in keyof T]?: Exclude<T[K], undefined> };
}

function isBare({ body }: Ctx["extra"]): boolean {
  return Object.keys(body).length === 0;
}
