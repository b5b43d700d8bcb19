import { parentPort, workerData } from "node:worker_threads";
import type { ThreadRequest } from "../../../../src/moderation/rules/engine/messages.ts";
import type { ThreadData } from "../../../../src/moderation/rules/engine/thread.ts";

// Stands in for the rule thread's script: at the second test it exits or gets stuck.
const { at } = workerData as ThreadData;

parentPort?.on("message", (request: ThreadRequest) => {
  if (request.kind !== "test") return parentPort?.postMessage({ kind: "checked" });
  const place = request.comments[0]?.order?.find((one) => one === 1);
  if (place === undefined) {
    const findings = request.comments.map(() => ({ found: [], isWhole: true }));
    return parentPort?.postMessage({ kind: "tested", findings, costsMs: [], failed: [] });
  }
  Atomics.store(at, 0, place);
  if (request.comments[0]?.text === "ends") process.exit(1);
  // Reports that it is stuck, so that no test has to guess how long a thread takes to start.
  new BroadcastChannel("stuck").postMessage(null);
  Atomics.wait(at, 0, place);
});
