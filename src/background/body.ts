import type { Form, FormFile } from "../http/index.ts";
import { type PictureFile, readSource, type Sending, type Source } from "./check/source.ts";
import type { Fields } from "./fields.ts";
import type { BodyKind, ImproveRequest } from "./types.ts";

interface Sendable {
  readonly body: Form | string;
  /** Empty for a form, whose boundary is not known here. */
  readonly headers: Readonly<Record<string, string>>;
}

interface Parts {
  readonly fields: Fields;
  readonly source: Source;
  /** File name of the source; made from its kind when absent. */
  readonly name?: string | undefined;
  readonly background?: PictureFile | undefined;
}

/** A request as bytes can carry it. Only a multipart body holds files; the others take base64 (facts, endpoints). */
export function bodyOf(kind: BodyKind, { fields, source, name, background }: Parts): Sendable {
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

/** One picture for the training of the service, checked. @throws InputError as for a cut-out. */
export function improveBodyOf(request: ImproveRequest, { body, maxBytes }: Sending): Sendable {
  const { imageFilename, tag } = request;
  const source = readSource(request, maxBytes);
  const given = [
    ["image_filename", imageFilename],
    ["tag", tag],
  ] as const;
  const fields = given.flatMap(([name, value]) => (value ? [[name, value] as const] : []));
  return bodyOf(body, { fields, source, name: imageFilename });
}

function isFile(source: Source): source is PictureFile {
  return !("url" in source) && source.isBase64 !== true;
}

function textOf(source: Source): [name: string, value: string] {
  return "url" in source ? ["image_url", source.url] : ["image_file_b64", base64(source)];
}

function fileOf(picture: PictureFile, name?: string): FormFile {
  const { bytes, type } = picture;
  return { name: nameOf(picture, name), type, bytes };
}

function base64({ bytes }: PictureFile): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");
}

const longestName = 100;

/** Travels in a header: no line ends, quotes or folders, and whole characters only. */
function nameOf({ extension }: PictureFile, name = ""): string {
  const last = name.slice(Math.max(name.lastIndexOf("/"), name.lastIndexOf("\\")) + 1);
  const safe = last
    .replace(/[\p{C}\p{Zl}\p{Zp}"<>:|?*;%]/gu, "")
    .trim()
    .slice(-longestName)
    .toWellFormed();
  return /[\p{L}\p{N}]/u.test(safe) ? safe : `image.${extension}`;
}
