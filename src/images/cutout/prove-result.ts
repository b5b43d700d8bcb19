import { checkPicture, proveReadable } from "../files/check-picture.ts";
import { isSentFormat } from "../files/formats.ts";
import { sniffFormat } from "../files/sniff.ts";
import { asDamagedCutout, createDamagedError, isDamagedPicture } from "../picture-errors.ts";
import { loadSharp, untrustedOptions } from "../sharp.ts";
import { openCutout } from "./cutout.ts";

/**
 * Reads every row of a result that is handed out as remove.bg sent it, so that damage shows. A result that is only too
 * large for us passes: it has been paid for.
 * @throws ServiceError `cutout_damaged`
 */
export async function proveResult(bytes: Buffer): Promise<object> {
  const found = sniffFormat(bytes);
  const isZip = found === "zip";
  if (!isZip && !isSentFormat(found)) throw createDamagedError(`it is no picture but ${found}`);
  await asDamagedCutout(() => (isZip ? proveZip(bytes) : provePicture(bytes)));
  return {};
}

async function provePicture(bytes: Buffer): Promise<void> {
  const source = await checkPicture(bytes).catch((error: unknown) => {
    if (isDamagedPicture(error)) throw createDamagedError(error.message, error.cause);
  });
  if (!source) return;
  const sharp = await loadSharp();
  const failOn = source.format === "jpeg" ? "warning" : "error";
  await proveReadable(sharp, source, { failOn }).catch((error: unknown) => {
    // libjpeg makes missing pixels up, with a warning; its other warnings are about what no pixel needs.
    const isMissing = error instanceof Error && error.message.includes("premature end");
    if (failOn === "error" || isMissing) throw error;
    return proveReadable(sharp, source);
  });
}

async function proveZip(bytes: Buffer): Promise<void> {
  const sharp = await loadSharp();
  const { color, alpha } = await openCutout(bytes);
  for (const { data, raw } of [color, alpha]) {
    if (raw) continue;
    const pipeline = sharp(data, { ...untrustedOptions, ignoreIcc: true });
    await pipeline.resize(64, 64, { fit: "fill" }).raw().toBuffer();
  }
}
