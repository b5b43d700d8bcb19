/**
 * What all commands that cut pictures out share: the call itself, backgrounds, and the cut-out that buttons refer to.
 */

export {
  addChargeToError,
  alreadyTransparent,
  type CutoutInput,
  type CutoutSource,
  type CutoutStep,
  cutOutOne,
  cutoutFile,
  describeCharge,
  describeCutoutStep,
  estimateCredits,
  keepCutout,
  type PaidRemoval,
  prepareCutoutInput,
  prepareOne,
  readCutout,
  removeAnywayButton,
  requireRemoveBg,
  sendForCutout,
  showCutoutStep,
  sourceEngine,
  unlessOpaque,
} from "./cut-out-one.ts";
export { type CutoutGround, colors, readCutoutGround } from "./cutout-ground.ts";
export {
  describeFoundSubject,
  type FoundSubject,
  foregroundOption,
  readFoundSubject,
  scaleFoundSubject,
} from "./found-subject.ts";
