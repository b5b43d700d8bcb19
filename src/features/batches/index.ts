/** How work on many entries goes on when some of them fail. */

export { concernsWholeBatch, isRefusedForGood, mayBatchGoOn } from "./failed-in-batch.ts";
