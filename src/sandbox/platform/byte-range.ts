/** The bytes of a file from the first to the last, both counted in. */
export interface ByteRange {
  readonly from: number;
  readonly to: number;
}

/**
 * What a `Range` header asks of a file with this many bytes: undefined for all of it, as for units and lists that are
 * not served; `unsatisfiable` for what begins behind its end. https://www.rfc-editor.org/rfc/rfc9110#name-range
 */
export function rangeOf(
  header: string | undefined,
  size: number,
): ByteRange | "unsatisfiable" | undefined {
  const [, first = "", last = ""] = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? "") ?? [];
  if (first === "" && last === "") return undefined;
  if (first === "") {
    const from = Math.max(0, size - Number(last));
    return from < size ? { from, to: size - 1 } : "unsatisfiable";
  }
  const from = Number(first);
  const to = last === "" ? size - 1 : Math.min(Number(last), size - 1);
  if (last !== "" && Number(last) < from) return undefined;
  return from < size ? { from, to } : "unsatisfiable";
}

const partBytes = 256 * 1_024;

/** The range as a body that never holds more than a part of it. */
export function partsOf(data: Uint8Array, { from, to }: ByteRange): ReadableStream<Uint8Array> {
  let at = from;
  return new ReadableStream({
    pull(controller) {
      if (at > to) return controller.close();
      const end = Math.min(at + partBytes, to + 1);
      controller.enqueue(data.subarray(at, end));
      at = end;
    },
  });
}
