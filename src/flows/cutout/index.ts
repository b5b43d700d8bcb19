/** Cutting one picture out, and the cut-out that buttons start from: what all commands that cut out share. */
export {
  afterCharge,
  type CutoutStep,
  cutOutOne,
  type ReadyPicture,
  readyPicture,
  sendForCutout,
  showStep,
  stepText,
} from "./cut-out-one.ts";
export {
  type FoundSubject,
  foregroundOption,
  foundIn,
  foundLines,
  foundSubject,
} from "./found-subject.ts";
export { type CutoutGround, readGround } from "./grounds.ts";
export { type CutoutSource, cutoutOf, shownCutout } from "./source.ts";
