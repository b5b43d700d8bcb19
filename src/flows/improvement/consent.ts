import {
  type Ask,
  ask,
  type Ctx,
  cut,
  type Field,
  join,
  mention,
  type Press,
  type ReplyFile,
  type Text,
} from "../../discord/index.ts";
import { InputError } from "../../errors.ts";
import type { Prepared } from "../../images/index.ts";
import type { Offered } from "./picture.ts";

/** Large enough to see which picture it is. */
const previewSide = 480;

/**
 * Says plainly what handing a picture over means: it can't be taken back, and the service may be given it only with
 * its owner's consent (facts: improve).
 */
export async function consent(
  ctx: Ctx<unknown>,
  offered: Offered,
  { prepared, press }: { readonly prepared?: Prepared; readonly press: Press },
): Promise<Ask> {
  const { words } = ctx;
  const { link, postedBy } = offered;
  const preview = prepared && (await previewOf(ctx, prepared));
  const whose: Text =
    postedBy === undefined
      ? words.say("improvement.ask.own")
      : words.md("improvement.ask.others", { person: mention(postedBy) });
  return ask({
    title: words.say("improvement.ask.title"),
    text: join(
      [
        words.md("improvement.ask.use"),
        words.md(link === undefined ? "improvement.ask.what" : "improvement.ask.link"),
        whose,
        words.say("improvement.ask.final"),
      ],
      "\n\n",
    ),
    fields: fieldsOf(ctx, offered, prepared),
    ...(preview && { preview }),
    ...(link !== undefined && { thumbnail: link }),
    confirm: { label: words.say("improvement.ask.confirm"), style: "danger", press },
  });
}

function fieldsOf(
  { words }: Ctx<unknown>,
  offered: Offered,
  prepared?: Prepared,
): readonly Field[] {
  const { name, tag, link } = offered;
  const field = (key: "name" | "tag" | "picture" | "address", value: Text): Field => ({
    name: words.say(`improvement.ask.${key}`),
    value,
  });
  return [
    ...(link === undefined ? [] : [field("address", cut(link, 500))]),
    ...(name === "" ? [] : [field("name", name)]),
    ...(tag === undefined ? [] : [field("tag", tag)]),
    ...(prepared === undefined ? [] : [field("picture", sizeOf(prepared))]),
  ];

  function sizeOf({ width, height, bytes }: Prepared): string {
    const size = { width: `${width}`, height: `${height}`, bytes: words.bytes(bytes.length) };
    return words.say("improvement.ask.size", size);
  }
}

/** Undefined for a picture of which nothing small can be shown, such as a line of one pixel. */
async function previewOf(
  { images, signal, words }: Ctx<unknown>,
  { bytes }: Prepared,
): Promise<ReplyFile | undefined> {
  try {
    const { bytes: data } = await images.fit(bytes, {
      width: previewSide,
      height: previewSide,
      shape: "inside",
      format: "jpeg",
      maxBytes: 1_000_000,
      minWidth: 1,
      minHeight: 1,
      signal,
    });
    return { name: "preview.jpg", data, alt: words.say("improvement.ask.alt") };
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return undefined;
  }
}
