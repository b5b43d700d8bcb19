import { command } from "../src/discord/index.ts";
import {
  backgroundRemoval,
  credits,
  expressions,
  improvement,
  subcommand,
  thumbnailMaker,
} from "../src/features/index.ts";

export default command({
  subcommands: {
    remove: subcommand({
      needs: ["background-key"],
      // What was paid for is found again (`ctx.paid`).
      isRepeatable: true,
      wants: ["channel"],
      options: backgroundRemoval.options,
      form: backgroundRemoval.form,
      run: backgroundRemoval.remove,
    }),
    // A picture that is transparent already needs no key.
    sticker: subcommand({
      answer: "private",
      wants: ["background-key"],
      options: expressions.options,
      run: expressions.fromPicture,
    }),
    thumbnail: subcommand({
      answer: "private",
      wants: ["background-key", "channel"],
      options: thumbnailMaker.options,
      run: thumbnailMaker.make,
    }),
    // Moderators see what the key's account holds; only managers see who spent it.
    account: subcommand({
      rank: "moderator",
      answer: "private",
      needs: ["background-key"],
      isRepeatable: true,
      run: credits.account,
    }),
    improve: subcommand({
      answer: "private",
      needs: ["background-key"],
      options: improvement.options,
      run: improvement.begin,
    }),
  },
  notifications: credits.notifications,
  actions: [
    ...backgroundRemoval.actions,
    ...thumbnailMaker.actions,
    ...expressions.actions,
    ...improvement.actions,
    ...credits.actions,
  ],
});
