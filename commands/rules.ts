import { command, longestTexts } from "../src/discord/index.ts";
import { commentRules, option, subcommand, suggest } from "../src/features/index.ts";

const manager = { rank: "manager", answer: "private" } as const;
const moderator = { rank: "moderator", answer: "private" } as const;

/** What a dry run may read: comments, the channel's own videos, its members. */
const reads = ["commentThreads.list", "videos.list", "playlists.list", "channels.list"] as const;

export default command({
  subcommands: {
    add: subcommand({
      ...manager,
      uses: reads,
      options: commentRules.addOptions,
      form: commentRules.askForList,
      run: commentRules.add,
    }),
    list: subcommand({ ...moderator, isRepeatable: true, run: commentRules.list }),
    try: subcommand({
      ...moderator,
      uses: reads,
      options: commentRules.tryOptions,
      run: commentRules.tryRules,
    }),
    switch: subcommand({
      ...manager,
      options: {
        rule: option.text({ required: true, max: longestTexts.id, suggest: suggest.rules }),
        on: option.flag({}),
      },
      run: commentRules.switchRule,
    }),
    remove: subcommand({
      ...manager,
      options: {
        rule: option.text({ required: true, max: longestTexts.id, suggest: suggest.rules }),
      },
      isRepeatable: true,
      run: commentRules.askRemove,
    }),
    exempt: subcommand({
      ...manager,
      uses: ["channels.list"],
      options: commentRules.exemptOptions,
      run: commentRules.exempt,
    }),
    log: subcommand({
      ...manager,
      options: {
        channel: option.textChannel({}),
        per_day: option.integer({ min: 0, max: 10_000 }),
      },
      run: (ctx) =>
        commentRules.log(ctx, { channel: ctx.options.channel, perDay: ctx.options.per_day }),
    }),
    export: subcommand({ ...manager, isRepeatable: true, run: commentRules.export }),
    import: subcommand({
      ...manager,
      options: commentRules.importOptions,
      run: commentRules.askImport,
    }),
    subscribe: subcommand({
      ...manager,
      uses: reads,
      options: commentRules.subscribeOptions,
      run: commentRules.subscribe,
    }),
    lists: subcommand({ ...manager, isRepeatable: true, run: commentRules.lists }),
    share: subcommand({ ...manager, options: commentRules.shareOptions, run: commentRules.share }),
  },
  actions: commentRules.actions,
  notifications: commentRules.events,
});
