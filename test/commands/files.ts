import { randomBytes } from "node:crypto";
import sharp from "sharp";
import type { SandboxFile } from "../../src/sandbox/types.ts";

/** Begins like a video file, followed by noise. */
export function film(bytes = 50_000, name = "film.mp4"): SandboxFile {
  const data = randomBytes(bytes);
  data.writeUInt32BE(24, 0);
  data.write("ftypisom\0\0\x02\0isommp41", 4, "latin1");
  return { name, type: "video/mp4", data };
}

export const srt: SandboxFile = {
  name: "words.srt",
  type: "application/x-subrip",
  data: Buffer.from("1\n00:00:00,000 --> 00:00:02,000\nHello\n"),
};

/** A picture in one colour. */
export async function flat(
  width: number,
  height: number,
  background = "#3377aa",
): Promise<SandboxFile> {
  const picture = sharp({ create: { width, height, channels: 3, background } });
  return { name: "picture.jpeg", type: "image/jpeg", data: await picture.jpeg().toBuffer() };
}
