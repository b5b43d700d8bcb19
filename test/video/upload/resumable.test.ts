import { describe, expect, it } from "vitest";
import { rig } from "./rig.ts";

describe("a resumable upload", () => {
  it("sends bytes in chunks and resolves to the resource", async () => {
    const { send, service } = await rig();
    const data = bytes(3_500);

    const video = await send({ media: { data, type: "video/mp4" } });

    expect(video).toEqual({ kind: "youtube#video", id: "the-video" });
    expect(service.videos).toEqual([Buffer.from(data)]);
    expect(service.steps.map(({ kind, headers }) => [kind, headers["content-range"]])).toEqual([
      ["begin", undefined],
      ["chunk", "bytes 0-999/3500"],
      ["chunk", "bytes 1000-1999/3500"],
      ["chunk", "bytes 2000-2999/3500"],
      ["chunk", "bytes 3000-3499/3500"],
    ]);
  });
});

function bytes(length: number): Uint8Array {
  return Uint8Array.from({ length }, (_, index) => (index * 31 + (index >> 8)) % 256);
}
