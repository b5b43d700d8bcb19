import { once } from "node:events";
import { createGzip } from "node:zlib";

/** A file that is packed where a message could not carry it otherwise; what it holds of it in memory has a limit. */
export function createExportFile(attachmentLimit: number) {
  const gzip = createGzip();
  const packed: Buffer[] = [];
  let plain: Buffer[] | undefined = [];
  let bytes = 0;
  gzip.on("data", (part: Buffer) => packed.push(part));
  const isOver = once(gzip, "end");

  return {
    async write(text: string): Promise<void> {
      const part = Buffer.from(text);
      bytes += part.length;
      // A year of decisions may be more than a message carries; packed it is a tenth of it.
      if (bytes > attachmentLimit) plain = undefined;
      plain?.push(part);
      if (!gzip.write(part)) await once(gzip, "drain");
    },
    async end(): Promise<{ readonly data: Buffer; readonly isPacked: boolean }> {
      gzip.end();
      await isOver;
      return plain === undefined
        ? { data: Buffer.concat(packed), isPacked: true }
        : { data: Buffer.concat(plain), isPacked: false };
    },
  };
}
