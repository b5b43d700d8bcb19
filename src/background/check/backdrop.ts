import { refusal } from "../refusal.ts";
import type { RemoveBackgroundRequest } from "../types.ts";
import { isWebAddress, type PictureFile, readPicture, type Sending, shown } from "./source.ts";

const hex = /^#?(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i;
/** Which names the service knows is written nowhere; those of CSS have 3 to 20 letters. */
const name = /^[a-z]{3,20}$/i;

/** Checks what is put behind the subject, and gives its picture. */
export function readBackground(
  { bgColor, bgImageUrl, bgImageFile }: RemoveBackgroundRequest,
  { body, maxBytes }: Sending,
): PictureFile | undefined {
  const given = [bgColor, bgImageUrl, bgImageFile].filter((one) => one !== undefined && one !== "");
  if (given.length > 1) throw refusal("multiple_bg_sources", `${given.length} backgrounds`);
  if (bgColor && !isColor(bgColor.trim())) {
    throw refusal("invalid_bg_color", `bg_color ${shown(bgColor)}`);
  }
  if (bgImageUrl && !isWebAddress(bgImageUrl)) {
    throw refusal("invalid_bg_image_url", "the background's address is no web address");
  }
  if (bgImageFile === undefined) return undefined;
  if (body !== "multipart") throw refusal("bg_image_file_body", `a ${body} body holds no file`);
  return readPicture(bgImageFile, maxBytes);
}

/** Whether anything shows through it. */
export function isTransparent(color: string): boolean {
  const digits = color.trim().toLowerCase().replace(/^#/, "");
  if (digits === "transparent") return true;
  if (!hex.test(digits)) return false;
  const alpha = digits.length === 4 ? digits.slice(3).repeat(2) : digits.slice(6);
  return (digits.length === 4 || digits.length === 8) && alpha !== "ff";
}

function isColor(text: string): boolean {
  return hex.test(text) || name.test(text);
}
