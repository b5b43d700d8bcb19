type Calls = typeof import("./call.ts");

let loaded: Calls | undefined;

/** What carries calls out, as soon as something has loaded it. */
export function loadedCalls(): Calls | undefined {
  return loaded;
}

/** Loads it: half of this room, which only the first call needs and a start would wait for. */
export async function loadCalls(): Promise<Calls> {
  loaded ??= await import("./call.ts");
  return loaded;
}
