import { PassThrough } from "node:stream";
import { buffer } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { detectVideoType, peekBytes } from "../../../src/features/uploads/upload-files.ts";

const box = (brand: string) => {
  const bytes = Buffer.alloc(64);
  bytes.writeUInt32BE(24, 0);
  bytes.write(`ftyp${brand}`, 4, "latin1");
  return bytes;
};

const avi = Buffer.concat([Buffer.from("RIFF\0\0\0\0AVI LIST"), Buffer.alloc(32)]);
const flv = Buffer.concat([Buffer.from("FLV\x01\x05\0\0\0\x09"), Buffer.alloc(32)]);

describe("detectVideoType", () => {
  it.each([
    ["MP4", box("isom"), "video/mp4"],
    ["QuickTime", box("qt  "), "video/quicktime"],
    ["AVI", avi, "video/vnd.avi"],
    ["Flash", flv, "video/x-flv"],
  ])("knows %s by its bytes, whatever it is called", async (_, bytes, type) => {
    expect(await detectVideoType(bytes, "notes.txt")).toBe(type);
  });

  it.each([
    [
      "video_is_picture",
      Buffer.from("\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0", "latin1"),
    ],
    [
      "video_is_audio",
      Buffer.concat([
        Buffer.from("ID3\x03\0\0\0\0\0\0"),
        Buffer.from([0xff, 0xfb, 0x90, 0x64]),
        Buffer.alloc(600),
      ]),
    ],
    ["video_is_other", Buffer.concat([Buffer.from("%PDF-1.7\n"), Buffer.alloc(64)])],
    ["video_is_text", Buffer.from("Just words, called a film. Ünïcödé 🎬")],
    ["video_unknown", Buffer.from([0, 1, 2, 3, 4, 5, 6, 7, 0, 0, 0, 9])],
    ["upload_file_empty", Buffer.alloc(0)],
  ])("refuses with %s a file that is called clip.mp4 and is no video", async (code, bytes) => {
    await expect(detectVideoType(bytes, "clip.mp4")).rejects.toMatchObject({ code });
  });
});

function streamOf(pieces: readonly Buffer[]): PassThrough {
  const stream = new PassThrough();
  setImmediate(async () => {
    for (const piece of pieces) {
      stream.write(piece);
      await new Promise(setImmediate);
    }
    stream.end();
  });
  return stream;
}

describe("peek", () => {
  it("leaves every byte in the stream, in its order", async () => {
    const bytes = Buffer.from(Array.from({ length: 10_000 }, (_, at) => at % 251));
    const body = streamOf([bytes.subarray(0, 10), bytes.subarray(10, 5000), bytes.subarray(5000)]);

    const head = await peekBytes(body, bytes.length);

    expect(head.equals(bytes.subarray(0, 4096))).toBe(true);
    expect((await buffer(body)).equals(bytes)).toBe(true);
  });

  it("accepts a file that is shorter than the part it reads", async () => {
    const body = streamOf([Buffer.from("ab"), Buffer.from("c")]);

    expect((await peekBytes(body, 3)).toString()).toBe("abc");
    expect((await buffer(body)).toString()).toBe("abc");
  });

  it("fails as the stream fails, whether before reading or meanwhile", async () => {
    const broken = new PassThrough();
    broken.on("error", () => {});
    broken.destroy(new Error("cut"));
    const breaking = new PassThrough();
    setTimeout(() => breaking.destroy(new Error("cut later")), 5);

    await expect(peekBytes(broken, 10)).rejects.toThrow("cut");
    await expect(peekBytes(breaking, 10)).rejects.toThrow("cut later");
  });
});
