import { command, option, subcommand } from "../src/discord/index.ts";
import {
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
  },
  actions: [
    ...thumbnailOfCutout.actions,
    ...thumbnails.actions,
    ...expressions.actions,
    ...improvement.actions,
  ],
});
