import { readDimensions } from "../../dimensions.ts";
import {
  BackgroundError,
  type BackgroundErrorCode,
  type Complaint,
  toBackgroundError,
  toComplaint,
} from "../errors.ts";
import type { PictureForm } from "./form.ts";

/** Newer texts of remove.bg say 22 MB: docs/services/removebg.md#input-limits */
export const defaultMaxBytes = 12 * 1024 * 1024;

const sources = ["image_file", "image_file_b64", "image_url"] as const;

/** What may be taken for a picture, and from where. */
export interface PictureIntake {
  readonly maxBytes: number;
  readonly reach: DownloadReach;
}

export interface PictureInput {
  readonly bytes: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/** What is wrong with the choice of the picture, before anything is fetched or looked at. */
export function listSourceComplaints({ texts, files }: PictureForm): Complaint[] {
  const sourceNames = sources.filter((name) => (name === "image_file" ? files : texts).has(name));
  if (sourceNames.length === 0) return [toComplaint("missing_source")];
  if (sourceNames.length > 1) return [toComplaint("multiple_sources")];
  return listAddressComplaints(texts, "image_url", "invalid_image_url");
}

/** The same for the picture behind; that there is at most one is the job's own rule. */
export function listBackdropComplaints({ texts }: PictureForm): Complaint[] {
  return listAddressComplaints(texts, "bg_image_url", "invalid_bg_image_url");
}

function listAddressComplaints(
  texts: PictureForm["texts"],
  name: string,
  code: BackgroundErrorCode,
): Complaint[] {
  const address = texts.get(name);
  const protocol = URL.parse(address ?? "")?.protocol ?? "";
  return address === undefined || /^https?:$/.test(protocol) ? [] : [toComplaint(code)];
}

/** The one picture that the form holds or names, its type and its size checked. */
export async function readInput(
  { texts, files }: PictureForm,
  intake: PictureIntake,
): Promise<PictureInput> {
  const base64 = texts.get("image_file_b64");
  const bytes =
    files.get("image_file") ??
    (base64 === undefined
      ? await fetchInput(texts.get("image_url") ?? "", intake)
      : Buffer.from(base64.replace(/^data:[^,]*,/, ""), "base64"));
  return checked(bytes, intake.maxBytes);
}

/** The requested background picture. */
export async function readBackdropPicture(
  { texts, files }: PictureForm,
  intake: PictureIntake,
): Promise<Uint8Array | undefined> {
  const file = files.get("bg_image_file");
  const address = texts.get("bg_image_url");
  if (file !== undefined) return checked(file, intake.maxBytes).bytes;
  if (address === undefined) return undefined;
  const { bytes } = await download(address, intake);
  if (bytes === undefined) throw toBackgroundError("failed_bg_download");
  return checked(bytes, intake.maxBytes).bytes;
}

async function fetchInput(address: string, intake: PictureIntake): Promise<Uint8Array> {
  const { bytes, status } = await download(address, intake);
  if (bytes !== undefined) return bytes;
  if (status === undefined) throw toBackgroundError("failed_image_download");
  // The recorded answer to an address that gives no picture has a title and nothing else.
  throw new BackgroundError(400, [{ title: `Failed to download image: HTTP status ${status}` }]);
}

const maxInputPixels = 50_000_000;

/** The magic bytes of file types and their offsets; remove.bg accepts the first three types. */
const magics: readonly [type: string, magic: string, at: number][] = [
  ["image/png", "\x89PNG\r\n\x1a\n", 0],
  ["image/jpeg", "\xff\xd8\xff", 0],
  ["image/webp", "WEBP", 8],
  ["image/gif", "GIF8", 0],
  ["image/bmp", "BM", 0],
  ["image/tiff", "II*\0", 0],
  ["image/tiff", "MM\0*", 0],
  ["image/avif", "ftypavif", 4],
  ["image/heic", "ftyphei", 4],
  ["application/pdf", "%PDF", 0],
];

const taken = ["image/png", "image/jpeg", "image/webp"];

/** The picture with its pixels as its header declares them. */
function checked(bytes: Uint8Array, maxBytes: number): PictureInput {
  if (bytes.length > maxBytes) {
    const [own, most] = [bytes.length, maxBytes].map((size) => Math.ceil(size / 1024 / 1024));
    const detail = `The file has ${own} MB, and ${most} MB are the most that is taken.`;
    throw toBackgroundError("file_too_large", detail);
  }
  const start = Buffer.from(bytes.subarray(0, 16)).toString("latin1");
  const type = magics.find(([, magic, at]) => start.startsWith(magic, at))?.[0];
  if (type === undefined || !taken.includes(type)) {
    const received = type ?? "something unknown";
    throw toBackgroundError(
      "invalid_file_type",
      `Expected ${taken.join(", ")}; received ${received}.`,
    );
  }
  const { width, height } = readDimensions(bytes) ?? { width: 0, height: 0 };
  if (!(width > 0 && height > 0)) throw toBackgroundError("invalid_dimensions");
  if (width * height > maxInputPixels) throw toBackgroundError("resolution_too_high");
  return { bytes, width, height };
}

const downloadMs = 10_000;

/** Where pictures may be downloaded from. Without a limit, callers could make this server send requests anywhere. */
export type DownloadReach = "this machine" | "nowhere";

/** Either the bytes or the error status; neither when nobody answered. */
interface DownloadResult {
  readonly bytes?: Uint8Array;
  readonly status?: number;
}

/**
 * Fetches a picture, from this machine at most and without redirects. It stops as soon as more
 * than `maxBytes` has come, one byte over.
 */
async function download(
  address: string,
  { maxBytes, reach }: { readonly maxBytes: number; readonly reach: DownloadReach },
): Promise<DownloadResult> {
  const url = new URL(address);
  if (reach === "nowhere") return {};
  const isLoopback = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname);
  if (!isLoopback || url.protocol !== "http:") return {};
  const signal = AbortSignal.timeout(downloadMs);
  try {
    const response = await fetch(url, { redirect: "error", signal });
    if (response.ok) return { bytes: await readUpTo(response, maxBytes + 1) };
    await response.body?.cancel();
    return { status: response.status };
  } catch {
    return {};
  }
}

async function readUpTo(response: Response, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    chunks.push(chunk);
    length += chunk.length;
    if (length >= maxBytes) break;
  }
  return Buffer.concat(chunks, Math.min(length, maxBytes));
}
