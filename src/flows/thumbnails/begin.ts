import { action, type Button, type Ctx } from "../../discord/index.ts";
import { type CutoutSource, cutoutOf } from "../cutout/source.ts";
import { startingDesign } from "./design.ts";
import { editor } from "./editor.ts";
import { travelling } from "./subject.ts";

const begin = action<CutoutSource>({
  name: "thumbnails.begin",
  answer: "private",
  by: "anyone",
  wants: ["channel"],
  run: async (ctx, source) => {
    const { file, ...where } = await travelling(ctx, await cutoutOf(ctx, source), source.found);
    return editor(ctx, { design: { ...startingDesign(source.name), ...where }, cutout: file });
  },
});

/** Everybody who sees a cut-out may make a thumbnail of it. */
function buttons({ words }: Ctx<unknown>, source: CutoutSource): readonly Button[] {
  return [{ label: words.say("thumbnails.make"), press: begin.press(source) }];
}

export const beginning = { buttons, actions: [begin] } as const;
