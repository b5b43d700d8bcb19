import { command, longestTexts, option, subcommand, suggest } from "../src/discord/index.ts";
import { rules } from "../src/flows/index.ts";

const { deeds, kinds, longestName } = rules;

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
        name: option.text({ required: true, max: longestName }),
        does: option.choice({ required: true, group: "rule_does", values: deeds }),
        what: option.text({}),
        look_alikes: option.flag({}),
        times: option.integer({ min: 2, max: 50 }),
        within: option.duration({}),
      },
      form: rules.askForList,
      run: (ctx) => rules.add(ctx, ctx.options),
    }),
    list: subcommand({ ...moderator, run: (ctx) => rules.list(ctx) }),
    try: subcommand({
      ...moderator,
      needs: ["channel"],
      uses: reads,
      options: {
        rule: option.text({ max: longestTexts.id, suggest: suggest.rules }),
        text: option.text({}),
      },
      run: (ctx) => rules.tryRules(ctx, ctx.options),
    }),
    switch: subcommand({
      ...manager,
      options: {
        rule: option.text({ required: true, max: longestTexts.id, suggest: suggest.rules }),
        on: option.flag({}),
      },
      run: (ctx) => rules.switchRule(ctx, ctx.options),
    }),
    remove: subcommand({
      ...manager,
      options: {
        rule: option.text({ required: true, max: longestTexts.id, suggest: suggest.rules }),
      },
      run: (ctx) => rules.askRemove(ctx, ctx.options.rule),
    }),
    exempt: subcommand({
      ...manager,
      uses: ["channels.list"],
      options: {
        add: option.channels({ suggest: suggest.channels }),
        remove: option.text({ suggest: rules.exemptAuthors }),
        members: option.flag({}),
      },
      run: (ctx) => rules.exempt(ctx, ctx.options),
    }),
    log: subcommand({
      ...manager,
      options: {
        channel: option.textChannel({}),
        per_day: option.integer({ min: 0, max: 10_000 }),
      },
      run: (ctx) => rules.log(ctx, { channel: ctx.options.channel, perDay: ctx.options.per_day }),
    }),
  },
  actions: rules.actions,
  events: rules.events,
});
