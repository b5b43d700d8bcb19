import { expect, it } from "vitest";
import { killProcesses } from "./kill-processes.ts";

it("comes to its end where all is calm before the last process is at work", async () => {
  const lines: string[] = [];

  const result = await killProcesses({
    comments: 0,
    kills: 0,
    faults: 0,
    seed: 1,
    onProgress: (line) => lines.push(line),
  });

  expect(result).toEqual({ lost: [], twice: [], wrong: [], decisions: 0 });
  expect(lines).toHaveLength(1);
});
