import { menu } from "../src/discord/index.ts";
import { cutOut, picturesOf } from "../src/flows/index.ts";

export default menu({
  title: "Remove background",
  needs: ["background-key"],
  wants: ["channel"],
  run: (ctx, message) => cutOut(ctx, picturesOf(message.attachments), { format: "auto" }),
});
