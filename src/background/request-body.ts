import type { FormFile, MultipartForm } from "../http/index.ts";
import {
  type BodyOptions,
  type PictureFile,
  type RequestPicture,
  readRequestPicture,
} from "./check/source.ts";
import type {
  ImproveRequest,
  PerType,
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
    const picture = isFile(source)
      ? (["image_file", fileOf(source, name)] as const)
      : textOf(source);
    const texts = fields.map(([field, value]) => [field, String(value)] as const);
    const backgrounds = background ? [["bg_image_file", fileOf(background)] as const] : [];
    return { body: [picture, ...backgrounds, ...texts], headers: {} };
  }
  const picture = textOf(source);
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

/** Checks a picture for training the service and puts it into a body. @throws InputError as for a cut-out. */
export function improveBodyOf(
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

function isFile(source: RequestPicture): source is PictureFile {
  return !("url" in source) && source.isBase64 !== true;
}

function textOf(source: RequestPicture): [name: string, value: string] {
  return "url" in source ? ["image_url", source.url] : ["image_file_b64", base64(source)];
}

function fileOf(picture: PictureFile, name?: string): FormFile {
  const { bytes, type } = picture;
  return { name: nameOf(picture, name), type, bytes };
}

function base64({ bytes }: PictureFile): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");
}

const maxNameChars = 100;

/** A file name goes into a header, so it may contain no line ends, quotes, folders or halves of characters. */
function nameOf({ extension }: PictureFile, name = ""): string {
  const last = name.slice(Math.max(name.lastIndexOf("/"), name.lastIndexOf("\\")) + 1);
  const safe = last
    .replace(/[\p{C}\p{Zl}\p{Zp}"<>:|?*;%]/gu, "")
    .trim()
    .slice(-maxNameChars)
    .toWellFormed();
  return /[\p{L}\p{N}]/u.test(safe) ? safe : `image.${extension}`;
}

/** By the service's names. Booleans stay booleans, for JSON bodies. */
type RequestFields = readonly (readonly [name: string, value: string | boolean])[];

/** The fields of a checked request, without its pictures. `size` is always sent: the service's default is a preview. */
export function requestFieldsOf(request: RemoveBackgroundRequest): RequestFields {
  const { size = "auto", crop, bgColor } = request;
  const fields = [
    ["size", size === "regular" ? "small" : size],
    ["format", request.format],
    ["type", request.type],
    ["type_level", request.typeLevel],
    ["channels", request.channels],
    ["roi", withSingleBlanks(request.roi)],
    ["crop", crop],
    ["crop_margin", crop === true ? withSingleBlanks(request.cropMargin) : undefined],
    ["scale", request.scale?.trim()],
    ["position", withSingleBlanks(request.position)],
    ["semitransparency", request.semitransparency],
    ...perType("shadow_type", shadowTypeOf(request)),
    ...perType("shadow_opacity", request.shadowOpacity),
    ["bg_color", bgColor?.trim().replace(/^#/, "")],
    ["bg_image_url", request.bgImageUrl],
  ] as const;
  return fields.flatMap(([name, value]) =>
    value === undefined || value === "" ? [] : [[name, fieldValue(value)] as const],
  );
}

/** Options of the request that are sent differently, or not at all. */
export function noticesOf(request: RemoveBackgroundRequest): readonly RequestNotice[] {
  const { size, addShadow, shadowMethod, crop, cropMargin } = request;
  const notices: readonly (readonly [RequestNotice, boolean])[] = [
    ["size_regular", size === "regular"],
    ["add_shadow", addShadow === true],
    ["shadow_method", shadowMethod !== undefined],
    ["crop_margin_unused", Boolean(cropMargin) && crop !== true],
  ];
  return notices.flatMap(([notice, applies]) => (applies ? [notice] : []));
}

/** Words with one blank between them, as in the service's own examples. */
function withSingleBlanks(text: string | undefined): string | undefined {
  return text?.trim().replace(/\s+/g, " ");
}

function shadowTypeOf({ addShadow, shadowType }: RemoveBackgroundRequest) {
  return addShadow === true ? ({ car: "car" } as const) : shadowType;
}

/** `shadow_type`, or `shadow_type[car]` and so on: docs/services/removebg.md#shadows */
function perType<T extends string | number>(name: string, value: PerType<T> | undefined) {
  if (typeof value !== "object") return [[name, value] as const];
  return Object.entries(value).map(([type, one]) => [`${name}[${type}]`, one] as const);
}

function fieldValue(value: string | number | boolean): string | boolean {
  return typeof value === "number" ? String(value) : value;
}
