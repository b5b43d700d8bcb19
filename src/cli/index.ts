export { describeForOperator, exitCodeFor, exitCodes } from "./program.ts";
