import { sniff } from "../files/sniff.ts";
import { safeNames } from "./file-names.ts";

export interface NamedFile {
  /** As people know it; made safe and unique in the ZIP. */
  readonly name: string;
  readonly data: Uint8Array;
}

/** The oldest date a ZIP can hold: the same files give the same bytes. */
const date = new Date(Date.UTC(1980, 0, 1));

/** Text shrinks; pictures, films and archives are packed already. */
const shrinking = ["text", "html", "svg", "bmp", "tiff", "unknown"];

/** Packs files into one ZIP, in the order given. */
export async function zipFiles(files: readonly NamedFile[]): Promise<Buffer> {
  const { default: JsZip } = await import("jszip");
  const zip = new JsZip();
  const names = safeNames(files.map(({ name }) => name));
  for (const [i, { data }] of files.entries()) {
    const head = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
    const compression = shrinking.includes(sniff(head)) ? "DEFLATE" : "STORE";
    zip.file(names[i] ?? String(i), data, {
      binary: true,
      compression,
      createFolders: false,
      date,
    });
  }
  return zip.generateAsync({ type: "nodebuffer", platform: "DOS" });
}
