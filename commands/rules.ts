import { command, longestTexts } from "../src/discord/index.ts";
import { commentRules, option, subcommand, suggest } from "../src/features/index.ts";

const { effects, kinds, maxNameChars } = commentRules;

const manager = { rank: "manager", answer: "private" } as const;
const moderator = { rank: "moderator", answer: "private" } as const;

/** What a dry run may read: comments, the channel's own videos, its members. */
const reads = ["commentThreads.list", "videos.list", "playlists.list", "channels.list"] as const;

export default command({
  subcommands: {
    add: subcommand({
      ...manager,
      needs: ["channel"],
      uses: reads,
      options: {
        kind: option.choice({ required: true, group: "rule_kind", values: kinds }),
        name: option.text({ required: true, max: maxNameChars }),
        does: option.choice({ required: true, group: "rule_does", values: effects }),
        what: option.text({}),
        look_alikes: option.flag({}),
        times: option.integer({ min: 2, max: 50 }),
        within: option.duration({}),
      },
      form: commentRules.askForList,
      run: (ctx) => commentRules.add(ctx, ctx.options),
    }),
    list: subcommand({ ...moderator, isRepeatable: true, run: (ctx) => commentRules.list(ctx) }),
    try: subcommand({
      ...moderator,
      needs: ["channel"],
      uses: reads,
      options: {
        rule: option.text({ max: longestTexts.id, suggest: suggest.rules }),
        text: option.text({}),
      },
      run: (ctx) => commentRules.tryRules(ctx, ctx.options),
    }),
    switch: subcommand({
      ...manager,
      options: {
        rule: option.text({ required: true, max: longestTexts.id, suggest: suggest.rules }),
        on: option.flag({}),
      },
      run: (ctx) => commentRules.switchRule(ctx, ctx.options),
    }),
    remove: subcommand({
      ...manager,
      options: {
        rule: option.text({ required: true, max: longestTexts.id, suggest: suggest.rules }),
      },
      isRepeatable: true,
      run: (ctx) => commentRules.askRemove(ctx, ctx.options.rule),
    }),
    exempt: subcommand({
      ...manager,
      uses: ["channels.list"],
      options: {
        add: option.channels({ suggest: suggest.channels }),
        remove: option.text({ suggest: commentRules.exemptAuthors }),
        members: option.flag({}),
      },
      run: (ctx) => commentRules.exempt(ctx, ctx.options),
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
  },
  actions: commentRules.actions,
  notifications: commentRules.events,
});
