import { backgroundRemoval, menu } from "../src/flows/index.ts";

export default menu({
  title: "Remove background",
  needs: ["background-key"],
  wants: ["channel"],
  run: backgroundRemoval.removeFrom,
});
