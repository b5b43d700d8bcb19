import { InputError } from "../errors.ts";
import type { RemoveBackgroundRequest } from "./types.ts";

interface Kind {
  readonly type: string;
  readonly extension: string;
}

/** First bytes of what the service reads; the declared type and the name can lie. */
const kinds: readonly (Kind & { readonly test: (bytes: Uint8Array) => boolean })[] = [
  { type: "image/png", extension: "png", test: (bytes) => startsWith(bytes, 0, "\x89PNG") },
  { type: "image/jpeg", extension: "jpg", test: (bytes) => startsWith(bytes, 0, "\xff\xd8\xff") },
  {
    type: "image/webp",
    extension: "webp",
    test: (bytes) => startsWith(bytes, 0, "RIFF") && startsWith(bytes, 8, "WEBP"),
  },
];

/** What the service says about other bytes is clearer than a guess of ours. */
const unknownKind: Kind = { type: "application/octet-stream", extension: "bin" };

/** The multipart form of one request. @throws InputError when it has not exactly one source. */
export function formOf(request: RemoveBackgroundRequest): FormData {
  const form = new FormData();
  const { image, imageUrl } = request;
  if ((image === undefined) === (imageUrl === undefined)) throw oneSource(image !== undefined);
  if (image !== undefined) appendImage(form, image, request.imageName);
  if (imageUrl !== undefined) form.set("image_url", checkedUrl(imageUrl));
  for (const [name, value] of Object.entries(fieldsOf(request))) {
    if (value !== undefined && value !== "") form.set(name, String(value));
  }
  return form;
}

/** By the service's names; `size` always, because its own default is a preview. */
function fieldsOf({ size = "auto", format, type, bgColor, crop }: RemoveBackgroundRequest) {
  return { size, format, type, bg_color: bgColor?.replace(/^#/, ""), crop };
}

function appendImage(form: FormData, image: Uint8Array, imageName: string | undefined): void {
  if (image.byteLength === 0) {
    throw new InputError("the image has no bytes", {
      code: "empty_image",
      hint: "The picture is empty. Attach another one.",
    });
  }
  const kind = kinds.find(({ test }) => test(image)) ?? unknownKind;
  const bytes = new Uint8Array(image); // A Blob takes no view of shared memory, which the type allows.
  form.set(
    "image_file",
    new Blob([bytes], { type: kind.type }),
    imageName || `image.${kind.extension}`,
  );
}

function checkedUrl(imageUrl: string): string {
  const isWeb = URL.canParse(imageUrl) && /^https?:$/.test(new URL(imageUrl).protocol);
  if (isWeb) return imageUrl;
  throw new InputError("the image address is no web address", {
    code: "invalid_image_url",
    hint: "That is no address of a picture on the web. Attach the picture instead.",
  });
}

function oneSource(hasBoth: boolean): InputError {
  return new InputError(`${hasBoth ? "two sources" : "no source"} for one picture`, {
    code: hasBoth ? "multiple_sources" : "missing_source",
    hint: hasBoth
      ? "Give either a picture or its address, not both."
      : "Give a picture: attach it, or name its address.",
  });
}

function startsWith(bytes: Uint8Array, at: number, marker: string): boolean {
  return Buffer.from(bytes.subarray(at, at + marker.length)).toString("latin1") === marker;
}
