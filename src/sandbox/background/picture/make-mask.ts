import { readPixels, writePixels } from "../../../images/index.ts";
import type { PictureForm } from "../request/form.ts";
import type { Matting } from "./matte.ts";

/** A complaint about a field, as FastAPI puts it. */
interface FieldComplaint {
  readonly detail: readonly {
    readonly type: string;
    readonly loc: readonly string[];
    readonly msg: string;
  }[];
}

const models = ["u2net", "u2netp"] as const;

/** What rembg makes of a form: a PNG, the mask alone with `om`. @throws what can't be read as a picture */
export async function makeMask(
  { files, texts }: PictureForm,
  open: () => Promise<Matting>,
): Promise<{ readonly bytes: Uint8Array } | FieldComplaint> {
  const file = files.get("file");
  if (file === undefined) return complain("missing", "file", "Field required");
  const model = texts.get("model") ?? "u2net";
  if (!models.some((known) => known === model)) {
    const pattern = `(${models.join("|")})`;
    return complain("string_pattern_mismatch", "model", `String should match pattern '${pattern}'`);
  }
  const picture = await readPixels(file);
  const { width, height, data: color } = picture;
  const matting = await open();
  // Where it finds nothing, its mask is black.
  const alpha = await matting(picture, file).catch(() => new Uint8Array(width * height));
  if (texts.get("om") === "true") {
    return {
      bytes: await writePixels({ data: alpha, width, height, channels: 1 }, { format: "png" }),
    };
  }
  const pixels = { data: color, width, height, channels: 3 } as const;
  return { bytes: await writePixels(pixels, { format: "png", alpha }) };
}

function complain(type: string, field: string, msg: string): FieldComplaint {
  return { detail: [{ type, loc: ["body", field], msg }] };
}
