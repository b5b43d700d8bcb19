export { describeForOperator, exitCodeFor as exitCodeOf, exitCodes } from "./program.ts";
