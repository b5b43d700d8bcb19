import { command } from "../src/discord/index.ts";
import { subcommand, watches, weeklySummary } from "../src/features/index.ts";

/** Managers set watches up; moderators see their status and may pause them. */
const manager = { rank: "manager", answer: "private" } as const;
const moderator = { rank: "moderator", answer: "private" } as const;

export default command({
  subcommands: {
    channel: subcommand({
      ...manager,
      uses: ["commentThreads.list", "channels.list", "comments.setModerationStatus"],
      options: watches.watchOptions,
      run: (ctx) => {
        const { channel: place, ...setting } = ctx.options;
        return watches.setUpWatch(ctx, { place, ...setting });
      },
    }),
    pace: subcommand({
      ...manager,
      options: watches.paceOptions,
      run: watches.setWatchPace,
    }),
    ping: subcommand({
      ...manager,
      options: watches.pingOptions,
      run: watches.setWatchPing,
    }),
    pause: subcommand({ ...moderator, options: watches.watchChoice, run: watches.pauseWatch }),
    resume: subcommand({ ...moderator, options: watches.watchChoice, run: watches.resumeWatch }),
    test: subcommand({ ...manager, options: watches.watchChoice, run: watches.testWatch }),
    status: subcommand({
      ...moderator,
      options: watches.watchChoice,
      isRepeatable: true,
      run: watches.showWatchStatus,
    }),
    stop: subcommand({
      ...manager,
      options: watches.watchChoice,
      isRepeatable: true,
      run: watches.askToStop,
    }),
    summary: subcommand({
      ...moderator,
      wants: ["video-key", "channel"],
      options: weeklySummary.options,
      run: (ctx) => weeklySummary.run(ctx, ctx.options),
    }),
    replies: subcommand({
      ...moderator,
      isRepeatable: true,
      run: watches.showSavedReplies,
    }),
  },
  actions: [...watches.watchActions, ...weeklySummary.actions],
  notifications: [...watches.watchEvents, ...weeklySummary.events],
});
