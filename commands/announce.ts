import { command } from "../src/discord/index.ts";
import { announcements, option, subcommand, suggest } from "../src/features/index.ts";

const { kinds, maxTemplateChars: max } = announcements;
const manager = { rank: "manager", answer: "private" } as const;
const feed = option.text({ max: 100, suggest: suggest.feeds });

export default command({
  subcommands: {
    add: subcommand({
      ...manager,
      uses: ["channels.list"],
      options: {
        channel: option.channel({ required: true, suggest: suggest.linkedChannels }),
        uploads: option.postChannel({}),
        live: option.postChannel({}),
        shorts: option.postChannel({}),
        role: option.pingRole({}),
        template: option.text({ max }),
      },
      run: announcements.add,
    }),
    list: subcommand({ ...manager, isRepeatable: true, run: (ctx) => announcements.list(ctx) }),
    change: subcommand({
      ...manager,
      options: {
        kind: option.choice({ required: true, group: "release", values: kinds }),
        feed,
        channel: option.postChannel({}),
        role: option.pingRole({}),
        template: option.text({ max }),
        clear: option.choice({ group: "announce_clear", values: ["role", "template", "place"] }),
      },
      run: announcements.change,
    }),
    pause: subcommand({ ...manager, options: { feed }, run: announcements.pause }),
    resume: subcommand({ ...manager, options: { feed }, run: announcements.resume }),
    test: subcommand({
      ...manager,
      uses: ["playlistItems.list", "videos.list"],
      options: { feed, kind: option.choice({ group: "release", values: kinds }) },
      run: announcements.test,
    }),
    remove: subcommand({
      ...manager,
      options: { feed },
      isRepeatable: true,
      run: announcements.askRemove,
    }),
  },
  actions: announcements.actions,
  notifications: announcements.events,
});
