import { cutOut, menu, picturesOf } from "../src/discord/index.ts";

export default menu({
  title: "Remove background",
  needs: ["background-key"],
  run: (ctx, message) => cutOut(ctx, picturesOf(message.attachments), { format: "auto" }),
});
