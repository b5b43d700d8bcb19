import { Refusal } from "../refusal.ts";

/** What one request to a session says of the bytes it carries. */
export type ContentRange =
  /** `bytes` `*` `/TOTAL`: asks what is stored. */
  | { readonly kind: "query"; readonly total: number | undefined }
  /** `total` is undefined while the client does not know it. */
  | {
      readonly kind: "bytes";
      readonly first: number;
      readonly last: number;
      readonly total: number | undefined;
    };

/** Undefined when there is no such header: the request carries the whole file. */
export function readContentRange(header: string | undefined): ContentRange | undefined {
  if (header === undefined) return undefined;
  const found = /^bytes (?:\*|(\d{1,15})-(\d{1,15}))\/(\*|\d{1,15})$/.exec(header.trim());
  if (found === null) throw badRange(`Failed to parse the Content-Range header '${header}'.`);
  const total = found[3] === "*" ? undefined : Number(found[3]);
  if (found[1] === undefined) return { kind: "query", total };
  const [first, last] = [Number(found[1]), Number(found[2])];
  if (first > last) throw badRange(`The range ${first}-${last} ends before it starts.`);
  if (total !== undefined && last >= total) throw unsatisfiable(last, total);
  return { kind: "bytes", first, last, total };
}

export function badRange(message: string): Refusal {
  return new Refusal(400, { reason: "badRequest", message });
}

function unsatisfiable(last: number, total: number): Refusal {
  const message = `Byte ${last} lies beyond the ${total} bytes of the file.`;
  return new Refusal(416, { reason: "requestedRangeNotSatisfiable", message });
}
