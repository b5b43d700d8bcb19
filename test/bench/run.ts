/** `npm run bench -- [--json] [--only PREFIX]`: every figure beside its floor or a peer of the same run. */
import { report } from "./report.ts";

await report([
  () => import("./compose.ts"),
  () => import("./prepare.ts"),
  () => import("./stall.ts"),
  () => import("./cutout.ts"),
  () => import("./store.ts"),
  () => import("./store-servers.ts"),
  () => import("./dispatch.ts"),
  () => import("./guilds.ts"),
  () => import("./start.ts"),
  () => import("./client.ts"),
  () => import("./upload.ts"),
  () => import("./faults.ts"),
  () => import("./moderation-units.ts"),
  () => import("./rules.ts"),
]);
