import { command, longestTexts } from "../src/discord/index.ts";
import { option, subcommand, suggest, watches, weeklySummary } from "../src/features/index.ts";

const ofWatch = { watch: option.text({ max: longestTexts.id, suggest: suggest.watches }) } as const;

/** Managers set watches up; moderators see their status and may pause them. */
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
        states: option.choice({ group: "watch_states", values: watches.watchStateChoices }),
        match: option.text({ max: 500 }),
        digest: option.integer({ min: 2, max: 100 }),
      },
      run: (ctx) => {
        const { channel: place, ...setting } = ctx.options;
        return watches.setUpWatch(ctx, { place, ...setting });
      },
    }),
    pace: subcommand({
      ...manager,
      options: { pace: option.duration({ required: true }), ...ofWatch },
      run: (ctx) => watches.setWatchPace(ctx, ctx.options),
    }),
    ping: subcommand({
      ...manager,
      options: {
        role: option.pingRole({}),
        gap: option.duration({}),
        quiet: option.dayTimes({}),
        ...ofWatch,
      },
      run: (ctx) => watches.setWatchPing(ctx, ctx.options),
    }),
    pause: subcommand({ ...moderator, options: ofWatch, run: watches.pauseWatch }),
    resume: subcommand({ ...moderator, options: ofWatch, run: watches.resumeWatch }),
    test: subcommand({ ...manager, options: ofWatch, run: watches.testWatch }),
    status: subcommand({
      ...moderator,
      options: ofWatch,
      isRepeatable: true,
      run: watches.showWatchStatus,
    }),
    stop: subcommand({ ...manager, options: ofWatch, isRepeatable: true, run: watches.askToStop }),
    summary: subcommand({
      ...moderator,
      wants: ["video-key", "channel"],
      options: {
        channel: option.textChannel({}),
        day: option.choice({ group: "weekday", values: weeklySummary.days }),
      },
      run: (ctx) => weeklySummary.run(ctx, ctx.options),
    }),
    replies: subcommand({
      ...moderator,
      isRepeatable: true,
      run: (ctx) => watches.showSavedReplies(ctx),
    }),
  },
  actions: [...watches.watchActions, ...weeklySummary.actions],
  notifications: [...watches.watchEvents, ...weeklySummary.events],
});
