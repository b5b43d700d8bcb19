import { command } from "../src/discord/index.ts";
import { announcements, subcommand } from "../src/features/index.ts";

const manager = { rank: "manager", answer: "private" } as const;
const chosen = { ...manager, options: announcements.choice } as const;

export default command({
  subcommands: {
    add: subcommand({
      ...manager,
      uses: ["channels.list", "playlistItems.list", "videos.list"],
      options: announcements.addOptions,
      run: announcements.add,
    }),
    import: subcommand({
      ...manager,
      uses: ["channels.list", "playlistItems.list", "videos.list"],
      options: announcements.importOptions,
      run: announcements.askImport,
    }),
    list: subcommand({ ...chosen, isRepeatable: true, run: announcements.list }),
    change: subcommand({
      ...manager,
      uses: ["playlistItems.list", "videos.list"],
      options: announcements.changeOptions,
      run: announcements.change,
    }),
    streams: subcommand({
      ...manager,
      options: announcements.streamOptions,
      run: announcements.streams,
    }),
    filter: subcommand({
      ...manager,
      uses: ["playlistItems.list", "videos.list"],
      options: announcements.filterOptions,
      run: announcements.filter,
    }),
    mute: subcommand({ ...manager, options: announcements.muteOptions, run: announcements.mute }),
    unmute: subcommand({ ...chosen, run: announcements.unmute }),
    pause: subcommand({ ...chosen, run: announcements.pause }),
    resume: subcommand({ ...chosen, run: announcements.resume }),
    test: subcommand({
      ...manager,
      uses: ["playlistItems.list", "videos.list"],
      options: announcements.testOptions,
      run: announcements.test,
    }),
    remove: subcommand({ ...chosen, isRepeatable: true, run: announcements.askRemove }),
  },
  actions: announcements.actions,
  notifications: announcements.events,
});
