import type { Base, LiveState, ResourceId, Snippet } from "./shared.ts";

export interface SearchResult extends Base {
  /** An object here, unlike everywhere else. */
  readonly id: ResourceId;
  readonly snippet?: Snippet & { readonly liveBroadcastContent?: LiveState };
}
