import { menu } from "../src/discord/index.ts";
import { backgroundRemoval } from "../src/flows/index.ts";

export default menu({
  title: "Remove background",
  needs: ["background-key"],
  wants: ["channel"],
  run: backgroundRemoval.removeFrom,
});
