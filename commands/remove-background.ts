import { cutOut, menu, picturesOf } from "../src/discord/index.ts";

export default menu({
  title: "Remove background",
  needs: ["background-key"],
  wants: ["channel"],
  run: (ctx, message) => cutOut(ctx, picturesOf(message.attachments), { format: "auto" }),
});
