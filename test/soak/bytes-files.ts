/**
 * Writes the files for bytes-campaign.ts, in a separate process because making them takes memory: `node bytes-files.ts
 * FOLDER`.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { hostilePictures, hostileResults, seedEntries, seedFiles } from "../images/bad-files.ts";

const bombBytes = 512 * 1024 * 1024;

const [folder = ""] = process.argv.slice(2);

const files = await seedFiles();
const { color, alpha } = await seedEntries();
const coded = Object.entries(files).map(([kind, seeds]) => [
  kind,
  seeds.map((seed) => seed.toString("base64")),
]);
const entries = { color: color.toString("base64"), alpha: alpha.toString("base64") };
writeFileSync(
  join(folder, "seeds.json"),
  JSON.stringify({ files: Object.fromEntries(coded), entries }),
);
const hostile = [...(await hostilePictures(1)), ...(await hostileResults(bombBytes))];
for (const [i, { bytes }] of hostile.entries()) writeFileSync(join(folder, `${i}.bin`), bytes);
writeFileSync(
  join(folder, "hostile.json"),
  JSON.stringify(hostile.map(({ name, kind }, i) => ({ name, kind, file: `${i}.bin` }))),
);
