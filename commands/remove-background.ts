import { backgroundRemoval, menu } from "../src/features/index.ts";

export default menu({
  title: "Remove background",
  needs: ["background-key"],
  // What was paid for is found again (`ctx.paid`).
  isRepeatable: true,
  wants: ["channel"],
  run: backgroundRemoval.removeFrom,
});
