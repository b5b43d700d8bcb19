import { randomUUID } from "node:crypto";

export interface Multipart {
  readonly type: string;
  readonly body: Uint8Array;
}

/**
 * A JSON part and a media part in one body.
 * https://developers.google.com/youtube/v3/guides/uploading_a_video and https://www.rfc-editor.org/rfc/rfc2387
 */
export function multipart(json: string, media: { type: string; bytes: Uint8Array }): Multipart {
  const boundary = randomUUID();
  const head =
    `--${boundary}\r\ncontent-type: application/json; charset=UTF-8\r\n\r\n${json}\r\n` +
    `--${boundary}\r\ncontent-type: ${media.type}\r\n\r\n`;
  return {
    type: `multipart/related; boundary=${boundary}`,
    body: Buffer.concat([Buffer.from(head), media.bytes, Buffer.from(`\r\n--${boundary}--\r\n`)]),
  };
}
