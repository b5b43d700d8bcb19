/** Runs the stand-in for uploads in its own thread, so that its memory is not the client's. It stores no bytes. */
import { isMainThread, parentPort, Worker } from "node:worker_threads";
import { startUploadService } from "./upload-service.ts";

export async function startUploadWorker() {
  const worker = new Worker(new URL(import.meta.url));
  const answer = <Value>() =>
    new Promise<Value>((resolve, reject) => {
      worker.once("message", resolve);
      worker.once("error", reject);
    });
  const url = await answer<string>();
  return {
    url,
    receivedBytes: () => {
      const bytes = answer<number>();
      worker.postMessage("bytes");
      return bytes;
    },
    close: () => worker.terminate(),
  };
}

if (!isMainThread && parentPort && import.meta.filename === process.argv[1]) {
  const service = await startUploadService({ discards: true });
  parentPort.on("message", () => parentPort?.postMessage(service.receivedBytes));
  parentPort.postMessage(service.url);
}
