import { describe, expect, it } from "vitest";
import { seed, seeded } from "../../support/random.ts";
import type { Fault, Step } from "../../support/upload-service.ts";
import { bytes, chunkBytes, rig, streamOf, video } from "./rig.ts";

const rounds = 25;
/** Fewer in a row than end an upload. */
const maxFaults = 9;

type Random = () => number;

/** Faults that every upload survives, whatever its source. */
const passing: readonly ((step: Step, random: Random) => Fault)[] = [
  () => ({ cut: true }),
  () => ({ keep: 0, cut: true }),
  ({ bytes: sent }, random) => ({ keep: Math.floor(random() * sent.length), cut: true }),
  ({ bytes: sent }, random) => ({ keep: Math.floor(random() * sent.length) }),
  () => ({ status: 503 }),
  () => ({ keep: 0, status: 500 }),
  () => ({ keep: 0, status: 429, headers: { "retry-after": "3" } }),
  ({ bytes: sent }, random) => ({
    keep: Math.floor(random() * sent.length),
    status: 502,
    body: "<h1>Bad gateway</h1>",
  }),
];

/** Faults that an upload survives only if its source can be read again. */
const forgetful: readonly ((step: Step, random: Random) => Fault)[] = [
  () => ({ forget: true }),
  () => ({ forget: true, cut: true }),
  () => ({ expire: true }),
];

const sources = [
  { name: "bytes", canSeek: true, media: (data: Uint8Array) => video(data) },
  {
    name: "a Blob",
    canSeek: true,
    media: (data: Uint8Array) => video(new Blob([Buffer.from(data)])),
  },
  {
    name: "a stream",
    canSeek: false,
    media: (data: Uint8Array) => video(streamOf(data, 1 + (data.length % 3_000)), data.length),
  },
] as const;

describe(`an upload under faults (SEED=${seed})`, () => {
  it.each(sources)("of $name always ends with the same bytes and one video", async (source) => {
    for (let round = 0; round < rounds; round++) {
      const random = seeded(seed + round);
      const data = bytes(1 + Math.floor(random() * 12 * chunkBytes));
      const progress: number[] = [];
      const { send, service } = await rig({ fault: faults(random, source.canSeek) });

      const resource = await send({
        media: source.media(data),
        onProgress: (sent) => void progress.push(sent),
      }).catch((error: unknown) => {
        throw new Error(`round ${round} of SEED=${seed}`, { cause: error });
      });

      expect(resource).toEqual({ kind: "youtube#video", id: "the-video" });
      expect(service.videos.length, `round ${round}`).toBe(1);
      expect(service.videos[0]?.equals(data), `round ${round}`).toBe(true);
      expect(progress).toEqual(progress.toSorted((a, b) => a - b));
      expect(progress.at(-1)).toBe(data.length);
    }
  });

  it("sends at most one chunk again for each cut", async () => {
    for (let round = 0; round < rounds; round++) {
      const random = seeded(seed + round);
      const data = bytes(20 * chunkBytes);
      let cuts = 0;
      const { send, service } = await rig({
        fault: (step) => {
          if (step.kind !== "chunk" || random() > 0.4) return undefined;
          cuts += 1;
          return passing[2]?.(step, random);
        },
      });

      await send({ media: video(streamOf(data), data.length) });

      expect(service.receivedBytes - data.length).toBeLessThanOrEqual(cuts * chunkBytes);
    }
  });
});

/** Some random faults. None makes YouTube forget an upload that may already be complete. */
function faults(random: Random, canSeek: boolean) {
  let left = Math.floor(random() * (maxFaults + 1));
  let mayBeWhole = false;
  return (step: Step): Fault | undefined => {
    const isLast = step.kind === "chunk" && step.from + step.bytes.length === step.total;
    mayBeWhole ||= isLast;
    if (left === 0 || random() < 0.4) return undefined;
    left -= 1;
    if (step.kind === "begin") return random() < 0.5 ? { cut: true } : { status: 503 };
    const mayForget = canSeek && !mayBeWhole && step.kind === "chunk";
    const kinds = mayForget ? [...passing, ...forgetful] : passing;
    const chosen = kinds[Math.floor(random() * kinds.length)]?.(step, random);
    // A request for the state stores nothing, so for it only cuts and error statuses make sense.
    return step.kind === "ask" && !chosen?.cut && !chosen?.status ? { cut: true } : chosen;
  };
}
