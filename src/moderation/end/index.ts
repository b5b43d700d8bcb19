/** What is left to do once a watch has ended: its cards are closed, or deleted, and its last decisions are sent. */

export { createEndJob, endQueue } from "./end-job.ts";
export { countMessages, deleteMessages, endWatch } from "./end-watch.ts";
