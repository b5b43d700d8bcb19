import type { Composed, ComposeOptions } from "./types.ts";

/** Composes the service's ZIP; the same work in the worker and in the calling process. */
export async function compose(_zip: Uint8Array, _options: ComposeOptions): Promise<Composed> {
  throw new Error("not built yet");
}
