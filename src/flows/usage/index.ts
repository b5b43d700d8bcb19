/** What the server spends, and what is left of it. */
export { groupings, periods } from "./shown.ts";
export { usages } from "./usage.ts";
