import type { Services } from "../services.ts";

/** As it goes into a request's JSON: https://docs.discord.com/developers/reference#image-data */
export type DataUri = `data:image/${string};base64,${string}`;

/** YouTube's largest thumbnails have some 300 KB. */
const maxBytes = 2 * 1_024 * 1_024;
const deadlineMs = 10_000;
const tries = 3;

/** What files of the kinds that Discord takes begin with. */
const kinds = [
  { type: "jpeg", start: [0xff, 0xd8, 0xff] },
  { type: "png", start: [0x89, 0x50, 0x4e, 0x47] },
  { type: "gif", start: [0x47, 0x49, 0x46, 0x38] },
] as const;

/** The picture at that address; undefined where it can't be read, and is no reason to do without the event. */
export async function readCover(
  url: string,
  { http, log }: Pick<Services, "http" | "log">,
): Promise<DataUri | undefined> {
  try {
    const { status, body } = await http.request({
      method: "GET",
      url,
      retry: "read",
      maxBytes,
      deadlineMs,
      tries,
    });
    const kind = kinds.find(({ start }) => start.every((byte, at) => body[at] === byte));
    if (status === 200 && kind !== undefined) {
      return `data:image/${kind.type};base64,${body.toString("base64")}`;
    }
    log.info("an event's picture can't be used", { url, status, bytes: body.length });
  } catch (error) {
    log.info("an event's picture could not be read", { url, error });
  }
  return undefined;
}
