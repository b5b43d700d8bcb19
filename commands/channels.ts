import { command } from "../src/discord/index.ts";
import {
  channelSectionsFlow,
  channelSettingsFlow,
  channelsFlow,
  option,
  subcommand,
  suggest,
} from "../src/features/index.ts";

export default command({
  subcommands: {
    show: subcommand({
      method: "channels.list",
      options: channelsFlow.options,
      // It shows one channel, so there are no pages.
      decides: ["forHandle", "maxResults", "pageToken"],
      run: channelsFlow.show,
    }),

    edit: subcommand({
      method: "channels.update",
      uses: ["channels.list"],
      options: channelSettingsFlow.options,
      decides: ["id"],
      run: channelSettingsFlow.edit,
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
      options: channelSectionsFlow.addOptions,
      run: channelSectionsFlow.add,
    }),

    "edit-section": subcommand({
      method: "channelSections.update",
      uses: ["channelSections.list", "channels.list", "playlists.list"],
      options: channelSectionsFlow.changeOptions,
      run: channelSectionsFlow.change,
    }),

    "delete-section": subcommand({
      method: "channelSections.delete",
      uses: ["channelSections.list", "playlists.list", "channels.list"],
      options: {
        section: option.id({
          of: "section",
          covers: "id",
          required: true,
          suggest: suggest.sections,
        }),
      },
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
