/** `npm run soak -- [--json] [--only PREFIX]`: what takes longer than a test may, at length and with many seeds. */
import { report } from "../bench/report.ts";

await report([
  () => import("./uploads.ts"),
  () => import("./faults.ts"),
  () => import("./bytes.ts"),
  () => import("./fairness.ts"),
  () => import("./isolation.ts"),
  () => import("./leaks.ts"),
  () => import("./keys.ts"),
  () => import("./refresh.ts"),
  () => import("./crashes.ts"),
  () => import("./store.ts"),
  () => import("./moderation.ts"),
]);
