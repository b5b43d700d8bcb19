import { stableId } from "./random.ts";
import type { World } from "./types.ts";

/** A new id of the service's look: the same ones in the same order after every start. */
export function mintId(world: World, kind: string, length: number): string {
  world.minted += 1;
  return stableId(`${kind} ${world.minted}`, length);
}
