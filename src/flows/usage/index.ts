export { groupings, periods, usages } from "./usage.ts";
