import { command } from "../src/discord/index.ts";
import {
  channelSectionsFlow,
  channelSettingsFlow,
  channelsFlow,
  maxChannelSettingChars,
  option,
  subcommand,
  suggest,
} from "../src/features/index.ts";

const section = option.id({
  of: "section",
  covers: "id",
  required: true,
  suggest: suggest.sections,
});

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
      method: "channels.list",
      options: {
        channel: option.channel({ covers: "id", suggest: suggest.channels }),
        language: option.language({ covers: "hl", suggest: suggest.languages }),
      },
      // It shows one channel, so there are no pages.
      decides: ["forHandle", "maxResults", "pageToken"],
      run: (ctx) => channelsFlow.show(ctx, ctx.options),
    }),

    edit: subcommand({
      method: "channels.update",
      uses: ["channels.list"],
      options: {
        description: option.text({
          covers: "brandingSettings.channel.description",
          max: maxChannelSettingChars.description,
        }),
        keywords: option.text({
          covers: "brandingSettings.channel.keywords",
          max: maxChannelSettingChars.keywords,
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
      run: (ctx) => channelSettingsFlow.edit(ctx, ctx.options),
    }),

    sections: subcommand({
      method: "channelSections.list",
      uses: ["channels.list", "playlists.list"],
      options: { channel: option.channel({ covers: "channelId", suggest: suggest.channels }) },
      run: (ctx) => channelSectionsFlow.open(ctx, ctx.options.channel),
    }),

    "add-section": subcommand({
      method: "channelSections.insert",
      uses: ["channelSections.list", "channels.list", "playlists.list"],
      options: {
        type: option.field("channelSections.insert", "snippet.type", {
          required: true,
          group: "sectionType",
        }),
        ...sectionOptions,
      },
      run: (ctx) => channelSectionsFlow.add(ctx, ctx.options),
    }),

    "edit-section": subcommand({
      method: "channelSections.update",
      uses: ["channelSections.list", "channels.list", "playlists.list"],
      options: {
        section,
        type: option.field("channelSections.update", "snippet.type", { group: "sectionType" }),
        ...sectionOptions,
      },
      run: (ctx) => {
        const { section, ...changes } = ctx.options;
        return channelSectionsFlow.change(ctx, section, changes);
      },
    }),

    "delete-section": subcommand({
      method: "channelSections.delete",
      uses: ["channelSections.list", "playlists.list", "channels.list"],
      options: { section },
      isRepeatable: true,
      run: (ctx) => channelSectionsFlow.askToDelete(ctx, ctx.options.section),
    }),
  },
  actions: [
    ...channelsFlow.actions,
    ...channelSectionsFlow.actions,
    ...channelSettingsFlow.actions,
  ],
});
