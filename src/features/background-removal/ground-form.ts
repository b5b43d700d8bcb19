import {
  compact,
  files,
  form,
  join,
  type PressInput,
  type Reply,
  typedText,
} from "../../discord/index.ts";
import { BotError, InputError } from "../../errors.ts";
import type { Ctx } from "../context/index.ts";
import { type CutoutGround, estimateCredits, readCutoutGround } from "../cutout/index.ts";
import { action } from "../declarations/index.ts";
import { plainAttachment } from "../options/index.ts";
import {
  type CutoutResult,
  cutoutActionNames,
  groundButton,
  type OtherGround,
  pressAgain,
  resultSelects,
} from "./buttons.ts";
import { isSubjectMoved } from "./cutout-options.ts";
import { composeLook, type DrawnLook, readLayout } from "./look.ts";
import { groundHere } from "./make-picture.ts";
import { namedGrounds } from "./options.ts";
import { drawLookOrAsk, isCutoutGone, mayCutAgain } from "./paid-look.ts";
import { failureLine } from "./reply.ts";
import { fileStem, isZipped, resultFiles, zipResults } from "./result-files.ts";
import { maxBytesForEach } from "./result-size.ts";

/** Opens the form for another background of the same cut-outs: everybody who sees them may try some. */
const openGroundForm = action<OtherGround>({
  name: cutoutActionNames.groundForm,
  answer: "form",
  by: "anyone",
  form: ({ words }, { works, isHere }) =>
    form({
      title: words.say("background.other_ground.form"),
      intro: words.md("background.other_ground.intro"),
      isReturned: true,
      fields: [
        {
          kind: "select",
          name: "named",
          label: words.say("background.other_ground.named"),
          required: false,
          options: namedGrounds(words).map(({ title, value }) => ({ label: title, value })),
        },
        {
          name: "typed",
          label: words.say("background.other_ground.typed"),
          placeholder: words.say("background.form.background_example"),
          required: false,
          maxLength: 100,
        },
        {
          kind: "files",
          name: "picture",
          label: words.say("background.other_ground.picture"),
          required: false,
        },
      ],
      submit: (isHere === true ? placeGroundHere : placeGround).press({ works }),
    }),
});

const place = {
  by: "requester",
  wants: ["channel"],
  run: async (ctx: Ctx, { works }: OtherGround, input: PressInput): Promise<Reply> => {
    const ground = readChosenGround(ctx, input);
    const placed = works.map((work) => withGround(work, ground));
    const [only] = placed;
    return placed.length === 1 && only !== undefined
      ? drawLookOrAsk(ctx, only)
      : drawSeveral(ctx, placed);
  },
} as const;

const placeGround = action<OtherGround>({
  name: "background.place-ground",
  answer: "private",
  ...place,
});

/** The same for a message that nobody else sees. */
const placeGroundHere = action<OtherGround>({
  name: "background.place-ground-here",
  ...place,
});

/** Nothing chosen is transparent. @throws InputError `multiple_bg_sources`, `background_unreadable` */
function readChosenGround({ words }: Ctx, { fields, files: given }: PressInput): CutoutGround {
  const { named = "", typed = "" } = fields;
  const [picture] = given.picture ?? [];
  const chosen = compact([
    named !== "" && readCutoutGround(named, words),
    typed.trim() !== "" && readSolidGround(typed, words),
    picture !== undefined && { kind: "picture" as const, picture: plainAttachment(picture) },
  ]);
  if (chosen.length > 1) {
    throw new InputError("more than one background", { code: "multiple_bg_sources" });
  }
  return chosen[0] ?? { kind: "transparent" };
}

/** A translucent colour would take another call of remove.bg. */
function readSolidGround(typed: string, words: Ctx["words"]): CutoutGround {
  const ground = readCutoutGround(typed, words);
  if (ground.kind !== "glass") return ground;
  throw new InputError("a translucent colour behind a finished cut-out", {
    code: "background_unreadable",
    facts: { given: typedText(typed) },
  });
}

/** @throws InputError `blur_moved` */
function withGround({ look, ...work }: CutoutResult, chosen: CutoutGround): CutoutResult {
  const { ground: _, ...rest } = look;
  const isOwn = work.source.isOwn === true;
  if (chosen.kind === "blur" && !isOwn && isSubjectMoved(work.wishes)) {
    throw new InputError("a blur behind a moved subject", { code: "blur_moved" });
  }
  const ground = isOwn ? groundHere(chosen) : chosen;
  const isClear = ground === undefined || ground.kind === "transparent";
  return { ...work, look: isClear ? rest : { ...rest, ground } };
}

