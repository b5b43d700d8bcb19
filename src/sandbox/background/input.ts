import type { Form } from "./form.ts";
import { type RefusalCode, refuse } from "./refusals.ts";

/** The given specification, part 8; newer texts of the service say 22 MB. */
export const maxInputBytes = 12 * 1024 * 1024;

const sources = ["image_file", "image_file_b64", "image_url"] as const;

/** The one picture the request holds or names, with its type and its size checked. */
export async function readInput({ texts, files }: Form): Promise<Uint8Array> {
  const given = sources.filter((name) =>
    name === "image_file" ? files.has(name) : texts.has(name),
  );
  if (given.length === 0) throw refuse("missing_source");
  if (given.length > 1) throw refuse("multiple_sources");
  const file = files.get("image_file");
  const base64 = texts.get("image_file_b64");
  const bytes =
    file ??
    (base64 === undefined
      ? await download(texts.get("image_url") ?? "", "image")
      : Buffer.from(base64.replace(/^data:[^,]*,/, ""), "base64"));
  if (bytes.length > maxInputBytes) throw refuse("file_too_large");
  return bytes;
}

const downloadCodes = {
  image: ["invalid_image_url", "failed_image_download"],
  bg: ["invalid_bg_image_url", "failed_bg_download"],
} as const satisfies Record<string, readonly [RefusalCode, RefusalCode]>;

/** Fetches a picture, from loopback only: the stand-in never reaches out. */
export async function download(address: string, kind: "image" | "bg"): Promise<Uint8Array> {
  const [invalid, failed] = downloadCodes[kind];
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) throw refuse(invalid);
  const isLoopback = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname);
  if (!isLoopback || url.protocol !== "http:") throw refuse(failed);
  const response = await fetch(url, {
    redirect: "error",
    signal: AbortSignal.timeout(10_000),
  }).catch(() => undefined);
  if (response?.ok !== true) throw refuse(failed);
  const bytes = await response.bytes().catch(() => undefined);
  if (bytes === undefined) throw refuse(failed);
  return bytes;
}
