import { sniffFormat } from "../files/sniff.ts";
import { asBuffer } from "../size.ts";

export interface NamedFile {
  /** The name that people know; it is made safe and unique in the ZIP. */
  readonly name: string;
  readonly data: Uint8Array;
  /** Compressed already, which a piece of a file does not show. */
  readonly isPacked?: true;
}

/** The oldest date a ZIP can hold: the same files give the same bytes. */
const date = new Date(Date.UTC(1980, 0, 1));

/** Text can be compressed; pictures, films and archives already are. */
const compressible = ["text", "html", "svg", "bmp", "tiff", "unknown"];

/** Packs files into one ZIP, in the order given. */
export async function zipFiles(files: readonly NamedFile[]): Promise<Buffer> {
  const { default: JsZip } = await import("jszip");
  const zip = new JsZip();
  const taken = new Set<string>();
  for (const { name, data, isPacked = false } of files) {
    const safe = safeName(name);
    const { stem, ending } = splitEnding(safe);
    let unique = safe;
    // Some file systems don't tell capitals from small letters.
    for (let n = 2; taken.has(unique.toLowerCase()); n++) unique = `${stem} (${n})${ending}`;
    taken.add(unique.toLowerCase());
    const isLoose = !isPacked && compressible.includes(sniffFormat(asBuffer(data)));
    const compression = isLoose ? "DEFLATE" : "STORE";
    zip.file(unique, data, { binary: true, compression, createFolders: false, date });
  }
  return zip.generateAsync({ type: "nodebuffer", platform: "DOS" });
}

/** Characters that a common file system forbids in names, and marks that turn text around. */
const forbidden = /[\p{Cc}\p{Bidi_Control}\u2028\u2029\ufeff<>:"|?*]/gu;

/** Names that Windows reserves for devices: https://learn.microsoft.com/windows/win32/fileio/naming-a-file */
const devices = /^(?:con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i;

/** Bytes of a name; file systems stop at 255 and a number may have to be added. */
const maxNameBytes = 200;
const maxEndingBytes = 20;

/** The name, safe to unpack anywhere. */
function safeName(name: string): string {
  const parts = name.toWellFormed().normalize("NFC").split(/[/\\]/);
  const last = parts.findLast((part) => !/^[\s.]*$/.test(part)) ?? "";
  const [plain = ""] = /[^\s.](?:.*[^\s.])?/su.exec(last.replace(forbidden, "")) ?? [];
  const { stem, ending } = splitEnding(plain.replace(devices, "_$&"));
  return `${cutToBytes(stem, maxNameBytes).trimEnd()}${ending}` || "file";
}

/** Only a short part behind the last dot counts as the ending; anything else belongs to the name. */
function splitEnding(name: string): { readonly stem: string; readonly ending: string } {
  const at = name.lastIndexOf(".");
  const ending = name.slice(at);
  if (at <= 0 || Buffer.byteLength(ending) > maxEndingBytes) return { stem: name, ending: "" };
  return { stem: name.slice(0, at), ending };
}

/** Whole characters only, as people see them. */
function cutToBytes(text: string, maxBytes: number): string {
  let kept = "";
  for (const { segment } of new Intl.Segmenter("en").segment(text)) {
    if (Buffer.byteLength(kept) + Buffer.byteLength(segment) > maxBytes) return kept;
    kept += segment;
  }
  return kept;
}
