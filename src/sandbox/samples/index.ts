import { readFile } from "node:fs/promises";
import type { SandboxFile } from "../types.ts";

const files = ["coffee.jpg", "cat.jpg", "astronaut.jpg"] as const;

/** The photographs that come with the sandbox, credited in NOTICE; their subjects cut out well. */
export function readSamples(): Promise<SandboxFile[]> {
  return Promise.all(
    files.map(async (name) => ({
      name,
      type: "image/jpeg",
      data: await readFile(new URL(name, import.meta.url)),
    })),
  );
}
