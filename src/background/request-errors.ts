import { type Facts, InputError } from "../errors.ts";

/** Codes that remove.bg itself refuses with. */
export const serviceCodes = [
  "missing_source",
  "multiple_sources",
  "invalid_image_url",
  "failed_image_download",
  "file_too_large",
  "invalid_file_type",
  "invalid_dimensions",
  "failed_to_read_image",
  "resolution_too_high",
  "unknown_foreground",
  "invalid_size",
  "invalid_format",
  "invalid_channels",
  "invalid_roi",
  "roi_exceeds_bounds",
  "roi_region_empty",
  "invalid_crop_margin",
  "invalid_scale",
  "invalid_position",
  "invalid_semitransparency",
  "invalid_bg_color",
  "invalid_bg_image_url",
  "failed_bg_download",
  "multiple_bg_sources",
  "multiple_shadow_params",
  "invalid_shadow_opacity",
] as const;

/** Codes for what only this bot refuses, where remove.bg has none. */
export const ownCodes = [
  "image_refused",
  "empty_image",
  "png_too_large",
  "jpg_transparent",
  "bg_image_file_body",
  "invalid_type",
  "invalid_type_level",
  "invalid_shadow_type",
] as const;

export type RequestErrorCode = (typeof serviceCodes)[number] | (typeof ownCodes)[number];

/** The error for what is refused before anything is sent, with remove.bg's own code where it has one. */
export function createRequestError(
  code: RequestErrorCode,
  why: string,
  facts: Facts = {},
): InputError {
  return new InputError(`removebg: ${why}`, { code, facts });
}
