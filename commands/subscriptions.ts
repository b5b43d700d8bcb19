import { command } from "../src/discord/index.ts";
import { option, subcommand, subscriptions, suggest } from "../src/features/index.ts";

export default command({
  subcommands: {
    list: subcommand({
      method: "subscriptions.list",
      uses: ["channels.list"],
      decides: ["mySubscribers", "myRecentSubscribers"],
      options: subscriptions.subscriptionListOptions,
      run: subscriptions.openSubscriptions,
    }),
    subscribers: subcommand({
      rank: "moderator",
      answer: "private",
      needs: ["channel"],
      uses: ["subscriptions.list"],
      options: {
        order: option.choice({ group: "subscribers", values: ["newest", "alphabetical"] }),
        output: option.choice({ group: "output", values: ["list", "csv", "json", "raw"] }),
      },
      run: subscriptions.openSubscribers,
    }),
    add: subcommand({
      method: "subscriptions.insert",
      uses: ["channels.list", "subscriptions.list"],
      options: { channel: option.channel({ required: true, covers: "snippet.resourceId" }) },
      run: (ctx) => subscriptions.subscribe(ctx, ctx.options.channel),
    }),
    remove: subcommand({
      method: "subscriptions.delete",
      uses: ["channels.list", "subscriptions.list"],
      options: {
        channel: option.text({
          required: true,
          max: 200,
          covers: "id",
          suggest: suggest.subscriptions,
        }),
      },
      isRepeatable: true,
      run: subscriptions.askUnsubscribeFrom,
    }),
  },
  actions: subscriptions.subscriptionActions,
});
