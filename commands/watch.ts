import { command, longestTexts, option, subcommand, suggest } from "../src/discord/index.ts";
import { watching } from "../src/flows/index.ts";

const ofWatch = { watch: option.text({ max: longestTexts.id, suggest: suggest.watches }) } as const;

/** Setting up is for managers; how it stands, and a rest from it, for moderators. */
const manager = { rank: "manager", answer: "private" } as const;
const moderator = { rank: "moderator", answer: "private" } as const;

export default command({
  subcommands: {
    channel: subcommand({
      ...manager,
      needs: ["channel"],
      uses: ["commentThreads.list", "channels.list", "comments.setModerationStatus"],
      options: {
        channel: option.postChannel({ required: true }),
        states: option.choice({ group: "watch_states", values: watching.stateChoices }),
        match: option.text({ max: 500 }),
        digest: option.integer({ min: 2, max: 100 }),
      },
      run: (ctx) => {
        const { channel: place, ...setting } = ctx.options;
        return watching.setUp(ctx, { place, ...setting });
      },
    }),
    pace: subcommand({
      ...manager,
      options: { pace: option.duration({ required: true }), ...ofWatch },
      run: (ctx) => watching.setPace(ctx, ctx.options),
    }),
    ping: subcommand({
      ...manager,
      options: {
        role: option.pingRole({}),
        gap: option.duration({}),
        quiet: option.dayTimes({}),
        ...ofWatch,
      },
      run: (ctx) => watching.setPing(ctx, ctx.options),
    }),
    pause: subcommand({ ...moderator, options: ofWatch, run: watching.pauseWatch }),
    resume: subcommand({ ...moderator, options: ofWatch, run: watching.resumeWatch }),
    test: subcommand({ ...manager, options: ofWatch, run: watching.testWatch }),
    status: subcommand({ ...moderator, options: ofWatch, run: watching.watchStatus }),
    stop: subcommand({ ...manager, options: ofWatch, run: watching.askToStop }),
    replies: subcommand({ ...moderator, run: (ctx) => watching.savedReplies(ctx) }),
  },
  actions: watching.actions,
  events: watching.events,
});
