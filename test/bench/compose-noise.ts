/** Writes WebPs of noise, the hardest input for the encoder, and prints how many the encoder gave up on. */
import { createSamplesWriter } from "../../src/images/cutout/encode.ts";
import { grain } from "./grain.ts";

const seed = 7;
const pictures = [
  { width: 4_000, height: 2_500, qualities: [75, 80, 85, 90, 95] },
  { width: 8_660, height: 5_773, qualities: [80, 95] },
] as const;

let failures = 0;
for (const { width, height, qualities } of pictures) {
  const rgb = grain(width * height * 3, seed);
  const alpha = grain(width * height, seed + 1);
  const source = createSamplesWriter({ width, height, rgb, alpha }, undefined);
  for (const quality of qualities) {
    await source.write({ format: "webp", quality, scale: 1 }).catch(() => failures++);
  }
}
console.log(failures);
