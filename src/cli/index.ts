export { describeForOperator, exitCodeOf, exitCodes } from "./program.ts";
