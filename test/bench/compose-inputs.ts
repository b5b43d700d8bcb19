import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);
const program = fileURLToPath(new URL("./compose-input.ts", import.meta.url));

/**
 * The inputs are made in another process: their raw pixels would make this one large, and a large process starts others
 * slowly.
 */
export async function withInputs<T>(
  kinds: readonly string[],
  use: (files: readonly string[]) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "bench-"));
  try {
    const files = kinds.map((kind) => join(folder, kind));
    for (const [i, kind] of kinds.entries()) {
      await run(process.execPath, [program, kind, files[i] ?? ""]);
    }
    return await use(files);
  } finally {
    await rm(folder, { recursive: true });
  }
}
