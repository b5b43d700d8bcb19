/** `npm run bench -- [--json] [--only PREFIX]`: every figure beside its floor or a peer of the same run. */
import { report } from "./report.ts";

process.exitCode = await report({
  compose: () => import("./compose.ts"),
  prepare: () => import("./prepare.ts"),
  stall: () => import("./stall.ts"),
  cutout: () => import("./cutout.ts"),
  store: () => import("./store.ts"),
  "store-servers": () => import("./store-servers.ts"),
  dispatch: () => import("./dispatch.ts"),
  endpoint: () => import("./endpoint.ts"),
  guilds: () => import("./guilds.ts"),
  scale: () => import("./scale.ts"),
  "scale-servers": () => import("./scale-servers.ts"),
  "gateway-servers": () => import("./gateway-servers.ts"),
  jobs: () => import("./jobs.ts"),
  start: () => import("./start.ts"),
  client: () => import("./client.ts"),
  upload: () => import("./upload.ts"),
  faults: () => import("./faults.ts"),
  "jobs-poll": () => import("./jobs-poll.ts"),
  "moderation-units": () => import("./moderation-units.ts"),
  budget: () => import("./budget.ts"),
  rules: () => import("./rules.ts"),
  log: () => import("./log.ts"),
  "log-page": () => import("./log-page.ts"),
  erase: () => import("./erase.ts"),
});
