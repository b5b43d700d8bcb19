import { menu } from "../src/discord/index.ts";
import { cutouts } from "../src/flows/index.ts";

export default menu({
  title: "Remove background",
  needs: ["background-key"],
  wants: ["channel"],
  run: cutouts.removeFrom,
});
