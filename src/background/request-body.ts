import type { FormFile, MultipartForm } from "../http/index.ts";
import type { RequestFields } from "./parameters.ts";
import {
  type BodyOptions,
  type PictureFile,
  type RequestPicture,
  readRequestPicture,
} from "./request-picture.ts";
import type {
  ImproveRequest,
  RemoveBackgroundRequest,
  RequestBodyKind,
  RequestNotice,
} from "./types.ts";

interface SendableBody {
  readonly body: MultipartForm | string;
  /** Empty for a form: `src/http` chooses its boundary. */
  readonly headers: Readonly<Record<string, string>>;
}

interface RequestContent {
  readonly fields: RequestFields;
  readonly source: RequestPicture;
  /** File name of the source; made from its format when absent. */
  readonly name?: string | undefined;
  readonly background?: PictureFile | undefined;
}

/** Puts a request into a body. Only a multipart body holds files; the others take base64. */
export function encodeRequestBody(
  kind: RequestBodyKind,
  { fields, source, name, background }: RequestContent,
): SendableBody {
  if (kind === "multipart") {
    const picture =
      "url" in source || source.isBase64
        ? writeAsText(source)
        : (["image_file", writeAsFile(source, name)] as const);
    const texts = fields.map(([field, value]) => [field, String(value)] as const);
    const backgrounds = background ? [["bg_image_file", writeAsFile(background)] as const] : [];
    return { body: [picture, ...backgrounds, ...texts], headers: {} };
  }
  const picture = writeAsText(source);
  if (kind === "json") {
    return {
      body: JSON.stringify(Object.fromEntries([picture, ...fields])),
      headers: { "content-type": "application/json" },
    };
  }
  const pairs = new URLSearchParams();
  for (const [field, value] of [picture, ...fields]) pairs.set(`${field}`, `${value}`);
  return {
    body: pairs.toString(),
    headers: { "content-type": "application/x-www-form-urlencoded" },
  };
}

/** Checks a picture for training remove.bg and puts it into a body. @throws InputError as for a cut-out. */
export function encodeImprovement(
  request: ImproveRequest,
  { body, maxBytes }: BodyOptions,
): SendableBody {
  const { imageFilename, tag } = request;
  const source = readRequestPicture(request, maxBytes);
  const texts = [
    ["image_filename", imageFilename],
    ["tag", tag],
  ] as const;
  const fields = texts.flatMap(([name, value]) => (value ? [[name, value] as const] : []));
  return encodeRequestBody(body, { fields, source, name: imageFilename });
}

function writeAsText(source: RequestPicture): [name: string, value: string] {
  if ("url" in source) return ["image_url", source.url];
  const { buffer, byteOffset, byteLength } = source.bytes;
  return ["image_file_b64", Buffer.from(buffer, byteOffset, byteLength).toString("base64")];
}

const maxNameChars = 100;

/** A file name goes into a header, so it may contain no line ends, quotes, folders or halves of characters. */
function writeAsFile({ bytes, mediaType: type, extension }: PictureFile, name = ""): FormFile {
  const last = name.slice(Math.max(name.lastIndexOf("/"), name.lastIndexOf("\\")) + 1);
  const safe = last
    .replace(/[\p{C}\p{Zl}\p{Zp}"<>:|?*;%]/gu, "")
    .trim()
    .slice(-maxNameChars)
    .toWellFormed();
  return { name: /[\p{L}\p{N}]/u.test(safe) ? safe : `image.${extension}`, type, bytes };
}

/** Options of the request that are sent differently, or not at all. */
export function listNotices(request: RemoveBackgroundRequest): readonly RequestNotice[] {
  const { size, addShadow, shadowMethod, crop, cropMargin } = request;
  const notices: readonly (readonly [RequestNotice, boolean])[] = [
    ["size_regular", size === "regular"],
    ["add_shadow", addShadow === true],
    ["shadow_method", shadowMethod !== undefined],
    ["crop_margin_unused", Boolean(cropMargin) && crop !== true],
  ];
  return notices.flatMap(([notice, applies]) => (applies ? [notice] : []));
}
