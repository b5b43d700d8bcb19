import { command, option, subcommand, suggest } from "../src/discord/index.ts";
import { announcements } from "../src/flows/index.ts";

const { kinds, longestTemplate: max } = announcements;

/** Which of the channels that are announced; the only one when absent. */
const feed = option.text({ max: 100, suggest: suggest.feeds });

export default command({
  subcommands: {
    add: subcommand({
      rank: "manager",
      answer: "private",
      uses: ["channels.list"],
      options: {
        channel: option.channel({ required: true, suggest: suggest.linkedChannels }),
        uploads: option.postChannel({}),
        live: option.postChannel({}),
        shorts: option.postChannel({}),
        role: option.pingRole({}),
        template: option.text({ max }),
      },
      run: (ctx) => announcements.add(ctx, ctx.options),
    }),
    list: subcommand({
      rank: "manager",
      answer: "private",
      run: (ctx) => announcements.list(ctx),
    }),
    change: subcommand({
      rank: "manager",
      answer: "private",
      options: {
        kind: option.choice({ required: true, group: "release", values: kinds }),
        feed,
        channel: option.postChannel({}),
        role: option.pingRole({}),
        template: option.text({ max }),
        clear: option.choice({
          group: "announce_clear",
          values: ["role", "template", "place"],
        }),
      },
      run: (ctx) => announcements.change(ctx, ctx.options),
    }),
    pause: subcommand({
      rank: "manager",
      answer: "private",
      options: { feed },
      run: (ctx) => announcements.pause(ctx, ctx.options.feed),
    }),
    resume: subcommand({
      rank: "manager",
      answer: "private",
      options: { feed },
      run: (ctx) => announcements.resume(ctx, ctx.options.feed),
    }),
    test: subcommand({
      rank: "manager",
      answer: "private",
      uses: ["playlistItems.list", "videos.list"],
      options: { feed, kind: option.choice({ group: "release", values: kinds }) },
      run: (ctx) => announcements.test(ctx, ctx.options),
    }),
    remove: subcommand({
      rank: "manager",
      answer: "private",
      options: { feed },
      run: (ctx) => announcements.questionRemove(ctx, ctx.options.feed),
    }),
  },
  actions: announcements.actions,
  events: announcements.events,
});
