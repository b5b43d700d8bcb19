import { enableCompileCache } from "node:module";
import { getHeapStatistics } from "node:v8";
import { parentPort, workerData } from "node:worker_threads";
import type { ThreadRequest } from "./messages.ts";
import type { ThreadData } from "./thread.ts";

/** Above this the compiled tests are dropped, long before memory runs out (`maxOldGenerationSizeMb`). */
const fullBytes = 96 * 1024 * 1024;

enableCompileCache();

// Imported only now, so that their compiled code is cached for the next start.
const { createRequestHandler, createCostMeter } = await import("./request-handler.ts");

const { at, costs } = workerData as ThreadData; // what `createEngineThread` hands over
const cpuMs = () => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
};
const answer = createRequestHandler({
  measure: createCostMeter(costs === "cpu" ? cpuMs : undefined),
  onTest: (place) => void Atomics.store(at, 0, place),
  isFull: () => getHeapStatistics().used_heap_size > fullBytes,
});

parentPort?.on("message", (request: ThreadRequest) => parentPort?.postMessage(answer(request)));
