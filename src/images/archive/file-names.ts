/** What no common file system forbids in a name, without its folder and without marks that turn text around. */
const forbidden = /[\p{Cc}\p{Bidi_Control}\u2028\u2029\ufeff<>:"|?*]/gu;

/** Names Windows keeps for devices: https://learn.microsoft.com/windows/win32/fileio/naming-a-file */
const devices = /^(?:con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i;

/** Bytes of a name; file systems stop at 255 and a number may have to be added. */
const maxNameBytes = 200;
const maxEndingBytes = 20;

/** Makes each name safe to unpack anywhere, and no two the same, however letters are written. */
export function safeNames(names: readonly string[]): readonly string[] {
  const taken = new Set<string>();
  return names.map((name) => {
    const safe = safeName(name);
    const { stem, ending } = split(safe);
    let unique = safe;
    for (let n = 2; taken.has(key(unique)); n++) unique = `${stem} (${n})${ending}`;
    taken.add(key(unique));
    return unique;
  });
}

function safeName(name: string): string {
  const last = name.toWellFormed().normalize("NFC").split(/[/\\]/).filter(isName).at(-1) ?? "";
  const [plain = ""] = /[^\s.](?:.*[^\s.])?/su.exec(last.replace(forbidden, "")) ?? [];
  const { stem, ending } = split(plain.replace(devices, "_$&"));
  return `${cut(stem, maxNameBytes).trimEnd()}${ending}` || "file";
}

function isName(part: string): boolean {
  return !/^[\s.]*$/.test(part);
}

/** An ending is short and stands behind a name; anything else belongs to the name. */
function split(name: string): { readonly stem: string; readonly ending: string } {
  const at = name.lastIndexOf(".");
  const ending = name.slice(at);
  if (at <= 0 || Buffer.byteLength(ending) > maxEndingBytes) return { stem: name, ending: "" };
  return { stem: name.slice(0, at), ending };
}

/** Whole characters only, as people see them. */
function cut(text: string, maxBytes: number): string {
  let kept = "";
  for (const { segment } of new Intl.Segmenter("en").segment(text)) {
    if (Buffer.byteLength(kept) + Buffer.byteLength(segment) > maxBytes) return kept;
    kept += segment;
  }
  return kept;
}

function key(name: string): string {
  return name.toLowerCase();
}
