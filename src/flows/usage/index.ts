export { groupings, periods } from "./shown.ts";
export { usages } from "./usage.ts";
