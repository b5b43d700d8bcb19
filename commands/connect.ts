import { command } from "../src/discord/index.ts";
import {
  budget,
  connections,
  erasure,
  opening,
  option,
  subcommand,
} from "../src/features/index.ts";

const owner = { rank: "owner", answer: "private" } as const;

export default command({
  subcommands: {
    channel: subcommand({
      ...owner,
      run: connections.beginLink,
    }),
    channels: subcommand({
      ...owner,
      isRepeatable: true,
      run: connections.showLinkedChannels,
    }),
    token: opening({ rank: "owner", form: connections.tokenForm }),
    key: opening({ rank: "owner", form: (request) => connections.keyForm(request, "video-key") }),
    "background-key": opening({
      rank: "owner",
      form: (request) => connections.keyForm(request, "background-key"),
    }),
    "background-engine": subcommand({
      ...owner,
      options: connections.engineOptions,
      form: connections.engineForm,
      run: connections.connectRembg,
    }),
    status: subcommand({
      rank: "moderator",
      answer: "private",
      wants: connections.credentialKinds,
      isRepeatable: true,
      run: connections.showConnectionStatus,
    }),
    disconnect: subcommand({
      ...owner,
      options: connections.disconnectOptions,
      run: connections.disconnectChosen,
    }),
    notices: subcommand({
      ...owner,
      options: { channel: option.textChannel({}) },
      run: (ctx) => connections.chooseNoticeChannel(ctx, ctx.options.channel),
    }),
    region: subcommand({
      ...owner,
      wants: ["video-key", "channel"],
      options: connections.regionOptions,
      run: connections.chooseRegion,
    }),
    budget: subcommand({
      ...owner,
      options: budget.options,
      run: budget.change,
    }),
    export: subcommand({ ...owner, isRepeatable: true, run: erasure.export }),
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
      options: connections.roleOptions,
      run: connections.mapRole,
    }),
  },
  actions: [...erasure.actions, ...connections.connectionActions],
  notifications: connections.connectionEvents,
});
