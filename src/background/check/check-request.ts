import type { BodyKind } from "../body.ts";
import type { RemoveBackgroundRequest } from "../types.ts";
import { readBackground } from "./backdrop.ts";
import { checkChoices } from "./choices.ts";
import { checkPlacement } from "./placement.ts";
import { checkResult } from "./result.ts";
import { checkShadow } from "./shadow.ts";
import { type PictureFile, readSource, type Source } from "./source.ts";

export interface CheckedRequest {
  readonly source: Source;
  readonly background: PictureFile | undefined;
  /** Of the input; undefined when nobody said and nothing tells. */
  readonly megapixels: number | undefined;
}

export interface Sending {
  readonly body: BodyKind;
  /** Most bytes of a picture. */
  readonly maxBytes: number;
}

/** Finds whatever is wrong with a request before a byte of it leaves. @throws InputError by the service's codes. */
export function checkRequest(
  request: RemoveBackgroundRequest,
  { body, maxBytes }: Sending,
): CheckedRequest {
  const source = readSource(request, maxBytes);
  const size = "url" in source ? undefined : source.size;
  checkChoices(request);
  checkPlacement(request, size);
  checkShadow(request);
  const background = readBackground(request, { body, maxBytes });
  const megapixels = request.megapixels ?? (size && (size.width * size.height) / 1e6);
  checkResult(request, size);
  return { source, background, megapixels };
}
