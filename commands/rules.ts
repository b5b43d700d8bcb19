import { command, longestTexts, option, subcommand, suggest } from "../src/discord/index.ts";
import { rules } from "../src/flows/index.ts";

const { deeds, kinds, listKinds, longestName, usual } = rules;

/** What a dry run may read: comments, the channel's own videos, its members. */
const reads = ["commentThreads.list", "videos.list", "playlists.list", "channels.list"] as const;

export default command({
  subcommands: {
    add: subcommand({
      rank: "manager",
      answer: "private",
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
      form: (asked, { kind, name, does, what, look_alikes: isFolded = usual.isFolded }) => {
        if (what !== undefined || !listKinds.includes(kind)) return undefined;
        const { times, withinMs } = usual;
        const submit = rules.listed.press({ kind, name, does, isFolded, times, withinMs });
        return rules.listForm(asked, kind, { name, submit });
      },
      run: (ctx) => {
        const { look_alikes, times, within, what = "", ...said } = ctx.options;
        return rules.propose(ctx, {
          ...{ ...said, what },
          isFolded: look_alikes ?? usual.isFolded,
          times: times ?? usual.times,
          withinMs: within ?? usual.withinMs,
        });
      },
    }),
    list: subcommand({ rank: "moderator", answer: "private", run: (ctx) => rules.list(ctx) }),
    try: subcommand({
      rank: "moderator",
      answer: "private",
      needs: ["channel"],
      uses: reads,
      options: {
        rule: option.text({ max: longestTexts.id, suggest: suggest.rules }),
        text: option.text({}),
      },
      run: (ctx) => rules.tryRules(ctx, ctx.options),
    }),
    switch: subcommand({
      rank: "manager",
      answer: "private",
      options: {
        rule: option.text({ required: true, max: longestTexts.id, suggest: suggest.rules }),
        on: option.flag({}),
      },
      run: (ctx) => rules.switchRule(ctx, ctx.options),
    }),
    remove: subcommand({
      rank: "manager",
      answer: "private",
      options: {
        rule: option.text({ required: true, max: longestTexts.id, suggest: suggest.rules }),
      },
      run: (ctx) => rules.askRemove(ctx, ctx.options.rule),
    }),
    exempt: subcommand({
      rank: "manager",
      answer: "private",
      uses: ["channels.list"],
      options: {
        add: option.channels({ suggest: suggest.channels }),
        remove: option.text({ suggest: rules.exemptAuthors }),
        members: option.flag({}),
      },
      run: (ctx) => rules.exempt(ctx, ctx.options),
    }),
    log: subcommand({
      rank: "manager",
      answer: "private",
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