interface PlacedCutouts {
  readonly drawn: readonly { readonly work: CutoutResult; readonly made: DrawnLook["made"] }[];
  readonly failed: readonly { readonly work: CutoutResult; readonly error: BotError }[];
}

/** All results on the background at once. Those whose cut-out is gone are named, with what new ones would cost. */
async function drawSeveral(ctx: Ctx, works: readonly CutoutResult[]): Promise<Reply> {
  const { words } = ctx;
  const placed = await placeAll(ctx, works);
  const { drawn, failed } = placed;
  const [first] = failed;
  const gone = failed.filter(({ work, error }) => isCutoutGone(error) && mayCutAgain(work));
  if (drawn.length === 0 && gone.length === 0 && first !== undefined) throw first.error;
  const wishes = works[0]?.wishes ?? {};
  const single = resultFiles(
    ctx,
    drawn.map(({ work, made }) => ({ name: work.source.name, made: { result: made } })),
    wishes,
  );
  const name = wishes.name === undefined ? "cutouts" : fileStem(wishes.name);
  const isPacked = isZipped(single.length, wishes);
  const done = drawn.map(({ work }) => work);
  const credits = gone.reduce(
    (sum, { work }) => sum + estimateCredits(work.source.engine, work.wishes.size),
    0,
  );
  const lines = compact([
    ...failed.map(({ work, error }) => failureLine({ name: work.source.name, error }, words)),
    credits > 0 && words.say("background.other_ground.again", { count: gone.length, credits }),
  ]);
  return files({
    title: words.say("background.done.several", { done: drawn.length, count: works.length }),
    ...(lines.length > 0 && { text: join(lines) }),
    files: isPacked ? await zipResults(ctx, single, name) : single,
    ...(works.some(({ source }) => source.engine === undefined) && {
      footer: words.say("background.no_charge"),
    }),
    selects: done.length > 0 ? resultSelects(ctx, done) : [],
    buttons: compact([
      done.length > 0 && groundButton(words, { works: done }),
      done.length > 0 && {
        label: words.say("background.button.post"),
        press: { action: cutoutActionNames.postSeveral, state: { works: done } },
      },
      ...payButtons(gone, credits, words),
    ]),
  });
}

async function placeAll(ctx: Ctx, works: readonly CutoutResult[]): Promise<PlacedCutouts> {
  const drawn: { work: CutoutResult; made: DrawnLook["made"] }[] = [];
  const failed: { work: CutoutResult; error: BotError }[] = [];
  const maxBytes = maxBytesForEach(ctx, works.length);
  for (const [at, work] of works.entries()) {
    const { words } = ctx;
    ctx.progress({
      title: words.say("background.progress.composing"),
      text: words.say("background.progress.several", { done: at, count: works.length }),
      done: at / works.length,
    });
    const layout = await readLayout(ctx, work);
    try {
      const { made, source } = await composeLook(ctx, work, { layout, maxBytes });
      drawn.push({ work: { ...work, source }, made });
    } catch (error) {
      if (!(error instanceof BotError) || ctx.signal.aborted) throw error;
      failed.push({ work, error });
    }
  }
  return { drawn, failed };
}

/** Pays for new cut-outs of those that are gone, on the background that was chosen. */
function payButtons(gone: PlacedCutouts["failed"], credits: number, words: Ctx["words"]) {
  const [first] = gone;
  if (first === undefined) return [];
  const { look, wishes, source } = first.work;
  const { ground: _, ...rest } = wishes;
  const order = {
    wishes: look.ground === undefined ? rest : { ...rest, ground: look.ground },
    postedBy: source.postedBy,
    isPrivate: true,
    isForced: true,
  } as const;
  const all = gone.map(({ work }) => work.original);
  return [
    {
      label:
        credits === 0
          ? words.say("background.gone.confirm_free")
          : words.say("background.full.confirm", { credits }),
      style: "success" as const,
      press: pressAgain({ all, order }),
    },
  ];
}

/** What the button for another background starts. */
export const groundActions = [openGroundForm, placeGround, placeGroundHere] as const;
