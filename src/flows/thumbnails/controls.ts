import {
  type Button,
  type Ctx,
  type Press,
  reaches,
  type Select,
  type Words,
} from "../../discord/index.ts";
import { type Design, groundName, offeredGrounds, sides } from "./design.ts";

/** What a select or a switch changes. */
export interface Change {
  readonly design: Design;
  readonly part: "backdrop" | "side" | "shadow";
}

/** The actions draw the editor anew and the editor leads to the actions, so that it knows them by their names. */
export const names = {
  change: "thumbnails.change",
  openTitle: "thumbnails.open-title",
  openBackdrop: "thumbnails.open-backdrop",
  takeFile: "thumbnails.take-file",
} as const;

const press = {
  change: (state: Change): Press => ({ action: names.change, state }),
  openTitle: (state: Design): Press => ({ action: names.openTitle, state }),
  openBackdrop: (state: Design): Press => ({ action: names.openBackdrop, state }),
  takeFile: (state: Design): Press => ({ action: names.takeFile, state }),
} as const;

/** Everybody may make a thumbnail; only these may set one. */
export function maySet(ctx: Ctx<unknown>): boolean {
  return reaches(ctx.rank, "manager") && ctx.has("channel");
}

export function selectsFor(design: Design, words: Words): readonly Select[] {
  const current = groundName(design.backdrop);
  const own = words.say(
    design.backdrop.kind === "picture" ? "thumbnails.backdrop.picture" : "thumbnails.backdrop.own",
  );
  const grounds = offeredGrounds(words).map(({ name, label }) => ({
    label,
    value: name,
    isDefault: name === current,
  }));
  return [
    {
      placeholder: words.say("thumbnails.backdrop.placeholder"),
      options: [
        ...(current === undefined ? [{ label: own, value: "own", isDefault: true }] : []),
        ...grounds,
      ],
      press: press.change({ design, part: "backdrop" }),
    },
    {
      placeholder: words.say("thumbnails.side.placeholder"),
      options: sides.map((side) => ({
        label: words.say(`thumbnails.side.${side}`),
        value: side,
        isDefault: side === design.side,
      })),
      press: press.change({ design, part: "side" }),
    },
  ];
}

export function buttonsFor(design: Design, words: Words): readonly Button[] {
  const shadow = design.shadow ? "thumbnails.shadow.off" : "thumbnails.shadow.on";
  return [
    {
      label: words.say(
        design.title === undefined ? "thumbnails.write.add" : "thumbnails.write.edit",
      ),
      style: "primary",
      press: press.openTitle(design),
    },
    { label: words.say("thumbnails.backdrop.button"), press: press.openBackdrop(design) },
    { label: words.say(shadow), press: press.change({ design, part: "shadow" }) },
    { label: words.say("thumbnails.file.button"), press: press.takeFile(design) },
  ];
}
