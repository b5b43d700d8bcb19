import type { Button, Ctx, Select } from "../../discord/index.ts";
import { compact } from "../compact.ts";
import { expressions } from "../expressions/index.ts";
import { improvement } from "../improvement/index.ts";
import { thumbnails } from "../thumbnails/index.ts";
import { full } from "./full-size.ts";
import { lookAt, post, restyle, restyleHere } from "./restyle.ts";
import { isWhite, type Look, onWhite, type Work } from "./work.ts";

/**
 * What can be done with one result. In a message that only one person sees, and that costs nothing to make again,
 * looks change in place (`isHere`).
 */
export function resultButtons(
  ctx: Ctx,
  work: Work,
  { isPrivate = false, isHere = false } = {},
): readonly Button[] {
  const { words } = ctx;
  const { source, wishes, isSmall } = work;
  const label = (name: Label) => words.say(`background.button.${name}`);
  const changes = wishes.maskOnly === true ? [] : changesOf(work);
  const hasCutout = source.isFlat !== true || source.kept !== undefined;
  const isCutout = hasCutout && wishes.maskOnly !== true;
  const button = isHere ? restyleHere : restyle;
  return compact([
    isSmall === true && {
      label: label("full"),
      style: "primary" as const,
      press: full.press(work),
    },
    ...changes.map(([name, look]) => ({
      label: label(name),
      press: button.press({ ...work, look }),
    })),
    isPrivate && { label: label("post"), press: post.press(work) },
    ...(isCutout ? thumbnails.buttons(ctx, source) : []),
    ...(isCutout ? expressions.buttons(ctx, source) : []),
    ...improvement.buttons(ctx, source),
  ]);
}

type Label = "full" | "crop" | "uncrop" | "white" | "transparent" | "shadow" | "no_shadow" | "post";

/** The looks that are one press away, each by its button; what would change nothing is left out. */
function changesOf({ look, wishes }: Work): readonly (readonly [Label, Look])[] {
  const { ground, crop, shadow, ...rest } = look;
  const isCropped = wishes.crop === true;
  const hasShadow = wishes.shadowType !== undefined && wishes.shadowType !== "none";
  const isArchive = wishes.format === "zip";
  return [
    ...(isCropped ? [] : [toggled(look, "crop", ["crop", "uncrop"])]),
    ...(isWhite(ground) ? [] : [["white", { ...look, ground: onWhite }] as const]),
    ...(ground === undefined && !isArchive
      ? []
      : [["transparent", { ...rest, ...(crop && { crop }), ...(shadow && { shadow }) }] as const]),
    ...(hasShadow ? [] : [toggled(look, "shadow", ["shadow", "no_shadow"])]),
  ];
}

function toggled(
  look: Look,
  name: "crop" | "shadow",
  [on, off]: readonly [Label, Label],
): readonly [Label, Look] {
  const { [name]: isOn, ...rest } = look;
  return isOn === true ? [off, rest] : [on, { ...rest, [name]: true }];
}

/** Of several results one can be taken out, with all that can be done with it. */
export function workOnOne({ words }: Ctx, works: readonly Work[]): readonly Select[] {
  const options = works.map(({ source }, at) => ({ label: source.name, value: `${at}` }));
  const placeholder = words.say("background.work_on_one");
  return [{ placeholder, options, press: lookAt.press({ works }) }];
}
