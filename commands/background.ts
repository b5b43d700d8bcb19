import { command, option, subcommand } from "../src/discord/index.ts";
import {
  credits,
  cutouts,
  expressions,
  improvement,
  thumbnailOfCutout,
  thumbnails,
} from "../src/flows/index.ts";

/** The image service's subjects (facts: type). */
const subjects = ["person", "product", "animal", "car", "transportation", "graphic"] as const;

export default command({
  subcommands: {
    remove: subcommand({
      needs: ["background-key"],
      wants: ["channel"],
      options: {
        image: option.attachment({ required: true }),
        format: option.choice({ group: "cutoutFormat", values: ["png", "webp", "jpg"] }),
        color: option.color({}),
        size: option.choice({ group: "cutoutSize", values: ["auto", "50MP", "preview"] }),
        subject: option.choice({ group: "subject", values: subjects }),
      },
      run: (ctx) => {
        const { image, format = "auto", color, size, subject: type } = ctx.options;
        return cutouts.cutOut(ctx, [image], { format, color, size, type });
      },
    }),
    // What the key's account holds is for those who look after the server; who spent it only for managers.
    account: subcommand({
      rank: "moderator",
      answer: "private",
      needs: ["background-key"],
      run: (ctx) => credits.account(ctx),
    }),
    improve: subcommand({
      answer: "private",
      needs: ["background-key"],
      options: {
        image: option.attachment({}),
        link: option.text({ max: 2000 }),
        tag: option.text({ max: 100 }),
        name: option.text({ max: 200 }),
      },
      run: (ctx) => improvement.begin(ctx, ctx.options),
    }),
  },
  actions: [
    ...thumbnailOfCutout.actions,
    ...thumbnails.actions,
    ...expressions.actions,
    ...improvement.actions,
    ...credits.actions,
  ],
});
