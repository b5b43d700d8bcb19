import { command } from "../src/discord/index.ts";
import {
  budget,
  connections,
  erasure,
  opening,
  option,
  subcommand,
  suggest,
} from "../src/features/index.ts";

const owner = { rank: "owner", answer: "private" } as const;

export default command({
  subcommands: {
    channel: subcommand({
      ...owner,
      run: (ctx) => connections.beginLink(ctx),
    }),
    channels: subcommand({
      ...owner,
      isRepeatable: true,
      run: (ctx) => connections.showLinkedChannels(ctx),
    }),
    token: opening({ rank: "owner", form: ({ words }) => connections.tokenForm(words) }),
    key: opening({ rank: "owner", form: (request) => connections.keyForm(request, "video-key") }),
    "background-key": opening({
      rank: "owner",
      form: (request) => connections.keyForm(request, "background-key"),
    }),
    status: subcommand({
      rank: "moderator",
      answer: "private",
      wants: connections.credentialKinds,
      isRepeatable: true,
      run: (ctx) => connections.showConnectionStatus(ctx),
    }),
    disconnect: subcommand({
      ...owner,
      options: {
        what: option.choice({ group: "credential", values: connections.credentialKinds }),
        channel: option.text({ suggest: suggest.linkedChannels }),
      },
      run: (ctx) => connections.disconnectChosen(ctx, ctx.options),
    }),
    notices: subcommand({
      ...owner,
      options: { channel: option.textChannel({}) },
      run: (ctx) => connections.chooseNotices(ctx, ctx.options.channel),
    }),
    region: subcommand({
      ...owner,
      wants: ["video-key", "channel"],
      options: {
        region: option.country({ suggest: suggest.regions }),
        "time-zone": option.timeZone({ suggest: suggest.timeZones }),
      },
      run: (ctx) => connections.chooseRegion(ctx, ctx.options),
    }),
    budget: subcommand({
      ...owner,
      options: {
        rank: option.choice({ group: "rank", values: budget.limitedRanks }),
        person: option.person({}),
        units: option.integer({ min: 0, max: 100_000_000 }),
        searches: option.integer({ min: 0, max: 1_000_000 }),
        uploads: option.integer({ min: 0, max: 1_000_000 }),
        credits: option.number({ min: 0, max: 1_000_000 }),
        remove: option.flag({}),
        reserve: option.integer({ min: 0, max: 90 }),
        "daily-units": option.integer({ min: 1, max: 100_000_000 }),
        "daily-searches": option.integer({ min: 1, max: 1_000_000 }),
        "daily-uploads": option.integer({ min: 1, max: 1_000_000 }),
      },
      run: (ctx) => budget.change(ctx, ctx.options),
    }),
    export: subcommand({ ...owner, isRepeatable: true, run: (ctx) => erasure.export(ctx) }),
    erase: subcommand({
      ...owner,
      isRepeatable: true,
      wants: ["video-key", "channel"],
      options: { author: option.channel({}) },
      run: (ctx) => {
        const { author } = ctx.options;
        return author === undefined ? erasure.ask(ctx) : erasure.askAboutAuthor(ctx, author);
      },
    }),
    roles: subcommand({
      ...owner,
      options: {
        role: option.role({}),
        rank: option.choice({ group: "rank", values: [...connections.mappedRanks, "none"] }),
      },
      run: (ctx) => connections.mapRole(ctx, ctx.options),
    }),
  },
  actions: [...erasure.actions, ...connections.connectionActions],
  notifications: connections.connectionEvents,
});
