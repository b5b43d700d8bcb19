import type { InjectedFault } from "../faults.ts";

/** Titles and codes of everything that remove.bg refuses: docs/services/removebg.md#errors */
const refusals = {
  missing_source: [
    "No image given",
    "One of image_file, image_file_b64 and image_url has to name the picture.",
  ],
  multiple_sources: [
    "Multiple image sources given",
    "Only one of image_file, image_file_b64 and image_url can name the picture.",
  ],
  invalid_image_url: ["Invalid image_url parameter given"],
  failed_image_download: ["Failed to download image"],
  file_too_large: ["File too large", "The file is larger than what is taken."],
  invalid_file_type: ["Invalid file type", "JPG, PNG and WebP are taken."],
  invalid_dimensions: ["Invalid image dimensions", "The size of the image can't be read."],
  failed_to_read_image: ["Failed to read image"],
  resolution_too_high: [
    "Image resolution too high",
    "At most 50 megapixels are taken; the picture has more.",
  ],
  unknown_foreground: ["Could not identify foreground in image."],
  invalid_size: ["Invalid size parameter given"],
  invalid_format: ["Invalid format parameter given"],
  invalid_channels: ["Invalid channels parameter given"],
  invalid_roi: ["Invalid roi parameter given"],
  roi_exceeds_bounds: ["ROI exceeds image bounds", "The region lies partly outside the image."],
  roi_region_empty: ["ROI region is empty", "The region has no area."],
  invalid_crop_margin: ["Invalid crop_margin parameter given"],
  invalid_scale: ["Invalid scale parameter given"],
  invalid_position: ["Invalid position parameter given"],
  invalid_semitransparency: ["Invalid semitransparency parameter given"],
  invalid_bg_color: ["Invalid bg_color parameter given"],
  invalid_bg_image_url: ["Invalid bg_image_url parameter given"],
  failed_bg_download: ["Failed to download background image"],
  multiple_bg_sources: ["Multiple background sources given"],
  multiple_shadow_params: ["Multiple shadow parameters given"],
  invalid_shadow_opacity: ["Invalid shadow_opacity parameter given"],
} as const satisfies Record<string, readonly [title: string, detail?: string]>;

export type BackgroundErrorCode = keyof typeof refusals;

/** One entry of an error answer; only the title can be counted on. */
export interface Complaint {
  readonly title: string;
  readonly code?: string;
  readonly detail?: string;
}

type BackgroundErrorStatus = 400 | 402 | 403 | 429 | 503;

/** Ends a request with an error answer; it carries no rate and no credit headers. */
export class BackgroundError extends Error {
  readonly status: BackgroundErrorStatus;
  readonly complaints: readonly Complaint[];
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: BackgroundErrorStatus,
    complaints: readonly Complaint[],
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(complaints.map(({ title }) => title).join(", "));
    this.status = status;
    this.complaints = complaints;
    this.headers = headers;
  }
}

/** `said` replaces the code's own detail. */
export function toComplaint(code: BackgroundErrorCode, message?: string): Complaint {
  const [title, known] = refusals[code] as readonly [string, string?];
  const detail = message ?? known;
  return { title, code, ...(detail !== undefined && { detail }) };
}

/** A 400 with one complaint. */
export function toBackgroundError(code: BackgroundErrorCode, detail?: string): BackgroundError {
  return new BackgroundError(400, [toComplaint(code, detail)]);
}

/** What remove.bg answers when it can't or won't work, once each; to be armed with `faults.add`. */
export const backgroundFaults = {
  rateLimited: (retryAfterSeconds?: number) =>
    failure(
      429,
      { title: "Rate limit exceeded" },
      {
        ...(retryAfterSeconds !== undefined && { "Retry-After": `${retryAfterSeconds}` }),
      },
    ),
  creditsGone: () => failure(402, { title: "Insufficient credits" }),
  keyRefused: () => failure(403, { title: "API Key invalid", code: "auth_failed" }),
  unavailable: () => failure(503, { title: "Service unavailable" }),
  /** As something in front of remove.bg answers. */
  badGateway: () =>
    ({
      kind: "answer",
      status: 502,
      headers: { "Content-Type": "text/html" },
      body: "<html><body><h1>502 Bad Gateway</h1></body></html>",
      times: 1,
    }) satisfies InjectedFault,
} as const;

function failure(
  status: number,
  complaint: Complaint,
  headers: Record<string, string> = {},
): InjectedFault {
  return {
    kind: "answer",
    status,
    headers: { ...headers, "Content-Type": "application/json; charset=utf-8" },
    body: JSON.stringify({ errors: [complaint] }),
    times: 1,
  };
}
