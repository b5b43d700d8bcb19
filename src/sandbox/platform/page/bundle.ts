import { parentPort, workerData } from "node:worker_threads";
import { build, type Rolldown } from "vite";

export interface BundleFile {
  /** Path below `/`, without the leading slash. */
  readonly name: string;
  readonly body: string | Uint8Array;
}

/** Bundles the page in memory; nothing is written. */
async function bundle(root: string): Promise<readonly BundleFile[]> {
  const built = await build({
    root,
    configFile: false,
    envDir: false,
    publicDir: false,
    logLevel: "error",
    build: { write: false, target: "es2023", modulePreload: false, reportCompressedSize: false },
  });
  const outputs = (Array.isArray(built) ? built : [built]) as Rolldown.RolldownOutput[];
  return outputs.flatMap(({ output }) =>
    output.map((file) => ({
      name: file.fileName,
      body: file.type === "chunk" ? file.code : file.source,
    })),
  );
}

// Runs in a worker of its own: vite sets NODE_ENV and keeps the thread busy for a second.
if (parentPort) parentPort.postMessage(await bundle(String(workerData)));
